#include <memory>

#include <microslip/core/check.hpp>
#include <microslip/verbs/backbone.hpp>

#include "commands.hpp"
#include "progress.hpp"

namespace microslip::app {

void add_backbone(Commands& commands) {
  struct Typed {
    verbs::BackboneOptions options;
    std::string file, amplitudes, framework, dissipation;
  };
  const auto typed = std::make_shared<Typed>();
  CLI::App* verb = commands.add("backbone", "frequency and damping of a bolted structure against amplitude", [typed] {
    verbs::BackboneOptions options = typed->options;
    options.file = typed->file;
    options.amplitudes = verbs::logarithmic_range(typed->amplitudes, "--amplitudes");
    if (!typed->framework.empty()) options.framework = framework_from(typed->framework);
    if (!typed->dissipation.empty()) options.dissipation = dissipation_from(typed->dissipation);
    return verbs::backbone(options, terminal_progress());
  });
  verb->add_option("system", typed->file, "TOML file: reduced model or matrices, prestress, joint, damping")
      ->required()
      ->type_name("SYSTEM.toml");
  verb->add_option("--mode", typed->options.mode, "elastic mode at prestress, from 1")->capture_default_str();
  verb->add_option("--amplitudes", typed->amplitudes, "modal amplitudes [sqrt(kg) m], in equal ratios")
      ->required()
      ->type_name("LO:HI:COUNT");
  verb->add_option("--framework", typed->framework,
                   "masing or reversal; masing where law and contact obey it when absent");
  verb->add_option("--combination", typed->options.combination, "law and method of Porter et al., by name or key")
      ->type_name("NAME");
  verb->add_option("--loops", typed->options.max_loops, "of reversal: most loops that are traced until they close");
  verb->add_option("--dissipation", typed->dissipation,
                   "local, from the laws at every point, or modal, by Gauss-Lobatto quadrature of the modal loop");
  verb->add_option("--quadrature-points", typed->options.quadrature_points, "of modal dissipation");
  verb->add_flag("--sensitivities", typed->options.sensitivities, "derivatives by the joint's parameters, in --json");
}

}  // namespace microslip::app
