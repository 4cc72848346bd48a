#include <cmath>

#include <gtest/gtest.h>

#include <microslip/core/median.hpp>
#include <microslip/signal/flags.hpp>
#include <microslip/signal/ringdown.hpp>

#include "signals.hpp"

namespace microslip::signal {
namespace {

using test::ClosedLaw;
using test::one_mode;
using test::pi;
using test::record_of;

/// How often bands hold the truth, and how wide they are against the error.
struct Coverage {
  double held = 0, points = 0, squares = 0;
  std::vector<double> band;
  void add(double error, double half_width) {
    held += std::abs(error) <= half_width ? 1 : 0;
    ++points;
    squares += error * error;
    band.push_back(half_width);
  }
  [[nodiscard]] double share() const { return held / points; }
  [[nodiscard]] double width() const { return median(band) / (1.96 * std::sqrt(squares / points)); }
};

TEST(Ringdown, BandsHoldTheTruthAsOftenAsTheySayEarlyAndLate) {
  // 95 % is asked for. The points of half a decay err together, as some three independent ones: those of 20 decays have
  // a share uncertain by sqrt(0.95 * 0.05 / 60), 3 %, and 0.88 is 2.5 times that below.
  const double fs = 1600;
  const std::size_t n = 8000, hit = 80;
  for (const ClosedLaw& law : {ClosedLaw{.a = 1.5, .b = 0, .s = 0}, ClosedLaw{}})
    for (const double noise : {1e-3, 1e-2})
      for (const RingdownMethod method : {RingdownMethod::both, RingdownMethod::hilbert, RingdownMethod::pff}) {
        Coverage frequency[2], damping[2];
        for (unsigned seed = 0; seed < 20; ++seed) {
          std::vector<double> x = test::white_noise(n, noise, 1000 + seed);
          for (std::size_t i = hit; i < n; ++i) x[i] += law.value(static_cast<double>(i - hit) / fs);
          RingdownOptions options = one_mode(80.5);
          options.method = method;
          options.n_points = 100;
          const auto m = measure_backbone(record_of(x, fs), options).modes.front();
          for (std::size_t i = 0; i < m.time.size(); ++i) {
            if (!(m.flag[i].empty() || m.flag[i] == flag::one_estimator)) continue;
            const double t = m.time[i] - static_cast<double>(hit) / fs, omega = std::hypot(law.omega(t), law.decay(t));
            const std::size_t half = 2 * i / m.time.size();
            frequency[half].add(m.frequency_hz[i] - omega / (2 * pi), m.frequency_band[i]);
            damping[half].add(m.damping_ratio[i] - law.decay(t) / omega, m.damping_band[i]);
          }
        }
        for (const std::size_t half : {0U, 1U})
          for (const Coverage* quantity : {&frequency[half], &damping[half]}) {
            if (quantity->points < 200) continue;  // peaks alone do not know the end of a noisy decay
            SCOPED_TRACE(fmt::format("{} decay, noise {}, method {}, half {}: {} holds {:.3f}, width {:.2f}",
                                     law.b > 0 ? "bent" : "linear", noise, static_cast<int>(method), half,
                                     quantity == &damping[half] ? "damping" : "frequency", quantity->share(),
                                     quantity->width()));
            EXPECT_GT(quantity->share(), 0.88);
            // A line in truth: a band that allows for curves, or for another estimator's noise, is wider than its
            // error.
            if (law.b > 0) {
              EXPECT_LT(quantity->width(), 2.5);
            }
          }
      }
}

}  // namespace
}  // namespace microslip::signal
