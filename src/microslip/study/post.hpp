#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace microslip::study {

/// Who exchanges messages with other ranks, and when: one thread at a time, and never by waiting inside MPI, which
/// keeps a processor busy. A thread that has just done a task looks for messages, which costs a tenth of a microsecond.
/// One thread attends for the time when tasks are long or none are left; to wake it up costs 30 us, so that it sleeps
/// long while all others work.
class Post {
 public:
  /// `exchange` sends and receives all that there is; false once it is over.
  explicit Post(std::function<bool()> exchange) : exchange_(std::move(exchange)) {}

  /// Exchanges messages unless another thread is at it.
  void look() {
    const std::unique_lock turn(speaking_, std::try_to_lock);
    if (turn) exchange_();
  }

  /// Exchanges messages every now and then until it is over; then has the `last` word.
  void attend(const std::function<void()>& last) {
    std::unique_lock turn(speaking_);
    while (exchange_()) {
      turn.unlock();
      {
        std::unique_lock lock(sleeping_);
        roused_.wait_for(lock, idle_ > 0 ? while_idle : while_busy);
      }
      turn.lock();
    }
    last();
  }

  /// Held by a thread that has nothing to do.
  class Rest {
   public:
    explicit Rest(Post& post) : post_(post) {
      ++post_.idle_;
      post_.roused_.notify_one();
    }
    Rest(const Rest&) = delete;
    Rest& operator=(const Rest&) = delete;
    ~Rest() { --post_.idle_; }

   private:
    Post& post_;
  };

  static constexpr std::chrono::microseconds while_idle{500}, while_busy{4000};

 private:
  std::function<bool()> exchange_;
  std::mutex speaking_, sleeping_;
  std::condition_variable roused_;
  std::atomic<int> idle_{0};
};

}  // namespace microslip::study
