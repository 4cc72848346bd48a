// Closed loops: found by Newton's method on the joint's memory, against plain repetition.
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>

#include <gtest/gtest.h>
#include <unit/modal/oscillator.hpp>
#include <unit/modal/two_patches.hpp>

#include <microslip/io/hdf5.hpp>
#include <microslip/modal/combination_setup.hpp>

namespace microslip {
namespace {

using test::spaced;

JointedSystem read_beam(bool full_joint, Contact contact) {
  const auto path = std::filesystem::path(MICROSLIP_SOURCE_DIR) / "data/brb" /
                    (full_joint ? "brb-full-joint.h5" : "brb-whole-joint.h5");
  ReducedModel model = reduced_model(io::read_hdf5(path).archive, path.string());
  model.interface.contact = contact;
  return JointedSystem(model);
}

const JointedSystem& beam(bool full_joint, Contact contact) {
  static std::map<std::pair<bool, Contact>, JointedSystem> systems;
  const std::pair key{full_joint, contact};
  const auto found = systems.find(key);
  return found != systems.end() ? found->second : systems.emplace(key, read_beam(full_joint, contact)).first->second;
}

struct Setting {
  const JointedSystem& system;
  Joint joint;
  RqnmaOptions options;
};

Setting setting_of(const std::string& key) {
  const Combination& combination = combination_named(key);
  Setting setting{beam(combination.full_joint, combination.contact),
                  joint_at(combination, search_point(combination, 0.5)), rqnma_options(combination, 12845)};
  setting.options.loop_tolerance = RqnmaOptions{}.loop_tolerance;  // not the study's, which need not be as close
  setting.options.shapes = true;
  return setting;
}

RqnmaOptions repeated(RqnmaOptions options, int rounds) {
  options.accelerate = false;
  options.max_loops = rounds;
  options.loop_tolerance = 1e-13;
  return options;
}

// Springs across a large joint join the structure, unless its own stiffness would drown in theirs.
TEST(FullJoint, ContactFarStifferThanTheStructureCostsNoDigits) {
  const auto& system = beam(true, Contact::spring);
  const Iwan4<double> law{.slip_force = 1e5, .stiffness = 2.5e12, .chi = -0.4, .beta = 1e-5};
  RqnmaOptions options;
  options.prestress.preload = 12845;
  const auto frequency_hz = [&](double normal_stiffness) {
    const Rqnma run = rqnma(system, Joint{law, normal_stiffness}, 1, std::vector{1e-6}, options);
    EXPECT_TRUE(run.points[0].converged) << run.points[0].flag;
    return run.points[0].frequency_hz;
  };
  const double stiff = frequency_hz(5e15), stiffer = frequency_hz(5e17);
  EXPECT_GE(stiffer, stiff);
  EXPECT_LT(stiffer, stiff * (1 + 1e-3));
}

// Patches that the prestress left near slip give way once, and never again: the guess of the closed loop has its own
// memory to leave, which is no loss of the loop.
TEST(Loop, OfJenkinsThatShakesDownToStickLosesNothing) {
  Setting setting = setting_of("jenkins-wj-reversal");
  setting.joint.law = Jenkins<double>{.stiffness = 1.3654e11, .slip_force = 23316.0};
  setting.joint.normal_stiffness = 1.6011e11;
  const std::vector<double> amplitudes{4e-6, 5e-6, 6e-6, 7e-6};
  const Rqnma newton = rqnma(setting.system, setting.joint, 1, amplitudes, setting.options);
  const Rqnma plain = rqnma(setting.system, setting.joint, 1, amplitudes, repeated(setting.options, 100));
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    ASSERT_TRUE(newton.points[i].converged && plain.points[i].converged);
    EXPECT_EQ(plain.points[i].dissipation, 0);
    EXPECT_EQ(newton.points[i].dissipation, 0);
    EXPECT_NEAR(newton.points[i].frequency_hz, plain.points[i].frequency_hz, 1e-6 * plain.points[i].frequency_hz);
  }
}

TEST(Loop, OfValanisAtLowAmplitudeIsThatOfVeryLongRepetition) {
  // What is left of the first loading falls by a part of order lambda x amplitude in a round, 1 % here: 4000 rounds
  // leave nothing of it.
  Setting setting = setting_of("valanis-wj-reversal");
  const std::vector<double> amplitudes{1e-7, 1e-6};
  const Rqnma newton = rqnma(setting.system, setting.joint, 1, amplitudes, setting.options);
  const Rqnma plain = rqnma(setting.system, setting.joint, 1, amplitudes, repeated(setting.options, 4000));
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    ASSERT_TRUE(newton.points[i].converged) << newton.points[i].flag;
    EXPECT_LE(newton.points[i].loops, 8);
    EXPECT_GT(plain.points[i].loops, 100);
    EXPECT_NEAR(newton.points[i].frequency_hz, plain.points[i].frequency_hz, 1e-8 * plain.points[i].frequency_hz);
    EXPECT_NEAR(newton.points[i].dissipation, plain.points[i].dissipation, 1e-5 * plain.points[i].dissipation);
  }
}

