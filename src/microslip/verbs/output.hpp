#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <microslip/io/json.hpp>
#include <microslip/report/page.hpp>

namespace microslip::verbs {

/// What a verb gives back, each form made only when it is asked for. The command prints one of them, the server sends
/// the JSON.
struct Output {
  std::function<std::string()> text;   ///< for people at a terminal
  std::function<std::string()> json;   ///< one JSON value
  std::function<std::string()> csv;    ///< a table, where the result is one
  std::function<Archive()> archive;    ///< for HDF5, where the result is large
  std::function<report::Page()> page;  ///< the report, where the verb draws one
  std::vector<std::string> notes;      ///< words for standard error
};

/// An object that begins as every result does: which verb of which version made it.
io::Json begin_result(std::string_view verb);

}  // namespace microslip::verbs
