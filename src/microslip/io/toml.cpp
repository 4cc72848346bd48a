#include <algorithm>
#include <utility>
#include <variant>

#include <toml++/toml.h>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/toml.hpp>

namespace microslip::io {

/// A value of the file with its place; tables keep the file's order.
struct TomlValue {
  using Pointer = std::shared_ptr<const TomlValue>;
  using List = std::vector<Pointer>;
  using Members = std::vector<std::pair<std::string, Pointer>>;

  std::uint32_t line = 0, column = 0;
  std::variant<bool, std::int64_t, double, std::string, List, Members> held;
};

namespace {

TomlValue::Pointer copy(const toml::node& node, const std::filesystem::path& source) {
  auto value = std::make_shared<TomlValue>();
  value->line = node.source().begin.line;
  value->column = node.source().begin.column;
  if (const auto* flag = node.as_boolean()) {
    value->held = flag->get();
  } else if (const auto* integer = node.as_integer()) {
    value->held = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    value->held = number->get();
  } else if (const auto* text = node.as_string()) {
    value->held = text->get();
  } else if (const auto* array = node.as_array()) {
    TomlValue::List list;
    for (const toml::node& item : *array) list.push_back(copy(item, source));
    value->held = std::move(list);
  } else if (const auto* table = node.as_table()) {
    TomlValue::Members members;
    for (const auto& [key, item] : *table) {
      auto member = copy(item, source);
      members.emplace_back(std::string(key.str()), std::move(member));
    }
    const auto place = [](const auto& member) { return std::pair(member.second->line, member.second->column); };
    std::stable_sort(members.begin(), members.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    value->held = std::move(members);
  } else {
    throw InvalidInput(fmt::format("{}:{}: dates and times are not used here", source.string(), value->line));
  }
  return value;
}

std::string_view kind(const TomlValue& value) {
  constexpr std::array<std::string_view, 6> names{"true/false", "a number", "a number", "a text", "a list", "a table"};
  return names.at(value.held.index());
}

std::optional<double> as_number(const TomlValue& value) {
  if (const auto* number = std::get_if<double>(&value.held)) return *number;
  if (const auto* integer = std::get_if<std::int64_t>(&value.held)) return static_cast<double>(*integer);
  return std::nullopt;
}

std::vector<double> numbers_of(const TomlValue& value, const std::string& where) {
  const auto* list = std::get_if<TomlValue::List>(&value.held);
  if (list == nullptr) throw InvalidInput(fmt::format("{}: a list of numbers is expected, got {}", where, kind(value)));
  std::vector<double> result;
  for (const auto& item : *list) {
    const auto number = as_number(*item);
    if (!number)
      throw InvalidInput(
          fmt::format("{}: entry {}: a number is expected, got {}", where, result.size() + 1, kind(*item)));
    result.push_back(*number);
  }
  return result;
}

}  // namespace

TomlTable::TomlTable(std::shared_ptr<const TomlValue> value, std::filesystem::path source, std::string path)
    : value_(std::move(value)), source_(std::move(source)), path_(std::move(path)) {}

TomlTable TomlTable::read(const std::filesystem::path& path) { return parse(read_file(path), path); }

TomlTable TomlTable::parse(std::string_view text, const std::filesystem::path& source) {
  try {
    const toml::table table = toml::parse(text, source.string());
    return {copy(table, source), source, ""};
  } catch (const toml::parse_error& error) {
    throw InvalidInput(fmt::format("{}:{}:{}: not TOML: {}", source.string(), error.source().begin.line,
                                   error.source().begin.column, error.description()));
  }
}

std::string TomlTable::where(const std::string& key) const {
  const auto value = key.empty() ? nullptr : find(key);
  const std::uint32_t line = value ? value->line : value_->line;
  const std::string dotted = path_.empty() || key.empty() ? path_ + key : path_ + "." + key;
  return fmt::format("{}:{}{}{}", source_.string(), std::max(line, 1U), dotted.empty() ? "" : ": ", dotted);
}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::string> result;
  for (const auto& [key, value] : std::get<TomlValue::Members>(value_->held)) result.push_back(key);
  return result;
}

void TomlTable::only(std::span<const std::string> known) const {
  for (const auto& [key, value] : std::get<TomlValue::Members>(value_->held))
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw InvalidInput(fmt::format("{}: unknown key{}", where(key), suggestion(key, known)));
}

std::shared_ptr<const TomlValue> TomlTable::find(const std::string& key) const {
  for (const auto& [name, value] : std::get<TomlValue::Members>(value_->held))
    if (name == key) return value;
  return nullptr;
}

std::shared_ptr<const TomlValue> TomlTable::at(const std::string& key, std::string_view expected) const {
  if (auto value = find(key)) return value;
  throw InvalidInput(fmt::format("{}: is missing, {} is expected", where(key), expected));
}

double TomlTable::number(const std::string& key) const {
  const auto value = at(key, "a number");
  if (const auto number = as_number(*value)) return *number;
  throw InvalidInput(fmt::format("{}: a number is expected, got {}", where(key), kind(*value)));
}

double TomlTable::number(const std::string& key, double fallback) const {
  return contains(key) ? number(key) : fallback;
}

std::int64_t TomlTable::integer(const std::string& key) const {
  const auto value = at(key, "a whole number");
  if (const auto* integer = std::get_if<std::int64_t>(&value->held)) return *integer;
  throw InvalidInput(fmt::format("{}: a whole number is expected, got {}", where(key),
                                 value->held.index() == 2 ? "a fraction" : kind(*value)));
}

std::int64_t TomlTable::integer(const std::string& key, std::int64_t fallback) const {
  return contains(key) ? integer(key) : fallback;
}

bool TomlTable::flag(const std::string& key, bool fallback) const {
  const auto value = find(key);
  if (!value) return fallback;
  if (const bool* flag = std::get_if<bool>(&value->held)) return *flag;
  throw InvalidInput(fmt::format("{}: true or false is expected, got {}", where(key), kind(*value)));
}

std::string TomlTable::text(const std::string& key) const {
  const auto value = at(key, "a text");
  if (const auto* text = std::get_if<std::string>(&value->held)) return *text;
  throw InvalidInput(fmt::format("{}: a text is expected, got {}", where(key), kind(*value)));
}

std::string TomlTable::text(const std::string& key, const std::string& fallback) const {
  return contains(key) ? text(key) : fallback;
}

std::vector<double> TomlTable::numbers(const std::string& key) const {
  return numbers_of(*at(key, "a list of numbers"), where(key));
}

std::vector<std::vector<double>> TomlTable::rows(const std::string& key) const {
  const auto value = at(key, "a list of rows");
  const auto* list = std::get_if<TomlValue::List>(&value->held);
  if (list == nullptr)
    throw InvalidInput(fmt::format("{}: a list of rows of numbers is expected, got {}", where(key), kind(*value)));
  std::vector<std::vector<double>> result;
  for (const auto& row : *list) {
    result.push_back(numbers_of(*row, fmt::format("{}: row {}", where(key), result.size() + 1)));
    if (result.back().size() != result.front().size())
      throw InvalidInput(fmt::format("{}: row {}: {} numbers, but the first row has {}", where(key), result.size(),
                                     result.back().size(), result.front().size()));
  }
  return result;
}

std::vector<std::string> TomlTable::texts(const std::string& key) const {
  const auto value = at(key, "a list of texts");
  const auto* list = std::get_if<TomlValue::List>(&value->held);
  if (list == nullptr)
    throw InvalidInput(fmt::format("{}: a list of texts is expected, got {}", where(key), kind(*value)));
  std::vector<std::string> result;
  for (const auto& item : *list) {
    const auto* text = std::get_if<std::string>(&item->held);
    if (text == nullptr)
      throw InvalidInput(
          fmt::format("{}: entry {}: a text is expected, got {}", where(key), result.size() + 1, kind(*item)));
    result.push_back(*text);
  }
  return result;
}

std::filesystem::path TomlTable::file(const std::string& key) const { return source_.parent_path() / text(key); }

TomlTable TomlTable::table(const std::string& key) const {
  if (auto found = find_table(key)) return *std::move(found);
  throw InvalidInput(
      fmt::format("{}: is missing, a table [{}] is expected", where(key), path_.empty() ? key : path_ + "." + key));
}

std::optional<TomlTable> TomlTable::find_table(const std::string& key) const {
  auto value = find(key);
  if (!value) return std::nullopt;
  if (!std::holds_alternative<TomlValue::Members>(value->held))
    throw InvalidInput(fmt::format("{}: a table is expected, got {}", where(key), kind(*value)));
  return TomlTable(std::move(value), source_, path_.empty() ? key : path_ + "." + key);
}

std::vector<TomlTable> TomlTable::tables(const std::string& key) const {
  const auto value = find(key);
  std::vector<TomlTable> result;
  if (!value) return result;
  const auto* list = std::get_if<TomlValue::List>(&value->held);
  if (list == nullptr)
    throw InvalidInput(fmt::format("{}: rows [[{}]] are expected, got {}", where(key), key, kind(*value)));
  for (const auto& item : *list) {
    const std::string path = fmt::format("{}{}{}[{}]", path_, path_.empty() ? "" : ".", key, result.size() + 1);
    if (!std::holds_alternative<TomlValue::Members>(item->held))
      throw InvalidInput(fmt::format("{}: rows [[{}]] are expected, got {}", where(key), key, kind(*item)));
    result.push_back(TomlTable(item, source_, path));
  }
  return result;
}

bool TomlTable::is_text(const std::string& key) const {
  const auto value = find(key);
  return value && std::holds_alternative<std::string>(value->held);
}

bool TomlTable::is_number(const std::string& key) const {
  const auto value = find(key);
  return value && as_number(*value).has_value();
}

bool TomlTable::is_table(const std::string& key) const {
  const auto value = find(key);
  return value && std::holds_alternative<TomlValue::Members>(value->held);
}

}  // namespace microslip::io
