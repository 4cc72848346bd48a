#include <array>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/verbs/choice.hpp>
#include <microslip/verbs/coordinate.hpp>
#include <microslip/verbs/fit_modal.hpp>
#include <microslip/verbs/fit_modal_page.hpp>
#include <microslip/verbs/interval_text.hpp>

namespace microslip::verbs {

namespace {

io::Json parameters_json(const ModalIwan& model) {
  io::Json json = io::Json::object();
  for (std::size_t q = 0; q < n_modal_parameters; ++q)
    io::set_number(json, std::string(modal_quantities[q]), modal_quantity(model, q));
  return json;
}

io::Json points_json(const ModalFit& fit) {
  io::Json json = io::Json::object();
  const auto column = [&](const char* name, auto&& value) {
    std::vector<double> values;
    for (const ModalFitPoint& p : fit.points) values.push_back(value(p));
    io::set_numbers(json, name, values);
  };
  column("record", [](const auto& p) { return static_cast<double>(p.decay + 1); });
  column("amplitude", [](const auto& p) { return p.amplitude; });
  column("frequency_hz", [](const auto& p) { return p.frequency_hz; });
  column("damping_ratio", [](const auto& p) { return p.damping_ratio; });
  column("dissipation", [](const auto& p) { return p.dissipation; });
  column("model_frequency_hz", [](const auto& p) { return p.model.frequency_hz; });
  column("model_damping_ratio", [](const auto& p) { return p.model.damping_ratio; });
  column("model_dissipation", [](const auto& p) { return p.model.dissipation; });
  column("frequency_bias", [](const auto& p) { return p.frequency_bias; });
  column("damping_bias", [](const auto& p) { return p.damping_bias; });
  json["used"] = io::Json::array();
  json["flag"] = io::Json::array();
  for (const ModalFitPoint& p : fit.points) {
    json["used"].push_back(p.used);
    json["flag"].push_back(p.flag);
  }
  return json;
}

io::Json mode_json(const ModeDecays& mode, const ModalFit& fit) {
  io::Json json;
  json["mode_hz"] = mode.mode_hz;
  json["coordinate"] = mode.coordinate;
  if (mode.quantity != Quantity::unknown) json["quantity"] = std::string(to_string(mode.quantity));
  json["amplitude_unit"] = mode.amplitude_unit;
  json["dissipation_unit"] = mode.dissipation_unit;
  json["model"] = "iwan4";
  json["mass"] = 1;
  json["parameters"] = parameters_json(fit.model);
  json["intervals"] = io::Json::object();
  json["identifiable"] = io::Json::object();
  json["derived"] = io::Json::object();
  json["derived_intervals"] = io::Json::object();
  for (std::size_t q = 0; q < modal_quantities.size(); ++q) {
    const std::string name(modal_quantities[q]);
    if (q < n_modal_parameters) {
      json["intervals"][name] = interval_json(fit.intervals[q].lower, fit.intervals[q].upper);
      json["identifiable"][name] = fit.identifiable[q];
    } else {
      io::set_number(json["derived"], name, modal_quantity(fit.model, q));
      json["derived_intervals"][name] = interval_json(fit.intervals[q].lower, fit.intervals[q].upper);
    }
  }
  json["residual"] = fit.residual;
  json["frequency_residual"] = fit.frequency_residual;
  json["misfit"] = fit.misfit;
  json["macro_slip"] = fit.macro_slip ? "yes" : fit.macro_slip_beyond ? "beyond what is trusted" : "not seen";
  json["least_largest"] = fit.least_largest;
  json["replicas"] = fit.replicas;
  json["first_guess"] = parameters_json(fit.first_guess);
  if (!mode.shape.empty()) io::set_numbers(json, "shape", mode.shape);
  json["records"] = io::Json::array();
  for (const MeasuredDecay& d : mode.decays) json["records"].push_back(d.source);
  json["points"] = points_json(fit);
  json["notes"] = fit.notes;
  return json;
}

std::string fit_json(const FitModalOptions& options, const FitModalResult& result) {
  io::Json json = begin_result("fit modal");
  json["files"] = options.measurements.sources;
  json["objective"] = options.fit.objective == ModalObjective::log ? "default" : "paper";
  json["forms"] = options.fit.forms == ModalForms::exact ? "exact" : "paper";
  json["seed"] = options.fit.seed;
  if (!options.measurements.sensors.empty()) json["sensors"] = options.measurements.sensors;
  json["modes"] = io::Json::array();
  for (std::size_t r = 0; r < result.fits.size(); ++r)
    json["modes"].push_back(mode_json(options.measurements.modes[r], result.fits[r]));
  json["notes"] = result.notes;
  return io::to_text(json);
}

std::string fit_text(const FitModalOptions& options, const FitModalResult& result) {
  std::string text;
  for (std::size_t r = 0; r < result.fits.size(); ++r) {
    const ModeDecays& mode = options.measurements.modes[r];
    const ModalFit& fit = result.fits[r];
    std::size_t used = 0;
    for (const ModalFitPoint& p : fit.points) used += p.used ? 1 : 0;
    text += fmt::format("mode at {:g} Hz, {}: iwan4 with spring and damper, {} points of {} record{}\n", mode.mode_hz,
                        coordinate_text(mode.coordinate), used, mode.decays.size(), mode.decays.size() == 1 ? "" : "s");
    for (std::size_t q = 0; q < modal_quantities.size(); ++q)
      text += fmt::format("  {:<17} {:>13.{}g}  95 % {}\n", modal_quantities[q], modal_quantity(fit.model, q),
                          interval_digits(fit.intervals[q].lower, fit.intervals[q].upper, 6),
                          interval_text(fit.intervals[q].lower, fit.intervals[q].upper, 5));
    text += fmt::format("  misses dissipation by {:.2g} % and frequency by {:.2g} % (RMS)\n", 100 * fit.residual,
                        100 * fit.frequency_residual);
  }
  return text;
}

std::string fit_csv(const FitModalOptions& options, const FitModalResult& result) {
  io::Table table{.source = "",
                  .header = {"mode_hz", "record", "amplitude", "frequency_hz", "damping_ratio", "dissipation",
                             "model_frequency_hz", "model_damping_ratio", "model_dissipation", "used"},
                  .units = {},
                  .columns = std::vector<std::vector<double>>(10),
                  .line_numbers = {},
                  .warnings = {}};
  for (std::size_t r = 0; r < result.fits.size(); ++r)
    for (const ModalFitPoint& p : result.fits[r].points) {
      const std::array<double, 10> row{options.measurements.modes[r].mode_hz,
                                       static_cast<double>(p.decay + 1),
                                       p.amplitude,
                                       p.frequency_hz,
                                       p.damping_ratio,
                                       p.dissipation,
                                       p.model.frequency_hz,
                                       p.model.damping_ratio,
                                       p.model.dissipation,
                                       p.used ? 1.0 : 0.0};
      for (std::size_t c = 0; c < row.size(); ++c) table.columns[c].push_back(row[c]);
      table.line_numbers.push_back(0);
    }
  return io::to_csv(table);
}

/// Progress of one of `count` modes. The fit simulates decays in rounds, each told from 0 to 1, and how many it will
/// take is not known: each gets half of what is left.
Progress part_of(const Progress& whole, std::size_t index, std::size_t count, double mode_hz) {
  if (!whole.report) return whole;
  const auto tell = [&whole, index, count, mode_hz, done = 0.0, left = 0.5, last = 0.0](double fraction,
                                                                                        std::string_view what) mutable {
    if (fraction < last) {
      done += left;
      left /= 2;
    }
    last = fraction;
    whole.report((static_cast<double>(index) + done + left * fraction) / static_cast<double>(count),
                 fmt::format("mode at {:g} Hz: {}", mode_hz, what));
  };
  whole.at(static_cast<double>(index) / static_cast<double>(count), fmt::format("mode at {:g} Hz: searching", mode_hz));
  return {tell, whole.stop};
}

}  // namespace

ModalForms modal_forms_from(const std::string& name) {
  return choice<ModalForms, 2>("forms", name, {{{"exact", ModalForms::exact}, {"paper", ModalForms::paper}}});
}
ModalObjective modal_objective_from(const std::string& name) {
  return choice<ModalObjective, 2>("objective", name,
                                   {{{"default", ModalObjective::log}, {"paper", ModalObjective::paper}}});
}

Output fit_modal(const FitModalOptions& given, const Progress& progress) {
  const auto options = std::make_shared<const FitModalOptions>(given);
  const auto result = std::make_shared<FitModalResult>();
  result->notes = options->measurements.notes;
  for (const ModeDecays& mode : options->measurements.modes) {
    const Progress part = part_of(progress, result->fits.size(), options->measurements.modes.size(), mode.mode_hz);
    if (part.stopped()) throw NotConverged("fit modal: stopped");
    result->fits.push_back(microslip::fit_modal(mode.decays, options->fit, part));
    for (const std::string& note : result->fits.back().notes)
      result->notes.push_back(fmt::format("mode at {:g} Hz: {}", mode.mode_hz, note));
  }
  Output output;
  output.text = [options, result] { return fit_text(*options, *result); };
  output.json = [options, result] { return fit_json(*options, *result); };
  output.csv = [options, result] { return fit_csv(*options, *result); };
  output.page = [options, result] { return fit_modal_page(*options, *result); };
  output.notes = result->notes;
  output.inputs = options->measurements.files;
  return output;
}

}  // namespace microslip::verbs
