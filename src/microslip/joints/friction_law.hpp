#pragma once

#include <concepts>
#include <string_view>

namespace microslip {

/// What a rate-independent law answers for a monotonic move from its state to displacement u.
template <class Scalar>
struct Response {
  Scalar force;       ///< f [N], resists u
  Scalar tangent;     ///< df/du at fixed history [N/m]
  Scalar dissipated;  ///< energy lost in the move [J]: exact, never negative
};

/// The response with a linear spring k_p beside the law [Porter2022, Eq. 30]: it stores energy and loses none.
template <class S>
Response<S> beside_spring(Response<S> r, const S& kp, const S& u) {
  r.force += kp * u;
  r.tangent += kp;
  return r;
}

/// A law is an immutable value of parameters; its history is a state that the caller owns.
template <class L>
concept FrictionLaw = std::copyable<L> && std::semiregular<typename L::State> &&
    requires(const L law, const typename L::State seen, typename L::State s, typename L::Scalar u) {
  { L::name } -> std::convertible_to<std::string_view>;
  { law.evaluate(seen, u) } -> std::same_as<Response<typename L::Scalar>>;  // a trial: history untouched
  { law.advance(s, u) } -> std::same_as<Response<typename L::Scalar>>;      // accepted: s is now at u
};

}  // namespace microslip
