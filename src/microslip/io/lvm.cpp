#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <microslip/core/check.hpp>
#include <microslip/core/text.hpp>
#include <microslip/io/lvm.hpp>
#include <microslip/io/record_parts.hpp>
#include <microslip/io/sampling.hpp>

namespace microslip::io {

namespace {

constexpr std::string_view end_of_header = "***End_of_Header***";

enum class XColumns { none, one, many };

struct Dialect {
  char separator = '\t';
  bool decimal_comma = false;
  XColumns x_columns = XColumns::one;
};

/// One block: its header, names, and cells as they stand.
struct Block {
  std::map<std::string, std::vector<std::string>> header;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
  std::vector<int> lines;
};

class Parser {
 public:
  Parser(std::string_view text, std::string source, const ReadOptions& options)
      : text_(text), source_(std::move(source)), options_(options) {}

  std::vector<Record> records() {
    read_file_header();
    std::vector<Record> result;
    while (auto block = next_block()) result.push_back(record(*block));
    if (result.empty()) throw InvalidInput(fmt::format("{}: ends before any data: truncated", source_));
    for (std::size_t i = 0; i < result.size() && result.size() > 1; ++i)
      result[i].name = fmt::format("block {}", i + 1);
    return result;
  }

 private:
  std::optional<std::string_view> next_line() {
    if (at_ >= text_.size()) return std::nullopt;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }

  void read_file_header() {
    while (const auto line = next_line()) {
      if (line->starts_with(end_of_header)) return;
      const std::size_t cut = line->find_first_of("\t,");
      const std::string key(trim(line->substr(0, cut)));
      const std::string value(cut == std::string_view::npos ? "" : trim(line->substr(cut + 1)));
      if (key == "Separator") dialect_.separator = value == "Comma" ? ',' : '\t';
      if (key == "Decimal_Separator") dialect_.decimal_comma = value.starts_with(',');
      if (key == "X_Columns")
        dialect_.x_columns = value == "No" ? XColumns::none : value == "Multi" ? XColumns::many : XColumns::one;
    }
    throw InvalidInput(fmt::format("{}: the header never ends ({} is missing): truncated", source_, end_of_header));
  }

  std::optional<Block> next_block() {
    Block block;
    bool in_header = true, any = false;
    while (true) {
      const std::size_t before = at_;
      const auto line = next_line();
      if (!line) break;
      if (trim(*line).empty()) continue;
      std::vector<std::string> cells = split(*line, dialect_.separator);
      for (std::string& cell : cells) cell = std::string(trim(cell));
      if (line->starts_with(end_of_header)) {
        in_header = false;
      } else if (in_header) {
        any = true;
        // A file without headings for its segments starts with the row of names.
        if (cells.front() == "X_Value" || number(cells.front())) {
          in_header = false;
          at_ = before;
          --line_;
          continue;
        }
        block.header[cells.front()] = {cells.begin() + 1, cells.end()};
      } else if (block.rows.empty() && block.names.empty() && !number(cells.front()) && !cells.front().empty()) {
        block.names = std::move(cells);
      } else if (!block.rows.empty() && !cells.front().empty() && !number(cells.front())) {
        at_ = before;  // the next block's header
        --line_;
        break;
      } else {
        block.rows.push_back(std::move(cells));
        block.lines.push_back(line_);
      }
    }
    if (!any && block.rows.empty()) return std::nullopt;
    if (block.rows.empty()) throw InvalidInput(fmt::format("{}: a header at the end has no data: truncated", source_));
    return block;
  }

  [[nodiscard]] std::optional<double> number(const std::string& cell) const {
    return parse_number(cell, dialect_.decimal_comma);
  }

  /// Under X columns of their own, channels have two columns each in the header, too: "Samples\t4\t\t4\t\t4\t".
  [[nodiscard]] std::string header_cell(const Block& block, const std::string& key, std::size_t channel) const {
    const auto found = block.header.find(key);
    const std::size_t column = dialect_.x_columns == XColumns::many ? 2 * channel : channel;
    return found != block.header.end() && column < found->second.size() ? found->second[column] : "";
  }

  /// The sampling interval of a channel: that of its own X values where it has them, else Delta_X.
  [[nodiscard]] std::optional<double> interval(const Block& block, std::size_t channel,
                                               std::optional<std::size_t> x_column) const {
    const auto x = [&](const std::vector<std::string>& row) {
      return *x_column < row.size() ? number(row[*x_column]) : std::nullopt;
    };
    const std::size_t n = block.rows.size();
    if (x_column && n > 1)
      if (const auto first = x(block.rows.front()), last = x(block.rows.back()); first && last && *last > *first)
        return (*last - *first) / static_cast<double>(n - 1);
    const auto declared = number(header_cell(block, "Delta_X", channel));
    return declared && *declared > 0 ? declared : std::nullopt;
  }

