#include <vector>

#include <microslip/structure/mpi.hpp>
#include <microslip/structure/sparse_factor.hpp>

// The C interface is all that is used; the C++ one would drag in a library of its own.
#define OMPI_SKIP_MPICXX 1
#include <dmumps_c.h>
#include <mpi.h>

#include <microslip/core/check.hpp>

namespace microslip {

namespace {

constexpr int initialise = -1, finish = -2, analyse_and_factor = 4, solve_only = 3;

/// MUMPS' own numbering of its controls.
int& control(DMUMPS_STRUC_C& mumps, int number) { return mumps.icntl[number - 1]; }
int info(const DMUMPS_STRUC_C& mumps, int number) { return mumps.infog[number - 1]; }

}  // namespace

struct SparseFactor::Work {
  DMUMPS_STRUC_C mumps{};
  std::vector<MUMPS_INT> rows, columns;
  std::vector<double> values;
  std::string what;

  void run(int job) {
    mumps.job = job;
    dmumps_c(&mumps);
    if (info(mumps, 1) >= 0) return;
    if (info(mumps, 1) == -10 || info(mumps, 1) == -6)
      throw InvalidInput(fmt::format("{} is singular: {} of {} pivots found", what, info(mumps, 2), mumps.n));
    throw NotConverged(fmt::format("{}: MUMPS stopped with error {} ({})", what, info(mumps, 1), info(mumps, 2)));
  }

  ~Work() {
    if (mumps.n == 0) return;
    mumps.job = finish;
    dmumps_c(&mumps);
  }
};

SparseFactor::SparseFactor(const Eigen::SparseMatrix<double>& matrix, std::string what)
    : work_(std::make_unique<Work>()) {
  start_mpi();
  Work& work = *work_;
  work.what = std::move(what);
  DMUMPS_STRUC_C& mumps = work.mumps;
  mumps.par = 1;
  mumps.sym = 2;
  mumps.comm_fortran = static_cast<MUMPS_INT>(MPI_Comm_c2f(MPI_COMM_SELF));
  work.run(initialise);
  for (int quiet : {1, 2, 3}) control(mumps, quiet) = -1;
  control(mumps, 4) = 0;
  control(mumps, 14) = 100;  // room for pivots that are delayed: saddle points need it

  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, j); entry; ++entry)
      if (entry.row() >= j && entry.value() != 0) {
        work.rows.push_back(static_cast<MUMPS_INT>(entry.row() + 1));
        work.columns.push_back(static_cast<MUMPS_INT>(j + 1));
        work.values.push_back(entry.value());
      }
  mumps.n = static_cast<MUMPS_INT>(matrix.rows());
  mumps.nnz = static_cast<MUMPS_INT8>(work.values.size());
  mumps.irn = work.rows.data();
  mumps.jcn = work.columns.data();
  mumps.a = work.values.data();
  work.run(analyse_and_factor);
}

SparseFactor::SparseFactor(SparseFactor&&) noexcept = default;
SparseFactor& SparseFactor::operator=(SparseFactor&&) noexcept = default;
SparseFactor::~SparseFactor() = default;

Eigen::MatrixXd SparseFactor::solve(Eigen::MatrixXd right) const {
  DMUMPS_STRUC_C& mumps = work_->mumps;
  if (right.rows() != mumps.n)
    throw InvalidInput(fmt::format("{}: a right-hand side of {} rows, {} are expected", work_->what, right.rows(),
                                   static_cast<int>(mumps.n)));
  if (right.cols() == 0) return right;
  mumps.rhs = right.data();
  mumps.nrhs = static_cast<MUMPS_INT>(right.cols());
  mumps.lrhs = mumps.n;
  work_->run(solve_only);
  mumps.rhs = nullptr;
  return right;
}

Eigen::Index SparseFactor::n_negative() const { return info(work_->mumps, 12); }
Eigen::Index SparseFactor::size() const { return work_->mumps.n; }

}  // namespace microslip
