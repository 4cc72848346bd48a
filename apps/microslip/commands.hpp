#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <microslip/verbs/output.hpp>

namespace microslip::app {

/// What the user wants to be done with a result.
struct Delivery {
  bool json = false;
  bool csv = false;
  std::string report;  ///< an HTML file
  std::string svg;     ///< a folder
  std::string output;  ///< in place of standard output
};

/// Whether a verb draws figures: one that draws none takes no --report and no --svg.
enum class Draws { figures, nothing };

/// The verbs of the command line. Each adds its options and says what to call; nothing here knows physics.
class Commands {
 public:
  explicit Commands(CLI::App& app) : app_(app) {}

  /// A verb with the options that all share (--json, --csv, --report, --svg, -o). `parent` for two-word verbs.
  CLI::App* add(const std::string& name, const std::string& text, std::function<verbs::Output()> action,
                CLI::App* parent = nullptr, Draws draws = Draws::figures);
  /// A verb that talks to the user itself and has no result to deliver; returns the exit status.
  CLI::App* add_plain(const std::string& name, const std::string& text, std::function<int()> action);

  /// Says that results of a verb that was added have an archive; `-o FILE.h5` is refused for others.
  void write_hdf5(const std::string& name);

  /// The first word of two-word verbs.
  CLI::App* group(const std::string& name, const std::string& text);

  /// Runs the verb that was chosen; the command line as typed goes into reports.
  int run(const std::string& command_line);

 private:
  struct Verb {
    CLI::App* app;
    std::function<verbs::Output()> action;
    std::function<int()> plain;
    Delivery delivery;
    bool writes_hdf5 = false;
  };
  CLI::App& app_;
  std::vector<std::unique_ptr<Verb>> verbs_;
};

/// Data to standard output, all of it or a complaint: a full disk must not look like success.
void print_data(const std::string& text);

// One per verb, each in a file of its own.
void add_models(Commands& commands);
void add_info(Commands& commands);
void add_loop(Commands& commands);
void add_reduce(Commands& commands);
void add_ringdown(Commands& commands);
void add_zefft(Commands& commands);
CLI::App* add_fit(Commands& commands);
void add_fit_dissipation(Commands& commands, CLI::App* fit);
void add_backbone(Commands& commands);
void add_fit_modal(Commands& commands, CLI::App* fit);
void add_beam(Commands& commands);
void add_curves(Commands& commands);
void add_serve(Commands& commands);
void add_simulate(Commands& commands);
void add_study(Commands& commands);
void add_respond(Commands& commands);
void add_predict(Commands& commands);

}  // namespace microslip::app
