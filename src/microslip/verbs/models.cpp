#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/io/csv.hpp>
#include <microslip/joints/any_law.hpp>
#include <microslip/verbs/models.hpp>

namespace microslip::verbs {

namespace {

io::Json to_json(const ParameterInfo& p) {
  const auto bound = [](double x) { return std::isinf(x) ? io::Json(nullptr) : io::Json(x); };
  return {{"name", p.name},
          {"symbol", p.symbol},
          {"unit", p.unit},
          {"lower", bound(p.range.lower)},
          {"upper", bound(p.range.upper)},
          {"lower_open", p.range.lower_open},
          {"upper_open", p.range.upper_open},
          {"default", p.start},
          {"required", p.required},
          {"meaning", p.meaning}};
}

std::string models_json() {
  io::Json table = io::Json::array();
  for (const LawInfo& law : law_table()) {
    io::Json entry{{"name", law.name}, {"title", law.title}, {"masing", law.masing}};
    entry["parameters"] = io::Json::array();
    for (const ParameterInfo& p : law.parameters) entry["parameters"].push_back(to_json(p));
    if (!law.alternatives.empty()) {
      entry["alternatives"] = io::Json::array();
      for (const ParameterInfo& p : law.alternatives) entry["alternatives"].push_back(to_json(p));
    }
    table.push_back(std::move(entry));
  }
  return io::to_text(table);
}

std::string models_text() {
  std::string text;
  for (const LawInfo& law : law_table()) {
    text += fmt::format("{:<22} {}{}\n", law.name, law.title, law.masing ? "" : " (not a Masing law)");
    const auto row = [&](const ParameterInfo& p, std::string_view need) {
      text += fmt::format("  {:<20} {:<6} {:<10} {:<14} {}{}\n", p.name, p.symbol, p.unit, to_string(p.range),
                          p.meaning, need);
    };
    for (const ParameterInfo& p : law.parameters) row(p, p.required ? "" : " (optional)");
    for (const ParameterInfo& p : law.alternatives) row(p, " (in place of alpha and beta)");
  }
  return text;
}

std::string models_csv() {
  std::string csv = "model,parameter,symbol,unit,lower,upper,default,required,meaning\n";
  for (const LawInfo& law : law_table())
    for (const ParameterInfo& p : law.parameters)
      csv += fmt::format("{},{},{},{},{},{},{},{},{}\n", law.name, p.name, io::csv_cell(p.symbol), io::csv_cell(p.unit),
                         p.range.lower, p.range.upper, p.start, p.required, io::csv_cell(p.meaning));
  return csv;
}

}  // namespace

Output models() {
  return {.text = models_text, .json = models_json, .csv = models_csv, .archive = {}, .page = {}, .notes = {}};
}

}  // namespace microslip::verbs
