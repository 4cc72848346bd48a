#include <cmath>
#include <complex>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/signal/zefft.hpp>

#include "signals.hpp"

namespace microslip::signal {
namespace {

using test::pi;

TEST(Zefft, ZeroesUpToTheFirstCrossingAtOrAfterTheTime) {
  const double fs = 100;
  std::vector<double> x(100);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::cos(2 * pi * 5 * (static_cast<double>(i) + 0.5) / fs);
  const std::vector<double> times{0.0, 0.06, 0.5};
  const Zefft z = zefft(x, fs, times);
  ASSERT_EQ(z.spectra.size(), 3U);
  EXPECT_EQ(z.frequency_hz.size(), 51U);
  EXPECT_DOUBLE_EQ(z.frequency_hz[1], 1.0);
  EXPECT_DOUBLE_EQ(z.zeroed_until[0], 0.05);  // cos crosses zero at 0.045 s
  EXPECT_DOUBLE_EQ(z.zeroed_until[1], 0.15);
  for (std::size_t r = 0; r < 3; ++r) {  // by the definition
    const auto first = static_cast<std::size_t>(std::lround(z.zeroed_until[r] * fs));
    for (const std::size_t k : {0U, 5U, 17U, 50U}) {
      std::complex<double> sum = 0;
      for (std::size_t i = first; i < x.size(); ++i)
        sum += x[i] * std::polar(1.0, -2 * pi * static_cast<double>(i * k) / 100.0);
      EXPECT_NEAR(z.spectra[r][k], std::abs(sum) / fs, 1e-14);
    }
  }
  EXPECT_THROW((void)zefft(x, fs, std::vector<double>{1.5}), InvalidInput);
  EXPECT_THROW((void)zefft(x, fs, std::vector<double>{-0.1}), InvalidInput);
  EXPECT_THROW((void)zefft(x, fs, std::vector<double>{}), InvalidInput);
  EXPECT_THROW((void)zefft(std::vector<double>(50, 1.0), fs, std::vector<double>{0.1}), InvalidInput);
}

TEST(Zefft, TheWholeSpectrumNeedsNoCrossing) {
  const double fs = 10;
  std::vector<double> x{3, 1, 2, 5, 4};
  const Zefft whole = whole_and_zeroed(x, fs, {});
  ASSERT_EQ(whole.spectra.size(), 1U);
  EXPECT_EQ(whole.zeroed_until, std::vector<double>{0});
  EXPECT_DOUBLE_EQ(whole.spectra[0][0], 15 / fs);
  EXPECT_LT(last_crossing(x), 0);
  x = {3, -1, 2, 5, 4};
  const Zefft both = whole_and_zeroed(x, fs, std::vector<double>{0.0});
  ASSERT_EQ(both.spectra.size(), 2U);
  EXPECT_EQ(both.zeroed_until, (std::vector<double>{0, 0.1}));
  EXPECT_DOUBLE_EQ(both.spectra[1][0], 10 / fs);
  EXPECT_DOUBLE_EQ(last_crossing(x), 1 + 1.0 / 3);
  EXPECT_EQ(last_crossing(std::vector<double>{1, 0, 2}), 1);
}

TEST(Zefft, RefusalsTellTimesOnTheRecordsClockAndWhatToDo) {
  const auto refusal = [](const std::vector<double>& x, double time) {
    try {
      (void)zefft(x, 10, std::vector<double>{time}, 100);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::vector<double> offset(50, 1.0);
  EXPECT_EQ(refusal(offset, 2.0 - 100), "zefft: time 2 s, expected within the record, 100 to 105 s");
  EXPECT_EQ(refusal(offset, 0.5),
            "zefft: the signal has no zero crossing after 100.5 s: take an earlier time, or take its offset off first "
            "where it has one");
}

}  // namespace
}  // namespace microslip::signal
