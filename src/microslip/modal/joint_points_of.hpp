#pragma once

// Included by joint_points.cpp and joint_points_dual.cpp only: all laws of the library for one scalar.

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>
#include <utility>

#include <microslip/core/check.hpp>
#include <microslip/joints/elastic_dry_friction_2d.hpp>
#include <microslip/joints/initial_tangent.hpp>
#include <microslip/joints/jenkins_prager_2d.hpp>
#include <microslip/joints/patch_contact.hpp>
#include <microslip/modal/joint_points.hpp>

namespace microslip::detail {

/// Energy of the Masing loop of one point.
template <class Element>
struct MasingLoop {
  /// From work and force on the straight path: stored and lost energy are known exactly.
  template <class S>
  static S energy(const Element& contact, const typename Element::State& s, const ContactMotion<S>& to, const S& kn,
                  bool opens) {
    const ContactMotion<S> from = s.at;
    const ContactResponse<S> before = contact.evaluate(s, from);
    typename Element::State moved = s;
    const ContactResponse<S> after = contact.advance(moved, to);
    const auto pressed = [&](const S& n) { return opens && !(n > S(0)) ? S(0) : S(S(0.5) * kn * n * n); };
    const S work = contact.stored(moved) - pressed(to.n) - contact.stored(s) + pressed(from.n) + after.dissipated;
    const S dx = to.x - from.x, dy = to.y - from.y;
    const S held = before.force[0] * dx + before.force[1] * dy;
    return S(8) * (work - held) - S(4) * (after.force[0] * dx + after.force[1] * dy - held);
  }
};

/// In closed form from the monotonic curve, for points that start anew.
template <class Law>
struct MasingLoop<PatchContact<Law, NormalSpring>> {
  template <class S>
  static S energy(const PatchContact<Law, NormalSpring>& contact,
                  const typename PatchContact<Law, NormalSpring>::State& /*s*/, const ContactMotion<S>& to,
                  const S& /*kn*/, bool /*opens*/) {
    using std::abs;
    return S(4) * (contact.tangential.curve(abs(to.x)).loss + contact.tangential.curve(abs(to.y)).loss);
  }
};

template <class Element>
class PointsOf final : public JointPoints<typename Element::Scalar> {
 public:
  using S = typename Element::Scalar;
  using State = typename Element::State;
  static constexpr bool dual = !std::same_as<S, double>;
  static constexpr bool plain = std::is_trivially_copyable_v<State>;  ///< made of numbers only
  using Numbers = std::array<S, sizeof(State) / sizeof(S)>;

  PointsOf(const Element& contact, const S& normal_stiffness, bool opens, std::vector<double> areas)
      : contact_(contact),
        normal_stiffness_(normal_stiffness),
        opens_(opens),
        areas_(std::move(areas)),
        states_(areas_.size()) {}

  [[nodiscard]] std::unique_ptr<JointPoints<S>> clone() const override { return std::make_unique<PointsOf>(*this); }

  void press(std::span<const S> w) override {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      states_[i] = {};
      contact_.advance(states_[i], {S(0), S(0), w[3 * i + 2]});
    }
  }
  void recall(const JointPoints<S>& other) override { states_ = dynamic_cast<const PointsOf&>(other).states_; }

  void evaluate(std::span<const S> w, InterfaceResponse<S>& response) const override {
    resize(response);
    for (std::size_t i = 0; i < states_.size(); ++i) put(contact_.evaluate(states_[i], motion(w, i)), i, response);
  }
  void advance(std::span<const S> w, std::span<S> lost) override {
    for (std::size_t i = 0; i < states_.size(); ++i)
      lost[i] += S(areas_[i]) * contact_.advance(states_[i], motion(w, i)).dissipated;
  }
  void advance(std::span<const S> w, std::span<S> lost, InterfaceResponse<S>& response) override {
    resize(response);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const ContactResponse<S> r = contact_.advance(states_[i], motion(w, i));
      lost[i] += S(areas_[i]) * r.dissipated;
      put(r, i, response);
    }
  }
  void add_masing_loop(std::span<const S> w, std::span<S> energy) const override {
    for (std::size_t i = 0; i < states_.size(); ++i)
      energy[i] += S(areas_[i]) * MasingLoop<Element>::template energy<S>(contact_, states_[i], motion(w, i),
                                                                          normal_stiffness_, opens_);
  }

  [[nodiscard]] std::vector<double> memory() const override {
    std::vector<double> numbers;
    if constexpr (plain) {
      for (const State& state : states_)
        for (const S& number : std::bit_cast<Numbers>(state)) numbers.push_back(value_of(number));
    }
    return numbers;
  }
  void set_memory(std::span<const double> memory) override {
    each_number([next = memory.begin()](S& number) mutable {
      if constexpr (dual)
        number.value = *next++;
      else
        number = *next++;
    });
  }
  [[nodiscard]] std::vector<double> memory_slope() const override {
    std::vector<double> slope;
    if constexpr (plain && dual) {
      for (const State& state : states_)
        for (const S& number : std::bit_cast<Numbers>(state)) slope.push_back(number.grad);
    }
    return slope;
  }
  void set_memory_slope([[maybe_unused]] std::span<const double> slope) override {
    if constexpr (dual) each_number([next = slope.begin()](S& number) mutable { number.grad = *next++; });
  }

 private:
  static ContactMotion<S> motion(std::span<const S> w, std::size_t i) { return {w[3 * i], w[3 * i + 1], w[3 * i + 2]}; }
  void resize(InterfaceResponse<S>& response) const {
    response.force.resize(3 * states_.size());
    response.tangent.resize(states_.size());
  }
  void put(const ContactResponse<S>& r, std::size_t i, InterfaceResponse<S>& response) const {
    const S area(areas_[i]);
    for (std::size_t j = 0; j < 3; ++j) {
      response.force[3 * i + j] = area * r.force[j];
      for (std::size_t k = 0; k < 3; ++k) response.tangent[i][j][k] = area * r.tangent[j][k];
    }
  }
  template <class Change>
  void each_number(Change change) {
    if constexpr (plain) {
      for (State& state : states_) {
        auto numbers = std::bit_cast<Numbers>(state);
        for (S& number : numbers) change(number);
        state = std::bit_cast<State>(numbers);
      }
    }
  }

  Element contact_;
  S normal_stiffness_;
  bool opens_;
  std::vector<double> areas_;
  std::vector<State> states_;
};

