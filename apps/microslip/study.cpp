#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include <microslip/core/check.hpp>
#include <microslip/core/time_left.hpp>
#include <microslip/study/ranks.hpp>
#include <microslip/verbs/study.hpp>

#include "commands.hpp"
#include "progress.hpp"

namespace microslip::app {

namespace {

std::string clock_text(double seconds) {
  const long s = std::lround(seconds);
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

/// One line per combination: bar, rate, time left, best errors so far. On a terminal the lines stay where they are;
/// elsewhere a line is printed at every tenth.
class Board {
 public:
  void show(const verbs::StudyCase& input, const study::EntryProgress& p) {
    if (lines_.empty()) begin(input);
    Line& line = lines_[p.entry];
    const auto now = Clock::now();
    if (line.begun == Clock::time_point{}) {
      line.begun = now;
      line.first_evaluations = p.evaluations;
    }
    const double elapsed = std::chrono::duration<double>(now - line.begun).count();
    const auto time_left = line.time_left.at(elapsed, static_cast<double>(p.done) / p.total);
    const int tenth = 10 * p.done / p.total;
    const bool due = p.finished || (terminal_ ? now - line.shown > std::chrono::milliseconds(100) : tenth > line.tenth);
    if (!due || line.finished) return;
    line.shown = now;
    line.tenth = tenth;
    line.finished = p.finished;
    const std::string left = p.finished  ? clock_text(elapsed)
                             : time_left ? clock_text(*time_left) + " left"
                                         : std::string("?");
    const double rate = elapsed > 0 ? static_cast<double>(p.evaluations - line.first_evaluations) / elapsed : 0;
    const int full = 20 * p.done / p.total;
    line.text = fmt::format("{:<{}} [{:#<{}}{:.<{}}] {:3} % {:7.0f}/s {:>12}  f {:.1e}  zeta {:.1e}", line.name, width_,
                            "", full, "", 20 - full, 100 * p.done / p.total, rate, left, p.best[0], p.best[1]);
    if (terminal_)
      redraw();
    else
      std::fputs((line.text + "\n").c_str(), stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Line {
    std::string name, text;
    Clock::time_point begun{}, shown{};
    TimeLeft time_left{};
    int tenth = -1;
    long first_evaluations = 0;
    bool finished = false;
  };

  void begin(const verbs::StudyCase& input) {
    for (const auto& entry : input.study.entries) {
      width_ = std::max(width_, entry.name.size());
      lines_.push_back({.name = entry.name, .text = entry.name});
    }
  }
  void redraw() {
    std::string text = drawn_ ? fmt::format("\x1b[{}A", lines_.size()) : std::string();
    for (const Line& line : lines_) text += "\r\x1b[K" + line.text + "\n";
    drawn_ = true;
    std::fputs(text.c_str(), stderr);
  }

  const bool terminal_ = isatty(fileno(stderr)) != 0;
  std::vector<Line> lines_;
  std::size_t width_ = 0;
  bool drawn_ = false;
};

/// On every rank but the first nothing is printed: the first says it all.
verbs::Output run(const verbs::StudyOptions& options) {
  const bool first = options.ranks == nullptr || options.ranks->rank() == 0;
  try {
    if (auto output = verbs::study(options)) return std::move(*output);
  } catch (const study::Stopped&) {
    throw NotConverged(fmt::format(
        "stopped; every generation that is finished is kept in {0}: microslip study {1} --checkpoint {0} --resume",
        options.checkpoint.string(), options.file.string()));
  } catch (const InvalidInput&) {
    if (first) throw;
    std::exit(2);
  }
  std::exit(0);
}

}  // namespace

void add_study(Commands& commands) {
  const auto options = std::make_shared<verbs::StudyOptions>();
  CLI::App* verb = commands.add("study", "fit many joint models to one mode, predict the others, rank them", [options] {
    std::unique_ptr<study::Ranks> ranks;
    if (study::Ranks::launched()) ranks = std::make_unique<study::Ranks>();
    options->ranks = ranks.get();
    options->stop = &stop_on_interrupt();
    if (options->checkpoint.empty()) options->checkpoint = options->file.stem().string() + ".checkpoint";
    const auto board = std::make_shared<Board>();
    options->observer = [board](const verbs::StudyCase& input, const study::EntryProgress& p) {
      board->show(input, p);
    };
    return run(*options);
  });
  verb->add_option("file", options->file, "STUDY.toml with [structure], [measured], [[combination]] and [budget]")
      ->required()
      ->type_name("FILE");
  verb->add_flag("--resume", options->resume, "continue from the checkpoints of an interrupted run");
  verb->add_option("--checkpoint", options->checkpoint, "folder for checkpoints; default: STUDY.checkpoint here")
      ->type_name("DIR");
  verb->add_option("--threads", options->threads, "threads of this process; default: all processors")
      ->check(CLI::Range(1, 4096));
  verb->add_flag("--times", options->times, "measure times and put them into the result, which then is never the same");
}

}  // namespace microslip::app
