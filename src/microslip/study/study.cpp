#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>

#include <microslip/core/check.hpp>
#include <microslip/study/search.hpp>
#include <microslip/study/search_space.hpp>
#include <microslip/study/study.hpp>

namespace microslip::study {

namespace {

/// Messages that differ in their numbers alone are of one kind.
std::string without_numbers(const std::string& message) {
  std::string kind;
  for (const char c : message)
    if ((c < '0' || c > '9') && c != '.') kind += c;
  return kind;
}

/// Everything that decides what the entry's tasks and their answers are.
std::uint64_t fingerprint_of(const Study& study, const Entry& entry) {
  Fingerprint print;
  print.add(std::string_view(reinterpret_cast<const char*>(&study.inputs), sizeof study.inputs));
  for (const Measured& m : study.measured) {
    print.add(static_cast<double>(m.mode)).add(m.backbone.amplitude).add(m.backbone.frequency_hz);
    print.add(m.backbone.damping_ratio).add(m.frequency_band).add(m.damping_band);
  }
  for (std::size_t m : study.fit) print.add(static_cast<double>(m));
  const Budget& b = study.budget;
  for (double number : {static_cast<double>(b.seed), static_cast<double>(b.members), static_cast<double>(b.generations),
                        static_cast<double>(b.last_generations), static_cast<double>(b.angles),
                        static_cast<double>(b.scouts), static_cast<double>(b.seeds)})
    print.add(number);
  print.add(entry.name).add(static_cast<double>(entry.method)).add(entry.penalised ? 1.0 : 0.0).add(entry.start);
  for (const ParameterSpan& span : entry.spans)
    print.add(span.name).add(span.lower).add(span.upper).add(span.logarithmic ? 1.0 : 0.0);
  if (entry.below) print.add(static_cast<double>(entry.below->parameter)).add(static_cast<double>(entry.below->other));
  if (entry.seeded_from) print.add(static_cast<double>(*entry.seeded_from));
  return print.value();
}

/// Up to n points spread evenly over a front.
std::vector<std::vector<double>> spread(const std::vector<FrontMember>& front, int n) {
  std::vector<std::vector<double>> points;
  const std::size_t wanted = std::min(front.size(), static_cast<std::size_t>(std::max(0, n)));
  for (std::size_t i = 0; i < wanted; ++i)
    points.push_back(front[wanted == 1 ? 0 : i * (front.size() - 1) / (wanted - 1)].point);
  return points;
}

/// Another entry's point in the coordinates of this one: by name; what the other lacks starts where this one does.
std::vector<double> translated(const Entry& to, const Entry& from, const std::vector<double>& point) {
  std::vector<double> out = to.start;
  for (std::size_t j = 0; j < to.spans.size(); ++j)
    for (std::size_t i = 0; i < from.spans.size(); ++i)
      if (from.spans[i].name == to.spans[j].name && from.spans[i].logarithmic == to.spans[j].logarithmic)
        out[j] = point[i];
  return out;
}

/// Searches one entry's front and predicts the other modes from it.
class Run {
 public:
  Run(const Study& study, std::size_t entry, Crew& crew, const Storage& storage, const Observer& observer)
      : study_(study),
        entry_(entry),
        crew_(crew),
        observer_(observer),
        journal_(storage, fmt::format("{:02}", entry + 1), fingerprint_of(study, study.entries[entry])),
        total_(search_batches(study, entry) + 1) {}

  EntryResult operator()(const std::vector<std::vector<double>>& seeds) {
    const auto begun = std::chrono::steady_clock::now();
    const Entry& entry = study_.entries[entry_];
    std::vector<std::vector<double>> given{entry.start};
    given.insert(given.end(), seeds.begin(), seeds.end());
    const std::vector<Candidate> candidates =
        search(study_, entry_, given, [this](const std::vector<Task>& tasks) { return ask(tasks); });

    EntryResult result;
    result.name = entry.name;
    result.front = predicted(candidates);
    result.evaluations = evaluations_;
    for (const auto& [kind, failures] : failures_)
      result.failures.push_back(failures.count == 1
                                    ? failures.first
                                    : fmt::format("{} (the first of {} like it)", failures.first, failures.count));
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    tell(true);
    return result;
  }

 private:
  std::vector<TaskResult> ask(const std::vector<Task>& tasks) {
    std::vector<TaskResult> results = journal_.run(crew_, tasks);
    evaluations_ += static_cast<long>(tasks.size());
    for (const TaskResult& result : results) {
      if (!result.failure.empty()) {
        Failures& alike = failures_[without_numbers(result.failure)];
        if (++alike.count == 1) alike.first = result.failure;
      }
      const Point f = result.values.size() < 2 ? worst_point : read_objectives(result);
      if (done_ < total_ - 1)
        for (std::size_t k = 0; k < 2; ++k) best_[k] = std::min(best_[k], f[k]);
    }
    ++done_;
    tell(false);
    return results;
  }

