#include <algorithm>
#include <cmath>
#include <limits>

#include <microslip/beam/block_tridiagonal.hpp>
#include <microslip/beam/piecewise_beam.hpp>
#include <microslip/core/check.hpp>

namespace microslip::beam {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// The coefficients of the equations of motion on a stretch, for one frequency.
struct Coefficients {
  double EI, EA, half_height, longest;
  double lateral;   ///< k_n - rho A omega^2
  double rotary;    ///< rho I omega^2
  double inertial;  ///< rho A omega^2
  double kt;        ///< k_t where stuck, else 0
  double slip;      ///< sigma mu where slipping, else 0
  double slip_kn;   ///< sigma mu k_n where the pressure follows w
  double load;      ///< p

  bool operator==(const Coefficients&) const = default;

  Coefficients(const Beam& beam, const Stretch& s, double omega)
      : EI(beam.bending_stiffness()),
        EA(beam.axial_stiffness()),
        half_height(beam.height / 2),
        longest(beam.length),
        lateral(s.normal_stiffness - beam.mass_per_length() * omega * omega),
        rotary(beam.inertia_per_length() * omega * omega),
        inertial(beam.mass_per_length() * omega * omega),
        kt(s.tangential_stiffness),
        slip(s.slip),
        slip_kn(s.slip * s.dynamic_pressure * s.normal_stiffness),
        load(s.lateral_load) {}

  /// A length that is short against every wave and decay length: the series over it converges as 1/n!.
  [[nodiscard]] double piece_length() const {
    const double rate =
        std::max({std::pow(std::abs(lateral) / EI, 0.25), std::sqrt((kt * half_height * half_height + rotary) / EI),
                  std::sqrt((kt + inertial) / EA), std::cbrt(std::abs(slip_kn) * half_height / EI)});
    return 1 / std::max(rate, 1 / longest);
  }
};

/// The series over a piece of the given length, from the state at its left end.
std::array<Polynomial, 6> series(const Coefficients& c, double length, const Vector6& start, const Polynomial* q,
                                 double load) {
  std::array<Polynomial, 6> s;
  for (std::size_t i = 0; i < 6; ++i) s[i][0] = start[static_cast<int>(i)];
  auto& [w, phi, u, V, M, N] = s;
  for (std::size_t k = 0; k + 1 < n_terms; ++k) {
    const double step = length / static_cast<double>(k + 1);
    double tau = c.kt * (u[k] - c.half_height * phi[k]) + c.slip_kn * w[k];
    if (q != nullptr) tau += c.slip * (*q)[k];
    w[k + 1] = step * phi[k];
    phi[k + 1] = step * M[k] / c.EI;
    u[k + 1] = step * N[k] / c.EA;
    V[k + 1] = step * (c.lateral * w[k] - (k == 0 ? load : 0));
    M[k + 1] = step * (-V[k] - c.rotary * phi[k] - c.half_height * tau);
    N[k + 1] = step * (tau - c.inertial * u[k]);
  }
  return s;
}

Vector6 end_of(const std::array<Polynomial, 6>& s) {
  Vector6 end;
  for (std::size_t i = 0; i < 6; ++i) end[static_cast<int>(i)] = value(s[i], 1);
  return end;
}

/// Homogeneous transfer matrix over a piece, column by column.
Matrix6 transfer(const Coefficients& c, double length) {
  Matrix6 T;
  for (int j = 0; j < 6; ++j) T.col(j) = end_of(series(c, length, Vector6::Unit(j), nullptr, 0));
  return T;
}

}  // namespace

void PiecewisePolynomial::add(double from, double to, const Polynomial& coefficients) {
  pieces_.push_back({from, to, coefficients});
}

const PiecewisePolynomial::Piece& PiecewisePolynomial::holding(double x) const {
  auto it = std::upper_bound(pieces_.begin(), pieces_.end(), x, [](double y, const Piece& p) { return y < p.to; });
  return it == pieces_.end() ? pieces_.back() : *it;
}

double PiecewisePolynomial::integral() const {
  double sum = 0;
  for (const Piece& p : pieces_)
    for (std::size_t k = 0; k < p.coefficients.size(); ++k)
      sum += (p.to - p.from) * p.coefficients[k] / static_cast<double>(k + 1);
  return sum;
}

double PiecewisePolynomial::at(double x) const {
  if (empty()) return 0;
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(from()), std::abs(to()));
  if (x < from() - rounding || x > to() + rounding) return 0;
  const Piece& p = holding(x);
  return value(p.coefficients, (x - p.from) / (p.to - p.from));
}

std::vector<double> PiecewisePolynomial::breaks() const {
  std::vector<double> x;
  for (const Piece& p : pieces_) x.push_back(p.from);
  if (!pieces_.empty()) x.push_back(pieces_.back().to);
  return x;
}

Polynomial PiecewisePolynomial::over(double from, double to) const {
  const Piece& p = holding((from + to) / 2);
  const double size = p.to - p.from;
  return restricted(p.coefficients, (from - p.from) / size, (to - from) / size);
}

