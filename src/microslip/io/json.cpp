#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/json.hpp>

namespace microslip::io {

namespace {

constexpr int depth_limit = 64;           // far beyond any result; a hostile file must not exhaust the stack
constexpr std::size_t key_limit = 10000;  // likewise: an object compares each key with all before it
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

void put_number(std::string& text, double x) {
  if (!std::isfinite(x)) {
    text += "null";
    return;
  }
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, x).ptr;
  text.append(digits, end);
  // 3.0, not 3: a reader that tells integers from floats sees a float.
  if (std::find_if(digits, end, [](char c) { return c == '.' || c == 'e'; }) == end) text += ".0";
}

void put(std::string& text, const Json& value, int indent, int level) {
  const auto new_line = [&](int at) {
    if (indent > 0) text.append("\n").append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(at), ' ');
  };
  if (value.is_number_float()) {
    put_number(text, value.get<double>());
  } else if (value.is_object() && !value.empty()) {
    text += '{';
    bool first = true;
    for (const auto& [key, member] : value.items()) {
      if (!first) text += ',';
      first = false;
      new_line(level + 1);
      text += Json(key).dump(-1, ' ', false, Json::error_handler_t::replace);
      text += indent > 0 ? ": " : ":";
      put(text, member, indent, level + 1);
    }
    new_line(level);
    text += '}';
  } else if (value.is_array() && !value.empty()) {
    const bool broken = std::any_of(value.begin(), value.end(), [](const Json& v) { return v.is_structured(); });
    text += '[';
    bool first = true;
    for (const Json& member : value) {
      if (!first) text += indent > 0 && !broken ? ", " : ",";
      first = false;
      if (broken) new_line(level + 1);
      put(text, member, indent, level + 1);
    }
    if (broken) new_line(level);
    text += ']';
  } else {
    text += value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

/// null and a number are numbers; everything else is not.
std::optional<double> as_number(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_null()) return missing;
  return std::nullopt;
}

void flag_not_finite(Json& object, const std::string& key) {
  Json& flags = object["not_finite"];
  if (std::find(flags.begin(), flags.end(), key) == flags.end()) flags.push_back(key);
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

Json array_to_json(const NamedArray& array, std::size_t dimension, std::size_t& at) {
  Json list = Json::array();
  for (std::size_t i = 0; i < array.shape[dimension]; ++i) {
    if (dimension + 1 < array.shape.size())
      list.push_back(array_to_json(array, dimension + 1, at));
    else
      list.push_back(array.data.at(at++));
  }
  return list;
}

/// The shape that a list has if it is rectangular: the lengths met on the way to its first number.
std::vector<std::size_t> shape_of(const Json& list) {
  std::vector<std::size_t> shape;
  for (const Json* at = &list; at->is_array(); at = &at->front()) {
    shape.push_back(at->size());
    if (at->empty()) break;
  }
  return shape;
}

/// Adds a list's numbers. False where it has not the array's shape.
bool append(const Json& list, std::size_t dimension, NamedArray& array) {
  if (array.shape[dimension] != list.size()) return false;
  const bool innermost = dimension + 1 == array.shape.size();
  for (const Json& item : list) {
    const auto number = as_number(item);
    if (innermost ? !number : !item.is_array()) return false;
    if (innermost)
      array.data.push_back(*number);
    else if (!append(item, dimension + 1, array))
      return false;
  }
  return true;
}

Archive::Value value_from(const Json& value, const std::string& source, const std::string& path) {
  if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
  if (const auto number = as_number(value)) return *number;
  if (value.is_string()) return value.get<std::string>();
  if (value.is_object()) {
    Archive group;
    for (const auto& [key, member] : value.items())
      group.set(key, value_from(member, source, fmt::format("{}.{}", path, key)));
    return group;
  }
  if (!value.empty() && std::all_of(value.begin(), value.end(), [](const Json& v) { return v.is_string(); }))
    return value.get<std::vector<std::string>>();
  if (!value.empty() && std::all_of(value.begin(), value.end(), [](const Json& v) { return v.is_object(); })) {
    Archive group;
    for (std::size_t i = 0; i < value.size(); ++i)
      group.set(std::to_string(i), value_from(value[i], source, fmt::format("{}[{}]", path, i)));
    return group;
  }
  NamedArray array{.shape = shape_of(value), .data = {}};
  if (!append(value, 0, array))
    throw InvalidInput(fmt::format("{}: {}: a list of numbers, texts or objects is expected, rows equally long", source,
                                   path.empty() ? "the top" : path.substr(1)));
  return array;
}

bool is_list(const Archive& group) {
  const auto& entries = group.entries();
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i].first != std::to_string(i) || !std::holds_alternative<Archive>(entries[i].second)) return false;
  return !entries.empty();
}

}  // namespace

