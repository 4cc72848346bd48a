#include <atomic>
#include <cmath>
#include <numbers>

#include <Eigen/QR>
#include <gtest/gtest.h>
#include <support/laws.hpp>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/jointed_structure.hpp>
#include <microslip/joints/patch_contact.hpp>

namespace microslip {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const Iwan4<double> iwan{4e4, 2.5e5, -0.5, 1.0};
const Load pulse(HalfSine{1e4, 0.02});

/// Entries in [-1, 1], the same on every machine.
MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  test::Random random(seed);
  return MatrixXd::NullaryExpr(rows, columns, [&] { return random.uniform(-1, 1); });
}

/// Uncoupled modes seen in rotated coordinates: u = Q q with Q orthogonal, M = 1.
struct Rotated {
  ModalModel modal;
  JointedStructure structure;
};

Rotated rotated() {
  const Eigen::Index n = 4;
  const MatrixXd Q = Eigen::HouseholderQR<MatrixXd>(random_matrix(n, n, 3)).householderQ();
  VectorXd k(n), c(n);
  k << 1.4e5, 2e5, 5e5, 9e5;
  c << 0.3, 1, 2, 3;
  const VectorXd load = Eigen::Vector4d(1, -0.5, 0.7, 0.2);
  Rotated result;
  for (Eigen::Index i = 0; i < n; ++i) {
    Mode mode{.mass = 1,
              .linear_stiffness = k(i),
              .damping = c(i),
              .joint = std::nullopt,
              .shape = Q.col(i),
              .load_shape = load(i)};
    if (i < 2)
      mode.joint = JointSpec{"iwan4", {{"slip_force", 4e4}, {"stiffness", 2.5e5}, {"chi", -0.5}, {"beta", 1.0}}, false};
    result.modal.modes.push_back(std::move(mode));
  }
  JointedStructure& s = result.structure;
  s.system.mass = MatrixXd::Identity(n, n);
  s.system.stiffness = Q * k.asDiagonal() * Q.transpose();
  s.system.damping = Q * c.asDiagonal() * Q.transpose();
  s.map = Q.transpose().topRows(2);
  s.joints = {{iwan, {0, 1}, {}}};
  s.load_row = Q * load;
  return result;
}

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double y : x) most = std::max(most, std::abs(y));
  return most;
}

TEST(JointedStructure, EqualsItsModesWhereTheyAreUncoupled) {
  const Rotated both = rotated();
  const TimePlan plan = plan_time(0.2, {.steps_per_period = 200, .step = {}}, shortest_period(both.modal), pulse);
  const auto frequencies = low_amplitude_frequencies_hz(both.structure);
  EXPECT_NEAR(1 / frequencies.back(), shortest_period(both.modal), 1e-12);
  for (const double alpha : {0.0, -0.2}) {
    SimulationOptions options;
    options.newmark.hht_alpha = alpha;
    const Simulation modal = simulate(both.modal, {pulse, false}, {}, plan, {}, options);
    const Simulation full = simulate(both.structure, {pulse, false}, {}, plan, {}, options);
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t j = 0; j < full.time.size(); j += 53)
        ASSERT_NEAR(full.displacement[r][j], modal.displacement[r][j], 1e-9 * largest(modal.displacement[r])) << alpha;
    EXPECT_NEAR(full.energy.work, modal.energy.work, 1e-9 * modal.energy.work);
    EXPECT_NEAR(full.energy.stored, modal.energy.stored, 1e-9 * modal.energy.work);
    EXPECT_NEAR(full.energy.dissipated, modal.energy.dissipated, 1e-9 * modal.energy.work);
    EXPECT_EQ(full.n_halved, 0);
  }
}

