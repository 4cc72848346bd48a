#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <microslip/io/toml.hpp>
#include <microslip/structure/modal_model.hpp>
#include <microslip/verbs/coordinate.hpp>

namespace microslip::verbs {

/// A modal model from a file: the result of `fit modal --json`, or TOML with [[mode]] and [[sensor]] as in `simulate`
/// (its other tables are left unread).
ModalModel read_modal_model(const std::filesystem::path& path);

/// The same, with what is known of its measurement: for each mode what its numbers are measured in, and the largest
/// amplitude that was fitted; nothing where the file does not say it.
struct MeasuredModel {
  ModalModel model;
  std::vector<std::optional<CoordinateUnits>> units;
  std::vector<std::optional<double>> largest_amplitude;
};
MeasuredModel read_measured_model(const std::filesystem::path& path);

/// The [[mode]] and [[sensor]] rows of a TOML file.
ModalModel read_modes(const io::TomlTable& file);
JointSpec read_joint(const io::TomlTable& table);

}  // namespace microslip::verbs
