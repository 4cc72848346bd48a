#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <Eigen/LU>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/joints/initial_tangent.hpp>
#include <microslip/modal/prestress.hpp>

namespace microslip {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

const std::array<std::string, 2> law_names{"full", "conservative"};

/// Normal contact and the post-slip spring: no memory.
class Conservative {
 public:
  Conservative(const Joint& joint, const Interface& interface) : joint_(joint), interface_(interface) {}

  void evaluate(std::span<const double> w, InterfaceResponse<double>& response) const {
    response.tangent = point_springs(joint_, interface_, post_slip_stiffness(joint_.law), w);
    response.force.resize(w.size());
    for (std::size_t i = 0; i < w.size(); ++i) response.force[i] = response.tangent[i / 3][i % 3][i % 3] * w[i];
  }

 private:
  const Joint& joint_;
  const Interface& interface_;
};

template <class Evaluate>
class Balance {
 public:
  Balance(const Condensed& condensed, const Evaluate& evaluate, const PrestressOptions& options)
      : condensed_(condensed), evaluate_(evaluate), options_(options), A_(condensed.static_stiffness()) {}

  /// Newton's method from y; `stuck` is a stiffness to fall back on where the tangent is singular.
  bool solve(VectorXd& y, const VectorXd& load, const MatrixXd& stuck) {
    const double scale = load.norm();
    double size = measure(y, load);
    for (int i = 0; i < options_.max_iterations && size > options_.tolerance * scale; ++i, ++iterations) {
      MatrixXd J = A_;
      condensed_.add_stiffness(response_.tangent, J);
      VectorXd best;
      double best_size = size;
      const VectorXd imbalance = residual_;
      for (const auto& slope : {std::cref(J), std::cref(stuck)}) {
        const VectorXd step = slope.get().partialPivLu().solve(imbalance);
        for (double part = 1; part > 1e-3 && !(best_size < size); part *= 0.5) {
          const VectorXd trial = y - part * step;
          const double now = trial.allFinite() ? measure(trial, load) : std::numeric_limits<double>::infinity();
          if (now < best_size) {
            best_size = now;
            best = trial;
          }
        }
        if (best_size < size) break;
      }
      if (best.size() == 0) break;  // rounding, or no way down
      y = best;
      size = measure(y, load);
    }
    residual = size == 0 ? 0 : size / scale;  // no load at all is balanced
    return residual <= 1e3 * options_.tolerance;
  }

  int iterations = 0;
  double residual = 0;

 private:
  double measure(const VectorXd& y, const VectorXd& load) {
    condensed_.displace(y, w_);
    evaluate_(w_, response_);
    VectorXd r = A_ * y - load;
    condensed_.add_forces(response_.force, r);
    residual_ = r;
    return r.norm();
  }

  const Condensed& condensed_;
  const Evaluate& evaluate_;
  const PrestressOptions& options_;
  MatrixXd A_;
  std::vector<double> w_;
  InterfaceResponse<double> response_;
  VectorXd residual_;
};

/// The force as it acts on y, without the rounding by which it would push rigid motions.
VectorXd balanced(const Condensed& condensed, const VectorXd& force) {
  const JointedSystem& system = condensed.system();
  VectorXd load = condensed.condense(force);
  for (Index r = 0; r < system.n_rigid(); ++r) {
    double& push = load(condensed.n_joint() + r);
    const auto shape = system.internal_shapes().col(r);
    // where the parts themselves are rounding they need not cancel
    const double rounding = 1e-6 * shape.lpNorm<Eigen::Infinity>() * force.lpNorm<1>();
    const double parts = std::max(shape.cwiseProduct(force).lpNorm<1>(), rounding);
    if (!(std::abs(push) <= 1e-6 * parts))
      throw InvalidInput(
          fmt::format("the prestress force is not balanced: it pushes the whole structure, which nothing holds, with "
                      "{:.2g} of what its parts do; a bolt pulls on both of its ends alike",
                      std::abs(push) / parts));
    push = 0;
  }
  return load;
}

}  // namespace

std::string_view to_string(PrestressLaw law) { return law_names[static_cast<std::size_t>(law)]; }

