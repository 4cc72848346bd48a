#include <cstdio>
#include <memory>

#include <microslip/verbs/reduce.hpp>

#include "commands.hpp"
#include "progress.hpp"

namespace microslip::app {

void add_reduce(Commands& commands) {
  struct Typed {
    std::string model, output;
    bool json = false;
  };
  const auto typed = std::make_shared<Typed>();
  CLI::App* verb = commands.add_plain("reduce", "a small model of a bolted structure from its FE matrices", [typed] {
    const verbs::ReduceOptions options{.model = typed->model, .output = typed->output, .progress = terminal_progress()};
    const verbs::Output output = verbs::reduce(options);
    end_progress();
    print_data(typed->json ? output.json() : output.text());
    return 0;
  });
  verb->add_option("model", typed->model, "TOML file: matrices, mesh, interface, bolts, reduction")->required();
  verb->add_option("-o,--output", typed->output, "the reduced model to write, HDF5")->type_name("FILE.h5");
  verb->add_flag("--json", typed->json, "print one JSON value and nothing else");
}

}  // namespace microslip::app
