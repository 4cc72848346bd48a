// Computed backbones: two frameworks, two dissipations, two ways to close a loop, and the bundled beam.
#include <cmath>
#include <filesystem>
#include <numbers>

#include <gtest/gtest.h>
#include <support/observed_order.hpp>
#include <unit/modal/oscillator.hpp>
#include <unit/modal/two_patches.hpp>

#include <microslip/io/hdf5.hpp>
#include <microslip/modal/combination_setup.hpp>

namespace microslip {
namespace {

using std::numbers::pi;
using test::spaced;

const JointedSystem& beam() {
  static const JointedSystem system = [] {
    const auto path = std::filesystem::path(MICROSLIP_SOURCE_DIR) / "data/brb/brb-whole-joint.h5";
    return JointedSystem(reduced_model(io::read_hdf5(path).archive, path.string()));
  }();
  return system;
}

/// The joint of one of the paper's combinations, at a fraction between the ends of its parameter ranges.
Joint joint_of(const std::string& name, double fraction) {
  const Combination& combination = combination_named(name);
  return joint_at(combination, search_point(combination, fraction));
}

RqnmaOptions with(Framework framework, PrestressLaw law = PrestressLaw::conservative) {
  RqnmaOptions options;
  options.framework = framework;
  options.prestress = {.law = law, .preload = 12845};
  return options;
}

double largest_difference(const Rqnma& a, const Rqnma& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    EXPECT_TRUE(a.points[i].converged && b.points[i].converged) << a.points[i].flag << b.points[i].flag;
    largest = std::max(
        {largest, std::abs(a.points[i].frequency_hz / b.points[i].frequency_hz - 1),
         std::abs(a.points[i].damping_ratio - b.points[i].damping_ratio) / std::max(a.points[i].damping_ratio, 1e-6)});
  }
  return largest;
}

const std::vector<double> tested = spaced(1e-7, std::pow(10, -4.2), 20);

TEST(Backbone, FrameworksAgreeForMasingLawsWithoutTangentialPrestress) {
  for (const char* name :
       {"4-Parameter Iwan (WJ, Masing)", "Jenkins (WJ, Masing)", "Generalized Jenkins Prager (WJ, Masing)"}) {
    const Joint joint = joint_of(name, 0.5);
    const double difference = largest_difference(rqnma(beam(), joint, 1, tested, with(Framework::masing)),
                                                 rqnma(beam(), joint, 1, tested, with(Framework::reversal)));
    EXPECT_LT(difference, 1e-6) << name;
  }
}

TEST(Backbone, FrameworksDifferUnderTangentialPrestressAndForOtherLaws) {
  const Joint iwan = joint_of("4-Parameter Iwan (WJ, Masing)", 0.5);
  const Rqnma masing = rqnma(beam(), iwan, 1, tested, with(Framework::masing));
  const double full =
      largest_difference(masing, rqnma(beam(), iwan, 1, tested, with(Framework::reversal, PrestressLaw::full)));
  EXPECT_GT(full, 1e-6);
  const Joint bouc_wen = joint_of("Bouc-Wen n=1 (WJ, non-Masing)", 0.5);
  EXPECT_GT(largest_difference(rqnma(beam(), bouc_wen, 1, tested, with(Framework::masing)),
                               rqnma(beam(), bouc_wen, 1, tested, with(Framework::reversal))),
            1e-3);
}

TEST(Backbone, MeanLambdaOfAPrestressedOscillatorIsThatOfMasingsLoop) {
  // Friction that starts from a force: a Masing branch from there is centred elsewhere, but as tall.
  System system;
  system.mass = Eigen::Vector3d(2, 1, 1).asDiagonal();
  system.stiffness = Eigen::Vector3d(1e5, 1e9, 1e9).asDiagonal();
  system.prestress = Eigen::Vector3d(1, 0, 1);
  Interface interface;
  interface.map = Eigen::Matrix3d::Identity();
  interface.areas = Eigen::VectorXd::Ones(1);
  const JointedSystem oscillator(system, interface, "oscillator");
  const Joint joint = test::joint_of(Iwan4<double>{.slip_force = 100, .stiffness = 1e5, .chi = -0.3, .beta = 0.5});
  const std::vector<double> q{1e-3};
  RqnmaOptions options = with(Framework::reversal, PrestressLaw::full);
  options.prestress.preload = 60;
  const BackbonePoint reversal = rqnma(oscillator, joint, 1, q, options).points.front();
  const BackbonePoint masing = rqnma(oscillator, joint, 1, q, with(Framework::masing)).points.front();
  ASSERT_TRUE(reversal.converged && masing.converged);
  // lambda at +q from the forces there; that at -q makes the mean the one of Masing's loop. The mean of omega is lower.
  const auto omega_hz = [](double lambda) { return std::sqrt(lambda) / (2 * std::numbers::pi); };
  const double masing_lambda = std::pow(2 * std::numbers::pi * masing.frequency_hz, 2),
               top_lambda = (1e5 * reversal.relative(0) + reversal.force(0)) / (2 * reversal.relative(0)),
               mean_hz = 0.5 * (omega_hz(top_lambda) + omega_hz(2 * masing_lambda - top_lambda));
  EXPECT_GT(std::abs(top_lambda / masing_lambda - 1), 1e-3);
  EXPECT_NEAR(reversal.frequency_hz, mean_hz, 1e-9 * mean_hz);
  EXPECT_LT(reversal.frequency_hz, masing.frequency_hz * (1 - 1e-8));
  EXPECT_NEAR(reversal.dissipation, masing.dissipation, 1e-9 * masing.dissipation);
}

/// Relative difference of modal and local dissipation with n points.
double quadrature_error(Framework framework, int n) {
  const JointedSystem system = test::oscillator(2, 1e5);
  const Joint joint = test::joint_of(Iwan4<double>{.slip_force = 100, .stiffness = 1e5, .chi = -0.5, .beta = 1});
  const std::vector<double> q{1e-3};
  RqnmaOptions options;
  options.framework = framework;
  const double local = rqnma(system, joint, 1, q, options).points.front().dissipation;
  options.dissipation = Dissipation::modal;
  options.quadrature_points = n;
  const BackbonePoint modal = rqnma(system, joint, 1, q, options).points.front();
  EXPECT_TRUE(modal.converged) << modal.flag;
  return std::abs(modal.dissipation / local - 1);
}

TEST(Backbone, ModalDissipationConvergesToLocalAtTheOrderOfTheCurvesEnd) {
  // The force leaves its tangent as x^(2+chi), x from the end of a branch: Gauss rules are of order 2(3+chi) there.
  for (const Framework framework : {Framework::masing, Framework::reversal}) {
    EXPECT_LT(quadrature_error(framework, 40), 1e-6);
    EXPECT_NEAR(std::log2(quadrature_error(framework, 10) / quadrature_error(framework, 19)), 5, 0.5)
        << to_string(framework);
  }
}

TEST(Backbone, ModalDissipationMeetsLocalOnTheBeam) {
  const Joint joint = joint_of("4-Parameter Iwan (WJ, Masing)", 0.5);
  const auto amplitudes = spaced(1e-6, 1e-5, 5);
  RqnmaOptions options = with(Framework::masing);
  const Rqnma local = rqnma(beam(), joint, 1, amplitudes, options);
  options.dissipation = Dissipation::modal;
  const Rqnma modal = rqnma(beam(), joint, 1, amplitudes, options);
  for (std::size_t i = 0; i < amplitudes.size(); ++i)
    EXPECT_NEAR(modal.points[i].dissipation, local.points[i].dissipation, 1e-4 * local.points[i].dissipation);
}

TEST(Backbone, AcceleratedLoopsCloseWherePlainRepetitionDoes) {
  const Joint joint = joint_of("Bouc-Wen n=1 (WJ, non-Masing)", 0.5);
  const auto amplitudes = spaced(1e-5, 5e-5, 3);
  RqnmaOptions options = with(Framework::reversal);
  const Rqnma fast = rqnma(beam(), joint, 1, amplitudes, options);
  options.accelerate = false;
  options.max_loops = 20000;
  const Rqnma plain = rqnma(beam(), joint, 1, amplitudes, options);
  int fast_loops = 0, plain_loops = 0;
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    ASSERT_TRUE(fast.points[i].converged) << fast.points[i].flag;
    ASSERT_TRUE(plain.points[i].converged) << plain.points[i].flag;
    EXPECT_NEAR(fast.points[i].frequency_hz, plain.points[i].frequency_hz, 1e-6 * fast.points[i].frequency_hz);
    EXPECT_NEAR(fast.points[i].dissipation, plain.points[i].dissipation, 1e-4 * fast.points[i].dissipation);
    fast_loops += fast.points[i].loops;
    plain_loops += plain.points[i].loops;
  }
  EXPECT_LT(fast_loops, plain_loops);
}

