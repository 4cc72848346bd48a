#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

#include <microslip/core/check.hpp>
#include <microslip/modal/anderson.hpp>
#include <microslip/modal/rqnma.hpp>

namespace microslip {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using std::numbers::pi;

namespace {

using Tangents = std::vector<std::array<std::array<double, 3>, 3>>;

/// Stiffness of all points in contact before anything slips.
Tangents initial_tangents(const Joint& joint, const Interface& interface, const std::optional<Prestress>& prestress) {
  Tangents tangents(static_cast<std::size_t>(interface.n_points()));
  const double kt = initial_stiffness(joint.law);
  for (std::size_t i = 0; i < tangents.size(); ++i) {
    if (interface.contact == Contact::penalty && !(prestress->relative[3 * i + 2] > 0)) continue;
    const double area = joint.per_area ? interface.areas(static_cast<Index>(i)) : 1.0;
    tangents[i][0][0] = tangents[i][1][1] = area * kt;
    tangents[i][2][2] = area * joint.normal_stiffness;
  }
  return tangents;
}

/// Eigenpairs of A(lambda) + D: those of the pencil at rest, improved by inverse iteration with Rayleigh quotients.
std::vector<QuasiStatic::Point> linear_points(const Condensed& condensed, const Tangents& tangents, int first,
                                              int last) {
  MatrixXd D = MatrixXd::Zero(condensed.size(), condensed.size());
  condensed.add_stiffness(tangents, D);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(condensed.stiffness(0) + D, condensed.mass(0));
  std::vector<QuasiStatic::Point> points;
  Condensed::Products products;
  for (int mode = first; mode <= last; ++mode) {
    const Index at = condensed.system().n_rigid() + mode - 1;
    QuasiStatic::Point x{modes.eigenvectors().col(at), modes.eigenvalues()(at)};
    for (int i = 0; i < 4; ++i) {
      condensed.multiply(x.lambda, x.y, products);
      x.y /= std::sqrt(x.y.dot(products.N_y));
      condensed.multiply(x.lambda, x.y, products);
      const double change = x.y.dot(products.A_y + D * x.y);
      x.lambda += change;
      if (std::abs(change) <= 1e-14 * x.lambda) break;
      condensed.multiply(x.lambda, x.y, products);
      MatrixXd J(condensed.size() + 1, condensed.size() + 1);
      condensed.fill(x.lambda, J);
      J.topLeftCorner(D.rows(), D.cols()) += D;
      J.rightCols(1).topRows(D.rows()) = products.N_y;
      J.bottomRows(1).leftCols(D.cols()) = products.N_y.transpose();
      J(D.rows(), D.cols()) = 0;
      x.y = J.partialPivLu().solve(VectorXd::Unit(D.rows() + 1, D.rows())).head(D.rows());
    }
    points.push_back(std::move(x));
  }
  return points;
}

class Run {
 public:
  Run(const JointedSystem& system, const Joint& joint, int mode, const RqnmaOptions& options)
      : condensed_(Condensed::for_mode(system, mode)),
        interface_(system.interface()),
        options_(options),
        points_(make_points(joint, interface_.contact, interface_.areas)),
        start_(points_->clone()),
        lost_(static_cast<std::size_t>(interface_.n_points())) {
    result_.mode = mode;
    const bool spring = interface_.contact == Contact::spring;
    result_.framework =
        options.framework.value_or(obeys_masing(joint, interface_.contact) ? Framework::masing : Framework::reversal);
    if (masing() && !obeys_masing(joint, interface_.contact))
      result_.notes.push_back(fmt::format("{} with {} contact does not obey Masing's rules; they are applied as asked",
                                          law_name(joint.law), to_string(interface_.contact)));
    if (!spring && options.prestress.preload == 0)
      throw InvalidInput("penalty contact needs a preload: without one the joint is open");
    const bool remembers = !masing() && options.prestress.law == PrestressLaw::full;
    const bool prestressed = options.prestress.preload != 0 && (!spring || remembers || options.shapes);
    if (prestressed) result_.prestress = prestress(condensed_, joint, *start_, options.prestress);

    // Where friction starts from rest it counts displacements from there; a normal spring may do so too.
    std::vector<double> rest(3 * lost_.size(), 0.0);
    if (prestressed && remembers) {
      rest = result_.prestress->relative;
    } else {
      if (prestressed && !spring)
        for (std::size_t i = 0; i < lost_.size(); ++i) rest[3 * i + 2] = result_.prestress->relative[3 * i + 2];
      start_->press(rest);
    }
    points_->recall(*start_);
    InterfaceResponse<double> at_rest;
    start_->evaluate(rest, at_rest);
    solver_.emplace(condensed_, *points_, std::move(rest), std::move(at_rest.force), options.newton);

    const Tangents tangents = initial_tangents(joint, interface_, result_.prestress);
    linear_ = linear_points(condensed_, tangents, mode, mode).front();
    if (!(linear_.lambda > 0))
      throw InvalidInput(fmt::format("mode {} has no stiffness: omega^2 = {:.3g}", mode, linear_.lambda));
    result_.linear_frequency_hz = std::sqrt(linear_.lambda) / (2 * pi);
    result_.linear_shape = condensed_.expand(linear_.lambda, linear_.y);
  }

