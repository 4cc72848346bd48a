#include <algorithm>
#include <cstdint>

#include <microslip/core/check.hpp>
#include <microslip/io/refuse_repeats.hpp>

namespace microslip::io {

void refuse_repeats(const CoordinateMatrix& matrix, const std::string& file, const std::vector<std::size_t>& lines,
                    std::string_view expected) {
  const auto place = [](const CoordinateMatrix::Entry& entry) {
    return static_cast<std::uint64_t>(entry.row) << 32U | static_cast<std::uint64_t>(entry.column);
  };
  std::vector<std::uint64_t> places;
  places.reserve(matrix.entries.size());
  for (const auto& entry : matrix.entries) places.push_back(place(entry));
  std::sort(places.begin(), places.end());
  const auto twice = std::adjacent_find(places.begin(), places.end());
  if (twice == places.end()) return;

  const auto there = [&](const CoordinateMatrix::Entry& entry) { return place(entry) == *twice; };
  const auto first = std::find_if(matrix.entries.begin(), matrix.entries.end(), there);
  const auto second = std::find_if(first + 1, matrix.entries.end(), there);
  const auto label = [](const std::vector<NodeDirection>& labels, std::int32_t i) {
    const auto at = static_cast<std::size_t>(i);
    return labels.empty() ? fmt::format("{}", at + 1) : fmt::format("{}.{}", labels[at].node, labels[at].direction);
  };
  throw InvalidInput(fmt::format(
      "{}{}: entry ({}, {}){} is given twice, {}", file,
      lines.empty() ? "" : fmt::format(":{}", lines[static_cast<std::size_t>(second - matrix.entries.begin())]),
      label(matrix.row_labels, second->row), label(matrix.column_labels, second->column),
      matrix.name.empty() || matrix.name == file ? "" : " of matrix '" + matrix.name + "'", expected));
}

}  // namespace microslip::io