TEST(Backbone, SaysThatItsModeHasMetAnother) {
  // The joint's mode softens from 2e5 towards 1e5 rad^2/s^2 and meets a neighbour at 1.5e5, coupled by 3 % of that.
  System system;
  system.mass = Eigen::Vector4d::Ones().asDiagonal();
  system.stiffness = Eigen::Vector4d(1e5, 1e9, 1e9, 1.5e5).asDiagonal();
  system.stiffness(0, 3) = system.stiffness(3, 0) = 5e3;
  Interface interface;
  interface.map = Eigen::MatrixXd::Identity(3, 4);
  interface.areas = Eigen::VectorXd::Ones(1);
  const JointedSystem pair(system, interface, "pair");
  const Joint joint = test::joint_of(Iwan4<double>{.slip_force = 100, .stiffness = 1e5, .chi = -0.3, .beta = 0.5});
  const auto apart = spaced(1e-5, 2e-4, 6), together = spaced(1e-5, 1e-2, 12);
  const Rqnma before = rqnma(pair, joint, 2, apart), after = rqnma(pair, joint, 2, together);
  for (const BackbonePoint& point : before.points) EXPECT_GT(point.linear_assurance, 0.9) << point.amplitude;
  EXPECT_TRUE(before.notes.empty());
  for (const BackbonePoint& point : after.points) {
    ASSERT_TRUE(point.converged) << point.amplitude << ": " << point.flag;
    EXPECT_GT(point.assurance, 0.9) << "a step on which the shape changes at once";
  }
  EXPECT_LT(after.points.back().linear_assurance, 0.5);
  ASSERT_EQ(after.notes.size(), 1U);
  EXPECT_NE(after.notes[0].find("modes have met"), std::string::npos) << after.notes[0];
}

