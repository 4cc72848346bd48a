#pragma once

#include <filesystem>

#include <microslip/core/progress.hpp>
#include <microslip/structure/reduced_model.hpp>
#include <microslip/verbs/output.hpp>

namespace microslip::verbs {

struct ReduceOptions {
  std::filesystem::path model;   ///< TOML: FE matrices, mesh, interface, bolts, kind of reduction
  std::filesystem::path output;  ///< the reduced model, HDF5
  Progress progress;
};

/// The reduced model that a TOML file describes.
ReducedModel run_reduce(const std::filesystem::path& model, const Progress& progress);
/// The same, written to `output`; the result tells what came out.
Output reduce(const ReduceOptions& options);

/// A reduced model from its file.
ReducedModel read_reduced_model(const std::filesystem::path& path);

}  // namespace microslip::verbs