double Field::at(double x, Component component) const {
  auto it = std::upper_bound(pieces_.begin(), pieces_.end(), x, [](double y, const Piece& p) { return y < p.to; });
  const Piece& p = it == pieces_.end() ? pieces_.back() : *it;
  return value(p.components[static_cast<std::size_t>(component)], (x - p.from) / (p.to - p.from));
}

/// A piece of beam with constant coefficients.
struct PiecewiseBeam::Piece {
  double from, to;
  Coefficients coefficients;
  bool slips;
  Polynomial pressure;  ///< over the piece, where it slips

  [[nodiscard]] std::array<Polynomial, 6> motion(const Vector6& start, bool loaded) const {
    if (!loaded) return series(coefficients, to - from, start, nullptr, 0);
    return series(coefficients, to - from, start, slips ? &pressure : nullptr, coefficients.load);
  }
  [[nodiscard]] bool has_load() const { return slips || coefficients.load != 0; }
};

/// Pieces between two nodes, passed by transfer: a front that leaves a sliver between two pieces does no harm here,
/// while a stiffness matrix of the sliver (EI / length^3) would drown all others.
struct PiecewiseBeam::Element {
  std::vector<Piece> pieces;
  Matrix6 T = Matrix6::Identity();
  Vector6 particular =
      Vector6::Zero();  ///< state at the right end from rest at the left, under the element's own loads
  Eigen::Matrix3d T_df_inverse = {};
};

struct PiecewiseBeam::Chain {
  std::vector<Element> elements;
  BlockTridiagonal<3> matrix;
  std::vector<Eigen::Vector3d> right;

  /// The motion between the nodes, from the motion of the nodes. Free motion leaves the loads out.
  [[nodiscard]] Field field(const std::vector<Eigen::Vector3d>& d, bool loaded) const {
    std::vector<Field::Piece> pieces;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const Element& e = elements[i];
      Eigen::Vector3d reach = d[i + 1] - e.T.topLeftCorner<3, 3>() * d[i];
      if (loaded) reach -= e.particular.head<3>();
      Vector6 start;
      start << d[i], e.T_df_inverse * reach;
      for (const Piece& piece : e.pieces) {
        pieces.push_back({piece.from, piece.to, piece.motion(start, loaded)});
        start = end_of(pieces.back().components);
      }
    }
    return Field(std::move(pieces));
  }
};

PiecewiseBeam::PiecewiseBeam(const Beam& beam, std::vector<Stretch> stretches, std::vector<Attachment> attachments,
                             const PiecewisePolynomial* pressure)
    : beam_(beam), stretches_(std::move(stretches)), attachments_(std::move(attachments)), pressure_(pressure) {}

std::vector<PiecewiseBeam::Piece> PiecewiseBeam::cut(double omega) const {
  std::vector<Piece> pieces;
  const double tiny = beam_.length * 1e-15;
  for (const Stretch& stretch : stretches_) {
    const bool slips = stretch.slip != 0;
    std::vector<double> cuts{stretch.from, stretch.to};
    const auto add = [&](double x) {
      if (x > stretch.from + tiny && x < stretch.to - tiny) cuts.push_back(x);
    };
    for (const Attachment& a : attachments_) add(a.position);
    if (slips)
      for (double x : pressure_->breaks()) add(x);
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
      if (cuts[i + 1] - cuts[i] > tiny)
        pieces.push_back({.from = cuts[i],
                          .to = cuts[i + 1],
                          .coefficients = {beam_, stretch, omega},
                          .slips = slips,
                          .pressure = {}});
  }
  return pieces;
}

std::vector<PiecewiseBeam::Element> PiecewiseBeam::group(const std::vector<Piece>& pieces) const {
  const auto is_node = [&](double x) {
    const auto there = [&](const Attachment& a) { return std::abs(a.position - x) <= beam_.length * 1e-14; };
    return std::any_of(attachments_.begin(), attachments_.end(), there);
  };
  std::vector<Element> elements;
  for (std::size_t first = 0; first < pieces.size();) {
    std::size_t last = first;
    const auto size = [&](std::size_t i) {
      return (pieces[i].to - pieces[i].from) / pieces[i].coefficients.piece_length();
    };
    double total = size(first);
    while (last + 1 < pieces.size() && !is_node(pieces[last].to)) total += size(++last);
    // Between two attachments: elements of equal size in units of the local length, cut inside pieces where they fall.
    const double n = std::max(1.0, std::ceil(total)), share = total / n;
    double passed = 0;
    elements.emplace_back();
    for (std::size_t i = first; i <= last; ++i) {
      const double unit = pieces[i].coefficients.piece_length();
      double from = pieces[i].from;
      while (true) {
        Piece part = pieces[i];
        part.from = from;
        const double end = from + (share - passed) * unit;
        const bool whole = end >= pieces[i].to - 1e-9 * unit;
        part.to = whole ? pieces[i].to : end;
        if (part.slips) part.pressure = pressure_->over(part.from, part.to);
        elements.back().pieces.push_back(part);
        if (whole) {
          passed += (part.to - from) / unit;
          if (passed >= share * (1 - 1e-6) && i < last) {
            elements.emplace_back();
            passed = 0;
          }
          break;
        }
        elements.emplace_back();
        passed = 0;
        from = end;
      }
    }
    first = last + 1;
  }
  return elements;
}

