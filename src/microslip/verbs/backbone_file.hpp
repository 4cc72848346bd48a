#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <microslip/modal/combinations.hpp>
#include <microslip/modal/rqnma.hpp>
#include <microslip/verbs/structure_file.hpp>

namespace microslip::verbs {

/// What a system file for `backbone` says: a structure, what holds it together, how it is preloaded and damped.
struct BackboneFile {
  StructureFile structure;  ///< always with an interface
  Joint joint;
  RqnmaOptions options;                      ///< prestress, damping, and what a combination sets
  const Combination* combination = nullptr;  ///< of Porter et al., where one is named
  std::vector<std::string> notes;            ///< what the reader should know of how it was understood
  Inputs inputs;                             ///< the file, and those it names
};

/// Reads the file. A combination of Porter et al. (`name`, or the file's own `combination`) sets law, contact,
/// framework, prestress and loops, and every parameter that [joint] does not give is in the middle of its range.
BackboneFile read_backbone_file(const std::filesystem::path& path, const std::string& combination = "");

/// "LO:HI:COUNT" as COUNT values from LO to HI, in equal ratios. `what` begins the message.
std::vector<double> logarithmic_range(const std::string& text, const std::string& what);

}  // namespace microslip::verbs
