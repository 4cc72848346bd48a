// Objects that say that several threads may use them: eight threads at once get the bits that one gets alone.
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <serve_api.hpp>
#include <support/scratch.hpp>

#include <microslip/io/hdf5.hpp>
#include <microslip/joints/any_law.hpp>
#include <microslip/joints/loop.hpp>
#include <microslip/modal/combination_setup.hpp>
#include <microslip/signal/fft.hpp>

namespace microslip {
namespace {

constexpr int n_threads = 8;

void at_once(const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  threads.reserve(n_threads);
  for (int i = 0; i < n_threads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

TEST(Threads, OneFourierPlanServesAll) {
  for (const std::size_t n : {1024U, 1021U}) {  // a prime takes another way through the plan
    const signal::RealFft plan(n);
    const auto spectrum = [&](int seed) {
      std::vector<double> x(n);
      for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(0.01 * static_cast<double>(i) * (seed + 1));
      std::vector<signal::Complex> out(plan.n_bins());
      plan.transform(x, out);
      return out;
    };
    std::vector<std::vector<signal::Complex>> seen(n_threads);
    at_once([&](int i) { seen[static_cast<std::size_t>(i)] = spectrum(i); });
    for (int i = 0; i < n_threads; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], spectrum(i)) << n;
  }
}

TEST(Threads, LawsOfDifferentExponentsShareNoTable) {
  const auto loss = [](int i) {
    const NamedValues values{{"stiffness", 2.0}, {"alpha", 0.7 + 0.1 * i}, {"beta", 0.2}, {"n", 1.2 + 0.17 * i}};
    const AnyLaw law = make_law("bouc_wen", values);
    return std::visit([](const auto& l) { return loop_dissipation(l, 1.5, Framework::reversal); }, law);
  };
  std::vector<double> seen(n_threads);
  at_once([&](int i) {
    for (int again = 0; again < 20; ++again) seen[static_cast<std::size_t>(i)] = loss(i);
  });
  for (int i = 0; i < n_threads; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], loss(i));
}

TEST(Threads, OneStructureServesManyBackbones) {
  const std::string path = MICROSLIP_SOURCE_DIR "/data/brb/brb-whole-joint.h5";
  const JointedSystem system(reduced_model(io::read_hdf5(path).archive, path));
  const Combination& combination = combination_named("4-Parameter Iwan (WJ, Masing)");
  const auto frequencies = [&](int i) {
    const Joint joint = joint_at(combination, search_point(combination, 0.3 + 0.05 * i));
    RqnmaOptions options;
    options.prestress.preload = 12845;
    const std::vector<double> amplitudes{1e-6, 1e-5, 5e-5};
    std::vector<double> hz;
    for (const BackbonePoint& point : rqnma(system, joint, 1, amplitudes, options).points)
      hz.push_back(point.frequency_hz);
    return hz;
  };
  std::vector<std::vector<double>> seen(n_threads);
  at_once([&](int i) { seen[static_cast<std::size_t>(i)] = frequencies(i); });
  for (int i = 0; i < n_threads; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], frequencies(i));
}

TEST(Threads, Hdf5IsReadAndWrittenByAll) {
  const test::Scratch scratch;
  at_once([&](int i) {
    const auto path = scratch / (std::to_string(i) + ".h5");
    Archive tree;
    tree.set("value", static_cast<double>(i));
    for (int again = 0; again < 3; ++again) {
      io::write_hdf5(path, tree);
      EXPECT_EQ(io::read_hdf5(path).archive.number("value"), i);
    }
  });
}

app::WebReply ask(app::Api& api, const char* method, const std::string& path, const std::string& body,
                  const std::string& name = "") {
  app::WebRequest request;
  request.method = method;
  request.path = path;
  request.body = body;
  request.name = name;
  return api.answer(request);
}

/// The number that follows `"key":` in an answer.
std::string number_of(const app::WebReply& reply, const std::string& key) {
  const std::size_t from = reply.body.find("\"" + key + "\":") + key.size() + 3;
  return reply.body.substr(from, reply.body.find_first_of(",}", from) - from);
}

TEST(Threads, TheWorkbenchAnswersSeveralPagesAtOnce) {
  app::Api api;
  std::string record = "time,acc1 [m/s^2]\n";
  for (int k = 0; k < 4000; ++k) {
    const double t = 1e-3 * k;
    record += fmt::format("{},{}\n", t, std::exp(-2 * t) * std::cos(300 * t));
  }
  at_once([&](int i) {
    const auto loop = ask(api, "POST", "/api/v1/loop",
                          R"({"model":"jenkins","parameters":{"slip_force":2,"stiffness":4},"amplitude":1.5})");
    EXPECT_NE(loop.body.find("\"dissipation\": 8"), std::string::npos) << loop.body;
    const auto sent = ask(api, "POST", "/api/v1/files", record, fmt::format("page {}.csv", i));
    ASSERT_EQ(sent.status, 201) << sent.body;
    const auto begun =
        ask(api, "POST", "/api/v1/ringdown", fmt::format(R"({{"files":[{}],"mode":47.7}})", number_of(sent, "file")));
    if (begun.status == 429) return;  // the queue is full: said, not waited for
    ASSERT_EQ(begun.status, 202) << begun.body;
    const std::string job = "/api/v1/jobs/" + number_of(begun, "job");
    if (i % 4 == 3) ask(api, "DELETE", job, "");
    std::string state;
    do {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      state = ask(api, "GET", job, "").body;
    } while (state.find("queued") != std::string::npos || state.find("running") != std::string::npos);
    if (i % 4 != 3) {
      EXPECT_NE(state.find("\"done\""), std::string::npos) << state.substr(0, 300);
    }
  });
}

}  // namespace
}  // namespace microslip
