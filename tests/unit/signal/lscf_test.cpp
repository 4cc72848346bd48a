#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/signal/lscf.hpp>

#include "signals.hpp"
#include "support/refusal.hpp"

namespace microslip::signal {
namespace {

using test::pi;

/// Three modes hit at sensor 0: impulse responses in closed form, sampled.
std::vector<Record> hammer_hits(int hits, double noise) {
  const double fs = 2048, f[] = {120, 300, 315}, zeta[] = {0.004, 0.003, 0.005};
  const double phi[3][3] = {{0.8, -0.3, 0.5}, {0.6, 0.7, -0.4}, {0.3, -0.5, -0.9}};
  const std::size_t n = 8192;
  std::vector<Record> records;
  for (int hit = 0; hit < hits; ++hit) {
    Record record;
    record.sampling_rate_hz = fs;
    std::vector<double> force(n, 0.0);
    force[0] = 10 * fs;  // an impulse of 10 N s
    record.channels.push_back({"hammer", "N", Quantity::force, force});
    for (int o = 0; o < 3; ++o) {
      auto x = test::white_noise(n, noise, static_cast<unsigned>(10 * hit + o));
      for (std::size_t i = 0; i < n; ++i)
        for (int r = 0; r < 3; ++r) {
          const double w = 2 * pi * f[r], wd = w * std::sqrt(1 - zeta[r] * zeta[r]), t = static_cast<double>(i) / fs;
          x[i] += 10 * phi[r][o] * phi[r][0] * std::exp(-zeta[r] * w * t) * std::sin(wd * t) / wd;
        }
      record.channels.push_back({fmt::format("s{}", o), "m", Quantity::displacement, std::move(x)});
    }
    records.push_back(std::move(record));
  }
  return records;
}

TEST(Lscf, FindsModesDampingAndMassNormalisedShapesFromHammerHits) {
  const auto records = hammer_hits(5, 1e-6);  // peaks near 1e-2
  const Frf frf = estimate_frf(records);
  EXPECT_GT(frf.coherence[0][480], 0.999);  // 120 Hz
  const LinearModes modes = estimate_modes(frf, {.band = {60, 500}, .driving_point = "s0"});
  ASSERT_EQ(modes.frequency_hz.size(), 3U);
  const double f[] = {120, 300, 315}, zeta[] = {0.004, 0.003, 0.005};
  const double phi[3][3] = {{0.8, -0.3, 0.5}, {0.6, 0.7, -0.4}, {0.3, -0.5, -0.9}};
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_NEAR(modes.frequency_hz[r] / f[r], 1, 1e-4);
    EXPECT_NEAR(modes.damping_ratio[r] / zeta[r], 1, 0.01);
    for (std::size_t o = 0; o < 3; ++o) EXPECT_NEAR(modes.shapes.value[r][o], phi[r][o], 0.01) << r << " " << o;
  }
  EXPECT_LT(modes.error, 0.01);
}

TEST(Lscf, WithoutADrivingPointTheLargestValueOfAShapeIsOne) {
  const LinearModes modes = estimate_modes(estimate_frf(hammer_hits(1, 0)), {.band = {60, 500}, .driving_point = ""});
  ASSERT_EQ(modes.frequency_hz.size(), 3U);
  EXPECT_NEAR(modes.damping_ratio[0] / 0.004, 1, 0.01);
  EXPECT_FALSE(modes.shapes.mass_normalised);
  for (const auto& shape : modes.shapes.value) EXPECT_EQ(*std::max_element(shape.begin(), shape.end()), 1.0);
}

TEST(Lscf, SensorsMayMeasureDifferentMotions) {
  auto records = hammer_hits(1, 0);
  // s1 as its velocity by central differences, whose gain is sin(w)/w at w radians per sample.
  auto& x = records[0].channels[2].samples;
  std::vector<double> v(x.size(), 0.0);
  const double fs = records[0].sampling_rate_hz;
  for (std::size_t i = 1; i + 1 < x.size(); ++i) v[i] = 0.5 * fs * (x[i + 1] - x[i - 1]);
  x = v;
  records[0].channels[2].quantity = Quantity::velocity;
  records[0].channels.push_back({"temperature", "", Quantity::unknown, std::vector<double>(v.size(), 20.0)});
  const Frf frf = estimate_frf(records);
  EXPECT_EQ(frf.channels, (std::vector<std::string>{"s0", "s1", "s2"})) << "no motion, no shape";
  const LinearModes modes = estimate_modes(frf, {.band = {60, 500}, .driving_point = "s0"});
  ASSERT_EQ(modes.frequency_hz.size(), 3U);
  const double phi_1[] = {-0.3, 0.7, -0.5}, f[] = {120, 300, 315};
  for (std::size_t r = 0; r < 3; ++r) {
    const double w = 2 * pi * f[r] / fs;
    EXPECT_NEAR(modes.shapes.value[r][1], phi_1[r] * std::sin(w) / w, 0.01) << r;
  }
}

TEST(Lscf, ADeadSensorSpoilsNoOther) {
  auto records = hammer_hits(1, 0);
  records[0].channels.push_back({"dead", "m", Quantity::displacement, std::vector<double>(8192, 0.0)});
  const LinearModes modes = estimate_modes(estimate_frf(records), {.band = {60, 500}, .driving_point = "s0"});
  ASSERT_EQ(modes.frequency_hz.size(), 3U);
  const double phi_2[] = {0.5, -0.4, -0.9};
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_NEAR(modes.shapes.value[r][2], phi_2[r], 0.01) << r;
    EXPECT_EQ(modes.shapes.value[r][3], 0) << r;
  }
  for (std::size_t j = 1; j < records[0].channels.size(); ++j) records[0].channels[j].samples.assign(8192, 0.0);
  const LinearModes none = estimate_modes(estimate_frf(records), {.band = {60, 500}, .driving_point = "s0"});
  EXPECT_TRUE(none.frequency_hz.empty());
  ASSERT_EQ(none.notes.size(), 1U);
  EXPECT_NE(none.notes[0].find("no channel moves"), std::string::npos) << none.notes[0];
}

