#pragma once

namespace microslip {

/// Starts MPI for calls from one thread at a time and ends it with the program; where it runs already, only looks
/// whether it allows them. Called by what needs MPI when it needs it, so that no other program starts it.
void start_mpi();

}  // namespace microslip
