#include <memory>

#include <microslip/verbs/beam.hpp>

#include "commands.hpp"

namespace microslip::app {

void add_beam(Commands& commands) {
  const auto file = std::make_shared<std::string>();
  CLI::App* verb = commands.add("beam", "a beam bolted to a frictional support: frequencies, slip, loops, dissipation",
                                [file] { return verbs::beam(verbs::read_beam(*file)); });
  verb->add_option("file", *file, "BEAM.toml with [beam], [support], [bolt] and [load]")->required()->type_name("FILE");
}

}  // namespace microslip::app
