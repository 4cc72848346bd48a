#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/jointed_structure.hpp>

namespace microslip {

using Eigen::MatrixXd;
using Eigen::VectorXd;

JointedStructure checked(JointedStructure structure, const std::string& what) {
  structure.system = checked(std::move(structure.system), what);
  const Eigen::Index n = structure.system.size(), p = structure.map.rows();
  if (p > 0 && structure.map.cols() != n)
    throw InvalidInput(
        fmt::format("{}: the map has {} columns, the system has {} coordinates", what, structure.map.cols(), n));
  if (!structure.map.allFinite()) throw InvalidInput(what + ": the map has an entry that is not finite");
  const auto check_rows = [&](const std::vector<Eigen::Index>& rows, Eigen::Index count) {
    for (const Eigen::Index row : rows)
      if (row < 0 || row + count > p)
        throw InvalidInput(fmt::format("{}: a joint on row {} of a map with {} rows", what, row + count, p));
  };
  for (const JointGroup& group : structure.joints) check_rows(group.rows, 1);
  for (const ContactGroup& group : structure.contacts) check_rows(group.first_rows, 3);
  const auto check_vector = [&](const VectorXd& vector, const char* name) {
    if (vector.size() != 0 && (vector.size() != n || !vector.allFinite()))
      throw InvalidInput(fmt::format("{}: {} must have {} finite values, has {}", what, name, n, vector.size()));
  };
  check_vector(structure.load_row, "the load's row");
  check_vector(structure.static_force, "the static force");
  return structure;
}

MatrixXd stuck_stiffness(const JointedStructure& structure) {
  MatrixXd K = structure.system.stiffness;
  if (structure.map.rows() == 0) return K;
  VectorXd tangent = VectorXd::Zero(structure.map.rows());
  for (const JointGroup& group : structure.joints) make_elements(group)->add_stuck(tangent);
  for (const ContactGroup& group : structure.contacts) make_elements(group)->add_stuck(tangent);
  K += structure.map.transpose() * tangent.asDiagonal() * structure.map;
  return K;
}

std::vector<double> low_amplitude_frequencies_hz(const JointedStructure& structure) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(stuck_stiffness(structure), structure.system.mass,
                                                                  Eigen::EigenvaluesOnly);
  std::vector<double> frequencies;
  for (const double lambda : solver.eigenvalues())
    frequencies.push_back(lambda > 0 ? std::sqrt(lambda) / (2 * std::numbers::pi) : 0);
  return frequencies;
}

struct StructureStepper::Level {
  NewmarkStep step;
  MatrixXd S;        ///< M + s (g C + b K)
  MatrixXd inverse;  ///< of S: products beat triangular solves at these sizes
  MatrixXd Y;        ///< S^-1 map^T
  MatrixXd G;        ///< s b map Y
  MatrixXd G_size;   ///< |G|
};

struct StructureStepper::Work {
  VectorXd u_p, v_p, rhs, a_linear, w, w_linear, trial_w, residual, scale, allowed, direction, pushed, Cv, Ku;
  JointForces joints;
  MatrixXd J;
  Eigen::PartialPivLU<MatrixXd> lu;
};

StructureStepper::StructureStepper(const JointedStructure& structure, double step, const NewmarkOptions& options)
    : system_(structure.system),
      map_(structure.map.rows() > 0 ? structure.map : MatrixXd(0, structure.system.size())),
      map_size_(map_.cwiseAbs()),
      damped_(structure.system.damping.size() != 0),
      step_(step),
      options_(options),
      work_(std::make_unique<Work>()) {
  for (const JointGroup& group : structure.joints) elements_.push_back(make_elements(group));
  for (const ContactGroup& group : structure.contacts) elements_.push_back(make_elements(group));
  const Eigen::Index n = system_.size(), p = map_.rows();
  u_ = v_ = a_ = force_ = VectorXd::Zero(n);
  w_ = joint_force_ = VectorXd::Zero(p);
  Work& x = *work_;
  for (VectorXd* vector : {&x.u_p, &x.v_p, &x.rhs, &x.a_linear, &x.Cv, &x.Ku}) vector->setZero(n);
  for (VectorXd* vector : {&x.w, &x.w_linear, &x.trial_w, &x.residual, &x.scale, &x.allowed, &x.direction, &x.pushed})
    vector->setZero(p);
  x.joints.reset(p);
}

StructureStepper::~StructureStepper() = default;

StructureStepper::Level& StructureStepper::level_at(int level) {
  while (static_cast<int>(levels_.size()) <= level) {
    const NewmarkStep step(step_ / std::pow(2.0, static_cast<double>(levels_.size())), options_.hht_alpha);
    auto made = std::make_unique<Level>(Level{step, {}, {}, {}, {}, {}});
    made->S = system_.mass + step.s * step.b * system_.stiffness;
    if (damped_) made->S += step.s * step.g * system_.damping;
    made->inverse = made->S.partialPivLu().inverse();
    made->Y = made->inverse * map_.transpose();
    made->G = step.s * step.b * map_ * made->Y;
    made->G_size = made->G.cwiseAbs();
    levels_.push_back(std::move(made));
  }
  return *levels_[static_cast<std::size_t>(level)];
}