TEST(JointedStructure, MoreJointsThanCoordinatesTakeTheOtherRoute) {
  Rotated both = rotated();
  const TimePlan plan = plan_time(0.1, {.steps_per_period = 200, .step = {}}, shortest_period(both.modal), pulse);
  const Simulation few = simulate(both.structure, {pulse, false}, {}, plan, {}, {});
  JointedStructure& s = both.structure;
  s.map = s.map.replicate(3, 1).eval();
  s.joints = {{iwan, {0, 1}, {0.5, 0.5}}, {iwan, {2, 3, 4, 5}, {0.25, 0.25, 0.25, 0.25}}};
  const Simulation many = simulate(s, {pulse, false}, {}, plan, {}, {});
  for (std::size_t j = 0; j < few.time.size(); j += 41)
    ASSERT_NEAR(many.displacement[0][j], few.displacement[0][j], 1e-9 * largest(few.displacement[0]));
}

/// (ln imbalance at `coarse` steps per period - ln imbalance at four times as many) / ln 4.
double energy_order(const JointedStructure& s, double coarse) {
  const double period = 1 / low_amplitude_frequencies_hz(s).back();
  const auto imbalance = [&](double steps) {
    const TimePlan plan = plan_time(0.2, {.steps_per_period = steps, .step = {}}, period, pulse);
    return simulate(s, {pulse, false}, {}, plan, {}, {}).energy.imbalance();
  };
  return std::log(imbalance(coarse) / imbalance(4 * coarse)) / std::log(4.0);
}

TEST(JointedStructure, EnergyBalancesToSecondOrderWithCoupledJoints) {
  Rotated both = rotated();
  JointedStructure& s = both.structure;
  s.map = random_matrix(6, 4, 4);  // couples everything
  s.joints = {{iwan, {0, 1}, {1, 0.5}}, {BoucWen1<double>{.stiffness = 1e5, .alpha = 30, .beta = 5}, {2}, {}}};
  s.contacts = {{.law = iwan, .normal_stiffness = 1e5, .contact = Contact::spring, .first_rows = {3}, .areas = {0.2}}};
  EXPECT_NEAR(energy_order(s, 100), 2.0, 0.05);
}

/// A block pressed on a frictional support: x, y along it, n into it.
JointedStructure block(const AnyLaw& law, Contact contact) {
  JointedStructure s;
  s.system.mass = MatrixXd::Identity(3, 3);
  s.system.stiffness = Eigen::Vector3d(2e3, 2e3, 0).asDiagonal();
  s.map = MatrixXd::Identity(3, 3);
  s.contacts = {{.law = law, .normal_stiffness = 1e5, .contact = contact, .first_rows = {0}}};
  s.load_row = Eigen::Vector3d(1, 0.5, 0);
  return s;
}

TEST(JointedStructure, FrictionUnderConstantPressureIsASlider) {
  // Where the normal force does not change, elastic dry friction with contact is Jenkins' element of strength mu N.
  JointedStructure dry =
      block(ElasticDryFriction<double>{.friction_coefficient = 0.4, .stiffness = 1e4}, Contact::penalty);
  JointedStructure slider = block(Jenkins<double>{.stiffness = 1e4, .slip_force = 0.4 * 50}, Contact::spring);
  dry.static_force = slider.static_force = Eigen::Vector3d(0, 0, 50);
  const Load shake(Sine{30, 12});
  const TimePlan plan =
      plan_time(1, {.steps_per_period = 200, .step = {}}, 1 / low_amplitude_frequencies_hz(dry).back(), shake);
  const Simulation a = simulate(dry, {shake, false}, {}, plan, {}, {});
  const Simulation b = simulate(slider, {shake, false}, {}, plan, {}, {});
  EXPECT_GT(a.energy.dissipated, 0.1 * a.energy.work);
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t j = 0; j < a.time.size(); j += 29)
      ASSERT_NEAR(a.displacement[r][j], b.displacement[r][j], 1e-9 * largest(b.displacement[0])) << r;
  EXPECT_NEAR(a.energy.dissipated, b.energy.dissipated, 1e-9 * b.energy.dissipated);
  EXPECT_NEAR(a.energy.stored, b.energy.stored, 1e-9 * b.energy.work);
}

