#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/signal/decay_window.hpp>
#include <microslip/signal/dissipation.hpp>
#include <microslip/signal/gaussian_process.hpp>
#include <microslip/signal/inspect.hpp>
#include <microslip/signal/lscf.hpp>
#include <microslip/signal/mode_band.hpp>
#include <microslip/signal/repeats.hpp>
#include <microslip/signal/smooth_decay.hpp>
#include <microslip/signal/zefft.hpp>

#include "signals.hpp"
#include "support/refusal.hpp"

namespace microslip::signal {
namespace {

using test::pi;

TEST(SmoothDecay, DerivativesOfTheBentPolynomialAreThoseOfItsValue) {
  const SmoothDecay smooth({0.2, 5.0, 30}, {1, -2, 0.3, -0.1}, {3, 400, 2, -0.5, 0.2});
  const double h = 1e-5;
  for (const double t : {0.1, 0.2001, 0.5, 2.0, 4.9}) {
    const LogDecay p = smooth.at(t), before = smooth.at(t - h), after = smooth.at(t + h);
    EXPECT_NEAR(std::abs((after.value - before.value) / (2 * h) - p.rate), 0, 1e-6 * std::abs(p.rate));
    EXPECT_NEAR(std::abs((after.rate - before.rate) / (2 * h) - p.change), 0, 1e-5 * std::abs(p.change));
  }
}

TEST(SmoothDecay, CrossValidationTakesALineForALineAndMoreForACurve) {
  LogSamples s;
  const auto noise = test::white_noise(1000, 1e-3, 7);
  for (std::size_t i = 0; i < 1000; ++i) {
    const double t = 0.005 * static_cast<double>(i);
    s.time.push_back(t);
    s.log_amplitude.push_back(-1.2 * t + noise[i]);
    s.phase.push_back(500 * t + 3 * std::exp(-2 * t) + noise[999 - i]);
    s.weight.push_back(1);
  }
  const SmoothDecay smooth = smooth_decay(s);
  EXPECT_LE(smooth.amplitude_degree(), 2);
  EXPECT_GE(smooth.phase_degree(), 3);
  for (const double t : {0.5, 2.0, 4.0}) {
    EXPECT_NEAR(smooth.at(t).rate.real(), -1.2, 4 * smooth.rate_deviation(t).real());
    EXPECT_NEAR(smooth.at(t).rate.imag(), 500 - 6 * std::exp(-2 * t), 0.02);
  }
  EXPECT_THROW((void)fit_decay(s, {0, 1, 0}, 0, 1), InvalidInput);
  s.time.resize(3);
  EXPECT_THROW((void)smooth_decay(s), InvalidInput);
}

TEST(Unwrapped, FollowsAnyPathWhoseStepsStayBelowHalfATurn) {
  std::mt19937 rng(5);
  std::uniform_real_distribution<double> step(-0.999 * pi, 0.999 * pi), size(0.1, 3);
  std::vector<double> angle{0.5};
  std::vector<Complex> values{std::polar(1.0, 0.5)};
  while (values.size() < 5000) {
    angle.push_back(angle.back() + step(rng));
    values.push_back(std::polar(size(rng), angle.back()));
  }
  const auto all = unwrapped(values), seventh = unwrapped(values, 7);
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(all[i], angle[i], 1e-9) << i;
  ASSERT_EQ(seventh.size(), (values.size() + 6) / 7);
  for (std::size_t i = 0; i < seventh.size(); ++i) ASSERT_EQ(seventh[i], all[7 * i]) << i;
}

TEST(NoiseAmplitude, IsTheScatterAboutTheGeometricMeanOfNeighbours) {
  std::mt19937 rng(6);
  std::normal_distribution<double> normal(0, 0.01 / std::numbers::sqrt2);
  std::vector<Complex> values;
  for (int i = 0; i < 4000; ++i)
    values.push_back(std::exp(Complex(-1e-4, 0.4) * static_cast<double>(i)) + Complex(normal(rng), normal(rng)));
  const std::size_t lag = 5, first = (values.size() - 2 * lag) * 2 / 3;
  std::vector<double> scatter;  // by the definition, root by root
  for (std::size_t i = first; i + 2 * lag < values.size(); ++i) {
    const Complex root = std::sqrt(values[i] * values[i + 2 * lag]), middle = values[i + lag];
    scatter.push_back(std::min(std::abs(middle - root), std::abs(middle + root)));
  }
  std::nth_element(scatter.begin(), scatter.begin() + static_cast<std::ptrdiff_t>(scatter.size() / 2), scatter.end());
  const double found = noise_amplitude(values, lag);
  EXPECT_NEAR(found, scatter[scatter.size() / 2] / std::sqrt(1.5 * std::log(2.0)), 1e-12);
  EXPECT_NEAR(found, 0.01, 5e-4);  // the median of 1300 values: 3 % at two standard deviations
}

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

TEST(Sensors, TrimmedMeanDropsElevenPercentOnEachSide) {
  std::vector<double> values(70, 1.0);
  for (std::size_t i = 0; i < 8; ++i) {
    values[i] = 1e6;
    values[69 - i] = -1e6;
  }
  EXPECT_DOUBLE_EQ(trimmed_mean(values, 0.11), 1.0);  // eight of seventy, as in the paper
  EXPECT_THROW((void)trimmed_mean(values, 0.5), InvalidInput);
  EXPECT_THROW((void)trimmed_mean({}, 0.1), InvalidInput);
}

TEST(Sensors, ModalFilterIsTheInverseOnItsModes) {
  const std::vector<std::vector<double>> shapes{{1, 2, 3, 4}, {1, -1, 1, -1}};
  for (std::size_t r = 0; r < 2; ++r) {
    const auto w = modal_filter_weights(shapes, r).weight;
    for (std::size_t s = 0; s < 2; ++s) {
      double sum = 0;
      for (std::size_t j = 0; j < 4; ++j) sum += w[j] * shapes[s][j];
      EXPECT_NEAR(sum, r == s ? 1.0 : 0.0, 1e-14);
    }
  }
  EXPECT_THROW((void)modal_filter_weights({{1, 2}, {2, 4}}, 0), InvalidInput);
  EXPECT_THROW((void)modal_filter_weights({{1, 2}, {2}}, 0), InvalidInput);
}

TEST(Inspect, ARoundedOscillationIsNotClipped) {
  auto x = test::linear_decay(5000, 10000, 20, 1);
  EXPECT_FALSE(last_clipped(x, 10000));
  auto rounded = x;
  for (double& v : rounded) v = std::round(v * 100) / 100;
  EXPECT_FALSE(last_clipped(rounded, 10000));
  for (double& v : x) v = std::min(v, 0.9);
  EXPECT_TRUE(last_clipped(x, 10000));
}

TEST(ModeBand, KeepsAwayFromNeighboursAndIsWideWithoutThem) {
  std::vector<double> power(4001);
  const auto peak = [&](double f, double height) {
    for (std::size_t k = 1; k < power.size(); ++k) {
      const double d = (static_cast<double>(k) - f) / (0.002 * f);
      power[k] += height * height / (1 + d * d);
    }
  };
  peak(1000, 1);
  const ModeBand alone = choose_band(power, 1.0, 1003);
  EXPECT_EQ(alone.peak_hz, 1000);
  EXPECT_NEAR(alone.band.lower_hz, 650, 1);
  EXPECT_NEAR(alone.band.upper_hz, 1500, 1);
  peak(1200, 1);
  const ModeBand near = choose_band(power, 1.0, 1000);
  EXPECT_NEAR(near.band.upper_hz, 1000 + 200 * std::pow(1e-3, 1.0 / 8), 1);
  EXPECT_NEAR(near.band.lower_hz, 650, 1);
  EXPECT_THROW((void)choose_band(power, 1.0, 2500), InvalidInput);
  EXPECT_THROW((void)choose_band(power, 1.0, 3900), InvalidInput);
}

TEST(Dissipation, OfALinearOscillatorIsPiCOmegaASquared) {
  const double f = 80, zeta = 0.002, a = 1e-4, omega = 2 * pi * f, c = 2 * zeta * omega;  // unit mass
  EXPECT_NEAR(dissipation(a, zeta, linear_energy_slope(a, f)), pi * c * omega * a * a, 1e-22);
  EXPECT_DOUBLE_EQ(masing_energy_slope(a, f, 0), linear_energy_slope(a, f));
  // Cubic softening F = k A - g A^3: E' = A dF/dA.
  const double k = 1e5, g = 1e11, force_slope = k - 3 * g * a * a, k_secant = k - g * a * a;
  const double dlnf_dlna = -g * a * a / k_secant;
  EXPECT_NEAR(masing_energy_slope(a, std::sqrt(k_secant) / (2 * pi), dlnf_dlna), a * force_slope, 1e-9);
}

TEST(GaussianProcess, RecoversACurveAndHoldsNinetyFivePercentOfItsPoints) {
  std::vector<double> x, y;
  const auto noise = test::white_noise(600, 0.05, 21);
  for (std::size_t i = 0; i < 600; ++i) {
    x.push_back(-10 + 0.01 * static_cast<double>(i));
    y.push_back(std::sin(x.back()) + 0.3 * x.back() + noise[i]);
  }
  const GaussianProcess process(x, y);
  EXPECT_NEAR(process.noise(), 0.05, 0.008);  // 200 points: 5 % of sigma, times three
  int inside = 0;
  for (std::size_t i = 0; i < 600; ++i) {
    const auto p = process.at(x[i]);
    inside += std::abs(p.mean - y[i]) <= 1.96 * p.point_deviation ? 1 : 0;
    EXPECT_NEAR(p.mean, std::sin(x[i]) + 0.3 * x[i], 5 * p.deviation);
  }
  EXPECT_GE(inside, 600 * 0.92);
  EXPECT_THROW(GaussianProcess(std::vector<double>{1, 2}, std::vector<double>{1, 2}), InvalidInput);
  EXPECT_THROW(GaussianProcess(std::vector<double>(9, 1.0), std::vector<double>(9, 1.0)), InvalidInput);
}

TEST(Repeats, BandsOfSevenBackbonesHoldTheTruthAndSkipFlaggedPoints) {
  std::vector<Backbone> repeats;
  for (unsigned r = 0; r < 7; ++r) {
    const auto noise = test::white_noise(80, 1, r);
    Backbone b;
    b.coordinate = "modal";
    for (std::size_t i = 0; i < 80; ++i) {
      const double a = 1e-6 * std::pow(100.0, static_cast<double>(i) / 79);
      b.amplitude.push_back(a);
      b.frequency_hz.push_back(80 - 1e4 * a + 0.01 * noise[i]);
      b.damping_ratio.push_back(i == 40 ? 1.0 : 1e-3 + 10 * a + 2e-5 * noise[79 - i]);
      b.dissipation.push_back(0);
      b.flag.emplace_back(i == 40 ? "wrong" : "");
    }
    repeats.push_back(b);
  }
  const BackboneBands bands = backbone_bands(repeats, 50);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_NEAR(bands.frequency_hz[i], 80 - 1e4 * bands.amplitude[i], bands.frequency_band[i]);
    EXPECT_NEAR(bands.damping_ratio[i], 1e-3 + 10 * bands.amplitude[i], bands.damping_band[i]);
    EXPECT_NEAR(bands.frequency_band[i], 1.96 * 0.01, 0.005);
  }
  repeats[1].coordinate = "acc1";
  EXPECT_THROW((void)backbone_bands(repeats), InvalidInput);
}

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
  for (const auto estimator : {FrfEstimator::h1, FrfEstimator::h2}) {
    const Frf frf = estimate_frf(records, {.estimator = estimator, .force_channel = "", .window_decay = 0});
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
}

TEST(Lscf, AnExponentialWindowIsTakenOffTheDamping) {
  const Frf frf =
      estimate_frf(hammer_hits(1, 0), {.estimator = FrfEstimator::h1, .force_channel = "hammer", .window_decay = 3});
  const LinearModes modes = estimate_modes(frf, {.band = {60, 500}, .driving_point = ""});
  ASSERT_EQ(modes.frequency_hz.size(), 3U);
  EXPECT_NEAR(modes.damping_ratio[0] / 0.004, 1, 0.01);
  EXPECT_FALSE(modes.shapes.mass_normalised);
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
    return microslip::test::refusal([&] {
      (void)estimate_frf(records, {.estimator = FrfEstimator::h1, .force_channel = name, .window_decay = 0});
    });
  };
  records[0].source = "hit.mat";
  EXPECT_EQ(named("hamer"), "hit.mat: no channel 'hamer' (did you mean 'hammer'?)");
  records[0].channels[2].name = "hammer";
  EXPECT_EQ(named("hammer"), "hit.mat: 2 channels are named 'hammer', expected one");
  records[0].channels[0].quantity = Quantity::unknown;
  EXPECT_THROW((void)estimate_frf(records), InvalidInput);
  EXPECT_THROW((void)estimate_frf({}), InvalidInput);
}

}  // namespace
}  // namespace microslip::signal
