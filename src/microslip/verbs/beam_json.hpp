#pragma once

#include <microslip/verbs/beam.hpp>

namespace microslip::verbs {

// The parts of the beam's JSON, which its verb and its live view share.
io::Json input_json(const beam::Model& model);
io::Json pressure_json(const beam::Model& model, const beam::Pressure& pressure);
io::Json slip_json(const beam::SlipBackbone& backbone, const beam::Onset& onset);
io::Json loop_json(const BeamLoop& loop);

std::string beam_json(const BeamResult& result);

}  // namespace microslip::verbs
