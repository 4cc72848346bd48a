#pragma once

#include <array>
#include <concepts>
#include <string_view>

namespace microslip {

/// Relative displacement of the two sides of an interface: along x and y, and normal to it (positive in compression).
template <class Scalar>
struct ContactMotion {
  Scalar x{0};
  Scalar y{0};
  Scalar n{0};
};

/// What an interface point answers for a straight move from its state to another relative displacement.
/// Order of components: x, y, n. Forces [N] where the parameters are those of a joint, tractions [N/m^2] where they
/// are per area.
template <class Scalar>
struct ContactResponse {
  std::array<Scalar, 3> force{};                   ///< resists the displacement; normal positive in compression
  std::array<std::array<Scalar, 3>, 3> tangent{};  ///< [i][j] = d force_i / d displacement_j at fixed history
  Scalar dissipated{0};                            ///< energy lost in the move: exact, never negative
};

/// A law in three directions. As with FrictionLaw, the law is a value and its history is the caller's. Between two
/// instants all displacements vary linearly; the answer is exact on that path.
template <class L>
concept ContactLaw = std::copyable<L> && std::semiregular<typename L::State> &&
    requires(const L law, const typename L::State seen, typename L::State s, ContactMotion<typename L::Scalar> u) {
  { L::name } -> std::convertible_to<std::string_view>;
  { law.evaluate(seen, u) } -> std::same_as<ContactResponse<typename L::Scalar>>;  // a trial: history untouched
  { law.advance(s, u) } -> std::same_as<ContactResponse<typename L::Scalar>>;      // accepted: s is now at u
  { law.stored(seen) } -> std::same_as<typename L::Scalar>;                        // energy in all springs
};

}  // namespace microslip