/// Rate-form laws under a tangential prestress force: they let go of it, and rest moves.
const Valanis<double> valanis{.stiffness = 2e5, .lambda = 2e3, .kappa = 0.4, .post_slip_stiffness = 1e4};
const BoucWen<double> bouc_wen{.stiffness = 2e5, .n = 1.3, .alpha = 700, .beta = 100, .post_slip_stiffness = 2e3};

RqnmaOptions fully_prestressed(double preload) {
  RqnmaOptions options;
  options.framework = Framework::reversal;
  options.prestress = {.law = PrestressLaw::full, .preload = preload};
  return options;
}

TEST(Loop, OfRateFormLawsClosesUnderATangentialPrestressForce) {
  // Plain repetition does not get there: rest drifts on and on until no motion about it is left on the sphere of
  // Eq. 33b about the old one.
  for (const AnyLaw& law : {AnyLaw(valanis), AnyLaw(bouc_wen)}) {
    const RqnmaOptions options = fully_prestressed(300);
    for (const BackbonePoint& point :
         rqnma(test::two_patches(), Joint{law, 3e5}, 1, spaced(4e-4, 2e-3, 5), options).points) {
      ASSERT_TRUE(point.converged) << law_name(law) << ": " << point.flag;
      EXPECT_LE(point.loop_gap, options.loop_tolerance);
      EXPECT_GT(point.dissipation, 1e-9) << "both ends on one side";
    }
  }
}

/// One coordinate goes between +q and -q about the old rest, whatever friction does, so that its steady loop of height
/// 2 F is known: lambda = k + kp + (F -/+ f)/q at +/- q, f being what friction held at rest. Where that is negative,
/// there is no loop.
template <class Law>
void expect_steady_loops_about_the_old_rest(const Law& law) {
  constexpr double k = 1e5;
  System system = test::oscillator(1, k).system();
  system.prestress = Eigen::Vector3d(1, 0, 1);
  const JointedSystem prestressed(system, test::oscillator(1, k).interface(), "oscillator");
  const Rqnma run = rqnma(prestressed, test::joint_of(law), 1, spaced(1e-5, 3e-3, 8), fully_prestressed(150));
  const double kp = law.post_slip_stiffness, held = run.prestress->force[0] - kp * run.prestress->relative[0];
  int closed = 0, none = 0;
  for (const BackbonePoint& point : run.points) {
    const double q = point.amplitude, secant = secant_stiffness(law, q, Framework::reversal);
    const double top = k + secant - held / q, bottom = k + secant + held / q;
    if (!(top > 0)) {
      ++none;
      EXPECT_FALSE(point.converged);
      EXPECT_EQ(point.flag,
                "the loop has no two ends: its rest has moved further than the amplitude, as where friction lets go of "
                "the prestress");
      for (const double number : {point.frequency_hz, point.damping_ratio, point.dissipation, point.linear_assurance})
        EXPECT_TRUE(std::isnan(number)) << number;
      continue;
    }
    ++closed;
    ASSERT_TRUE(point.converged) << Law::name << " at " << q << ": " << point.flag;
    const double hz = 0.5 * (std::sqrt(top) + std::sqrt(bottom)) / (2 * std::numbers::pi);
    const double lost = loop_dissipation(law, q, Framework::reversal);
    EXPECT_NEAR(point.frequency_hz, hz, 1e-7 * hz) << Law::name << " at " << q;  // as the loop's closing
    EXPECT_NEAR(point.dissipation, lost, 1e-5 * lost) << Law::name << " at " << q;
  }
  EXPECT_GE(closed, 3) << Law::name;
  EXPECT_GE(none, 1) << Law::name;
}

TEST(Loop, OfAnOscillatorAboutTheRestThatItLeftIsTheSteadyOne) {
  expect_steady_loops_about_the_old_rest(valanis);
  expect_steady_loops_about_the_old_rest(bouc_wen);
}

