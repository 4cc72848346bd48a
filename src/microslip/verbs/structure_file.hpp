#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <microslip/io/toml.hpp>
#include <microslip/structure/interface.hpp>
#include <microslip/structure/reduced_model.hpp>
#include <microslip/structure/system.hpp>

namespace microslip::verbs {

/// Files that a TOML file names, in order: what a result repeats as its inputs.
using Inputs = std::vector<std::filesystem::path>;

/// A matrix written in the file as rows, or in a file of its own: any that holds matrices, or a table of numbers
/// (.txt, .csv) without a header.
Eigen::MatrixXd read_matrix(const io::TomlTable& table, const std::string& key, Inputs& inputs);
/// A column of numbers, likewise.
Eigen::VectorXd read_vector(const io::TomlTable& table, const std::string& key, Inputs& inputs);

/// The structure in a system file: `file` names a reduced model, or [system] and [interface] hold matrices. With
/// `file`, [interface] may still choose the contact. The system's prestress is that of 1 N in every bolt.
struct StructureFile {
  System system;
  std::optional<Interface> interface;
  std::vector<ShapeLine> lines;  ///< for pictures; may be empty
  std::string kind;              ///< whole_joint, full_joint, or empty where the file does not say
};
StructureFile read_structure_file(const io::TomlTable& file, Inputs& inputs);

}  // namespace microslip::verbs
