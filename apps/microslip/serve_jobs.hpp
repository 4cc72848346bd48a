#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <microslip/core/progress.hpp>

namespace microslip::app {

/// Long work, a few pieces at a time, that can be asked how far it is and told to stop.
class Jobs {
 public:
  enum class State { queued, running, done, failed, cancelled };
  struct Result {
    std::string json;
    std::string report;  ///< an HTML page, where the work draws one
  };
  struct Status {
    State state = State::queued;
    double fraction = 0;
    std::string what;
    std::shared_ptr<const Result> result;  ///< of a job that is done
    std::exception_ptr error;              ///< of a job that failed
  };
  using Work = std::function<Result(const Progress&)>;

  /// Results are kept up to `bytes_kept` together; the latest is kept whatever its size.
  explicit Jobs(int workers = 2, std::size_t queue_limit = 8, std::size_t bytes_kept = 256U << 20U);
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// The job's number, or 0 where too many wait already.
  std::uint64_t start(Work work);
  /// False where there is no such job. Finished jobs are forgotten, the oldest first, when they are many or large.
  bool status(std::uint64_t id, Status& out) const;
  /// Work that has begun stops where it next looks at Progress::stopped.
  bool cancel(std::uint64_t id);

 private:
  struct Job {
    std::uint64_t id = 0;
    Work work;
    Status status;
    std::atomic<bool> stop{false};
  };
  void run();
  void perform(const std::shared_ptr<Job>& job);
  void forget_oldest();  ///< called with the mutex held

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Job>> waiting_;
  std::map<std::uint64_t, std::shared_ptr<Job>> jobs_;
  std::uint64_t next_ = 1, latest_result_ = 0;
  std::size_t queue_limit_, bytes_kept_;
  bool closing_ = false;
  std::vector<std::thread> workers_;
};

const char* to_string(Jobs::State state);

}  // namespace microslip::app
