#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/signal/ringdown.hpp>

#include "signals.hpp"

namespace microslip::signal {
namespace {

using test::ClosedLaw;
using test::one_mode;
using test::pi;
using test::record_of;

struct Errors {
  double frequency = 0, damping = 0;  // largest, relative
};
Errors errors(const Estimate& e, double f, double zeta) {
  Errors worst;
  for (std::size_t i = 0; i < e.frequency_hz.size(); ++i) {
    if (std::isnan(e.frequency_hz[i])) continue;
    worst.frequency = std::max(worst.frequency, std::abs(e.frequency_hz[i] / f - 1));
    worst.damping = std::max(worst.damping, std::abs(e.damping_ratio[i] / zeta - 1));
  }
  return worst;
}

TEST(Ringdown, LinearDecayUnfilteredByBothMethods) {
  // Asked for: frequency to 1e-4; damping to 1e-3 from 50 cycles on, to 1 % from 10.
  for (const double cycles : {10.0, 50.0, 300.0})
    for (const double nepers : {0.1, 0.5, 2.0, 5.0})
      for (const double phase : {0.0, 1.3})
        for (const double samples_per_cycle : {8.3, 51.2}) {
          const double f = 100, fs = f * samples_per_cycle, duration = cycles / f, decay = nepers / duration;
          const double omega = std::hypot(2 * pi * f, decay), zeta = decay / omega;
          const auto n = static_cast<std::size_t>(duration * fs);
          const auto result =
              measure_backbone(record_of(test::linear_decay(n, fs, f, decay, phase), fs), one_mode(f, false));
          const ModeRingdown& m = result.modes.front();
          const double damping_tolerance = cycles >= 50 ? 1e-3 : 1e-2;
          for (const auto* e : {&*m.hilbert, &*m.pff}) {
            const Errors worst = errors(*e, omega / (2 * pi), zeta);
            EXPECT_LT(worst.frequency, 1e-4) << cycles << " cycles, " << nepers << " nepers, phase " << phase;
            EXPECT_LT(worst.damping, damping_tolerance)
                << cycles << " cycles, " << nepers << " nepers, phase " << phase;
          }
          EXPECT_TRUE(std::all_of(m.residual.begin(), m.residual.end(), [](double r) { return r < 1e-6; }));
        }
}

TEST(Ringdown, PeaksAloneGiveEveryPointAskedFor) {
  const double f = 100, fs = 5120, decay = 1;
  RingdownOptions options = one_mode(f);
  options.modes[0].band = Band{80, 120};
  options.method = RingdownMethod::pff;
  for (const int n_points : {2, 3, 50}) {
    options.n_points = n_points;
    const auto m = measure_backbone(record_of(test::linear_decay(15360, fs, f, decay), fs), options).modes.front();
    ASSERT_EQ(std::ssize(m.time), n_points);
    EXPECT_FALSE(m.hilbert);
    ASSERT_TRUE(m.pff);
    for (std::size_t i = 0; i < m.time.size(); ++i)
      EXPECT_EQ(m.pff->frequency_hz[i], m.frequency_hz[i]) << "within its reach";
  }
}

TEST(Ringdown, LinearDecayKeepsItsDampingThroughTheBandPassAndTheBiasIsReported) {
  const double f = 100, fs = 5120, decay = 1.0;  // three nepers in three seconds
  const double omega = std::hypot(2 * pi * f, decay), zeta = decay / omega;
  RingdownOptions options = one_mode(f);
  options.modes[0].band = Band{80, 120};
  const auto m = measure_backbone(record_of(test::linear_decay(15360, fs, f, decay, 0.4), fs), options).modes.front();
  const Errors worst = errors(*m.hilbert, omega / (2 * pi), zeta);
  EXPECT_LT(worst.frequency, 1e-6);
  EXPECT_LT(worst.damping, 1e-5);
  EXPECT_GT(m.damping_bias, 1e-6 * zeta);  // there is one, and it was taken off
  EXPECT_LT(m.damping_bias, 0.05 * zeta);
  // Amplitude 1 at time 0.
  for (std::size_t i = 0; i < m.time.size(); ++i) EXPECT_NEAR(m.amplitude[i], std::exp(-decay * m.time[i]), 1e-5);
}

TEST(Ringdown, AmplitudesOfDisplacementVelocityAndAccelerationBelongTogether) {
  const double f = 80, fs = 4000, decay = 1.5, omega_d = 2 * pi * f, omega = std::hypot(omega_d, decay);
  const std::size_t n = 8000;
  const std::complex<double> rate(-decay, omega_d);
  const double a0 = 1e-3;
  for (const int derivative : {0, 1, 2}) {
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i)
      x[i] = (a0 * std::pow(rate, derivative) * std::exp(rate * (static_cast<double>(i) / fs))).real();
    const Quantity quantity[] = {Quantity::displacement, Quantity::velocity, Quantity::acceleration};
    const auto m = measure_backbone(record_of(x, fs, quantity[derivative]), one_mode(f)).modes.front();
    for (std::size_t i = 0; i < m.time.size(); ++i) {
      const double a = a0 * std::exp(-decay * m.time[i]);
      EXPECT_NEAR(m.amplitude[i] / a, 1, 1e-5);
      EXPECT_NEAR(m.velocity_amplitude[i] / (a * omega), 1, 1e-5);
      EXPECT_NEAR(m.acceleration_amplitude[i] / (a * omega * omega), 1, 1e-5);
      EXPECT_NEAR(m.dissipation[i] / (2 * pi * decay / omega * omega * omega * a * a), 1, 1e-3);
    }
  }
}

TEST(Ringdown, NonlinearDecayWithNoiseAndANeighbourIsRecoveredWithinItsBands) {
  const ClosedLaw law;
  const double fs = 6400;
  const std::size_t n = 32000, hit = 320;
  std::vector<double> x = test::white_noise(n, 1e-3, 11);
  for (std::size_t i = hit; i < n; ++i) {
    const double t = static_cast<double>(i - hit) / fs;
    x[i] += law.value(t) + 0.5 * std::exp(-3 * t) * std::cos(2 * pi * 297 * t);
  }
  const auto m = measure_backbone(record_of(x, fs), one_mode(80.5)).modes.front();
  int checked = 0;
  for (std::size_t i = 0; i < m.time.size(); ++i) {
    if (!m.flag[i].empty()) continue;
    const double t = m.time[i] - static_cast<double>(hit) / fs, omega = std::hypot(law.omega(t), law.decay(t));
    // Bands of 95 %: twice as wide, they are four standard deviations.
    EXPECT_NEAR(m.frequency_hz[i], omega / (2 * pi), 2 * m.frequency_band[i]) << "t = " << t;
    EXPECT_NEAR(m.damping_ratio[i], law.decay(t) / omega, 2 * m.damping_band[i]) << "t = " << t;
    ++checked;
  }
  EXPECT_GT(checked, 150);
  EXPECT_NEAR(m.window.onset, static_cast<double>(hit) / fs, 1e-3);
}

TEST(Ringdown, VelocityOfANonlinearDecayGivesTheDampingOfItsDisplacement) {
  // Frequency that falls with amplitude makes velocity and displacement decay at different rates.
  const ClosedLaw law{.s = 4};
  const double fs = 12800, h = 1e-5;
  std::vector<double> x(51200);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double t = static_cast<double>(i) / fs + h;
    x[i] = (law.value(t + h) - law.value(t - h)) / (2 * h);
  }
  const auto m = measure_backbone(record_of(x, fs, Quantity::velocity), one_mode(80)).modes.front();
  double as_velocity = 0;
  std::size_t checked = 0;
  for (std::size_t i = 0; i < m.time.size(); ++i) {
    if (!m.flag[i].empty()) continue;
    ++checked;
    const double t = m.time[i] + h, omega = std::hypot(law.omega(t), law.decay(t));
    EXPECT_NEAR(m.damping_ratio[i] / (law.decay(t) / omega), 1, 0.01) << "t = " << t;
    const double rise = 2 * pi * law.s * law.c * std::exp(-law.c * t) / omega;  // d ln(omega)/dt
    as_velocity = std::max(as_velocity, rise / law.decay(t));
  }
  EXPECT_GT(checked, m.time.size() / 2);
  EXPECT_GT(as_velocity, 0.03);  // what the test would miss without the conversion
}

