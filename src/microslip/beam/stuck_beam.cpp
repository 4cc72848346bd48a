#include <algorithm>
#include <cmath>
#include <numbers>

#include <microslip/beam/gauss.hpp>
#include <microslip/beam/stuck_beam.hpp>
#include <microslip/core/check.hpp>

namespace microslip::beam {

namespace {

constexpr double degree = std::numbers::pi / 180;

bool hold(const std::vector<Interval>& intervals, double x) {
  return std::any_of(intervals.begin(), intervals.end(), [x](const Interval& i) { return i.holds(x); });
}

}  // namespace

std::vector<double> frequencies_by_count(const std::function<int(double)>& count_below, int n, double smallest) {
  std::vector<double> frequencies(static_cast<std::size_t>(std::min(n, count_below(smallest))), 0.0);
  double low = smallest;
  while (static_cast<int>(frequencies.size()) < n) {
    const int wanted = static_cast<int>(frequencies.size()) + 1;
    double high = 2 * low;
    while (count_below(high) < wanted) {
      low = high;
      high *= 2;
      if (high > 1e15 * smallest)
        throw NotConverged(fmt::format("no {}th natural frequency below {} rad/s", wanted, high));
    }
    while (high - low > 4e-15 * high) {
      const double middle = (low + high) / 2;
      if (middle == low || middle == high) break;
      (count_below(middle) < wanted ? low : high) = middle;
    }
    frequencies.push_back((low + high) / 2);  // `low` stays: the next may be the same, counted twice
  }
  return frequencies;
}

std::vector<Attachment> attachments(const Model& model, double force) {
  const double angle = model.load.angle_deg * degree;
  return {{.position = model.bolt.position,
           .mass = model.bolt.mass,
           .rotary_inertia = model.bolt.rotary_inertia,
           .axial_stiffness = model.bolt.tangential_stiffness},
          {.position = model.load.position,
           .lateral_force = force * std::cos(angle),
           .axial_force = force * std::sin(angle)}};
}

double displacement_at_load(const Model& model, const Field& field) {
  const double angle = model.load.angle_deg * degree, x = model.load.position;
  return std::cos(angle) * field.at(x, Component::w) + std::sin(angle) * field.at(x, Component::u);
}

StuckBeam::StuckBeam(const Model& model)
    : model_(checked(model)), stuck_{{0, model.support.length}}, touching_(stuck_) {}

StuckBeam::StuckBeam(const Model& model, const Pressure& pressure) : StuckBeam(model) {
  stuck_ = pressure.pressed;
  if (!pressure.tied) touching_ = stuck_;
}

PiecewiseBeam StuckBeam::beam(double force) const {
  std::vector<double> cuts{0, model_.beam.length};
  for (const auto* intervals : {&stuck_, &touching_})
    for (const Interval& i : *intervals) cuts.insert(cuts.end(), {i.from, i.to});
  std::sort(cuts.begin(), cuts.end());
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const double middle = (cuts[i] + cuts[i + 1]) / 2;
    stretches.push_back({.from = cuts[i],
                         .to = cuts[i + 1],
                         .normal_stiffness = hold(touching_, middle) ? model_.support.normal_stiffness : 0,
                         .tangential_stiffness = hold(stuck_, middle) ? model_.support.tangential_stiffness : 0});
  }
  return {model_.beam, stretches, attachments(model_, force)};
}

std::vector<double> StuckBeam::natural_frequencies_hz(int n) const {
  const PiecewiseBeam chain = beam(0);
  const Beam& b = model_.beam;
  const double scale = std::sqrt(b.bending_stiffness() / b.mass_per_length()) / (b.length * b.length);
  auto frequencies = frequencies_by_count([&](double omega) { return chain.count_below(omega); }, n, 1e-3 * scale);
  for (double& f : frequencies) f /= 2 * std::numbers::pi;
  return frequencies;
}

std::vector<Mode> StuckBeam::modes(int n) const {
  const PiecewiseBeam chain = beam(0);
  std::vector<Mode> result;
  for (double frequency : natural_frequencies_hz(n)) {
    const double omega = 2 * std::numbers::pi * frequency;
    Field shape = chain.shape(omega);
    const double x_bolt = model_.bolt.position;
    const double w_bolt = shape.at(x_bolt, Component::w), u_bolt = shape.at(x_bolt, Component::u),
                 phi_bolt = shape.at(x_bolt, Component::phi);
    double bending = model_.bolt.mass * w_bolt * w_bolt + model_.bolt.rotary_inertia * phi_bolt * phi_bolt;
    double axial = model_.bolt.mass * u_bolt * u_bolt;
    double normal = 0, shear = 0;
    for (const Field::Piece& piece : shape.pieces()) {
      const double length = piece.to - piece.from, middle = (piece.from + piece.to) / 2;
      const auto integral = [&](Component a, Component b) {
        return length * gauss(0, 1, [&](double t) {
                 return value(piece.components[static_cast<std::size_t>(a)], t) *
                        value(piece.components[static_cast<std::size_t>(b)], t);
               });
      };
      const double ww = integral(Component::w, Component::w), pp = integral(Component::phi, Component::phi),
                   uu = integral(Component::u, Component::u), up = integral(Component::u, Component::phi);
      bending += model_.beam.mass_per_length() * ww + model_.beam.inertia_per_length() * pp;
      axial += model_.beam.mass_per_length() * uu;
      const double c = model_.beam.height / 2;
      if (hold(touching_, middle)) normal += ww;
      if (hold(stuck_, middle)) shear += uu - 2 * c * up + c * c * pp;
    }
    const double mass = bending + axial;
    // d(omega^2)/dk = (integral of the strained shape squared)/mass: the eigenvalue is stationary in the shape.
    const double over = omega > 0 ? 2 * omega * omega * mass : 1;
    std::vector<Field::Piece> pieces = shape.pieces();
    for (auto& piece : pieces)
      for (auto& component : piece.components)
        for (double& coefficient : component) coefficient /= std::sqrt(mass);
    result.push_back({.frequency_hz = frequency,
                      .bending_share = bending / mass,
                      .normal_sensitivity = model_.support.normal_stiffness * normal / over,
                      .shear_sensitivity = model_.support.tangential_stiffness * shear / over,
                      .shape = Field(std::move(pieces))});
  }
  return result;
}

Field StuckBeam::response(double force) const { return beam(force).solve(model_.load.omega()); }

FrequencyResponse StuckBeam::frequency_response(const std::vector<double>& frequency_hz) const {
  FrequencyResponse result{.frequency_hz = frequency_hz, .receptance = {}};
  const PiecewiseBeam chain = beam(1);
  for (double f : frequency_hz) {
    non_negative("frequency_hz", f);
    result.receptance.push_back(displacement_at_load(model_, chain.solve(2 * std::numbers::pi * f)));
  }
  return result;
}

}  // namespace microslip::beam