/// A parameter's derivative with respect to itself is 1.
template <class S, class Law>
auto seeded(const Law& law, std::size_t seed) {
  auto result = law.template cast<S>();
  if constexpr (!std::same_as<S, double>) {
    const auto rows = decltype(result)::parameters();
    if (seed < rows.size()) (result.*rows[seed].member).grad = 1;
  }
  return result;
}

/// The law in the plane of the interface, if it has such a form.
template <class S, template <class> class Normal, class Law>
auto in_the_plane(const Law& law, const Normal<S>& normal) {
  if constexpr (std::same_as<Law, ElasticDryFriction<S>>) {
    if constexpr (Normal<S>::separates) {
      return ElasticDryFriction2d<S>{law.friction_coefficient, law.stiffness, normal.normal_stiffness,
                                     law.post_slip_stiffness};
    } else {
      return JenkinsPrager2d<S, Normal>{law.stiffness, law.element().slip_force, law.post_slip_stiffness, normal};
    }
  } else {
    return JenkinsPrager2d<S, Normal>{law.stiffness, law.slip_force, law.post_slip_stiffness, normal};
  }
}

template <class Law, class S>
inline constexpr bool has_plane_form = std::same_as<Law, Jenkins<S>> || std::same_as<Law, JenkinsPrager<S>> ||
                                       std::same_as<Law, Prager<S>> || std::same_as<Law, ElasticDryFriction<S>>;

template <class S, template <class> class Normal>
std::unique_ptr<JointPoints<S>> points_with(const Joint& joint, std::vector<double> areas, std::size_t seed) {
  S kn(joint.normal_stiffness);
  if constexpr (!std::same_as<S, double>)
    if (seed + 1 == joint_parameters(joint).size()) kn.grad = 1;
  const Normal<S> normal{kn};
  constexpr bool opens = Normal<S>::separates;
  return std::visit(
      [&](const auto& plain) -> std::unique_ptr<JointPoints<S>> {
        const auto law = seeded<S>(plain, seed);
        using Law = std::decay_t<decltype(law)>;
        if (joint.tangential == Tangential::separate) {
          using Element = PatchContact<Law, Normal>;
          return std::make_unique<PointsOf<Element>>(Element{law, normal}, kn, opens, std::move(areas));
        }
        if constexpr (has_plane_form<Law, S>) {
          const auto contact = in_the_plane<S, Normal>(law, normal);
          return std::make_unique<PointsOf<std::decay_t<decltype(contact)>>>(contact, kn, opens, std::move(areas));
        } else {
          throw InvalidInput(fmt::format(
              "{} acts along x and y separately; only jenkins, jenkins_prager, prager and elastic_dry_friction are "
              "known in the plane",
              Law::name));
        }
      },
      joint.law);
}

template <class S>
std::unique_ptr<JointPoints<S>> points_of(const Joint& joint, Contact contact, const Eigen::VectorXd& areas,
                                          std::size_t seed) {
  positive("joint.normal_stiffness", joint.normal_stiffness);
  check_normal_force(joint.law, contact == Contact::penalty);
  const Eigen::VectorXd acting = acting_areas(joint, areas);
  std::vector<double> factors(acting.begin(), acting.end());
  return contact == Contact::spring ? points_with<S, NormalSpring>(joint, std::move(factors), seed)
                                    : points_with<S, NormalPenalty>(joint, std::move(factors), seed);
}

}  // namespace microslip::detail
