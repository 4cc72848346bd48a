// How well `fit modal` finds the nine modal models of Table 6 of Deaner et al. (2015) again, and how often its
// intervals hold the truth: decays of each column at two levels, noise at -60 dB of the peak, read by `ringdown`,
// fitted.
//
//   modal_coverage [SEEDS=50] [COLUMN=0] [PULSE=0]
//
// COLUMN 0 is all of them; PULSE is how long the blow lasts in periods of the mode, 0 an impulse.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/mode_run.hpp>
#include <microslip/identify/modal.hpp>
#include <microslip/signal/ringdown.hpp>

namespace {

using namespace microslip;
using std::numbers::pi;

struct Column {
  const char* name;
  ModalIwan model;
};

// F_S, K_T, chi, beta, K_inf, C; for mode 1 at 3.39 N m the C that its printed damping ratio means.
const std::vector<Column> table_6{
    {"mode 1, 1.13 N m", {0.562, 1.16e5, -0.0237, 0.0237, 5.03e5, 1.89}},
    {"mode 1, 3.39 N m", {2.33, 1.37e5, -0.178, 0.0316, 4.41e5, 1.505}},
    {"mode 1, 5.65 N m", {3.08, 1.35e5, -0.0102, 1.19, 4.44e5, 1.12}},
    {"mode 2, 1.13 N m", {1.10, 1.61e5, -0.195, 0.000458, 1.80e6, 5.62}},
    {"mode 2, 3.39 N m", {27.0, 5.10e5, -0.310, 0.523, 1.31e6, 15.11}},
    {"mode 2, 5.65 N m", {27.34, 4.08e5, -0.303, 3.80, 1.40e6, 5.69}},
    {"mode 3, 1.13 N m", {6.77, 1.45e6, -0.112, 1.46, 7.15e6, 11.8}},
    {"mode 3, 3.39 N m", {5.26, 1.36e6, -0.228, 5.94, 7.50e6, 2.96}},
    {"mode 3, 5.65 N m", {23.04, 2.79e6, -0.0196, 13.68, 6.39e6, 4.18}},
};

/// A blow that starts the mode with about amplitude `ratio` phi_max; 1000 steps per period, their slowing of the period
/// taken out, so that what is left of the integrator's error is far below what noise hides.
std::vector<double> ring(const ModalIwan& model, double ratio, double rate_hz, std::size_t n, double pulse) {
  const double amplitude = ratio * model.phi_max(), omega = 2 * pi * model.frequency_hz(), interval = 1 / rate_hz;
  const auto every = static_cast<std::int64_t>(std::ceil(1000 * interval * omega / (2 * pi)));
  double step = interval / static_cast<double>(every);
  step *= 1 + std::pow(omega * step, 2) / 12;
  TimePlan plan{step * static_cast<double>(every) * static_cast<double>(n - 1),
                every * static_cast<std::int64_t>(n - 1)};
  OutputPlan output;
  output.displacement = output.envelope = false;
  output.every = every;
  const AmplitudeLaw law(model.jointed(), Properties::exact);
  const double velocity = amplitude * law(amplitude).omega;
  if (pulse == 0) return run_mode(model.jointed(), Load{}, 1, {0, velocity, 0}, plan, output, {}).velocity;
  const double duration = pulse / model.frequency_hz();
  const Load half_sine(HalfSine{0.5 * pi * velocity / duration, duration}, 0.37 * interval);
  return run_mode(model.jointed(), half_sine, 1, {}, plan, output, {}).velocity;
}

struct Tally {
  int held = 0, identifiable = 0;
  double furthest = 0;  ///< distance of the truth from the middle of the interval, over its half-width
};

}  // namespace

