#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include <microslip/core/check.hpp>
#include <microslip/optimize/nsga2.hpp>

// pagmo is heavy to compile: this is its only translation unit.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/bfe.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#pragma GCC diagnostic pop

namespace microslip {

namespace {

/// splitmix64: turns numbers that lie close together into seeds that have nothing in common.
std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// In [0, 1), the same on every machine, which the distributions of the standard library are not.
double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

void check(const Nsga2Options& o) {
  if (o.members < 8 || o.members % 4 != 0)
    throw InvalidInput(fmt::format("members must be a multiple of 4 and at least 8, got {}", o.members));
  if (o.lower.empty() || o.lower.size() != o.upper.size())
    throw InvalidInput(fmt::format("{} lower and {} upper bounds: one of each per variable is expected", o.lower.size(),
                                   o.upper.size()));
  for (std::size_t j = 0; j < o.lower.size(); ++j)
    if (!(o.lower[j] <= o.upper[j]) || !std::isfinite(o.lower[j]) || !std::isfinite(o.upper[j]))
      throw InvalidInput(fmt::format("bounds of variable {} must be finite and in order, got [{}, {}]", j + 1,
                                     o.lower[j], o.upper[j]));
}

/// What pagmo must know of a problem. Points are never evaluated one by one.
struct Bounded {
  std::vector<double> lower, upper;

  [[nodiscard]] static pagmo::vector_double fitness(const pagmo::vector_double&) {
    throw std::logic_error("members are evaluated in batches");
  }
  [[nodiscard]] static pagmo::vector_double::size_type get_nobj() { return 2; }
  [[nodiscard]] std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const { return {lower, upper}; }
  template <class Archive>
  void serialize(Archive&, unsigned) {}
};

/// pagmo's batch of points, end to end, through the caller's function.
struct Batch {
  const EvaluateAll* evaluate = nullptr;

  pagmo::vector_double operator()(const pagmo::problem& problem, const pagmo::vector_double& flat) const {
    const std::size_t n = problem.get_nx();
    std::vector<std::vector<double>> x;
    for (auto it = flat.begin(); it != flat.end(); it += static_cast<std::ptrdiff_t>(n))
      x.emplace_back(it, it + static_cast<std::ptrdiff_t>(n));
    pagmo::vector_double f;
    for (const Point& p : (*evaluate)(x)) f.insert(f.end(), p.begin(), p.end());
    return f;
  }
  template <class Archive>
  void serialize(Archive&, unsigned) {}
};

}  // namespace

std::vector<std::vector<double>> first_members(const Nsga2Options& options,
                                               const std::vector<std::vector<double>>& given, std::uint64_t seed) {
  check(options);
  const std::size_t n = options.lower.size(), members = static_cast<std::size_t>(options.members);
  std::vector<std::vector<double>> x(members, std::vector<double>(n));
  std::mt19937_64 random(mixed(seed));
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<std::size_t> cell(members);
    std::iota(cell.begin(), cell.end(), 0);
    for (std::size_t i = members - 1; i > 0; --i)
      std::swap(cell[i], cell[static_cast<std::size_t>(unit(random) * static_cast<double>(i + 1))]);
    for (std::size_t i = 0; i < members; ++i) {
      const double share = (static_cast<double>(cell[i]) + unit(random)) / static_cast<double>(members);
      x[i][j] = options.lower[j] + share * (options.upper[j] - options.lower[j]);
    }
  }
  for (std::size_t i = 0; i < std::min(members, given.size()); ++i) {
    if (given[i].size() != n)
      throw InvalidInput(fmt::format("a starting point has {} variables, {} are expected", given[i].size(), n));
    for (std::size_t j = 0; j < n; ++j) x[i][j] = std::clamp(given[i][j], options.lower[j], options.upper[j]);
  }
  return x;
}

std::vector<Candidate> next_generation(const std::vector<Candidate>& parents, const Nsga2Options& options,
                                       std::uint64_t seed, int generation, const EvaluateAll& evaluate) {
  check(options);
  const auto n = static_cast<double>(options.lower.size());
  const auto random = static_cast<unsigned>(mixed(mixed(seed) + static_cast<std::uint64_t>(generation)) >> 32);
  pagmo::nsga2 algorithm(1, options.crossover_probability, options.crossover_index,
                         options.mutation_probability > 0 ? options.mutation_probability : 1 / n,
                         options.mutation_index, random);
  algorithm.set_bfe(pagmo::bfe{Batch{&evaluate}});
  pagmo::population population(pagmo::problem{Bounded{options.lower, options.upper}}, 0, random);
  for (const Candidate& parent : parents) population.push_back(parent.x, {parent.f[0], parent.f[1]});
  population = algorithm.evolve(population);
  std::vector<Candidate> next;
  for (std::size_t i = 0; i < population.size(); ++i)
    next.push_back({population.get_x()[i], {population.get_f()[i][0], population.get_f()[i][1]}});
  return next;
}

}  // namespace microslip