TEST(Lscf, HitsMustHaveTheSameChannels) {
  auto records = hammer_hits(2, 0);
  std::swap(records[1].channels[1], records[1].channels[2]);
  EXPECT_THROW((void)estimate_frf(records), InvalidInput) << "same number, other order";
  records = hammer_hits(2, 0);
  records[1].channels[1].quantity = Quantity::velocity;
  EXPECT_THROW((void)estimate_frf(records), InvalidInput);
}

TEST(Lscf, ModesThatTheDrivingPointCannotScaleAreLeftOut) {
  // At s1 the constants phi_r1 phi_r0 of the first and third mode are negative: it was not hit there.
  const LinearModes modes = estimate_modes(estimate_frf(hammer_hits(1, 0)), {.band = {60, 500}, .driving_point = "s1"});
  ASSERT_EQ(modes.frequency_hz.size(), 1U);
  EXPECT_NEAR(modes.frequency_hz[0], 300, 0.03);
  EXPECT_EQ(modes.shapes.value.size(), 1U);
  EXPECT_EQ(modes.shapes.frequency_hz, modes.frequency_hz);
  EXPECT_EQ(modes.notes.size(), 2U);
}

TEST(Lscf, RefusesMissingForceWrongBandAndUnknownDrivingPoint) {
  auto records = hammer_hits(1, 0);
  const Frf frf = estimate_frf(records);
  EXPECT_THROW((void)estimate_modes(frf, {.band = {100, 101}, .driving_point = ""}), InvalidInput);
  EXPECT_THROW((void)estimate_modes(frf, {.band = {500, 60}, .driving_point = ""}), InvalidInput);
  EXPECT_THROW((void)estimate_modes(frf, {.band = {60, 500}, .driving_point = "s9"}), InvalidInput);
  const auto named = [&](const std::string& name) {
    return microslip::test::refusal([&] { (void)estimate_frf(records, name); });
  };
  records[0].source = "hit.mat";
  EXPECT_EQ(named("hamer"), "hit.mat: no channel 'hamer' (did you mean 'hammer'?)");
  records[0].channels[2].name = "hammer";
  EXPECT_EQ(named("hammer"), "hit.mat: 2 channels are named 'hammer', expected one");
  records[0].channels[2].name = "hammer 2";
  records[0].channels[2].quantity = Quantity::force;
  EXPECT_EQ(named(""), "hit.mat: several force channels ('hammer', 'hammer 2'); name the hammer's (--force-channel)");
  EXPECT_EQ(estimate_frf(records, "hammer").channels, (std::vector<std::string>{"s0", "s2"}));
  records[0].channels[0].quantity = records[0].channels[2].quantity = Quantity::unknown;
  EXPECT_EQ(named(""), "hit.mat: no channel is a force; that of the hammer is needed");
  EXPECT_THROW((void)estimate_frf({}), InvalidInput);
}

}  // namespace
}  // namespace microslip::signal
