#include <memory>

#include <microslip/verbs/loop.hpp>

#include "commands.hpp"

namespace microslip::app {

void add_loop(Commands& commands) {
  struct Typed {
    verbs::LoopOptions options;
    std::vector<std::string> parameters;
    std::string history, framework;
  };
  const auto typed = std::make_shared<Typed>();
  CLI::App* verb =
      commands.add("loop", "a joint's hysteresis loop, or its force along a displacement history", [typed] {
        verbs::LoopOptions options = typed->options;
        options.parameters = verbs::parse_parameters(options.model, typed->parameters);
        if (!typed->history.empty()) options.history = typed->history;
        if (!typed->framework.empty()) options.framework = framework_from(typed->framework);
        return verbs::loop(options);
      });
  verb->add_option("model", typed->options.model, "name of the law; 'microslip models' lists them")->required();
  verb->add_option("parameters", typed->parameters, "name=value, e.g. slip_force=504 stiffness=7.1e5");
  verb->add_option("--amplitude", typed->options.amplitude, "steady loop of this displacement amplitude [m]");
  verb->add_option("--history", typed->history, "CSV file with a column 'displacement' [m]")->type_name("FILE");
  verb->add_option("--normal-stiffness", typed->options.normal_stiffness,
                   "for a history with a column 'normal_displacement' [N/m]");
  verb->add_option("--framework", typed->framework, "of a loop: masing or reversal; the default is what the law obeys");
  verb->add_option("--points", typed->options.points, "points on each branch of a loop, 200 when absent");
}

}  // namespace microslip::app
