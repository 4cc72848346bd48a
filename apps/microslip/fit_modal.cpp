#include <charconv>
#include <limits>
#include <memory>
#include <system_error>

#include <fmt/core.h>

#include <microslip/core/check.hpp>
#include <microslip/verbs/fit_modal.hpp>

#include "commands.hpp"
#include "progress.hpp"

namespace microslip::app {

namespace {

/// All 64 bits: CLI11 would cut a number too large for it without a word.
std::uint64_t seed_from(const std::string& text) {
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, seed);
  if (error != std::errc() || read != end)
    throw InvalidInput(fmt::format("--seed must be a whole number from 0 to {}, got {}",
                                   std::numeric_limits<std::uint64_t>::max(), text));
  return seed;
}

}  // namespace

void add_fit_modal(Commands& commands, CLI::App* fit) {
  struct Typed {
    ModalFitOptions options;
    std::vector<std::string> files;
    std::string objective = "default", forms = "exact";
    std::string seed = fmt::format("{}", ModalFitOptions().seed);
    bool no_viscous = false, no_macro_slip = false;
  };
  const auto typed = std::make_shared<Typed>();
  CLI::App* verb = commands.add(
      "modal", "an Iwan joint with spring and damper for each mode, from measured ring-downs",
      [typed] {
        verbs::FitModalOptions options;
        options.fit = typed->options;
        options.fit.seed = seed_from(typed->seed);
        options.fit.objective = verbs::modal_objective_from(typed->objective);
        options.fit.forms = verbs::modal_forms_from(typed->forms);
        options.fit.viscous = !typed->no_viscous;
        options.fit.macro_slip = !typed->no_macro_slip;
        options.measurements = verbs::read_modal_measurements({typed->files.begin(), typed->files.end()});
        return verbs::fit_modal(options, terminal_progress());
      },
      fit);
  ModalFitOptions& options = typed->options;
  verb->add_option("files", typed->files, "results of `ringdown --json`; records of one mode are fitted together")
      ->required()
      ->type_name("FILE");
  verb->add_option("--objective", typed->objective, "default, or paper for eqs. 35-37 of Deaner et al.")
      ->capture_default_str();
  verb->add_option("--forms", typed->forms, "exact, or paper for eqs. 9-16 of Deaner et al.")->capture_default_str();
  verb->add_flag("--no-viscous", typed->no_viscous, "no damper beside the joint");
  verb->add_flag("--no-macro-slip", typed->no_macro_slip, "take all points as micro-slip");
  verb->add_flag("--use-flagged", options.use_flagged, "fit the points that ringdown flags, too");
  verb->add_option("--replicas", options.replicas, "simulated decays per record, for bias and intervals; 0 for none")
      ->capture_default_str();
  verb->add_option("--seed", typed->seed, "of their noise")->capture_default_str();
  verb->add_option("--frequency-tolerance", options.frequency_tolerance,
                   "relative; where noise does not explain the misfit, it is shared out by these")
      ->capture_default_str();
  verb->add_option("--damping-tolerance", options.damping_tolerance, "relative")->capture_default_str();
}

}  // namespace microslip::app
