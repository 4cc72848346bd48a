#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>

#include <microslip/study/search.hpp>
#include <microslip/study/search_space.hpp>

namespace microslip::study {

namespace {

constexpr int sweeps = 2;            // over the rays, each starting from the neighbours' solutions
constexpr std::size_t n_starts = 4;  // for each of the two single best points

Nsga2Options options_of(const Study& study, const SearchSpace& space) {
  Nsga2Options options;
  options.members = study.budget.members;
  options.lower.assign(space.lower().begin(), space.lower().end());
  options.upper.assign(space.upper().begin(), space.upper().end());
  return options;
}

/// Distance of a point from the utopian one as seen along a ray: where on it the point begins to dominate.
double reach(const Point& f, const Point& utopia, double psi) {
  return std::max((f[0] - utopia[0]) / std::cos(psi), (f[1] - utopia[1]) / std::sin(psi));
}

class Searcher {
 public:
  Searcher(const Study& study, std::size_t entry, const Ask& ask)
      : study_(study), entry_(entry), ask_(ask), space_(study.entries[entry]), options_(options_of(study, space_)) {}

  /// Members of the last generations.
  std::vector<Candidate> nsga2(const std::vector<std::vector<double>>& given, int generations) {
    const EvaluateAll evaluate = [this](const std::vector<std::vector<double>>& x) { return objectives(x); };
    const std::uint64_t seed = study_.budget.seed;
    std::vector<std::vector<double>> starts;
    for (const auto& point : given) starts.push_back(space_.coordinates(point));
    std::vector<Candidate> members;
    const auto first = first_members(options_, starts, seed);
    const std::vector<Point> f = objectives(first);
    for (std::size_t i = 0; i < first.size(); ++i) members.push_back({first[i], f[i]});
    std::deque<std::vector<Candidate>> last{members};
    for (int g = 1; g <= generations; ++g) {
      members = next_generation(members, options_, seed, g, evaluate);
      last.push_back(members);
      if (last.size() > static_cast<std::size_t>(study_.budget.last_generations)) last.pop_front();
    }
    std::vector<Candidate> all;
    for (const auto& generation : last)
      for (const Candidate& member : generation) all.push_back({space_.point(member.x), member.f});
    return all;
  }

  std::vector<Candidate> boundary_intersection(const std::vector<std::vector<double>>& given) {
    std::vector<Candidate> known = nsga2(given, study_.budget.scouts);
    std::vector<Candidate> found = single_best(known);
    if (found.empty()) return known;
    const auto least = [&](std::size_t k) {
      return std::min_element(found.begin(), found.end(), [k](const auto& a, const auto& b) { return a.f[k] < b.f[k]; })
          ->f[k];
    };
    const Point utopia{least(0), least(1)};
    known.insert(known.end(), found.begin(), found.end());
    found = known;  // laws with corners leave gradients stuck: what the scouts have seen counts too

    const int n = study_.budget.angles;
    std::vector<double> psi;
    for (int j = 1; j <= n; ++j) psi.push_back(j * std::numbers::pi / (2 * (n + 1)));
    // The best on each ray so far; a sweep tries it from its own start, then from its neighbours'.
    std::vector<Candidate> best;
    std::vector<Task> tasks;
    for (double angle : psi) {
      best.push_back(*std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
        return reach(a.f, utopia, angle) < reach(b.f, utopia, angle);
      }));
      tasks.push_back(ray_task(entry_, utopia, angle, best.back().x));
    }
    std::vector<std::size_t> of_ray(tasks.size());
    for (std::size_t j = 0; j < of_ray.size(); ++j) of_ray[j] = j;
    for (int sweep = 0; sweep <= sweeps; ++sweep) {
      const std::vector<TaskResult> results = ask_(tasks);
      for (std::size_t i = 0; i < results.size(); ++i) {
        const std::optional<Candidate> candidate = read_candidate(results[i]);
        if (!candidate) continue;
        found.push_back(*candidate);
        const double angle = psi[of_ray[i]];
        Candidate& now = best[of_ray[i]];
        if (reach(candidate->f, utopia, angle) < reach(now.f, utopia, angle)) now = *candidate;
      }
      tasks.clear();
      of_ray.clear();
      for (std::size_t j = 0; j < psi.size(); ++j)
        for (std::size_t from : {j - 1, j + 1}) {
          if (from >= psi.size()) continue;
          tasks.push_back(ray_task(entry_, utopia, psi[j], best[from].x));
          of_ray.push_back(j);
        }
    }
    return found;
  }

 private:
  std::vector<Point> objectives(const std::vector<std::vector<double>>& coordinates) {
    std::vector<Task> tasks;
    for (const auto& one : coordinates) tasks.push_back(evaluate_task(entry_, space_.point(one)));
    std::vector<Point> f;
    for (const TaskResult& result : ask_(tasks)) f.push_back(read_objectives(result));
    return f;
  }

  /// Least frequency error, least damping error and least sum of their squares, by least squares from the best points
  /// known.
  std::vector<Candidate> single_best(const std::vector<Candidate>& known) {
    std::vector<Task> tasks;
    for (std::size_t k = 0; k < 3; ++k) {
      tasks.push_back(single_task(entry_, k, study_.entries[entry_].start));
      const auto level = [k](const Point& f) { return k < 2 ? f[k] : f[0] + f[1]; };
      std::vector<const Candidate*> order;
      for (const Candidate& candidate : known) order.push_back(&candidate);
      std::stable_sort(order.begin(), order.end(),
                       [&](const auto* a, const auto* b) { return level(a->f) < level(b->f); });
      std::vector<std::vector<double>> taken;  // the same member may be there in many generations
      for (const Candidate* candidate : order) {
        if (taken.size() == n_starts) break;
        if (std::find(taken.begin(), taken.end(), candidate->x) != taken.end()) continue;
        taken.push_back(candidate->x);
        tasks.push_back(single_task(entry_, k, candidate->x));
      }
    }
    std::vector<Candidate> found;
    for (const TaskResult& result : ask_(tasks))
      if (const auto candidate = read_candidate(result)) found.push_back(*candidate);
    return found;
  }

  const Study& study_;
  std::size_t entry_;
  const Ask& ask_;
  SearchSpace space_;
  Nsga2Options options_;  ///< members are kept in the coordinates of the space
};

}  // namespace

std::vector<Candidate> search(const Study& study, std::size_t entry, const std::vector<std::vector<double>>& given,
                              const Ask& ask) {
  Searcher searcher(study, entry, ask);
  return study.entries[entry].method == Method::nsga2 ? searcher.nsga2(given, study.budget.generations)
                                                      : searcher.boundary_intersection(given);
}

int search_batches(const Study& study, std::size_t entry) {
  // The first members; generations; for boundary intersection also the single best and the sweeps.
  return study.entries[entry].method == Method::nsga2 ? 1 + study.budget.generations
                                                      : 1 + study.budget.scouts + 1 + 1 + sweeps;
}

}  // namespace microslip::study
