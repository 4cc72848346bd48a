#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include <sched.h>

#include <microslip/study/crew.hpp>
#include <microslip/study/post.hpp>
#include <microslip/study/ranks.hpp>

namespace microslip::study {

namespace {

using Lock = std::unique_lock<std::mutex>;

TaskResult attempt(const Work& work, const Task& task) {
  try {
    return {.values = work(task), .failure = {}};
  } catch (const std::exception& error) {
    const std::string what = error.what();
    return {.values = {}, .failure = what.empty() ? "failed without a word" : what};
  }
}

/// Work that a rank is sent beyond what it is at, so that it never waits for the post: this many seconds of it, by what
/// its tasks took lately, but at least one task and at most `most_spare_tasks` for each of its threads.
constexpr double work_in_advance = 10e-3;
constexpr int most_spare_tasks = 64;

/// Tasks handed in together.
struct Batch {
  std::vector<Task> tasks;
  std::vector<TaskResult> results;
  std::size_t left;
};

struct Item {
  std::shared_ptr<Batch> batch;
  std::size_t index = 0;

  [[nodiscard]] const Task& task() const { return batch->tasks[index]; }
};

/// What another rank has been given and not yet answered, by growing id: oldest first.
struct Away {
  int threads = 0;   ///< 0 until it has said how many
  double pace = -1;  ///< seconds that its tasks took lately; negative: not known
  std::map<std::uint64_t, Item> items;

  [[nodiscard]] bool idle() const { return items.size() < static_cast<std::size_t>(threads); }
  /// Whether it holds tasks that it cannot have begun.
  [[nodiscard]] bool held_up() const { return items.size() > static_cast<std::size_t>(threads); }
  [[nodiscard]] bool has_room() const {
    const double spare = pace < 0 ? 1 : std::clamp(work_in_advance / pace, 1.0, double{most_spare_tasks});
    return static_cast<double>(items.size()) < threads * (1 + spare);
  }
  void learn(double seconds) { pace = pace < 0 ? seconds : pace + (seconds - pace) / 8; }
};

}  // namespace

struct Crew::State {
  Work work;
  Ranks* ranks;
  const std::atomic<bool>* stop;
  std::mutex mutex{};
  std::condition_variable work_to_do{}, something_done{};
  std::deque<Item> waiting{};
  std::map<int, Away> away{};
  std::vector<std::pair<int, std::uint64_t>> taken_back{};  ///< of which rank, and which task: to be told
  bool closing = false;
  std::uint64_t next_id = 1;
  Post post{[this] { return exchange(); }};
  std::vector<std::thread> threads{};
  std::thread courier{};

  // The following four are called with the mutex held.

  void finish(const Item& item, TaskResult result) {
    Batch& batch = *item.batch;
    batch.results[item.index] = std::move(result);
    if (--batch.left == 0) something_done.notify_all();
  }

  std::optional<Item> next_waiting() {
    if (waiting.empty()) return std::nullopt;
    Item item = std::move(waiting.front());
    waiting.pop_front();
    return item;
  }

  /// A task that another rank holds but cannot have begun, because its threads are still at older ones: those may be
  /// slow. It is taken back. Should it have been begun after all, that answer is not wanted any more; it is the same.
  std::optional<Item> next_held_up() {
    for (auto& [rank, held] : away) {
      if (!held.held_up()) continue;
      const auto last = std::prev(held.items.end());
      Item item = last->second;
      taken_back.emplace_back(rank, last->first);
      held.items.erase(last);
      return item;
    }
    return std::nullopt;
  }

  std::optional<Item> next() {
    std::optional<Item> item = next_waiting();
    return item ? item : next_held_up();
  }

  void work_here() {
    Lock lock(mutex);
    while (true) {
      std::optional<Item> item = next();
      if (!item) {
        const Post::Rest rest(post);
        work_to_do.wait(lock, [&] { return closing || (item = next()).has_value(); });
      }
      if (closing) return;
      lock.unlock();
      TaskResult result = attempt(work, item->task());
      lock.lock();
      finish(*item, std::move(result));
      if (away.empty()) continue;
      lock.unlock();
      post.look();
      lock.lock();
    }
  }

  void receive(const Ranks::Message& message) {
    const Lock lock(mutex);
    Away& from = away[message.from];
    if (message.kind == Ranks::Message::Kind::threads) from.threads = message.threads;
    if (message.kind != Ranks::Message::Kind::result) return;
    from.learn(message.seconds);
    const auto item = from.items.find(message.id);
    if (item == from.items.end()) return;
    finish(item->second, message.result);
    from.items.erase(item);
  }

  /// Carries tasks to the other ranks and their answers back. False once the crew is dismissed.
  bool exchange() {
    struct Parcel {
      int to;
      std::uint64_t id;
      Item item;
    };
    std::vector<Parcel> parcels;
    std::vector<std::pair<int, std::uint64_t>> drops;
    if (const Lock lock(mutex); closing) return false;
    while (const auto message = ranks->poll()) receive(*message);
    {
      const Lock lock(mutex);
      for (auto& [rank, held] : away) {
        while (held.has_room()) {
          const std::optional<Item> item = held.idle() ? next() : next_waiting();
          if (!item) break;
          held.items[next_id] = *item;
          parcels.push_back({rank, next_id++, *item});
        }
      }
      drops.swap(taken_back);
    }
    for (const Parcel& parcel : parcels) ranks->send_task(parcel.to, parcel.id, parcel.item.task());
    for (const auto& [rank, id] : drops) ranks->send_drop(rank, id);  // after the task that it may be about
    if (!parcels.empty()) work_to_do.notify_all();  // who found nothing waiting may take back what is held up
    return true;
  }

