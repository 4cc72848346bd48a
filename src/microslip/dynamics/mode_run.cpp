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
  JointedMode mode;
  const Load& load;
  double load_factor;
  ModeStart start;
  const TimePlan& plan;
  const OutputPlan& output;
  const SimulationOptions& options;

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

/// A run by averaging from step `first` to `last`; `run` holds what came before, its ledger that of the time `before`,
/// when the displacement was u. A static force balances the springs where the motion has its mean: what it does goes
/// into them, and the energy of the motion about the mean is that without it.
void ring_down(const Task& task, const AmplitudeLaw& law, const FreeDecay& decay, double before, double u,
               std::int64_t first, std::int64_t last, ModeRun& run, Recorder& record) {
  const JointedMode& mode = task.mode;
  const double work = run.energy.work;
  const double amplitude = decay.amplitude_and_phase_at(before).amplitude, energy_before = law.energy(amplitude);
  run.averaged_up_to = std::max(run.averaged_up_to, amplitude);
  const double locked = run.energy.kinetic + run.energy.stored - energy_before;  // in sliders that stay as they are
  const double dissipated = run.energy.dissipated - decay.dissipated(before);
  const auto settle = [&](double t) {
    const FreeDecay::Motion motion = decay.at(t);
    run.energy.kinetic = 0.5 * mode.mass * motion.velocity * motion.velocity;
    const double done = task.start.static_force * (motion.displacement - u);
    run.energy.work = work + done;
    run.energy.stored = law.energy(motion.amplitude) + locked + done - run.energy.kinetic;
    run.energy.dissipated = dissipated + decay.dissipated(t);
  };
  const std::int64_t stride = task.energy_stride(), every = task.output.every;
  for (std::int64_t i = (first + every - 1) / every * every; i <= last; i += every) {
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
    for (std::int64_t i = (first + stride - 1) / stride * stride; i <= last; i += stride) {
      settle(task.plan.time(i));
      run.energy_history.push_back({task.plan.time(i), run.energy});
    }
  }
  settle(task.plan.time(last));
  run.n_steps += static_cast<long long>(decay.n_steps());
}

