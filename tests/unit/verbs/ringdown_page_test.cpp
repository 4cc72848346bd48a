#include <cmath>

#include <gtest/gtest.h>

#include <microslip/verbs/ringdown.hpp>
#include <microslip/verbs/ringdown_page.hpp>

#include "support/scratch.hpp"

namespace microslip::verbs {
namespace {

std::string decay_csv(double other = 0.3, double offset = 0) {
  std::string text = "time [s],acc [m/s^2]\n";
  for (int i = 0; i < 4000; ++i) {
    const double t = i / 2000.0;
    text += fmt::format("{},{}\n", t,
                        std::exp(-2 * t) * std::cos(200 * M_PI * t) + other * std::cos(120 * M_PI * t) + offset);
  }
  return text;
}

TEST(RingdownPage, DrawsTheSignalThroughTheFilterThatWasAskedFor) {
  const test::Scratch scratch;
  RingdownVerb options;
  options.files = {scratch.file("d.csv", decay_csv())};
  options.measuring.modes = mode_requests({100}, {80, 125});
  for (const int order : {2, 4}) {
    options.measuring.filter_order = order;
    const RingdownAll all = run_ringdown(options);
    const Record& record = all.measurements[0].record;
    const auto expected = signal::Butterworth({80, 125}, 2000, order).zero_phase(record.channels[0].samples);
    const report::Page page = ringdown_page(options, all);
    const report::Trace& drawn = page.sections.at(0).figures.at(0).traces.at(1);
    ASSERT_EQ(drawn.name, "in the band");
    EXPECT_EQ(drawn.y, expected) << "order " << order;
  }
}

TEST(RingdownPage, ZeroesEarlyTimesOfADecayBesideItsOffset) {
  const test::Scratch scratch;
  RingdownVerb options;
  options.measuring.modes = mode_requests({100}, {});
  std::vector<report::Figure> drawn;
  for (const double offset : {0.0, 0.5, 5.0}) {  // the last never crosses zero
    options.files = {scratch.file("d.csv", decay_csv(0, offset))};
    const report::Page page = ringdown_page(options, run_ringdown(options));
    for (const report::Section& section : page.sections)
      for (const report::Figure& figure : section.figures)
        if (figure.id.starts_with("zefft")) drawn.push_back(figure);
  }
  ASSERT_EQ(drawn.size(), 3U);
  ASSERT_EQ(drawn[0].traces.size(), 5U);
  for (const report::Figure& figure : drawn) {
    ASSERT_EQ(figure.traces.size(), 5U);
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(figure.traces[k].name, drawn[0].traces[k].name);
      for (std::size_t i = 0; i < figure.traces[k].y.size(); ++i)
        EXPECT_NEAR(figure.traces[k].y[i], drawn[0].traces[k].y[i], 1e-12);  // of 0.25: offset and rounding of 5
    }
  }
}

}  // namespace
}  // namespace microslip::verbs
