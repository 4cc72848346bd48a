#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <microslip/joints/any_law.hpp>

namespace microslip::test {

/// What the properties of laws are tested on. A new law joins here and inherits them.
using AllLaws =
    ::testing::Types<Iwan4<double>, Iwan5<double>, BoucWen<double>, BoucWen1<double>, BoucWen2<double>, Valanis<double>,
                     Jenkins<double>, ElasticDryFriction<double>, Prager<double>, JenkinsPrager<double>>;

/// iwan5 jumps at macro-slip: there a history stays below, where no branch can reach it.
template <class L>
double below_jump(double reach) {
  return L::name == "iwan5" ? 0.24 * reach : reach;
}

/// n units of round-off at the size of x.
inline double roundoff(double n, double x) { return n * std::numeric_limits<double>::epsilon() * std::abs(x); }

/// A law with random parameters, a displacement well into slip, and the force scale there.
template <class L>
struct Sample {
  L law;
  double reach;
  double force;
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  double log_uniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }

 private:
  std::mt19937 engine_;
};

template <class Law>
Sample<Law> sample_iwan(Random& random) {
  Law law{};
  law.slip_force = random.log_uniform(10, 1e4);
  law.stiffness = random.log_uniform(1e5, 1e8);
  law.chi = random.uniform(-0.9, 1.0);
  law.beta = random.log_uniform(1e-3, 10);
  law.post_slip_stiffness = random.uniform(0, 0.1) * law.stiffness;
  if constexpr (requires { law.theta; }) law.theta = random.uniform(0.2, 1);
  return {law, 2 * law.phi_max(), law.slip_force + 2 * law.phi_max() * law.post_slip_stiffness};
}
inline Sample<Iwan4<double>> sample(Random& random, const Iwan4<double>* /*tag*/) {
  return sample_iwan<Iwan4<double>>(random);
}
inline Sample<Iwan5<double>> sample(Random& random, const Iwan5<double>* /*tag*/) {
  return sample_iwan<Iwan5<double>>(random);
}

template <class Law>
Sample<Law> sample_bouc_wen(Random& random, double n) {
  Law law{};
  law.stiffness = random.log_uniform(1e5, 1e8);
  if constexpr (requires { law.n; }) law.n = n;
  const double slip = random.log_uniform(1e-6, 1e-3);  // the force saturates at stiffness x slip
  const double eta = law.stiffness / std::pow(law.stiffness * slip, n);
  const double share = random.uniform(0, 0.9);  // beta/alpha
  law.alpha = eta / (1 - share);
  law.beta = share * law.alpha;
  law.post_slip_stiffness = random.uniform(0, 0.1) * law.stiffness;
  return {law, 3 * slip, law.stiffness * slip};
}
inline Sample<BoucWen<double>> sample(Random& random, const BoucWen<double>* /*tag*/) {
  return sample_bouc_wen<BoucWen<double>>(random, random.log_uniform(0.5, 6));
}
inline Sample<BoucWen1<double>> sample(Random& random, const BoucWen1<double>* /*tag*/) {
  return sample_bouc_wen<BoucWen1<double>>(random, 1);
}
inline Sample<BoucWen2<double>> sample(Random& random, const BoucWen2<double>* /*tag*/) {
  return sample_bouc_wen<BoucWen2<double>>(random, 2);
}

inline Sample<Valanis<double>> sample(Random& random, const Valanis<double>* /*tag*/) {
  const double e_0 = random.log_uniform(1e5, 1e8), slip = random.log_uniform(1e-6, 1e-3);
  const Valanis<double> law{.stiffness = e_0,
                            .lambda = 1 / slip,
                            .kappa = random.uniform(0, 0.98),
                            .post_slip_stiffness = random.uniform(0, 0.5) * e_0};
  return {law, 3 * slip, 3 * e_0 * slip};
}

/// Any law with a slip force and a stiffness, unless it has a sample of its own. The stiffness is such that round-off
/// of the displacement does not drown the stick regime, of prager either.
template <class Law>
requires requires(Law law) {
  law.slip_force;
  law.stiffness;
}
Sample<Law> sample(Random& random, const Law* /*tag*/) {
  Law law{};
  law.stiffness = random.log_uniform(1e5, 1e8);
  law.slip_force = random.log_uniform(10, 1e4);
  law.post_slip_stiffness = random.uniform(0, 0.2) * law.stiffness;
  return {law, 3 * law.slip_force / law.stiffness, 2 * law.slip_force};
}

inline Sample<ElasticDryFriction<double>> sample(Random& random, const ElasticDryFriction<double>* /*tag*/) {
  const ElasticDryFriction<double> law{.friction_coefficient = random.uniform(0.1, 0.8),
                                       .stiffness = random.log_uniform(1e5, 1e8),
                                       .normal_force = random.log_uniform(10, 1e4),
                                       .post_slip_stiffness = random.uniform(0, 1e4)};
  const double slip_force = law.friction_coefficient * law.normal_force;
  return {law, 3 * slip_force / law.stiffness, 2 * slip_force};
}

template <class L>
Sample<L> sample_law(Random& random) {
  return sample(random, static_cast<const L*>(nullptr));
}

/// Random displacements in [-reach, reach].
inline std::vector<double> random_history(Random& random, double reach, int count) {
  std::vector<double> u(static_cast<std::size_t>(count));
  for (double& x : u) x = random.uniform(-reach, reach);
  return u;
}

}  // namespace microslip::test
