#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace microslip::study {

class Ranks;

/// A piece of work in plain numbers, so that it can be sent to another machine.
using Task = std::vector<double>;

/// What came of it: numbers, or why there are none. A failure is recorded, and the rest goes on.
struct TaskResult {
  std::vector<double> values;
  std::string failure;  ///< empty: done
};

/// A pure function of the task. What it throws becomes the task's failure.
using Work = std::function<std::vector<double>(std::span<const double> task)>;

/// The work was stopped from outside, between two batches.
struct Stopped : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "stopped"; }
};

/// Shares tasks out among the threads of this process and, under mpirun, of all others. Whoever is free takes the
/// next task, so that a slow one holds nobody else. Results come back in the order of the tasks: they depend neither
/// on the number of threads and ranks nor on who was faster.
class Crew {
 public:
  /// `ranks` may be null; otherwise this is rank 0, and the others are in `serve`.
  Crew(Work work, int threads, Ranks* ranks, const std::atomic<bool>* stop = nullptr);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew();  ///< sends the other ranks home

  /// Blocks until all are done. May be called from several threads at once. Once stopped it throws Stopped; tasks that
  /// were handed in before are finished.
  [[nodiscard]] std::vector<TaskResult> run(const std::vector<Task>& tasks);
  /// Threads that work, here and elsewhere.
  [[nodiscard]] int workers() const;

  /// What every rank but the first does until rank 0 sends it home.
  static void serve(const Work& work, int threads, Ranks& ranks);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Threads that a process should start: the processors it may use, shared with the other ranks on the same machine
/// where mpirun has not given each its own.
int usable_threads(const Ranks* ranks);

}  // namespace microslip::study
