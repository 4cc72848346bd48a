#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>

#include <Eigen/QR>

#include <microslip/beam/finite_element_assembly.hpp>
#include <microslip/beam/harmonic_balance.hpp>
#include <microslip/core/check.hpp>

namespace microslip::beam {

namespace {

constexpr int most_iterations = 200;
constexpr std::size_t memory = 8;  ///< of Anderson's acceleration

/// Rows: 1, then sine and cosine of 1, ..., H; columns: instants of one period.
Eigen::MatrixXd waves(int n_harmonics, int n_times) {
  Eigen::MatrixXd rows(2 * n_harmonics + 1, n_times);
  for (int t = 0; t < n_times; ++t) {
    const double angle = 2 * std::numbers::pi * t / n_times;
    rows(0, t) = 1;
    for (int m = 1; m <= n_harmonics; ++m) {
      rows(2 * m - 1, t) = std::sin(m * angle);
      rows(2 * m, t) = std::cos(m * angle);
    }
  }
  return rows;
}

/// The beam's answer, per harmonic row, to what the sliders hold back: plastic(i, row) is k_t s - tau at point i.
class Balance {
 public:
  Balance(const FiniteElementBeam::Assembly& a, double force, int n_harmonics, NormalForce normal_force)
      : a_(a),
        force_(force),
        kn_(normal_force == NormalForce::dynamic ? a.model.support.normal_stiffness : 0),
        n_rows_(2 * n_harmonics + 1),
        n_times_(std::max(128, 16 * n_harmonics)),
        waves_(waves(n_harmonics, n_times_)) {
    for (int m = 0; m <= n_harmonics; ++m) operators_.push_back(a.stuck_stiffness(m * a.model.load.omega()));
  }

  [[nodiscard]] int n_rows() const { return n_rows_; }

  /// Sliding s, deflection w at all points (points x rows), and the displacement at the load, per row.
  void respond(const Eigen::MatrixXd& plastic, Eigen::MatrixXd& slide, Eigen::MatrixXd& deflect,
               Eigen::VectorXd& at_load) const {
    for (int row = 0; row < n_rows_; ++row) {
      std::vector<NodeVector> right(a_.nodes.size(), NodeVector::Zero());
      if (row == 1)
        for (std::size_t i = 0; i < right.size(); ++i) right[i] = force_ * a_.load[i];
      for (std::size_t i = 0; i < a_.points.size(); ++i) {
        const InterfacePoint& p = a_.points[i];
        const double push = p.weight * plastic(static_cast<Eigen::Index>(i), row);
        right[p.element] += push * p.slide.head<4>();
        right[p.element + 1] += push * p.slide.tail<4>();
      }
      const std::vector<NodeVector> d = operators_[static_cast<std::size_t>((row + 1) / 2)].solve(std::move(right));
      for (std::size_t i = 0; i < a_.points.size(); ++i) {
        const ElementVector both = local(d, a_.points[i].element);
        slide(static_cast<Eigen::Index>(i), row) = a_.points[i].slide.dot(both);
        deflect(static_cast<Eigen::Index>(i), row) = a_.points[i].deflect.dot(both);
      }
      at_load[row] = a_.displacement_at_load(d);
    }
  }

  /// k_t s - tau over the second of two marched cycles, as harmonics.
  [[nodiscard]] Eigen::MatrixXd held_back(const Eigen::MatrixXd& slide, const Eigen::MatrixXd& deflect) const {
    const double kt = a_.model.support.tangential_stiffness, mu = a_.model.support.friction_coefficient;
    const Eigen::MatrixXd s = slide * waves_, w = deflect * waves_;
    Eigen::MatrixXd plastic = Eigen::MatrixXd::Zero(s.rows(), n_times_);
    for (Eigen::Index i = 0; i < s.rows(); ++i) {
      const double q = a_.points[static_cast<std::size_t>(i)].pressure;
      if (q <= 0) continue;  // the stuck operator has no spring there either
      double slider = 0;
      for (int cycle = 0; cycle < 2; ++cycle)
        for (int t = 0; t < n_times_; ++t) {
          const double limit = std::max(0.0, mu * (q + kn_ * w(i, t)));
          const double trial = kt * (s(i, t) - slider);
          if (std::abs(trial) > limit) slider = s(i, t) - std::copysign(limit, trial) / kt;
          plastic(i, t) = kt * slider;
        }
    }
    Eigen::MatrixXd rows = plastic * waves_.transpose() * (2.0 / n_times_);
    rows.col(0) /= 2;
    return rows;
  }

