#include <cstdio>
#include <exception>
#include <string>

#include <fmt/format.h>

#include <microslip/core/check.hpp>
#include <microslip/core/version.hpp>

#include "commands.hpp"
#include "progress.hpp"

namespace {

constexpr int wrong_input = 2, not_converged = 3, internal_error = 1;

int say(int status, const std::string& message) {
  microslip::app::end_progress();
  std::string line = message;
  for (char& c : line)
    if (c == '\n') c = ' ';
  std::fputs(fmt::format("microslip: {}\n", line).c_str(), stderr);
  return status;
}

std::string as_typed(int argc, char** argv) {
  std::string line = "microslip";
  for (int i = 1; i < argc; ++i) line += fmt::format(" {}", argv[i]);
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace microslip;
  CLI::App cli("microslip: how bolted structures really vibrate", "microslip");
  cli.set_version_flag("--version", std::string(version));
  cli.require_subcommand(1);
  app::Commands commands(cli);
  app::add_models(commands);
  app::add_info(commands);
  app::add_loop(commands);
  app::add_reduce(commands);
  app::add_ringdown(commands);
  app::add_zefft(commands);
  CLI::App* fit = app::add_fit(commands);
  app::add_fit_dissipation(commands, fit);
  app::add_backbone(commands);
  app::add_fit_modal(commands, fit);
  app::add_beam(commands);
  app::add_curves(commands);
  app::add_serve(commands);
  app::add_simulate(commands);
  app::add_study(commands);
  app::add_respond(commands);
  app::add_predict(commands);
  try {
    cli.parse(argc, argv);
    return commands.run(as_typed(argc, argv));
  } catch (const CLI::CallForHelp& help) {
    return cli.exit(help);
  } catch (const CLI::CallForVersion& call) {
    return cli.exit(call);
  } catch (const CLI::ParseError& error) {
    return say(wrong_input, fmt::format("{} (microslip --help tells how to call it)", error.what()));
  } catch (const InvalidInput& error) {
    return say(wrong_input, error.what());
  } catch (const NotConverged& error) {
    return say(not_converged, error.what());
  } catch (const std::exception& error) {
    return say(internal_error, fmt::format("internal error: {}", error.what()));
  }
}
