#pragma once

#include <microslip/joints/contact_law.hpp>
#include <microslip/joints/elastic_dry_friction.hpp>
#include <microslip/joints/normal_contact.hpp>
#include <microslip/joints/stored_energy.hpp>

namespace microslip {

/// A law whose strength follows a normal force that is told with each move.
template <class L>
concept NormalCoupledLaw = FrictionLaw<L> && requires(const L law, const typename L::State s, typename L::Scalar u) {
  { law.evaluate(s, u, u) } -> std::same_as<CoupledResponse<typename L::Scalar>>;
};

/// A patch of a whole joint: the same one-dimensional law along x and along y, each for itself, and normal contact
/// [Porter2022, sections 2.1 and 2.2]. With `NormalPenalty` contact is lost and found where the normal displacement
/// passes zero on the straight path: what the laws have stored when it is lost is dissipated, and each starts anew,
/// with displacement counted from there, where it is found again [Eq. 5]. A law coupled to the normal force gets it
/// from the penalty contact; with `NormalSpring` it keeps its own constant one. Derivation: docs/theory/contact.md.
template <FrictionLaw Law, template <class> class Normal = NormalSpring>
struct PatchContact {
  using Scalar = typename Law::Scalar;
  using S = Scalar;
  static constexpr std::string_view name = Law::name;
  static constexpr bool coupled = NormalCoupledLaw<Law> && Normal<S>::separates;
  static_assert(StoresEnergy<Law> || !Normal<S>::separates,
                "the energy that separation releases must be known: give the law stored(State)");

  Law tangential;
  Normal<S> normal;

  struct State {
    typename Law::State x{}, y{};
    ContactMotion<S> at{};
    ContactMotion<S> origin{};  ///< where the laws' displacements are counted from (x and y)
  };

  [[nodiscard]] ContactResponse<S> evaluate(const State& s, const ContactMotion<S>& u) const {
    ContactResponse<S> r = pressed(u);
    if constexpr (coupled) {
      const S fn = normal.normal_stiffness * u.n;
      couple(r, 0, tangential.evaluate(s.x, u.x, fn));
      couple(r, 1, tangential.evaluate(s.y, u.y, fn));
    } else if (closed(u) && closed(s.at)) {
      add(r, 0, tangential.evaluate(s.x, u.x - s.origin.x), S(1), S(0));
      add(r, 1, tangential.evaluate(s.y, u.y - s.origin.y), S(1), S(0));
    } else if (closed(u)) {
      const Closing c(s.at, u);
      const typename Law::State fresh{};
      add(r, 0, tangential.evaluate(fresh, c.dx), c.share, c.d_share * (u.x - s.at.x));
      add(r, 1, tangential.evaluate(fresh, c.dy), c.share, c.d_share * (u.y - s.at.y));
    } else if (closed(s.at)) {
      State opened = s;
      r.dissipated = open(opened, u);
    }
    return r;
  }

  ContactResponse<S> advance(State& s, const ContactMotion<S>& u) const {
    ContactResponse<S> r = pressed(u);
    if constexpr (coupled) {
      const S fn = normal.normal_stiffness * u.n;
      couple(r, 0, tangential.advance(s.x, u.x, fn));
      couple(r, 1, tangential.advance(s.y, u.y, fn));
    } else if (closed(u) && closed(s.at)) {
      add(r, 0, tangential.advance(s.x, u.x - s.origin.x), S(1), S(0));
      add(r, 1, tangential.advance(s.y, u.y - s.origin.y), S(1), S(0));
    } else if (closed(u)) {
      const Closing c(s.at, u);
      s.x = {};
      s.y = {};
      s.origin = {u.x - c.dx, u.y - c.dy, S(0)};
      add(r, 0, tangential.advance(s.x, c.dx), c.share, c.d_share * (u.x - s.at.x));
      add(r, 1, tangential.advance(s.y, c.dy), c.share, c.d_share * (u.y - s.at.y));
    } else if (closed(s.at)) {
      r.dissipated = open(s, u);
    }
    s.at = u;
    return r;
  }

  /// Energy in the normal spring and stored by both laws.
  [[nodiscard]] S stored(const State& s) const requires StoresEnergy<Law> {
    if (!closed(s.at)) return S(0);
    return normal.stored(s.at.n) + stored_energy(tangential, s.x, s.at.x - s.origin.x) +
           stored_energy(tangential, s.y, s.at.y - s.origin.y);
  }

  template <class T>
  [[nodiscard]] auto cast() const {
    using Other = decltype(tangential.template cast<T>());
    return PatchContact<Other, Normal>{tangential.template cast<T>(), normal.template cast<T>()};
  }

 private:
  /// The part of a move that is made in contact when it begins with a gap.
  struct Closing {
    S share, d_share;  // and its derivative with the normal displacement
    S dx, dy;
    Closing(const ContactMotion<S>& from, const ContactMotion<S>& to)
        : share(to.n / (to.n - from.n)),
          d_share(-from.n / ((to.n - from.n) * (to.n - from.n))),
          dx(share * (to.x - from.x)),
          dy(share * (to.y - from.y)) {}
  };

  static bool closed(const ContactMotion<S>& u) { return !Normal<S>::separates || u.n > S(0); }

  [[nodiscard]] ContactResponse<S> pressed(const ContactMotion<S>& u) const {
    ContactResponse<S> r;
    r.force[2] = normal.force(u.n);
    r.tangent[2][2] = normal.tangent(u.n);
    return r;
  }
  static void add(ContactResponse<S>& r, std::size_t i, const Response<S>& one, const S& share, const S& by_normal) {
    r.force[i] = one.force;
    r.tangent[i][i] = share * one.tangent;
    r.tangent[i][2] = by_normal * one.tangent;
    r.dissipated += one.dissipated;
  }
  void couple(ContactResponse<S>& r, std::size_t i, const CoupledResponse<S>& one) const {
    r.force[i] = one.force;
    r.tangent[i][i] = one.tangent;
    r.tangent[i][2] = one.tangent_normal * normal.normal_stiffness;
    r.dissipated += one.dissipated;
  }

  /// Takes the laws to where contact is lost and leaves them new; all that they lose on the way and hold there.
  [[nodiscard]] S open(State& s, const ContactMotion<S>& to) const {
    const S share = s.at.n / (s.at.n - to.n);
    const S x = s.at.x + share * (to.x - s.at.x) - s.origin.x, y = s.at.y + share * (to.y - s.at.y) - s.origin.y;
    S lost = tangential.advance(s.x, x).dissipated + tangential.advance(s.y, y).dissipated;
    lost += stored_energy(tangential, s.x, x) + stored_energy(tangential, s.y, y);
    s.x = {};
    s.y = {};
    return lost;
  }
};
static_assert(ContactLaw<PatchContact<ElasticDryFriction<double>, NormalPenalty>>);

/// The patch, if its parameters are physical.
template <FrictionLaw Law, template <class> class Normal>
requires std::same_as<typename Law::Scalar, double> PatchContact<Law, Normal> checked(
    const PatchContact<Law, Normal>& patch) {
  return {.tangential = checked(patch.tangential), .normal = checked(patch.normal)};
}

}  // namespace microslip
