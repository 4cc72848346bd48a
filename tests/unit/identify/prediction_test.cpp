#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <support/scratch.hpp>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/simulation.hpp>
#include <microslip/identify/prediction.hpp>

namespace microslip {
namespace {

/// Two modes with joints at three sensors, the hammer at the second.
ModalModel small_model() {
  ModalModel model;
  const auto mode = [](double k, double c, double slip, std::vector<double> shape) {
    Mode m;
    m.linear_stiffness = k;
    m.damping = c;
    m.joint = JointSpec{"iwan4", {{"slip_force", slip}, {"stiffness", 0.2 * k}, {"chi", -0.3}, {"beta", 0.5}}, false};
    m.shape = Eigen::Map<Eigen::VectorXd>(shape.data(), 3);
    m.load_shape = shape[1];
    return m;
  };
  model.modes = {mode(4e5, 3.0, 20.0, {1.0, 0.6, -0.4}), mode(2e6, 6.0, 40.0, {0.7, -0.9, 0.5})};
  for (Eigen::Index j = 0; j < 3; ++j) model.sensors.push_back({"s" + std::to_string(j), Eigen::VectorXd::Unit(3, j)});
  return model;
}

/// What `small_model` does under a haversine of 40 N, at 4096 Hz for a second, by steps of its own.
Record recorded(Quantity quantity) {
  const Load pulse(Haversine{40, 4e-3}, 0.01);
  constexpr std::int64_t n = 4096;
  OutputPlan output;
  output.envelope = false;
  output.displacement = output.velocity = output.acceleration = true;
  output.every = 50;
  const Simulation run = simulate(small_model(), {pulse, false}, {}, {(n - 1) / 4096.0, 50 * (n - 1)}, output, {});
  const auto& rows = quantity == Quantity::displacement ? run.displacement
                     : quantity == Quantity::velocity   ? run.velocity
                                                        : run.acceleration;
  Record record;
  record.sampling_rate_hz = 4096;
  record.source = "hit";
  Channel force{"hammer", "N", Quantity::force, {}};
  for (const double t : run.time) force.samples.push_back(pulse(t));
  record.channels.push_back(std::move(force));
  for (std::size_t j = 0; j < 3; ++j) record.channels.push_back({"s" + std::to_string(j), "", quantity, rows[j]});
  return record;
}

TEST(Prediction, TheTrueModelPredictsItsOwnRecord) {
  for (const Quantity quantity : {Quantity::displacement, Quantity::velocity, Quantity::acceleration}) {
    const Prediction p = predict(small_model(), recorded(quantity));
    // The pulse's samples hold it up to half their rate; what is left are Newmark's steps, one part in 1e5 of a period,
    // 100 to 230 periods long: 2 pi 230e-5 of phase at the end, less on average, and decayed by then.
    EXPECT_LT(p.error, 5e-3) << to_string(quantity);
    for (const PredictedMode& mode : p.modes) EXPECT_LT(mode.error, 5e-3);
    for (const double e : p.zefft_error) EXPECT_LT(e, 5e-3);
    EXPECT_NEAR(p.peak_force, 40, 0.1);
    EXPECT_NEAR(p.pulse_from, 0.01, 8e-3);
    EXPECT_NEAR(p.pulse_to, 0.014, 8e-3);
    EXPECT_GT(p.modes[0].peak, 0);
  }
}

TEST(Prediction, ErrorIsThatOfTheScaledMotion) {
  // A sensor that reads 10 % too much everywhere: the error is 0.1/1.1 of what it reads.
  Record record = recorded(Quantity::velocity);
  for (std::size_t c = 1; c < record.channels.size(); ++c)
    for (double& v : record.channels[c].samples) v *= 1.1;
  EXPECT_NEAR(predict(small_model(), record).error, 0.1 / 1.1, 5e-3);
}

TEST(Prediction, AModelWithoutItsJointIsFarOff) {
  ModalModel model = small_model();
  for (Mode& mode : model.modes) {
    mode.linear_stiffness *= 1.2;  // the stuck joint's
    mode.joint.reset();
  }
  EXPECT_GT(predict(model, recorded(Quantity::velocity)).error, 0.2);
}

TEST(Prediction, TheHitMayBeNamedInsteadOfLoadShapes) {
  ModalModel model = small_model();
  for (Mode& mode : model.modes) mode.load_shape = 1;
  PredictionOptions options;
  options.hit = "s1";
  EXPECT_EQ(predict(model, recorded(Quantity::velocity), options).error,
            predict(small_model(), recorded(Quantity::velocity)).error);
}

TEST(Prediction, ARecordThatStartsLaterKeepsItsClock) {
  // 5 s later by the clock, and nothing else changes. Times of a few seconds round to 1e-15.
  Record record = recorded(Quantity::velocity);
  PredictionOptions options;
  options.zefft_times = {0.1, 0.3};
  const Prediction early = predict(small_model(), record, options);
  record.start_time = 5;
  options.zefft_times = {5.1, 5.3};
  const Prediction late = predict(small_model(), record, options);
  EXPECT_NEAR(late.time.front(), 5 + early.time.front(), 1e-12);
  EXPECT_NEAR(late.pulse_to, 5 + early.pulse_to, 1e-12);
  ASSERT_EQ(late.measured_zefft.zeroed_until.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(late.measured_zefft.zeroed_until[k], 5 + early.measured_zefft.zeroed_until[k], 1e-12);
    EXPECT_NEAR(late.predicted_zefft.zeroed_until[k], 5 + early.predicted_zefft.zeroed_until[k], 1e-12);
  }
  EXPECT_EQ(late.zefft_error, early.zefft_error);
}

TEST(Prediction, ASensorThatDoesNotMoveHasNoError) {
  Record record = recorded(Quantity::velocity);
  const Prediction whole = predict(small_model(), record);
  std::fill(record.channels[3].samples.begin(), record.channels[3].samples.end(), 0.0);
  const Prediction p = predict(small_model(), record);
  EXPECT_TRUE(std::isnan(p.channels[2].error));
  for (const std::size_t c : {0U, 1U}) EXPECT_EQ(p.channels[c].error, whole.channels[c].error);
  EXPECT_NE(std::find(p.notes.begin(), p.notes.end(), "sensor s2 does not move in the band: it has no error"),
            p.notes.end());
  for (std::size_t c = 1; c < 3; ++c)
    std::fill(record.channels[c].samples.begin(), record.channels[c].samples.end(), 0.0);
  EXPECT_NE(test::message_of<InvalidInput>([&] {
              (void)predict(small_model(), record);
            }).find("hit: no sensor of the model moves"),
            std::string::npos);
}

TEST(Prediction, AnOffsetOfTheHammerChangesNothing) {
  const Record clean = recorded(Quantity::velocity);
  Record off = clean;
  for (double& f : off.channels.front().samples) f += 4;  // a tenth of the peak
  for (const bool window : {true, false}) {
    PredictionOptions options;
    options.window_force = window;
    const Prediction expected = predict(small_model(), clean, options), p = predict(small_model(), off, options);
    EXPECT_EQ(p.pulse_from, expected.pulse_from);
    EXPECT_EQ(p.pulse_to, expected.pulse_to);
    EXPECT_NEAR(p.peak_force, expected.peak_force, 1e-12);  // rounding of 44 N
    EXPECT_NEAR(p.error, expected.error, 1e-6);
    for (std::size_t k = 0; k < p.modes.size(); ++k) EXPECT_NEAR(p.modes[k].error, expected.modes[k].error, 1e-6);
  }
}

TEST(Prediction, AnOffsetOfASensorChangesNothing) {
  const Record clean = recorded(Quantity::displacement);
  const Prediction expected = predict(small_model(), clean);
  double most = 0;
  for (const double x : clean.channels[1].samples) most = std::max(most, std::abs(x));
  for (const double share : {0.02, 2.0}) {  // after the second it would never cross zero
    Record off = clean;
    for (std::size_t c = 1; c < off.channels.size(); ++c)
      for (double& x : off.channels[c].samples) x += share * most;
    const Prediction p = predict(small_model(), off);
    EXPECT_EQ(p.notes.size(), expected.notes.size());
    EXPECT_NEAR(p.error, expected.error, 1e-9);
    for (std::size_t k = 0; k < p.modes.size(); ++k) EXPECT_NEAR(p.modes[k].error, expected.modes[k].error, 1e-9);
    ASSERT_EQ(p.zefft_error.size(), 6U);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(p.zefft_error[k], expected.zefft_error[k], 1e-9) << k;
  }
}

TEST(Prediction, SpectraThatCannotBeginAtACrossingAreLeftOutOrRefused) {
  // The sensors jump at a fifth of the record, and cross zero no more.
  Record record = recorded(Quantity::velocity);
  for (std::size_t c = 1; c < record.channels.size(); ++c)
    for (std::size_t i = record.n_samples() / 5; i < record.n_samples(); ++i) record.channels[c].samples[i] += 10;
  const Prediction p = predict(small_model(), record);
  EXPECT_EQ(p.zefft_error.size(), 3U);  // the whole, and from 1 and 10 % after the pulse
  EXPECT_EQ(p.zefft_error.size(), p.measured_zefft.spectra.size());
  EXPECT_EQ(p.measured_zefft.zeroed_until.front(), 0);
  ASSERT_EQ(p.notes.size(), 1U);
  EXPECT_NE(p.notes.front().find("does not cross zero"), std::string::npos);
  PredictionOptions options;
  options.zefft_times = {0.9};
  const std::string told = test::message_of<InvalidInput>([&] { (void)predict(small_model(), record, options); });
  EXPECT_NE(told.find("zeroed early-time spectra: sensor 's"), std::string::npos) << told;
  const std::string before_last = "the last time is ";  // which is taken
  options.zefft_times = {std::stod(told.substr(told.find(before_last) + before_last.size()))};
  EXPECT_EQ(predict(small_model(), record, options).zefft_error.size(), 2U) << told;
}

TEST(Prediction, WrongInputIsRefusedByName) {
  const Record good = recorded(Quantity::velocity);
  const auto refusal = [](const ModalModel& model, const Record& record, const PredictionOptions& options = {}) {
    return test::message_of<InvalidInput>([&] { (void)predict(model, record, options); });
  };
  Record record = good;
  record.channels.erase(record.channels.begin());
  EXPECT_NE(refusal(small_model(), record).find("no channel is a force"), std::string::npos);
  record = good;
  record.channels.push_back(record.channels.front());
  EXPECT_NE(refusal(small_model(), record).find("several force channels"), std::string::npos);
  record = good;
  record.channels[2].name = "s9";
  EXPECT_NE(refusal(small_model(), record).find("'s1'"), std::string::npos);
  record = good;
  record.channels[2].quantity = Quantity::unknown;
  EXPECT_NE(refusal(small_model(), record).find("'s1'"), std::string::npos);
  record = good;
  record.channels[2].quantity = Quantity::acceleration;
  EXPECT_NE(refusal(small_model(), record).find("acceleration"), std::string::npos);
  record = good;
  record.channels[2].samples[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refusal(small_model(), record), "");
  record = good;
  std::fill(record.channels[0].samples.begin(), record.channels[0].samples.end(), 0.0);
  EXPECT_NE(refusal(small_model(), record).find("zero throughout"), std::string::npos);
  record = good;
  record.sampling_rate_hz = 300;
  EXPECT_NE(refusal(small_model(), record).find("too slowly"), std::string::npos);
  ModalModel model = small_model();
  for (Mode& mode : model.modes) mode.shape.resize(0);
  model.sensors.clear();
  EXPECT_NE(refusal(model, good).find("no shapes"), std::string::npos);
  PredictionOptions options;
  options.hit = "s7";
  EXPECT_NE(refusal(small_model(), good, options).find("'s7'"), std::string::npos);
  options = {};
  options.channel = "s7";
  const std::atomic<bool> stop = true;  // a simulation that began would end with NotConverged
  const std::string told = test::message_of<InvalidInput>([&] {
    (void)predict(small_model(), good, options, {{}, &stop});
  });
  EXPECT_EQ(told, "channel: the model has no sensor 's7' (did you mean 's0'?)");
  record = good;
  std::fill(record.channels[1].samples.begin(), record.channels[1].samples.end(), 0.0);
  options.channel = "s0";
  EXPECT_NE(refusal(small_model(), record, options).find("'s0' is zero throughout"), std::string::npos);
  options = {};
  options.band = signal::Band{500, 100};
  EXPECT_NE(refusal(small_model(), good, options), "");
}

}  // namespace
}  // namespace microslip
