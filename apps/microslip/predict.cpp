#include <memory>

#include <microslip/verbs/predict.hpp>

#include "commands.hpp"
#include "progress.hpp"

namespace microslip::app {

void add_predict(Commands& commands) {
  struct Typed {
    verbs::PredictOptions options;
    std::string model, record, shapes;
    std::vector<double> band;
    bool whole_force = false;
  };
  const auto typed = std::make_shared<Typed>();
  CLI::App* verb =
      commands.add("predict", "identified modes under a measured force, beside the measured response", [typed] {
        verbs::PredictOptions options = typed->options;
        options.model = typed->model;
        options.record = typed->record;
        options.shapes = typed->shapes;
        if (!typed->band.empty()) options.comparing.band = signal::Band{typed->band[0], typed->band[1]};
        options.comparing.window_force = !typed->whole_force;
        return verbs::predict(options, terminal_progress());
      });
  verb->add_option("model", typed->model, "result of 'fit modal --json', or TOML with [[mode]] and [[sensor]]")
      ->required();
  verb->add_option("record", typed->record, "a record with a force: MAT, UFF, HDF5, CSV, ...")->required();
  verb->add_option("--shapes", typed->shapes, "mass-normalised shapes at named sensors, where the model has none");
  verb->add_option("--hit", typed->options.comparing.hit, "sensor at the hammer; else the model's load_shape counts");
  verb->add_option("--band", typed->band, "frequencies to compare [Hz]")->expected(2)->type_name("LO HI");
  verb->add_option("--channel", typed->options.comparing.channel, "sensor whose spectra are compared");
  verb->add_option("--force-channel", typed->options.comparing.force_channel, "where there are several");
  verb->add_option("--times", typed->options.comparing.zefft_times, "of the zeroed early-time spectra [s]")
      ->expected(1, -1)
      ->delimiter(',');
  verb->add_flag("--whole-force", typed->whole_force, "take the force channel outside the pulse too");
  verb->add_option("--sampling-rate,--rate", typed->options.reading.sampling_rate_hz,
                   "[Hz], where the file has no time");
  verb->add_option("--unit", typed->options.reading.unit, "of channels for which the file has none");
  verb->add_option("--time", typed->options.reading.time, "name of the time column or variable");
}

}  // namespace microslip::app