  void add(double q) {
    BackbonePoint point;
    point.amplitude = q;
    points_->recall(*start_);
    std::fill(lost_.begin(), lost_.end(), 0.0);
    Point top = predict(q);
    bool good = reach(top, q, point);
    if (good) {
      if (masing())
        finish_masing(top, point);
      else
        good = finish_reversal(top, point);
      if (good) remember(q, top);
    }
    if (!good && point.flag.empty())
      point.flag =
          fmt::format("did not converge: residual {:.2g} after {} iterations", point.residual, point.iterations);
    point.converged = point.flag.empty();
    result_.points.push_back(std::move(point));
  }

  Rqnma take() { return std::move(result_); }

 private:
  using Point = QuasiStatic::Point;
  struct Known {
    double q;
    Point x;
  };

  [[nodiscard]] bool masing() const { return result_.framework == Framework::masing; }

  /// Shape and lambda continued along the logarithm of the amplitude.
  [[nodiscard]] Point predict(double q) const {
    if (known_.empty()) return {q * linear_.y, linear_.lambda};
    const Known& a = known_.back();
    Point x{(q / a.q) * a.x.y, a.x.lambda};
    if (known_.size() < 2) return x;
    const Known& b = known_.front();
    const double ahead = std::min(1.5, std::log(q / a.q) / std::log(a.q / b.q));
    x.y += ahead * (x.y - (q / b.q) * b.x.y);
    x.lambda += ahead * (a.x.lambda - b.x.lambda);
    return x;
  }
  void remember(double q, const Point& x) {
    if (known_.size() == 2) known_.erase(known_.begin());
    known_.push_back({q, x});
  }

  /// Mass-weighted modal assurance of a solution (the solver's last) with a known one.
  double assurance(const VectorXd& reference, double q) {
    condensed_.multiply(linear_.lambda, reference, products_);
    const double own = reference.dot(products_.N_y), cross = reference.dot(solver_->mass_times_y());
    return cross * cross / (own * q * q);
  }

  /// To amplitude q from a guess; else from the last known amplitude in smaller steps.
  bool reach(Point& x, double q, BackbonePoint& point) {
    const VectorXd reference = known_.empty() ? linear_.y : known_.back().x.y;
    const auto attempt = [&](Point& at, double amplitude) {
      const NewtonReport report = solver_->solve(at, amplitude);
      point.iterations += report.iterations;
      point.residual = report.residual;
      point.assurance = report.converged() ? assurance(reference, amplitude) : 0;
      return report.converged() && at.lambda > 0 && point.assurance > 0.5;
    };
    if (attempt(x, q)) return true;
    for (int n_steps = 4; n_steps <= 64; n_steps *= 4) {
      const double from = known_.empty() ? 1e-3 * q : known_.back().q;
      Point at = known_.empty() ? Point{from * linear_.y, linear_.lambda} : known_.back().x;
      double before = from;
      bool good = true;
      for (int i = 1; i <= n_steps && good; ++i) {
        const double now = i == n_steps ? q : from * std::pow(q / from, double(i) / n_steps);
        at.y *= now / before;
        before = now;
        good = attempt(at, now);
      }
      if (good) {
        x = at;
        return true;
      }
    }
    return false;
  }

  void finish_masing(const Point& top, BackbonePoint& point) {
    points_->add_masing_loop(solver_->displacements_at(top.y), lost_);
    describe(top, std::sqrt(top.lambda), point);
  }

