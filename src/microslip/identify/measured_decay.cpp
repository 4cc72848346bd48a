#include <cmath>

#include <microslip/identify/measured_decay.hpp>

namespace microslip {

MeasuredDecay measured_decay(const signal::ModeRingdown& mode, const Record& record,
                             const signal::RingdownOptions& options) {
  MeasuredDecay decay{record.source,       mode.time,         mode.amplitude, mode.frequency_hz, mode.damping_ratio,
                      mode.frequency_band, mode.damping_band, mode.flag,      DecaySetup{}};
  for (double& t : decay.time) t -= record.start_time;
  decay.setup = {record.sampling_rate_hz, record.n_samples(),
                 mode.window.onset,       mode.window.noise,
                 mode.quantity,           mode.band,
                 options.filter_order,    options.noise_factor,
                 !mode.hilbert,           std::isfinite(mode.blow) ? std::optional(mode.blow) : std::nullopt};
  return decay;
}

}  // namespace microslip
