#pragma once

#include <string>
#include <string_view>

#include <microslip/core/mesh.hpp>

namespace microslip::io {

/// Nodes, elements, node sets and surfaces of an Abaqus or CalculiX input file; other keywords are passed over. Names
/// are in capitals. *INCLUDE is refused, not overlooked.
Mesh parse_inp(std::string_view text, const std::string& name);

}  // namespace microslip::io