PrestressLaw prestress_law_from(std::string_view name) {
  const auto found = std::find(law_names.begin(), law_names.end(), name);
  if (found == law_names.end())
    throw InvalidInput(fmt::format("unknown prestress law '{}'{}", name, suggestion(name, law_names)));
  return static_cast<PrestressLaw>(found - law_names.begin());
}

Prestress prestress(const Condensed& condensed, const Joint& joint, JointPoints<double>& points,
                    const PrestressOptions& options) {
  const JointedSystem& system = condensed.system();
  const Interface& interface = system.interface();
  finite("preload", options.preload);
  if (interface.contact == Contact::penalty && options.preload == 0)
    throw InvalidInput("penalty contact needs a preload: without one the joint is open");
  if (options.load_steps < 1) throw InvalidInput(fmt::format("load_steps must be >= 1, got {}", options.load_steps));
  if (system.system().prestress.size() == 0)
    throw InvalidInput("a preload is given, but the system has no prestress force to apply it with");
  if (system.system().prestress.isZero(0))
    throw InvalidInput("the prestress force is zero everywhere: one that presses is expected");
  const VectorXd force = options.preload * system.system().prestress, load = balanced(condensed, force);
  const auto n_points = static_cast<std::size_t>(interface.n_points());

  MatrixXd stuck = condensed.static_stiffness();
  const bool conservative = options.law == PrestressLaw::conservative;
  const double kt = conservative ? post_slip_stiffness(joint.law) : initial_tangent(joint.law);
  const PointTangents springs = point_springs(joint, interface, kt);
  condensed.add_stiffness(springs, stuck);

  Prestress result;
  VectorXd y = VectorXd::Zero(condensed.size());
  std::vector<double> w, lost(n_points);
  const Conservative linear(joint, interface);
  const auto evaluate = [&](const std::vector<double>& at, InterfaceResponse<double>& response) {
    if (conservative)
      linear.evaluate(at, response);
    else
      points.evaluate(at, response);
  };
  Balance balance(condensed, evaluate, options);
  double done = 0, part = 1.0 / options.load_steps;
  while (done < 1) {
    const double to = std::min(1.0, done + part);
    VectorXd trial = y + stuck.partialPivLu().solve((to - done) * load);
    if (balance.solve(trial, to * load, stuck)) {
      y = trial;
      done = to > 1 - 1e-12 ? 1 : to;
      result.path.push_back(y);
      if (!conservative) {
        condensed.displace(y, w);
        points.advance(w, lost);
      }
    } else {
      part *= 0.5;
      if (part < 1e-3)
        throw NotConverged(
            fmt::format("prestress: no balance beyond {:.4g} of the preload {:.6g}, {}", done, options.preload,
                        std::isfinite(balance.residual) ? fmt::format("imbalance {:.3g}", balance.residual)
                                                        : "nothing holds a motion that it pushes"));
    }
  }
  result.iterations = balance.iterations;
  result.residual = balance.residual;
  condensed.displace(y, result.relative);
  InterfaceResponse<double> response;
  evaluate(result.relative, response);
  result.force = response.force;
  result.displacement = condensed.expand_static(y, force);
  if (system.normal_map().size() > 0) {  // springs across the joint that belong to the structure
    const VectorXd n = system.normal_map() * result.displacement;
    for (std::size_t i = 0; i < n_points; ++i) {
      result.relative[3 * i + 2] = n(static_cast<Index>(i));
      result.force[3 * i + 2] = springs[i][2][2] * n(static_cast<Index>(i));
    }
  }

  double deepest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n_points; ++i) {
    const double n = result.relative[3 * i + 2];
    deepest = std::max(deepest, n);
    if (!(n > 0)) ++result.n_open;
  }
  if (result.n_open == interface.n_points())
    throw InvalidInput(fmt::format(
        "prestress opens the whole joint: under the preload {:.6g} the normal displacement of all {} points is "
        "negative (open), {:.4g} at most; is the sign of the preload right?",
        options.preload, n_points, deepest));
  return result;
}

}  // namespace microslip
