#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <microslip/study/crew.hpp>

namespace microslip::study {

/// The processes of an MPI job. MPI is started when this is made, and only a program that mpirun launched makes it.
/// All calls come from one thread at a time.
class Ranks {
 public:
  /// Whether mpirun (Open MPI) started this process as one of several or as the only one.
  static bool launched();

  Ranks();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  /// Ranks that may use the very processors that this one may, itself included: 1 where mpirun has bound each.
  [[nodiscard]] int sharing_processors() const { return sharing_processors_; }

  void send_task(int to, std::uint64_t id, const Task& task);
  void send_drop(int to, std::uint64_t id);  ///< somebody else does it: forget it unless it is begun
  void send_result(std::uint64_t id, const TaskResult& result, double seconds);  ///< to rank 0, with what it took
  void send_threads(int threads);  ///< to rank 0: how many tasks it takes at once
  void send_home(int to);

  struct Message {
    enum class Kind { task, drop, result, threads, home } kind;
    int from = 0;
    std::uint64_t id = 0;
    Task task{};
    TaskResult result{};
    double seconds = 0;
    int threads = 0;
  };
  /// A message that has arrived, if there is one. Does not wait: MPI's own waiting keeps a processor busy.
  std::optional<Message> poll();

 private:
  int rank_ = 0, size_ = 1, sharing_processors_ = 1;
};

}  // namespace microslip::study
