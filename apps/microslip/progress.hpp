#pragma once

#include <atomic>

#include <microslip/core/progress.hpp>

namespace microslip::app {

/// From now on Ctrl-C sets this and says so on standard error; a second one ends the program.
const std::atomic<bool>& stop_on_interrupt();

/// Tells on standard error how far long work is: a line that is rewritten on a terminal, plain lines elsewhere, nothing
/// in the first second, and no time left before there is enough to tell it from. Ctrl-C asks the work to stop.
Progress terminal_progress();

/// Whether Ctrl-C was pressed while work went on: what is delivered then is what was finished, with exit status 3.
bool stop_was_asked();

/// Takes the line away where there is one.
void end_progress();

}  // namespace microslip::app
