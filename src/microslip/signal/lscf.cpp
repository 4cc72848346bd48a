#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/signal/lscf.hpp>

namespace microslip::signal {

namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
constexpr double pi = std::numbers::pi;

struct Pole {
  double frequency_hz, damping_ratio;
};

/// Receptance lines of every channel within the band.
struct Lines {
  std::vector<double> omega;
  std::vector<VectorXcd> h;  // [channel]
};

Lines receptances(const Frf& frf, const Band& band) {
  Lines lines;
  std::vector<std::size_t> bins;
  for (std::size_t k = 0; k < frf.frequency_hz.size(); ++k)
    if (frf.frequency_hz[k] >= band.lower_hz && frf.frequency_hz[k] <= band.upper_hz && frf.frequency_hz[k] > 0) {
      bins.push_back(k);
      lines.omega.push_back(2 * pi * frf.frequency_hz[k]);
    }
  for (std::size_t j = 0; j < frf.response.size(); ++j) {
    const auto& response = frf.response[j];
    const Quantity quantity = frf.quantities[j];
    VectorXcd h(static_cast<Index>(bins.size()));
    for (std::size_t i = 0; i < bins.size(); ++i) {
      const double w = lines.omega[i];
      const Complex divisor = quantity == Quantity::acceleration ? Complex(-w * w)
                              : quantity == Quantity::velocity   ? Complex(0, w)
                                                                 : Complex(1);
      h(static_cast<Index>(i)) = response[bins[i]] / divisor;
    }
    lines.h.push_back(std::move(h));
  }
  return lines;
}

/// sum_k g_k z_k^m for m = -order ... order.
VectorXcd moments(const VectorXcd& g, const VectorXcd& z, int order) {
  VectorXcd sums(2 * order + 1), power = VectorXcd::Ones(z.size());
  sums(order) = g.sum();
  for (int m = 1; m <= order; ++m) {
    power = power.cwiseProduct(z);
    sums(order + m) = g.cwiseProduct(power).sum();
    sums(order - m) = g.cwiseProduct(power.conjugate()).sum();
  }
  return sums;
}

MatrixXcd toeplitz(const VectorXcd& sums, int order, int highest) {
  MatrixXcd T(order + 1, order + 1);
  for (int i = 0; i <= order; ++i)
    for (int j = 0; j <= order; ++j) T(i, j) = sums(highest + j - i);
  return T;
}

std::vector<std::vector<Pole>> poles_by_order(const Lines& lines, const ModalOptions& options) {
  const double w1 = lines.omega.front(), step = pi / (lines.omega.back() - w1);
  const auto n = static_cast<Index>(lines.omega.size());
  const int highest = options.highest_order;
  VectorXcd z(n);
  for (Index k = 0; k < n; ++k) z(k) = std::polar(1.0, step * (lines.omega[static_cast<std::size_t>(k)] - w1));
  const VectorXcd ones = VectorXcd::Ones(n);
  const VectorXcd r = moments(ones, z, highest);
  std::vector<VectorXcd> s, t;
  for (const VectorXcd& h : lines.h) {
    if (!(h.norm() > 0)) continue;      // a dead sensor says nothing
    const double scale = 1 / h.norm();  // every other channel counts alike
    s.push_back(moments(scale * h, z, highest));
    t.push_back(moments((scale * scale) * h.cwiseAbs2().cast<Complex>(), z, highest));
  }
  std::vector<std::vector<Pole>> found;
  for (int order = 2; order <= highest; ++order) {
    const Eigen::LDLT<MatrixXcd> R(toeplitz(r, order, highest));
    MatrixXcd M = MatrixXcd::Zero(order + 1, order + 1);
    for (std::size_t o = 0; o < s.size(); ++o) {
      const MatrixXcd S = toeplitz(s[o], order, highest);  // X^H diag(h) X
      M += toeplitz(t[o], order, highest) - S.adjoint() * R.solve(S);
    }
    // The lowest coefficient is 1: numerical poles then come out unstable and are told apart by their sign.
    const VectorXcd a = -M.bottomRightCorner(order, order).ldlt().solve(M.bottomLeftCorner(order, 1));
    MatrixXcd companion = MatrixXcd::Zero(order, order);
    companion.diagonal(-1).setOnes();
    const Complex lead = a(order - 1);
    companion(0, order - 1) = -1.0 / lead;
    for (int i = 1; i < order; ++i) companion(i, order - 1) = -a(i - 1) / lead;
    const Eigen::ComplexEigenSolver<MatrixXcd> eigen(companion, false);
    std::vector<Pole> poles;
    for (Index i = 0; eigen.info() == Eigen::Success && i < order; ++i) {
      const Complex pole = std::log(eigen.eigenvalues()(i)) / step + Complex(0, w1);
      const double w = std::abs(pole), zeta = -pole.real() / w;
      if (pole.imag() > w1 && pole.imag() < lines.omega.back() && zeta > 0 && zeta < options.largest_damping)
        poles.push_back({w / (2 * pi), zeta});
    }
    found.push_back(std::move(poles));
  }
  return found;
}

/// Poles that stay while the order rises, by clusters of frequency.
std::vector<Pole> stable_poles(const std::vector<std::vector<Pole>>& by_order) {
  std::vector<Pole> steady;
  for (std::size_t k = 1; k < by_order.size(); ++k)
    for (const Pole& p : by_order[k])
      for (const Pole& q : by_order[k - 1])
        if (std::abs(p.frequency_hz - q.frequency_hz) < 2e-3 * p.frequency_hz &&
            std::abs(p.damping_ratio - q.damping_ratio) < 0.15 * p.damping_ratio) {
          steady.push_back(p);
          break;
        }
  std::sort(steady.begin(), steady.end(), [](const Pole& a, const Pole& b) { return a.frequency_hz < b.frequency_hz; });
  std::vector<Pole> modes;
  for (std::size_t i = 0; i < steady.size();) {
    std::size_t j = i;
    while (j + 1 < steady.size() && steady[j + 1].frequency_hz - steady[j].frequency_hz < 2e-3 * steady[j].frequency_hz)
      ++j;
    const std::size_t count = j - i + 1;
    if (2 * count > by_order.size()) {  // present in more than half of the orders
      std::vector<double> f, zeta;
      for (std::size_t k = i; k <= j; ++k) {
        f.push_back(steady[k].frequency_hz);
        zeta.push_back(steady[k].damping_ratio);
      }
      std::nth_element(f.begin(), f.begin() + static_cast<std::ptrdiff_t>(count / 2), f.end());
      std::nth_element(zeta.begin(), zeta.begin() + static_cast<std::ptrdiff_t>(count / 2), zeta.end());
      modes.push_back({f[count / 2], zeta[count / 2]});
    }
    i = j + 1;
  }
  return modes;
}

/// (1): real modal constants of every channel, and the relative misfit.
MatrixXd modal_constants(const Lines& lines, const std::vector<Pole>& poles, double& error) {
  const auto n = static_cast<Index>(lines.omega.size()), m = static_cast<Index>(poles.size());
  MatrixXd A(2 * n, m + 2);
  for (Index k = 0; k < n; ++k) {
    const double w = lines.omega[static_cast<std::size_t>(k)];
    for (Index r = 0; r < m; ++r) {
      const Pole& p = poles[static_cast<std::size_t>(r)];
      const double wr = 2 * pi * p.frequency_hz, decay = p.damping_ratio * wr, wd = std::sqrt(wr * wr - decay * decay);
      const Complex s(0, w);
      const Complex h = 1.0 / ((s + decay) * (s + decay) + wd * wd);
      A(k, r) = h.real();
      A(n + k, r) = h.imag();
    }
    A(k, m) = 1 / (w * w);
    A(k, m + 1) = 1;
    A(n + k, m) = A(n + k, m + 1) = 0;
  }
  Eigen::VectorXd scale = A.colwise().norm().transpose();
  const MatrixXd scaled = A * scale.cwiseInverse().asDiagonal();
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(scaled);
  MatrixXd constants(m, static_cast<Index>(lines.h.size()));
  double misfit = 0, total = 0;
  for (std::size_t o = 0; o < lines.h.size(); ++o) {
    Eigen::VectorXd b(2 * n);
    b << lines.h[o].real(), lines.h[o].imag();
    const Eigen::VectorXd x = qr.solve(b);
    misfit += (scaled * x - b).squaredNorm();
    total += b.squaredNorm();
    constants.col(static_cast<Index>(o)) = x.head(m).cwiseQuotient(scale.head(m));
  }
  error = std::sqrt(misfit / total);
  return constants;
}

}  // namespace

