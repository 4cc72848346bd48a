// The two-beam structure of Deaner et al. (2015) and its synthetic hammer records. Not a program: make_two_beam.cpp,
// which writes data/two-beam, and tests/verification/two_beam are built with it.
#include "two_beam.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <microslip/dynamics/simulation.hpp>

namespace microslip::two_beam {

namespace {

/// Bending shape of a free-free beam, mass-normalised: the mean of its square is 1/mass.
double bending_shape(double root, double x) {
  const double sigma = (std::cosh(root) - std::cos(root)) / (std::sinh(root) - std::sin(root)), z = root * x / length;
  return (std::cosh(z) + std::cos(z) - sigma * (std::sinh(z) + std::sin(z))) / std::sqrt(mass);
}

Mode mode(double slip_force, double stiffness, double chi, double beta, double linear_stiffness, double damping,
          double root) {
  Mode m;
  m.linear_stiffness = linear_stiffness;
  m.damping = damping;
  m.joint =
      JointSpec{"iwan4", {{"slip_force", slip_force}, {"stiffness", stiffness}, {"chi", chi}, {"beta", beta}}, false};
  m.shape.resize(n_sensors);
  for (int j = 0; j < n_sensors; ++j) m.shape(j) = bending_shape(root, length * j / (n_sensors - 1));
  m.load_shape = m.shape(hit - 1);
  return m;
}

/// Impulse response of a raised-cosine low-pass: flat to a quarter of the sampling rate, nothing beyond half of it.
double anti_alias(double t) {
  using std::numbers::pi;
  constexpr double middle = 0.375 * sampling_rate_hz, half_width = 0.125 * sampling_rate_hz;
  const double x = 2 * pi * middle * t, y = 4 * half_width * t;
  const double sinc = x == 0 ? 1 : std::sin(x) / x;
  const double taper = std::abs(y * y - 1) < 1e-9 ? 0.25 * pi : std::cos(0.5 * pi * y) / (1 - y * y);
  return 2 * middle * sinc * taper;
}

/// The pulse as the recorder samples it at time t.
double recorded(const Load& pulse, double t) {
  constexpr int n = 200;
  const double h = pulse_duration / n;
  double sum = 0;  // the midpoint rule, spectrally accurate for a pulse without kinks
  for (int i = 0; i < n; ++i) {
    const double s = pulse_start + (i + 0.5) * h;
    sum += pulse(s) * anti_alias(t - s) * h;
  }
  return sum;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

/// Adds noise of this standard deviation and rounds to a power of two at or below it.
void add_noise(std::vector<double>& values, double rms, std::uint64_t seed) {
  const std::vector<double> noise =
      microslip::noise(rms, sampling_rate_hz, values.size() / sampling_rate_hz, seed).value;
  const double step = std::exp2(std::floor(std::log2(rms)));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = step * std::nearbyint((values[i] + noise[i]) / step);
}

}  // namespace

const std::array<HammerLevel, 5>& hammer_levels() {
  static const std::array<HammerLevel, 5> levels{
      {{"level-1", 24.2}, {"level-2", 30.8}, {"level-3", 52.7}, {"level-4", 191.3}, {"modal-hammer", 1475.7}}};
  return levels;
}

ModalModel model() {
  ModalModel result;
  result.modes = {mode(2.33, 1.37e5, -0.178, 0.0316, 4.41e5, 1.505, 4.730040744862704),
                  mode(27.0, 5.10e5, -0.310, 0.523, 1.31e6, 15.11, 7.853204624095838),
                  mode(5.26, 1.36e6, -0.228, 5.94, 7.50e6, 2.96, 10.995607838001671)};
  for (Eigen::Index j = 0; j < n_sensors; ++j)
    result.sensors.push_back({fmt::format("p{:02}", j + 1), Eigen::VectorXd::Unit(n_sensors, j)});
  return checked(std::move(result), "two_beam");
}

Record clean_record(const HammerLevel& level, std::size_t n) {
  constexpr std::int64_t steps_per_sample = 80;  // lengthens the shortest period by 1e-5
  const auto n_steps = static_cast<std::int64_t>(n - 1);
  const TimePlan plan{static_cast<double>(n - 1) / sampling_rate_hz, steps_per_sample * n_steps};
  OutputPlan output;
  output.displacement = output.envelope = false;
  output.every = steps_per_sample;
  const Load pulse(Haversine{level.force, pulse_duration}, pulse_start);
  const Simulation run = simulate(model(), {pulse, false}, {}, plan, output, {});
  Record record;
  record.sampling_rate_hz = sampling_rate_hz;
  record.source = level.name;
  Channel force{"force", "N", Quantity::force, {}};
  for (const double t : run.time) force.samples.push_back(recorded(pulse, t));
  record.channels.push_back(std::move(force));
  for (std::size_t j = 0; j < run.velocity.size(); ++j)
    record.channels.push_back({run.coordinates[j], "m/s", Quantity::velocity, run.velocity[j]});
  return record;
}

Record record(const HammerLevel& level, std::uint64_t seed, std::size_t n) {
  Record result = clean_record(level, n);
  const double hardest = largest(result.channels.front().samples);
  double fastest = 0;
  for (std::size_t k = 1; k < result.channels.size(); ++k)
    fastest = std::max(fastest, largest(result.channels[k].samples));
  for (std::size_t k = 0; k < result.channels.size(); ++k)
    add_noise(result.channels[k].samples, relative_noise * (k == 0 ? hardest : fastest), 1000 * seed + k);
  return result;
}

}  // namespace microslip::two_beam
