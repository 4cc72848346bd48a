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

/// Waits between two looks for messages, longer while none come: looking costs as much as a hundredth of a backbone,
/// and whoever waits for an answer has more to do meanwhile.
class Patience {
 public:
  void news() { wait_ = shortest; }
  void nothing_new() {
    std::this_thread::sleep_for(wait_);
    wait_ = std::min(2 * wait_, longest);
  }

 private:
  static constexpr std::chrono::microseconds shortest{50}, longest{200};
  std::chrono::microseconds wait_ = shortest;
};

/// Tasks that a rank is sent beyond those it can work on, so that it need not wait for the post.
constexpr int spare_tasks = 2;

/// Tasks handed in together.
struct Batch {
  std::vector<Task> tasks;
  std::vector<TaskResult> results;
  std::vector<bool> done, here;  ///< answered; being worked on by this process
  std::size_t left;
};

struct Item {
  std::shared_ptr<Batch> batch;
  std::size_t index = 0;

  [[nodiscard]] const Task& task() const { return batch->tasks[index]; }
  [[nodiscard]] bool done() const { return batch->done[index]; }
};

/// What another rank has been given and not yet answered, by growing id: oldest first.
struct Away {
  int threads = 0;  ///< 0 until it has said how many
  std::map<std::uint64_t, Item> items;

  [[nodiscard]] bool has_room() const {
    return threads > 0 && items.size() < static_cast<std::size_t>(threads + spare_tasks);
  }
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
  bool closing = false;
  std::uint64_t next_id = 1;
  std::vector<std::thread> threads{};
  std::thread courier{};

  // The following four are called with the mutex held.

  /// The first answer counts; a second one to the same task is the same.
  void finish(const Item& item, TaskResult result) {
    Batch& batch = *item.batch;
    if (batch.done[item.index]) return;
    batch.results[item.index] = std::move(result);
    batch.done[item.index] = true;
    if (--batch.left == 0) something_done.notify_all();
  }

  std::optional<Item> next_waiting() {
    while (!waiting.empty()) {
      Item item = std::move(waiting.front());
      waiting.pop_front();
      if (!item.done()) return item;
    }
    return std::nullopt;
  }

  /// A task that another rank holds but has not begun, because its threads are still at older ones: those may be
  /// slow. It is done here as well.
  std::optional<Item> next_held_up() {
    for (auto& [rank, held] : away) {
      if (held.items.size() <= static_cast<std::size_t>(held.threads)) continue;
      Item item = std::prev(held.items.end())->second;
      if (!item.done() && !item.batch->here[item.index]) return item;
    }
    return std::nullopt;
  }

  std::optional<Item> next() {
    std::optional<Item> item = next_waiting();
    if (!item) item = next_held_up();
    if (item) item->batch->here[item->index] = true;
    return item;
  }

  void work_here() {
    Lock lock(mutex);
    while (true) {
      std::optional<Item> item;
      work_to_do.wait(lock, [&] { return closing || (item = next()).has_value(); });
      if (closing) return;
      lock.unlock();
      TaskResult result = attempt(work, item->task());
      lock.lock();
      finish(*item, std::move(result));
    }
  }

  void receive(const Ranks::Message& message) {
    const Lock lock(mutex);
    Away& from = away[message.from];
    if (message.kind == Ranks::Message::Kind::threads) from.threads = message.threads;
    if (message.kind != Ranks::Message::Kind::result) return;
    const auto item = from.items.find(message.id);
    if (item == from.items.end()) return;
    finish(item->second, message.result);
    from.items.erase(item);
  }

