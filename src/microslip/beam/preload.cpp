#include <algorithm>
#include <cmath>

#include <microslip/beam/preload.hpp>
#include <microslip/core/check.hpp>

namespace microslip::beam {

namespace {

/// The deflection under the preload when the normal springs act in [from, to].
Field deflection(const Model& model, double from, double to) {
  const auto& [beam, support, bolt, load] = model;
  std::vector<double> cuts{0, from, to, support.length, beam.length, bolt.position};
  const double radius = bolt.head_diameter / 2;
  const double left = std::max(0.0, bolt.position - radius), right = std::min(support.length, bolt.position + radius);
  cuts.insert(cuts.end(), {left, right});
  std::sort(cuts.begin(), cuts.end());
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const double middle = (cuts[i] + cuts[i + 1]) / 2;
    stretches.push_back(
        {.from = cuts[i],
         .to = cuts[i + 1],
         .normal_stiffness = middle > from && middle < to ? support.normal_stiffness : 0,
         .lateral_load = radius > 0 && middle > left && middle < right ? bolt.preload / (right - left) : 0});
  }
  // The beam does not move along x; any spring there keeps the equations regular.
  const Attachment hold{.position = 0, .axial_stiffness = beam.axial_stiffness() / beam.length};
  const Attachment push{.position = bolt.position, .lateral_force = radius > 0 ? 0 : bolt.preload};
  return PiecewiseBeam(beam, stretches, {hold, push}).solve(0);
}

/// Where w changes sign between a (outside, w <= 0) and b (inside, w > 0).
double edge_between(const Field& field, double a, double b) {
  for (int i = 0; i < 60 && std::abs(b - a) > 1e-16; ++i) {
    const double middle = (a + b) / 2;
    (field.at(middle, Component::w) > 0 ? b : a) = middle;
  }
  return (a + b) / 2;
}

/// Every interval of [0, length] in which w > 0, but for waves that have decayed into rounding. Pieces are shorter than
/// the waves of w.
std::vector<Interval> pressed_in(const Field& field, double length) {
  constexpr int n = 8;
  double largest = 0;
  for (const Field::Piece& piece : field.pieces())
    if (piece.from < length) largest = std::max(largest, std::abs(field.at(piece.from, Component::w)));
  const double nothing = 1e-12 * largest;
  std::vector<Interval> intervals;
  double before = 0;
  bool inside = field.at(0, Component::w) > nothing;
  if (inside) intervals.push_back({0, length});
  for (const Field::Piece& piece : field.pieces()) {
    if (piece.from >= length) break;
    for (int i = 1; i <= n; ++i) {
      const double x = std::min(length, piece.from + (piece.to - piece.from) * i / n);
      const double w = field.at(x, Component::w);
      const bool now = w > nothing || (inside && w > -nothing);
      if (now && !inside) intervals.push_back({edge_between(field, before, x), length});
      if (!now && inside) intervals.back().to = edge_between(field, x, before);
      before = x;
      inside = now;
    }
  }
  return intervals;
}

/// The interval around the bolt in which w > 0.
Interval touching(const Field& field, double bolt, double length) {
  for (const Interval& interval : pressed_in(field, length))
    if (interval.from <= bolt && bolt <= interval.to) return interval;
  throw NotConverged(fmt::format("preload: the beam does not touch the support under the bolt at {} m", bolt));
}

}  // namespace

Pressure preload_pressure(const Model& model) {
  const auto& [beam, support, bolt, load] = model;
  Pressure pressure{.density = {},
                    .from = 0,
                    .to = support.length,
                    .tied = !support.unilateral,
                    .total = bolt.preload,
                    .pressed = {{0, support.length}},
                    .lift_off = {0, 0}};
  if (bolt.preload == 0 || support.normal_stiffness == 0) {
    if (bolt.preload > 0) throw InvalidInput("bolt.preload needs support.normal_stiffness > 0 to rest on, got 0");
    pressure.density.add(0, support.length, {});
    return pressure;
  }

  if (support.unilateral && (bolt.position == 0 || bolt.position == support.length))
    throw InvalidInput(
        fmt::format("bolt.position {} is an end of the support, [0, {}]: a support that only presses cannot hold a "
                    "preload there: move the bolt inward",
                    bolt.position, support.length));

  Field field = deflection(model, 0, support.length);
  // Moving a free edge to where w = 0 changes w there by the square of the move: convergence is quadratic.
  for (int i = 0; support.unilateral && i < 100; ++i) {
    const auto [from, to] = touching(field, bolt.position, support.length);
    const double moved = std::max(std::abs(from - pressure.from), std::abs(to - pressure.to));
    pressure.from = from;
    pressure.to = to;
    field = deflection(model, from, to);
    if (moved < 1e-13 * support.length) break;
    if (i == 99)
      throw NotConverged(fmt::format("preload: the touching interval still moves by {} m after 100 steps", moved));
  }
  if (support.unilateral) {
    pressure.pressed = {touching(field, bolt.position, support.length)};
  } else {
    pressure.pressed = pressed_in(field, support.length);
  }
  pressure.lift_off = {pressure.pressed.front().from, support.length - pressure.pressed.back().to};
  for (const Field::Piece& piece : field.pieces()) {
    if (piece.from < pressure.from - 1e-15 || piece.to > pressure.to + 1e-15) continue;
    Polynomial q = piece.components[0];
    for (double& c : q) c *= support.normal_stiffness;
    pressure.density.add(piece.from, piece.to, q);
  }
  const double held = pressure.density.integral();
  if (!(std::abs(held - bolt.preload) <= 1e-6 * bolt.preload))  // a beam that tips over a bolt micrometres from an end
    throw NotConverged(
        fmt::format("preload: the pressure found holds {:.3g} N of {:.6g} N, with the bolt at {} m of a "
                    "support on [0, {}]",
                    held, bolt.preload, bolt.position, support.length));
  return pressure;
}

}  // namespace microslip::beam
