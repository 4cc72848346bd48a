#include <chrono>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/study/crew.hpp>
#include <microslip/study/journal.hpp>

namespace microslip::study {
namespace {

using namespace std::chrono_literals;

std::vector<Task> numbers(int n) {
  std::vector<Task> tasks;
  for (int i = 0; i < n; ++i) tasks.push_back({double(i), 0.1 * i});
  return tasks;
}

std::vector<double> sines(std::span<const double> task) { return {std::sin(task[0]), std::exp(task[1])}; }

TEST(Crew, AnswersInOrderWhateverTheNumberOfThreads) {
  const auto tasks = numbers(200);
  Crew alone(sines, 1, nullptr), many(sines, 7, nullptr);
  const auto a = alone.run(tasks), b = many.run(tasks);
  ASSERT_EQ(a.size(), tasks.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].values, sines(tasks[i]));
    EXPECT_EQ(a[i].values, b[i].values);
  }
  EXPECT_TRUE(alone.run({}).empty());
}

TEST(Crew, RecordsAFailureAndGoesOn) {
  Crew crew(
      [](std::span<const double> task) -> std::vector<double> {
        if (task[0] == 3) throw NotConverged("no solution at q = 3");
        return {task[0]};
      },
      2, nullptr);
  const auto results = crew.run(numbers(6));
  EXPECT_EQ(results[3].failure, "no solution at q = 3");
  EXPECT_TRUE(results[3].values.empty());
  EXPECT_EQ(results[5].values, std::vector<double>{5});
}

TEST(Crew, LetsASlowTaskHoldNobodyElse) {
  std::atomic<int> done{0};
  std::atomic<bool> release{false};
  Crew crew(
      [&](std::span<const double> task) -> std::vector<double> {
        // The first waits until all the others are done: with tasks dealt out in advance that would never be.
        while (task[0] == 0 && !release) {
          if (done == 49) release = true;
          std::this_thread::sleep_for(1ms);
        }
        ++done;
        return {};
      },
      2, nullptr);
  EXPECT_EQ(crew.run(numbers(50)).size(), 50U);
}

TEST(Crew, ServesSeveralCallersAtOnce) {
  Crew crew(sines, 2, nullptr);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int k = 0; k < 5; ++k)
    callers.emplace_back([&, k] {
      const auto tasks = numbers(40 + k);
      const auto results = crew.run(tasks);
      for (std::size_t i = 0; i < tasks.size(); ++i) wrong += results[i].values != sines(tasks[i]);
    });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Crew, StopsBetweenBatches) {
  std::atomic<bool> stop{false};
  std::atomic<int> done{0};
  Crew crew(
      [&](std::span<const double> task) -> std::vector<double> {
        stop = true;
        ++done;
        return {task[0]};
      },
      1, nullptr, &stop);
  const auto results = crew.run(numbers(100));  // asked to stop at the first task: what is begun is finished
  EXPECT_EQ(done, 100);
  EXPECT_EQ(results[99].values, std::vector<double>{99});
  EXPECT_THROW((void)crew.run(numbers(1)), Stopped);
  EXPECT_EQ(done, 100);
}

/// Storage in memory.
struct Shelf {
  std::optional<std::string> bytes;
  int saves = 0;
  Storage storage() {
    return {.load = [this](const std::string&) { return bytes; },
            .save = [this](const std::string&, std::string_view b) { bytes = b, ++saves; }};
  }
};

TEST(Journal, GivesRecordedAnswersAgainWithoutWork) {
  std::atomic<int> calls{0};
  Crew crew(
      [&](std::span<const double> task) -> std::vector<double> {
        ++calls;
        if (task[0] == 1) throw NotConverged("one");
        return {task[0] / 3, std::nan("")};
      },
      2, nullptr);
  Shelf shelf;
  std::vector<TaskResult> first, second;
  {
    Journal journal(shelf.storage(), "a", 42);
    first = journal.run(crew, numbers(3));
    EXPECT_EQ(shelf.saves, 1);
  }
  {
    Journal journal(shelf.storage(), "a", 42);
    second = journal.run(crew, numbers(3));
    EXPECT_EQ(calls, 3);
    (void)journal.run(crew, numbers(4));
    EXPECT_EQ(calls, 7);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(first[i].failure, second[i].failure);
    ASSERT_EQ(first[i].values.size(), second[i].values.size());
    for (std::size_t k = 0; k < first[i].values.size() / 2; ++k) EXPECT_EQ(first[i].values[k], second[i].values[k]);
  }
  EXPECT_EQ(second[1].failure, "one");
}

TEST(Journal, RefusesWhatIsNotItsOwnRecord) {
  Crew crew(sines, 1, nullptr);
  Shelf shelf;
  {
    Journal journal(shelf.storage(), "a", 42);
    (void)journal.run(crew, numbers(3));
  }
  const std::string good = *shelf.bytes;
  EXPECT_THROW(Journal(shelf.storage(), "a", 43), InvalidInput);
  {
    Journal journal(shelf.storage(), "a", 42);
    EXPECT_THROW((void)journal.run(crew, numbers(2)), InvalidInput);  // another question than the recorded one
  }
  for (std::size_t cut = 0; cut < good.size(); ++cut) {  // every way to end early
    shelf.bytes = good.substr(0, cut);
    EXPECT_THROW(Journal(shelf.storage(), "a", 42), InvalidInput) << cut;
  }
  for (std::size_t at = 0; at < good.size(); ++at) {  // every byte changed
    shelf.bytes = good;
    (*shelf.bytes)[at] = static_cast<char>((*shelf.bytes)[at] ^ 0x10);
    EXPECT_THROW(Journal(shelf.storage(), "a", 42), InvalidInput) << at;
  }
}

}  // namespace
}  // namespace microslip::study
