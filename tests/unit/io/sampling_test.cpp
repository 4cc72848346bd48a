#include <cmath>

#include <gtest/gtest.h>
#include <support/refusal.hpp>

#include <microslip/core/check.hpp>
#include <microslip/io/sampling.hpp>

using namespace microslip;

namespace {

std::string place(std::size_t i) { return std::to_string(i); }

std::vector<double> single_precision_times(int n) {
  std::vector<double> time;
  for (int i = 0; i < n; ++i) time.push_back(static_cast<double>(static_cast<float>(i / 12800.0)));
  return time;
}

TEST(Sampling, TimesInSinglePrecisionAreEven) {
  const int n = 30 * 12800;
  const std::vector<double> time = single_precision_times(n);
  const auto sampling = io::even_sampling(time, "x", place);
  // As for decimals: rounding errors of at most half a digit change the slope by at most 3 digit / (2 n).
  const double digit = std::ldexp(1.0, -19);  // of 24 bits, from 16 s on
  EXPECT_NEAR(sampling.rate_hz, 12800, 12800.0 * 12800.0 * digit * 1.5 / n);
  EXPECT_EQ(sampling.warning.substr(0, sampling.warning.find(':')), "times are rounded to 1.91e-06 s, 2 % of a step");
}

TEST(Sampling, LateTimesInSinglePrecisionAreEven) {  // multiples of 2^-9 s: they look like decimals of nine places
  std::vector<double> time;
  for (int i = 0; i < 20'000; ++i) time.push_back(static_cast<double>(static_cast<float>(20'000 + i / 100.0)));
  const auto sampling = io::even_sampling(time, "x", place);
  EXPECT_NEAR(sampling.rate_hz, 100, 100.0 * 100.0 * std::ldexp(1.0, -9) * 1.5 / 20'000);
  time.erase(time.begin() + 5'000);
  EXPECT_THROW((void)io::even_sampling(time, "x", place), InvalidInput);
}

TEST(Sampling, AMissingSampleIsNoSinglePrecision) {
  const int n = 30 * 12800;
  for (const int gone : {1, n / 2, n - 2}) {
    std::vector<double> time = single_precision_times(n);
    time.erase(time.begin() + gone);
    EXPECT_EQ(test::refusal([&] { (void)io::even_sampling(time, "x", place); }).substr(0, 19), "x: uneven sampling:")
        << gone;
  }
  // Coarser than half a step, a missing sample could not be told.
  std::vector<double> late = single_precision_times(n);
  for (double& t : late) t = static_cast<double>(static_cast<float>(t + 600));
  EXPECT_THROW((void)io::even_sampling(late, "x", place), InvalidInput);
}

}  // namespace
