#include <microslip/io/file.hpp>
#include <microslip/io/mesh_file.hpp>
#include <microslip/io/mesh_inp.hpp>
#include <microslip/io/mesh_msh.hpp>

namespace microslip::io {

Mesh read_mesh(const std::filesystem::path& path) {
  const std::string text = read_file(path), name = path.string();
  const bool gmsh = text.starts_with("$MeshFormat") || extension_of(path) == ".msh";
  return gmsh ? parse_msh(text, name) : parse_inp(text, name);
}

}  // namespace microslip::io
