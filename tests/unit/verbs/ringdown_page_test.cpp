#include <cmath>

#include <gtest/gtest.h>

#include <microslip/verbs/ringdown.hpp>
#include <microslip/verbs/ringdown_page.hpp>

#include "support/scratch.hpp"

namespace microslip::verbs {
namespace {

std::string decay_csv() {
  std::string text = "time [s],acc [m/s^2]\n";
  for (int i = 0; i < 4000; ++i) {
    const double t = i / 2000.0;
    text += fmt::format("{},{}\n", t, std::exp(-2 * t) * std::cos(200 * M_PI * t) + 0.3 * std::cos(120 * M_PI * t));
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

}  // namespace
}  // namespace microslip::verbs
