#include <cmath>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/amplitude_law.hpp>
#include <microslip/joints/describing_function.hpp>
#include <microslip/joints/initial_tangent.hpp>
#include <microslip/joints/stored_energy.hpp>

namespace microslip {

namespace {

using std::numbers::pi;

/// Amplitudes whose square is no number any more: the limit is taken.
constexpr double vanishing = 1e-140;

/// What the averaged equations need of a joint at one amplitude.
struct JointAt {
  double stiffness;    ///< of the first harmonic
  double dissipation;  ///< per cycle
  double energy_rate;  ///< dE/dA of the stored energy at the peak
};

/// By the closed forms of a law that obeys Masing's rules, else on its steady loop. E' = A tangent for the former,
/// because E = A f - int f.
template <class Law>
JointAt joint_at(const Law& law, double a) {
  if constexpr (std::same_as<Law, ElasticDryFriction<double>>) {  // a slider, for the normal force is constant here
    return joint_at(law.element(), a);
  } else {
    constexpr Framework framework = Law::masing ? Framework::masing : Framework::reversal;
    const double stiffness = describing_function(law, a, framework).stiffness;
    const double dissipation = loop_dissipation(law, a, framework);
    if constexpr (Law::masing) {
      return {stiffness, dissipation, a * (law.curve(a).tangent + law.post_slip_stiffness)};
    } else {
      const Dual force = steady_state(law.template cast<Dual>(), Dual::variable(a)).f;
      double series = law.stiffness;
      if constexpr (std::same_as<Law, Valanis<double>>) series -= law.post_slip_stiffness;
      return {stiffness, dissipation, force.value * force.grad / series + law.post_slip_stiffness * a};
    }
  }
}

/// The same for iwan4, with what does not depend on amplitude below macro-slip computed once.
class Iwan4At {
 public:
  explicit Iwan4At(const Iwan4<double>& law)
      : law_(law), phi_max_(law.phi_max()), kp_(law.post_slip_stiffness), per_slip_((1 + law.chi) / (1 + law.beta)) {
    // K_1 = K_T - softening r^(1+chi) for r <= 1: exact, so one amplitude tells it.
    softening_ = law.stiffness + kp_ - describing_function(law, phi_max_, Framework::masing).stiffness;
  }
  JointAt operator()(double a) const {
    if (a > phi_max_) return joint_at(law_, a);
    const double power = std::pow(a / phi_max_, 1 + law_.chi), kt = law_.stiffness;
    return {kt + kp_ - softening_ * power, 4 * kt * a * a * power * per_slip_ / ((2 + law_.chi) * (3 + law_.chi)),
            a * (kt * (1 - power / (1 + law_.beta)) + kp_)};
  }

 private:
  Iwan4<double> law_;
  double phi_max_, kp_, per_slip_, softening_ = 0;
};

AtAmplitude from_energy(const JointedMode& mode, const JointAt& joint, double a) {
  const double k = mode.linear_stiffness;
  const double omega = std::sqrt((k + joint.stiffness) / mode.mass);
  const double dissipation = joint.dissipation + pi * mode.damping * omega * a * a;
  return {omega, dissipation * omega / (2 * pi * a * (k * a + joint.energy_rate)), dissipation};
}

std::function<AtAmplitude(double)> exact_law(const JointedMode& mode) {
  const double omega_0 = mode.low_amplitude_omega(), decay_0 = 0.5 * mode.damping / mode.mass;
  const auto with = [mode, omega_0, decay_0](auto joint) {
    return [mode, omega_0, decay_0, joint](double a) -> AtAmplitude {
      if (!(a > vanishing)) return {omega_0, decay_0, 0};
      return from_energy(mode, joint(a), a);
    };
  };
  if (!mode.joint) return with([](double) { return JointAt{0, 0, 0}; });
  return std::visit(
      [&](const auto& law) -> std::function<AtAmplitude(double)> {
        if constexpr (std::same_as<std::decay_t<decltype(law)>, Iwan4<double>>) {
          return with(Iwan4At(law));
        } else {
          return with([law](double a) { return joint_at(law, a); });
        }
      },
      *mode.joint);
}

/// [Shetty2019, Eqs. 2-6] as printed; zeta_linear is that at vanishing amplitude.
std::function<AtAmplitude(double)> paper_law(const JointedMode& mode) {
  const auto* law = mode.joint ? std::get_if<Iwan4<double>>(&*mode.joint) : nullptr;
  if (law == nullptr)
    throw InvalidInput(fmt::format("properties 'paper' exist for iwan4 alone, not for {}; use 'exact'",
                                   mode.joint ? law_name(*mode.joint) : "a mode without joint"));
  const double omega_0 = mode.low_amplitude_omega(), zeta_0 = mode.damping / (2 * mode.mass * omega_0);
  const double R = slider_density(*law).R;
  return [mode, law = *law, omega_0, zeta_0, R](double a) -> AtAmplitude {
    if (!(a > vanishing)) return {omega_0, zeta_0 * omega_0, 0};
    const double chi = law.chi, r = a / law.phi_max();
    const double D = 4 * R * std::pow(a, chi + 3) / ((chi + 3) * (chi + 2));                            // Eq. 2
    const double K = law.stiffness * (1 - std::pow(r, chi + 1) / ((chi + 2) * (law.beta + 1)));         // Eq. 4
    const double omega = std::sqrt((K + law.post_slip_stiffness + mode.linear_stiffness) / mode.mass);  // Eq. 5
    const double zeta = D / (2 * pi * mode.mass * omega * omega * a * a) + zeta_0;                      // Eq. 6
    return {omega, zeta * omega, D + pi * mode.damping * omega * a * a};
  };
}

std::function<double(double)> peak_energy(const JointedMode& mode) {
  const double k = mode.linear_stiffness;
  if (!mode.joint) return [k](double a) { return 0.5 * k * a * a; };
  return std::visit(
      [&](const auto& law) -> std::function<double(double)> {
        return [k, law](double a) { return 0.5 * k * a * a + stored_energy(law, steady_state(law, a), a); };
      },
      *mode.joint);
}

}  // namespace

double JointedMode::low_amplitude_omega() const {
  return std::sqrt((linear_stiffness + (joint ? initial_tangent(*joint) : 0)) / mass);
}

JointedMode checked(const JointedMode& mode, const std::string& what) {
  positive(what + ": mass", mode.mass);
  non_negative(what + ": damping", mode.damping);
  non_negative(what + ": linear_stiffness", mode.linear_stiffness);
  if (mode.joint && lacks_normal_force(*mode.joint))
    throw InvalidInput(what + ": elastic_dry_friction.normal_force is missing; a mode has no contact to give it");
  if (mode.linear_stiffness == 0 && !mode.joint)
    throw InvalidInput(what + ": neither linear_stiffness nor a joint is given");
  return mode;
}

AmplitudeLaw::AmplitudeLaw(const JointedMode& mode, Properties properties)
    : mode_(mode),
      at_(properties == Properties::exact ? exact_law(mode) : paper_law(mode)),
      energy_(peak_energy(mode)) {
  if (!mode.joint || properties == Properties::paper) return;
  std::visit(
      [&](const auto& law) {
        if (const double corner = detail::corner(law); corner > 0) corner_ = corner;
      },
      *mode.joint);
}

}  // namespace microslip
