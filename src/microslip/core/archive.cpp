#include <microslip/core/archive.hpp>
#include <microslip/core/check.hpp>

namespace microslip {

namespace {

template <class T>
const T& get(const Archive::Value* value, const std::string& name, std::string_view kind) {
  if (value == nullptr) throw InvalidInput(fmt::format("entry '{}' is missing", name));
  if (const T* typed = std::get_if<T>(value)) return *typed;
  throw InvalidInput(fmt::format("entry '{}' is not {}", name, kind));
}

}  // namespace

void Archive::set(std::string name, Value value) {
  if (!places_.try_emplace(name, entries_.size()).second)
    throw InvalidInput(fmt::format("entry '{}' is given twice", name));
  entries_.emplace_back(std::move(name), std::move(value));
}

void Archive::set(std::string name, std::vector<double> values) {
  const std::size_t n = values.size();
  set(std::move(name), Value(NamedArray{.shape = {n}, .data = std::move(values)}));
}

const Archive::Value* Archive::find(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &entries_[found->second].second;
}

double Archive::number(const std::string& name) const { return get<double>(find(name), name, "a number"); }
const std::string& Archive::text(const std::string& name) const { return get<std::string>(find(name), name, "a text"); }
const std::vector<std::string>& Archive::texts(const std::string& name) const {
  return get<std::vector<std::string>>(find(name), name, "a list of texts");
}
const NamedArray& Archive::array(const std::string& name) const {
  return get<NamedArray>(find(name), name, "an array");
}
const Archive& Archive::group(const std::string& name) const { return get<Archive>(find(name), name, "a group"); }

}  // namespace microslip
