#include <memory>

#include <microslip/verbs/curves.hpp>
#include <microslip/verbs/loop.hpp>

#include "commands.hpp"

namespace microslip::app {

void add_curves(Commands& commands) {
  struct Typed {
    verbs::CurvesOptions options;
    std::vector<std::string> parameters;
  };
  const auto typed = std::make_shared<Typed>();
  CLI::App* verb =
      commands.add("curves", "a joint's force, dissipation and secant stiffness against amplitude", [typed] {
        verbs::CurvesOptions options = typed->options;
        options.parameters = verbs::parse_parameters(options.model, typed->parameters);
        return verbs::curves(options);
      });
  verb->add_option("model", typed->options.model, "name of the law; 'microslip models' lists them")->required();
  verb->add_option("parameters", typed->parameters, "name=value, e.g. slip_force=504 stiffness=7.1e5");
  verb->add_option("--from", typed->options.from, "smallest displacement amplitude [m]")->required();
  verb->add_option("--to", typed->options.to, "largest displacement amplitude [m]")->required();
  verb->add_option("--points", typed->options.points, "amplitudes, spaced logarithmically")->capture_default_str();
  verb->add_option("--amplitude", typed->options.amplitude, "also the loop of this amplitude [m], in --json");
}

}  // namespace microslip::app
