#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <microslip/beam/finite_element_assembly.hpp>
#include <microslip/beam/finite_element_beam.hpp>
#include <microslip/beam/stuck_beam.hpp>
#include <microslip/core/check.hpp>
#include <microslip/joints/elastic_dry_friction.hpp>

namespace microslip::beam {

namespace {

constexpr int most_halvings = 10;  ///< of a step of the march

/// What the interface points remember. Their law gives the loss; the step below finds its force for all of them at
/// once.
using Law = ElasticDryFriction<double>;
using Memory = std::vector<Law::State>;

Memory at_rest(const FiniteElementBeam::Assembly& a) {
  Memory memory;
  for (const InterfacePoint& p : a.points) memory.push_back({.normal = p.pressure});
  return memory;
}

struct Response {
  std::vector<NodeVector> d;
  Memory memory;
  std::vector<double> from;  ///< s where each point's spring starts the step: that of a point that closes on the way
  std::vector<ContactState> states;
  double dissipated = 0;
  int iterations = 0;
  bool converged = false;
};

/// One step: equilibrium under `force` with the sliders where they are, each moving only if it must.
Response step(const FiniteElementBeam::Assembly& a, const BlockTridiagonal<4>& linear, const Memory& before,
              const std::vector<ContactState>& guess, double force, NormalForce normal_force) {
  const double kt = a.model.support.tangential_stiffness, mu = a.model.support.friction_coefficient;
  const double kn = normal_force == NormalForce::dynamic ? a.model.support.normal_stiffness : 0;
  Response r{.d = {}, .memory = before, .from = {}, .states = guess};
  for (const Law::State& point : before) r.from.push_back(point.u);
  std::vector<ContactState> next(guess.size());
  // The law is piecewise linear: with the right states the solve is exact, so the states are all there is to find, and
  // where points that were open met the support.
  while (r.iterations < 60) {
    ++r.iterations;
    BlockTridiagonal<4> matrix = linear;
    std::vector<NodeVector> right = a.load;
    for (NodeVector& f : right) f *= force;
    for (std::size_t i = 0; i < a.points.size(); ++i) {
      const InterfacePoint& p = a.points[i];
      if (r.states[i] == ContactState::open) continue;
      ElementVector constant;
      if (r.states[i] == ContactState::stick) {
        add_outer(matrix, p.element, p.weight * kt * p.slide, p.slide);
        constant = p.weight * (before[i].slider - kt * r.from[i]) * p.slide;
      } else {
        const double slip = (r.states[i] == ContactState::slip_forward ? 1 : -1) * mu;
        if (kn > 0) add_outer(matrix, p.element, p.weight * slip * kn * p.slide, p.deflect);
        constant = p.weight * slip * p.pressure * p.slide;
      }
      right[p.element] -= constant.head<4>();
      right[p.element + 1] -= constant.tail<4>();
    }
    r.d = matrix.solve(std::move(right));
    bool same = true;
    for (std::size_t i = 0; i < a.points.size(); ++i) {
      const InterfacePoint& p = a.points[i];
      const ElementVector d = local(r.d, p.element);
      const double s = p.slide.dot(d), normal = p.pressure + kn * p.deflect.dot(d), limit = mu * normal;
      const double held_from = r.from[i], trial = before[i].slider + kt * (s - held_from);
      if (before[i].normal <= 0 && normal > 0)
        r.from[i] = before[i].u - before[i].normal / (normal - before[i].normal) * (s - before[i].u);
      next[i] = limit <= 0                 ? ContactState::open
                : std::abs(trial) <= limit ? ContactState::stick
                : trial > 0                ? ContactState::slip_forward
                                           : ContactState::slip_backward;
      // A point on the verge may keep its state: both sides of the corner give the same traction.
      const double slack = 1e-10 * std::abs(limit);
      if (next[i] != r.states[i] && std::abs(std::abs(trial) - limit) <= slack && limit > 0 &&
          r.states[i] != ContactState::open)
        next[i] = r.states[i];
      same = same && next[i] == r.states[i] &&
             (next[i] != ContactState::stick || kt * std::abs(r.from[i] - held_from) <= slack);
    }
    if (same) {
      r.converged = true;
      break;
    }
    r.states = next;
  }
  if (!r.converged) return r;
  const Law law{.friction_coefficient = mu, .stiffness = kt};
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    const InterfacePoint& p = a.points[i];
    const ElementVector d = local(r.d, p.element);
    const double s = p.slide.dot(d), normal = p.pressure + kn * p.deflect.dot(d);
    if (r.states[i] != ContactState::stick) r.dissipated += p.weight * law.evaluate(before[i], s, normal).dissipated;
    double held = 0;
    if (r.states[i] == ContactState::stick) held = before[i].slider + kt * (s - r.from[i]);
    if (r.states[i] == ContactState::slip_forward) held = mu * normal;
    if (r.states[i] == ContactState::slip_backward) held = -mu * normal;
    r.memory[i] = {.u = s, .slider = held, .normal = normal};
  }
  return r;
}

/// Runs of points in one state; the ends are where the margin |held + k_t (s - from)| - mu q crosses zero.
std::vector<Region> regions_of(const FiniteElementBeam::Assembly& a, const Response& r, const Memory& before,
                               NormalForce normal_force) {
  const double kt = a.model.support.tangential_stiffness, mu = a.model.support.friction_coefficient;
  const double kn = normal_force == NormalForce::dynamic ? a.model.support.normal_stiffness : 0;
  const auto margin = [&](std::size_t i) {
    const InterfacePoint& p = a.points[i];
    const ElementVector d = local(r.d, p.element);
    return std::abs(before[i].slider + kt * (p.slide.dot(d) - r.from[i])) - mu * (p.pressure + kn * p.deflect.dot(d));
  };
  std::vector<Region> regions;
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    if (!regions.empty() && regions.back().state == r.states[i]) continue;
    double x = a.pressure.from;
    if (i > 0) {
      const double m_0 = margin(i - 1), m_1 = margin(i);
      const double share = m_0 * m_1 < 0 ? m_0 / (m_0 - m_1) : 0.5;
      x = a.points[i - 1].x + share * (a.points[i].x - a.points[i - 1].x);
      regions.back().to = x;
    }
    regions.push_back({x, x, r.states[i]});
  }
  if (!regions.empty()) regions.back().to = a.pressure.to;
  return regions;
}

}  // namespace

