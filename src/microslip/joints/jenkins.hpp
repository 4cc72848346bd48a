#pragma once

#include <array>
#include <cmath>

#include <microslip/joints/masing.hpp>
#include <microslip/joints/parameter.hpp>

namespace microslip {

namespace detail {

template <class Law>
constexpr Parameter<Law> slip_force_row() {
  return {"slip_force",
          "f_s",
          "N",
          "force at which the slider moves",
          above_zero("a slider without strength is no joint"),
          1000,
          true,
          &Law::slip_force};
}
template <class Law>
constexpr Parameter<Law> stick_stiffness_row(double start, bool required, std::string_view meaning) {
  return {"stiffness", "k_t",    "N/m",          meaning, above_zero("a joint without stiffness is no joint"),
          start,       required, &Law::stiffness};
}

}  // namespace detail

/// Spring kt in series with a Coulomb slider of strength fs [Porter2022, Eqs. 18-19].
///   f = kt (u - w),  |f| <= fs,  w moves only while |f| = fs         (1)
///   D(a) = 4 fs (a - fs/kt)  per loop of amplitude a >= fs/kt        (2)
/// u displacement [m], w slider position [m]: u - w is kept as the way since the last slip and the stretch there, which
/// has digits that beside u are rounded away. Derivation: docs/theory/jenkins.md.
template <class S>
struct Jenkins {
  using Scalar = S;
  static constexpr std::string_view name = "jenkins";
  static constexpr std::string_view title = "Jenkins (spring and slider)";
  static constexpr bool masing = true;

  S stiffness;               ///< kt [N/m]
  S slip_force;              ///< fs [N]
  S post_slip_stiffness{0};  ///< kp [N/m]

  struct State {
    S slipped_at{0};  ///< u of the last slip
    S stretch{0};     ///< u - w there
  };

  static constexpr std::array<Parameter<Jenkins>, 3> parameters() {
    return {{detail::slip_force_row<Jenkins>(),
             detail::stick_stiffness_row<Jenkins>(1e7, true, "stiffness while it sticks"), post_slip_row<Jenkins>()}};
  }

  [[nodiscard]] Response<S> evaluate(const State& s, const S& u) const {
    using std::abs;
    const S& kt = stiffness;  // the paper's symbols, for the formulas below
    const S& fs = slip_force;
    const S trial = kt * stretch(s, u);
    if (abs(trial) <= fs) return beside_spring<S>({trial, kt, S(0)}, post_slip_stiffness, u);
    const S f = trial > S(0) ? fs : S(-fs);
    // |trial| > fs, so f and trial - f share their sign even after rounding: the loss is never negative.
    return beside_spring<S>({f, S(0), f * (trial - f) / kt}, post_slip_stiffness, u);
  }

  Response<S> advance(State& s, const S& u) const {
    const Response<S> r = evaluate(s, u);
    // Rebuilt at every slip, not accumulated, so it does not drift over millions of slip steps.
    if (r.dissipated > S(0)) s = {u, (stretch(s, u) > S(0) ? slip_force : S(-slip_force)) / stiffness};
    return r;
  }
  /// u - w.
  [[nodiscard]] static S stretch(const State& s, const S& u) { return (u - s.slipped_at) + s.stretch; }

  /// The hysteretic part alone, without the post-slip spring.
  [[nodiscard]] Curve<S> curve(const S& x) const {
    const S slip = slip_force / stiffness;
    if (x <= slip) return {stiffness * x, stiffness, S(0)};
    return {slip_force, S(0), slip_force * (x - slip)};
  }

  template <class T>
  [[nodiscard]] Jenkins<T> cast() const {
    return {convert<T>(stiffness), convert<T>(slip_force), convert<T>(post_slip_stiffness)};
  }
};
static_assert(FrictionLaw<Jenkins<double>> && HasCurve<Jenkins<double>>);

/// Jenkins element with a post-slip spring that is part of the model [Porter2022, Eq. 22]: initial stiffness kt + kp.
template <class S>
struct JenkinsPrager {
  using Scalar = S;
  using State = typename Jenkins<S>::State;
  static constexpr std::string_view name = "jenkins_prager";
  static constexpr std::string_view title = "Generalized Jenkins-Prager";
  static constexpr bool masing = true;

  S stiffness;            ///< kt [N/m]
  S slip_force;           ///< fs [N]
  S post_slip_stiffness;  ///< kp [N/m]

  static constexpr std::array<Parameter<JenkinsPrager>, 3> parameters() {
    return {{detail::slip_force_row<JenkinsPrager>(),
             detail::stick_stiffness_row<JenkinsPrager>(1e7, true, "stiffness of the spring in series with the slider"),
             post_slip_row<JenkinsPrager>(true)}};
  }

  [[nodiscard]] Jenkins<S> element() const { return {stiffness, slip_force, post_slip_stiffness}; }
  [[nodiscard]] Response<S> evaluate(const State& s, const S& u) const { return element().evaluate(s, u); }
  Response<S> advance(State& s, const S& u) const { return element().advance(s, u); }
  [[nodiscard]] Curve<S> curve(const S& x) const { return element().curve(x); }

  template <class T>
  [[nodiscard]] JenkinsPrager<T> cast() const {
    return {convert<T>(stiffness), convert<T>(slip_force), convert<T>(post_slip_stiffness)};
  }
};
static_assert(FrictionLaw<JenkinsPrager<double>> && HasCurve<JenkinsPrager<double>>);

/// Rigid until fs, then a spring kp [Porter2022, Eq. 21]. The set-valued stick is regularised by a penalty stiffness
/// so large that it does not take part: 10^18.5 N/m^3 per area as in the paper, unless one is given.
template <class S>
struct Prager {
  using Scalar = S;
  using State = typename Jenkins<S>::State;
  static constexpr std::string_view name = "prager";
  static constexpr std::string_view title = "Prager (rigid until slip)";
  static constexpr bool masing = true;
  static constexpr double penalty = 3.1622776601683795e18;  ///< 10^18.5

  S slip_force;           ///< fs [N]
  S post_slip_stiffness;  ///< kp [N/m]
  S stiffness{penalty};   ///< kt [N/m]

  static constexpr std::array<Parameter<Prager>, 3> parameters() {
    return {{detail::slip_force_row<Prager>(), post_slip_row<Prager>(true),
             detail::stick_stiffness_row<Prager>(penalty, false, "penalty stiffness while it sticks")}};
  }

  [[nodiscard]] Jenkins<S> element() const { return {stiffness, slip_force, post_slip_stiffness}; }
  [[nodiscard]] Response<S> evaluate(const State& s, const S& u) const { return element().evaluate(s, u); }
  Response<S> advance(State& s, const S& u) const { return element().advance(s, u); }
  [[nodiscard]] Curve<S> curve(const S& x) const { return element().curve(x); }

  template <class T>
  [[nodiscard]] Prager<T> cast() const {
    return {convert<T>(slip_force), convert<T>(post_slip_stiffness), convert<T>(stiffness)};
  }
};
static_assert(FrictionLaw<Prager<double>> && HasCurve<Prager<double>>);

}  // namespace microslip