TEST(Ringdown, AToneBeforeTheHitCountsAsNoise) {
  // Half a hertz beside the mode it beats with the decay, and is itself as smooth as one.
  const double fs = 4000, f = 100, decay = 4, tone = 0.005;
  const std::size_t before = 4000;
  std::vector<double> x(before, 0.0);
  const auto free = test::linear_decay(20000, fs, f, decay);
  x.insert(x.end(), free.begin(), free.end());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += tone * std::sin(2 * pi * (f + 0.5) * static_cast<double>(i) / fs);
  const auto m = measure_backbone(record_of(x, fs), one_mode(f)).modes.front();
  EXPECT_NEAR(m.window.noise, tone / std::sqrt(std::log(2.0)), 0.05 * tone);
  EXPECT_LT(m.window.end, 2);  // of 6 s
  EXPECT_TRUE(std::any_of(m.notes.begin(), m.notes.end(), [](const auto& n) { return n.find("before the hit") == 0; }));
}

TEST(Ringdown, NeitherAnEarlierDecayNorTheFilterBeforeTheHitCountsAsNoise) {
  const double fs = 4000, f = 100;
  for (const int order : {4, 8, 12})
    for (const double earlier : {0.0, 0.3}) {
      std::vector<double> x(16000, 0.0);
      const auto add = [&](std::size_t from, double size) {
        const auto decay = test::linear_decay(x.size() - from, fs, f, 2);
        for (std::size_t i = from; i < x.size(); ++i) x[i] += size * decay[i - from];
      };
      add(1000, earlier);
      add(6000, 1);
      const auto noise = test::white_noise(x.size(), 1e-5, 3);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
      RingdownOptions options = one_mode(f);
      options.filter_order = order;
      const auto m = measure_backbone(record_of(x, fs), options).modes.front();
      EXPECT_LT(m.window.noise, 1e-4) << order << " " << earlier;
      EXPECT_GT(m.window.end, 3.9) << order << " " << earlier;
    }
}

