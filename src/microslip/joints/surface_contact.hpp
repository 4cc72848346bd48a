#pragma once

#include <microslip/joints/contact_law.hpp>
#include <microslip/joints/normal_contact.hpp>
#include <microslip/joints/sliding_2d.hpp>

namespace microslip {

/// Memory of a point of a surface in contact.
template <class S>
struct SurfaceState {
  ContactMotion<S> at{};   ///< relative displacement at the last accepted instant; separated where at.n <= 0
  Vector2<S> slider{};     ///< traction of the spring in series with the slider, without the post-slip spring
  Vector2<S> reference{};  ///< where the post-slip spring is free: zero, or where contact was last re-established
};

/// Slip limit of a surface in contact: the same at any normal force, or in proportion to it.
template <class S>
struct ConstantLimit {
  S ts;
  S slope{0};
  [[nodiscard]] S at(const S& /*un*/) const { return ts; }
};
template <class S>
struct ProportionalLimit {
  S slope;  ///< mu kn
  [[nodiscard]] S at(const S& un) const { return slope * un; }
};

/// The two-dimensional laws share everything but their limit. Contact is lost and found again where the normal
/// displacement passes zero on the straight path [Porter2022, Eq. 5]; what the springs hold when contact is lost is
/// dissipated; when it is found again the traction starts from zero and the post-slip spring's reference is there.
template <class S, class Limit, class Normal>
class SurfaceStep {
 public:
  SurfaceStep(const S& kt, const S& kp, const Limit& limit, const Normal& normal, const SurfaceState<S>& from,
              const ContactMotion<S>& to)
      : state_{.at = to, .slider = {}, .reference = from.reference} {
    const bool was_closed = !Normal::separates || from.at.n > S(0), is_closed = !Normal::separates || to.n > S(0);
    const Vector2<S> u_0{from.at.x, from.at.y}, u_1{to.x, to.y}, move = u_1 - u_0;
    if (is_closed) {
      // The part of the move made in contact, and its derivative with the normal displacement.
      const S share = was_closed ? S(1) : S(to.n / (to.n - from.at.n));
      const S d_share = was_closed ? S(0) : S(-from.at.n / ((to.n - from.at.n) * (to.n - from.at.n)));
      const Vector2<S> du = was_closed ? move : share * move;
      if (!was_closed) state_.reference = u_1 - du;
      const Vector2<S> held = was_closed ? from.slider : Vector2<S>{};
      const Sliding2d<S> slide(kt, held, limit.at(was_closed ? from.at.n : S(0)), du, limit.at(to.n));
      state_.slider = slide.traction();
      const Vector2<S> t = slide.traction() + kp * (was_closed ? u_1 - from.reference : du);
      const auto d = slide.tangent();
      const S xx = d.xx + kp, yy = d.yy + kp;
      const Vector2<S> dn =
          limit.slope * d.limit + d_share * Vector2<S>{xx * move.x + d.xy * move.y, d.yx * move.x + yy * move.y};
      response_ = {.force = {t.x, t.y, S(0)},
                   .tangent = {{{share * xx, share * d.xy, dn.x}, {share * d.yx, share * yy, dn.y}, {}}},
                   .dissipated = slide.dissipated()};
    } else if (was_closed) {
      const Vector2<S> du = (from.at.n / (from.at.n - to.n)) * move;
      const Sliding2d<S> slide(kt, from.slider, limit.at(from.at.n), du, limit.at(S(0)));
      const Vector2<S> t = slide.traction(), stretch = u_0 + du - from.reference;
      response_.dissipated = slide.dissipated() + S(0.5) * (dot(t, t) / kt + kp * dot(stretch, stretch));
    }
    response_.force[2] = normal.force(to.n);
    response_.tangent[2] = {S(0), S(0), normal.tangent(to.n)};
  }

  [[nodiscard]] const ContactResponse<S>& response() const { return response_; }
  /// Takes the step: the state is then at its end.
  ContactResponse<S> accept(SurfaceState<S>& state) const {
    state = state_;
    return response_;
  }

 private:
  SurfaceState<S> state_;
  ContactResponse<S> response_{};
};

/// Energy in the springs of such a point.
template <class S, class Normal>
S surface_stored(const S& kt, const S& kp, const Normal& normal, const SurfaceState<S>& s) {
  const S pressed = normal.stored(s.at.n);
  if (Normal::separates && !(s.at.n > S(0))) return pressed;
  const Vector2<S> stretch = Vector2<S>{s.at.x, s.at.y} - s.reference;
  return pressed + S(0.5) * (dot(s.slider, s.slider) / kt + kp * dot(stretch, stretch));
}

}  // namespace microslip
