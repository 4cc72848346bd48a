#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include <microslip/core/suggestion.hpp>

namespace microslip {

namespace {

/// Levenshtein distance: the fewest insertions, deletions and replacements between two words.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2);
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= std::max(word.size(), candidate.size())) continue;  // no letter in common
    if (distance < best_distance || (distance == best_distance && !best)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  if (const auto guess = nearest(word, known)) return fmt::format(" (did you mean '{}'?)", *guess);
  return fmt::format(" (known: {})", fmt::join(known, ", "));
}

}  // namespace microslip