Json parse_json(std::string_view text, const std::string& source) {
  const auto position = [&](std::size_t byte) {
    const std::string_view before = text.substr(0, std::min(byte == 0 ? 0 : byte - 1, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n');
    return fmt::format("{}:{}", line, before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1);
  };
  try {
    std::array<std::size_t, depth_limit + 1> n_keys{};  // of the object that is open at each depth
    return Json::parse(text.begin(), text.end(), [&](int depth, Json::parse_event_t event, Json&) {
      if (depth > depth_limit)
        throw InvalidInput(fmt::format("{}: lists or objects are nested deeper than {}", source, depth_limit));
      const auto level = static_cast<std::size_t>(depth);
      if (event == Json::parse_event_t::object_start && depth < depth_limit) n_keys[level + 1] = 0;
      if (event == Json::parse_event_t::key && ++n_keys[level] > key_limit)
        throw InvalidInput(fmt::format("{}: an object has more than {} keys", source, key_limit));
      return true;
    });
  } catch (const nlohmann::json::parse_error& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ..." -> what follows the place
    std::string what = error.what();
    const std::size_t detail = what.find(": ");
    if (detail != std::string::npos) what = what.substr(detail + 2);
    throw InvalidInput(fmt::format("{}:{}: not JSON: {}", source, position(error.byte), what));
  } catch (const nlohmann::json::exception& error) {
    throw InvalidInput(fmt::format("{}: not JSON: {}", source, error.what()));
  }
}

Json read_json(const std::filesystem::path& path) { return parse_json(read_file(path), path.string()); }

std::string to_text(const Json& value, int indent) {
  std::string text;
  put(text, value, indent, 0);
  return text;
}

void set_numbers(Json& object, const std::string& key, std::span<const double> values) {
  object[key] = values;
  if (!all_finite(values)) flag_not_finite(object, key);
}

void set_number(Json& object, const std::string& key, double value) {
  object[key] = value;
  if (!std::isfinite(value)) flag_not_finite(object, key);
}

void set_rows(Json& object, const std::string& key, std::span<const std::vector<double>> rows) {
  object[key] = Json::array();
  for (const auto& row : rows) object[key].push_back(row);
  if (!std::all_of(rows.begin(), rows.end(), [](const auto& row) { return all_finite(row); }))
    flag_not_finite(object, key);
}

Json to_json(const Archive& archive) {
  const bool list = is_list(archive);
  Json result = list ? Json::array() : Json::object();
  for (const auto& [name, value] : archive.entries()) {
    Json member;
    if (const auto* number = std::get_if<double>(&value)) {
      member = *number;
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      member = *text;
    } else if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
      member = *texts;
    } else if (const auto* array = std::get_if<NamedArray>(&value)) {
      std::size_t at = 0;
      member = array->shape.empty() ? Json(array->data.at(0)) : array_to_json(*array, 0, at);
    } else {
      member = to_json(std::get<Archive>(value));
    }
    if (list)
      result.push_back(std::move(member));
    else
      result[name] = std::move(member);
  }
  return result;
}

Archive to_archive(const Json& object, const std::string& source) {
  if (!object.is_object()) throw InvalidInput(fmt::format("{}: a JSON object is expected", source));
  return std::get<Archive>(value_from(object, source, ""));
}

std::string JsonReader::where(const std::string& key) const { return source_ + ": " + path(key); }

const Json& JsonReader::at(const std::string& key) const {
  if (!value_->is_object())
    throw InvalidInput(fmt::format("{}: {}an object is expected", source_, path_.empty() ? "" : path_ + ": "));
  const auto found = value_->find(key);
  if (found != value_->end()) return *found;
  const std::vector<std::string> known = keys();
  const auto close = nearest(key, known);
  throw InvalidInput(
      fmt::format("{}: is missing{}", where(key), close ? fmt::format(" (the file has '{}')", *close) : ""));
}

bool JsonReader::contains(const std::string& key) const { return value_->is_object() && value_->contains(key); }

double JsonReader::number(const std::string& key) const {
  const Json& value = at(key);
  if (const auto number = as_number(value)) return *number;
  throw InvalidInput(fmt::format("{}: a number is expected, got {}", where(key), value.type_name()));
}

double JsonReader::number(const std::string& key, double fallback) const {
  return contains(key) ? number(key) : fallback;
}

bool JsonReader::flag(const std::string& key, bool fallback) const {
  if (!contains(key)) return fallback;
  const Json& value = at(key);
  if (value.is_boolean()) return value.get<bool>();
  throw InvalidInput(fmt::format("{}: true or false is expected, got {}", where(key), value.type_name()));
}

std::string JsonReader::text(const std::string& key) const {
  const Json& value = at(key);
  if (value.is_string()) return value.get<std::string>();
  throw InvalidInput(fmt::format("{}: a text is expected, got {}", where(key), value.type_name()));
}

std::string JsonReader::text(const std::string& key, const std::string& fallback) const {
  return contains(key) ? text(key) : fallback;
}

namespace {

std::vector<double> numbers_of(const Json& list, const std::string& path) {
  if (!list.is_array())
    throw InvalidInput(fmt::format("{}: a list of numbers is expected, got {}", path, list.type_name()));
  std::vector<double> values;
  values.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto number = as_number(list[i]);
    if (!number) throw InvalidInput(fmt::format("{}[{}]: a number is expected, got {}", path, i, list[i].type_name()));
    values.push_back(*number);
  }
  return values;
}

}  // namespace

