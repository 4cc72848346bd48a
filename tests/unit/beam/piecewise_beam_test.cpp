#include <cmath>

#include <gtest/gtest.h>
#include <support/asadi.hpp>

#include <microslip/beam/piecewise_beam.hpp>

namespace microslip::beam {
namespace {

using test::asadi;

std::vector<Stretch> rig(double kn, double kt) {
  return {{.from = 0, .to = 0.05, .normal_stiffness = kn, .tangential_stiffness = kt}, {.from = 0.05, .to = 0.3}};
}

TEST(Polynomial, RestrictedIsTheSameFunction) {
  Polynomial c{};
  for (std::size_t k = 0; k < n_terms; ++k) c[k] = std::cos(static_cast<double>(3 * k)) / std::tgamma(k + 1.0);
  const Polynomial part = restricted(c, 0.3, 0.4);
  for (double t : {0.0, 0.25, 0.8, 1.0}) EXPECT_NEAR(value(part, t), value(c, 0.3 + 0.4 * t), 1e-14);
}

TEST(PiecewiseBeam, SatisfiesItsEquationsInsideEveryPiece) {
  const Beam beam = asadi().beam;
  const double omega = 200, kn = 1.7e9, kt = 5.8e8, c = beam.height / 2;
  const Field f =
      PiecewiseBeam(beam, rig(kn, kt), {{.position = 0.13, .lateral_force = 3, .axial_force = 50}}).solve(omega);
  const auto slope_of = [&](double x, Component k) {
    const double d = 1e-5;  // central differences: third derivatives bound the error far below 1e-5 of the scale
    return (f.at(x + d, k) - f.at(x - d, k)) / (2 * d);
  };
  for (double x : {0.011, 0.037, 0.09, 0.21}) {
    const bool stuck = x < 0.05;
    const double w = f.at(x, Component::w), phi = f.at(x, Component::phi), u = f.at(x, Component::u);
    const double tau = stuck ? kt * (u - c * phi) : 0;
    const double rho_A = beam.mass_per_length() * omega * omega, rho_I = beam.inertia_per_length() * omega * omega;
    const auto near = [](double a, double b, double scale) { EXPECT_NEAR(a, b, 1e-5 * (std::abs(b) + scale)); };
    near(slope_of(x, Component::w), phi, 0);
    near(slope_of(x, Component::phi), f.at(x, Component::M) / beam.bending_stiffness(), 0);
    near(slope_of(x, Component::u), f.at(x, Component::N) / beam.axial_stiffness(), 1e-9);
    near(slope_of(x, Component::V), ((stuck ? kn : 0) - rho_A) * w, 1e-3);
    near(slope_of(x, Component::M), -f.at(x, Component::V) - rho_I * phi - c * tau, 1e-3);
    near(slope_of(x, Component::N), tau - rho_A * u, 1e-3);
  }
}

TEST(PiecewiseBeam, CuttingAStretchChangesNothing) {
  const Beam beam = asadi().beam;
  const std::vector<Attachment> load{{.position = 0.13, .lateral_force = 1, .axial_force = 1}};
  std::vector<Stretch> cut = rig(1.7e9, 5.8e8);
  cut[0].to = 0.0123;
  cut.insert(cut.begin() + 1, {.from = 0.0123, .to = 0.05, .normal_stiffness = 1.7e9, .tangential_stiffness = 5.8e8});
  const Field whole = PiecewiseBeam(beam, rig(1.7e9, 5.8e8), load).solve(190);
  const Field parts = PiecewiseBeam(beam, cut, load).solve(190);
  for (double x : {0.0, 0.012, 0.03, 0.13, 0.3})
    for (Component k : {Component::w, Component::u})
      EXPECT_NEAR(whole.at(x, k), parts.at(x, k), 1e-9 * std::abs(whole.at(0.3, k))) << x;
}

TEST(PiecewiseBeam, AnswersReciprocally) {  // Maxwell-Betti: across at a by a force along at b, and back
  const Beam beam = asadi().beam;
  const Field across = PiecewiseBeam(beam, rig(1.7e9, 5.8e8), {{.position = 0.2, .lateral_force = 1}}).solve(150);
  const Field along = PiecewiseBeam(beam, rig(1.7e9, 5.8e8), {{.position = 0.02, .axial_force = 1}}).solve(150);
  const double there = across.at(0.02, Component::u), back = along.at(0.2, Component::w);
  EXPECT_NEAR(there, back, 1e-9 * std::abs(back));
  EXPECT_GT(std::abs(back), 0);  // the support does couple the two
}

TEST(PiecewiseBeam, StaysExactWhenTheSupportIsFarStifferThanTheBeam) {
  // A cantilever of 0.25 m in the limit; exp(beta * 0.05) = exp(1840) would overflow a transfer matrix.
  const Beam beam = asadi().beam;
  const double clamped = std::pow(0.25, 3) / (3 * beam.bending_stiffness());
  const Field f = PiecewiseBeam(beam, rig(1e20, 5.8e8), {{.position = 0.3, .lateral_force = 1}}).solve(0);
  const double beta = std::pow(1e20 / (4 * beam.bending_stiffness()), 0.25);
  // The foundation yields as if the clamp sat 1/beta deeper: (l + 1/beta)^3 / 3EI and less than that again.
  EXPECT_NEAR(f.at(0.3, Component::w), clamped, 10 * clamped / (0.25 * beta));
  EXPECT_GT(f.at(0.3, Component::w), clamped);
}

}  // namespace
}  // namespace microslip::beam
