#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include <microslip/joints/friction_law.hpp>

namespace microslip {

/// A point of a monotonic curve f(x), x >= 0.
template <class Scalar>
struct Curve {
  Scalar force;    ///< f(x)
  Scalar tangent;  ///< f'(x)
  Scalar loss;     ///< G(x) = 2 int_0^x f - x f: a quarter of the Masing loop's energy at amplitude x
};

/// A law that knows its monotonic curve. For a Masing law G(x) is also the energy lost on first loading to x.
template <class L>
concept HasCurve = requires(const L law, typename L::Scalar x) {
  { law.curve(x) } -> std::same_as<Curve<typename L::Scalar>>;
};

/// Memory of a Masing law: the reversal points that no larger excursion has wiped out, oldest first, and where the
/// law is now. A decaying vibration nests thousands of them; there is no cap.
template <class S>
struct MasingState {
  struct Reversal {
    S u;
    S f;
    S loss;  ///< energy lost on the branch that ended here
  };
  std::vector<Reversal> reversals;
  S u{0};
  S f{0};
  S loss{0};  ///< energy lost on the current branch since it began
  int direction = 0;
};

/// Masing's rules with Madelung's memory (return to an old reversal continues the old branch), exactly:
///   first loading  f = sgn(u) F(|u|)                                   (1)
///   branch         f = f_r + 2 sgn(u - u_r) F(|u - u_r| / 2)           (2)
/// from the reversal (u_r, f_r). A branch ends where it meets the previous reversal: both points are then forgotten
/// and the older branch goes on; the branch from the very first reversal ends at its mirror image. The loss along (1)
/// is G(|u|), along (2) 2 G(|u - u_r| / 2). A branch that meets the previous reversal is as long as the one before it
/// and has lost as much: every walk costs one evaluation of the curve, however many branches it closes.
/// Derivation: docs/theory/masing.md.
template <class Law>
class MasingWalk {
 public:
  using S = typename Law::Scalar;
  using State = MasingState<S>;
  using Reversal = typename State::Reversal;

  MasingWalk(const Law& law, const State& from, const S& u) : kept_(from.reversals.size()) {
    const Reversal* const oldest = from.reversals.data();
    const Reversal* older = oldest + kept_;  // past the reversals that lie below the base of the branch
    direction_ = u > from.u ? 1 : (u < from.u ? -1 : from.direction);
    turned_ = from.direction != 0 && direction_ != from.direction;
    Reversal base{from.u, from.f, from.loss};
    bool virgin = !turned_ && older == oldest;
    if (!turned_ && !virgin) base = *--older;
    S done = turned_ ? S(0) : from.loss;
    S lost(0);
    while (!virgin) {
      const bool last = older == oldest;  // then the branch ends at its mirror image, where first loading goes on
      const S target = last ? S(-base.u) : older[-1].u;
      if (direction_ > 0 ? u < target : u > target) break;
      lost += (last ? S(2) * base.loss : base.loss) - done;
      done = last ? base.loss : older[-1].loss;
      turned_ = false;
      if (!last) --older;
      kept_ = static_cast<std::size_t>(older - oldest);
      virgin = older == oldest;
      if (!virgin) base = *--older;
    }
    const Curve<S> end = virgin ? first_loading(law, u) : branch(law, base, u);
    branch_loss_ = end.loss;
    response_ = {.force = end.force, .tangent = end.tangent, .dissipated = lost + end.loss - done};
    // G grows with x; only rounding can make the difference of two nearby values negative.
    if (response_.dissipated < S(0)) response_.dissipated = S(0);
  }

  [[nodiscard]] const Response<S>& response() const { return response_; }

  /// Moves the state to where the walk ended.
  void commit(State& s, const S& u) const {
    s.reversals.resize(kept_);
    if (turned_) s.reversals.push_back({s.u, s.f, s.loss});
    s.u = u;
    s.f = response_.force;
    s.loss = branch_loss_;
    s.direction = direction_;
  }

 private:
  static Curve<S> first_loading(const Law& law, const S& u) {
    using std::abs;
    Curve<S> c = law.curve(abs(u));
    if (u < S(0)) c.force = -c.force;
    return c;
  }

  static Curve<S> branch(const Law& law, const Reversal& base, const S& u) {
    using std::abs;
    const Curve<S> c = law.curve(S(0.5) * abs(u - base.u));
    const S rise = S(2) * c.force;
    return {.force = u > base.u ? base.f + rise : base.f - rise, .tangent = c.tangent, .loss = S(2) * c.loss};
  }

  std::size_t kept_;  ///< reversals that are still open
  bool turned_ = false;
  int direction_ = 0;
  S branch_loss_{0};
  Response<S> response_{};
};

/// The response of a Masing law with its post-slip spring: a trial.
template <class Law>
Response<typename Law::Scalar> masing_evaluate(const Law& law, const typename Law::State& s,
                                               const typename Law::Scalar& u) {
  return beside_spring(MasingWalk<Law>(law, s, u).response(), law.post_slip_stiffness, u);
}

/// The same, accepted: s is now at u.
template <class Law>
Response<typename Law::Scalar> masing_advance(const Law& law, typename Law::State& s, const typename Law::Scalar& u) {
  const MasingWalk<Law> walk(law, s, u);
  walk.commit(s, u);
  return beside_spring(walk.response(), law.post_slip_stiffness, u);
}

}  // namespace microslip