  void tell(bool finished) const {
    if (observer_)
      observer_({.entry = entry_,
                 .done = finished ? total_ : done_,
                 .total = total_,
                 .evaluations = evaluations_,
                 .best = {std::pow(10, best_[0] / 2), std::pow(10, best_[1] / 2)},
                 .finished = finished});
  }

  /// The front of the errors recomputed without penalties [section 3.5.2].
  std::vector<FrontMember> predicted(const std::vector<Candidate>& candidates) {
    std::vector<Point> f;
    for (const Candidate& candidate : candidates) f.push_back(candidate.f);
    std::vector<Task> tasks;
    std::vector<const Candidate*> asked;
    for (std::size_t i : non_dominated(f)) {
      if (f[i] == worst_point) continue;
      asked.push_back(&candidates[i]);
      tasks.push_back(predict_task(entry_, candidates[i].x));
    }
    const std::vector<TaskResult> results = ask(tasks);
    std::vector<FrontMember> members, front;
    std::vector<Point> errors;
    for (std::size_t i = 0; i < results.size(); ++i)
      if (auto member = read_member(study_, asked[i]->x, results[i])) {
        errors.push_back(member->errors);
        members.push_back(std::move(*member));
      }
    for (std::size_t i : non_dominated(errors)) front.push_back(std::move(members[i]));
    return front;
  }

