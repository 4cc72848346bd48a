#include <algorithm>
#include <cctype>
#include <cmath>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/modal/combinations.hpp>

namespace microslip {

namespace {

ParameterSpan log_span(std::string name, double lower, double upper) { return {std::move(name), lower, upper, true}; }
ParameterSpan plain_span(std::string name, double lower, double upper) {
  return {std::move(name), lower, upper, false};
}
ParameterSpan slip(double lower, double upper) { return log_span("slip_force", lower, upper); }
ParameterSpan stiffness(double lower, double upper) { return log_span("stiffness", lower, upper); }
ParameterSpan post_slip(double lower, double upper) { return log_span("post_slip_stiffness", lower, upper); }
ParameterSpan normal(double lower, double upper) { return log_span("normal_stiffness", lower, upper); }

/// A law on patches with Masing's rules [section 4.1]: dissipation in closed form, sought by boundary intersection.
Combination masing(std::string name, std::string key, std::string model, std::vector<ParameterSpan> spans) {
  Combination c;
  c.name = std::move(name) + " (WJ, Masing)";
  c.key = std::move(key) + "-wj-masing";
  c.model = std::move(model);
  c.spans = std::move(spans);
  return c;
}

/// A law on patches with loops traced [section 4.2, Table 6].
Combination traced(std::string name, std::string key, std::string model, int loops, bool penalise, bool conservative,
                   std::vector<ParameterSpan> spans) {
  Combination c;
  c.name = std::move(name) + " (WJ, non-Masing)";
  c.key = std::move(key) + "-wj-reversal";
  c.model = std::move(model);
  c.masing = false;
  c.max_loops = loops;
  c.penalise_residuals = penalise;
  c.conservative_prestress = conservative;
  c.boundary_intersection = false;
  c.spans = std::move(spans);
  return c;
}

/// A law on surface elements [section 4.4.1]: loops traced at most three times, four points per segment.
Combination surface(std::string name, std::string key, std::string model, Contact contact,
                    std::vector<ParameterSpan> spans) {
  Combination c;
  c.name = std::move(name) + " (FJ, non-Masing)";
  c.key = std::move(key) + "-fj-reversal";
  c.model = std::move(model);
  c.full_joint = true;
  c.contact = contact;
  c.masing = false;
  c.max_loops = 3;
  c.quadrature_points = 4;
  c.penalise_residuals = true;
  c.boundary_intersection = false;
  c.spans = std::move(spans);
  return c;
}

/// The same without viscous damping [section 4.3], with ranges of its own.
Combination undamped(Combination c, std::vector<ParameterSpan> spans) {
  c.name.insert(c.name.size() - 1, ", no ζ0");
  c.key += "-no-viscous";
  c.viscous = false;
  c.spans = std::move(spans);
  return c;
}

/// Elastic dry friction on patches: contact by penalty, the modal loop by quadrature, searched by NSGA-II.
Combination dry(Combination c, int points) {
  c.contact = Contact::penalty;
  c.quadrature_points = points;
  c.penalise_residuals = true;
  c.boundary_intersection = false;
  return c;
}

/// Spans from Tables 11-15, options from sections 4.1-4.4. Bounds of the Bouc-Wen and
/// Valanis laws are those of a traction already: eta of n = 1 and lambda do not change with area, and for n = 2 the
/// table lists eta times area.
std::vector<Combination> make_table() {
  constexpr Contact spring = Contact::spring, penalty = Contact::penalty;
  const Combination iwan = masing("4-Parameter Iwan", "iwan4", "iwan4",
                                  {slip(4.94, 5.30), stiffness(11.72, 13.10), plain_span("chi", -0.84, 0.09),
                                   log_span("beta", -6.53, -3.31), normal(16.29, 19.17)});
  const Combination bouc_wen = traced("Bouc-Wen n=1", "bouc_wen_1", "bouc_wen_1", 40, true, true,
                                      {stiffness(12.64, 12.82), log_span("alpha", 7.11, 7.28),
                                       plain_span("beta_over_alpha", -0.89, -0.35), normal(13.96, 14.88)});
  const Combination bouc_wen_kp =
      traced("Bouc-Wen n=1 + kp*u", "bouc_wen_1_kp", "bouc_wen_1", 100, false, true,
             {stiffness(12.62, 12.82), log_span("alpha", 7.09, 7.29), plain_span("beta_over_alpha", -0.77, -0.37),
              post_slip(8.48, 10.26), normal(13.82, 14.84)});
  const Combination valanis = traced("Valanis", "valanis", "valanis", 40, false, true,
                                     {stiffness(12.62, 12.81), log_span("lambda", 7.30, 7.58), post_slip(8.65, 11.04),
                                      plain_span("kappa", 0.01, 0.34), normal(13.51, 19.5)});
  Combination prager =
      masing("Prager", "prager", "prager", {slip(5.25, 5.26), post_slip(11.52, 11.63), normal(12.35, 12.36)});
  prager.fixed = {{"stiffness", std::pow(10.0, 18.5)}};
  prager.boundary_intersection = false;

  return {
      surface("Generalized Jenkins Prager + Penalty", "jenkins_prager_penalty", "jenkins_prager", penalty,
              {slip(5.30, 5.70), stiffness(13.28, 15.52), post_slip(7.43, 10.76), normal(11.78, 13.16)}),
      valanis,
      masing("4-Parameter Iwan + kp*u", "iwan4_kp", "iwan4",
             {slip(5.02, 5.30), stiffness(12.11, 13.11), plain_span("chi", -0.84, 0.00), log_span("beta", -3.76, -1.47),
              post_slip(3.83, 11.07), normal(14.51, 18.50)}),
      iwan,
      masing(
          "Bouc-Wen General", "bouc_wen", "bouc_wen",
          {stiffness(12.60, 12.94), log_span("eta", 6.92, 10.29), plain_span("n", 0.50, 1.08), normal(15.97, 18.27)}),
      masing("5-Parameter Iwan", "iwan5", "iwan5",
             {slip(4.85, 5.30), stiffness(11.57, 13.07), plain_span("chi", -0.82, 0.17), log_span("beta", -4.84, -2.87),
              plain_span("theta", 0.88, 1.00), normal(13.91, 18.40)}),
      surface("Jenkins", "jenkins", "jenkins", spring,
              {slip(5.28, 5.43), stiffness(15.12, 15.52), normal(10.77, 11.92)}),
      bouc_wen_kp,
      surface("Generalized Jenkins Prager", "jenkins_prager", "jenkins_prager", spring,
              {slip(5.27, 5.40), stiffness(14.91, 15.63), post_slip(9.03, 11.23), normal(10.79, 11.92)}),
      masing("Bouc-Wen n=2", "bouc_wen_2", "bouc_wen_2",
             {stiffness(11.53, 12.78), log_span("eta", 1.81, 2.25), normal(17.64, 19.33)}),
      bouc_wen,
      masing("Bouc-Wen n=1 + kp*u", "bouc_wen_1_kp", "bouc_wen_1",
             {stiffness(12.68, 12.83), log_span("eta", 7.40, 7.55), post_slip(10.14, 10.59), normal(13.43, 18.60)}),
      masing("Valanis", "valanis", "valanis",
             {stiffness(12.66, 12.82), log_span("lambda", 7.38, 7.53), post_slip(5.76, 10.58),
              plain_span("kappa", 0.00, 0.01), normal(18.16, 19.88)}),
      masing("Bouc-Wen n=1", "bouc_wen_1", "bouc_wen_1",
             {stiffness(12.67, 12.84), log_span("eta", 7.39, 7.55), normal(16.18, 18.54)}),
      surface("Elastic Dry Friction + kp*u", "elastic_dry_friction_kp", "elastic_dry_friction", penalty,
              {plain_span("friction_coefficient", 0.67, 1.57), stiffness(13.75, 15.5), post_slip(0.00, 7.90),
               normal(11.73, 11.78)}),
      surface("Elastic Dry Friction", "elastic_dry_friction", "elastic_dry_friction", penalty,
              {plain_span("friction_coefficient", 0.65, 1.47), stiffness(13.93, 15.26), normal(11.74, 11.78)}),
      masing("Generalized Jenkins Prager", "jenkins_prager", "jenkins_prager",
             {slip(4.58, 5.16), stiffness(11.66, 12.79), post_slip(11.12, 11.38), normal(12.12, 18.51)}),
      traced("Jenkins", "jenkins", "jenkins", 3, true, false,
             {slip(5.18, 5.28), stiffness(12.67, 13.63), normal(11.27, 16.92)}),
      masing("Jenkins", "jenkins", "jenkins", {slip(5.21, 5.29), stiffness(12.76, 17.24), normal(11.32, 17.76)}),
      dry(masing("Elastic Dry Friction", "elastic_dry_friction", "elastic_dry_friction",
                 {plain_span("friction_coefficient", 0.75, 2.07), stiffness(12.38, 14.37), normal(12.28, 12.33)}),
          51),
      dry(traced("Elastic Dry Friction", "elastic_dry_friction", "elastic_dry_friction", 6, true, false,
                 {plain_span("friction_coefficient", 0.84, 1.03), stiffness(13.83, 14.96), normal(12.29, 12.31)}),
          41),
      prager,
      // The table rounds chi to -1.00 and says that it is more: here the largest that rounds so.
      undamped(iwan, {slip(5.28, 5.32), stiffness(13.19, 15.64), plain_span("chi", -0.995, -0.88),
                      log_span("beta", -2009.75, -3.79), normal(13.32, 18.42)}),
      undamped(bouc_wen_kp, {stiffness(12.77, 12.86), log_span("alpha", 7.82, 8.49),
                             plain_span("beta_over_alpha", 0.45, 0.91), post_slip(6.04, 10.14), normal(12.87, 14.75)}),
      undamped(bouc_wen, {stiffness(12.77, 12.84), log_span("alpha", 7.58, 8.43),
                          plain_span("beta_over_alpha", 0.08, 0.91), normal(13.18, 14.72)}),
      undamped(valanis, {stiffness(12.10, 12.85), log_span("lambda", 7.13, 7.83), post_slip(10.96, 11.76),
                         plain_span("kappa", 0.00, 0.06), normal(14.18, 21.31)}),
  };
}

/// Letters that matter: lower case, no blanks, zeta in letters.
std::string plain(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i, 2) == "ζ") {
      out += "zeta";
      ++i;
    } else if (name[i] != ' ') {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    }
  }
  return out;
}

}  // namespace

