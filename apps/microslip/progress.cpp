#include "progress.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace microslip::app {

namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> stop_asked{false};
bool line_shown = false;

bool on_terminal() { return isatty(fileno(stderr)) != 0; }

class Teller {
 public:
  void operator()(double fraction, std::string_view what) {
    const auto now = Clock::now();
    if (now < next_) return;
    const bool terminal = on_terminal();
    next_ = now + std::chrono::milliseconds(terminal ? 100 : 5000);
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double left = fraction > 0 ? seconds / fraction - seconds : 0;
    std::fputs(fmt::format("{}{:3.0f} % {}, {:.0f} s left{}", terminal ? "\r\033[K" : "", 100 * fraction, what, left,
                           terminal ? "" : "\n")
                   .c_str(),
               stderr);
    line_shown = terminal;
  }

 private:
  Clock::time_point start_ = Clock::now(), next_ = start_ + std::chrono::seconds(1);
};

}  // namespace

const std::atomic<bool>& stop_on_interrupt() {
  std::signal(SIGINT, [](int) {
    stop_asked = true;
    constexpr std::string_view words = "\nstopping as soon as what is under way is done; Ctrl-C again: at once\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, words.data(), words.size());
    std::signal(SIGINT, SIG_DFL);
  });
  return stop_asked;
}

Progress terminal_progress() { return {Teller(), &stop_on_interrupt()}; }

bool stop_was_asked() { return stop_asked; }

void end_progress() {
  if (line_shown) std::fputs("\r\033[K", stderr);
  line_shown = false;
}

}  // namespace microslip::app
