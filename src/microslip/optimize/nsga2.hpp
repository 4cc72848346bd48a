#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <microslip/optimize/front.hpp>

namespace microslip {

/// Variables and the objectives found there.
struct Candidate {
  std::vector<double> x;
  Point f{};
};

/// The objectives of many points, in their order. All at once, so that the caller may share them out.
using EvaluateAll = std::function<std::vector<Point>(const std::vector<std::vector<double>>& x)>;

struct Nsga2Options {
  std::vector<double> lower, upper;
  int members = 100;  ///< a multiple of 4, at least 8: parents are drawn in pairs of pairs
  double crossover_probability = 0.9;
  double crossover_index = 10;
  double mutation_probability = 0;  ///< per variable; 0 takes one over their number
  double mutation_index = 50;
};

/// Members of the generation before the first: the given points, which are moved into the bounds, and the rest spread
/// evenly over each variable's range (a Latin hypercube), from the seed alone.
std::vector<std::vector<double>> first_members(const Nsga2Options& options,
                                               const std::vector<std::vector<double>>& given, std::uint64_t seed);

/// One generation of NSGA-II [Deb2002] by pagmo: tournament, simulated binary crossover, polynomial mutation,
/// and the best of parents and children by rank and crowding in the objectives. Everything random comes from
/// (seed, generation) alone, so that a run may be taken up at any generation.
std::vector<Candidate> next_generation(const std::vector<Candidate>& parents, const Nsga2Options& options,
                                       std::uint64_t seed, int generation, const EvaluateAll& evaluate);

}  // namespace microslip