TEST(Ringdown, ADecayIntoNothingIsReadToWhatRecordersKnow) {
  const double fs = 14000, f = 139, decay = 44;  // 5 % of critical, 19 decades in a second
  auto x = test::linear_decay(14000, fs, f, decay);
  for (double& value : x) value = std::abs(value) > 1e-11 ? value : 0;  // as simulations end in their tolerance
  const auto m = measure_backbone(record_of(x, fs), one_mode(f)).modes.front();
  EXPECT_LT(m.window.end, 0.6);
  std::size_t checked = 0;
  for (std::size_t i = 0; i < m.time.size(); ++i) {
    if (!m.flag[i].empty()) continue;
    ++checked;
    EXPECT_NEAR(m.damping_ratio[i], decay / std::hypot(decay, 2 * pi * f), 0.01 * decay / (2 * pi * f));
  }
  EXPECT_GT(checked, m.time.size() / 2);
}

TEST(Ringdown, StopsWhereTheSignalSinksIntoItsNoise) {
  const double fs = 4000, f = 100, decay = 4;
  auto x = test::linear_decay(40000, fs, f, decay);
  const auto noise = test::white_noise(x.size(), 0.01, 3);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
  const auto m = measure_backbone(record_of(x, fs), one_mode(f)).modes.front();
  EXPECT_LT(m.window.end, 2.0);  // exp(-4 * 2) is the noise in the band times 1/10
  EXPECT_GT(m.window.end, 0.6);
  std::size_t checked = 0;
  for (std::size_t i = 0; i < m.time.size(); ++i) {
    if (!m.flag[i].empty()) continue;
    ++checked;  // unflagged means 95 % within 3 %: six standard deviations
    EXPECT_NEAR(m.damping_ratio[i], decay / (2 * pi * f), 0.1 * decay / (2 * pi * f));
  }
  EXPECT_GT(checked, m.time.size() / 4);
}