TEST(JointedStructure, FrictionFollowsThePressureOfAContactThatOpens) {
  // The block is shaken along n as well, so that it slips when it is pressed little and flies when it is not. Central
  // differences with the law called by hand are the other route to the same motion.
  const ElasticDryFriction<double> law{.friction_coefficient = 0.4, .stiffness = 1e4};
  JointedStructure s = block(law, Contact::penalty);
  s.system.damping = Eigen::Vector3d(5, 5, 20).asDiagonal();
  s.load_row = Eigen::Vector3d(1, 0.3, -2);
  s.static_force = Eigen::Vector3d(0, 0, 50);
  const Load shake(Sine{30, 12});
  const double period = 1 / low_amplitude_frequencies_hz(s).back(), end = 0.5;
  const auto stepped = [&](double steps) {
    const TimePlan plan = plan_time(end, {.steps_per_period = steps, .step = {}}, period, shake);
    return simulate(s, {shake, false}, {}, plan, {}, {});
  };

  using Patch = PatchContact<ElasticDryFriction<double>, NormalPenalty>;
  const Patch patch{law, {1e5}};
  Patch::State state;
  const int n = 400000;
  const double h = end / n;
  Eigen::Vector3d u(0, 0, 50 / 1e5), last = u;
  patch.advance(state, {u(0), u(1), u(2)});
  bool flew = false;
  for (int i = 0; i < n; ++i) {
    const ContactResponse<double> r = patch.advance(state, {u(0), u(1), u(2)});
    const Eigen::Vector3d force = s.static_force + shake(i * h) * s.load_row - s.system.stiffness * u -
                                  Eigen::Vector3d(r.force[0], r.force[1], r.force[2]);
    // (u_1 - 2 u + u_0)/h^2 + c (u_1 - u_0)/(2h) = force, mass 1; the start is at rest
    const Eigen::Vector3d c = 0.5 * h * s.system.damping.diagonal();
    const Eigen::Vector3d before = i == 0 ? Eigen::Vector3d(u + 0.5 * h * h * force) : last;
    const Eigen::Vector3d next =
        (h * h * force + 2 * u - before + c.cwiseProduct(before)).cwiseQuotient(Eigen::Vector3d::Ones() + c);
    last = u;
    u = next;
    flew = flew || u(2) < 0;
  }
  EXPECT_TRUE(flew);
  const Simulation coarse = stepped(200), fine = stepped(800);
  const double size = largest(fine.displacement[0]);
  double coarse_error = 0, fine_error = 0;
  for (std::size_t r = 0; r < 2; ++r) {
    const auto row = static_cast<Eigen::Index>(r);
    coarse_error = std::max(coarse_error, std::abs(coarse.displacement[r].back() - u(row)));
    fine_error = std::max(fine_error, std::abs(fine.displacement[r].back() - u(row)));
  }
  EXPECT_LT(fine_error, 1e-3 * size);
  EXPECT_LT(fine_error, 0.25 * coarse_error);  // first order at least, though contact is lost and found inside steps
  EXPECT_LT(std::abs(fine.energy.imbalance()), 0.25 * std::abs(coarse.energy.imbalance()));
}

TEST(JointedStructure, HalvesStepsWhereNewtonStalls) {
  // Ten steps per shortest period and two iterations for Newton's method: it stalls, and the steps are halved. Each
  // part is solved to the same tolerance, so that this may only bring the motion nearer to that with fine steps.
  const Rotated both = rotated();
  const auto run = [&](double steps, int iterations) {
    SimulationOptions options;
    options.newmark.max_iterations = iterations;
    const TimePlan plan = plan_time(0.05, {.steps_per_period = steps, .step = {}}, shortest_period(both.modal), pulse);
    return simulate(both.structure, {pulse, false}, {}, plan, {}, options);
  };
  const Simulation hurried = run(10, 2), patient = run(10, 25), fine = run(1000, 25);
  EXPECT_GT(hurried.n_halved, 0);
  EXPECT_EQ(patient.n_halved, 0);
  const auto error = [&](const Simulation& coarse) {
    double sum = 0;
    for (std::size_t r = 0; r < 4; ++r) sum += std::pow(coarse.displacement[r].back() - fine.displacement[r].back(), 2);
    return sum;
  };
  EXPECT_LT(error(hurried), error(patient));
}