 private:
  const FiniteElementBeam::Assembly& a_;
  double force_, kn_;
  int n_rows_, n_times_;
  Eigen::MatrixXd waves_;
  std::vector<BlockTridiagonal<4>> operators_;
};

/// The next iterate from the last ones and their images, x -> g(x), by least squares over the changes.
Eigen::VectorXd anderson(const std::deque<Eigen::VectorXd>& x, const std::deque<Eigen::VectorXd>& g) {
  const auto n = static_cast<Eigen::Index>(x.size());
  if (n == 1) return g.back();
  Eigen::MatrixXd change(x.back().size(), n - 1), image(x.back().size(), n - 1);
  const Eigen::VectorXd residual = g.back() - x.back();
  for (Eigen::Index k = 0; k + 1 < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    image.col(k) = g[i + 1] - g[i];
    change.col(k) = (g[i + 1] - x[i + 1]) - (g[i] - x[i]);
  }
  const Eigen::VectorXd weights = change.completeOrthogonalDecomposition().solve(residual);
  return g.back() - image * weights;
}

}  // namespace

SuperHarmonics super_harmonics(const FiniteElementBeam& beam, double force, int n_harmonics, NormalForce normal_force) {
  const FiniteElementBeam::Assembly& a = beam.assembly();
  positive("force", force);
  positive("load.frequency_hz", a.model.load.frequency_hz);
  if (n_harmonics < 1) throw InvalidInput(fmt::format("n_harmonics must be >= 1, got {}", n_harmonics));
  const Balance balance(a, force, n_harmonics, normal_force);
  const auto n = static_cast<Eigen::Index>(a.points.size());
  Eigen::MatrixXd plastic = Eigen::MatrixXd::Zero(n, balance.n_rows());
  Eigen::MatrixXd slide = plastic, deflect = plastic;
  Eigen::VectorXd at_load = Eigen::VectorXd::Zero(balance.n_rows()), before = at_load;

  SuperHarmonics result;
  result.outcome = Outcome::iteration_limit;
  std::deque<Eigen::VectorXd> x, g;
  while (result.iterations < most_iterations) {
    ++result.iterations;
    balance.respond(plastic, slide, deflect, at_load);
    result.residual = (at_load - before).norm() / at_load.norm();
    before = at_load;
    if (result.iterations > 1 && result.residual <= 1e-10) {
      result.outcome = Outcome::converged;
      break;
    }
    const Eigen::MatrixXd image = balance.held_back(slide, deflect);
    x.push_back(Eigen::Map<const Eigen::VectorXd>(plastic.data(), plastic.size()));
    g.push_back(Eigen::Map<const Eigen::VectorXd>(image.data(), image.size()));
    if (x.size() > memory) {
      x.pop_front();
      g.pop_front();
    }
    const Eigen::VectorXd next = anderson(x, g);
    plastic = Eigen::Map<const Eigen::MatrixXd>(next.data(), plastic.rows(), plastic.cols());
  }

  HarmonicSeries& w = result.displacement;
  w.frequency_hz = a.model.load.frequency_hz;
  w.mean = at_load[0];
  for (int m = 1; m <= n_harmonics; ++m) {
    w.sine.push_back(at_load[2 * m - 1]);
    w.cosine.push_back(at_load[2 * m]);
  }
  result.acceleration = w;
  result.acceleration.mean = 0;
  for (std::size_t i = 0; i < w.sine.size(); ++i) {
    const double omega = static_cast<double>(i + 1) * a.model.load.omega();
    result.acceleration.sine[i] *= -omega * omega;
    result.acceleration.cosine[i] *= -omega * omega;
  }
  result.dissipation = -std::numbers::pi * force * w.cosine[0];
  return result;
}

}  // namespace microslip::beam
