#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/io/csv.hpp>
#include <microslip/io/file.hpp>
#include <microslip/joints/test_rig.hpp>
#include <microslip/verbs/choice.hpp>
#include <microslip/verbs/fit_dissipation.hpp>
#include <microslip/verbs/fit_dissipation_page.hpp>
#include <microslip/verbs/interval_text.hpp>

namespace microslip::verbs {

namespace {

DissipationData from_table(const io::Table& table) {
  if (table.columns.size() < 2)
    throw InvalidInput(fmt::format("{}: {} column of numbers, the columns force and dissipation are expected",
                                   table.where(0), table.columns.size()));
  const bool named = !table.header.empty();
  DissipationData data{.name = std::filesystem::path(table.source).stem().string(),
                       .force = named ? table.column("force") : table.columns[0],
                       .dissipation = named ? table.column("dissipation") : table.columns[1]};
  if (named && table.has_column("weight")) data.weight = table.column("weight");
  for (std::size_t i = 0; i < data.force.size(); ++i) {
    positive(fmt::format("{}: force", table.where(i)), data.force[i]);
    positive(fmt::format("{}: dissipation", table.where(i)), data.dissipation[i]);
    if (!data.weight.empty()) positive(fmt::format("{}: weight", table.where(i)), data.weight[i]);
    for (std::size_t j = 0; j < i; ++j)
      if (data.force[i] == data.force[j])
        throw InvalidInput(
            fmt::format("{}: force {} stands already in line {}; average repeats or give them as several files",
                        table.where(i), data.force[i], table.line_numbers[j]));
  }
  if (data.force.size() < 2)
    throw InvalidInput(fmt::format("{}: {} data point(s); at least 2 are needed", table.source, data.force.size()));
  return data;
}

std::string_view to_string(DissipationMethod method) {
  switch (method) {
    case DissipationMethod::best:
      return "best";
    case DissipationMethod::segalman:
      return "segalman";
    case DissipationMethod::manual:
      return "manual";
  }
  return "";
}

/// Refuses what the method has no use for: nobody should think that it had an effect.
void check_taken(const FitDissipationOptions& options) {
  const auto only = [&](bool given, const char* option, DissipationMethod taker) {
    if (given && options.method != taker)
      throw InvalidInput(fmt::format("fit dissipation: {} goes with method {}, not with {}", option, to_string(taker),
                                     to_string(options.method)));
  };
  only(options.chi_bounds.has_value(), "--chi-bounds", DissipationMethod::best);
  only(options.beta_bounds.has_value(), "--beta-bounds", DissipationMethod::best);
  only(options.fit.noise.has_value(), "--noise", DissipationMethod::best);
  only(options.chi.has_value(), "--chi", DissipationMethod::manual);
  only(options.beta.has_value(), "--beta", DissipationMethod::manual);
  only(options.point != 0, "--point", DissipationMethod::manual);
  if (options.method == DissipationMethod::manual && (options.fit.stiffness || options.jointed_stiffness))
    throw InvalidInput("fit dissipation: the manual method gives the stiffness; it takes none");
}

/// Everything as the rig sees it: forces and slip force along its line of action, K_T from the two stiffnesses.
FitDissipationOptions resolved(FitDissipationOptions options) {
  if (options.sets.empty()) throw InvalidInput("fit dissipation: no data");
  io::refuse_repeated(options.files);
  check_taken(options);
  if (options.chi_bounds) options.fit.chi = *options.chi_bounds;
  if (options.beta_bounds) options.fit.beta = *options.beta_bounds;
  if (options.angle_deg != 0) {
    for (DissipationData& set : options.sets)
      for (double& force : set.force) force = seen_from_rig(force, options.angle_deg);
    options.fit.slip_force = seen_from_rig(options.fit.slip_force, options.angle_deg);
  }
  if (options.jointed_stiffness.has_value() != options.monolithic_stiffness.has_value())
    throw InvalidInput("fit dissipation: the jointed and the monolithic stiffness go together");
  if (options.jointed_stiffness) {
    if (options.fit.stiffness)
      throw InvalidInput("fit dissipation: give either the joint's stiffness or the jointed and monolithic ones");
    options.fit.stiffness = joint_stiffness(*options.jointed_stiffness, *options.monolithic_stiffness);
  }
  return options;
}

DissipationFit fit_one(const DissipationData& set, const FitDissipationOptions& options) {
  switch (options.method) {
    case DissipationMethod::best:
      return microslip::fit_dissipation(set, options.fit);
    case DissipationMethod::segalman:
      return fit_dissipation_segalman(set, options.fit.slip_force, options.fit.stiffness);
    case DissipationMethod::manual:
      break;
  }
  if (!options.chi || !options.beta) throw InvalidInput("fit dissipation: the manual method needs --chi and --beta");
  check(set);
  check_slip_force(set, options.fit.slip_force);
  const auto n = static_cast<int>(set.force.size());
  if (options.point < 0 || options.point > n)
    throw InvalidInput(fmt::format("fit dissipation: point must lie in [1, {}], got {}", n, options.point));
  const auto k = static_cast<std::size_t>(options.point > 0 ? options.point - 1 : n / 2);
  const ManualFit manual =
      manual_fit(*options.chi, *options.beta, options.fit.slip_force, set.force[k], set.dissipation[k]);
  DissipationFit fit = fit_of(manual.law, set);
  fit.held = {fmt::format("chi = {:g}, beta = {:g}: chosen", *options.chi, *options.beta),
              fmt::format("phi_max = {:g}: from point {}", fit.law.phi_max(), k + 1)};
  return fit;
}

void put_fit(io::Json& json, const DissipationData& set, const DissipationFit& fit) {
  json["model"] = "iwan4";
  json["parameters"] = {{"slip_force", fit.law.slip_force},
                        {"stiffness", fit.law.stiffness},
                        {"chi", fit.law.chi},
                        {"beta", fit.law.beta}};
  json["intervals"] = io::Json::object();
  json["identifiable"] = io::Json::object();
  for (std::size_t i = 0; i < iwan_parameters.size(); ++i) {
    const std::string name(to_string(iwan_parameters[i]));
    if (!fit.has_intervals) continue;
    json["intervals"][name] = interval_json(fit.intervals[i].lower, fit.intervals[i].upper);
    json["identifiable"][name] = fit.identifiable[i];
  }
  const SliderDensity<double> density = slider_density(fit.law);
  json["derived"] = {{"phi_max", density.phi_max}, {"R", density.R}, {"S", density.S_delta}};
  io::set_number(json, "residual", fit.residual);
  json["points"] = io::Json::array();
  for (std::size_t i = 0; i < set.force.size(); ++i)
    json["points"].push_back({{"force", set.force[i]},
                              {"dissipation", set.dissipation[i]},
                              {"model", fit.model[i]},
                              {"log_residual", std::log(fit.model[i] / set.dissipation[i])}});
  json["held"] = fit.held;
}

/// The shape behind the manual method's sliders: the normalised curve with its slope and curvature.
io::Json curve_json(const Iwan4<double>& law) {
  const double middle = 0.5 * law.slip_force;
  const ManualFit curve = manual_fit(law.chi, law.beta, law.slip_force, middle, dissipation_at_force(law, middle));
  io::Json json = io::Json::object();
  io::set_numbers(json, "r", curve.r);
  io::set_numbers(json, "force_ratio", curve.force_ratio);
  io::set_numbers(json, "dissipation", curve.dissipation);
  io::set_numbers(json, "slope", curve.slope);
  io::set_numbers(json, "curvature", curve.curvature);
  return json;
}

std::string fit_json(const FitDissipationOptions& options, const FitDissipationResult& result) {
  io::Json json = begin_result("fit dissipation");
  json["method"] = std::string(to_string(options.method));
  if (result.fits.size() == 1) {
    put_fit(json, options.sets.front(), result.fits.front());
  } else {
    DissipationData all{.name = "all", .force = {}, .dissipation = {}};
    for (const DissipationData& set : options.sets) {
      all.force.insert(all.force.end(), set.force.begin(), set.force.end());
      all.dissipation.insert(all.dissipation.end(), set.dissipation.begin(), set.dissipation.end());
    }
    put_fit(json, all, fit_of(result.variability->averaged, all));
    json["sets"] = io::Json::array();
    for (std::size_t i = 0; i < options.sets.size(); ++i) {
      io::Json entry{{"name", options.sets[i].name}};
      put_fit(entry, options.sets[i], result.fits[i]);
      entry["notes"] = result.fits[i].notes;
      json["sets"].push_back(std::move(entry));
    }
    io::Json& v = json["variability"] = io::Json::object();
    io::set_numbers(v, "experimental", result.variability->experimental);
    io::set_numbers(v, "model", result.variability->model);
    io::set_numbers(v, "leave_one_out", result.variability->leave_one_out);
    v["outliers"] = result.variability->outliers;
  }
  json["curve"] = curve_json(result.fits.size() == 1 ? result.fits.front().law : result.variability->averaged);
  json["notes"] = result.notes;
  return io::to_text(json);
}

std::string fit_text(const FitDissipationOptions& options, const FitDissipationResult& result) {
  std::string text;
  for (std::size_t i = 0; i < result.fits.size(); ++i) {
    const DissipationFit& fit = result.fits[i];
    text += fmt::format("{}: iwan4, {} points, residual {:.2g} (RMS of ln D)\n", options.sets[i].name, fit.model.size(),
                        fit.residual);
    const std::array<double, 4> values{fit.law.chi, fit.law.beta, fit.law.phi_max(), fit.law.stiffness};
    text += fmt::format("  {:<12} {:>12.6g}  given\n", "slip_force", fit.law.slip_force);
    for (std::size_t k = 0; k < iwan_parameters.size(); ++k) {
      const ParameterInterval& interval = fit.intervals[k];
      const std::string known = fit.given[k] ? std::string("  given")
                                : fit.has_intervals
                                    ? fmt::format("  95 % {}", interval_text(interval.lower, interval.upper))
                                    : std::string();
      text += fmt::format("  {:<12} {:>12.{}g}{}\n", to_string(iwan_parameters[k]), values[k],
                          interval_digits(interval.lower, interval.upper, 6), known);
    }
  }
  if (result.variability) {
    const Iwan4<double>& law = result.variability->averaged;
    text += fmt::format("averaged: chi {:.5g}, beta {:.5g}, phi_max {:.5g}, stiffness {:.5g}\n", law.chi, law.beta,
                        law.phi_max(), law.stiffness);
    for (std::size_t i = 0; i < options.sets.size(); ++i)
      text += fmt::format("  {:<20} model {:.3g}  leave-one-out {:.3g}{}\n", options.sets[i].name,
                          result.variability->model[i], result.variability->leave_one_out[i],
                          result.variability->experimental.empty()
                              ? std::string()
                              : fmt::format("  experimental {:.3g}", result.variability->experimental[i]));
  }
  return text;
}

std::string fit_csv(const FitDissipationOptions& options, const FitDissipationResult& result) {
  std::string csv = "set,force,dissipation,model\n";
  for (std::size_t i = 0; i < options.sets.size(); ++i)
    for (std::size_t k = 0; k < options.sets[i].force.size(); ++k)
      csv += fmt::format("{},{},{},{}\n", io::csv_cell(options.sets[i].name), options.sets[i].force[k],
                         options.sets[i].dissipation[k], result.fits[i].model[k]);
  return csv;
}

}  // namespace

DissipationMethod dissipation_method_from(const std::string& name) {
  return choice<DissipationMethod, 3>("method", name,
                                      {{{"best", DissipationMethod::best},
                                        {"segalman", DissipationMethod::segalman},
                                        {"manual", DissipationMethod::manual}}});
}

DissipationData read_dissipation(const std::filesystem::path& path) { return from_table(io::read_csv(path)); }

Output fit_dissipation(const FitDissipationOptions& given) {
  const auto options = std::make_shared<const FitDissipationOptions>(resolved(given));
  const auto result = std::make_shared<FitDissipationResult>();
  for (const DissipationData& set : options->sets) {
    result->fits.push_back(fit_one(set, *options));
    if (!set.weight.empty() && options->method != DissipationMethod::best)
      result->fits.back().notes.push_back(
          fmt::format("method {}: the column weight has no effect", to_string(options->method)));
  }
  for (std::size_t i = 0; i < result->fits.size(); ++i)
    for (const auto* list : {&result->fits[i].held, &result->fits[i].notes})
      for (const std::string& note : *list)
        result->notes.push_back(options->sets.size() > 1 ? options->sets[i].name + ": " + note : note);
  if (options->sets.size() > 1) {
    result->variability = variability(options->sets, result->fits);
    const auto& notes = result->variability->notes;
    result->notes.insert(result->notes.end(), notes.begin(), notes.end());
  }
  Output output;
  output.text = [options, result] { return fit_text(*options, *result); };
  output.json = [options, result] { return fit_json(*options, *result); };
  output.csv = [options, result] { return fit_csv(*options, *result); };
  output.page = [options, result] { return fit_dissipation_page(*options, *result); };
  output.notes = result->notes;
  output.inputs = options->files;
  return output;
}

}  // namespace microslip::verbs
