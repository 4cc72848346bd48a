#include <fstream>
#include <set>

#include <fmt/format.h>

#include <microslip/core/check.hpp>
#include <microslip/report/assets.hpp>
#include <microslip/report/page.hpp>
#include <microslip/report/page_json.hpp>

namespace microslip::report {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void check_ids(const Page& page) {
  std::set<std::string> seen;
  for (const Section& section : page.sections)
    for (const Figure& figure : section.figures)
      if (!seen.insert(figure.id).second) throw InvalidInput(fmt::format("two figures have the id '{}'", figure.id));
  for (const Section& section : page.sections)
    for (const Table& table : section.tables)
      for (const auto& row : table.rows)
        if (row.size() != table.columns.size())
          throw InvalidInput(fmt::format("table '{}': a row holds {} cells, expected {}", table.title, row.size(),
                                         table.columns.size()));
}

}  // namespace

std::string render(const Page& page) {
  check_ids(page);
  std::string html;
  html += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  // Nothing may be loaded from anywhere: the browser itself holds the page to that.
  html +=
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
      "style-src 'unsafe-inline'; img-src data: blob:\">\n";
  html += "<link rel=\"icon\" href=\"data:,\">\n";
  html += fmt::format("<title>{}</title>\n<style>", escaped(page.title));
  html += report_style;
  html += "</style>\n</head>\n<body>\n<noscript>This report draws its figures with a script that it carries along; ";
  html += "allow scripts for this file to see it.</noscript>\n<div id=\"page\"></div>\n";
  html += "<script type=\"application/json\" id=\"data\">";
  html += page_json(page);
  html += "</script>\n<script>";
  html += plotly_script;
  html += "</script>\n<script>";
  html += report_script;
  html += "</script>\n</body>\n</html>\n";
  return html;
}

std::vector<std::filesystem::path> write_svgs(const Page& page, const std::filesystem::path& folder) {
  check_ids(page);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InvalidInput(fmt::format("{}: cannot make this folder: {}", folder.string(), error.message()));
  std::vector<std::filesystem::path> paths;
  for (const Section& section : page.sections)
    for (const Figure& figure : section.figures) {
      const std::string svg = figure_svg(figure);
      const std::filesystem::path path = folder / (figure.id + ".svg"), beside = folder / (figure.id + ".svg.part");
      std::ofstream file(beside, std::ios::binary);
      file << svg;
      file.close();
      if (file) std::filesystem::rename(beside, path, error);
      if (!file || error) {
        std::filesystem::remove(beside, error);
        throw InvalidInput(fmt::format("{}: cannot be written", path.string()));
      }
      paths.push_back(path);
    }
  return paths;
}

}  // namespace microslip::report