int main(int argc, char** argv) {
  const int seeds = argc > 1 ? std::atoi(argv[1]) : 50;
  const int only = argc > 2 ? std::atoi(argv[2]) : 0;
  const double pulse = argc > 3 ? std::atof(argv[3]) : 0;
  int pooled_held = 0, pooled = 0;
  for (std::size_t c = 0; c < table_6.size(); ++c) {
    if (only > 0 && static_cast<std::size_t>(only) != c + 1) continue;
    const ModalIwan& truth = table_6[c].model;
    const double rate_hz = truth.frequency_hz() > 300 ? 10240 : 5120, lead = 0.1;
    const std::size_t n = 32768, before = static_cast<std::size_t>(lead * rate_hz);
    std::vector<std::vector<double>> clean;
    for (const double ratio : {2.5, 0.4}) {
      std::vector<double> x(n, 0.0);
      const std::vector<double> v = ring(truth, ratio, rate_hz, n - before, pulse);
      std::copy(v.begin(), v.end(), x.begin() + static_cast<std::ptrdiff_t>(before));
      clean.push_back(std::move(x));
    }
    std::array<Tally, modal_quantities.size()> tally{};
    double seconds = 0, f_error = 0, d_error = 0, k_error = 0, c_error = 0, range_low = 1e9, range_high = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
      std::vector<MeasuredDecay> decays;
      for (std::size_t level = 0; level < clean.size(); ++level) {
        Record record;
        record.sampling_rate_hz = rate_hz;
        record.source = fmt::format("level {}", level + 1);
        record.channels.push_back({"modal", "m/s", Quantity::velocity, clean[level]});
        auto& x = record.channels.front().samples;
        const double peak = *std::max_element(x.begin(), x.end());
        const SampledLoad white = noise(1e-3 * peak, rate_hz, static_cast<double>(n) / rate_hz,
                                        static_cast<std::uint64_t>(1000 * seed) + level);
        for (std::size_t i = 0; i < n; ++i) x[i] += white.value[i];
        signal::RingdownOptions options;
        options.modes = {{truth.frequency_hz(), {}}};
        const auto result = signal::measure_backbone(record, options);
        decays.push_back(measured_decay(result.modes.front(), record, options));
      }
      const std::clock_t begin = std::clock();
      const ModalFit fit = fit_modal(decays);
      seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      for (std::size_t q = 0; q < modal_quantities.size(); ++q) {
        if (!fit.identifiable[q]) continue;
        const double x = modal_quantity(truth, q);
        ++tally[q].identifiable;
        const double lower = *fit.intervals[q].lower, upper = *fit.intervals[q].upper;
        tally[q].held += lower <= x && x <= upper ? 1 : 0;
        tally[q].furthest = std::max(tally[q].furthest, std::abs(x - 0.5 * (lower + upper)) / (0.5 * (upper - lower)));
      }
      const ModalIwanLaw found(fit.model, ModalForms::exact), true_law(truth, ModalForms::exact);
      for (const auto& p : fit.points) {
        if (!p.used || !p.flag.empty()) continue;
        const ModalAt a = found(p.amplitude), b = true_law(p.amplitude);
        f_error = std::max(f_error, std::abs(a.frequency_hz / b.frequency_hz - 1));
        d_error = std::max(d_error, std::abs(a.dissipation / b.dissipation - 1));
        range_low = std::min(range_low, p.amplitude / truth.phi_max());
        range_high = std::max(range_high, p.amplitude / truth.phi_max());
      }
      const double k = fit.model.stiffness + fit.model.linear_stiffness;
      k_error = std::max(k_error, std::abs(k / (truth.stiffness + truth.linear_stiffness) - 1));
      c_error = std::max(c_error, std::abs(fit.model.damping / truth.damping - 1));
      if (seeds <= 3) {
        for (std::size_t q = 0; q < modal_quantities.size(); ++q) {
          const auto end = [](const std::optional<double>& x) { return x ? fmt::format("{:.5g}", *x) : "open"; };
          fmt::print("  {:<17} {:>12.6g} true {:>12.6g} [{}, {}]\n", modal_quantities[q], modal_quantity(fit.model, q),
                     modal_quantity(truth, q), end(fit.intervals[q].lower), end(fit.intervals[q].upper));
        }
        fmt::print("  macro {} misfit {:.3g} residual {:.3g} {:.3g}\n", fit.macro_slip, fit.misfit, fit.residual,
                   fit.frequency_residual);
        for (const auto& note : fit.notes) fmt::print("  {}\n", note);
      }
    }
    fmt::print(
        "{}: r {:.3g} to {:.3g}, {:.2f} s per fit; largest errors: frequency {:.2g} %, dissipation {:.2g} %, "
        "K_0 {:.2g} %, C {:.2g} %\n",
        table_6[c].name, range_low, range_high, seconds / seeds, 100 * f_error, 100 * d_error, 100 * k_error,
        100 * c_error);
    for (std::size_t q = 0; q < modal_quantities.size(); ++q) {
      if (tally[q].identifiable == 0) continue;
      fmt::print("    {:<17} {} of {}, furthest {:.2f}\n", modal_quantities[q], tally[q].held, tally[q].identifiable,
                 tally[q].furthest);
      if (q >= n_modal_parameters) continue;
      pooled_held += tally[q].held;
      pooled += tally[q].identifiable;
    }
    std::fflush(stdout);
  }
  if (pooled > 0)
    fmt::print("pooled over parameters: {} of {} ({:.1f} %)\n", pooled_held, pooled, 100.0 * pooled_held / pooled);
  return 0;
}
