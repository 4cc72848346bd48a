#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace microslip::io {

struct TomlValue;

/// Typed access to a table of a TOML file. Every message names file, line and key: `beam.toml:7: beam.length: …`.
/// Call `only` first: a misspelt key is then refused with the nearest known one instead of being overlooked.
class TomlTable {
 public:
  static TomlTable read(const std::filesystem::path& path);
  /// `source` names the text in messages, and its folder is where relative paths start.
  static TomlTable parse(std::string_view text, const std::filesystem::path& source);

  void only(std::span<const std::string> known) const;
  void only(std::initializer_list<std::string> known) const { only({known.begin(), known.size()}); }

  [[nodiscard]] bool contains(const std::string& key) const { return find(key) != nullptr; }
  [[nodiscard]] std::vector<std::string> keys() const;  ///< in the order of the file

  // With a fallback, the key may be absent; of another kind it is refused in any case.
  [[nodiscard]] double number(const std::string& key) const;
  [[nodiscard]] double number(const std::string& key, double fallback) const;
  [[nodiscard]] std::int64_t integer(const std::string& key) const;
  [[nodiscard]] std::int64_t integer(const std::string& key, std::int64_t fallback) const;
  [[nodiscard]] bool flag(const std::string& key, bool fallback) const;
  [[nodiscard]] std::string text(const std::string& key) const;
  [[nodiscard]] std::string text(const std::string& key, const std::string& fallback) const;
  [[nodiscard]] std::vector<double> numbers(const std::string& key) const;
  [[nodiscard]] std::vector<std::vector<double>> rows(const std::string& key) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& key) const;
  /// A text that names a file, relative to the TOML file's folder.
  [[nodiscard]] std::filesystem::path file(const std::string& key) const;

  [[nodiscard]] TomlTable table(const std::string& key) const;
  [[nodiscard]] std::optional<TomlTable> find_table(const std::string& key) const;
  /// The rows of [[key]]; none where it is absent.
  [[nodiscard]] std::vector<TomlTable> tables(const std::string& key) const;

  [[nodiscard]] bool is_text(const std::string& key) const;
  [[nodiscard]] bool is_number(const std::string& key) const;
  [[nodiscard]] bool is_table(const std::string& key) const;

  /// "beam.toml:7: beam.length": the start of a message about a key, for checks made elsewhere. An absent or empty
  /// key gives the table's own place.
  [[nodiscard]] std::string where(const std::string& key = "") const;
  [[nodiscard]] const std::filesystem::path& source() const { return source_; }

 private:
  TomlTable(std::shared_ptr<const TomlValue> value, std::filesystem::path source, std::string path);
  [[nodiscard]] std::shared_ptr<const TomlValue> find(const std::string& key) const;
  [[nodiscard]] std::shared_ptr<const TomlValue> at(const std::string& key, std::string_view expected) const;

  std::shared_ptr<const TomlValue> value_;
  std::filesystem::path source_;
  std::string path_;  ///< dotted, empty at the top
};

}  // namespace microslip::io
