#include <cstdlib>
#include <mutex>

// The C interface is all that is used; the C++ one would drag in a library of its own.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include <microslip/core/check.hpp>
#include <microslip/structure/mpi.hpp>

namespace microslip {

namespace {

/// Open MPI leaves memory behind, most of it from plug-ins that are unloaded when the leaks are counted, so that no
/// suppression could name them: under sanitizers, what it allocates as it starts and ends is not tracked.
struct Untracked {
#ifdef __SANITIZE_ADDRESS__
  const __lsan::ScopedDisabler disabler{};
#endif
};

}  // namespace

void start_mpi() {
  static std::once_flag once;
  std::call_once(once, [] {
    int running = 0, allowed = MPI_THREAD_SINGLE;
    MPI_Initialized(&running);
    if (running != 0) {
      MPI_Query_thread(&allowed);
    } else {
      [[maybe_unused]] const Untracked untracked{};
      MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &allowed);
      std::atexit([] {
        int finished = 0;
        MPI_Finalized(&finished);
        [[maybe_unused]] const Untracked as_it_ends{};
        if (finished == 0) MPI_Finalize();
      });
    }
    if (allowed < MPI_THREAD_SERIALIZED)
      throw InvalidInput(fmt::format(
          "MPI runs at thread level {}, at least MPI_THREAD_SERIALIZED ({}) is expected: start it with MPI_Init_thread",
          allowed, MPI_THREAD_SERIALIZED));
  });
}

}  // namespace microslip
