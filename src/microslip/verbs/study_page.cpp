#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <microslip/verbs/study.hpp>

namespace microslip::verbs {

namespace {

using study::EntryResult;
using study::FrontMember;
using study::Measured;

const std::string backbones_id = "backbones-mode-";

/// The groups in which the paper draws its fronts (Figs. 9, 13, 16, 18), split so that no figure needs more colours
/// than there are.
std::string group_of(const Combination& c) {
  if (c.full_joint) return "full joint";
  if (!c.viscous) return "whole joint, no viscous damping";
  if (!c.masing) return "whole joint, reversal points";
  const bool bilinear =
      c.model == "jenkins" || c.model == "prager" || c.model == "jenkins_prager" || c.model == "elastic_dry_friction";
  return bilinear ? "whole joint, Masing, bilinear laws" : "whole joint, Masing, microslip laws";
}

std::string slug(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

/// Entries by group, in the order of the study.
std::vector<std::pair<std::string, std::vector<std::size_t>>> groups_of(const StudyRun& run) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
  for (std::size_t e = 0; e < run.result.entries.size(); ++e) {
    const std::string name = group_of(run.input.combinations[e]);
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == name; });
    if (found == groups.end())
      groups.push_back({name, {e}});
    else
      found->second.push_back(e);
  }
  return groups;
}

/// The dashed box of the measurement's own scatter, down and left to the edges of the figure, and the corner from
/// which areas are counted.
void add_reference(const StudyRun& run, std::size_t m, report::Figure& figure) {
  const study::ErrorBox& box = run.result.boxes[m];
  if (const auto& v = run.result.variability[m]) {
    double left = box.lower[0], bottom = box.lower[1];
    for (const report::Trace& trace : figure.traces) {
      for (double x : trace.x) left = std::fmin(left, x);
      for (double y : trace.y) bottom = std::fmin(bottom, y);
    }
    figure.traces.push_back({.name = "measurement's variability",
                             .x = {left / 1.5, v->upper[0], v->upper[0]},
                             .y = {v->upper[1], v->upper[1], bottom / 1.5},
                             .dash = report::Dash::dash,
                             .colour = 8});
  }
  figure.traces.push_back({.name = "lower corner for areas",
                           .mark = report::Mark::markers,
                           .x = {box.lower[0]},
                           .y = {box.lower[1]},
                           .colour = 8});
}

std::string describe(const Combination& c, const FrontMember& member) {
  std::string text;
  const InterfaceParameters values = interface_parameters(c, member.point);
  for (const auto& [name, value] : values.law) text += fmt::format("{} {:.3g}, ", name, value);
  return text + fmt::format("normal_stiffness {:.3g}", values.normal_stiffness);
}

report::Figure errors_figure(const StudyRun& run, const std::string& group, const std::vector<std::size_t>& entries,
                             std::size_t m) {
  const Measured& measured = run.input.study.measured[m];
  const bool fitted = run.input.study.fitted(m);
  report::Figure figure{.id = fmt::format("{}-mode-{}", slug(group), measured.mode),
                        .title = fmt::format("Mode {}, {}", measured.mode, fitted ? "fitted" : "predicted")};
  figure.x = {.title = "frequency error", .unit = "1", .scale = report::Scale::log};
  figure.y = {{.title = "damping error", .unit = "1", .scale = report::Scale::log}};
  figure.picks = fmt::format("{}{}", backbones_id, measured.mode);
  figure.wide = entries.size() > 3;  // their names would take half of a narrow figure
  report::Trace best{.name = "best frequency fit", .mark = report::Mark::markers, .colour = 8};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const EntryResult& entry = run.result.entries[entries[i]];
    report::Trace trace{.name = entry.name, .mark = fitted ? report::Mark::line_markers : report::Mark::markers};
    trace.colour = static_cast<int>(i % 8);
    trace.dash =
        std::array{report::Dash::solid, report::Dash::dash, report::Dash::dot}[std::min<std::size_t>(i / 8, 2)];
    for (const FrontMember& member : entry.front) {
      trace.x.push_back(member.mode_errors[m][0]);
      trace.y.push_back(member.mode_errors[m][1]);
      trace.hover.push_back(describe(run.input.combinations[entries[i]], member));
      trace.picks.push_back(static_cast<int>(entries[i]));
    }
    if (!fitted && !entry.front.empty()) {
      best.x.push_back(trace.x.front());
      best.y.push_back(trace.y.front());
    }
    if (!trace.x.empty()) figure.traces.push_back(std::move(trace));
  }
  if (!best.x.empty()) figure.traces.push_back(std::move(best));
  add_reference(run, m, figure);
  figure.caption = fitted ? "Pareto fronts. Click a point to see its model's backbones."
                          : "The same parameters, not fitted again. Grey dots: those of the best frequency fit.";
  return figure;
}

