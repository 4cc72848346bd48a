#include <cstdlib>
#include <mutex>

// The C interface is all that is used; the C++ one would drag in a library of its own.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <microslip/core/check.hpp>
#include <microslip/structure/mpi.hpp>

namespace microslip {

void start_mpi() {
  static std::once_flag once;
  std::call_once(once, [] {
    int running = 0, allowed = MPI_THREAD_SINGLE;
    MPI_Initialized(&running);
    if (running != 0) {
      MPI_Query_thread(&allowed);
    } else {
      MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &allowed);
      std::atexit([] {
        int finished = 0;
        MPI_Finalized(&finished);
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
