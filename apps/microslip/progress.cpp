#include "progress.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include <microslip/core/time_left.hpp>

namespace microslip::app {

namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> stop_asked{false};
bool line_shown = false;

bool on_terminal() { return isatty(fileno(stderr)) != 0; }

class Teller {
 public:
  void tell(double fraction, std::string_view what) {
    const auto now = Clock::now();
    const auto left = time_left_.at(std::chrono::duration<double>(now - start_).count(), fraction);
    if (now < next_) return;
    const bool terminal = on_terminal();
    next_ = now + std::chrono::milliseconds(terminal ? 100 : 5000);
    std::fputs(fmt::format("{}{:3.0f} % {}{}{}", terminal ? "\r\033[K" : "", 100 * fraction, what,
                           left ? fmt::format(", {:.0f} s left", *left) : "", terminal ? "" : "\n")
                   .c_str(),
               stderr);
    line_shown = terminal;
  }

 private:
  Clock::time_point start_ = Clock::now(), next_ = start_ + std::chrono::seconds(1);
  TimeLeft time_left_;
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

Progress terminal_progress() {
  // One teller, however often parts of the work copy the function.
  const auto teller = std::make_shared<Teller>();
  return {[teller](double fraction, std::string_view what) { teller->tell(fraction, what); }, &stop_on_interrupt()};
}

bool stop_was_asked() { return stop_asked; }

void end_progress() {
  if (line_shown) std::fputs("\r\033[K", stderr);
  line_shown = false;
}

}  // namespace microslip::app
