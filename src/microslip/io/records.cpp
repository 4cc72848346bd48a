#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/core/text.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/hdf5.hpp>
#include <microslip/io/json.hpp>
#include <microslip/io/lvm.hpp>
#include <microslip/io/mat.hpp>
#include <microslip/io/matrix_info.hpp>
#include <microslip/io/matrix_market.hpp>
#include <microslip/io/records.hpp>
#include <microslip/io/toml.hpp>
#include <microslip/io/tree_records.hpp>
#include <microslip/io/uff.hpp>
#include <microslip/io/wav.hpp>

namespace microslip::io {

namespace {

enum class Format { mat, hdf5, uff, lvm, wav, json, toml, matrix, table };

/// A universal file begins with -1 and the number of a data set; a column of samples may begin with -1 as well.
bool is_universal(std::string_view start) {
  const std::size_t end = start.find('\n');
  if (end == std::string_view::npos || trim(start.substr(0, end)) != "-1") return false;
  std::string_view number = start.substr(end + 1);
  number = trim(number.substr(0, number.find('\n')));
  const std::size_t digits = std::min(number.find_first_not_of("0123456789"), number.size());
  return digits > 0 && (digits == number.size() || number[digits] == 'b');
}

/// The content decides; the extension speaks for formats whose content does not tell.
Format format_of(std::string_view bytes, const std::filesystem::path& path) {
  constexpr std::string_view hdf5_mark("\x89HDF\r\n\x1a\n", 8);
  const std::string extension = plain_name(path.extension().string());
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), extension) != names.end();
  };
  if (bytes.starts_with(hdf5_mark)) return Format::hdf5;
  if (bytes.starts_with("MATLAB ") || is({"mat"})) return Format::mat;
  if (bytes.starts_with("RIFF") || is({"wav"})) return Format::wav;
  if (bytes.starts_with("LabVIEW Measurement") || is({"lvm"})) return Format::lvm;
  if (is_matrix_market(bytes) || is({"mtx", "op4", "sti", "mas", "dof", "pch", "inp", "msh"})) return Format::matrix;
  const std::string_view start = trim(bytes.substr(0, 4096));
  if (is_universal(start) || is({"uff", "unv", "uf"})) return Format::uff;
  if (is({"json"}) || start.starts_with('{')) return Format::json;
  if (is({"toml"})) return Format::toml;
  if (is({"h5", "hdf5", "hdf"})) return Format::hdf5;
  return Format::table;
}

Tree tree_of(Format format, const std::string& bytes, const std::filesystem::path& path) {
  if (format == Format::mat) return read_mat(path);
  if (format == Format::hdf5) return read_hdf5(path);
  Json json = parse_json(bytes, path.string());
  if (json.is_array()) {  // a list of SEP005 dictionaries, or a bare list of numbers
    Json object;
    object["signals"] = std::move(json);
    json = std::move(object);
  }
  return {to_archive(json, path.string()), {}, {}};
}

constexpr std::size_t listed_entries = 500;

/// Lists the first of the entries and gives the number of all.
std::size_t list_tree(const Archive& group, const std::string& path, std::vector<ContentInfo>& list) {
  std::size_t count = 0;
  for (const auto& [name, value] : group.entries()) {
    const std::string full = path.empty() ? name : fmt::format("{}.{}", path, name);
    if (const auto* inner = std::get_if<Archive>(&value)) {
      count += list_tree(*inner, full, list);
      continue;
    }
    ++count;
    if (list.size() >= listed_entries) continue;
    if (const auto* array = std::get_if<NamedArray>(&value)) {
      std::vector<std::string> lengths;
      for (const std::size_t length : array->shape) lengths.push_back(std::to_string(length));
      list.push_back({full, join(lengths, " x ") + " numbers"});
    } else if (const auto* number = std::get_if<double>(&value)) {
      list.push_back({full, fmt::format("{}", *number)});
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      list.push_back({full, fmt::format("'{}'", text->substr(0, 60))});
    } else {
      const auto& texts = std::get<std::vector<std::string>>(value);
      list.push_back({full, fmt::format("{} texts", texts.size())});
    }
  }
  return count;
}

void describe_uff(const UffFile& file, FileInfo& info) {
  std::size_t function_index = 0;
  std::map<int, std::size_t> others;
  for (const UffSet& set : file.sets) {
    if (set.number != 58) {
      ++others[set.number];
      continue;
    }
    const UffFunction& f = file.functions.at(function_index++);
    info.data_sets.push_back(
        {set.binary ? "58b" : "58",
         fmt::format("{}{}{}, {} {} values{}", uff_function_name(f.type), f.id[0].empty() ? "" : " ", f.id[0],
                     f.values.size(), f.complex ? "complex" : "real",
                     f.ordinate.unit.empty() ? "" : fmt::format(" [{}]", f.ordinate.unit))});
  }
  for (const auto& [number, count] : others) {
    std::string summary(uff_set_name(number));
    int lines = 0;
    for (const UffSet& set : file.sets)
      if (set.number == number) lines += set.lines;
    if (number == 15) summary = fmt::format("{} nodes", lines);
    if (number == 2411) summary = fmt::format("{} nodes", lines / 2);
    if (number == 164)
      summary = fmt::format("units '{}': length factor {}, force factor {} (file value = SI value x factor)",
                            file.units.name, file.units.length, file.units.force);
    info.data_sets.push_back(
        {std::to_string(number), count > 1 ? fmt::format("{} ({} sets)", summary, count) : summary});
  }
  info.warnings.insert(info.warnings.end(), file.warnings.begin(), file.warnings.end());
}

