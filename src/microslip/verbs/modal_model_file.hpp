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

/// The same, with what the numbers of each mode are measured in; nothing where the file does not say it.
struct ModelWithUnits {
  ModalModel model;
  std::vector<std::optional<CoordinateUnits>> units;
};
ModelWithUnits read_model_with_units(const std::filesystem::path& path);

/// The [[mode]] and [[sensor]] rows of a TOML file.
ModalModel read_modes(const io::TomlTable& file);
JointSpec read_joint(const io::TomlTable& table);

}  // namespace microslip::verbs
