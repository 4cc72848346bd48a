#include <cmath>

#include <gtest/gtest.h>

#include "oscillator.hpp"
#include "two_patches.hpp"

namespace microslip {
namespace {

struct Case {
  std::string name;
  AnyLaw law;
  Contact contact;
  Tangential tangential;
  RqnmaOptions options;
};

std::vector<Case> cases() {
  RqnmaOptions masing, conservative, full;
  masing.framework = Framework::masing;
  conservative.framework = full.framework = Framework::reversal;
  conservative.prestress = {.law = PrestressLaw::conservative, .preload = 300};
  full.prestress = {.law = PrestressLaw::full, .preload = 300};
  masing.prestress = full.prestress;
  const auto separate = Tangential::separate, coupled = Tangential::coupled;
  const auto spring = Contact::spring, penalty = Contact::penalty;
  const Iwan4<double> iwan4{.slip_force = 100, .stiffness = 2e5, .chi = -0.4, .beta = 0.3, .post_slip_stiffness = 1e3};
  const Valanis<double> valanis{.stiffness = 2e5, .lambda = 2e3, .kappa = 0.4, .post_slip_stiffness = 1e4};
  const BoucWen<double> bouc_wen{.stiffness = 2e5, .n = 1.3, .alpha = 700, .beta = 100, .post_slip_stiffness = 2e3};
  const Jenkins<double> jenkins{.stiffness = 2e5, .slip_force = 60, .post_slip_stiffness = 0};
  const ElasticDryFriction<double> friction{.friction_coefficient = 0.4, .stiffness = 2e5};
  return {{"iwan4, masing", iwan4, spring, separate, masing},
          {"bouc_wen, masing", bouc_wen, spring, separate, masing},
          {"friction, masing", friction, penalty, separate, masing},
          {"iwan4, reversal, full", iwan4, spring, separate, full},
          {"valanis, reversal, conservative", valanis, spring, separate, conservative},
          {"bouc_wen, reversal, conservative", bouc_wen, spring, separate, conservative},
          {"jenkins, reversal, full", jenkins, spring, separate, full},
          {"jenkins in the plane, reversal, full", jenkins, spring, coupled, full},
          {"friction, reversal, full", friction, penalty, separate, full},
          {"friction in the plane, conservative", friction, penalty, coupled, conservative}};
}

TEST(Sensitivity, EqualsCentralDifferences) {
  const std::vector<double> amplitudes{2e-4, 1.1e-3};
  std::vector<std::pair<Case, bool>> all;
  for (const Case& test : cases())
    for (const bool floats : {false, true}) all.push_back({test, floats});
  for (auto& [test, floats] : all) {
    const JointedSystem system = test::two_patches(test.contact, floats);
    if (floats) test.name += ", floating";
    const Joint joint{test.law, 3e5, test.tangential, true};
    test.options.sensitivities = true;
    test.options.newton.tolerance = 1e-13;
    test.options.loop_tolerance = 1e-12;
    const Rqnma result = rqnma(system, joint, 1, amplitudes, test.options);
    const NamedValues values = joint_parameters(joint);
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (values[j].second == 0) continue;  // at a bound: no central difference
      const auto moved = [&](double factor) {
        NamedValues law = law_parameters(joint.law);
        Joint other = joint;
        if (j < law.size()) {
          law[j].second *= factor;
          other.law = make_law(law_name(joint.law), law);
        } else {
          other.normal_stiffness *= factor;
        }
        return rqnma(system, other, 1, amplitudes, test.options);
      };
      const double h = 1e-5;
      const Rqnma up = moved(1 + h), down = moved(1 - h);
      const auto at = static_cast<Eigen::Index>(j);
      for (std::size_t i = 0; i < amplitudes.size(); ++i) {
        ASSERT_TRUE(result.points[i].converged) << test.name << ": " << result.points[i].flag;
        const double p = values[j].second, f = result.points[i].frequency_hz, zeta = result.points[i].damping_ratio;
        const double df = (up.points[i].frequency_hz - down.points[i].frequency_hz) / (2 * h);
        const double dzeta = (up.points[i].damping_ratio - down.points[i].damping_ratio) / (2 * h);
        // h^2 of the difference and what rounding and closing leave over 2h
        EXPECT_NEAR(p * result.points[i].d_frequency_hz(at), df, 1e-6 * f) << test.name << ", " << values[j].first;
        EXPECT_NEAR(p * result.points[i].d_damping_ratio(at), dzeta, 2e-5 * (zeta + 0.01))
            << test.name << ", " << values[j].first << " at " << amplitudes[i];
      }
    }
  }
}

TEST(Sensitivity, OfModalDissipationIsRefused) {
  RqnmaOptions options;
  options.sensitivities = true;
  options.dissipation = Dissipation::modal;
  const std::vector<double> amplitudes{1e-4};
  EXPECT_THROW(rqnma(test::two_patches(), {Jenkins<double>{1e5, 10, 0}, 1e5}, 1, amplitudes, options), InvalidInput);
}

}  // namespace
}  // namespace microslip
