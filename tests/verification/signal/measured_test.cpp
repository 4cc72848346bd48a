// Real records; none is in the repository. Origins: README.md beside them.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <support/scratch.hpp>

#include <microslip/io/records.hpp>
#include <microslip/io/units.hpp>
#include <microslip/signal/ringdown.hpp>

namespace microslip::signal {
namespace {

using test::shared_data;

RingdownOptions options_for(double f) {
  RingdownOptions options;
  options.modes = {{.frequency_hz = f, .band = {}}};
  return options;
}

TEST(BrakeReussBeam, ThreeChannelsAgreeAndTheJointSoftensAndDampsWithAmplitude) {
  const auto path = shared_data() / "measured" / "BRB_HammerImpact.mat";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "set MICROSLIP_SHARED to the folder with the real files";
  Record record = io::read_records(path).front();
  io::convert_to_si(record);
  const auto m = measure_backbone(record, options_for(80.5)).modes.front();
  ASSERT_EQ(m.channels.size(), 3U);
  for (std::size_t i = 0; i < m.time.size(); ++i) {
    if (m.time[i] < 0.2 || m.time[i] > 3) continue;
    double f[2] = {1e9, 0}, zeta[2] = {1e9, 0};
    for (const auto& c : m.channels) {
      f[0] = std::min(f[0], c.estimate.frequency_hz[i]);
      f[1] = std::max(f[1], c.estimate.frequency_hz[i]);
      zeta[0] = std::min(zeta[0], c.estimate.damping_ratio[i]);
      zeta[1] = std::max(zeta[1], c.estimate.damping_ratio[i]);
    }
    EXPECT_LT(f[1] - f[0], 0.01) << m.time[i] << " s";        // asked for
    EXPECT_LT(zeta[1] - zeta[0], 2e-4) << m.time[i] << " s";  // 0.02 percentage points
    EXPECT_TRUE(m.flag[i].empty()) << m.time[i] << " s: " << m.flag[i];
    if (i > 0 && m.time[i - 1] > 0.2) {  // time runs from high to low amplitude
      EXPECT_GT(m.frequency_hz[i], m.frequency_hz[i - 1]);
      EXPECT_LT(m.damping_ratio[i], m.damping_ratio[i - 1]);
    }
  }
  // The simple estimate that came with the record: 80.39 Hz and 0.244 % at 26.6 m/s^2, 80.57 Hz and 0.142 % at 1.25
  // m/s^2.
  const auto at = [&](double acceleration) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < m.time.size(); ++i)
      if (std::abs(std::log(m.acceleration_amplitude[i] / acceleration)) <
          std::abs(std::log(m.acceleration_amplitude[best] / acceleration)))
        best = i;
    return best;
  };
  EXPECT_NEAR(m.frequency_hz[at(26.6)], 80.39, 0.01);
  EXPECT_NEAR(m.damping_ratio[at(26.6)], 2.44e-3, 5e-5);
  EXPECT_NEAR(m.frequency_hz[at(1.25)], 80.57, 0.01);
  EXPECT_NEAR(m.damping_ratio[at(1.25)], 1.42e-3, 3e-5);
}

TEST(MagnetOscillator, TheReleaseIsFoundAndTheHardeningSeen) {
  const auto path = shared_data() / "measured" / "FrID_decay_f_42p05_ampl_2p0_0.lvm";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "set MICROSLIP_SHARED to the folder with the real files";
  const Record record = io::read_records(path).front();
  RingdownOptions options = options_for(40);
  options.channels = {"Strain_0"};
  const auto m = measure_backbone(record, options).modes.front();
  EXPECT_EQ(m.window.kind, DecayWindow::Start::release);
  EXPECT_NEAR(m.window.onset + record.start_time, 12.2, 0.1);  // README: about 12.2 s
  EXPECT_NEAR(m.low_amplitude_frequency_hz, 36.9, 0.1);        // 39.3 -> 36.9 Hz
  for (std::size_t i = 0; i < m.time.size(); ++i)
    if (m.flag[i].empty()) {
      EXPECT_GT(m.damping_ratio[i], 0);
    }
}

}  // namespace
}  // namespace microslip::signal
