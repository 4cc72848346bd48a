#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <microslip/core/coordinate_matrix.hpp>

namespace microslip::io {

/// Every matrix of a file: MatrixMarket by its header under any name; else by the extension, in any case, Abaqus
/// (.mtx), CalculiX (.sti, .mas, with the list of coordinates), Nastran OP4 (.op4) or DMIG (.pch), HDF5 (.h5, .hdf5),
/// MAT (.mat).
std::vector<CoordinateMatrix> read_matrices(const std::filesystem::path& path,
                                            const std::vector<NodeDirection>& coordinates = {});

/// The one of that name; with no name, the only one there is. Refused with the names there are otherwise.
CoordinateMatrix read_matrix(const std::filesystem::path& path, const std::string& name = "",
                             const std::vector<NodeDirection>& coordinates = {});

}  // namespace microslip::io