  Record record(const Block& block) {
    Record result;
    result.source = source_;
    const bool one = dialect_.x_columns == XColumns::one, many = dialect_.x_columns == XColumns::many;
    std::size_t n_columns = block.names.size();
    for (const auto& row : block.rows) n_columns = std::max(n_columns, row.size());
    if (!block.names.empty() && block.names.back() == "Comment") n_columns = block.names.size() - 1;

    const std::string declared = header_cell(block, "Channels", 0);
    const std::size_t per_channel = many ? 2 : 1, first = one || many ? 1 : 0;
    std::vector<std::string> dropped, other_rate;
    std::optional<double> first_interval;  // of the first channel that is kept and tells
    std::string first_name;
    std::size_t index = 0, x_column = 0;
    for (std::size_t column = first; column < n_columns; column += per_channel, ++index) {
      Channel channel;
      channel.name = column < block.names.size() ? block.names[column] : fmt::format("channel {}", index + 1);
      channel.unit = header_cell(block, "Y_Unit_Label", index);
      const std::optional<double> step = number(header_cell(block, "Delta_X", index));
      bool gap = false;
      for (std::size_t row = 0; row < block.rows.size(); ++row) {
        const std::string cell = column < block.rows[row].size() ? block.rows[row][column] : "";
        if (cell.empty()) {
          gap = true;
          continue;
        }
        const auto sample = number(cell);
        if (!sample)
          throw InvalidInput(fmt::format("{}:{}: column {} ({}): '{}', a number is expected", source_, block.lines[row],
                                         column + 1, channel.name, cell));
        if (gap) break;
        channel.samples.push_back(*sample);
      }
      if (gap && channel.samples.size() < block.rows.size()) {
        dropped.push_back(channel.name.empty() ? fmt::format("column {}", column + 1) : channel.name);
        continue;
      }
      // Rounded intervals may differ: at another rate are channels that drift apart by half a sample or more.
      const auto own = interval(block, index, many ? std::optional(column - 1) : std::nullopt);
      if (own && first_interval &&
          std::abs(*own - *first_interval) * static_cast<double>(block.rows.size()) >= 0.5 * *first_interval) {
        other_rate.push_back(fmt::format("{} ({:.6g} Hz)", channel.name, 1 / *own));
        continue;
      }
      if (own && !first_interval) {
        first_interval = own;
        first_name = channel.name;
      }
      if (result.channels.empty() && many) x_column = column - 1;
      if (step && *step > 0 && result.sampling_rate_hz == 0) {
        result.sampling_rate_hz = 1 / *step;
        result.start_time = number(header_cell(block, "X0", index)).value_or(0);
      }
      result.channels.push_back(std::move(channel));
    }
    if (result.channels.empty())
      throw InvalidInput(fmt::format("{}: line {}: no column is filled throughout", source_, block.lines.front()));
    if (!dropped.empty())
      result.warnings.push_back(fmt::format("left out, not filled throughout (another rate): {}", join(dropped, ", ")));
    if (!other_rate.empty())
      result.warnings.push_back(fmt::format("left out, at another rate than {} ({:.6g} Hz): {}", first_name,
                                            1 / *first_interval, join(other_rate, ", ")));
    if (one || many) time_from_column(block, x_column, result);
    if (!declared.empty() && number(declared) &&
        static_cast<std::size_t>(std::clamp(*number(declared), 0.0, 1e6)) != index)
      result.warnings.push_back(fmt::format("the header declares {} channels, the data have {}", declared, index));
    result.sampling_rate_hz = agreed_rate(result.sampling_rate_hz, options_, source_);
    if (result.sampling_rate_hz == 0)
      throw InvalidInput(fmt::format("{}: neither X values nor Delta_X tell the sampling rate: give it", source_));
    finish(result, options_);
    return result;
  }

  /// X values settle the rate: they are what was measured, Delta_X is what was set.
  void time_from_column(const Block& block, std::size_t column, Record& record) const {
    std::vector<double> time;
    for (std::size_t row = 0; row < block.rows.size(); ++row) {
      const auto t = column < block.rows[row].size() ? number(block.rows[row][column]) : std::nullopt;
      if (!t) return;  // an empty X column: Delta_X stands
      time.push_back(*t);
    }
    const Sampling sampling =
        even_sampling(time, source_, [&](std::size_t i) { return fmt::format("line {}", block.lines[i]); });
    if (record.sampling_rate_hz > 0 && std::abs(sampling.rate_hz - record.sampling_rate_hz) > 1e-3 * sampling.rate_hz)
      record.warnings.push_back(fmt::format("Delta_X means {:.6g} Hz, the X values {:.6g} Hz: these are used",
                                            record.sampling_rate_hz, sampling.rate_hz));
    record.sampling_rate_hz = sampling.rate_hz;
    record.start_time = sampling.start;
    if (!sampling.warning.empty()) record.warnings.push_back(sampling.warning);
  }

  std::string_view text_;
  std::string source_;
  const ReadOptions& options_;
  Dialect dialect_;
  std::size_t at_ = 0;
  int line_ = 0;
};

}  // namespace

std::vector<Record> parse_lvm(std::string_view text, const std::string& source, const ReadOptions& options) {
  return Parser(text, source, options).records();
}

}  // namespace microslip::io