report::Figure backbones_figure(const StudyRun& run, std::size_t m) {
  const Measured& measured = run.input.study.measured[m];
  const Backbone& b = measured.backbone;
  report::Figure figure{.id = fmt::format("{}{}", backbones_id, measured.mode),
                        .title = fmt::format("Backbones of mode {}", measured.mode)};
  figure.x = {.title = "amplitude", .unit = "√kg·m", .scale = report::Scale::log};
  figure.y = {{.title = "frequency", .unit = "Hz"},
              {.title = "damping ratio", .unit = "1", .scale = report::Scale::log}};
  std::size_t skipped = 0;
  for (std::size_t k = 0; k < m; ++k) skipped += run.input.study.measured[k].backbone.size();
  figure.step_title = "model";
  for (std::size_t e = 0; e < run.result.entries.size(); ++e) {
    const EntryResult& entry = run.result.entries[e];
    figure.steps.push_back(entry.name);
    const auto begin = run.input.modal_amplitude[e].begin() + static_cast<std::ptrdiff_t>(skipped);
    const std::vector<double> q(begin, begin + static_cast<std::ptrdiff_t>(b.size()));
    const int step = static_cast<int>(e);
    if (!measured.frequency_band.empty() && !measured.damping_band.empty()) {
      report::Trace f{.name = "variability", .mark = report::Mark::band, .x = q, .colour = 8, .step = step};
      report::Trace z{.name = "variability", .mark = report::Mark::band, .x = q, .colour = 8, .panel = 1, .step = step};
      z.legend = false;
      for (std::size_t i = 0; i < b.size(); ++i) {
        f.y.push_back(b.frequency_hz[i] - measured.frequency_band[i]);
        f.upper.push_back(b.frequency_hz[i] + measured.frequency_band[i]);
        const double low = b.damping_ratio[i] - measured.damping_band[i];
        z.y.push_back(low > 0 ? low : b.damping_ratio[i] / 100);  // off the bottom of a log axis
        z.upper.push_back(b.damping_ratio[i] + measured.damping_band[i]);
      }
      figure.traces.push_back(std::move(f));
      figure.traces.push_back(std::move(z));
    }
    report::Trace data{.name = "measured", .mark = report::Mark::markers, .x = q, .y = b.frequency_hz, .colour = 8};
    data.step = step;
    report::Trace damping = data;
    damping.y = b.damping_ratio;
    damping.panel = 1;
    damping.legend = false;
    figure.traces.push_back(std::move(data));
    figure.traces.push_back(std::move(damping));
    if (entry.front.empty()) continue;
    const auto picks = entry.three();
    for (std::size_t k = 0; k < 3; ++k) {
      const study::Computed& c = entry.front[picks[k]].backbones[m];
      report::Trace f{.name = std::array{"best frequency", "middle", "best damping"}[k], .x = q, .y = c.frequency_hz};
      f.colour = static_cast<int>(k);
      f.step = step;
      report::Trace z = f;
      z.y = c.damping_ratio;
      for (double& value : z.y)
        if (!(value > 0)) value = std::nan("");
      z.panel = 1;
      z.legend = false;
      figure.traces.push_back(std::move(f));
      figure.traces.push_back(std::move(z));
    }
  }
  figure.caption = fmt::format("{} Three members of each front.",
                               run.input.study.fitted(m) ? "Fitted." : "Predicted from the fitted modes.");
  return figure;
}

report::Table ranking_table(const StudyRun& run) {
  report::Table table{.id = "ranking", .title = "Ranking by area fraction"};
  table.columns = {{.title = "rank"}, {.title = "model"}, {.title = "predicted modes", .unit = "1", .digits = 4}};
  const std::size_t n_modes = run.input.study.measured.size();
  const std::vector<std::vector<int>> ranks = area_ranks(run.result);
  for (std::size_t m = 0; m < n_modes; ++m) {
    const std::string mode = fmt::format("mode {}", run.input.study.measured[m].mode);
    table.columns.push_back({.title = mode, .unit = "1", .digits = 4});
    table.columns.push_back({.title = mode + " rank"});
  }
  double rank = 0;
  for (std::size_t e : run.result.ranking) {
    const EntryResult& entry = run.result.entries[e];
    std::vector<report::Cell> row{++rank, entry.name, entry.predicted_area};
    for (std::size_t m = 0; m < n_modes; ++m) {
      const auto& limit = run.result.variability_area[m];
      const bool good = limit && entry.area_fraction[m] <= *limit;
      row.emplace_back(entry.area_fraction[m], good ? report::Tone::good : report::Tone::plain);
      row.emplace_back(static_cast<double>(ranks[m][e]));
    }
    table.rows.push_back(std::move(row));
  }
  table.caption =
      "Share of the box of errors that no member of the front reaches: 0 is perfect, 1 hopeless. Marked good: no "
      "larger "
      "than that of the measurement's own variability.";
  return table;
}