TEST(Ringdown, WordsTellTimesOnTheRecordsClock) {
  const double fs = 4000, f = 100;
  auto x = test::linear_decay(20000, fs, f, 4);
  const auto noise = test::white_noise(x.size(), 0.01, 3);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
  const auto measured = [&](std::vector<double> samples, RingdownOptions options) {
    Record record = record_of(std::move(samples), fs);
    record.start_time = 100;
    return measure_backbone(record, options).modes.front();
  };
  const auto m = measured(x, one_mode(f));
  EXPECT_GT(m.time.front(), 100);
  const std::string note =
      fmt::format("the decay is used up to {:.8g} s, where it is 5 times its noise", 100 + m.window.end);
  EXPECT_NE(std::find(m.notes.begin(), m.notes.end(), note), m.notes.end());

  auto twice = test::linear_decay(20000, fs, f, 1);
  for (std::size_t i = 10000; i < x.size(); ++i) twice[i] += 0.7 * twice[i - 10000];
  const auto hit = measured(twice, one_mode(f));
  const std::string rise = fmt::format("the envelope rises again after {:.8g} s", 100 + hit.window.end);
  EXPECT_TRUE(std::any_of(hit.notes.begin(), hit.notes.end(), [&](const auto& n) { return n.find(rise) == 0; }));

  const auto refusal = [&](std::vector<double> samples, const RingdownOptions& options) {
    try {
      (void)measured(std::move(samples), options);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal(test::linear_decay(20000, fs, f, 0), one_mode(f)).find("between 100 and 104.99975 s"),
            std::string::npos);
  x.assign(20000, 0.0);
  for (std::size_t i = 19700; i < x.size(); ++i) x[i] = std::sin(2 * pi * f * static_cast<double>(i - 19700) / fs);
  RingdownOptions narrow = one_mode(f);
  narrow.modes[0].band = Band{75, 125};
  EXPECT_NE(refusal(x, narrow).find("between 104."), std::string::npos) << "the hit comes with the record's end";
}

TEST(Ringdown, FindsTheReleaseAfterASteadyExcitation) {
  const double fs = 1000, f = 42, decay = 1.2, release = 6;
  std::vector<double> x(12000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double t = static_cast<double>(i) / fs;
    x[i] = std::exp(t > release ? -decay * (t - release) : 0.0) * std::cos(2 * pi * f * t);
  }
  const auto m = measure_backbone(record_of(x, fs), one_mode(f)).modes.front();
  EXPECT_EQ(m.window.kind, DecayWindow::Start::release);
  EXPECT_NEAR(m.window.onset, release, 0.15);
  std::size_t checked = 0;
  for (std::size_t i = 0; i < m.time.size(); ++i)
    if (m.flag[i].empty() && m.time[i] > release + 0.3) {
      ++checked;
      EXPECT_NEAR(m.damping_ratio[i] / (decay / (2 * pi * f)), 1, 0.03) << m.time[i];
    }
  EXPECT_GT(checked, m.time.size() / 2);
}

TEST(Ringdown, ASineSweepOrASteadyToneIsNoDecay) {
  const double fs = 2000;
  for (const double rate : {2.0, 10.0, 40.0}) {  // Hz/s, through 100 Hz at mid-record
    std::vector<double> x(8000);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double t = static_cast<double>(i) / fs;
      x[i] = std::cos(2 * pi * ((100 - rate * 2) * t + 0.5 * rate * t * t));
    }
    RingdownOptions options = one_mode(100);
    EXPECT_THROW((void)measure_backbone(record_of(x, fs), options), InvalidInput) << rate << " Hz/s";
    options.modes[0].band = Band{80, 120};
    EXPECT_THROW((void)measure_backbone(record_of(x, fs), options), InvalidInput) << rate << " Hz/s";
  }
  EXPECT_THROW((void)measure_backbone(record_of(test::linear_decay(8000, fs, 100, 0), fs), one_mode(100)),
               InvalidInput);
  EXPECT_THROW((void)measure_backbone(record_of(test::white_noise(8000, 1, 1), fs), one_mode(100)), InvalidInput);
}

TEST(Ringdown, ClippedAndTwiceHitRecordsAreFlagged) {
  const double fs = 4000, f = 60;
  auto x = test::linear_decay(16000, fs, f, 1);
  auto clipped = x;
  for (double& v : clipped) v = std::clamp(v, -0.8, 0.8);
  const auto m = measure_backbone(record_of(clipped, fs), one_mode(f)).modes.front();
  EXPECT_NE(m.flag.front().find("clipped"), std::string::npos);
  EXPECT_EQ(m.flag[m.flag.size() / 2].find("clipped"), std::string::npos);

  auto twice = x;
  for (std::size_t i = 6000; i < x.size(); ++i) twice[i] += 0.7 * x[i - 6000];
  const auto second = measure_backbone(record_of(twice, fs), one_mode(f)).modes.front();
  ASSERT_FALSE(second.notes.empty());
  std::size_t before = 0;
  for (std::size_t i = 0; i < second.time.size(); ++i)
    if (second.flag[i].empty()) {
      ++before;
      EXPECT_LT(second.time[i], 1.5);
    }
  EXPECT_GT(before, second.time.size() / 4) << "what precedes the second hit is good";

  // The force channel tells of a bounce that the response hides.
  Record hammer = record_of(x, fs);
  std::vector<double> force(x.size(), 0.0);
  for (std::size_t i = 0; i < 8; ++i) {
    force[100 + i] = 50 * std::sin(pi * static_cast<double>(i) / 8);
    force[900 + i] = 10 * std::sin(pi * static_cast<double>(i) / 8);
  }
  hammer.channels.push_back({"hammer", "N", Quantity::force, force});
  const auto bounced = measure_backbone(hammer, one_mode(f)).modes.front();
  EXPECT_TRUE(std::any_of(bounced.notes.begin(), bounced.notes.end(),
                          [](const std::string& s) { return s.find("second hit") != std::string::npos; }));
}