void StructureStepper::joint_forces(const VectorXd& w) {
  work_->joints.reset(map_.rows());
  for (const auto& group : elements_) group->evaluate(w, work_->joints);
}

/// (I + G k) direction = -residual; where joints outnumber coordinates, by the equal
/// direction = -residual + s b map (S + s b map^T k map)^-1 map^T k residual.
void StructureStepper::newton_direction(const Level& level) {
  Work& x = *work_;
  const JointForces& joints = x.joints;
  const Eigen::Index n = system_.size(), p = map_.rows();
  if (p <= n) {
    x.J.noalias() = level.G * joints.tangent.asDiagonal();
    for (const auto& [row, column, tangent] : joints.couplings) x.J.col(column) += tangent * level.G.col(row);
    x.J.diagonal().array() += 1;
    x.lu.compute(x.J);
    x.direction.noalias() = x.lu.solve(-x.residual);
  } else {
    const double sb = level.step.s * level.step.b;
    x.J.noalias() = level.S + sb * (map_.transpose() * joints.tangent.asDiagonal() * map_);
    x.pushed = joints.tangent.cwiseProduct(x.residual);
    for (const auto& [row, column, tangent] : joints.couplings) {
      x.J.noalias() += sb * tangent * map_.row(row).transpose() * map_.row(column);
      x.pushed(row) += tangent * x.residual(column);
    }
    x.lu.compute(x.J);
    const VectorXd pushed = map_.transpose() * x.pushed;
    x.direction.noalias() = sb * (map_ * x.lu.solve(pushed)) - x.residual;
  }
}

MatrixXd StructureStepper::static_tangent() const {
  const JointForces& joints = work_->joints;
  MatrixXd tangent = system_.stiffness + map_.transpose() * joints.tangent.asDiagonal() * map_;
  for (const auto& [row, column, value] : joints.couplings)
    tangent += value * map_.row(row).transpose() * map_.row(column);
  return tangent;
}

bool StructureStepper::advance(const VectorXd& force_1, int level) {
  const bool last = level >= options_.max_halvings;
  const Attempt attempt = solve(level_at(level), force_1, last ? 0 : options_.accuracy);
  if (attempt == Attempt::solved) return true;
  if (last) return false;
  ++(attempt == Attempt::stalled ? n_halved_ : n_refined_);
  const VectorXd middle = 0.5 * (force_ + force_1);
  return advance(middle, level + 1) && advance(force_1, level + 1);
}

Attempt StructureStepper::solve(const Level& level, const VectorXd& force_1, double accuracy) {
  const NewmarkStep& step = level.step;
  const double dt = step.dt;
  Work& x = *work_;
  x.u_p = u_ + dt * v_ + (0.5 * dt * dt - step.b) * a_;
  x.v_p = v_ + (dt - step.g) * a_;
  x.rhs = force_1;
  x.rhs.noalias() -= system_.stiffness * x.u_p;
  if (damped_) x.rhs.noalias() -= system_.damping * x.v_p;
  if (step.s != 1) {
    x.Ku.noalias() = system_.stiffness * u_ + map_.transpose() * joint_force_;
    if (damped_) x.Ku.noalias() += system_.damping * v_;
    x.rhs = step.s * x.rhs + (1 - step.s) * (force_ - x.Ku);
  }
  x.a_linear.noalias() = level.inverse * x.rhs;
  x.w_linear.noalias() = map_ * (x.u_p + step.b * x.a_linear);
  x.w.noalias() = map_ * (x.u_p + step.b * a_);
  x.scale = x.w_linear.cwiseAbs();
  x.scale.noalias() += map_size_ * x.u_p.cwiseAbs();
  const auto measure = [&](const VectorXd& w) {
    joint_forces(w);
    x.residual = w - x.w_linear;
    x.residual.noalias() += level.G * x.joints.force;
    return x.residual.cwiseAbs().maxCoeff();
  };
  const bool has_joints = map_.rows() > 0;
  bool converged = !has_joints;
  double size = has_joints ? measure(x.w) : 0;
  for (int i = 0; has_joints && i < options_.max_iterations && !converged; ++i) {
    ++n_iterations_;
    newton_direction(level);
    if (!x.direction.allFinite()) return Attempt::stalled;
    double part = 1, next = 0;
    for (int k = 0; k < 8; ++k, part *= 0.5) {  // shorter where a slip corner throws Newton too far
      x.trial_w = x.w + part * x.direction;
      next = measure(x.trial_w);
      if (next < size || next == 0) break;
    }
    x.w.swap(x.trial_w);
    size = next;
    x.allowed = x.scale;
    x.allowed.noalias() += level.G_size * x.joints.force.cwiseAbs();
    converged = (x.residual.array().abs() <= options_.tolerance * x.allowed.array()).all();
  }
  if (!converged) return Attempt::stalled;

  const double v_C_v = damped_ ? v_.dot(x.Cv) : 0;
  if (has_joints) x.a_linear.noalias() -= step.s * (level.Y * x.joints.force);
  if (!x.a_linear.allFinite()) return Attempt::stalled;
  x.v_p += step.g * x.a_linear;
  if (accuracy > 0 && step.rough(accuracy, mass_norm_2(x.a_linear - a_), mass_norm_2(x.v_p), mass_norm_2(x.a_linear)))
    return Attempt::rough;
  a_.swap(x.a_linear);
  for (const auto& group : elements_) energy_.dissipated += group->advance(x.w);
  x.u_p += step.b * a_;
  if (damped_) {
    const double cross = x.v_p.dot(x.Cv);
    x.Cv.noalias() = system_.damping * x.v_p;
    energy_.dissipated += dt / 3 * (v_C_v + cross + x.v_p.dot(x.Cv));
  }
  energy_.work += 0.5 * (force_ + force_1).dot(x.u_p - u_);
  u_.swap(x.u_p);
  v_.swap(x.v_p);
  w_ = x.w;
  joint_force_ = x.joints.force;
  force_ = force_1;
  return Attempt::solved;
}

