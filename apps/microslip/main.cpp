#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <microslip/core/check.hpp>
#include <microslip/core/printable.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/core/version.hpp>

#include "commands.hpp"
#include "progress.hpp"

namespace {

constexpr int wrong_input = 2, not_converged = 3, internal_error = 1;

int say(int status, const std::string& message) {
  microslip::app::end_progress();
  std::fputs(fmt::format("microslip: {}\n", microslip::printable(message)).c_str(), stderr);
  return status;
}

/// How far the words of a call name verbs: the app that takes those that follow, and the words so far.
struct Reached {
  const CLI::App* app;
  std::string words;  ///< "", "loop", "fit", "fit modal"
  int next = 1;       ///< place of the word that follows
};

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

Reached reached(const CLI::App& cli, int argc, char** argv) {
  Reached at{.app = &cli, .words = {}};
  for (; at.next < argc; ++at.next) {
    const std::vector<std::string> verbs = verbs_of(*at.app);
    if (std::find(verbs.begin(), verbs.end(), argv[at.next]) == verbs.end()) break;
    at.app = at.app->get_subcommand(argv[at.next]);
    at.words += (at.words.empty() ? "" : " ") + at.app->get_name();
  }
  return at;
}

/// The option of a call that only verbs with figures have, where the verb has none.
std::string option_of_figures(const Reached& at, int argc, char** argv) {
  for (const std::string option : {"--report", "--svg"})
    for (int i = at.next; i < argc; ++i)
      if (const std::string word = argv[i]; word == option || word.starts_with(option + "="))
        if (at.app->get_option_no_throw(option) == nullptr) return option;
  return "";
}

/// What is wrong with a call, in the words of this command rather than of its parser, and whose help tells more.
std::string complaint(const CLI::App& cli, const CLI::ParseError& error, int argc, char** argv) {
  const Reached at = reached(cli, argc, argv);
  const std::string spaced = at.words.empty() ? "" : at.words + " ", unreadable = "Could not convert: ";
  std::string said = error.what();
  if (said.rfind(unreadable, 0) == 0) {
    const std::size_t equals = said.find(" = ");
    said = fmt::format("{}: '{}', a number is expected", said.substr(unreadable.size(), equals - unreadable.size()),
                       equals == std::string::npos ? "" : said.substr(equals + 3));
  } else if (const auto verbs = verbs_of(*at.app); !verbs.empty() && at.next < argc) {
    const std::string word = argv[at.next];
    said = fmt::format("unknown verb '{}{}'{}", spaced, word, microslip::suggestion(word, verbs));
  } else if (const std::string option = option_of_figures(at, argc, argv); !option.empty()) {
    said = fmt::format("{} draws no figures and has no {}", at.words, option);
  }
  return fmt::format("{} (microslip {}--help tells how to call it)", said, spaced);
}

/// A word as a shell takes it for one word.
std::string shell_word(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// The call, to be pasted into a shell again.
std::string as_typed(int argc, char** argv) {
  std::string line = "microslip";
  for (int i = 1; i < argc; ++i) line += " " + shell_word(argv[i]);
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace microslip;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a complaint, with nothing left behind
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
  commands.write_hdf5("simulate");
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
    return say(wrong_input, complaint(cli, error, argc, argv));
  } catch (const InvalidInput& error) {
    return say(wrong_input, error.what());
  } catch (const NotConverged& error) {
    return say(not_converged, error.what());
  } catch (const std::exception& error) {
    return say(internal_error, fmt::format("internal error: {}", error.what()));
  }
}