TEST(JointedStructure, AutomaticStepsKeepTheirAccuracy) {
  const Rotated both = rotated();
  const double period = shortest_period(both.modal);
  const auto run = [&](const StepChoice& choice) {
    return simulate(both.structure, {pulse, false}, {}, plan_time(0.1, choice, period, pulse), {}, {});
  };
  const Simulation reference = run({.steps_per_period = 8000, .step = {}});
  const double size = largest(reference.displacement[0]), path = 3 * 2 * M_PI / period * 0.1;  // as for an oscillator
  double last = 0;
  for (const double accuracy : {1e-3, 1e-4}) {
    const Simulation automatic = run({.steps_per_period = {}, .step = {}, .accuracy = accuracy});
    const double error = std::abs(automatic.displacement[0].back() - reference.displacement[0].back());
    EXPECT_LT(error, 2 * accuracy * path * size) << accuracy;
    if (last > 0) {
      EXPECT_LT(error, 0.2 * last);
    }
    last = error;
  }
}

TEST(JointedStructure, AutomaticStepsFindMotionThatIsFasterThanThePlan) {
  // Two modes, 30 and 600 rad/s, both in motion; the plan was told of the slow one alone.
  JointedStructure s;
  s.system.mass = MatrixXd::Identity(2, 2);
  s.system.stiffness = Eigen::Vector2d(900, 360000).asDiagonal();
  const double end = 0.2, accuracy = 1e-4;
  TimePlan plan = plan_time(end, {.steps_per_period = {}, .step = {}, .accuracy = accuracy}, 2 * M_PI / 30, {});
  const auto error = [&] {
    const Simulation run = simulate(s, {}, {Eigen::Vector2d(0.01, 0.01), {}}, plan, {}, {});
    return std::abs(run.displacement[1].back() - 0.01 * std::cos(600 * end));
  };
  EXPECT_LT(error(), 2 * accuracy * 0.01 * 600 * end);  // twice the accuracy of the path
  plan.accuracy = 0;
  EXPECT_GT(error(), 1e-3);  // a step of a fast period's eleventh
}