TEST(Ringdown, SeventySensorsBecomeOneModalCoordinateAndOutliersAreLeftOut) {
  const double fs = 2000, f = 100, decay = 1;
  const auto q = test::linear_decay(6000, fs, f, decay);
  Record record;
  record.sampling_rate_hz = fs;
  Shapes shapes;
  shapes.frequency_hz = {f};
  shapes.value.resize(1);
  for (int j = 0; j < 70; ++j) {
    const double phi = std::cos(0.05 * j);
    auto x = test::white_noise(q.size(), 1e-4, static_cast<unsigned>(j));
    for (std::size_t i = 0; i < q.size(); ++i) x[i] += phi * q[i] * (j == 3 ? 1.8 : 1.0);  // one sensor miscalibrated
    record.channels.push_back({fmt::format("s{}", j), "m", Quantity::displacement, std::move(x)});
    shapes.value[0].push_back(phi);
  }
  RingdownOptions options = one_mode(f);
  options.shapes = shapes;
  const auto m = measure_backbone(record, options).modes.front();
  EXPECT_EQ(m.coordinate, "modal");
  EXPECT_FALSE(m.channels[3].used);
  EXPECT_FALSE(m.channels[31].used);  // cos(1.55): at a node
  EXPECT_GT(m.channels_used.size(), 60U);
  for (std::size_t i = 0; i < m.time.size(); ++i) EXPECT_NEAR(m.amplitude[i], std::exp(-decay * m.time[i]), 2e-4);
}

TEST(Ringdown, AStaticOffsetChangesNoChannelsEstimate) {
  const double fs = 8000, f = 100;
  const auto q = test::linear_decay(16000, fs, f, 2), high = test::linear_decay(16000, fs, 900, 60, 0.4);
  Record record;
  record.sampling_rate_hz = fs;
  for (int j = 0; j < 2; ++j) {
    std::vector<double> x(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) x[i] = (1 - 0.4 * j) * q[i] + 3 * high[i];  // sets in with the mode
    record.channels.push_back({fmt::format("s{}", j), "m", Quantity::displacement, std::move(x)});
  }
  Record shifted = record;
  for (double& value : shifted.channels[1].samples) value += 10;
  const auto plain = measure_backbone(record, one_mode(f)).modes.front();
  const auto offset = measure_backbone(shifted, one_mode(f)).modes.front();
  for (std::size_t j = 0; j < 2; ++j)
    for (std::size_t i = 0; i < plain.time.size(); ++i) {
      // Taking the offset off is linear: all that is left is the rounding of 10, 2e-15, against decays down to 1e-2.
      const double zeta = plain.channels[j].estimate.damping_ratio[i];
      EXPECT_NEAR(offset.channels[j].estimate.damping_ratio[i], zeta, 1e-9 * zeta) << j << " " << i;
    }
}

TEST(Ringdown, ChannelsLeftOutForTheirQuantityAreNoted) {
  const double fs = 2000;
  Record record = record_of(test::linear_decay(8000, fs, 100, 1), fs, Quantity::acceleration, "a");
  record.channels.push_back({"v", "", Quantity::velocity, test::linear_decay(8000, fs, 100, 1)});
  RingdownOptions options = one_mode(100);
  options.quantity = Quantity::acceleration;
  const auto result = measure_backbone(record, options);
  EXPECT_EQ(result.modes.front().channels_used, (std::vector<std::string>{"a"}));
  const std::string note = "channel 'v' is left out: it measures velocity";
  EXPECT_NE(std::find(result.notes.begin(), result.notes.end(), note), result.notes.end());
}

