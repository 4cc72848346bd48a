#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <microslip/dynamics/jointed_structure.hpp>
#include <microslip/dynamics/simulation.hpp>
#include <microslip/io/toml.hpp>
#include <microslip/verbs/at_place.hpp>
#include <microslip/verbs/modal_model_file.hpp>

namespace microslip::verbs {

/// What a system file for `simulate` says.
struct SimulateFile {
  ModalModel model;
  Excitation excitation;
  std::vector<ModeStart> starts;
  std::optional<JointedStructure> structure;  ///< matrices with joints, in place of modes
  StructureStart structure_start;
  std::optional<double> retain_below_hz;  ///< of a structure: faster modes need not be resolved
  double end = 0;
  StepChoice step;
  OutputPlan output;
  NewmarkOptions newmark;
  Properties properties = Properties::exact;
  std::optional<std::uint64_t> seed;          ///< of a noise load
  std::vector<std::filesystem::path> inputs;  ///< the file, and those it names
  std::string load_kind = "none";
};

SimulateFile read_simulate_file(const std::filesystem::path& path);

/// The parts that other systems share.
Excitation read_load(const io::TomlTable& file, SimulateFile& into);
void read_structure(const io::TomlTable& file, SimulateFile& into);
/// 2 pi / omega at vanishing amplitude of the fastest mode that is to be resolved.
double shortest_period(const SimulateFile& file);

Properties simulation_properties_from(const std::string& name);
Method simulation_method_from(const std::string& name);

}  // namespace microslip::verbs