TEST(JointedStructure, StopsWhenAskedAndKeepsWhatIsFinished) {
  const Rotated both = rotated();
  const TimePlan plan{0.2, 100'000};
  const std::atomic<bool> stop = true;
  double told = 0;
  Progress progress;
  progress.stop = &stop;
  progress.report = [&](double fraction, std::string_view /*what*/) { told = fraction; };
  const Simulation run = simulate(both.structure, {pulse, false}, {}, plan, {}, {}, progress);
  EXPECT_TRUE(run.stopped);
  EXPECT_GT(told, 0);
  EXPECT_NEAR(run.plan.end, told * 0.2, 1e-12);
  EXPECT_EQ(run.time.size(), static_cast<std::size_t>(run.plan.n_steps) + 1);
  EXPECT_EQ(run.displacement[0].size(), run.time.size());
  EXPECT_EQ(run.envelopes[0].amplitude.size(), run.time.size());
}

TEST(JointedStructure, RestsUnderPrestressAgainstAContactThatOpens) {
  JointedStructure s;
  s.system.mass = MatrixXd::Identity(2, 2);
  s.system.stiffness = MatrixXd::Zero(2, 2);  // floats: contact and friction hold it
  s.system.damping = 0.5 * MatrixXd::Identity(2, 2);
  s.map = MatrixXd::Zero(3, 2);
  s.map(0, 0) = s.map(2, 1) = 1;
  s.contacts = {{.law = Iwan4<double>{100, 1e4, -0.5, 1.0},
                 .normal_stiffness = 1e5,
                 .contact = Contact::penalty,
                 .first_rows = {0}}};
  s.static_force = Eigen::Vector2d(20, 50);
  const TimePlan plan = plan_time(0.5, {}, 1 / low_amplitude_frequencies_hz(s).back(), {});
  const Simulation rest = simulate(s, {}, {}, plan, {}, {});
  EXPECT_NEAR(rest.displacement[1].front(), 50 / 1e5, 1e-15);
  EXPECT_NEAR(rest.displacement[0].back(), rest.displacement[0].front(), 1e-12);
  s.static_force = Eigen::Vector2d(101, 50);  // beyond the slip force
  EXPECT_THROW(simulate(s, {}, {}, plan, {}, {}), NotConverged);
  s.static_force = Eigen::Vector2d(20, -1);  // pulls the contact open
  EXPECT_THROW(simulate(s, {}, {}, plan, {}, {}), NotConverged);
}

/// Where f, which grows with x, is zero.
template <class F>
double root(const F& f) {
  double low = -10, high = 10;
  for (int i = 0; i < 70; ++i) {
    const double middle = 0.5 * (low + high);
    (f(middle) > 0 ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

/// Two coordinates on springs, a joint from the ground to the first and one from the first to the second. Their rest
/// under a force by bisection within bisection: for a given u_1 the second balance grows with u_2, and with that u_2
/// the first one grows with u_1. In twenty parts, for friction remembers the way.
template <class Law>
Eigen::Vector2d rest_by_bisection(const Eigen::Vector2d& k, const Law& ground, const Law& between,
                                  const Eigen::Vector2d& force) {
  typename Law::State on_ground{}, on_between{};
  double u_1 = 0, u_2 = 0;
  for (int part = 1; part <= 20; ++part) {
    const Eigen::Vector2d F = force * part / 20.0;
    const auto pull = [&](double w) { return between.evaluate(on_between, w).force; };
    const auto second = [&](double u) { return root([&](double x) { return k(1) * x + pull(x - u) - F(1); }); };
    u_1 = root([&](double u) { return k(0) * u + ground.evaluate(on_ground, u).force - pull(second(u) - u) - F(0); });
    u_2 = second(u_1);
    ground.advance(on_ground, u_1);
    between.advance(on_between, u_2 - u_1);
  }
  return {u_1, u_2};
}

/// The same by the stepper, under forces in all directions that make neither, one or both joints slip.
template <class Law>
void expect_rests(const Law& ground, const Law& between) {
  JointedStructure s;
  const Eigen::Vector2d k(100, 1000);
  s.system.mass = MatrixXd::Identity(2, 2);
  s.system.stiffness = k.asDiagonal();
  s.map = MatrixXd{{1, 0}, {-1, 1}};
  s.joints = {{ground, {0}, {}}, {between, {1}, {}}};
  std::vector<Eigen::Vector2d> forces{{2, 15.5}};
  for (const double size : {5.0, 12.0, 20.0, 60.0, 300.0})
    for (int i = 0; i < 16; ++i) forces.emplace_back(size * std::cos(i * M_PI / 8), size * std::sin(i * M_PI / 8));
  for (const Eigen::Vector2d& force : forces) {
    StructureStepper stepper(s, 1e-4, {});
    EXPECT_EQ(stepper.rest_under(force), 1) << force.transpose();
    const Eigen::Vector2d expected = rest_by_bisection(k, ground, between, force);
    // A balance may lack 1e-9 of the forces, which the softest spring turns into a way.
    const double forces_at_rest = 2 * force.norm() + 20;
    EXPECT_LT((stepper.displacement() - expected).norm(), 1e-9 * forces_at_rest / k(0)) << force.transpose();
  }
}

TEST(JointedStructure, RestsWithSomeJointsSlippingAndOthersNot) {
  expect_rests(Jenkins<double>{.stiffness = 1e5, .slip_force = 10}, Jenkins<double>{.stiffness = 1e5, .slip_force = 9});
  expect_rests(Jenkins<double>{.stiffness = 1e7, .slip_force = 3}, Jenkins<double>{.stiffness = 1e4, .slip_force = 20});
  expect_rests(Iwan4<double>{10, 1e5, -0.5, 1.0}, Iwan4<double>{9, 1e5, -0.5, 1.0});
  expect_rests(Iwan4<double>{3, 1e7, -0.9, 0.1}, Iwan4<double>{20, 1e4, 0.5, 10.0});
}

TEST(JointedStructure, TellsHowMuchOfAForceItBalances) {
  // A joint of 10 N holds a coordinate without a spring; nothing holds the second.
  JointedStructure s;
  s.system.mass = MatrixXd::Identity(2, 2);
  s.system.stiffness = MatrixXd::Zero(2, 2);
  s.map = MatrixXd{{1, 0}};
  s.joints = {{Jenkins<double>{.stiffness = 1e5, .slip_force = 10}, {0}, {}}};
  const auto held = [&](double on_joint, double on_nothing) {
    return StructureStepper(s, 1e-4, {}).rest_under(Eigen::Vector2d(on_joint, on_nothing));
  };
  EXPECT_EQ(held(9.9, 0), 1);
  EXPECT_NEAR(held(16, 0), 10.0 / 16, 1e-4);  // parts of a twentieth, halved nine times
  EXPECT_EQ(held(1, 1), 0);
}

TEST(JointedStructure, ElasticDryFrictionKnowsItsNormalForceFromOnePlace) {
  const TimePlan plan{0.1, 1000};
  const ElasticDryFriction<double> told{.friction_coefficient = 0.4, .stiffness = 1e4, .normal_force = 50},
      untold{.friction_coefficient = 0.4, .stiffness = 1e4};
  EXPECT_NO_THROW(simulate(block(told, Contact::spring), {}, {}, plan, {}, {}));
  EXPECT_NO_THROW(simulate(block(untold, Contact::penalty), {}, {}, plan, {}, {}));
  EXPECT_THROW(simulate(block(untold, Contact::spring), {}, {}, plan, {}, {}), InvalidInput);
  EXPECT_THROW(simulate(block(told, Contact::penalty), {}, {}, plan, {}, {}), InvalidInput);
}

TEST(JointedStructure, SaysWhenAStepCannotBeSolved) {
  const Rotated both = rotated();
  const TimePlan plan = plan_time(0.05, {}, shortest_period(both.modal), pulse);
  SimulationOptions impossible;
  impossible.newmark.max_iterations = 1;
  impossible.newmark.max_halvings = 3;
  impossible.newmark.tolerance = 1e-300;
  EXPECT_THROW(simulate(both.structure, {pulse, false}, {}, plan, {}, impossible), NotConverged);
}

TEST(JointedStructure, RefusesPartsThatDoNotFit) {
  const Rotated both = rotated();
  const TimePlan plan{0.1, 1000};
  const auto refused = [&](const auto& change) {
    JointedStructure s = both.structure;
    change(s);
    EXPECT_THROW(simulate(s, {pulse, false}, {}, plan, {}, {}), InvalidInput);
  };
  refused([](JointedStructure& s) { s.system.mass(0, 0) = -1; });
  refused([](JointedStructure& s) { s.map = MatrixXd::Zero(2, 3); });
  refused([](JointedStructure& s) { s.joints[0].rows = {2}; });
  refused([](JointedStructure& s) { s.joints[0].areas = {1}; });
  refused([](JointedStructure& s) { s.load_row = VectorXd::Zero(3); });
  refused([](JointedStructure& s) { s.load_row = {}; });
  refused([](JointedStructure& s) { s.static_force = VectorXd::Constant(4, std::nan("")); });
  EXPECT_THROW(simulate(both.structure, {}, {VectorXd::Zero(3), {}}, plan, {}, {}), InvalidInput);
  SimulationOptions averaging;
  averaging.method = Method::averaging;
  EXPECT_THROW(simulate(both.structure, {}, {}, plan, {}, averaging), InvalidInput);
  SimulationOptions in_newtons;
  in_newtons.newmark.absolute = true;
  EXPECT_THROW(simulate(both.structure, {}, {}, plan, {}, in_newtons), InvalidInput);
}

}  // namespace
}  // namespace microslip
