#include <algorithm>
#include <map>
#include <set>

#include <microslip/core/text.hpp>
#include <microslip/io/dmig.hpp>
#include <microslip/io/line_reader.hpp>
#include <microslip/io/refuse_repeats.hpp>

namespace microslip::io {

namespace {

struct Term {
  NodeDirection row, column;
  double value, imaginary;
  std::size_t line;
};

struct Dmig {
  std::string name;
  std::int64_t form = 0;
  bool complex = false;
  std::vector<Term> terms;
};

std::string_view field(std::string_view line, std::size_t from, std::size_t width) {
  return line.substr(std::min(from, line.size()), width);
}

CoordinateMatrix assemble(const Dmig& dmig, const std::string& file) {
  std::set<NodeDirection> rows, columns;
  for (const Term& term : dmig.terms) {
    rows.insert(term.row);
    columns.insert(term.column);
  }
  const bool square = dmig.form == 1 || dmig.form == 6;
  if (square) {
    rows.insert(columns.begin(), columns.end());
    columns = rows;
  }
  CoordinateMatrix matrix;
  matrix.name = dmig.name;
  matrix.row_labels.assign(rows.begin(), rows.end());
  matrix.column_labels.assign(columns.begin(), columns.end());
  matrix.n_rows = rows.size();
  matrix.n_columns = columns.size();
  const auto places = [](const std::vector<NodeDirection>& labels) {
    std::map<NodeDirection, std::int32_t> place;
    for (const NodeDirection& label : labels) place.emplace(label, static_cast<std::int32_t>(place.size()));
    return place;
  };
  const auto row_of = places(matrix.row_labels), column_of = places(matrix.column_labels);
  std::vector<std::size_t> lines;
  const auto put = [&](const NodeDirection& row, const NodeDirection& column, const Term& term) {
    matrix.entries.push_back({row_of.at(row), column_of.at(column), term.value});
    if (dmig.complex) matrix.imaginary.push_back(term.imaginary);
    lines.push_back(term.line);
  };
  for (const Term& term : dmig.terms) {
    put(term.row, term.column, term);
    if (dmig.form == 6 && term.row != term.column) put(term.column, term.row, term);
  }
  refuse_repeats(matrix, file, lines,
                 dmig.form == 6 ? "form 6 is symmetric: once in either triangle is expected" : "once is expected");
  return matrix;
}

}  // namespace

std::vector<CoordinateMatrix> parse_dmig(std::string_view text, const std::string& name) {
  LineReader reader(text, name);
  std::vector<Dmig> found;
  const auto integer = [&](std::string_view text_of, std::string_view what) {
    std::int64_t value = 0;
    if (!take(text_of, value) || !is_blank(text_of)) reader.refuse(fmt::format("expected {}", what));
    return value;
  };
  const auto label = [&](std::string_view line, std::size_t from) {
    const std::int64_t node = integer(field(line, from, 16), "a node");
    const std::string_view direction = field(line, from + 16, 16);
    return NodeDirection{node, is_blank(direction) ? 0 : static_cast<int>(integer(direction, "a direction"))};
  };
  NodeDirection column;
  bool in_column = false;
  for (std::string_view line; reader.next(line);) {
    if (is_blank(line) || line.front() == '$') continue;
    const std::string_view card = trim(field(line, 0, 8));
    const std::string matrix(trim(field(line, 8, card == "DMIG*" ? 16 : 8)));
    if (card == "DMIG") {
      in_column = false;
      if (is_blank(field(line, 16, 8)) || trim(field(line, 16, 8)) != "0")
        reader.refuse("DMIG in small fields is not read: punch it in large fields (DMIG*)");
      Dmig dmig{
          .name = matrix, .form = integer(field(line, 24, 8), "the form of a DMIG"), .complex = false, .terms = {}};
      const std::int64_t type = integer(field(line, 32, 8), "the type of a DMIG");
      if (type < 1 || type > 4) reader.refuse(fmt::format("DMIG type {}: 1 to 4 is expected", type));
      if (dmig.form != 1 && dmig.form != 2 && dmig.form != 6 && dmig.form != 9)
        reader.refuse(fmt::format("DMIG form {}: 1, 2, 6 or 9 is expected", dmig.form));
      dmig.complex = type > 2;
      found.push_back(std::move(dmig));
    } else if (card == "DMIG*") {
      if (found.empty() || found.back().name != matrix)
        reader.refuse(fmt::format("a column of DMIG '{}' before its header", matrix));
      column = label(line, 24);
      in_column = true;
    } else if (card.substr(0, 1) == "*" && in_column) {
      Term term{label(line, 8), column, 0, 0, reader.number()};
      std::string_view value = field(line, 40, 16), imaginary = field(line, 56, 16);
      if (!take(value, term.value)) reader.refuse("expected a value");
      if (found.back().complex && !take(imaginary, term.imaginary)) reader.refuse("expected an imaginary part");
      found.back().terms.push_back(term);
    } else {
      in_column = false;  // another card of the bulk data
    }
  }
  if (found.empty()) throw InvalidInput(fmt::format("{}: no DMIG in it, a Nastran punch file is expected", name));
  std::vector<CoordinateMatrix> matrices;
  for (const Dmig& dmig : found) matrices.push_back(assemble(dmig, name));
  return matrices;
}

}  // namespace microslip::io
