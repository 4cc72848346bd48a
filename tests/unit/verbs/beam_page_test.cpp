#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <support/asadi.hpp>

#include <microslip/verbs/beam.hpp>

namespace microslip::verbs {
namespace {

const report::Figure& figure_of(const report::Page& page, const std::string& id) {
  for (const report::Section& section : page.sections)
    for (const report::Figure& figure : section.figures)
      if (figure.id == id) return figure;
  throw std::out_of_range(id);
}

TEST(BeamPage, WhatIsOpenNeitherSticksNorSlips) {
  BeamCase input;
  input.model = test::asadi();
  input.forces = {10};
  input.mesh = {.support_elements = 20, .overhang_elements = 10};
  BeamResult result = run_beam(input);
  for (auto& regions : result.marched.interface) {  // constant pressure opens nothing: let the first tenth open
    const double from = regions.front().from, cut = from + 0.1 * (regions.back().to - from);
    regions.erase(regions.begin(), std::find_if(regions.begin(), regions.end(),
                                                [&](const beam::Region& region) { return region.to > cut; }));
    regions.front().from = cut;
    regions.insert(regions.begin(), {from, cut, beam::ContactState::open});
  }
  const report::Page page = beam_page(result);
  const report::Trace& map = figure_of(page, "cycle").traces.at(0);
  const std::size_t n = map.x.size();
  std::size_t n_open = 0;
  for (std::size_t j = 0; j < map.y.size(); ++j) {
    const auto& regions = result.marched.interface.at(1 + 4 * j);
    for (std::size_t i = 0; i < n; ++i) {
      const auto here = std::find_if(regions.begin(), regions.end(), [&](const beam::Region& region) {
        return 1e-3 * map.x[i] > region.from && 1e-3 * map.x[i] < region.to;
      });
      ASSERT_NE(here, regions.end());
      const bool open = here->state == beam::ContactState::open;
      n_open += open ? 1 : 0;
      EXPECT_EQ(std::isnan(map.values[j * n + i]), open) << map.x[i] << " mm, row " << j;
    }
  }
  EXPECT_GT(n_open, 0U);
  EXPECT_LT(n_open, map.values.size());
}

}  // namespace
}  // namespace microslip::verbs
