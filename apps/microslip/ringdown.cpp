#include <memory>

#include <microslip/verbs/ringdown.hpp>

#include "commands.hpp"
#include "progress.hpp"

namespace microslip::app {

void add_ringdown(Commands& commands) {
  struct Typed {
    verbs::RingdownVerb options;
    std::vector<std::string> files;
    std::vector<double> modes, bands;
    std::string quantity, shapes, method = "both", combine = "average", properties = "energy";
    bool unfiltered = false;
  };
  const auto typed = std::make_shared<Typed>();
  CLI::App* verb =
      commands.add("ringdown", "frequency, damping and dissipation of modes along a measured decay", [typed] {
        verbs::RingdownVerb options = typed->options;
        options.files.assign(typed->files.begin(), typed->files.end());
        auto& m = options.measuring;
        m.modes = verbs::mode_requests(typed->modes, typed->bands);
        if (!typed->quantity.empty()) m.quantity = options.reading.quantity = quantity_from(typed->quantity);
        if (!typed->shapes.empty()) options.shapes = typed->shapes;
        m.method = verbs::method_from(typed->method);
        m.combination = verbs::combination_from(typed->combine);
        m.properties = verbs::properties_from(typed->properties);
        m.filter = !typed->unfiltered;
        options.progress = terminal_progress();
        return verbs::ringdown(options);
      });
  auto& m = typed->options.measuring;
  verb->add_option("files", typed->files,
                   "records: CSV, MAT, UFF, HDF5, LVM, WAV or JSON; several are levels or repeats")
      ->required();
  verb->add_option("--mode", typed->modes, "frequency near the mode [Hz]; several may be given")->expected(1, -1);
  verb->add_option("--band", typed->bands, "pass band LO HI [Hz], for each mode; chosen from the spectrum when absent")
      ->expected(2, -1)
      ->type_name("LO HI");
  verb->add_option("--quantity", typed->quantity,
                   "acceleration, velocity or displacement, where the file does not say");
  verb->add_option("--channel", m.channels, "use these channels only");
  verb->add_option("--shapes", typed->shapes, "mode shapes at the channels: JSON, or CSV with columns '121.3Hz'")
      ->type_name("FILE");
  verb->add_option("--driving-point", typed->options.driving_point,
                   "estimate mass-normalised shapes from the force channel; this channel is at the hit");
  verb->add_option("--force-channel", typed->options.force_channel,
                   "of the hit at the driving point, where there are several");
  verb->add_option("--combine", typed->combine, "average or modal_filter, with shapes")->capture_default_str();
  verb->add_option("--trim", m.averaging.trimmed_share, "share of sensors left out on each side of the mean")
      ->capture_default_str();
  verb->add_option("--keep-within", m.averaging.kept_within, "sensors kept within this share of the mean")
      ->capture_default_str();
  verb->add_option("--method", typed->method, "both, hilbert or pff")->capture_default_str();
  verb->add_option("--properties", typed->properties, "energy, or paper for the paper's eq. 30")->capture_default_str();
  verb->add_option("--degree", m.degree, "of the polynomials; by cross-validation when absent");
  verb->add_option("--order", m.filter_order, "of the Butterworth prototype")->capture_default_str();
  verb->add_flag("--no-filter", typed->unfiltered, "take the record as one mode alone");
  verb->add_option("--noise-factor", m.noise_factor, "use the decay down to this many times its noise")
      ->capture_default_str();
  verb->add_option("--points", m.n_points, "points along each decay")->capture_default_str();
  verb->add_option("--sampling-rate,--rate", typed->options.reading.sampling_rate_hz,
                   "[Hz], where the file has no time");
  verb->add_option("--unit", typed->options.reading.unit, "of channels for which the file has none");
  verb->add_option("--time", typed->options.reading.time, "name of the time column or variable");
}

}  // namespace microslip::app
