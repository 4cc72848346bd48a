#include <set>

#include <fmt/format.h>

#include <microslip/core/check.hpp>
#include <microslip/report/assets.hpp>
#include <microslip/report/escape.hpp>
#include <microslip/report/page.hpp>
#include <microslip/report/page_json.hpp>

namespace microslip::report {

namespace {

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

std::vector<FigureFile> figure_files(const Page& page) {
  check_ids(page);
  std::vector<FigureFile> files;
  for (const Section& section : page.sections)
    for (const Figure& figure : section.figures) files.push_back({figure.id + ".svg", figure_svg(figure)});
  return files;
}

}  // namespace microslip::report