TEST(Loop, DerivativesOfValanisHoldWhereARoundHardlyForgets) {
  // A round of amplitude 1e-7 forgets one part in a hundred of what the memory's derivatives have, one of 1e-12 less
  // than they have digits.
  for (const double q : {1e-12, 1e-7}) {
    Setting setting = setting_of("valanis-wj-reversal");
    const auto law = std::get<Valanis<double>>(setting.joint.law);
    setting.options.sensitivities = true;
    setting.options.loop_tolerance = 1e-12;
    const BackbonePoint point = rqnma(setting.system, setting.joint, 1, std::vector{q}, setting.options).points[0];
    ASSERT_EQ(point.d_damping_ratio.size(), 5);
    setting.options.sensitivities = false;
    constexpr double h = 1e-4;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto member = Valanis<double>::parameters()[k].member;
      const auto changed = [&](double by) {
        Valanis<double> other = law;
        other.*member *= 1 + by;
        setting.joint.law = other;
        return rqnma(setting.system, setting.joint, 1, std::vector{q}, setting.options).points[0];
      };
      const BackbonePoint more = changed(h), less = changed(-h);
      const double p = law.*member;
      const auto i = static_cast<Eigen::Index>(k);
      const double d_ratio = point.d_damping_ratio(i) * p, d_hz = point.d_frequency_hz(i) * p;
      // h^2 of themselves, and what rounding and the closing of loops leave of a difference.
      EXPECT_NEAR(d_ratio, (more.damping_ratio - less.damping_ratio) / (2 * h), 1e-6 * std::abs(d_ratio)) << q << k;
      EXPECT_NEAR(d_hz, (more.frequency_hz - less.frequency_hz) / (2 * h),
                  1e-6 * std::abs(d_hz) + 1e-14 * point.frequency_hz / h)
          << q << k;
    }
  }
}

TEST(Loop, DerivativesThatDoNotSettleAreLeftOutAndSaidSo) {
  // With the memory of its prestress a full joint at 1e-5 still has derivatives that change by 2e-3 in a round.
  Setting setting = setting_of("jenkins-fj-reversal");
  setting.options.sensitivities = true;
  setting.options.prestress.law = PrestressLaw::full;
  const Rqnma run = rqnma(setting.system, setting.joint, 1, std::vector{1e-5, 6e-5}, setting.options);
  ASSERT_TRUE(run.points[0].converged && run.points[1].converged);
  EXPECT_EQ(run.points[0].d_frequency_hz.size(), 0);
  EXPECT_EQ(run.points[0].d_damping_ratio.size(), 0);
  EXPECT_EQ(run.points[1].d_frequency_hz.size(), 4);
  ASSERT_EQ(run.notes.size(), 1U);
  EXPECT_NE(run.notes[0].find("at amplitude 1e-05 the derivatives by the joint's parameters did not settle"),
            std::string::npos)
      << run.notes[0];
}

TEST(Loop, OfAFullJointUnderFullPrestressIsThatOfPlainRepetition) {
  // Points that stick on the closed loop keep what the way there has left in them: closed loops are many, and these two
  // are not the same one. They differ in the traction of points at rest, of which the frequency feels the square.
  const Setting setting = setting_of("jenkins-fj-reversal");
  const std::vector<double> amplitudes{8.2374e-6};
  const Rqnma newton = rqnma(setting.system, setting.joint, 1, amplitudes, setting.options);
  const Rqnma plain = rqnma(setting.system, setting.joint, 1, amplitudes, repeated(setting.options, 40));
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    ASSERT_TRUE(newton.points[i].converged) << newton.points[i].flag;
    ASSERT_LT(plain.points[i].loop_gap, 1e-12);
    EXPECT_LT(newton.points[i].loops, plain.points[i].loops);
    EXPECT_LT(newton.points[i].residual, 1e-9);
    EXPECT_NEAR(newton.points[i].frequency_hz, plain.points[i].frequency_hz, 1e-6 * plain.points[i].frequency_hz);
    EXPECT_NEAR(newton.points[i].damping_ratio, plain.points[i].damping_ratio, 1e-6 * plain.points[i].damping_ratio);
  }
}