LinearModes estimate_modes(const Frf& frf, const ModalOptions& options) {
  if (!(options.band.lower_hz >= 0 && options.band.upper_hz > options.band.lower_hz))
    throw InvalidInput(
        fmt::format("band {} to {} Hz: expected 0 <= lower < upper", options.band.lower_hz, options.band.upper_hz));
  if (options.highest_order < 4 || options.highest_order > 100)
    throw InvalidInput(fmt::format("highest order must lie in [4, 100], got {}", options.highest_order));
  const Lines lines = receptances(frf, options.band);
  if (lines.omega.size() < 3 * static_cast<std::size_t>(options.highest_order))
    throw InvalidInput(fmt::format("band {} to {} Hz holds {} spectral lines, expected at least {}",
                                   options.band.lower_hz, options.band.upper_hz, lines.omega.size(),
                                   3 * options.highest_order));
  LinearModes modes;
  modes.shapes.sensors = frf.channels;
  modes.shapes.mass_normalised = !options.driving_point.empty();
  if (std::all_of(lines.h.begin(), lines.h.end(), [](const VectorXcd& h) { return !(h.norm() > 0); })) {
    modes.notes.emplace_back("no channel moves within the band, or there is no force there");
    return modes;
  }
  const auto poles = stable_poles(poles_by_order(lines, options));
  if (poles.empty()) {
    modes.notes.emplace_back("no pole stays as the order rises: no mode in the band, or too much noise");
    return modes;
  }
  const MatrixXd constants = modal_constants(lines, poles, modes.error);
  std::size_t driving = 0;
  if (!options.driving_point.empty()) {
    const auto it = std::find(frf.channels.begin(), frf.channels.end(), options.driving_point);
    if (it == frf.channels.end())
      throw InvalidInput(fmt::format("no channel '{}' at the driving point{}", options.driving_point,
                                     suggestion(options.driving_point, frf.channels)));
    driving = static_cast<std::size_t>(it - frf.channels.begin());
  }
  for (std::size_t r = 0; r < poles.size(); ++r) {
    const Eigen::VectorXd row = constants.row(static_cast<Index>(r)).transpose();
    Index top = 0;
    row.cwiseAbs().maxCoeff(&top);
    double scale = row(top);
    if (modes.shapes.mass_normalised) {
      const double at = row(static_cast<Index>(driving));
      if (!(at > 0)) {
        modes.notes.push_back(
            fmt::format("mode at {:.5g} Hz is left out: the response at the driving point is not positive, its shape "
                        "cannot be scaled: a node, or the wrong channel",
                        poles[r].frequency_hz));
        continue;
      }
      scale = std::sqrt(at);
    }
    std::vector<double> shape;
    for (Index o = 0; o < row.size(); ++o) shape.push_back(row(o) / scale);
    modes.frequency_hz.push_back(poles[r].frequency_hz);
    modes.damping_ratio.push_back(poles[r].damping_ratio);
    modes.shapes.value.push_back(std::move(shape));
  }
  modes.shapes.frequency_hz = modes.frequency_hz;
  return modes;
}

}  // namespace microslip::signal
