#include <algorithm>
#include <complex>

#include <microslip/core/check.hpp>
#include <microslip/signal/force_channel.hpp>
#include <microslip/signal/frf.hpp>
#include <microslip/signal/inspect.hpp>

namespace microslip::signal {

Frf estimate_frf(std::span<const Record> hits, const std::string& force_name) {
  if (hits.empty()) throw InvalidInput("frequency response: no records");
  const Record& first = hits.front();
  const std::size_t force = force_channel(first, force_name), n = first.n_samples();
  const RealFft fft(n + n % 2);
  const std::size_t n_bins = fft.n_bins();
  Frf frf;
  for (std::size_t k = 0; k < n_bins; ++k)
    frf.frequency_hz.push_back(static_cast<double>(k) * first.sampling_rate_hz / static_cast<double>(fft.size()));
  std::vector<std::size_t> outputs;
  for (std::size_t j = 0; j < first.channels.size(); ++j) {
    const Channel& channel = first.channels[j];
    if (j == force || channel.quantity == Quantity::force || channel.quantity == Quantity::unknown) continue;
    outputs.push_back(j);
    frf.channels.push_back(channel.name);
    frf.quantities.push_back(channel.quantity);
  }
  if (outputs.empty())
    throw InvalidInput(fmt::format("{}: no response of known quantity beside the force", first.source));

  const std::size_t n_out = frf.channels.size();
  std::vector<double> ff(n_bins, 0.0);
  std::vector<std::vector<double>> xx(n_out, ff);
  std::vector<std::vector<Complex>> xf(n_out, std::vector<Complex>(n_bins));
  std::vector<double> padded(fft.size());
  std::vector<Complex> F(n_bins), X(n_bins);
  for (const Record& hit : hits) {
    check_record(hit);
    if (hit.n_samples() != n || hit.channels.size() != first.channels.size() ||
        hit.sampling_rate_hz != first.sampling_rate_hz)
      throw InvalidInput(fmt::format("{}: {} channels of {} samples at {} Hz, {} has {} of {} at {} Hz", hit.source,
                                     hit.channels.size(), hit.n_samples(), hit.sampling_rate_hz, first.source,
                                     first.channels.size(), n, first.sampling_rate_hz));
    for (std::size_t j = 0; j < hit.channels.size(); ++j)
      if (hit.channels[j].name != first.channels[j].name || hit.channels[j].quantity != first.channels[j].quantity)
        throw InvalidInput(fmt::format("{}: channel {} is '{}' ({}), in {} it is '{}' ({})", hit.source, j + 1,
                                       hit.channels[j].name, to_string(hit.channels[j].quantity), first.source,
                                       first.channels[j].name, to_string(first.channels[j].quantity)));
    const auto transform = [&](const Channel& channel, std::vector<Complex>& bins) {
      std::fill(padded.begin(), padded.end(), 0.0);
      std::copy(channel.samples.begin(), channel.samples.end(), padded.begin());
      fft.transform(padded, bins);
    };
    transform(hit.channels[force], F);
    for (std::size_t k = 0; k < n_bins; ++k) ff[k] += std::norm(F[k]);
    for (std::size_t out = 0; out < n_out; ++out) {
      transform(hit.channels[outputs[out]], X);
      for (std::size_t k = 0; k < n_bins; ++k) {
        xx[out][k] += std::norm(X[k]);
        xf[out][k] += X[k] * std::conj(F[k]);
      }
    }
  }
  for (std::size_t out = 0; out < n_out; ++out) {
    std::vector<Complex> h(n_bins);
    std::vector<double> c(n_bins);
    for (std::size_t k = 0; k < n_bins; ++k) {
      const bool silent = !(ff[k] > 0) || !(xx[out][k] > 0);
      h[k] = silent ? Complex(0) : xf[out][k] / ff[k];
      c[k] = silent ? 0 : std::norm(xf[out][k]) / (ff[k] * xx[out][k]);
    }
    frf.response.push_back(std::move(h));
    frf.coherence.push_back(std::move(c));
  }
  return frf;
}

}  // namespace microslip::signal
