#include <atomic>
#include <csignal>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include <microslip/verbs/reduce.hpp>

#include "commands.hpp"

namespace microslip::app {

namespace {

std::atomic<bool> stop_asked{false};

/// A line that is rewritten on a terminal, plain lines elsewhere.
void show(double fraction, std::string_view what) {
  const bool terminal = isatty(fileno(stderr)) != 0;
  std::fputs(fmt::format("{}{:3.0f} % {:<40}{}", terminal ? "\r" : "", 100 * fraction, what,
                         terminal && fraction < 1 ? "" : "\n")
                 .c_str(),
             stderr);
}

}  // namespace

void add_reduce(Commands& commands) {
  struct Typed {
    std::string model, output;
    bool json = false;
  };
  const auto typed = std::make_shared<Typed>();
  CLI::App* verb = commands.add_plain("reduce", "a small model of a bolted structure from its FE matrices", [typed] {
    verbs::ReduceOptions options{.model = typed->model, .output = typed->output, .progress = {}};
    options.progress.report = show;
    options.progress.stop = &stop_asked;
    std::signal(SIGINT, [](int) { stop_asked = true; });
    const verbs::Output output = verbs::reduce(options);
    std::fputs((typed->json ? output.json() : output.text()).c_str(), stdout);
    if (typed->json) std::fputc('\n', stdout);
    return 0;
  });
  verb->add_option("model", typed->model, "TOML file: matrices, mesh, interface, bolts, reduction")->required();
  verb->add_option("-o,--output", typed->output, "the reduced model to write, HDF5")->type_name("FILE.h5");
  verb->add_flag("--json", typed->json, "print one JSON value and nothing else");
}

}  // namespace microslip::app
