#pragma once

#include <microslip/verbs/beam.hpp>

namespace microslip::verbs {

struct BeamLiveOptions {
  beam::Model model;
  double force = 0;  ///< amplitude, reached from zero in `steps` equal steps
  int steps = 40;
};

/// The beam under one force, and how slip came there: what a slider can follow. Exact solutions only; the checks by
/// marching, the super-harmonics and the identification are the verb `beam`.
struct BeamLive {
  BeamLiveOptions input;
  beam::Pressure pressure;
  beam::Onset onset{};
  beam::SlipBackbone backbone{};  ///< ends at the force, or where the beam begins to slide
  std::vector<beam::Traction> interface {};
  BeamLoop loop{};
};

BeamLive run_beam_live(const BeamLiveOptions& options);
Output beam_live(const BeamLiveOptions& options);

}  // namespace microslip::verbs