/// Newton's method, by the stuck stiffness where the tangent is singular. Each step goes to where at most a tenth of
/// the work that it starts with is left to do, shorter or longer than by the slope: next to the lowest energy along it,
/// where the normal force is constant, so that no corner throws it from side to side.
bool StructureStepper::balance(const VectorXd& target, const Eigen::FullPivLU<MatrixXd>& stuck, VectorXd& u) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  VectorXd residual;
  double scale = 0, last = infinity;
  const auto measure = [&] {
    joint_forces(map_ * u);
    const VectorXd springs = system_.stiffness * u, joints = map_.transpose() * work_->joints.force;
    residual = springs + joints - target;
    scale = (springs.cwiseAbs() + joints.cwiseAbs() + target.cwiseAbs()).maxCoeff();
    return residual.cwiseAbs().maxCoeff();
  };
  double size = measure();
  for (int i = 0; i < 100; ++i) {
    // Rounding of stiff joints may be all that is left: it no longer falls.
    const bool near = size <= 1e-9 * scale;
    if (size <= 1e-12 * scale || (near && size >= 0.5 * last)) return true;
    last = size;
    const MatrixXd tangent = static_tangent();
    VectorXd step = tangent.fullPivLu().solve(residual);
    const double error = (tangent * step - residual).norm();
    if (!(error <= 1e-6 * residual.norm() && step.dot(residual) > 0)) step = stuck.solve(residual);
    const double work = step.dot(residual);
    const VectorXd from = u;
    double part = 1, low = 0, high = infinity;
    for (int k = 0; k < 60; ++k) {
      u = from - part * step;
      size = measure();
      const double left = step.dot(residual);
      if (near || std::abs(left) <= 0.1 * work) break;
      (left > 0 ? low : high) = part;
      part = high < infinity ? 0.5 * (low + high) : 2 * part;
    }
    if (part > 1e15) return false;  // nothing holds it, however far
  }
  return false;
}

double StructureStepper::rest_under(const VectorXd& force, int increments) {
  work_->joints.reset(map_.rows());
  for (const auto& group : elements_) group->add_stuck(work_->joints.tangent);
  const MatrixXd stiffness = static_tangent();
  const Eigen::FullPivLU<MatrixXd> stuck(stiffness);
  if (!((stiffness * stuck.solve(force) - force).norm() <= 1e-6 * force.norm())) return 0;  // pushes what floats
  double done = 0;
  for (double part = 1.0 / increments; done < 1;) {
    const double to = done + part > 1 - 1e-9 ? 1 : done + part;
    VectorXd u = u_;
    if (balance(to * force, stuck, u)) {
      done = to;
      u_ = u;
      w_.noalias() = map_ * u_;
      for (const auto& group : elements_) group->advance(w_);
    } else if ((part *= 0.5) < 1e-3 / increments) {
      return done;
    }
  }
  return 1;
}

void StructureStepper::start(const VectorXd& displacement, const VectorXd& velocity, const VectorXd& force) {
  if (displacement.size() != 0) u_ += displacement;
  if (velocity.size() != 0) v_ = velocity;
  w_.noalias() = map_ * u_;
  for (const auto& group : elements_) group->advance(w_);
  joint_forces(w_);
  joint_force_ = work_->joints.force;
  force_ = force;
  VectorXd rest = force - system_.stiffness * u_ - map_.transpose() * joint_force_;
  if (damped_) {
    work_->Cv = system_.damping * v_;
    rest -= work_->Cv;
  }
  a_ = system_.mass.llt().solve(rest);
  energy_ = {};
  const Energy now = energy();
  energy_.initial = now.kinetic + now.stored;
}

Energy StructureStepper::energy() const {
  Energy now = energy_;
  now.kinetic = 0.5 * v_.dot(system_.mass * v_);
  now.stored = 0.5 * u_.dot(system_.stiffness * u_);
  for (const auto& group : elements_) now.stored += group->stored(w_);
  return now;
}

}  // namespace microslip
