#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/signal/combine.hpp>

namespace microslip::signal {

namespace {

/// The values of the band after its peak and a settling time, where the mode rings alone.
std::size_t settled_from(const std::vector<BandSignal>& bands, double resolution) {
  const std::size_t n = bands.front().values.size();
  std::size_t top = 0;
  double largest = -1;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (const BandSignal& b : bands) sum += std::norm(b.values[i]);
    if (sum > largest) {
      largest = sum;
      top = i;
    }
  }
  return std::min(top + static_cast<std::size_t>(2 * resolution / bands.front().step), n - 1);
}

/// The shape of one mode at the channels in use, by the sensors' names where the shapes have them.
std::vector<double> shape_at(const Shapes& shapes, std::size_t row, const std::vector<const Channel*>& channels) {
  const auto& values = shapes.value[row];
  if (shapes.sensors.empty()) {
    if (values.size() != channels.size())
      throw InvalidInput(
          fmt::format("shape {} has {} values for {} channels", row + 1, values.size(), channels.size()));
    return values;
  }
  if (values.size() != shapes.sensors.size())
    throw InvalidInput(
        fmt::format("shape {} has {} values for {} sensors", row + 1, values.size(), shapes.sensors.size()));
  std::vector<double> found;
  for (const Channel* c : channels) {
    const auto it = std::find(shapes.sensors.begin(), shapes.sensors.end(), c->name);
    if (it == shapes.sensors.end())
      throw InvalidInput(fmt::format("the shapes have no sensor '{}'{}", c->name, suggestion(c->name, shapes.sensors)));
    found.push_back(values[static_cast<std::size_t>(it - shapes.sensors.begin())]);
  }
  return found;
}

/// Which shape belongs to a mode: the one nearest in frequency, within 10 %.
std::size_t shape_of(const Shapes& shapes, double frequency_hz) {
  if (shapes.value.empty()) throw InvalidInput("the shapes hold no mode");
  if (shapes.frequency_hz.empty() && shapes.value.size() == 1) return 0;
  if (shapes.frequency_hz.size() != shapes.value.size())
    throw InvalidInput(fmt::format("{} shapes with {} frequencies: expected one each", shapes.value.size(),
                                   shapes.frequency_hz.size()));
  std::size_t best = 0;
  for (std::size_t r = 0; r < shapes.value.size(); ++r)
    if (std::abs(shapes.frequency_hz[r] - frequency_hz) < std::abs(shapes.frequency_hz[best] - frequency_hz)) best = r;
  if (std::abs(shapes.frequency_hz[best] - frequency_hz) > 0.1 * frequency_hz)
    throw InvalidInput(fmt::format("no shape for the mode at {} Hz: the nearest is that of {} Hz", frequency_hz,
                                   shapes.frequency_hz[best]));
  return best;
}

void use_shapes(CombinedSensors& c, const Shapes& shapes, double frequency_hz, std::size_t settled,
                const RingdownOptions& options) {
  const std::size_t row = shape_of(shapes, frequency_hz);
  c.shape = shape_at(shapes, row, c.channels);
  c.coordinate = shapes.mass_normalised ? "modal" : "modal (not mass-normalised)";
  if (options.combination == Combination::modal_filter) {
    std::vector<std::vector<double>> all;
    for (std::size_t r = 0; r < shapes.value.size(); ++r) all.push_back(shape_at(shapes, r, c.channels));
    c.weights = modal_filter_weights(all, row);
    return;
  }
  std::vector<double> amplitude;
  for (const BandSignal& b : c.bands) {
    double largest = 0;
    for (std::size_t i = settled; i < b.values.size(); ++i) largest = std::max(largest, std::norm(b.values[i]));
    amplitude.push_back(std::sqrt(largest));
  }
  c.weights = average_weights(c.shape, amplitude, options.averaging);
}

void measure_shape(CombinedSensors& c, std::size_t settled) {
  const std::size_t n = c.channels.size();
  std::vector<double> power(n, 0.0);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = settled; i < c.bands[j].values.size(); ++i) power[j] += std::norm(c.bands[j].values[i]);
  const auto reference = static_cast<std::size_t>(std::max_element(power.begin(), power.end()) - power.begin());
  c.coordinate = c.channels[reference]->name;
  c.weights = {std::vector<double>(n, 0.0), std::vector<std::string>(n)};
  double squares = 0;
  for (std::size_t j = 0; j < n; ++j) {
    Complex product = 0;
    for (std::size_t i = settled; i < c.bands[j].values.size(); ++i)
      product += c.bands[j].values[i] * std::conj(c.bands[reference].values[i]);
    c.shape.push_back(power[reference] > 0 ? product.real() / power[reference] : 0);
    const double coherence = power[j] > 0 ? product.real() * product.real() / (power[j] * power[reference]) : 0;
    if (coherence < 0.95)
      c.weights.reason[j] =
          fmt::format("it does not follow '{}' in the band (coherence {:.2f})", c.coordinate, coherence);
    else
      squares += c.shape[j] * c.shape[j];
  }
  for (std::size_t j = 0; j < n; ++j)
    if (c.weights.reason[j].empty()) c.weights.weight[j] = c.shape[j] / squares;
  if (!(squares > 0)) throw InvalidInput("the channels are zero in the band");
}

