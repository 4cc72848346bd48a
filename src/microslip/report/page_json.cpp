#include <algorithm>
#include <cstddef>
#include <numeric>

#include <microslip/core/version.hpp>
#include <microslip/report/json_writer.hpp>
#include <microslip/report/page_json.hpp>
#include <microslip/report/thin.hpp>
#include <microslip/report/unit_text.hpp>

namespace microslip::report {

namespace {

// A page stays under 3 MB: the scripts take 1.1 MB, a number some 12 bytes.
constexpr std::size_t numbers_per_page = 110'000;
constexpr std::size_t points_per_trace = 20'000;
constexpr std::size_t cells_per_heatmap = 10'000;

const char* name(Scale scale) { return scale == Scale::log ? "log" : "linear"; }

const char* name(Mark mark) {
  switch (mark) {
    case Mark::line:
      return "line";
    case Mark::markers:
      return "markers";
    case Mark::line_markers:
      return "line_markers";
    case Mark::bars:
      return "bars";
    case Mark::band:
      return "band";
    case Mark::heatmap:
      return "heatmap";
  }
  return "line";
}

const char* name(Dash dash) {
  switch (dash) {
    case Dash::solid:
      return "solid";
    case Dash::dash:
      return "dash";
    case Dash::dot:
      return "dot";
  }
  return "solid";
}

const char* name(Tone tone) {
  switch (tone) {
    case Tone::plain:
      return "plain";
    case Tone::good:
      return "good";
    case Tone::warning:
      return "warning";
    case Tone::bad:
      return "bad";
  }
  return "plain";
}

/// How many numbers a trace costs per point; a hover text counts for four.
std::size_t numbers_per_point(const Trace& trace) {
  return 2 + (trace.upper.empty() ? 0 : 1) + (trace.lower.empty() ? 0 : 1) + (trace.values.empty() ? 0 : 1) +
         (trace.picks.empty() ? 0 : 1) + (trace.hover.empty() ? 0 : 4);
}

/// The greatest number of points per trace with which all figures stay within the page's budget.
std::size_t points_within_budget(const std::vector<const Figure*>& figures) {
  std::size_t limit = points_per_trace;
  const auto cost = [&] {
    std::size_t sum = 0;
    for (const Figure* figure : figures)
      for (const Trace& trace : figure->traces)
        sum += trace.mark == Mark::heatmap ? std::min(trace.values.size(), cells_per_heatmap)
                                           : numbers_per_point(trace) * std::min(trace.x.size(), limit);
    return sum;
  };
  while (limit > 50 && cost() > numbers_per_page) limit = limit * 3 / 4;
  return limit;
}

void write_numbers(JsonWriter& json, const char* key, const std::vector<double>& values,
                   const std::vector<std::size_t>& kept) {
  json.key(key);
  json.begin_array();
  for (const std::size_t i : kept) json.value(values[i]);
  json.end_array();
}

std::vector<std::size_t> every(std::size_t stride, std::size_t count) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < count; i += stride) kept.push_back(i);
  return kept;
}

void write_heatmap(JsonWriter& json, const Trace& trace) {
  std::size_t stride = 1;
  const auto coarse = [&](std::size_t n) { return (n + stride - 1) / stride; };
  while (coarse(trace.x.size()) * coarse(trace.y.size()) > cells_per_heatmap) ++stride;
  const std::vector<std::size_t> columns = every(stride, trace.x.size()), rows = every(stride, trace.y.size());
  write_numbers(json, "x", trace.x, columns);
  write_numbers(json, "y", trace.y, rows);
  json.key("values");
  json.begin_array();
  for (const std::size_t j : rows)
    for (const std::size_t i : columns) json.value(trace.values[j * trace.x.size() + i]);
  json.end_array();
  if (stride > 1) json.member("thinned_from", trace.values.size());
}

void write_points(JsonWriter& json, const Trace& trace, std::size_t limit) {
  const std::vector<std::size_t> kept = thin(trace.x, trace.y, limit);
  write_numbers(json, "x", trace.x, kept);
  write_numbers(json, "y", trace.y, kept);
  if (!trace.upper.empty()) write_numbers(json, "upper", trace.upper, kept);
  if (!trace.lower.empty()) write_numbers(json, "lower", trace.lower, kept);
  if (!trace.values.empty()) write_numbers(json, "values", trace.values, kept);
  if (!trace.hover.empty()) {
    json.key("hover");
    json.begin_array();
    for (const std::size_t i : kept) json.value(trace.hover[i]);
    json.end_array();
  }
  if (!trace.picks.empty()) {
    json.key("picks");
    json.begin_array();
    for (const std::size_t i : kept) json.value(trace.picks[i]);
    json.end_array();
  }
  if (kept.size() < trace.x.size()) json.member("thinned_from", trace.x.size());
}

void write(JsonWriter& json, const Trace& trace, std::size_t limit) {
  json.begin_object();
  json.member("name", trace.name);
  json.member("mark", name(trace.mark));
  if (trace.mark == Mark::heatmap) {
    write_heatmap(json, trace);
  } else {
    write_points(json, trace, limit);
  }
  if (!trace.values_title.empty()) json.member("values_title", trace.values_title);
  json.member("dash", name(trace.dash));
  json.member("colour", trace.colour);
  json.member("panel", trace.panel);
  json.member("step", trace.step);
  json.member("legend", trace.legend);
  json.end_object();
}