TEST(Ringdown, ModalFilterSeparatesModesThatShareTheBand) {
  const double fs = 2000;
  Record record;
  record.sampling_rate_hz = fs;
  const auto q1 = test::linear_decay(6000, fs, 100, 1), q2 = test::linear_decay(6000, fs, 104, 2, 1.0);
  Shapes shapes;
  shapes.frequency_hz = {100, 104};
  shapes.value.resize(2);
  for (int j = 0; j < 6; ++j) {
    const double a = std::cos(0.5 * j), b = std::sin(0.9 * j + 0.3);
    std::vector<double> x(q1.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = a * q1[i] + b * q2[i];
    record.channels.push_back({fmt::format("s{}", j), "m", Quantity::displacement, std::move(x)});
    shapes.value[0].push_back(a);
    shapes.value[1].push_back(b);
  }
  RingdownOptions options;
  options.modes = {{100, Band{80, 125}}, {104, Band{80, 125}}};
  options.shapes = shapes;
  options.combination = Combination::modal_filter;
  const auto modes = measure_backbone(record, options).modes;
  const double truth[] = {1.0, 2.0};
  for (int r = 0; r < 2; ++r)
    for (std::size_t i = 0; i < modes[0].time.size(); ++i)
      EXPECT_NEAR(modes[static_cast<std::size_t>(r)].damping_ratio[i], truth[r] / (2 * pi * (r == 0 ? 100 : 104)),
                  1e-6);
}

TEST(Ringdown, RefusesWhatItCannotUse) {
  const double fs = 2000;
  const auto x = test::linear_decay(8000, fs, 100, 1);
  const auto refused = [&](const Record& record, const RingdownOptions& options, const std::string& why) {
    try {
      (void)measure_backbone(record, options);
      FAIL() << "expected: " << why;
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  };
  refused(Record{}, one_mode(100), "no channels");
  refused(record_of({}, fs), one_mode(100), "too short");
  refused(record_of(x, 0), one_mode(100), "sampling rate");
  refused(record_of(x, fs, Quantity::unknown), one_mode(100), "--quantity");
  refused(record_of(x, fs, Quantity::force), one_mode(100), "only force");
  refused(record_of(x, fs), one_mode(1500), "mode");
  refused(record_of(x, fs), one_mode(std::nan("")), "mode");
  refused(record_of(x, fs), one_mode(400), "no peak");
  refused(record_of(std::vector<double>(8000, 0.0), fs), one_mode(100), "peak");
  refused(record_of(x, fs), RingdownOptions{}, "no mode");
  auto holed = x;
  holed[4321] = std::nan("");
  refused(record_of(holed, fs), one_mode(100), "sample 4322");
  RingdownOptions narrow = one_mode(100);
  narrow.modes[0].band = Band{99.5, 100.5};
  refused(record_of(x, fs), narrow, "too narrow");
  narrow.modes[0].band = Band{110, 150};
  refused(record_of(x, fs), narrow, "does not hold");
  RingdownOptions misspelt = one_mode(100);
  misspelt.channels = {"y"};
  refused(record_of(x, fs), misspelt, "no channel 'y'");
  for (const double bad : {std::nan(""), 0.0, -5.0, std::numeric_limits<double>::infinity()}) {
    RingdownOptions noisy = one_mode(100);
    noisy.noise_factor = bad;
    refused(record_of(x, fs), noisy, "noise factor must be > 0");
  }
  for (double RingdownOptions::*tolerance :
       {&RingdownOptions::damping_tolerance, &RingdownOptions::frequency_tolerance})
    for (const double bad : {std::nan(""), -1.0}) {
      RingdownOptions vague = one_mode(100);
      vague.*tolerance = bad;
      refused(record_of(x, fs), vague, "tolerance must be >= 0");
    }
  for (const int bad : {0, -1, 21}) {
    RingdownOptions steep = one_mode(100);
    steep.filter_order = bad;
    refused(record_of(x, fs), steep, "filter order must lie in [1, 20]");
  }
  for (const double bad : {std::nan(""), -0.1, 0.5}) {
    RingdownOptions trimmed = one_mode(100);
    trimmed.averaging.trimmed_share = bad;
    refused(record_of(x, fs), trimmed, "trimmed share must lie in [0, 0.5)");
  }
  for (const double bad : {std::nan(""), 0.0, -0.1}) {
    RingdownOptions strict = one_mode(100);
    strict.averaging.kept_within = bad;
    refused(record_of(x, fs), strict, "kept within must be > 0");
  }
  Record ragged = record_of(x, fs);
  ragged.channels.push_back({"y", "", Quantity::displacement, std::vector<double>(10)});
  refused(ragged, one_mode(100), "'y' has 10 samples");
}

}  // namespace
}  // namespace microslip::signal
