#pragma once

#include <atomic>
#include <chrono>
#include <future>

#include <pybind11/pybind11.h>

#include <microslip/core/progress.hpp>

namespace microslip::python {

/// Does long work in a thread of its own. This one, which alone learns of Ctrl-C, waits for either: Ctrl-C asks the
/// work to stop and is raised when it has.
template <class Work>
auto interruptible(const Work& work) {
  std::atomic<bool> interrupted = false;
  const Progress progress{{}, &interrupted};
  auto done = std::async(std::launch::async, [&] { return work(progress); });
  for (bool ready = false; !ready;) {
    {
      const pybind11::gil_scoped_release free;
      ready = done.wait_for(std::chrono::milliseconds(50)) == std::future_status::ready;
    }
    if (PyErr_CheckSignals() != 0) {
      interrupted = true;
      {
        const pybind11::gil_scoped_release free;
        done.wait();
      }
      throw pybind11::error_already_set();
    }
  }
  return done.get();
}

}  // namespace microslip::python