void write_texts(JsonWriter& json, const char* key, const std::vector<std::string>& texts) {
  json.key(key);
  json.begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

void write(JsonWriter& json, const Axis& axis) {
  json.begin_object();
  json.member("title", axis.title);
  json.member("unit", unit_text(axis.unit));
  json.member("scale", name(axis.scale));
  if (axis.range) {
    json.key("range");
    json.begin_array();
    for (const double end : *axis.range) json.exact(end);
    json.end_array();
  }
  write_texts(json, "categories", axis.categories);
  json.end_object();
}

void write(JsonWriter& json, const Figure& figure, std::size_t limit) {
  check(figure);
  json.begin_object();
  json.member("id", figure.id);
  json.member("title", figure.title);
  json.member("caption", figure.caption);
  json.key("x");
  write(json, figure.x);
  json.key("y");
  json.begin_array();
  for (const Axis& axis : figure.y) write(json, axis);
  json.end_array();
  json.key("heights");
  json.begin_array();
  for (const double height : figure.heights) json.value(height);
  json.end_array();
  json.key("traces");
  json.begin_array();
  for (const Trace& trace : figure.traces) write(json, trace, limit);
  json.end_array();
  json.key("annotations");
  json.begin_array();
  for (const Annotation& note : figure.annotations) {
    json.begin_object();
    json.member("text", note.text);
    if (note.x) json.member("x", *note.x);
    if (note.y) json.member("y", *note.y);
    json.member("panel", note.panel);
    json.end_object();
  }
  json.end_array();
  json.key("shades");
  json.begin_array();
  for (const Shade& shade : figure.shades) {
    json.begin_object();
    json.member("from", shade.from);
    json.member("to", shade.to);
    json.member("text", shade.text);
    json.end_object();
  }
  json.end_array();
  write_texts(json, "steps", figure.steps);
  json.member("step_title", figure.step_title);
  json.member("picks", figure.picks);
  json.member("wide", figure.wide);
  json.member("equal", figure.equal);
  json.end_object();
}

void write(JsonWriter& json, const Cell& cell) {
  if (cell.tone == Tone::plain && cell.value) return json.exact(*cell.value);
  if (cell.tone == Tone::plain) return json.value(cell.text);
  json.begin_object();
  json.key("value");
  if (cell.value) {
    json.exact(*cell.value);
  } else {
    json.value(cell.text);
  }
  json.member("tone", name(cell.tone));
  json.end_object();
}

void write(JsonWriter& json, const Table& table) {
  json.begin_object();
  json.member("id", table.id);
  json.member("title", table.title);
  json.member("caption", table.caption);
  json.key("columns");
  json.begin_array();
  for (const Column& column : table.columns) {
    json.begin_object();
    json.member("title", column.title);
    json.member("unit", unit_text(column.unit));
    json.member("digits", column.digits);
    json.end_object();
  }
  json.end_array();
  json.key("rows");
  json.begin_array();
  for (const std::vector<Cell>& row : table.rows) {
    json.begin_array();
    for (const Cell& cell : row) write(json, cell);
    json.end_array();
  }
  json.end_array();
  json.end_object();
}

void write(JsonWriter& json, const std::vector<Note>& notes) {
  json.begin_array();
  for (const Note& note : notes) {
    json.begin_object();
    json.member("text", note.text);
    json.member("tone", name(note.tone));
    json.end_object();
  }
  json.end_array();
}

void write(JsonWriter& json, const Provenance& provenance) {
  json.begin_object();
  json.member("command", provenance.command);
  json.member("version", version);
  json.key("settings");
  json.begin_array();
  for (const auto& [key, text] : provenance.settings) {
    json.begin_array();
    json.value(key);
    json.value(text);
    json.end_array();
  }
  json.end_array();
  if (provenance.seed) json.member("seed", std::to_string(*provenance.seed));
  json.key("inputs");
  json.begin_array();
  for (const Input& input : provenance.inputs) {
    json.begin_object();
    json.member("name", input.name);
    json.member("sha256", input.sha256);
    json.end_object();
  }
  json.end_array();
  if (provenance.seconds) json.member("seconds", *provenance.seconds);
  json.end_object();
}

void write(JsonWriter& json, const Section& section, std::size_t limit) {
  json.begin_object();
  json.member("title", section.title);
  json.member("text", section.text);
  json.key("notes");
  write(json, section.notes);
  json.key("figures");
  json.begin_array();
  for (const Figure& figure : section.figures) write(json, figure, limit);
  json.end_array();
  json.key("tables");
  json.begin_array();
  for (const Table& table : section.tables) write(json, table);
  json.end_array();
  json.end_object();
}

}  // namespace

std::string page_json(const Page& page) {
  std::vector<const Figure*> figures;
  for (const Section& section : page.sections)
    for (const Figure& figure : section.figures) figures.push_back(&figure);
  const std::size_t limit = points_within_budget(figures);

  JsonWriter json;
  json.begin_object();
  json.member("title", page.title);
  json.member("subtitle", page.subtitle);
  json.key("verdicts");
  json.begin_array();
  for (const Verdict& verdict : page.verdicts) {
    json.begin_object();
    json.member("label", verdict.label);
    json.member("value", verdict.value);
    json.member("unit", unit_text(verdict.unit));
    json.member("note", verdict.note);
    json.member("tone", name(verdict.tone));
    json.end_object();
  }
  json.end_array();
  json.key("notes");
  write(json, page.notes);
  json.key("sections");
  json.begin_array();
  for (const Section& section : page.sections) write(json, section, limit);
  json.end_array();
  json.key("provenance");
  write(json, page.provenance);
  json.end_object();
  return json.text();
}

}  // namespace microslip::report