report::Table ranges_table(const StudyRun& run) {
  report::Table table{.id = "parameters", .title = "Parameters on the fronts"};
  table.columns = {{.title = "model"},
                   {.title = "parameter"},
                   {.title = "scale"},
                   {.title = "lower", .digits = 4},
                   {.title = "upper", .digits = 4},
                   {.title = "searched from"},
                   {.title = "searched to"}};
  for (std::size_t e = 0; e < run.result.entries.size(); ++e) {
    const auto& spans = run.input.study.entries[e].spans;
    for (std::size_t j = 0; j < spans.size(); ++j) {
      const auto [lower, upper] = front_range(run.result.entries[e], j);
      const double edge = 1e-6 * (spans[j].upper - spans[j].lower);
      const auto tone = [&](double at, double bound) {
        return std::abs(at - bound) <= edge ? report::Tone::warning : report::Tone::plain;
      };
      table.rows.push_back({run.result.entries[e].name, spans[j].name, spans[j].logarithmic ? "log10" : "linear",
                            report::Cell(lower, tone(lower, spans[j].lower)),
                            report::Cell(upper, tone(upper, spans[j].upper)), spans[j].lower, spans[j].upper});
    }
  }
  table.caption = "Per area of the interface. Marked: at the bound of the search.";
  return table;
}

report::Table times_table(const StudyRun& run) {
  report::Table table{.id = "times", .title = "Times"};
  table.columns = {{.title = "model"},
                   {.title = "search", .unit = "s", .digits = 3},
                   {.title = "one backbone", .unit = "ms", .digits = 3},
                   {.title = "points looked at"},
                   {.title = "members on the front"}};
  for (std::size_t e = 0; e < run.result.entries.size(); ++e) {
    const EntryResult& entry = run.result.entries[e];
    table.rows.push_back({entry.name, run.times.search[e], 1e3 * run.times.backbone[e],
                          static_cast<double>(entry.evaluations), static_cast<double>(entry.front.size())});
  }
  table.caption =
      "A search's time is from its first task to its last, the work of others in between included. The "
      "time of one backbone is measured with --times.";
  return table;
}

}  // namespace

report::Page study_page(const StudyRun& run) {
  report::Page page{
      .title = run.input.title,
      .subtitle = fmt::format("{} models, {} modes", run.result.entries.size(), run.input.study.measured.size())};
  const EntryResult& first = run.result.entries[run.result.ranking.front()];
  std::size_t flexible = 0;
  const std::size_t fit = run.input.study.fit.front();
  for (std::size_t e = 0; e < run.result.entries.size(); ++e)
    if (run.result.entries[e].area_fraction[fit] < run.result.entries[flexible].area_fraction[fit]) flexible = e;
  page.verdicts = {
      {.label = "Best prediction", .value = first.name, .note = fmt::format("area {:.4f}", first.predicted_area)},
      {.label = "Most flexible",
       .value = run.result.entries[flexible].name,
       .note = fmt::format("area {:.4f} in mode {}", run.result.entries[flexible].area_fraction[fit],
                           run.input.study.measured[fit].mode)}};
  for (const std::string& note : run.input.notes) page.notes.push_back({.text = note});
  report::Section ranking{.title = "Ranking"};
  ranking.tables = {ranking_table(run)};
  page.sections.push_back(std::move(ranking));
  for (const auto& [name, entries] : groups_of(run)) {
    report::Section section{.title = "Errors: " + name};
    for (std::size_t m = 0; m < run.input.study.measured.size(); ++m)
      section.figures.push_back(errors_figure(run, name, entries, m));
    page.sections.push_back(std::move(section));
  }
  report::Section backbones{.title = "Backbones over data"};
  for (std::size_t m = 0; m < run.input.study.measured.size(); ++m)
    backbones.figures.push_back(backbones_figure(run, m));
  page.sections.push_back(std::move(backbones));
  report::Section tables{.title = "Parameters and times"};
  tables.tables = {ranges_table(run), times_table(run)};
  page.sections.push_back(std::move(tables));
  const study::Budget& b = run.input.study.budget;
  page.provenance.settings = {{"preload", fmt::format("{:g} N", run.input.preload)},
                              {"members", fmt::format("{}", b.members)},
                              {"generations", fmt::format("{}", b.generations)},
                              {"last generations sorted", fmt::format("{}", b.last_generations)},
                              {"angles", fmt::format("{}", b.angles)},
                              {"scouting generations", fmt::format("{}", b.scouts)}};
  page.provenance.seed = b.seed;
  page.provenance.inputs = run.input.inputs;
  return page;
}

}  // namespace microslip::verbs
