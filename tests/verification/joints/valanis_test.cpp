// Valanis' law at motions so small that it hardly leaves its first slope, against a hundred digits.
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <gtest/gtest.h>
#include <support/laws.hpp>

#include <microslip/joints/loop.hpp>

namespace microslip {
namespace {

using Big = boost::multiprecision::cpp_bin_float_100;
using test::roundoff;

/// Eqs. (2) and (4) of docs/theory/valanis.md.
struct Symbols {
  explicit Symbols(const Valanis<double>& law)
      : e_0(law.stiffness),
        kappa(law.kappa),
        a(e_0 - law.post_slip_stiffness),
        b(e_0 - kappa * law.post_slip_stiffness),
        e(e_0 * (1 - kappa)),
        per_force(b * law.lambda / e_0),
        per_way(b * per_force) {}
  Big e_0, kappa, a, b, e, per_force, per_way;

  /// The fall from w_0 after a way, by Newton's method.
  [[nodiscard]] Big fall(const Big& w_0, const Big& way) const {
    Big x = 0;
    for (int i = 0; i < 200; ++i)
      x += (w_0 - x) * (per_way * way - kappa * x - e * log(w_0 / (w_0 - x))) / (kappa * (w_0 - x) + e);
    return x;
  }
  /// The steady loop runs from a + y to a - y and back.
  [[nodiscard]] Big steady(const Big& amplitude) const {
    Big y = 0;
    for (int i = 0; i < 200; ++i)
      y += (a * a - y * y) * (2 * per_way * amplitude - 2 * kappa * y - e * log((a + y) / (a - y))) /
           (2 * kappa * (a * a - y * y) + 2 * e * a);
    return y;
  }
  /// Eq. (5).
  [[nodiscard]] Big loss(const Big& from, const Big& to) const {
    const Big integral = (from * from - to * to) / 2 - 2 * a * (from - to) + a * a * log(from / to);
    return e / (per_force * per_force * b * a) * integral;
  }
};

/// `body(law, symbols, u)` over kappa, E_t and displacements from 1e-20 m to a fifth of the knee.
template <class Body>
void at_small_motions(const Body& body) {
  for (const double kappa : {0.0, 0.3, 0.5, 0.97, 1.0})
    for (const double e_t : {0.0, 4e4}) {
      const Valanis<double> law{2.5e5, 2.5e4, kappa, e_t};
      const Symbols symbols(law);
      for (const double u : {1e-20, 1e-18, 1e-16, 1e-14, 1e-12, 1e-9, 1e-7, 1e-6, 8e-6}) {
        SCOPED_TRACE(testing::Message() << "kappa " << kappa << " E_t " << e_t << " u " << u);
        body(law, symbols, u);
      }
    }
}

TEST(Valanis, HoldsAllDigitsOfFirstLoadingHoweverSmall) {
  at_small_motions([](const Valanis<double>& law, const Symbols& by, double u) {
    const double exact = static_cast<double>(by.fall(by.a, u) / by.per_force + law.post_slip_stiffness * Big(u));
    const auto r = law.evaluate({}, u);
    EXPECT_NEAR(r.force / exact, 1, roundoff(16, 1));
    EXPECT_NEAR(law.evaluate({}, -u).force, -r.force, 0);
    EXPECT_NEAR(law.curve(u).force + law.post_slip_stiffness * u, r.force, roundoff(2, r.force));
    const Dual dual = law.cast<Dual>().evaluate({}, Dual::variable(u)).force;
    EXPECT_NEAR(dual.value, r.force, roundoff(4, r.force));
    EXPECT_NEAR(dual.grad, r.tangent, roundoff(16, r.tangent));
    const Big fall = by.fall(by.a, u), h = fall / by.per_force, lost = by.loss(by.a, by.a - fall);
    EXPECT_NEAR(r.dissipated, static_cast<double>(lost), roundoff(64, r.dissipated));
    const Big masing = 2 * lost - h * (u - h / by.a);
    EXPECT_NEAR(law.curve(u).loss, static_cast<double>(masing), roundoff(256, r.dissipated));
  });
}

TEST(Valanis, HoldsAllDigitsOfTheSteadyLoopHoweverSmall) {
  at_small_motions([](const Valanis<double>& law, const Symbols& by, double u) {
    const Big y = by.steady(u), top = y / by.per_force + law.post_slip_stiffness * Big(u);
    EXPECT_NEAR(secant_stiffness(law, u, Framework::reversal) / static_cast<double>(top / u), 1, roundoff(16, 1));
    EXPECT_NEAR(law.evaluate(steady_state(law, u), -u).force / static_cast<double>(-top), 1, roundoff(16, 1));
    const double exact = static_cast<double>(2 * by.loss(by.a + y, by.a - y)),
                 loss = loop_dissipation(law, u, Framework::reversal);
    EXPECT_NEAR(loss, exact, roundoff(64, exact));
  });
}

TEST(Valanis, DerivativesByKappaHoldAtBothEndsOfItsRange) {
  // One-sided differences of second order: kappa goes no further. From small moves to far slip; at kappa = 1 short of
  // the corner, next to which the third derivative of the force, which they leave, has no bound.
  const double e_0 = 2.5e5, lambda = 2.5e4, knee = 1 / lambda, h = 1e-5;
  for (const double e_t : {0.0, 4e4})
    for (const double kappa : {0.0, 1.0})
      for (const double part : {0.1, 0.3, 0.6, 0.9, 2.0, 5.0}) {
        if (kappa == 1 && part > 0.6) continue;
        SCOPED_TRACE(testing::Message() << "kappa " << kappa << " E_t " << e_t << " at " << part);
        Valanis<Dual> dual = Valanis<double>{e_0, lambda, kappa, e_t}.cast<Dual>();
        dual.kappa.grad = 1;
        const double inward = kappa == 0 ? h : -h, scale = e_0 * knee;
        // first loading, and a move back from there
        const auto there_and_back = [&](const auto& law) {
          typename std::decay_t<decltype(law)>::State s{};
          using S = typename std::decay_t<decltype(law)>::Scalar;
          const auto first = law.advance(s, S(part * knee)), second = law.evaluate(s, S(-part * knee));
          return std::array{first.force,  first.tangent,  first.dissipated,
                            second.force, second.tangent, second.dissipated};
        };
        const auto at = [&](double k) { return there_and_back(Valanis<double>{e_0, lambda, k, e_t}); };
        const auto found = there_and_back(dual);
        const auto f_0 = at(kappa), f_1 = at(kappa + inward), f_2 = at(kappa + 2 * inward);
        const std::array<double, 6> scales{scale, e_0, scale * knee, scale, e_0, scale * knee};
        for (std::size_t i = 0; i < scales.size(); ++i) {
          const double difference = (-3 * f_0[i] + 4 * f_1[i] - f_2[i]) / (2 * inward);
          EXPECT_NEAR(found[i].grad, difference, 1e-6 * scales[i]) << i;
        }
      }
}

}  // namespace
}  // namespace microslip
