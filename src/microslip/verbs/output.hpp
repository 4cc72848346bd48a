#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
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
  std::function<std::string()> text;               ///< for people at a terminal
  std::function<std::string()> json;               ///< one JSON value
  std::function<std::string()> csv;                ///< a table, where the result is one
  std::function<Archive()> archive;                ///< for HDF5, where the result is large
  std::function<report::Page()> page;              ///< the report, where the verb draws one
  std::vector<std::string> notes;                  ///< words for standard error
  std::vector<std::filesystem::path> inputs = {};  ///< the files that it was made from
};

/// For results that have nothing to say on standard error.
inline constexpr auto no_notes = [](const auto& /*result*/) { return std::vector<std::string>(); };

/// The usual forms of a result, which lives as long as they do; each is made from it by a function.
template <class Result, class Text, class Json, class Csv, class Page, class Notes>
Output output_of(Result made, Text text, Json json, Csv csv, Page page, Notes notes) {
  const auto result = std::make_shared<const Result>(std::move(made));
  return {.text = [=] { return text(*result); },
          .json = [=] { return json(*result); },
          .csv = [=] { return csv(*result); },
          .archive = {},
          .page = [=] { return page(*result); },
          .notes = std::invoke(notes, *result)};
}

/// An object that begins as every result does: which verb of which version made it.
io::Json begin_result(std::string_view verb);

/// Which bytes a result was made from. A pipe cannot be read again: it has a name and no hash.
report::Input input_of(const std::filesystem::path& path);

/// The report with how it was made: what was called, how long it took, and the inputs. Throws InvalidInput where the
/// verb draws none.
report::Page finished_page(const Output& output, const std::string& command, double seconds);

/// Throws InvalidInput where a folder cannot be made or written into, without making it.
void check_folder(const std::filesystem::path& folder);

/// Writes every figure as <folder>/<id>.svg, making the folder where it is missing. Returns the paths.
std::vector<std::filesystem::path> write_svgs(const report::Page& page, const std::filesystem::path& folder);

}  // namespace microslip::verbs