FiniteElementBeam::FiniteElementBeam(const Model& model, const Pressure& pressure, const MeshOptions& mesh)
    : assembly_(std::make_unique<Assembly>(assembled(model, pressure, mesh))) {}

FiniteElementBeam::~FiniteElementBeam() = default;
FiniteElementBeam::FiniteElementBeam(FiniteElementBeam&&) noexcept = default;

std::vector<double> FiniteElementBeam::natural_frequencies_hz(int n) const {
  const Beam& b = assembly_->model.beam;
  const double scale = std::sqrt(b.bending_stiffness() / b.mass_per_length()) / (b.length * b.length);
  auto frequencies = frequencies_by_count(
      [&](double omega) { return assembly_->stuck_stiffness(omega).negative_eigenvalues(); }, n, 1e-2 * scale);
  for (double& f : frequencies) f /= 2 * std::numbers::pi;
  return frequencies;
}

SlipState FiniteElementBeam::at(double force, NormalForce normal_force) const {
  const Assembly& a = *assembly_;
  const Memory rest = at_rest(a);
  const Response r = step(a, a.dynamic_stiffness(a.model.load.omega()), rest,
                          std::vector<ContactState>(a.points.size(), ContactState::stick), force, normal_force);
  SlipState state{.force = force,
                  .outcome = r.converged ? Outcome::converged : Outcome::iteration_limit,
                  .iterations = r.iterations};
  if (!r.converged) return state;
  state.displacement = a.displacement_at_load(r.d);
  state.regions = regions_of(a, r, rest, normal_force);
  for (const Region& region : state.regions) {
    if (region.state == ContactState::stick) state.stick_length += region.to - region.from;
    if (region.state == ContactState::slip_forward || region.state == ContactState::slip_backward)
      state.slip_length += region.to - region.from;
  }
  // Masing: a whole cycle moves every slider four times as far as the first loading did.
  if (normal_force == NormalForce::constant) state.dissipation = 4 * r.dissipated;
  return state;
}

CycleResult FiniteElementBeam::march(double force, int steps, NormalForce normal_force, int most_cycles,
                                     bool keep_interface) const {
  positive("force", force);
  if (steps < 8) throw InvalidInput(fmt::format("a cycle needs at least 8 steps, got {}", steps));
  if (most_cycles < 1) throw InvalidInput(fmt::format("at least 1 cycle must be marched, got {}", most_cycles));
  const Assembly& a = *assembly_;
  const BlockTridiagonal<4> linear = a.dynamic_stiffness(a.model.load.omega());
  Memory memory = at_rest(a);
  std::vector<ContactState> states(a.points.size(), ContactState::stick);
  double reached = 0;
  CycleResult result;
  const auto remember = [&](Response& r, double f) {
    result.dissipation += r.dissipated;
    memory = std::move(r.memory);
    states = std::move(r.states);
    reached = f;
  };
  // Where no state is found at once, the step is taken by halves: a place on the way, but no point of the loop.
  const std::function<Response(double, int)> advance = [&](double f, int halvings) {
    Response r = step(a, linear, memory, states, f, normal_force);
    if (!r.converged)
      r = step(a, linear, memory, std::vector<ContactState>(a.points.size(), ContactState::stick), f, normal_force);
    if (r.converged) return r;
    if (halvings == 0)
      throw NotConverged(
          fmt::format("the interface found no state at a force of {} N in {} iterations", f, r.iterations));
    const double middle = (reached + f) / 2;
    Response half = advance(middle, halvings - 1);
    remember(half, middle);
    return advance(f, halvings - 1);
  };
  const auto go_to = [&](double f) {
    Response r = advance(f, most_halvings);
    result.loop.force.push_back(f);
    result.loop.displacement.push_back(a.displacement_at_load(r.d));
    if (keep_interface) result.interface.push_back(regions_of(a, r, memory, normal_force));
    remember(r, f);
  };
  for (int i = 1; i < steps / 4; ++i) go_to(force * std::sin(2 * std::numbers::pi * i / steps));
  go_to(force);
  double start = result.loop.displacement.back();
  for (result.cycles = 1; result.cycles <= most_cycles; ++result.cycles) {
    result.loop = {};
    result.loop.force = {force};
    result.loop.displacement = {start};
    result.dissipation = 0;
    if (keep_interface) result.interface = {result.interface.back()};
    double largest = std::abs(start);
    for (int i = 1; i <= steps; ++i) {
      const double f = i == steps ? force : force * std::cos(2 * std::numbers::pi * i / steps);
      go_to(f);
      largest = std::max(largest, std::abs(result.loop.displacement.back()));
    }
    result.closure = std::abs(result.loop.displacement.back() - start) / largest;
    start = result.loop.displacement.back();
    if (result.closure <= 1e-9) break;
  }
  result.cycles = std::min(result.cycles, most_cycles);
  result.loop.dissipation = result.dissipation;
  return result;
}

}  // namespace microslip::beam
