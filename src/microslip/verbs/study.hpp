#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <microslip/study/study.hpp>
#include <microslip/verbs/output.hpp>
#include <microslip/verbs/study_file.hpp>

namespace microslip::study {
class Ranks;
}

namespace microslip::verbs {

struct StudyOptions {
  std::filesystem::path file;
  bool resume = false;
  std::filesystem::path checkpoint;  ///< folder; empty: none are kept
  int threads = 0;                   ///< of this process; 0: all processors it may use
  bool times = false;                ///< seconds in the result too, which then is never the same twice
  study::Ranks* ranks = nullptr;     ///< under mpirun
  const std::atomic<bool>* stop = nullptr;
  /// Told how far each combination is, with the case that is being run.
  std::function<void(const StudyCase&, const study::EntryProgress&)> observer;
};

/// What one front member near the middle costs, as in Table 10 of Porter et al.
struct StudyTimes {
  std::vector<double> search;    ///< seconds from first to last task of each combination
  std::vector<double> backbone;  ///< seconds for one backbone of the first fitted mode, one thread
};

struct StudyRun {
  StudyCase input;
  study::StudyResult result;
  StudyTimes times;
  std::vector<std::string> words;  ///< about this run alone: not part of the result
};

/// Ranks by area fraction in each mode, [mode][combination]: 1 for the smallest, equal ones sharing a rank.
std::vector<std::vector<int>> area_ranks(const study::StudyResult& result);

/// Least and largest coordinate of a parameter on a front; NaN where the front is empty.
std::pair<double, double> front_range(const study::EntryResult& entry, std::size_t parameter);

/// Runs a study. On every rank but the first: works for that one and returns nothing.
std::optional<StudyRun> run_study(const StudyOptions& options);

std::string study_json(const StudyRun& run, bool times);
std::string study_csv(const StudyRun& run);   ///< the ranking
std::string study_text(const StudyRun& run);  ///< the ranking, for people
report::Page study_page(const StudyRun& run);

/// The same as an output; nothing on every rank but the first.
std::optional<Output> study(const StudyOptions& options);

}  // namespace microslip::verbs