PiecewiseBeam::Chain PiecewiseBeam::assemble(double omega) const {
  std::vector<Element> elements = group(cut(omega));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Element& e = elements[i];
    const Piece& p = e.pieces.front();
    const Element* before = i > 0 ? &elements[i - 1] : nullptr;
    // Neighbours of one kind and length, the rule on a stiff support, share their matrices.
    if (before != nullptr && e.pieces.size() == 1 && before->pieces.size() == 1 && !p.has_load() &&
        !before->pieces.front().has_load() && p.coefficients == before->pieces.front().coefficients &&
        std::abs((p.to - p.from) - (before->pieces.front().to - before->pieces.front().from)) <=
            1e-13 * (p.to - p.from)) {
      e.T = before->T;
      e.T_df_inverse = before->T_df_inverse;
      continue;
    }
    for (const Piece& piece : e.pieces) {
      const Matrix6 T = transfer(piece.coefficients, piece.to - piece.from);
      e.T = T * e.T;
      e.particular = T * e.particular;
      if (piece.has_load()) e.particular += end_of(piece.motion(Vector6::Zero(), true));
    }
    e.T_df_inverse = e.T.topRightCorner<3, 3>().inverse();
  }

  const std::size_t n = elements.size();
  BlockTridiagonal<3> matrix(n + 1);
  std::vector<Eigen::Vector3d> right(n + 1, Eigen::Vector3d::Zero());
  for (std::size_t i = 0; i < n; ++i) {
    const Element& e = elements[i];
    // Transfer (d_1, f_1) = T (d_0, f_0) + particular, rearranged: nodal forces (-f_0, f_1) = S (d_0, d_1) + g.
    const auto T_dd = e.T.topLeftCorner<3, 3>(), T_fd = e.T.bottomLeftCorner<3, 3>(),
               T_ff = e.T.bottomRightCorner<3, 3>();
    const Eigen::Matrix3d& B = e.T_df_inverse;
    const Eigen::Matrix3d B_Tdd = B * T_dd, Tff_B = T_ff * B;
    matrix.diagonal[i] += B_Tdd;
    matrix.upper[i] -= B;
    matrix.lower[i] += T_fd - T_ff * B_Tdd;
    matrix.diagonal[i + 1] += Tff_B;
    const Eigen::Vector3d p_d = e.particular.head<3>(), p_f = e.particular.tail<3>();
    right[i] -= B * p_d;
    right[i + 1] -= p_f - Tff_B * p_d;
  }
  for (const Attachment& a : attachments_) {
    std::size_t node = n;
    double nearest = std::abs(elements.back().pieces.back().to - a.position);
    for (std::size_t i = 0; i < n; ++i) {
      const double distance = std::abs(elements[i].pieces.front().from - a.position);
      if (distance < nearest) {
        node = i;
        nearest = distance;
      }
    }
    const double omega_2 = omega * omega;
    matrix.diagonal[node](0, 0) -= a.mass * omega_2;
    matrix.diagonal[node](1, 1) -= a.rotary_inertia * omega_2;
    matrix.diagonal[node](2, 2) += a.axial_stiffness - a.mass * omega_2;
    right[node][0] += a.lateral_force;
    right[node][2] += a.axial_force;
  }
  return {std::move(elements), std::move(matrix), std::move(right)};
}

Field PiecewiseBeam::solve(double omega) const {
  const Chain chain = assemble(omega);
  return chain.field(chain.matrix.solve(chain.right), true);
}

int PiecewiseBeam::count_below(double omega) const { return assemble(omega).matrix.negative_eigenvalues(); }

Field PiecewiseBeam::shape(double omega) const {
  const Chain chain = assemble(omega);
  std::vector<Eigen::Vector3d> d(chain.right.size());
  // Inverse iteration from a vector that no shape is orthogonal to; the matrix is singular to round-off.
  for (std::size_t i = 0; i < d.size(); ++i) {
    const double x = static_cast<double>(i + 1);
    d[i] = {std::sin(x), std::cos(2 * x), std::sin(3 * x + 1)};
  }
  for (int pass = 0; pass < 3; ++pass) {
    d = chain.matrix.solve(d);
    double largest = 0;
    for (const auto& node : d) largest = std::max({largest, std::abs(node[0]), std::abs(node[2])});
    for (auto& node : d) node /= largest;
  }
  return chain.field(d, false);
}

}  // namespace microslip::beam
