#pragma once

#include <string>
#include <utility>

#include <microslip/core/check.hpp>
#include <microslip/io/toml.hpp>

namespace microslip::verbs {

/// What `make` gives; its complaints begin with the place of the key in the file.
template <class Make>
decltype(auto) at_place(const io::TomlTable& table, const std::string& key, Make&& make) {
  try {
    return std::forward<Make>(make)();
  } catch (const InvalidInput& error) {
    const std::string said = error.what(), file = table.source().string() + ":";
    if (said.compare(0, file.size(), file) == 0) throw;  // it knows a better place in the same file
    throw InvalidInput(fmt::format("{}: {}", table.where(key), error.what()));
  }
}

/// The same with the place of the table.
template <class Make>
decltype(auto) at_place(const io::TomlTable& table, Make&& make) {
  return at_place(table, "", std::forward<Make>(make));
}

}  // namespace microslip::verbs
