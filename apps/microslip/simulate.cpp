#include <memory>

#include <microslip/verbs/simulate.hpp>

#include "commands.hpp"
#include "progress.hpp"

namespace microslip::app {

void add_simulate(Commands& commands) {
  struct Typed {
    verbs::SimulateOptions options;
    std::string file, method = "newmark", properties;
  };
  const auto typed = std::make_shared<Typed>();
  CLI::App* verb = commands.add("simulate", "the response in time of modes or structures with joints", [typed] {
    verbs::SimulateOptions options = typed->options;
    options.file = typed->file;
    options.method = verbs::simulation_method_from(typed->method);
    if (!typed->properties.empty()) options.properties = verbs::simulation_properties_from(typed->properties);
    return verbs::simulate(options, terminal_progress());
  });
  verb->add_option("system", typed->file, "TOML file: modes or matrices, load, time")
      ->required()
      ->type_name("SYSTEM.toml");
  verb->add_option("--method", typed->method, "newmark, averaging or hybrid")->capture_default_str();
  verb->add_option("--properties", typed->properties, "of averaging: exact, or the paper's closed forms (paper)");
  verb->add_option("--steps-per-period", typed->options.steps_per_period, "in place of the file's");
  verb->add_option("--accuracy", typed->options.accuracy, "steps by their error, in place of the file's choice");
  verb->add_option("--end", typed->options.end, "end time [s], in place of the file's");
  verb->add_option("--every", typed->options.every, "keep every so many steps, in place of the file's");
}

}  // namespace microslip::app
