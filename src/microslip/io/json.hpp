#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <microslip/core/archive.hpp>

namespace microslip::io {

/// Keys keep the order in which they were set. Include <nlohmann/json.hpp> where values are built, not in headers.
using Json = nlohmann::ordered_json;

/// Reads one JSON value; refused with file, line and column where it is not JSON.
Json read_json(const std::filesystem::path& path);
Json parse_json(std::string_view text, const std::string& source);

/// The text of a value: numbers in the shortest form that reads back to the same bits, NaN and infinity as null,
/// bytes that are not UTF-8 replaced. `indent` 0 gives one line; otherwise objects are indented and arrays of
/// numbers stay on a line.
std::string to_text(const Json& value, int indent = 2);

/// object[key] = values. NaN and infinity become null, and then the key is listed in object["not_finite"]: a null
/// is never without a flag.
void set_numbers(Json& object, const std::string& key, std::span<const double> values);
void set_number(Json& object, const std::string& key, double value);
/// object[key] = rows of numbers.
void set_rows(Json& object, const std::string& key, std::span<const std::vector<double>> rows);

/// Groups become objects, arrays nested lists. A group whose entries are groups named 0, 1, 2 … is a list.
Json to_json(const Archive& archive);
/// The way back: null is NaN, true is 1, a list of objects a group with entries 0, 1, 2 …
Archive to_archive(const Json& object, const std::string& source);

/// Typed access to an object, whose messages name the file and the path of the key: `ringdown.json: modes[0].time`.
class JsonReader {
 public:
  /// Looks into `value`, which must outlive it. `path` is where that lies in the file, empty at the top.
  JsonReader(const Json& value, std::string source, std::string path = "")
      : value_(&value), source_(std::move(source)), path_(std::move(path)) {}

  [[nodiscard]] bool contains(const std::string& key) const;
  [[nodiscard]] double number(const std::string& key) const;
  [[nodiscard]] double number(const std::string& key, double fallback) const;
  [[nodiscard]] bool flag(const std::string& key, bool fallback) const;
  [[nodiscard]] std::string text(const std::string& key) const;
  [[nodiscard]] std::string text(const std::string& key, const std::string& fallback) const;
  [[nodiscard]] std::vector<bool> flags(const std::string& key) const;
  /// A list of numbers; null is NaN.
  [[nodiscard]] std::vector<double> numbers(const std::string& key) const;
  [[nodiscard]] std::vector<std::vector<double>> rows(const std::string& key) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& key) const;
  [[nodiscard]] JsonReader object(const std::string& key) const;
  /// The objects of a list.
  [[nodiscard]] std::vector<JsonReader> objects(const std::string& key) const;
  [[nodiscard]] std::vector<std::string> keys() const;
  /// "file: path.key": the start of a message about a key, for checks made elsewhere.
  [[nodiscard]] std::string where(const std::string& key) const;

 private:
  [[nodiscard]] const Json& at(const std::string& key) const;
  [[nodiscard]] std::string path(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  const Json* value_;
  std::string source_, path_;
};

}  // namespace microslip::io