TEST(BrakeReussBeam, FrequencyFallsAndDampingRisesUpToMacroSlip) {
  // In the ranges of Appendix A, until most patches slip as a whole and the joint has no more to give: damping peaks.
  for (const char* name :
       {"4-Parameter Iwan (WJ, Masing)", "5-Parameter Iwan (WJ, Masing)", "Bouc-Wen n=1 (WJ, Masing)",
        "Bouc-Wen n=2 (WJ, Masing)", "Bouc-Wen General (WJ, Masing)", "Valanis (WJ, Masing)"})
    for (const double fraction : {0.25, 0.5, 0.75}) {
      const Rqnma result = rqnma(beam(), joint_of(name, fraction), 1, tested, with(Framework::masing));
      std::size_t last = 0;
      for (std::size_t i = 0; i < tested.size(); ++i) {
        const BackbonePoint& point = result.points[i];
        ASSERT_TRUE(point.converged) << name << " at " << point.amplitude << ": " << point.flag;
        EXPECT_LT(point.residual, 1e-9);
        EXPECT_GT(point.damping_ratio, 0);
        EXPECT_GT(point.assurance, 0.9);
        if (i > 0) {
          EXPECT_LT(point.frequency_hz, result.points[i - 1].frequency_hz) << name << " " << fraction;
        }
        if (point.damping_ratio > result.points[last].damping_ratio) last = i;
      }
      EXPECT_GT(last, 3U) << name;
      for (std::size_t i = 1; i <= last; ++i)
        EXPECT_GT(result.points[i].damping_ratio, result.points[i - 1].damping_ratio)
            << name << " " << fraction << " " << i;
    }
}

TEST(BrakeReussBeam, EveryWholeJointCombinationConverges) {
  for (const Combination& combination : combinations()) {
    if (combination.full_joint) continue;
    JointedSystem system = beam();
    if (combination.contact == Contact::penalty) {
      Interface interface = system.interface();
      interface.contact = Contact::penalty;
      system = JointedSystem(system.system(), interface, "beam");
    }
    const Rqnma result = rqnma(system, joint_at(combination, search_point(combination, 0.5)), 1, tested,
                               rqnma_options(combination, 12845));
    for (const BackbonePoint& point : result.points) {
      EXPECT_TRUE(point.converged) << combination.name << " at " << point.amplitude << ": " << point.flag;
      EXPECT_LT(point.residual, 1e-9) << combination.name;
    }
  }
}

}  // namespace
}  // namespace microslip