TEST(Loop, SpringsAcrossAJointMayBelongToTheStructure) {
  // Large joints with spring contact keep only what moves in their plane; all that is reported is as with all three.
  const Setting setting = setting_of("jenkins-fj-reversal");
  const std::vector<double> q{1e-5};
  RqnmaOptions options = setting.options;
  options.framework = Framework::masing;
  const Rqnma in_plane = rqnma(setting.system, setting.joint, 1, q, options);
  options.sensitivities = true;  // by the normal stiffness too: the joint keeps its springs
  const Rqnma whole = rqnma(setting.system, setting.joint, 1, q, options);
  const BackbonePoint &a = in_plane.points.front(), &b = whole.points.front();
  ASSERT_TRUE(a.converged && b.converged) << a.flag << b.flag;
  EXPECT_NEAR(in_plane.linear_frequency_hz, whole.linear_frequency_hz, 1e-10 * whole.linear_frequency_hz);
  EXPECT_NEAR(a.frequency_hz, b.frequency_hz, 1e-9 * b.frequency_hz);
  EXPECT_NEAR(a.dissipation, b.dissipation, 1e-8 * b.dissipation);
  const double sign = a.shape.dot(b.shape) < 0 ? -1 : 1;  // of a mode: nobody's choice
  EXPECT_LT((a.relative - sign * b.relative).norm(), 1e-7 * b.relative.norm());
  EXPECT_LT((a.force - sign * b.force).norm(), 1e-7 * b.force.norm());
  EXPECT_EQ(in_plane.prestress->n_open, whole.prestress->n_open);
  const Eigen::Map<const Eigen::VectorXd> fa(in_plane.prestress->force.data(), a.force.size()),
      fb(whole.prestress->force.data(), b.force.size());
  EXPECT_LT((fa - fb).norm(), 1e-8 * fb.norm());
}

TEST(ModalLoop, IsTracedForElasticDryFrictionOnPatches) {
  Setting setting = setting_of("elastic_dry_friction-wj-reversal");
  const auto amplitudes = spaced(1e-7, std::pow(10, -4.2), 20);
  setting.options.dissipation = Dissipation::modal;
  std::vector<double> coarse;
  for (const int n : {41, 321}) {
    setting.options.quadrature_points = n;
    const Rqnma modal = rqnma(setting.system, setting.joint, 1, amplitudes, setting.options);
    double largest = 0;
    for (std::size_t i = 0; i < amplitudes.size(); ++i) {
      ASSERT_TRUE(modal.points[i].converged) << amplitudes[i] << ": " << modal.points[i].flag;
      largest = std::max(largest, modal.points[i].damping_ratio);
      if (n == 41)
        coarse.push_back(modal.points[i].damping_ratio);
      else  // corners: of second order in the spacing, at best
        EXPECT_NEAR(coarse[i], modal.points[i].damping_ratio, 0.02 * largest + 1e-12) << amplitudes[i];
    }
  }
}

TEST(ModalLoop, OfContactThatOpensDoesTheWorkThatTheLawsLose) {
  Setting setting = setting_of("elastic_dry_friction-wj-reversal");
  const std::vector<double> amplitudes{1.2e-5, 3e-5, 6e-5};
  setting.options.trace_tolerance = 1e-3;
  const Rqnma local = rqnma(setting.system, setting.joint, 1, amplitudes, setting.options);
  RqnmaOptions by_force = setting.options, straight = setting.options;
  by_force.dissipation = Dissipation::modal;
  by_force.quadrature_points = 321;
  straight.sensitivities = true;
  const Rqnma modal = rqnma(setting.system, setting.joint, 1, amplitudes, by_force),
              unbent = rqnma(setting.system, setting.joint, 1, amplitudes, straight);
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    ASSERT_TRUE(local.points[i].converged && modal.points[i].converged) << local.points[i].flag << modal.points[i].flag;
    // Quadrature across corners at a spacing h of 1/160 errs by h, at most, of what a corner changes.
    EXPECT_NEAR(local.points[i].dissipation, modal.points[i].dissipation, 5e-3 * modal.points[i].dissipation) << i;
    EXPECT_NEAR(local.points[i].local_loss.sum(), local.points[i].dissipation, 1e-12 * local.points[i].dissipation);
    EXPECT_EQ(local.points[i].frequency_hz, unbent.points[i].frequency_hz);
  }
  // On straight ways pressed points would slip less than they do: that is why loops are traced.
  EXPECT_GT(std::abs(unbent.points[2].dissipation / local.points[2].dissipation - 1), 0.3);
  ASSERT_FALSE(unbent.notes.empty());
  EXPECT_NE(unbent.notes[0].find("straight"), std::string::npos);
  EXPECT_TRUE(local.notes.empty());
}

}  // namespace
}  // namespace microslip
