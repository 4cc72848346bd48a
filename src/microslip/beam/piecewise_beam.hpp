#pragma once

#include <array>
#include <vector>

#include <microslip/beam/model.hpp>
#include <microslip/beam/polynomial.hpp>

namespace microslip::beam {

/// A function of x in polynomial pieces that follow each other.
class PiecewisePolynomial {
 public:
  /// Pieces are added from left to right.
  void add(double from, double to, const Polynomial& coefficients);

  [[nodiscard]] double at(double x) const;
  [[nodiscard]] double integral() const;  ///< over all pieces
  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  [[nodiscard]] double from() const { return pieces_.front().from; }
  [[nodiscard]] double to() const { return pieces_.back().to; }
  [[nodiscard]] std::vector<double> breaks() const;
  /// The piece that holds [from, to], as a polynomial over that stretch. The stretch crosses no break.
  [[nodiscard]] Polynomial over(double from, double to) const;

 private:
  struct Piece {
    double from, to;
    Polynomial coefficients;
  };
  [[nodiscard]] const Piece& holding(double x) const;
  std::vector<Piece> pieces_;
};

/// What acts on one stretch of the beam. All coefficients are constant over it, but for the pressure where it slips.
struct Stretch {
  double from, to;
  double normal_stiffness = 0;      ///< k_n
  double tangential_stiffness = 0;  ///< k_t where stuck
  double slip = 0;              ///< sigma mu where slipping: the traction is slip * (pressure + dynamic_pressure k_n w)
  double dynamic_pressure = 0;  ///< 1: the dynamic deflection adds to the pressure [Asadi2012, Eq. 17]
  double lateral_load = 0;      ///< force per length on the beam, along w
};

/// What is fixed to the beam, or acts on it, at one place.
struct Attachment {
  double position;
  double mass = 0;             ///< on w and u
  double rotary_inertia = 0;   ///< on w'
  double axial_stiffness = 0;  ///< on u
  double lateral_force = 0;
  double axial_force = 0;
};

/// Deflection w, slope phi = w', axial displacement u, and what they are conjugate to.
enum class Component { w, phi, u, V, M, N };

/// The motion of the whole beam, as polynomials of round-off accuracy.
class Field {
 public:
  struct Piece {
    double from, to;
    std::array<Polynomial, 6> components;
  };
  explicit Field(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {}

  [[nodiscard]] double at(double x, Component component) const;
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  std::vector<Piece> pieces_;
};

/// The exact harmonic beam in pieces: on every stretch the equations of motion
///   w' = phi,  phi' = M/EI,  u' = N/EA,
///   V' = (k_n - rho A omega^2) w - p,
///   M' = -V - rho I omega^2 phi - (h/2) tau,
///   N' = tau - rho A omega^2 u,
///   tau = k_t (u - h/2 phi) where stuck, sigma mu (q + k_n w) where slipping, 0 elsewhere
/// have constant coefficients. Their Taylor series over pieces short against every wave and decay length gives the
/// transfer matrix to round-off, rearranged into a stiffness matrix so that growing and decaying solutions never mix:
/// no stretch is too long, no k_n too stiff. Only a k_t whose shear decays over a small part of the length that k_n
/// lets the beam bend costs digits, see most_tangential_stiffness. V, M, N are continuous by construction, which is
/// where this departs from [Asadi2012, Eqs. 15, 20]: w''' jumps by (h/2) tau / EI where the support ends. Derivation:
/// docs/theory/beam.md.
class PiecewiseBeam {
 public:
  /// Stretches cover [0, length] in order; `pressure` is needed where a stretch slips.
  PiecewiseBeam(const Beam& beam, std::vector<Stretch> stretches, std::vector<Attachment> attachments,
                const PiecewisePolynomial* pressure = nullptr);

  /// The motion under the attached and distributed forces.
  [[nodiscard]] Field solve(double omega) const;
  /// The number of natural frequencies below omega (Wittrick and Williams' count, exact). No stretch slips.
  [[nodiscard]] int count_below(double omega) const;
  /// The free motion at a natural frequency, scaled to a largest nodal value of 1.
  [[nodiscard]] Field shape(double omega) const;

 private:
  struct Piece;
  struct Element;
  struct Chain;
  [[nodiscard]] std::vector<Piece> cut(double omega) const;
  [[nodiscard]] std::vector<Element> group(const std::vector<Piece>& pieces) const;
  [[nodiscard]] Chain assemble(double omega) const;

  Beam beam_;
  std::vector<Stretch> stretches_;
  std::vector<Attachment> attachments_;
  const PiecewisePolynomial* pressure_;
};

}  // namespace microslip::beam
