#include <memory>

#include <microslip/verbs/info.hpp>

#include "commands.hpp"

namespace microslip::app {

void add_info(Commands& commands) {
  struct Typed {
    std::string file;
    io::ReadOptions read;
  };
  const auto typed = std::make_shared<Typed>();
  CLI::App* verb = commands.add(
      "info", "what is in a file: channels, units, rate, length, data sets, matrices",
      [typed] { return verbs::info({.file = typed->file, .read = typed->read}); }, nullptr, Draws::nothing);
  verb->add_option("file", typed->file, "any file microslip reads")->required()->type_name("FILE");
  verb->add_option("--sampling-rate,--rate", typed->read.sampling_rate_hz,
                   "sampling rate [Hz], where the file has no time");
  verb->add_option("--time", typed->read.time, "the column or variable that holds time");
  verb->add_option("--unit", typed->read.unit, "unit of the channels for which the file declares none");
}

}  // namespace microslip::app
