#include <cmath>
#include <map>
#include <mutex>
#include <numbers>

#include <gtest/gtest.h>
#include <support/scratch.hpp>

#include <microslip/core/check.hpp>
#include <microslip/study/study.hpp>

namespace microslip::study {
namespace {

constexpr int n_amplitudes = 12;
double amplitude(int i) { return std::pow(10.0, -6 + 2.0 * i / (n_amplitudes - 1)); }  // 1e-6 to 1e-4

/// A joint in two lines: s = 10^x0 (q/1e-5)^x1 softens the frequency, and x2 times as much is damping.
///   f = f_0 (1 - s),   zeta = zeta_0 + 10^x2 s
struct PowerLaw : Forward {
  double zeta_0 = 1e-3;
  std::function<void(std::span<const double>)> trouble;

  [[nodiscard]] Computed compute(std::span<const double> x, std::size_t measured, bool slopes) const override {
    if (trouble) trouble(x);
    const double f_0 = measured == 0 ? 180 : 560;
    Computed c;
    c.residual.assign(n_amplitudes, 1e-12);
    if (slopes) c.frequency_slope.resize(n_amplitudes, 3), c.damping_slope.resize(n_amplitudes, 3);
    for (int i = 0; i < n_amplitudes; ++i) {
      const double r = amplitude(i) / 1e-5 / (measured == 0 ? 1 : 3), ln10 = std::numbers::ln10;
      const double s = std::pow(10, x[0]) * std::pow(r, x[1]), g = std::pow(10, x[2]);
      c.frequency_hz.push_back(f_0 * (1 - s));
      c.damping_ratio.push_back(zeta_0 + g * s);
      if (!slopes) continue;
      c.frequency_slope.row(i) << -f_0 * s * ln10, -f_0 * s * std::log(r), 0;
      c.damping_slope.row(i) << g * s * ln10, g * s * std::log(r), g * s * ln10;
    }
    return c;
  }
  [[nodiscard]] bool has_slopes() const override { return true; }
};

Measured measured_of(const Computed& c, int mode) {
  Measured m;
  m.mode = mode;
  for (int i = 0; i < n_amplitudes; ++i) m.backbone.amplitude.push_back(amplitude(i));
  m.backbone.frequency_hz = c.frequency_hz;
  m.backbone.damping_ratio = c.damping_ratio;
  for (double f : c.frequency_hz) m.frequency_band.push_back(1e-3 * f);
  for (double z : c.damping_ratio) m.damping_band.push_back(0.2 * z);
  return m;
}

const std::vector<double> truth{-1.5, 0.6, -0.5};

/// Modes 1 and 2 of the model itself, or, with `bend`, of one that no parameters of the model can follow.
Study study_of(double bend, std::vector<Method> methods) {
  Study study;
  const PowerLaw model;
  for (std::size_t m = 0; m < 2; ++m) {
    Computed c = model.compute(truth, m, false);
    for (std::size_t i = 0; i < n_amplitudes; ++i) {
      const double share = static_cast<double>(i) / n_amplitudes;
      c.frequency_hz[i] *= 1 - 0.01 * bend * share * share;
      c.damping_ratio[i] *= 1 + 2 * bend * share * (1 - share);
    }
    study.measured.push_back(checked(measured_of(c, m == 0 ? 1 : 3), "truth"));
  }
  study.fit = {0};
  for (Method method : methods) {
    Entry entry;
    entry.name = method == Method::nsga2 ? "by NSGA-II" : "by boundary intersection";
    entry.method = method;
    entry.spans = {{"slip", -3, -0.5, true}, {"exponent", 0.1, 1.5, false}, {"loss", -2, 1, true}};
    entry.start = {-2, 0.8, 0};
    entry.forward = std::make_shared<PowerLaw>();
    study.entries.push_back(entry);
  }
  study.budget.members = 40;
  study.budget.generations = 60;
  study.budget.last_generations = 20;
  return study;
}

StudyResult run(const Study& study, int threads, const Storage& storage = {}) {
  Crew crew(study_work(study), threads, nullptr);
  return run_study(study, crew, storage);
}

constexpr std::initializer_list<Method> both{Method::boundary_intersection, Method::nsga2};

TEST(Study, FindsATruthThatLiesInTheModel) {
  const StudyResult result = run(study_of(0, both), 2);
  // Somewhere on the front of boundary intersection both errors vanish, and the other mode follows. Least squares
  // stops at a relative change of 1e-10.
  double exact = 1, other_mode = 1;
  for (const FrontMember& member : result.entries[0].front) {
    exact = std::min(exact, std::max(member.errors[0], member.errors[1]));
    other_mode = std::min(other_mode, std::max(member.mode_errors[1][0], member.mode_errors[1][1]));
  }
  EXPECT_LT(exact, 1e-9);
  EXPECT_LT(other_mode, 1e-8);
  // NSGA-II has no derivatives: it halves its errors every few generations.
  EXPECT_LT(result.entries[1].front.front().errors[0], 1e-3);
  EXPECT_LT(result.entries[1].front.back().errors[1], 1e-2);
}

/// A model that fails wherever least squares asks for slopes.
struct WithoutSlopes : PowerLaw {
  [[nodiscard]] Computed compute(std::span<const double> x, std::size_t measured, bool slopes) const override {
    if (slopes) throw NotConverged("no slopes here");
    return PowerLaw::compute(x, measured, false);
  }
};

TEST(Study, WhatTheScoutsHaveSeenCountsWhereEveryLeastSquaresFails) {
  Study study = study_of(1, {Method::boundary_intersection});
  study.entries[0].forward = std::make_shared<WithoutSlopes>();
  const StudyResult result = run(study, 2);
  EXPECT_FALSE(result.entries[0].failures.empty());
  EXPECT_GT(result.entries[0].front.size(), 1U);
}

TEST(Study, BothSearchesFindTheSameFront) {
  const Study study = study_of(1, both);
  const StudyResult result = run(study, 2);
  const auto& exact = result.entries[0].front;
  const auto& genetic = result.entries[1].front;
  ASSERT_GT(exact.size(), 10U);
  ASSERT_GT(genetic.size(), 20U);
  // NSGA-II never gets below the front that gradients found, but for the gaps between its rays.
  std::vector<Point> errors;
  for (const FrontMember& member : exact) errors.push_back(member.errors);
  for (const FrontMember& member : genetic) {
    int dominating = 0;
    for (const Point& point : errors)
      dominating += dominates({member.errors[0] * 1.001, member.errors[1] * 1.001}, point);
    EXPECT_EQ(dominating, 0);
  }
  // Areas of the fitted mode agree: 40 members on a front that takes up some hundredth of the box.
  EXPECT_NEAR(result.entries[0].area_fraction[0], result.entries[1].area_fraction[0], 1e-3);
}

/// All numbers of a result, for comparisons bit by bit.
std::vector<double> numbers(const StudyResult& result) {
  std::vector<double> all;
  const auto add = [&](const auto& values) { all.insert(all.end(), values.begin(), values.end()); };
  for (const EntryResult& entry : result.entries) {
    for (const FrontMember& member : entry.front) {
      add(member.point);
      for (const Point& p : member.mode_errors) add(p);
      for (const Computed& c : member.backbones) add(c.frequency_hz), add(c.damping_ratio);
    }
    add(entry.area_fraction);
  }
  for (const ErrorBox& box : result.boxes) add(box.lower);
  return all;
}

TEST(Study, GivesTheSameBitsForAnyNumberOfThreads) {
  const Study study = study_of(1, both);
  const auto one = numbers(run(study, 1));
  EXPECT_EQ(one, numbers(run(study, 2)));
  EXPECT_EQ(one, numbers(run(study, 5)));
}

/// Storage in memory that breaks down after some saves.
struct Shelf {
  std::mutex mutex;
  std::map<std::string, std::string> kept;
  int saves_left = 1000000;