BandSignal weighted_sum(const std::vector<BandSignal>& bands, const std::vector<double>& weights) {
  BandSignal sum{bands.front().step, bands.front().carrier, std::vector<Complex>(bands.front().values.size())};
  for (std::size_t j = 0; j < bands.size(); ++j)
    if (weights[j] != 0)
      for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += weights[j] * bands[j].values[i];
  return sum;
}

/// The modes' sums of samples, a stretch of the record at a time, so that it is read from memory once for all modes.
void sum_samples(std::vector<CombinedSensors>& modes) {
  constexpr std::size_t stretch = 2048;
  const auto& channels = modes.front().channels;
  const std::size_t n = channels.front()->samples.size();
  for (CombinedSensors& mode : modes) mode.samples.assign(n, 0.0);
  for (std::size_t first = 0; first < n; first += stretch)
    for (std::size_t j = 0; j < channels.size(); ++j)
      for (CombinedSensors& mode : modes) {
        const double w = mode.weights.weight[j];
        if (w == 0) continue;
        const double* x = channels[j]->samples.data();
        const double offset = mode.offsets[j];
        for (std::size_t i = first; i < std::min(n, first + stretch); ++i) mode.samples[i] += w * (x[i] - offset);
      }
}

}  // namespace

Offset::Offset(std::size_t n_samples) : window_(n_samples) {
  double sum = 0;
  for (std::size_t i = 0; i < n_samples; ++i) {
    const double w = std::sin(std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(n_samples));
    window_[i] = w * w;
    sum += window_[i];
  }
  for (double& w : window_) w /= sum;
}

double Offset::operator()(std::span<const double> x) const {
  if (x.size() != window_.size())
    throw InvalidInput(fmt::format("a signal of {} samples among signals of {}", x.size(), window_.size()));
  using Samples = Eigen::Map<const Eigen::VectorXd>;
  const auto n = static_cast<Eigen::Index>(x.size());
  return Samples(x.data(), n).dot(Samples(window_.data(), n));
}

std::vector<double> without_offset(std::vector<double> x) {
  const double offset = Offset(x.size())(x);
  for (double& v : x) v -= offset;
  return x;
}

std::vector<CombinedSensors> combine_sensors(const std::vector<const Channel*>& channels,
                                             const BandExtractor& extractor, const std::vector<ModeRequest>& modes,
                                             const RingdownOptions& options, const Offset& offset) {
  std::vector<CombinedSensors> combined(modes.size());
  std::vector<double> offsets;
  BandExtractor::Spectrum spectrum;
  for (const Channel* channel : channels) {
    offsets.push_back(options.filter ? offset(channel->samples) : 0.0);
    extractor.transform(channel->samples, offsets.back(), spectrum);
    for (std::size_t r = 0; r < modes.size(); ++r) combined[r].bands.push_back(extractor.extract(spectrum.bins, r));
  }
  for (std::size_t r = 0; r < modes.size(); ++r) {
    CombinedSensors& c = combined[r];
    c.channels = channels;
    c.offsets = offsets;
    const double resolution = options.filter ? 1 / modes[r].band->width() : 1 / modes[r].frequency_hz;
    const std::size_t settled = settled_from(c.bands, resolution);
    if (options.shapes)
      use_shapes(c, *options.shapes, modes[r].frequency_hz, settled, options);
    else
      measure_shape(c, settled);
    c.band = weighted_sum(c.bands, c.weights.weight);
  }
  sum_samples(combined);
  return combined;
}

}  // namespace microslip::signal