  /// +q -> -q -> +q, until the loop closes.
  bool finish_reversal(Point& top, BackbonePoint& point) {
    points_->advance(solver_->displacements_at(top.y), lost_);
    VectorXd force_before = solver_->joint_force();
    Point bottom{-top.y, top.lambda};
    std::optional<Anderson> mixer;
    double loss_before = 0;
    for (point.loops = 1; point.loops <= options_.max_loops; ++point.loops) {
      const std::vector<double> memory = options_.accelerate ? points_->memory() : std::vector<double>{};
      std::fill(lost_.begin(), lost_.end(), 0.0);
      double residual = 0;
      for (Point* end : {&bottom, &top}) {
        const NewtonReport report = solver_->solve(*end, point.amplitude);
        point.iterations += report.iterations;
        residual = std::max(residual, report.residual);
        if (!report.converged() || !(end->lambda > 0)) {
          point.residual = residual;
          return false;
        }
        points_->advance(solver_->displacements_at(end->y), lost_);
      }
      point.residual = residual;
      double loss = 0;
      for (const double at : lost_) loss += at;
      const double inertia = top.lambda * solver_->mass_times_y().norm();
      point.loop_gap = (solver_->joint_force() - force_before).norm() / inertia;
      const double energy = top.lambda * point.amplitude * point.amplitude;
      const bool settled = std::abs(loss - loss_before) <= 1e-6 * loss + 1e-12 * energy || point.loops == 1;
      if (point.loop_gap <= std::max(options_.loop_tolerance, 10 * residual) && settled) break;
      force_before = solver_->joint_force();
      loss_before = loss;
      if (memory.empty()) continue;
      if (!mixer) mixer.emplace(memory.size() / lost_.size());
      points_->set_memory(mixer->next(memory, points_->memory()));
    }
    describe(top, 0.5 * (std::sqrt(top.lambda) + std::sqrt(bottom.lambda)), point);
    if (point.loops > options_.max_loops) {
      point.loops = options_.max_loops;
      point.flag = fmt::format("the loop did not close in {} rounds: gap {:.2g}", point.loops, point.loop_gap);
    }
    return true;
  }

  void describe(const Point& top, double omega, BackbonePoint& point) {
    const double q = point.amplitude;
    point.frequency_hz = omega / (2 * pi);
    for (const double at : lost_) point.dissipation += at;
    point.damping_ratio = point.dissipation / (2 * pi * omega * omega * q * q) + options_.damping_ratio;
    if (!options_.shapes) return;
    point.shape = condensed_.expand(top.lambda, top.y) / q;
    point.local_loss = Eigen::Map<const VectorXd>(lost_.data(), static_cast<Index>(lost_.size()));
    std::vector<double> w;
    condensed_.displace(top.y, w);
    point.relative = Eigen::Map<const VectorXd>(w.data(), static_cast<Index>(w.size()));
    point.force = solver_->point_forces();
  }

  Condensed condensed_;
  const Interface& interface_;
  const RqnmaOptions& options_;
  std::unique_ptr<JointPoints<double>> points_, start_;
  std::vector<double> lost_;
  std::optional<QuasiStatic> solver_;
  Condensed::Products products_;
  Point linear_;
  std::vector<Known> known_;
  Rqnma result_;
};

void check(std::span<const double> amplitudes, const RqnmaOptions& options) {
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    positive(fmt::format("amplitude {}", i + 1), amplitudes[i]);
    if (i > 0 && !(amplitudes[i] > amplitudes[i - 1]))
      throw InvalidInput(
          fmt::format("amplitudes must ascend: number {} is {}, after {}", i + 1, amplitudes[i], amplitudes[i - 1]));
  }
  non_negative("damping_ratio", options.damping_ratio);
  if (options.max_loops < 1) throw InvalidInput(fmt::format("max_loops must be >= 1, got {}", options.max_loops));
}

}  // namespace

Rqnma rqnma(const JointedSystem& system, const Joint& joint, int mode, std::span<const double> amplitudes,
            const RqnmaOptions& options, const Progress& progress) {
  check(amplitudes, options);
  Run run(system, joint, mode, options);
  for (std::size_t i = 0; i < amplitudes.size() && !progress.stopped(); ++i) {
    progress.at(static_cast<double>(i) / static_cast<double>(amplitudes.size()), "backbone");
    run.add(amplitudes[i]);
  }
  return run.take();
}

LinearModes linear_modes(const JointedSystem& system, const Joint& joint, int count, const PrestressOptions& options) {
  const Condensed condensed = Condensed::for_mode(system, count);
  const Interface& interface = system.interface();
  std::optional<Prestress> at_rest;
  if (interface.contact == Contact::penalty) {
    const auto points = make_points(joint, interface.contact, interface.areas);
    at_rest = prestress(condensed, joint, *points, options);
  }
  const auto points = linear_points(condensed, initial_tangents(joint, interface, at_rest), 1, count);
  LinearModes modes{VectorXd(count), MatrixXd(system.size(), count)};
  for (int i = 0; i < count; ++i) {
    const QuasiStatic::Point& x = points[static_cast<std::size_t>(i)];
    modes.frequencies_hz(i) = std::sqrt(std::max(0.0, x.lambda)) / (2 * pi);
    modes.shapes.col(i) = condensed.expand(x.lambda, x.y);
  }
  return modes;
}

Backbone backbone_of(const Rqnma& result) {
  Backbone backbone;
  backbone.coordinate = "modal";
  for (const BackbonePoint& point : result.points) {
    backbone.amplitude.push_back(point.amplitude);
    backbone.frequency_hz.push_back(point.frequency_hz);
    backbone.damping_ratio.push_back(point.damping_ratio);
    backbone.dissipation.push_back(point.dissipation);
    backbone.flag.push_back(point.flag);
  }
  return backbone;
}

}  // namespace microslip
