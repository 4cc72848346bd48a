#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace microslip {

/// An array of numbers with any number of dimensions, row-major.
struct NamedArray {
  std::vector<std::size_t> shape;
  std::vector<double> data;
};

/// A tree of named arrays, numbers and texts in the order in which they were added: the one form in which results
/// and models travel to and from HDF5, JSON and Python.
class Archive {
 public:
  using Value = std::variant<double, std::string, std::vector<std::string>, NamedArray, Archive>;

  /// Adds an entry. A name is used once.
  void set(std::string name, Value value);
  void set(std::string name, std::vector<double> values);
  [[nodiscard]] bool contains(const std::string& name) const { return find(name) != nullptr; }

  // Each throws InvalidInput naming the entry where it is missing or of another kind.
  [[nodiscard]] double number(const std::string& name) const;
  [[nodiscard]] const std::string& text(const std::string& name) const;
  [[nodiscard]] const std::vector<std::string>& texts(const std::string& name) const;
  [[nodiscard]] const NamedArray& array(const std::string& name) const;
  [[nodiscard]] const Archive& group(const std::string& name) const;

  [[nodiscard]] const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }

 private:
  [[nodiscard]] const Value* find(const std::string& name) const;

  std::vector<std::pair<std::string, Value>> entries_;
  std::unordered_map<std::string, std::size_t> places_;  ///< of the names among the entries
};

}  // namespace microslip