  Storage storage() {
    return {.load = [this](const std::string& name) -> std::optional<std::string> {
              const std::lock_guard lock(mutex);
              const auto at = kept.find(name);
              return at == kept.end() ? std::nullopt : std::optional(at->second);
            },
            .save =
                [this](const std::string& name, std::string_view bytes) {
                  const std::lock_guard lock(mutex);
                  if (--saves_left < 0) throw std::runtime_error("the machine is gone");
                  kept[name] = bytes;
                }};
  }
};

TEST(Study, ResumesToTheSameBitsFromAnyCheckpoint) {
  const Study study = study_of(1, both);
  const auto undisturbed = numbers(run(study, 2));
  for (int limit : {1, 7, 40, 80}) {
    Shelf shelf;
    shelf.saves_left = limit;
    EXPECT_ANY_THROW(run(study, 2, shelf.storage())) << limit;
    shelf.saves_left = 1000000;
    EXPECT_EQ(undisturbed, numbers(run(study, 2, shelf.storage()))) << limit;
    Study other = study;
    other.budget.seed = 2;
    EXPECT_THROW(run(other, 2, shelf.storage()), InvalidInput);
  }
}

TEST(Study, RecordsMembersThatFailAndGoesOn) {
  Study study = study_of(1, {Method::nsga2});
  auto model = std::make_shared<PowerLaw>();
  model->trouble = [](std::span<const double> x) {
    if (x[1] > 1.2) throw NotConverged("no prestress");
  };
  study.entries[0].forward = model;
  const StudyResult result = run(study, 2);
  ASSERT_EQ(result.entries[0].failures.size(), 1U);
  EXPECT_EQ(result.entries[0].failures[0].substr(0, 14), "no prestress (");
  EXPECT_FALSE(result.entries[0].front.empty());
  for (const FrontMember& member : result.entries[0].front) EXPECT_LE(member.point[1], 1.2);
}

TEST(Study, NoSearchLeavesTheModelsDomain) {
  Study study = study_of(1, both);
  auto model = std::make_shared<PowerLaw>();
  model->trouble = [](std::span<const double> x) {
    if (x[0] >= x[2]) throw InvalidInput("slip must stay below loss");
  };
  for (Entry& entry : study.entries) {
    entry.forward = model;
    entry.below = {.parameter = 0, .other = 2};
  }
  EXPECT_THROW(check([&] {
                 Study other = study;
                 other.entries[0].spans[2].lower = -3;  // there would be nothing below it
                 return other;
               }()),
               InvalidInput);
  for (const EntryResult& entry : run(study, 2).entries) {
    EXPECT_TRUE(entry.failures.empty()) << entry.name << ": " << entry.failures.front();
    for (const FrontMember& member : entry.front) EXPECT_LT(member.point[0], member.point[2]);
  }
}

TEST(Study, SeedsOneEntryFromAnother) {
  Study study = study_of(0, both);
  study.entries[1].seeded_from = 0;
  study.budget.generations = 1;
  const StudyResult result = run(study, 2);
  EXPECT_LT(result.entries[1].front.front().errors[0], 1e-9);  // it began with the exact answer and kept it
}

TEST(Study, ACheckpointWithOtherSeedsBelongsToAnotherStudy) {
  Study study = study_of(0, {Method::nsga2, Method::nsga2});
  study.entries[1].seeded_from = 0;
  study.budget.generations = 1;
  Shelf shelf;
  (void)run(study, 1, shelf.storage());
  study.entries[1].seeded_from.reset();
  const std::string message = test::message_of<InvalidInput>([&] { (void)run(study, 1, shelf.storage()); });
  EXPECT_NE(message.find("belongs to another study"), std::string::npos) << message;
}

TEST(Study, RanksByThePredictedModes) {
  Study study = study_of(0, both);
  study.entries[0].spans[2] = {"loss", 0.9, 1, true};  // cannot fit the damping
  study.entries[0].start[2] = 0.95;
  const StudyResult result = run(study, 2);
  EXPECT_EQ(result.ranking, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(result.entries[0].predicted_area, result.entries[0].area_fraction[1]);
  EXPECT_GT(result.entries[0].predicted_area, result.entries[1].predicted_area);
}

TEST(Study, TellsHowFarItIs) {
  const Study study = study_of(1, both);
  Crew crew(study_work(study), 2, nullptr);
  std::vector<int> done(2), total(2);
  (void)run_study(study, crew, {}, [&](const EntryProgress& p) {
    EXPECT_GE(p.done, done[p.entry]);
    done[p.entry] = p.done;
    total[p.entry] = p.total;
    EXPECT_EQ(p.finished ? p.done : p.total, p.total);
  });
  EXPECT_EQ(done, total);
  EXPECT_EQ(total[1], 62);  // first members, 60 generations, prediction
}

TEST(Study, RefusesWhatCannotBeRun) {
  const auto refused = [](auto spoil) {
    Study study = study_of(1, both);
    spoil(study);
    EXPECT_THROW(check(study), InvalidInput);
  };
  EXPECT_NO_THROW(check(study_of(1, both)));
  refused([](Study& s) { std::swap(s.entries[0].spans[1].lower, s.entries[0].spans[1].upper); });
  refused([](Study& s) { s.entries[0].spans[1].upper = std::nan(""); });
  refused([](Study& s) { s.entries[0].start[0] = 0; });
  refused([](Study& s) { s.entries[0].start.pop_back(); });
  refused([](Study& s) { s.entries[0].forward = nullptr; });
  refused([](Study& s) { s.entries[0].seeded_from = 0; });
  refused([](Study& s) { s.fit = {}; });
  refused([](Study& s) { s.fit = {5}; });
  refused([](Study& s) { s.entries.clear(); });
  refused([](Study& s) { s.budget.members = 10; });
  refused([](Study& s) { s.budget.generations = 0; });
  refused([](Study& s) { s.budget.angles = -1; });
}

TEST(Study, PicksThreeMembersOfAFront) {
  EntryResult entry;
  for (double t : {0.0, 0.1, 0.2, 0.3, 1.0}) entry.front.push_back({.errors = {std::pow(10, t), std::pow(10, -t)}});
  EXPECT_EQ(entry.three(), (std::array<std::size_t, 3>{0, 4, 4}));
  entry.front.insert(entry.front.begin() + 4, {.errors = {std::pow(10, 0.55), std::pow(10, -0.55)}});
  EXPECT_EQ(entry.three(), (std::array<std::size_t, 3>{0, 4, 5}));
}

}  // namespace
}  // namespace microslip::study