std::vector<double> JsonReader::numbers(const std::string& key) const { return numbers_of(at(key), where(key)); }

std::vector<std::vector<double>> JsonReader::rows(const std::string& key) const {
  const Json& list = at(key);
  if (!list.is_array())
    throw InvalidInput(fmt::format("{}: a list of rows of numbers is expected, got {}", where(key), list.type_name()));
  std::vector<std::vector<double>> result;
  for (std::size_t i = 0; i < list.size(); ++i)
    result.push_back(numbers_of(list[i], fmt::format("{}[{}]", where(key), i)));
  return result;
}

std::vector<bool> JsonReader::flags(const std::string& key) const {
  const Json& list = at(key);
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), [](const Json& v) { return v.is_boolean(); }))
    throw InvalidInput(fmt::format("{}: a list of true and false is expected", where(key)));
  return list.get<std::vector<bool>>();
}

std::vector<std::string> JsonReader::texts(const std::string& key) const {
  const Json& list = at(key);
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), [](const Json& v) { return v.is_string(); }))
    throw InvalidInput(fmt::format("{}: a list of texts is expected", where(key)));
  return list.get<std::vector<std::string>>();
}

JsonReader JsonReader::object(const std::string& key) const {
  const Json& value = at(key);
  if (!value.is_object())
    throw InvalidInput(fmt::format("{}: an object is expected, got {}", where(key), value.type_name()));
  return {value, source_, path(key)};
}

std::vector<JsonReader> JsonReader::objects(const std::string& key) const {
  const Json& list = at(key);
  if (!list.is_array())
    throw InvalidInput(fmt::format("{}: a list of objects is expected, got {}", where(key), list.type_name()));
  std::vector<JsonReader> result;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_object())
      throw InvalidInput(fmt::format("{}[{}]: an object is expected, got {}", where(key), i, list[i].type_name()));
    result.emplace_back(list[i], source_, fmt::format("{}[{}]", path(key), i));
  }
  return result;
}

std::vector<std::string> JsonReader::keys() const {
  std::vector<std::string> result;
  if (value_->is_object())
    for (const auto& [key, value] : value_->items()) result.push_back(key);
  return result;
}

}  // namespace microslip::io