void begin_series(const Task& task, std::int64_t last, ModeRun& run) {
  if (!task.output.envelope) return;
  const auto n = static_cast<std::size_t>(last / task.output.every + 1);
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

NewmarkOptions newmark_options(const Task& task) {
  NewmarkOptions options = task.options.newmark;
  options.accuracy = task.plan.accuracy;
  return options;
}

/// Newmark's method, and for `hybrid` averaging after it.
template <class Law>
class Stepped final : public ModeInTime {
 public:
  Stepped(const Task& task, const Law& law)
      : task_(task),
        hybrid_(task_.options.method == Method::hybrid),
        oscillator_(task_.mode.mass, task_.mode.damping, task_.mode.linear_stiffness, law, newmark_options(task_)),
        record_(task_, run_) {
    const ModeStart& start = task_.start;
    if (start.static_force != 0 && !oscillator_.rest_under(start.static_force))
      throw NotConverged(
          fmt::format("no static balance under a force of {:.6g}: the joint slips through", start.static_force));
    oscillator_.start(oscillator_.displacement() + start.displacement, start.velocity, task_.force(0));
    record_(oscillator_.displacement(), oscillator_.velocity(), oscillator_.acceleration());
    if (task_.energy_stride() > 0) run_.energy_history.push_back({0, oscillator_.energy()});
  }

  void advance(std::int64_t to) override {
    const NewmarkStep step(task_.plan.step(), task_.options.newmark.hht_alpha);
    const bool watch = hybrid_ || task_.output.envelope;
    const double load_end = task_.load.end();
    const std::int64_t stride = task_.energy_stride(), every = task_.output.every;
    std::int64_t until_output = every - at_ % every;
    for (; at_ < to && !run_.hand_over; ++at_) {
      const std::int64_t i = at_ + 1;
      const double t = task_.plan.time(i);
      const bool solved = oscillator_.advance(step, task_.force(t));
      const double u = oscillator_.displacement(), v = oscillator_.velocity(), a = oscillator_.acceleration();
      if (!solved || !std::isfinite(u) || !std::isfinite(a))
        throw NotConverged(fmt::format("newmark: step {} at {:.6g} s does not converge, displacement {:.4g}", i, t, u));
      if (watch && t >= load_end) extrema_.follow(t, u, v, a);
      if (--until_output == 0) {
        until_output = every;
        record_(u, v, a);
      }
      if (stride > 0 && i % stride == 0) run_.energy_history.push_back({t, oscillator_.energy()});
      if (hybrid_ && extrema_.points().size() == 3) {
        properties_.emplace(task_.mode, task_.options.properties);
        run_.hand_over = hand_over_at(*properties_, extrema_.points());
      }
    }
  }

  ModeRun finish(std::int64_t last) override {
    run_.n_steps = at_;
    run_.energy = oscillator_.energy();
    run_.n_iterations = oscillator_.n_iterations();
    run_.n_halved = oscillator_.n_halved();
    run_.n_refined = oscillator_.n_refined();
    if (hybrid_) {
      begin_series(task_, last, run_);
      if (run_.hand_over && at_ < last) {
        const HandOver& from = *run_.hand_over;
        const double peak = extrema_.points()[1].displacement - from.offset;
        const FreeDecay decay(*properties_, from.time, task_.plan.time(last),
                              amplitude_and_phase_at_extremum(*properties_, peak), from.offset);
        ring_down(task_, *properties_, decay, task_.plan.time(at_), oscillator_.displacement(), at_ + 1, last, run_,
                  record_);
      }
    } else if (task_.output.envelope) {
      run_.extrema = envelope(extrema_.points());
      run_.series = at_times(run_.extrema, output_times(task_.plan, task_.output, last));
    }
    return std::move(run_);
  }

 private:
  Task task_;
  bool hybrid_;
  ModeRun run_;
  Oscillator<Law> oscillator_;
  Recorder record_;
  Extrema extrema_;
  std::optional<AmplitudeLaw> properties_;
  std::int64_t at_ = 0;  ///< steps taken
};

/// Averaging from the start: nothing is stepped.
class Averaged final : public ModeInTime {
 public:
  explicit Averaged(const Task& task) : task_(task), law_(task_.mode, task_.options.properties) {
    if (task_.start.static_force != 0)
      throw InvalidInput("averaging knows no static force; use method newmark or hybrid");
  }

  void advance(std::int64_t /*to*/) override {}

  ModeRun finish(std::int64_t last) override {
    ModeRun run;
    Recorder record(task_, run);
    begin_series(task_, last, run);
    const TimePlan& plan = task_.plan;
    double u = task_.start.displacement, v = task_.start.velocity, from = 0;
    run.energy.initial = law_.energy(amplitude_and_phase(law_, u, v).amplitude);
    run.energy.stored = run.energy.initial;
    std::int64_t first = 0;
    const double end = plan.time(last), forced_until = std::min(task_.load.end(), end);
    if (!task_.load.none() && forced_until > 0) {
      const ForcedAveraging forced(law_, task_.load, task_.load_factor, 0, forced_until, u, v);
      const std::int64_t stride = task_.energy_stride();
      for (; first <= last && plan.time(first) <= forced_until; ++first) {
        const bool kept = first % task_.output.every == 0, counted = stride > 0 && first % stride == 0;
        if (!kept && !counted) continue;
        const ForcedAveraging::Motion motion = forced.at(plan.time(first));
        if (kept) keep(motion, first, run, record);
        if (counted) run.energy_history.push_back({plan.time(first), ledger(run.energy.initial, motion)});
      }
      u = forced.end().displacement, v = forced.end().velocity, from = forced_until;
      run.energy = ledger(run.energy.initial, forced.end());
      run.averaged_up_to = forced.largest_amplitude();
      run.n_steps = static_cast<long long>(forced.n_steps());
    }
    if (first <= last) {
      const FreeDecay decay(law_, from, end, amplitude_and_phase(law_, u, v));
      ring_down(task_, law_, decay, from, u, first, last, run, record);
    }
    return run;
  }

 private:
  [[nodiscard]] Energy ledger(double initial, const ForcedAveraging::Motion& motion) const {
    const auto [u, v, work, dissipated] = motion;
    const double kinetic = 0.5 * task_.mode.mass * v * v;
    const double held = law_.energy(amplitude_and_phase(law_, u, v).amplitude);
    return {initial, work, kinetic, held - kinetic, dissipated};
  }

  void keep(const ForcedAveraging::Motion& motion, std::int64_t i, ModeRun& run, Recorder& record) const {
    const double u = motion.displacement, v = motion.velocity;
    const double amplitude = amplitude_and_phase(law_, u, v).amplitude;
    const AtAmplitude at = law_(amplitude);
    if (task_.output.envelope) set_series(run.series, static_cast<std::size_t>(i / task_.output.every), amplitude, at);
    record(u, v, task_.force(task_.plan.time(i)) / task_.mode.mass - 2 * at.decay * v - at.omega * at.omega * u);
  }

  Task task_;
  AmplitudeLaw law_;
};

}  // namespace

std::string_view to_string(Method method) {
  constexpr std::array<std::string_view, 3> names{"newmark", "averaging", "hybrid"};
  return names[static_cast<std::size_t>(method)];
}

std::string_view to_string(Properties properties) { return properties == Properties::exact ? "exact" : "paper"; }

std::unique_ptr<ModeInTime> start_mode(const JointedMode& mode, const Load& load, double load_factor,
                                       const ModeStart& start, const TimePlan& plan, const OutputPlan& output,
                                       const SimulationOptions& options) {
  checked(mode, "mode");
  checked(options.newmark);
  checked(output);
  finite("initial displacement", start.displacement);
  finite("initial velocity", start.velocity);
  finite("static force", start.static_force);
  const Task task{mode, load, finite("load factor", load_factor), start, plan, output, options};
  if (options.method == Method::averaging) return std::make_unique<Averaged>(task);
  if (!mode.joint) return std::make_unique<Stepped<NoJoint>>(task, NoJoint{});
  return std::visit(
      [&](const auto& law) -> std::unique_ptr<ModeInTime> {
        return std::make_unique<Stepped<std::decay_t<decltype(law)>>>(task, law);
      },
      *mode.joint);
}

ModeRun run_mode(const JointedMode& mode, const Load& load, double load_factor, const ModeStart& start,
                 const TimePlan& plan, const OutputPlan& output, const SimulationOptions& options) {
  const auto run = start_mode(mode, load, load_factor, start, plan, output, options);
  run->advance(plan.n_steps);
  return run->finish(plan.n_steps);
}

}  // namespace microslip
