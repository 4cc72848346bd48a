#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <microslip/core/text.hpp>
#include <microslip/signal/combine.hpp>
#include <microslip/signal/fft.hpp>
#include <microslip/signal/zefft.hpp>
#include <microslip/verbs/coordinate.hpp>
#include <microslip/verbs/ringdown_page.hpp>

namespace microslip::verbs {

using signal::ModeRingdown;

namespace {

std::string id_of(const std::string& what, std::size_t measurement, std::size_t mode) {
  return fmt::format("{}-{}-{}", what, measurement + 1, mode + 1);
}

/// The channel that shows the mode best: the reference sensor, or the largest shape.
const Channel& shown_channel(const Record& record, const ModeRingdown& m) {
  const signal::ChannelResult* best = &m.channels.front();
  for (const auto& c : m.channels)
    if (std::abs(c.shape) > std::abs(best->shape)) best = &c;
  for (const Channel& c : record.channels)
    if (c.name == best->name) return c;
  return record.channels.front();
}

std::vector<double> times_of(const Record& record) {
  std::vector<double> t(record.n_samples());
  for (std::size_t i = 0; i < t.size(); ++i)
    t[i] = record.start_time + static_cast<double>(i) / record.sampling_rate_hz;
  return t;
}

report::Figure signal_figure(const Record& record, const ModeRingdown& m, int filter_order, const std::string& id) {
  const Channel& channel = shown_channel(record, m);
  report::Figure figure{.id = id, .title = fmt::format("Record and filtered signal, channel {}", channel.name)};
  figure.wide = true;
  figure.x = {.title = "time", .unit = "s"};
  const std::string unit = channel.unit.empty() ? "unit of the file" : channel.unit;
  figure.y = {{.title = "record", .unit = unit}, {.title = "in the band", .unit = unit}};
  const auto t = times_of(record);
  figure.traces.push_back({.name = "record", .x = t, .y = channel.samples, .colour = 8});
  const auto y = m.band
                     ? signal::Butterworth(*m.band, record.sampling_rate_hz, filter_order).zero_phase(channel.samples)
                     : channel.samples;
  figure.traces.push_back({.name = "in the band", .x = t, .y = y, .panel = 1});
  for (const auto& c : m.channels) {
    if (c.name != channel.name) continue;
    report::Trace upper{.name = "envelope", .panel = 1}, lower{.name = "", .panel = 1};
    for (std::size_t i = 0; i < m.time.size(); ++i) {
      const double omega = 2 * 3.14159265358979323846 * c.estimate.frequency_hz[i];
      const double factor = m.quantity == Quantity::acceleration ? omega * omega
                            : m.quantity == Quantity::velocity   ? omega
                                                                 : 1;
      upper.x.push_back(m.time[i]);
      upper.y.push_back(factor * c.estimate.amplitude[i]);
      lower.y.push_back(-upper.y.back());
    }
    lower.x = upper.x;
    lower.legend = false;
    upper.colour = lower.colour = 1;
    figure.traces.push_back(std::move(upper));
    figure.traces.push_back(std::move(lower));
  }
  figure.shades.push_back({m.time.front(), m.time.back(), ""});
  figure.caption = "The shaded part is what frequency and damping come from.";
  return figure;
}

report::Figure spectrum_figure(const Record& record, const ModeRingdown& m, const std::string& id) {
  const Channel& channel = shown_channel(record, m);
  report::Figure figure{.id = id, .title = "Spectrum and band"};
  figure.x = {.title = "frequency", .unit = "Hz"};
  figure.y = {{.title = "|FFT| / sampling rate",
               .unit = channel.unit.empty() ? "unit x s" : channel.unit + " s",
               .scale = report::Scale::log}};
  const auto X = signal::spectrum(channel.samples, signal::fast_length(record.n_samples()));
  const double bin = record.sampling_rate_hz / static_cast<double>(signal::fast_length(record.n_samples()));
  report::Trace trace{.name = channel.name};
  for (std::size_t k = 1; k < X.size() && static_cast<double>(k) * bin < 6 * m.requested_hz; ++k) {
    trace.x.push_back(static_cast<double>(k) * bin);
    trace.y.push_back(std::abs(X[k]) / record.sampling_rate_hz);
  }
  figure.traces.push_back(std::move(trace));
  if (m.band) figure.shades.push_back({m.band->lower_hz, m.band->upper_hz, "band"});
  return figure;
}

report::Figure backbone_figure(const ModeRingdown& m, const CoordinateUnits& units, const std::string& id) {
  report::Figure figure{.id = id, .title = "Frequency and damping against amplitude"};
  figure.x = {.title = m.quantity == Quantity::strain ? "strain amplitude" : "displacement amplitude",
              .unit = units.amplitude,
              .scale = report::Scale::log};
  figure.y = {{.title = "frequency", .unit = "Hz"}, {.title = "damping", .unit = "% of critical"}};
  report::Trace f_band{.name = "95 % band", .mark = report::Mark::band, .colour = 8}, z_band = f_band;
  z_band.panel = 1;
  z_band.legend = false;
  report::Trace flagged_f{.name = "flagged", .mark = report::Mark::markers, .colour = 3}, flagged_z = flagged_f;
  flagged_z.panel = 1;
  flagged_z.legend = false;
  for (std::size_t i = 0; i < m.time.size(); ++i) {
    if (!m.flag[i].empty()) {
      flagged_f.x.push_back(m.amplitude[i]);
      flagged_f.y.push_back(m.frequency_hz[i]);
      flagged_f.hover.push_back(m.flag[i]);
      flagged_z.x.push_back(m.amplitude[i]);
      flagged_z.y.push_back(100 * m.damping_ratio[i]);
      flagged_z.hover.push_back(m.flag[i]);
    }
    if (!std::isfinite(m.frequency_band[i]) || !std::isfinite(m.damping_band[i])) continue;
    f_band.x.push_back(m.amplitude[i]);
    f_band.y.push_back(m.frequency_hz[i] - m.frequency_band[i]);
    f_band.upper.push_back(m.frequency_hz[i] + m.frequency_band[i]);
    z_band.x.push_back(m.amplitude[i]);
    z_band.y.push_back(100 * (m.damping_ratio[i] - m.damping_band[i]));
    z_band.upper.push_back(100 * (m.damping_ratio[i] + m.damping_band[i]));
  }
  if (!f_band.x.empty()) figure.traces = {f_band, z_band};
  const auto add = [&](const char* name, const signal::Estimate& e, report::Dash dash, int colour) {
    report::Trace f{.name = name, .x = e.amplitude, .y = e.frequency_hz, .dash = dash, .colour = colour}, z = f;
    z.y = e.damping_ratio;
    for (double& value : z.y) value *= 100;
    z.panel = 1;
    z.legend = false;
    figure.traces.push_back(std::move(f));
    figure.traces.push_back(std::move(z));
  };
  if (m.hilbert) add("hilbert", *m.hilbert, report::Dash::solid, 0);
  if (m.pff) add("pff", *m.pff, report::Dash::dash, 1);
  if (!flagged_f.x.empty()) {
    figure.traces.push_back(std::move(flagged_f));
    figure.traces.push_back(std::move(flagged_z));
  }
  return figure;
}

report::Figure dissipation_figure(const ModeRingdown& m, const CoordinateUnits& units, const std::string& id) {
  report::Figure figure{
      .id = id,
      .title = m.coordinate == "modal" ? "Dissipation against modal force" : "Dissipation against force per unit mass"};
  figure.x = {.title = "acceleration amplitude", .unit = units.acceleration, .scale = report::Scale::log};
  figure.y = {{.title = "dissipation per cycle", .unit = units.dissipation, .scale = report::Scale::log},
              {.title = "slope", .unit = "1"}};
  report::Trace d{.name = "dissipation"}, slope{.name = "local slope", .panel = 1};
  for (std::size_t i = 0; i < m.time.size(); ++i) {
    if (!m.flag[i].empty() || !(m.dissipation[i] > 0)) continue;
    d.x.push_back(m.acceleration_amplitude[i]);
    d.y.push_back(m.dissipation[i]);
  }
  if (d.x.size() > 4) {
    report::Trace guide2{.name = "slope 2", .dash = report::Dash::dot, .colour = 8}, guide3 = guide2;
    guide3.name = "slope 3";
    guide3.dash = report::Dash::dash;
    for (const double x : {d.x.front(), d.x.back()}) {
      guide2.x.push_back(x);
      guide2.y.push_back(d.y.back() * std::pow(x / d.x.back(), 2));
      guide3.x.push_back(x);
      guide3.y.push_back(d.y.back() * std::pow(x / d.x.back(), 3));
    }
    for (std::size_t i = 2; i + 2 < d.x.size(); ++i) {
      slope.x.push_back(d.x[i]);
      slope.y.push_back(std::log(d.y[i + 2] / d.y[i - 2]) / std::log(d.x[i + 2] / d.x[i - 2]));
    }
    figure.traces = {guide2, guide3};
  }
  figure.traces.push_back(std::move(d));
  figure.traces.push_back(std::move(slope));
  figure.caption = "A linear damper has slope 2; an Iwan joint in micro-slip adds one of slope 3 + chi.";
  return figure;
}

report::Figure zefft_figure(const Record& record, const ModeRingdown& m, const std::string& id) {
  const Channel& channel = shown_channel(record, m);
  report::Figure figure{.id = id, .title = fmt::format("Zeroed early-time spectra, channel {}", channel.name)};
  const Backbone b = m.backbone();
  const auto [low, high] = std::minmax_element(b.frequency_hz.begin(), b.frequency_hz.end());
  const double middle = 0.5 * (*low + *high), half = std::max(3 * (*high - *low), 0.01 * middle);
  figure.x = {.title = "frequency", .unit = "Hz"};
  figure.y = {{.title = "|FFT| / sampling rate",
               .unit = channel.unit.empty() ? "unit x s" : channel.unit + " s",
               .scale = report::Scale::log}};
  std::vector<double> times;
  const double start = m.time.front() - record.start_time, span = m.time.back() - m.time.front();
  const std::vector<double> samples = signal::without_offset(channel.samples);
  const double last = signal::last_crossing(samples);
  for (const double share : {0.0, 0.05, 0.15, 0.3, 0.5})
    if (const double t = start + share * span; t * record.sampling_rate_hz <= last) times.push_back(t);
  const auto spectra = times.empty() ? signal::whole_and_zeroed : signal::zefft;
  const signal::Zefft z = spectra(samples, record.sampling_rate_hz, times, record.start_time);
  for (std::size_t k = 0; k < z.spectra.size(); ++k) {
    report::Trace trace{.name = fmt::format("from {:.4f} s", z.zeroed_until[k] + record.start_time)};
    for (std::size_t i = 1; i < z.frequency_hz.size(); ++i)
      if (std::abs(z.frequency_hz[i] - middle) < half) {
        trace.x.push_back(z.frequency_hz[i]);
        trace.y.push_back(z.spectra[k][i]);
      }
    figure.traces.push_back(std::move(trace));
  }
  figure.caption = "What moves from one to the next is nonlinear.";
  return figure;
}

void add_verdicts(report::Page& page, const ModeRingdown& m) {
  double z_low = std::nan(""), z_high = std::nan(""), f_high = std::nan("");
  std::size_t good = 0;
  for (std::size_t i = 0; i < m.time.size(); ++i) {
    if (!m.flag[i].empty()) continue;
    if (good++ == 0) {
      z_high = m.damping_ratio[i];
      f_high = m.frequency_hz[i];
    }
    z_low = m.damping_ratio[i];
  }
  page.verdicts.push_back({.label = good > 0 ? "Frequency, low amplitude" : "Frequency, no point trusted",
                           .value = fmt::format("{:.5g}", m.low_amplitude_frequency_hz),
                           .unit = "Hz"});
  if (good > 0) {
    page.verdicts.push_back({.label = "Shift at high amplitude",
                             .value = fmt::format("{:+.3g}", f_high - m.low_amplitude_frequency_hz),
                             .unit = "Hz"});
    page.verdicts.push_back({.label = "Damping, low to high",
                             .value = fmt::format("{:.3g} to {:.3g}", 100 * z_low, 100 * z_high),
                             .unit = "% of critical"});
  }
  const bool mostly = 2 * good > m.time.size();
  page.verdicts.push_back({.label = "Points without a flag",
                           .value = fmt::format("{} of {}", good, m.time.size()),
                           .tone = mostly ? report::Tone::good : report::Tone::warning});
}

}  // namespace

report::Page ringdown_page(const RingdownVerb& options, const RingdownAll& all) {
  report::Page page{.title = "Ring-down"};
  std::vector<std::string> files;
  for (const auto& file : options.files) files.push_back(file.filename().string());
  page.subtitle = join(files, ", ");
  for (const std::string& note : all.notes) page.notes.push_back({note});
  for (std::size_t k = 0; k < all.measurements.size(); ++k) {
    const auto& measurement = all.measurements[k];
    for (std::size_t r = 0; r < measurement.result.modes.size(); ++r) {
      const ModeRingdown& m = measurement.result.modes[r];
      const CoordinateUnits units = units_of(m.coordinate, m.quantity);
      if (k == 0) add_verdicts(page, m);
      report::Section section{.title = fmt::format("{}: mode at {:.5g} Hz",
                                                   std::filesystem::path(measurement.source).filename().string(),
                                                   m.low_amplitude_frequency_hz)};
      section.text = fmt::format(
          "Amplitude is the {} of the {}, zero to peak. Damping is the fraction of critical. The filter's and the "
          "ends' bias on damping, {:.2g} percentage points at most, is taken off.",
          m.quantity == Quantity::strain ? "strain" : "displacement", coordinate_text(m.coordinate),
          100 * m.damping_bias);
      section.figures.push_back(
          signal_figure(measurement.record, m, options.measuring.filter_order, id_of("record", k, r)));
      section.figures.push_back(backbone_figure(m, units, id_of("backbone", k, r)));
      section.figures.push_back(dissipation_figure(m, units, id_of("dissipation", k, r)));
      section.figures.push_back(spectrum_figure(measurement.record, m, id_of("spectrum", k, r)));
      section.figures.push_back(zefft_figure(measurement.record, m, id_of("zefft", k, r)));
      report::Table table{.id = id_of("channels", k, r), .title = "Channels"};
      table.columns = {{.title = "channel"}, {.title = "shape"}, {.title = "used"}};
      for (const auto& c : m.channels)
        table.rows.push_back({c.name.c_str(), c.shape, c.used ? "yes" : c.reason.c_str()});
      section.tables.push_back(std::move(table));
      page.sections.push_back(std::move(section));
    }
  }
  return page;
}

}  // namespace microslip::verbs
