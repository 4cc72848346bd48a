#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/averaging.hpp>
#include <microslip/dynamics/mode_run.hpp>
#include <microslip/dynamics/oscillator.hpp>

namespace microslip {

namespace {

using std::numbers::pi;

/// What a run needs to know, in one place.
struct Task {
  const JointedMode& mode;
  const Load& load;
  double load_factor;
  const ModeStart& start;
  const TimePlan& plan;
  const OutputPlan& output;
  const SimulationOptions& options;
  const Progress& progress;

  [[nodiscard]] double force(double t) const { return start.static_force + load_factor * load(t); }
  [[nodiscard]] std::int64_t energy_stride() const {
    return output.energy_points > 0 ? std::max<std::int64_t>(1, plan.n_steps / output.energy_points) : 0;
  }
};

/// Series that grow in step with time.
class Recorder {
 public:
  Recorder(const Task& task, ModeRun& run) : output_(task.output), run_(run) {
    const auto n = static_cast<std::size_t>(task.plan.n_steps / output_.every + 1);
    if (output_.displacement) run.displacement.reserve(n);
    if (output_.velocity) run.velocity.reserve(n);
    if (output_.acceleration) run.acceleration.reserve(n);
  }
  void operator()(double u, double v, double a) {
    if (output_.displacement) run_.displacement.push_back(u);
    if (output_.velocity) run_.velocity.push_back(v);
    if (output_.acceleration) run_.acceleration.push_back(a);
  }

