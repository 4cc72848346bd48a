#include <memory>

#include <microslip/verbs/respond.hpp>

#include "commands.hpp"

namespace microslip::app {

void add_respond(Commands& commands) {
  struct Typed {
    verbs::RespondOptions options;
    std::string file, frequencies;
  };
  const auto typed = std::make_shared<Typed>();
  CLI::App* verb = commands.add("respond", "the steady response of a mode with its joint to a harmonic force", [typed] {
    verbs::RespondOptions options = typed->options;
    options.file = typed->file;
    if (!typed->frequencies.empty()) options.frequency_hz = verbs::parse_frequencies(typed->frequencies);
    return verbs::respond(options);
  });
  verb->add_option("model", typed->file, "result of 'fit modal --json', or TOML with [[mode]]")->required();
  verb->add_option("--force", typed->options.force, "modal force, zero to peak [N]");
  verb->add_option("--amplitude", typed->options.amplitude, "give the force that holds this modal amplitude instead");
  verb->add_option("--frequencies", typed->frequencies, "about the resonance when absent [Hz]")
      ->type_name("LO:HI:COUNT");
  verb->add_option("--mode", typed->options.mode, "which mode of the model, from 1")->capture_default_str();
}

}  // namespace microslip::app