  void send_all_home() {
    for (int rank = 1; rank < ranks->size(); ++rank) ranks->send_home(rank);
    for (int home = 1; home < ranks->size();) {
      const auto message = ranks->poll();  // late answers are read and dropped: a rank that sends one waits for that
      if (!message)
        std::this_thread::sleep_for(Post::while_idle);
      else if (message->kind == Ranks::Message::Kind::home)
        ++home;
    }
  }
};

Crew::Crew(Work work, int threads, Ranks* ranks, const std::atomic<bool>* stop)
    : state_(new State{.work = std::move(work), .ranks = ranks, .stop = stop}) {
  State& state = *state_;
  if (ranks != nullptr && ranks->size() > 1) {
    for (int rank = 1; rank < ranks->size(); ++rank) state.away[rank] = {};
    state.courier = std::thread([&state] { state.post.attend([&state] { state.send_all_home(); }); });
  }
  for (int i = 0; i < std::max(1, threads); ++i) state.threads.emplace_back([&state] { state.work_here(); });
}

Crew::~Crew() {
  {
    const Lock lock(state_->mutex);
    state_->closing = true;
  }
  state_->work_to_do.notify_all();
  for (std::thread& thread : state_->threads) thread.join();
  if (state_->courier.joinable()) state_->courier.join();
}

std::vector<TaskResult> Crew::run(const std::vector<Task>& tasks) {
  if (tasks.empty()) return {};
  State& state = *state_;
  if (state.stop != nullptr && state.stop->load(std::memory_order_relaxed)) throw Stopped();
  const std::size_t n = tasks.size();
  const auto batch = std::make_shared<Batch>(Batch{tasks, std::vector<TaskResult>(n), n});
  Lock lock(state.mutex);
  for (std::size_t i = 0; i < n; ++i) state.waiting.push_back({batch, i});
  state.work_to_do.notify_all();
  if (!state.away.empty()) {
    lock.unlock();
    state.post.look();
    lock.lock();
  }
  state.something_done.wait(lock, [&] { return batch->left == 0; });
  return std::move(batch->results);
}

int Crew::workers() const {
  const Lock lock(state_->mutex);
  int workers = static_cast<int>(state_->threads.size());
  for (const auto& [rank, held] : state_->away) workers += std::max(1, held.threads);
  return workers;
}

namespace {

/// A rank that works for the first one.
class Servant {
 public:
  Servant(const Work& work, Ranks& ranks) : work_(work), ranks_(ranks) {}

  void serve(int threads) {
    std::vector<std::thread> pool;
    for (int i = 0; i < threads; ++i) pool.emplace_back([this] { work_here(); });
    ranks_.send_threads(threads);
    post_.attend([&] {
      work_to_do_.notify_all();
      for (std::thread& thread : pool) thread.join();
      ranks_.send_home(0);
    });
  }

 private:
  struct Answer {
    std::uint64_t id;
    TaskResult result;
    double seconds;
  };

  void work_here() {
    Lock lock(mutex_);
    while (true) {
      if (waiting_.empty()) {
        const Post::Rest rest(post_);
        work_to_do_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
      }
      if (closing_) return;
      const auto taken = waiting_.extract(waiting_.begin());
      lock.unlock();
      const auto begun = std::chrono::steady_clock::now();
      TaskResult result = attempt(work_, taken.mapped());
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
      lock.lock();
      finished_.push_back({taken.key(), std::move(result), seconds.count()});
      lock.unlock();
      post_.look();
      lock.lock();
    }
  }

  /// Takes in tasks and sends answers. False once it is sent home.
  bool exchange() {
    if (const Lock lock(mutex_); closing_) return false;
    while (auto message = ranks_.poll()) {
      const Lock lock(mutex_);
      if (message->kind == Ranks::Message::Kind::home) closing_ = true;
      if (message->kind == Ranks::Message::Kind::drop) waiting_.erase(message->id);
      if (message->kind != Ranks::Message::Kind::task) continue;
      waiting_.emplace(message->id, std::move(message->task));
      work_to_do_.notify_one();
    }
    std::vector<Answer> answers;
    {
      const Lock lock(mutex_);
      if (closing_) return false;
      answers.swap(finished_);
    }
    for (const Answer& answer : answers) ranks_.send_result(answer.id, answer.result, answer.seconds);
    return true;
  }

  const Work& work_;
  Ranks& ranks_;
  std::mutex mutex_;
  std::condition_variable work_to_do_;
  std::map<std::uint64_t, Task> waiting_;  ///< by growing id: in the order in which they came
  std::vector<Answer> finished_;
  bool closing_ = false;
  Post post_{[this] { return exchange(); }};
};

}  // namespace

void Crew::serve(const Work& work, int threads, Ranks& ranks) { Servant(work, ranks).serve(std::max(1, threads)); }

int usable_threads(const Ranks* ranks) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  const int processors = known ? CPU_COUNT(&allowed) : static_cast<int>(std::thread::hardware_concurrency());
  return std::max(1, ranks == nullptr ? processors : processors / ranks->sharing_processors());
}

}  // namespace microslip::study