  const Study& study_;
  std::size_t entry_;
  Crew& crew_;
  const Observer& observer_;
  Journal journal_;
  int done_ = 0, total_;
  long evaluations_ = 0;
  struct Failures {
    std::string first;
    int count = 0;
  };
  std::map<std::string, Failures> failures_;  ///< by their message without its numbers
  Point best_ = worst_point;
};

/// Boxes, area fractions and ranking: what takes all entries together.
void compare_entries(const Study& study, StudyResult& result) {
  const std::size_t n_modes = study.measured.size();
  for (std::size_t m = 0; m < n_modes; ++m) {
    result.variability.push_back(variability(study.measured[m]));
    ErrorBox box{study.box_upper, study.box_upper};
    const auto lower = [&](const Point& errors) {
      for (std::size_t k = 0; k < 2; ++k)
        if (errors[k] < box.lower[k]) box.lower[k] = errors[k];  // false for NaN
    };
    if (result.variability[m]) lower(result.variability[m]->upper), lower(result.variability[m]->lower);
    for (const EntryResult& entry : result.entries)
      for (const FrontMember& member : entry.front) lower(member.mode_errors[m]);
    for (std::size_t k = 0; k < 2; ++k)
      if (!(box.lower[k] < box.upper[k])) box.lower[k] = 0;  // nobody enters the box: all have an area of 1
    result.boxes.push_back(box);
    result.variability_area.push_back(std::nullopt);
    if (result.variability[m]) result.variability_area[m] = area_fraction({{result.variability[m]->upper}}, box);
  }
  for (EntryResult& entry : result.entries)
    for (std::size_t m = 0; m < n_modes; ++m) {
      std::vector<Point> errors;
      for (const FrontMember& member : entry.front) errors.push_back(member.mode_errors[m]);
      entry.area_fraction.push_back(area_fraction(errors, result.boxes[m]));
    }
  rank(study, result);
}

}  // namespace

bool Study::fitted(std::size_t measured_index) const {
  return std::find(fit.begin(), fit.end(), measured_index) != fit.end();
}

void rank(const Study& study, StudyResult& result) {
  const std::size_t n_modes = study.measured.size();
  const bool all_fitted = study.fit.size() == n_modes;
  for (EntryResult& entry : result.entries) {
    int n = 0;
    entry.predicted_area = 0;
    for (std::size_t m = 0; m < n_modes; ++m) {
      if (study.fitted(m) && !all_fitted) continue;
      entry.predicted_area += entry.area_fraction[m];
      ++n;
    }
    entry.predicted_area /= n;
  }
  result.ranking.resize(result.entries.size());
  std::iota(result.ranking.begin(), result.ranking.end(), std::size_t{0});
  std::stable_sort(result.ranking.begin(), result.ranking.end(), [&](std::size_t a, std::size_t b) {
    return result.entries[a].predicted_area < result.entries[b].predicted_area;
  });
}

std::array<std::size_t, 3> EntryResult::three() const {
  if (front.empty()) return {0, 0, 0};
  // Length along the front on log scales, as it is drawn.
  std::vector<double> along{0};
  for (std::size_t i = 1; i < front.size(); ++i) {
    const auto step = [&](std::size_t k) { return std::log(front[i].errors[k] / front[i - 1].errors[k]); };
    const double length = std::hypot(step(0), step(1));
    along.push_back(along.back() + (std::isfinite(length) ? length : 0));
  }
  std::size_t middle = 0;
  while (along[middle] < along.back() / 2) ++middle;
  return {0, middle, front.size() - 1};
}

void check(const Study& study) {
  if (study.measured.empty()) throw InvalidInput("the study has no measured backbones");
  if (study.fit.empty()) throw InvalidInput("the study fits no mode");
  if (study.entries.empty()) throw InvalidInput("the study has no combinations");
  for (std::size_t m : study.fit)
    if (m >= study.measured.size()) throw InvalidInput("the study fits a mode without a backbone");
  const Budget& b = study.budget;
  if (b.members < 8 || b.members % 4 != 0)
    throw InvalidInput(fmt::format("budget.members must be a multiple of 4 and at least 8, got {}", b.members));
  for (const auto& [what, number, least] : {std::tuple{"generations", b.generations, 1},
                                            {"last_generations", b.last_generations, 1},
                                            {"angles", b.angles, 1},
                                            {"scouts", b.scouts, 0},
                                            {"seeds", b.seeds, 0}})
    if (number < least) throw InvalidInput(fmt::format("budget.{} must be at least {}, got {}", what, least, number));
  for (std::size_t e = 0; e < study.entries.size(); ++e) {
    const Entry& entry = study.entries[e];
    if (entry.spans.empty()) throw InvalidInput(fmt::format("{}: no parameters to search", entry.name));
    if (entry.start.size() != entry.spans.size())
      throw InvalidInput(
          fmt::format("{}: {} starting values, {} are expected", entry.name, entry.start.size(), entry.spans.size()));
    for (std::size_t j = 0; j < entry.spans.size(); ++j) {
      const ParameterSpan& span = entry.spans[j];
      if (!std::isfinite(span.lower) || !std::isfinite(span.upper) || !(span.lower <= span.upper))
        throw InvalidInput(fmt::format("{}: bounds of {} must be finite and in order, got [{}, {}]", entry.name,
                                       span.name, span.lower, span.upper));
      within(fmt::format("{}: start of {}", entry.name, span.name), entry.start[j], span.lower, span.upper);
    }
    if (entry.below) {
      const ParameterSpan &span = entry.spans.at(entry.below->parameter), &other = entry.spans.at(entry.below->other);
      const auto value = [](const ParameterSpan& of) { return of.logarithmic ? std::pow(10, of.lower) : of.lower; };
      if (!(span.lower + SearchSpace::margin < other.lower))
        throw InvalidInput(fmt::format("{}: {} stays below {}: its lower bound, {:.4g}, must lie below {:.4g}",
                                       entry.name, span.name, other.name, value(span), value(other)));
    }
    if (!entry.forward) throw InvalidInput(fmt::format("{}: no model", entry.name));
    if (entry.method == Method::boundary_intersection && !entry.forward->has_slopes())
      throw InvalidInput(fmt::format(
          "{}: boundary_intersection needs derivatives with the parameters, which this model does not give: use nsga2",
          entry.name));
    if (entry.seeded_from && *entry.seeded_from >= e)
      throw InvalidInput(fmt::format("{}: its seeds must come from a combination that stands before it", entry.name));
  }
}

StudyResult run_study(const Study& study, Crew& crew, const Storage& storage, const Observer& observer) {
  check(study);
  const std::size_t n = study.entries.size();
  std::mutex telling;
  const Observer in_turn = [&](const EntryProgress& progress) {
    const std::lock_guard lock(telling);
    if (observer) observer(progress);
  };
  std::vector<std::unique_ptr<Run>> runs;  // all records are read, or refused, before any work starts
  for (std::size_t e = 0; e < n; ++e) runs.push_back(std::make_unique<Run>(study, e, crew, storage, in_turn));

  // A generation ends with some workers idle, is put on record and sorted: generations of other entries fill the gap.
  // Entries start in order, so one that takes its seeds from an earlier one never waits for one that has not started.
  std::vector<std::promise<EntryResult>> promises(n);
  std::vector<std::shared_future<EntryResult>> results;
  for (auto& promise : promises) results.push_back(promise.get_future().share());
  std::atomic<std::size_t> next{0};
  const auto drive = [&] {
    for (std::size_t e = next++; e < n; e = next++) {
      try {
        std::vector<std::vector<double>> seeds;
        if (const auto from = study.entries[e].seeded_from)
          for (const auto& point : spread(results[*from].get().front, study.budget.seeds))
            seeds.push_back(translated(study.entries[e], study.entries[*from], point));
        promises[e].set_value((*runs[e])(seeds));
      } catch (...) {
        promises[e].set_exception(std::current_exception());
      }
    }
  };
  const std::size_t at_once = std::clamp<std::size_t>(
      4 * static_cast<std::size_t>(crew.workers()) / static_cast<std::size_t>(study.budget.members), 4, 64);
  std::vector<std::thread> drivers;
  for (std::size_t i = 0; i < std::min(at_once, n); ++i) drivers.emplace_back(drive);
  for (std::thread& driver : drivers) driver.join();

  StudyResult result;
  for (auto& one : results) result.entries.push_back(one.get());
  compare_entries(study, result);
  return result;
}

}  // namespace microslip::study