const std::vector<Combination>& combinations() {
  static const std::vector<Combination> table = make_table();
  return table;
}

const Combination& combination_named(std::string_view name) {
  const std::string wanted = plain(name);
  std::vector<std::string> known;
  for (const Combination& c : combinations()) {
    if (plain(c.name) == wanted || c.key == wanted) return c;
    known.push_back(c.key);
  }
  throw InvalidInput(fmt::format("unknown combination '{}'{}", name, suggestion(name, known)));
}

std::vector<double> search_point(const Combination& combination, double fraction) {
  std::vector<double> point;
  for (const ParameterSpan& span : combination.spans) point.push_back(std::lerp(span.lower, span.upper, fraction));
  return point;
}

InterfaceParameters interface_parameters(const Combination& combination, std::span<const double> point) {
  if (point.size() != combination.n_parameters())
    throw InvalidInput(
        fmt::format("{} has {} parameters, got {}", combination.name, combination.n_parameters(), point.size()));
  InterfaceParameters parameters{.law = combination.fixed, .normal_stiffness = 0};
  double alpha = 0;
  for (std::size_t i = 0; i < point.size(); ++i) {
    const ParameterSpan& span = combination.spans[i];
    const double value = span.logarithmic ? std::pow(10.0, point[i]) : point[i];
    if (span.name == "normal_stiffness") {
      parameters.normal_stiffness = value;
    } else if (span.name == "beta_over_alpha") {
      parameters.law.emplace_back("beta", value * alpha);
    } else {
      if (span.name == "alpha") alpha = value;
      parameters.law.emplace_back(span.name, value);
    }
  }
  return parameters;
}

}  // namespace microslip
