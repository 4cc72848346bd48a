#include <gtest/gtest.h>

#include <microslip/signal/spectral_peaks.hpp>

#include "signals.hpp"

namespace microslip::signal {
namespace {

constexpr double fs = 4000;

/// Decays of modes at these frequencies, heights falling by ten from one to the next, in noise.
Record modes_in_noise(const std::vector<double>& frequencies, double noise) {
  const std::size_t n = 16000;
  std::vector<double> x = test::white_noise(n, noise, 1);
  double height = 1;
  for (double f : frequencies) {
    const auto decay = test::linear_decay(n, fs, f, 0.004 * f, 0.3);
    for (std::size_t i = 0; i < n; ++i) x[i] += height * decay[i];
    height /= 10;
  }
  return test::record_of(std::move(x), fs, Quantity::acceleration);
}

TEST(SpectralPeaks, FindsModesOfDifferentHeightsInOrderOfFrequency) {
  const std::vector<double> found = spectral_peaks(modes_in_noise({310, 80.5, 1250}, 1e-4));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NEAR(found[0], 80.5, 0.25);  // bins are 1/(4 s) apart
  EXPECT_NEAR(found[1], 310, 0.25);
  EXPECT_NEAR(found[2], 1250, 0.25);
}

TEST(SpectralPeaks, NoiseHasNone) {
  for (unsigned seed : {1U, 2U, 3U})
    EXPECT_TRUE(spectral_peaks(test::record_of(test::white_noise(40000, 1, seed), fs)).empty()) << seed;
}

TEST(SpectralPeaks, KeepsTheHighestWhereThereAreTooMany) {
  const std::vector<double> found = spectral_peaks(modes_in_noise({310, 80.5, 1250}, 1e-4), 2);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0], 80.5, 0.25);
  EXPECT_NEAR(found[1], 310, 0.25);
}

TEST(SpectralPeaks, ForcesAndSignalsThatStandStillDoNotCount) {
  Record record = test::record_of(test::linear_decay(16000, fs, 500, 2), fs, Quantity::force);
  record.channels.push_back({"still", "", Quantity::acceleration, std::vector<double>(16000, 3.0)});
  EXPECT_TRUE(spectral_peaks(record).empty());
}

}  // namespace
}  // namespace microslip::signal
