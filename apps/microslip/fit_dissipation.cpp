#include <memory>

#include <microslip/verbs/fit_dissipation.hpp>

#include "commands.hpp"

namespace microslip::app {

CLI::App* add_fit(Commands& commands) { return commands.group("fit", "calibrate a joint model"); }

void add_fit_dissipation(Commands& commands, CLI::App* fit) {
  struct Typed {
    verbs::FitDissipationOptions options;
    std::vector<std::string> files;
    std::string method = "best";
    std::vector<double> chi_bounds, beta_bounds;
  };
  const auto typed = std::make_shared<Typed>();
  CLI::App* verb = commands.add(
      "dissipation", "a four-parameter Iwan model from energy lost per cycle at several force amplitudes",
      [typed] {
        verbs::FitDissipationOptions options = typed->options;
        options.method = verbs::dissipation_method_from(typed->method);
        options.files.assign(typed->files.begin(), typed->files.end());
        for (const std::filesystem::path& file : options.files) options.sets.push_back(verbs::read_dissipation(file));
        if (!typed->chi_bounds.empty()) options.chi_bounds = {typed->chi_bounds[0], typed->chi_bounds[1]};
        if (!typed->beta_bounds.empty()) options.beta_bounds = {typed->beta_bounds[0], typed->beta_bounds[1]};
        return verbs::fit_dissipation(options);
      },
      fit);
  verbs::FitDissipationOptions& options = typed->options;
  verb->add_option("files", typed->files, "CSV with the columns force [N] and dissipation [J]; several are repeats")
      ->required()
      ->type_name("FILE");
  verb->add_option("--slip-force", options.fit.slip_force, "force at which the joint slips as a whole [N]")->required();
  verb->add_option("--stiffness", options.fit.stiffness, "tangential stiffness of the joint, where it is known [N/m]");
  verb->add_option("--jointed-stiffness", options.jointed_stiffness, "of the specimen with its joint [N/m]");
  verb->add_option("--monolithic-stiffness", options.monolithic_stiffness, "of the same specimen in one piece [N/m]");
  verb->add_option("--angle", options.angle_deg,
                   "turn forces from the interface to the rig's line of action [degrees]");
  verb->add_option("--method", typed->method, "best, segalman (the paper's appendix) or manual")->capture_default_str();
  verb->add_option("--chi-bounds", typed->chi_bounds, "lower and upper bound of chi")->expected(2);
  verb->add_option("--beta-bounds", typed->beta_bounds, "lower and upper bound of beta")->expected(2);
  verb->add_option("--noise", options.fit.noise, "standard deviation of ln dissipation, where it is known");
  verb->add_option("--chi", options.chi, "manual method: chi");
  verb->add_option("--beta", options.beta, "manual method: beta");
  verb->add_option("--point", options.point, "manual method: the point that sets phi_max, from 1");
}

}  // namespace microslip::app
