#include <memory>

#include <microslip/verbs/zefft.hpp>

#include "commands.hpp"

namespace microslip::app {

void add_zefft(Commands& commands) {
  struct Typed {
    verbs::ZefftVerb options;
    std::string file;
  };
  const auto typed = std::make_shared<Typed>();
  CLI::App* verb = commands.add("zefft", "spectra of a signal with its early time set to zero", [typed] {
    verbs::ZefftVerb options = typed->options;
    options.file = typed->file;
    return verbs::zefft(options);
  });
  verb->add_option("file", typed->file, "a record: CSV, MAT, UFF, HDF5, LVM, WAV or JSON")->required();
  verb->add_option("--times", typed->options.times, "zero up to the first zero crossing at or after each [s]")
      ->required()
      ->expected(1, -1)
      ->delimiter(',');
  verb->add_option("--channel", typed->options.channel, "by name; the first that is not a force when absent");
  verb->add_option("--sampling-rate,--rate", typed->options.reading.sampling_rate_hz,
                   "[Hz], where the file has no time");
  verb->add_option("--unit", typed->options.reading.unit, "of channels for which the file has none");
  verb->add_option("--time", typed->options.reading.time, "name of the time column or variable");
}

}  // namespace microslip::app