void describe_table(const Table& table, FileInfo& info) {
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const auto& values = table.columns[column];
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    info.data_sets.push_back(
        {table.header.empty() ? fmt::format("column {}", column + 1) : table.header[column],
         fmt::format(
             "{} rows from {} to {}{}", values.size(), *low, *high,
             table.units.empty() || table.units[column].empty() ? "" : fmt::format(" [{}]", table.units[column]))});
  }
  if (table.header.empty()) info.warnings.emplace_back("no header row: columns have no names");
  if (table.units.empty()) info.warnings.emplace_back("no units are declared");
}

void describe_toml(const TomlTable& table, FileInfo& info) {
  for (const std::string& key : table.keys()) {
    if (table.is_table(key))
      info.data_sets.push_back({fmt::format("[{}]", key), join(table.table(key).keys(), ", ")});
    else
      info.data_sets.push_back({key, table.is_number(key) ? "a number" : table.is_text(key) ? "a text" : "a list"});
  }
}

std::string_view format_name(Format format, const std::string& bytes) {
  switch (format) {
    case Format::mat:
      return bytes.starts_with("MATLAB 7.3") ? "MAT 7.3" : "MAT 5";
    case Format::hdf5:
      return "HDF5";
    case Format::uff:
      return "universal file";
    case Format::lvm:
      return "LabVIEW measurement";
    case Format::wav:
      return "WAV";
    case Format::json:
      return "JSON";
    case Format::toml:
      return "TOML";
    case Format::matrix:
      return "matrix";
    case Format::table:
      return "table";
  }
  return "unknown";
}

/// Looking into a file goes on where its signals are not to be used; reading them does not.
template <class Find>
Found attempt(bool only_looking, const std::string& source, Find find) {
  try {
    return find();
  } catch (const InvalidInput& error) {
    if (!only_looking) throw;
    const std::string_view message = error.what(), prefix = source;
    return {{}, std::string(message.starts_with(prefix) ? trim(message.substr(prefix.size() + 1)) : message)};
  }
}

/// The records, or why there are none; `info`, where given, gets what else is in the file.
Found explore(const std::filesystem::path& path, const ReadOptions& options, FileInfo* info) {
  const std::string bytes = read_file(path);
  const std::string source = path.string();
  if (bytes.empty()) throw InvalidInput(fmt::format("{}: is empty", source));
  const Format format = format_of(bytes, path);
  if (info != nullptr) {
    info->format = format_name(format, bytes);
    info->size = bytes.size();
  }
  switch (format) {
    case Format::mat:
    case Format::hdf5:
    case Format::json: {
      const Tree tree = tree_of(format, bytes, path);
      if (info != nullptr) {
        info->warnings = tree.warnings;
        if (const std::size_t n = list_tree(tree.archive, "", info->data_sets); n > listed_entries)
          info->warnings.push_back(fmt::format("the first {} of {} entries are listed", listed_entries, n));
        for (const CoordinateMatrix& matrix : tree.sparse) info->matrices.push_back(matrix_summary(matrix, source));
      }
      Found found = attempt(info != nullptr, source, [&] { return records_from_tree(tree.archive, source, options); });
      for (Record& record : found.records)
        record.warnings.insert(record.warnings.begin(), tree.warnings.begin(), tree.warnings.end());
      if (found.records.empty() && !tree.warnings.empty()) found.reason += "; " + tree.warnings.front();
      return found;
    }
    case Format::uff: {
      const UffFile file = parse_uff(bytes, source);
      if (info != nullptr) describe_uff(file, *info);
      Found found = attempt(info != nullptr, source, [&] {
        return Found{records_from_uff(file, source, options), ""};
      });
      if (found.records.empty() && found.reason.empty()) {
        std::vector<std::string> kinds;
        for (const UffFunction& f : file.functions) {
          std::string kind(uff_function_name(f.type));
          if (f.values.empty()) kind += " without values";
          if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(std::move(kind));
        }
        found.reason = kinds.empty() ? "holds no data set 58" : "holds no time response, but: " + join(kinds, ", ");
      }
      return found;
    }
    case Format::lvm:
      return {parse_lvm(bytes, source, options), ""};
    case Format::wav:
      return {{parse_wav(bytes, source, options)}, ""};
    case Format::toml: {
      const TomlTable table = TomlTable::parse(bytes, path);
      if (info != nullptr) describe_toml(table, *info);
      return {{}, "is a TOML file, which holds no signals"};
    }
    case Format::matrix:
      if (info != nullptr) describe_matrices(path, *info);
      return {{}, "holds a matrix, not signals"};
    case Format::table:
      break;
  }
  const Table table = parse_csv(bytes, source);
  if (info != nullptr) describe_table(table, *info);
  return attempt(info != nullptr, source, [&] { return records_from_table(table, options); });
}

}  // namespace

std::vector<Record> read_records(const std::filesystem::path& path, const ReadOptions& options) {
  Found found = explore(path, options, nullptr);
  if (found.records.empty()) throw InvalidInput(fmt::format("{}: {}", path.string(), found.reason));
  return std::move(found.records);
}

FileInfo describe(const std::filesystem::path& path, const ReadOptions& options) {
  FileInfo info;
  info.path = path.string();
  Found found = explore(path, options, &info);
  info.records = std::move(found.records);
  const bool may_hold_signals = info.format != "matrix" && info.format != "TOML";
  if (info.records.empty() && may_hold_signals) info.warnings.push_back("no signals: " + found.reason);
  return info;
}

}  // namespace microslip::io
