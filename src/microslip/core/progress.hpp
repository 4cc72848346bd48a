#pragma once

#include <atomic>
#include <functional>
#include <string_view>

namespace microslip {

/// How long work tells how far it is, and learns that it should stop. Empty functions cost nothing.
struct Progress {
  std::function<void(double fraction, std::string_view what)> report;  ///< may be empty
  const std::atomic<bool>* stop = nullptr;                             ///< set by Ctrl-C or a page's cancel

  void at(double fraction, std::string_view what) const {
    if (report) report(fraction, what);
  }
  [[nodiscard]] bool stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
};

}  // namespace microslip
