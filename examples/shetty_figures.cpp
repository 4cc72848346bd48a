// shetty_figures [FOLDER]: Figs. 2, 3, 5-10 and Table 2 of Shetty and Allen (2019) as one page, shetty.html, and SVGs.
// The paper does not print the mass; the case is run at 1 kg, which its energy ratios mean, and at 98.85 kg, which its
// count of steps means.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/averaging.hpp>
#include <microslip/dynamics/mode_run.hpp>
#include <microslip/report/page.hpp>
#include <microslip/signal/ringdown.hpp>

namespace {

using namespace microslip;
using namespace microslip::report;
using std::numbers::pi;

constexpr double phi_max = 0.24, duration = 0.02;

JointedMode oscillator(double mass) {
  return {mass, 2e-4 * std::sqrt(3.9e5 * mass), 1.4e5, AnyLaw(Iwan4<double>{4e4, 2.5e5, -0.5, 1.0})};
}
double omega_0(double mass) { return std::sqrt(3.9e5 / mass); }

/// Eqs. 16-17.
double energy_ratio(double mass, double force) {
  const double impulse = force * duration * 2 / pi;
  return impulse * impulse / (2 * mass) / (0.5 * 3.9e5 * phi_max * phi_max);
}
double force_of(double mass, double ratio) { return std::sqrt(ratio / energy_ratio(mass, 1.0)); }

struct Timed {
  ModeRun run;
  TimePlan plan;
  double seconds;
};

Timed simulate(double mass, double force, double end, const SimulationOptions& options, double steps = 200) {
  const JointedMode mode = oscillator(mass);
  const Load load(HalfSine{force, duration});
  const TimePlan plan = plan_time(end, {.steps_per_period = steps, .step = {}}, 2 * pi / omega_0(mass), load);
  const auto start = std::chrono::steady_clock::now();
  ModeRun run = run_mode(mode, load, 1, {}, plan, {}, options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return {std::move(run), plan, seconds.count()};
}

/// Nothing where the paper's formulas leave their range: past macro-slip they make the damping supercritical.
std::optional<Timed> attempt(double mass, double force, double end, const SimulationOptions& options, double steps) {
  try {
    return simulate(mass, force, end, options, steps);
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
}

SimulationOptions with(Method method, Properties properties = Properties::exact) { return {method, properties, {}}; }

Axis velocity_axis() { return {.title = "velocity amplitude / (ω₀ φ_max)", .unit = "1", .scale = Scale::log}; }

/// A ring-down's extrema, thinned to some hundred per decade of amplitude: all that a picture can show.
Envelope extrema(const Envelope& all) {
  Envelope kept;
  for (std::size_t i = 0; i < all.time.size(); ++i) {
    if (!kept.amplitude.empty() && all.amplitude[i] > 0.975 * kept.amplitude.back()) continue;
    kept.time.push_back(all.time[i]);
    kept.amplitude.push_back(all.amplitude[i]);
    kept.frequency_hz.push_back(all.frequency_hz[i]);
    kept.damping_ratio.push_back(all.damping_ratio[i]);
  }
  return kept;
}

std::vector<double> velocities(const Envelope& e, double mass) {
  std::vector<double> v;
  for (std::size_t i = 0; i < e.time.size(); ++i)
    v.push_back(e.amplitude[i] * 2 * pi * e.frequency_hz[i] / (omega_0(mass) * phi_max));
  return v;
}

Figure figure_5(double mass, double end) {
  Figure figure{.id = "fig-5",
                .title = "Fig. 5: damping and the tolerance of Newton's method",
                .caption =
                    "A tolerance in newtons spoils small amplitudes, whatever its size; one that is relative to "
                    "the forces of the step does not.",
                .x = velocity_axis(),
                .y = {{.title = "damping ratio", .unit = "1", .scale = Scale::log}}};
  for (const double tolerance : {1.0, 1e-2, 1e-4}) {
    SimulationOptions options;
    options.newmark.absolute = true;
    options.newmark.tolerance = tolerance;
    const Envelope e = extrema(simulate(mass, 1e4, end, options).run.extrema);
    figure.traces.push_back({.name = fmt::format("{:g} N", tolerance), .x = velocities(e, mass), .y = e.damping_ratio});
  }
  const Envelope e = extrema(simulate(mass, 1e4, end, {}).run.extrema);
  figure.traces.push_back({.name = "1e-12, relative", .x = velocities(e, mass), .y = e.damping_ratio});
  return figure;
}

Figure figure_6(double mass, double end) {
  Figure figure{.id = "fig-6",
                .title = "Fig. 6: damping and frequency against velocity",
                .caption = "Below, the differences from Newmark's at 200 steps per period. ",
                .x = velocity_axis(),
                .y = {{.title = "damping ratio", .unit = "1", .scale = Scale::log},
                      {.title = "frequency", .unit = "Hz"},
                      {.title = "of damping", .unit = "%"},
                      {.title = "of frequency", .unit = "%"}}};
  const Envelope e = extrema(simulate(mass, 1e4, end, {}).run.extrema);
  const std::vector<double> v = velocities(e, mass);
  figure.traces.push_back({.name = "Newmark", .x = v, .y = e.damping_ratio, .colour = 8});
  figure.traces.push_back({.name = "", .x = v, .y = e.frequency_hz, .colour = 8, .panel = 1});
  int colour = 0;
  for (const Properties properties : {Properties::exact, Properties::paper}) {
    const AmplitudeLaw law(oscillator(mass), properties);
    Trace damping{.name = fmt::format("averaging, {}", to_string(properties)), .x = v, .colour = colour};
    Trace frequency{.name = "", .x = v, .colour = colour, .panel = 1};
    Trace damping_error{.name = "", .x = v, .colour = colour, .panel = 2};
    Trace frequency_error{.name = "", .x = v, .colour = colour, .panel = 3};
    for (std::size_t i = 0; i < v.size(); ++i) {
      const AtAmplitude at = law(e.amplitude[i]);
      damping.y.push_back(at.decay / at.omega);
      frequency.y.push_back(at.omega / (2 * pi));
      damping_error.y.push_back(100 * (damping.y.back() / e.damping_ratio[i] - 1));
      frequency_error.y.push_back(100 * (frequency.y.back() / e.frequency_hz[i] - 1));
    }
    const auto worst = [](const std::vector<double>& y) {
      return std::abs(
          *std::max_element(y.begin(), y.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
    };
    figure.caption += fmt::format("{}: at most {:.2g} % of damping and {:.2g} % of frequency. ", damping.name,
                                  worst(damping_error.y), worst(frequency_error.y));
    for (Trace* trace : {&damping, &frequency, &damping_error, &frequency_error})
      figure.traces.push_back(std::move(*trace));
    ++colour;
  }
  return figure;
}

Figure figure_7(double mass, double end) {
  Figure figure{.id = "fig-7",
                .title = "Fig. 7: damping directly and by the Hilbert transform",
                .caption =
                    "Directly from averaging, from successive extrema of the Newmark solution, and from the "
                    "Hilbert transform of its velocity as `ringdown` measures it.",
                .x = velocity_axis(),
                .y = {{.title = "damping ratio", .unit = "1", .scale = Scale::log},
                      {.title = "over direct, less 1", .unit = "%"}}};
  const Timed newmark = simulate(mass, 1e4, end, {});
  const Envelope e = extrema(newmark.run.extrema);
  const AmplitudeLaw law(oscillator(mass), Properties::exact);
  const auto directly = [&](double amplitude) { return law(amplitude).decay / law(amplitude).omega; };
  const auto add = [&](const char* name, int colour, const std::vector<double>& velocity,
                       const std::vector<double>& amplitude, const std::vector<double>& damping) {
    Trace over{.name = "", .x = velocity, .colour = colour, .panel = 1};
    for (std::size_t i = 0; i < damping.size(); ++i) over.y.push_back(100 * (damping[i] / directly(amplitude[i]) - 1));
    figure.traces.push_back({.name = name, .x = velocity, .y = damping, .colour = colour});
    figure.traces.push_back(std::move(over));
  };
  std::vector<double> direct;
  for (const double a : e.amplitude) direct.push_back(directly(a));
  add("averaging, directly", 8, velocities(e, mass), e.amplitude, direct);
  add("Newmark, extrema", 0, velocities(e, mass), e.amplitude, e.damping_ratio);

  Record record;
  record.sampling_rate_hz = 1 / newmark.plan.step() / 10;
  Channel channel;
  channel.name = "velocity";
  channel.quantity = Quantity::velocity;
  channel.unit = "m/s";
  for (std::size_t i = 0; i < newmark.run.velocity.size(); i += 10) channel.samples.push_back(newmark.run.velocity[i]);
  record.channels.push_back(std::move(channel));
  signal::RingdownOptions options;
  options.modes = {{omega_0(mass) / (2 * pi), {}}};
  options.method = signal::RingdownMethod::hilbert;
  const auto measured = signal::measure_backbone(record, options);
  const auto& mode = measured.modes.front();
  std::vector<double> velocity;
  for (const double v : mode.velocity_amplitude) velocity.push_back(v / (omega_0(mass) * phi_max));
  add("Newmark, Hilbert transform", 1, velocity, mode.amplitude, mode.damping_ratio);
  return figure;
}

/// The free decay after a pulse of 10 kN: what averaging integrates in place of the motion.
Figure figure_2(double mass, double end) {
  Figure figure{.id = "fig-2",
                .title = "Fig. 2: amplitude and phase against time, 10 kN",
                .x = {.title = "time", .unit = "s"},
                .y = {{.title = "amplitude", .unit = "m", .scale = Scale::log}, {.title = "phase", .unit = "rad"}}};
  const AmplitudeLaw law(oscillator(mass), Properties::exact);
  const ForcedAveraging forced(law, Load(HalfSine{1e4, duration}), 1, 0, duration, 0, 0);
  const FreeDecay decay(law, duration, end, amplitude_and_phase(law, forced.end().displacement, forced.end().velocity));
  Trace amplitude{.name = "averaging"}, phase{.name = "", .colour = 0, .panel = 1};
  for (int i = 0; i <= 400; ++i) {
    const double time = duration + (end - duration) * i / 400;
    const AmplitudePhase at = decay.amplitude_and_phase_at(time);
    amplitude.x.push_back(time);
    amplitude.y.push_back(at.amplitude);
    phase.x.push_back(time);
    phase.y.push_back(at.phase);
  }
  figure.traces = {std::move(amplitude), std::move(phase)};
  return figure;
}

/// The first twenty periods by every method.
Figure velocity_figure(double mass, double force, std::string id, const std::string& title) {
  Figure figure{.id = std::move(id),
                .title = fmt::format("{}, {:g} kN (E_r = {:.3g})", title, force / 1e3, energy_ratio(mass, force)),
                .x = {.title = "time", .unit = "s"},
                .y = {{.title = "velocity", .unit = "m/s"}}};
  const double end = 20 * 2 * pi / omega_0(mass);
  for (const auto& [name, options] : {std::pair{"Newmark", with(Method::newmark)},
                                      {"hybrid", with(Method::hybrid)},
                                      {"averaging, exact", with(Method::averaging)},
                                      {"averaging, paper", with(Method::averaging, Properties::paper)}}) {
    if (const auto result = attempt(mass, force, end, options, 200))
      figure.traces.push_back({.name = name, .x = output_times(result->plan, {}), .y = result->run.velocity});
  }
  return figure;
}

Figure figure_9(double mass) {
  Figure figure{.id = "fig-9",
                .title = "Fig. 9: amplitude after the pulse",
                .caption = "Largest velocity in the first period after the pulse.",
                .x = {.title = "energy ratio E_r", .unit = "1", .scale = Scale::log},
                .y = {{.title = "velocity amplitude", .unit = "m/s", .scale = Scale::log},
                      {.title = "over Newmark", .unit = "1"}}};
  std::vector<double> reference;
  int colour = 0;
  for (const auto& [name, options] : {std::pair{"Newmark", with(Method::newmark)},
                                      {"averaging, exact", with(Method::averaging)},
                                      {"averaging, paper", with(Method::averaging, Properties::paper)}}) {
    Trace trace{.name = name, .mark = Mark::line_markers, .colour = colour};
    Trace relative{.name = "", .colour = colour, .panel = 1};
    for (int i = 0; i <= 20; ++i) {
      const double ratio = std::pow(10.0, -2 + 0.25 * i), period = 2 * pi / omega_0(mass);
      const auto result = attempt(mass, force_of(mass, ratio), duration + 2 * period, options, 400);
      double largest = result ? 0 : std::numeric_limits<double>::quiet_NaN();
      for (std::size_t j = 0; result && j < result->run.velocity.size(); ++j) {
        const double t = result->plan.time(static_cast<std::int64_t>(j));
        if (t > duration && t < duration + period) largest = std::max(largest, std::abs(result->run.velocity[j]));
      }
      trace.x.push_back(ratio);
      trace.y.push_back(largest);
      if (colour == 0) reference.push_back(largest);
      relative.y.push_back(largest / reference[static_cast<std::size_t>(i)]);
    }
    relative.x = trace.x;
    figure.traces.push_back(std::move(trace));
    figure.traces.push_back(std::move(relative));
    ++colour;
  }
  return figure;
}

/// Times over a range of forces; the means are Table 2.
std::pair<Figure, Table> figure_10(double mass) {
  Figure figure{.id = "fig-10",
                .title = "Fig. 10: time to simulate 40 s",
                .x = {.title = "force", .unit = "N", .scale = Scale::log},
                .y = {{.title = "time", .unit = "ms", .scale = Scale::log}}};
  Table table{.id = "table-2", .title = "Table 2: mean time to simulate 40 s"};
  table.columns = {
      {.title = "method"}, {.title = "here", .unit = "ms"}, {.title = "paper", .unit = "ms"}, {.title = "ratio"}};
  for (const auto& [name, method, paper] : {std::tuple{"Newmark", Method::newmark, 214.24e3},
                                            {"averaging", Method::averaging, 1.961e3},
                                            {"hybrid", Method::hybrid, 14.303e3}}) {
    Trace trace{.name = name, .mark = Mark::line_markers};
    double total = 0;
    for (const double force : {1e2, 1e3, 1e4, 1e5, 3e5}) {
      const double ms = 1e3 * simulate(mass, force, 40, with(method)).seconds;
      trace.x.push_back(force);
      trace.y.push_back(ms);
      total += ms / 5;
    }
    figure.traces.push_back(std::move(trace));
    table.rows.push_back({name, total, paper, paper / total});
  }
  const auto start = std::chrono::steady_clock::now();
  const AmplitudeLaw law(oscillator(mass), Properties::exact);
  const ForcedAveraging forced(law, Load(HalfSine{1e4, duration}), 1, 0, duration, 0, 0);
  const FreeDecay decay(law, duration, 40, amplitude_and_phase(law, forced.end().displacement, forced.end().velocity));
  const double ms = 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  table.rows.push_back({"averaging, amplitude and phase alone", ms, 1.961e3, 1.961e3 / ms});
  table.caption =
      "All results are kept: displacement, velocity, amplitude, frequency and damping at every step. The "
      "paper's times are those of a MATLAB program on a processor of 2009.";
  return {std::move(figure), std::move(table)};
}

Section section(double mass, double end) {
  Section result{.title = fmt::format("Mass {:g} kg", mass)};
  auto [times, table] = figure_10(mass);
  result.figures = {figure_2(mass, end), velocity_figure(mass, 1e4, "fig-3", "Fig. 3: velocity in micro-slip"),
                    figure_5(mass, end), figure_6(mass, end),
                    figure_7(mass, end), velocity_figure(mass, 3e5, "fig-8", "Fig. 8: velocity in macro-slip"),
                    figure_9(mass),      std::move(times)};
  for (Figure& figure : result.figures) figure.id += fmt::format("-{:.0f}kg", mass);
  table.id += fmt::format("-{:.0f}kg", mass);
  result.tables = {std::move(table)};
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  std::filesystem::create_directories(folder);
  Page page{.title = "Shetty and Allen 2019: Figs. 2, 3, 5-10 and Table 2",
            .subtitle = "Single oscillator with a four-parameter Iwan joint under a half-sine pulse"};
  page.sections = {section(1.0, 20), section(98.85, 40)};
  page.provenance.command = "shetty_figures";
  std::ofstream(folder / "shetty.html") << render(page);
  for (const auto& [name, svg] : figure_files(page)) {
    std::ofstream(folder / name) << svg;
    std::puts((folder / name).string().c_str());
  }
  std::puts((folder / "shetty.html").string().c_str());
}