  /// Carries tasks to the other ranks and their answers back; the only thread that speaks MPI.
  void carry() {
    struct Parcel {
      int to;
      std::uint64_t id;
      Item item;
    };
    Patience patience;
    while (true) {
      std::vector<Parcel> parcels;
      {
        const Lock lock(mutex);
        if (closing) break;
        for (auto& [rank, held] : away) {
          while (held.has_room()) {
            const std::optional<Item> item = next_waiting();
            if (!item) break;
            held.items[next_id] = *item;
            parcels.push_back({rank, next_id++, *item});
          }
        }
      }
      for (const Parcel& parcel : parcels) ranks->send_task(parcel.to, parcel.id, parcel.item.task());
      bool news = !parcels.empty();
      while (const auto message = ranks->poll()) {
        receive(*message);
        news = true;
      }
      if (news)
        patience.news();
      else
        patience.nothing_new();
    }
    for (int rank = 1; rank < ranks->size(); ++rank) ranks->send_home(rank);
    for (int home = 1; home < ranks->size();) {
      const auto message = ranks->poll();  // late answers are read and dropped: a rank that sends one waits for that
      if (!message)
        patience.nothing_new();
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
    state.courier = std::thread([&state] { state.carry(); });
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
  const std::size_t n = tasks.size();
  const auto batch =
      std::make_shared<Batch>(Batch{tasks, std::vector<TaskResult>(n), std::vector<bool>(n), std::vector<bool>(n), n});
  Lock lock(state.mutex);
  for (std::size_t i = 0; i < n; ++i) state.waiting.push_back({batch, i});
  state.work_to_do.notify_all();
  const auto stopped = [&] { return state.stop != nullptr && state.stop->load(std::memory_order_relaxed); };
  while (!state.something_done.wait_for(lock, std::chrono::milliseconds(100), [&] { return batch->left == 0; })) {
    if (!stopped()) continue;
    std::erase_if(state.waiting, [&](const Item& item) { return item.batch == batch; });
    throw Stopped();
  }
  return std::move(batch->results);
}

int Crew::workers() const {
  const Lock lock(state_->mutex);
  int workers = static_cast<int>(state_->threads.size());
  for (const auto& [rank, held] : state_->away) workers += std::max(1, held.threads);
  return workers;
}

void Crew::serve(const Work& work, int threads, Ranks& ranks) {
  std::mutex mutex;
  std::condition_variable work_to_do;
  std::deque<std::pair<std::uint64_t, Task>> waiting;
  std::deque<std::pair<std::uint64_t, TaskResult>> finished;
  bool closing = false;

  std::vector<std::thread> pool;
  for (int i = 0; i < std::max(1, threads); ++i)
    pool.emplace_back([&] {
      Lock lock(mutex);
      while (true) {
        work_to_do.wait(lock, [&] { return closing || !waiting.empty(); });
        if (closing) return;
        const auto [id, task] = std::move(waiting.front());
        waiting.pop_front();
        lock.unlock();
        TaskResult result = attempt(work, task);
        lock.lock();
        finished.emplace_back(id, std::move(result));
      }
    });

  ranks.send_threads(std::max(1, threads));
  bool at_work = true;
  Patience patience;
  while (at_work) {
    bool news = false;
    while (auto message = ranks.poll()) {
      news = true;
      if (message->kind == Ranks::Message::Kind::home) at_work = false;
      if (message->kind != Ranks::Message::Kind::task) continue;
      const Lock lock(mutex);
      waiting.emplace_back(message->id, std::move(message->task));
      work_to_do.notify_one();
    }
    std::deque<std::pair<std::uint64_t, TaskResult>> to_send;
    {
      const Lock lock(mutex);
      to_send.swap(finished);
    }
    for (const auto& [id, result] : to_send) ranks.send_result(id, result);
    if (news || !to_send.empty())
      patience.news();
    else
      patience.nothing_new();
  }
  {
    const Lock lock(mutex);
    closing = true;
  }
  work_to_do.notify_all();
  for (std::thread& thread : pool) thread.join();
  ranks.send_home(0);
}

int usable_threads(const Ranks* ranks) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  const int processors = known ? CPU_COUNT(&allowed) : static_cast<int>(std::thread::hardware_concurrency());
  return std::max(1, ranks == nullptr ? processors : processors / ranks->sharing_processors());
}

}  // namespace microslip::study
