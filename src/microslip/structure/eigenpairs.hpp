#pragma once

#include <functional>

#include <Eigen/Core>

namespace microslip {

/// Eigenpairs of K x = lambda M x, smallest lambda first; vectors have unit modal mass.
struct Eigenpairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// The `count` eigenvalues nearest above a shift that lies below all of them, by Lanczos in the inner product of the
/// mass. `solve` is (K - shift M)^-1 b, `mass` is M x. Throws NotConverged with the numbers where it does not get
/// there.
Eigenpairs lowest_eigenpairs(Eigen::Index n, Eigen::Index count, double shift,
                             const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& solve,
                             const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& mass);

}  // namespace microslip