 private:
  const OutputPlan& output_;
  ModeRun& run_;
};

void set_series(EnvelopeSeries& series, std::size_t j, double amplitude, const AtAmplitude& at) {
  series.amplitude[j] = amplitude;
  series.frequency_hz[j] = at.omega / (2 * pi);
  series.damping_ratio[j] = at.decay / at.omega;
}

/// The rest of a run by averaging, from step `first` on; `run` holds what came before.
void ring_down(const Task& task, const AmplitudeLaw& law, const FreeDecay& decay, std::int64_t first, ModeRun& run,
               Recorder& record) {
  const JointedMode& mode = task.mode;
  const double t_first = task.plan.time(first);
  const double energy_first = law.energy(decay.amplitude_and_phase_at(t_first).amplitude);
  const double locked = run.energy.kinetic + run.energy.stored - energy_first;  // in sliders that stay as they are
  const double dissipated = run.energy.dissipated;
  const auto settle = [&](double t) {
    const FreeDecay::Motion motion = decay.at(t);
    const double energy = law.energy(motion.amplitude);
    run.energy.kinetic = 0.5 * mode.mass * motion.velocity * motion.velocity;
    run.energy.stored = energy + locked - run.energy.kinetic;
    run.energy.dissipated = dissipated + energy_first - energy;
  };
  const std::int64_t stride = task.energy_stride(), every = task.output.every;
  for (std::int64_t i = (first + every - 1) / every * every; i <= task.plan.n_steps; i += every) {
    const double t = task.plan.time(i);
    const FreeDecay::Motion motion = decay.at(t);
    double acceleration = 0;
    const bool wants_law = task.output.envelope || task.output.acceleration;
    const AtAmplitude at = wants_law ? law(motion.amplitude) : AtAmplitude{};
    if (task.output.acceleration)
      acceleration = -2 * at.decay * motion.velocity - at.omega * at.omega * (motion.displacement - decay.offset());
    if (task.output.envelope) set_series(run.series, static_cast<std::size_t>(i / every), motion.amplitude, at);
    record(motion.displacement, motion.velocity, acceleration);
  }
  if (stride > 0) {
    for (std::int64_t i = (first + stride - 1) / stride * stride; i <= task.plan.n_steps; i += stride) {
      settle(task.plan.time(i));
      run.energy_history.push_back({task.plan.time(i), run.energy});
    }
  }
  settle(task.plan.end);
  run.n_steps += static_cast<long long>(decay.n_steps());
}

void begin_series(const Task& task, ModeRun& run) {
  if (!task.output.envelope) return;
  const auto n = static_cast<std::size_t>(task.plan.n_steps / task.output.every + 1);
  for (auto* column : {&run.series.amplitude, &run.series.frequency_hz, &run.series.damping_ratio})
    column->assign(n, std::numeric_limits<double>::quiet_NaN());
}

/// Amplitude and offset at the middle one of three extrema. For an exponential decay the mean of neighbouring peaks
/// exceeds the envelope by (1 + cosh(decay T/2))/2, which is taken out.
HandOver hand_over_at(const AmplitudeLaw& law, const std::vector<Extrema::Point>& points) {
  const auto& p = points;
  const double neighbours = 0.5 * (p[0].displacement + p[2].displacement);
  const double amplitude = 0.5 * std::abs(p[1].displacement - neighbours);
  const double half_period_decay = law(amplitude).decay * 0.5 * (p[2].time - p[0].time);
  const double exact = amplitude * 2 / (1 + std::cosh(half_period_decay));
  const double side = p[1].displacement > neighbours ? 1 : -1;
  return {p[1].time, exact, p[1].displacement - side * exact};
}

template <class Law>
ModeRun step_through(const Task& task, const Law& law) {
  ModeRun run;
  const JointedMode& mode = task.mode;
  Recorder record(task, run);
  Oscillator<Law> oscillator(mode.mass, mode.damping, mode.linear_stiffness, law, task.options.newmark);
  if (task.start.static_force != 0 && !oscillator.rest_under(task.start.static_force))
    throw NotConverged(
        fmt::format("no static balance under a force of {:.6g}: the joint slips through", task.start.static_force));
  oscillator.start(oscillator.displacement() + task.start.displacement, task.start.velocity, task.force(0));

  const NewmarkStep step(task.plan.step(), task.options.newmark.hht_alpha);
  const bool hybrid = task.options.method == Method::hybrid;
  const bool watch = hybrid || task.output.envelope;
  const double load_end = task.load.end();
  const std::int64_t stride = task.energy_stride(), n = task.plan.n_steps;
  std::int64_t until_output = task.output.every;
  Extrema extrema;
  begin_series(task, run);
  record(oscillator.displacement(), oscillator.velocity(), oscillator.acceleration());
  if (stride > 0) run.energy_history.push_back({0, oscillator.energy()});
  bool free = false;
  for (std::int64_t i = 1; i <= n; ++i) {
    const double t = task.plan.time(i);
    const bool solved = oscillator.advance(step, task.force(t));
    const double u = oscillator.displacement(), v = oscillator.velocity(), a = oscillator.acceleration();
    if (!solved || !std::isfinite(u) || !std::isfinite(a))
      throw NotConverged(fmt::format("newmark: step {} at {:.6g} s does not converge, displacement {:.4g}", i, t, u));
    if (watch) {
      if (free) {
        extrema.follow(t, u, v, a);
      } else if (t >= load_end) {
        free = true;
        extrema.follow(t, u, v, a);
      }
    }
    if (--until_output == 0) {
      until_output = task.output.every;
      record(u, v, a);
    }
    if (stride > 0 && i % stride == 0) run.energy_history.push_back({t, oscillator.energy()});
    if (hybrid && extrema.points().size() == 3) {
      const AmplitudeLaw properties(mode, task.options.properties);
      run.hand_over = hand_over_at(properties, extrema.points());
      run.energy = oscillator.energy();
      run.n_steps = i;
      const double peak = extrema.points()[1].displacement - run.hand_over->offset;
      const FreeDecay decay(properties, run.hand_over->time, std::max(task.plan.end, run.hand_over->time),
                            amplitude_and_phase_at_extremum(properties, peak), run.hand_over->offset);
      if (i < n) ring_down(task, properties, decay, i + 1, run, record);
      break;
    }
    if ((i & 0xFFFF) == 0) {
      task.progress.at(static_cast<double>(i) / static_cast<double>(n), "newmark");
      if (task.progress.stopped()) throw NotConverged(fmt::format("stopped at {:.6g} s", t));
    }
  }
  run.n_iterations = oscillator.n_iterations();
  run.n_halved = oscillator.n_halved();
  if (!run.hand_over) {
    run.energy = oscillator.energy();
    run.n_steps = n;
  }
  if (task.output.envelope && !hybrid) {
    run.extrema = envelope(extrema.points());
    run.series = at_times(run.extrema, output_times(task.plan, task.output));
  }
  return run;
}

ModeRun average(const Task& task) {
  if (task.start.static_force != 0) throw InvalidInput("averaging knows no static force; use method newmark or hybrid");
  ModeRun run;
  Recorder record(task, run);
  begin_series(task, run);
  const AmplitudeLaw law(task.mode, task.options.properties);
  double u = task.start.displacement, v = task.start.velocity, from = 0;
  run.energy.initial = law.energy(amplitude_and_phase(law, u, v).amplitude);
  run.energy.stored = run.energy.initial;
  std::int64_t first = 0;
  const double forced_until = std::min(task.load.end(), task.plan.end);
  if (!task.load.none() && forced_until > 0) {
    const ForcedAveraging forced(law, task.load, task.load_factor, 0, forced_until, u, v);
    while (first <= task.plan.n_steps && task.plan.time(first) <= forced_until) {
      if (first % task.output.every == 0) {
        const auto motion = forced.at(task.plan.time(first));
        const double a = amplitude_and_phase(law, motion.displacement, motion.velocity).amplitude;
        const AtAmplitude at = law(a);
        if (task.output.envelope) set_series(run.series, static_cast<std::size_t>(first / task.output.every), a, at);
        record(motion.displacement, motion.velocity,
               task.force(task.plan.time(first)) / task.mode.mass - 2 * at.decay * motion.velocity -
                   at.omega * at.omega * motion.displacement);
      }
      ++first;
    }
    u = forced.end().displacement, v = forced.end().velocity, from = forced_until;
    run.energy.work = forced.work();
    run.energy.dissipated = forced.dissipated();
    run.energy.stored = law.energy(amplitude_and_phase(law, u, v).amplitude);
    run.n_steps = static_cast<long long>(forced.n_steps());
  }
  const AmplitudePhase start = amplitude_and_phase(law, u, v);
  if (first <= task.plan.n_steps) {
    const FreeDecay decay(law, from, task.plan.end, start);
    ring_down(task, law, decay, first, run, record);
  } else {
    run.energy.kinetic = 0.5 * task.mode.mass * v * v;
    run.energy.stored -= run.energy.kinetic;
  }
  return run;
}

}  // namespace

std::string_view to_string(Method method) {
  constexpr std::array<std::string_view, 3> names{"newmark", "averaging", "hybrid"};
  return names[static_cast<std::size_t>(method)];
}

std::string_view to_string(Properties properties) { return properties == Properties::exact ? "exact" : "paper"; }

ModeRun run_mode(const JointedMode& mode, const Load& load, double load_factor, const ModeStart& start,
                 const TimePlan& plan, const OutputPlan& output, const SimulationOptions& options,
                 const Progress& progress) {
  checked(mode, "mode");
  checked(options.newmark);
  finite("initial displacement", start.displacement);
  finite("initial velocity", start.velocity);
  finite("static force", start.static_force);
  const Task task{mode, load, finite("load factor", load_factor), start, plan, output, options, progress};
  if (options.method == Method::averaging) return average(task);
  if (!mode.joint) return step_through(task, NoJoint{});
  return std::visit([&](const auto& law) { return step_through(task, law); }, *mode.joint);
}

}  // namespace microslip
