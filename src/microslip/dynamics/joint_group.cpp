#include <type_traits>

#include <microslip/core/check.hpp>
#include <microslip/dynamics/joint_group.hpp>
#include <microslip/joints/initial_tangent.hpp>
#include <microslip/joints/patch_contact.hpp>

namespace microslip {

namespace {

struct Place {
  Eigen::Index row;
  double area;
};

std::vector<Place> places(const std::vector<Eigen::Index>& rows, const std::vector<double>& areas) {
  if (!areas.empty() && areas.size() != rows.size())
    throw InvalidInput(fmt::format("{} areas for {} joints", areas.size(), rows.size()));
  std::vector<Place> result;
  for (std::size_t i = 0; i < rows.size(); ++i)
    result.push_back({rows[i], areas.empty() ? 1.0 : positive("area of a joint", areas[i])});
  return result;
}

template <class Law>
class Frictional final : public Elements {
 public:
  Frictional(const Law& law, std::vector<Place> where)
      : law_(law), places_(std::move(where)), states_(places_.size()) {}

  void evaluate(const Eigen::VectorXd& w, JointForces& forces) const override {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const auto [row, area] = places_[i];
      const Response<double> r = law_.evaluate(states_[i], w(row));
      forces.force(row) += area * r.force;
      forces.tangent(row) += area * r.tangent;
    }
  }
  double advance(const Eigen::VectorXd& w) override {
    double lost = 0;
    for (std::size_t i = 0; i < places_.size(); ++i)
      lost += places_[i].area * law_.advance(states_[i], w(places_[i].row)).dissipated;
    return lost;
  }
  [[nodiscard]] double stored(const Eigen::VectorXd& w) const override {
    double energy = 0;
    for (std::size_t i = 0; i < places_.size(); ++i)
      energy += places_[i].area * stored_energy(law_, states_[i], w(places_[i].row));
    return energy;
  }
  void add_stuck(Eigen::VectorXd& tangent) const override {
    for (const auto& [row, area] : places_) tangent(row) += area * initial_tangent(law_);
  }

 private:
  Law law_;
  std::vector<Place> places_;
  std::vector<typename Law::State> states_;
};

template <class Law, template <class> class Normal>
class Points final : public Elements {
 public:
  using Point = PatchContact<Law, Normal>;
  Points(const Law& law, double normal_stiffness, std::vector<Place> where)
      : point_{law, {normal_stiffness}}, places_(std::move(where)), states_(places_.size()) {}

  void evaluate(const Eigen::VectorXd& w, JointForces& forces) const override {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const auto [row, area] = places_[i];
      const ContactResponse<double> r = point_.evaluate(states_[i], motion(w, row));
      for (Eigen::Index k = 0; k < 3; ++k) {
        const auto at = static_cast<std::size_t>(k);
        forces.force(row + k) += area * r.force[at];
        forces.tangent(row + k) += area * r.tangent[at][at];
        if (k < 2 && r.tangent[at][2] != 0) forces.couplings.push_back({row + k, row + 2, area * r.tangent[at][2]});
      }
    }
  }
  double advance(const Eigen::VectorXd& w) override {
    double lost = 0;
    for (std::size_t i = 0; i < places_.size(); ++i)
      lost += places_[i].area * point_.advance(states_[i], motion(w, places_[i].row)).dissipated;
    return lost;
  }
  [[nodiscard]] double stored(const Eigen::VectorXd& /*w*/) const override {
    double energy = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) energy += places_[i].area * point_.stored(states_[i]);
    return energy;
  }
  void add_stuck(Eigen::VectorXd& tangent) const override {
    const double along = initial_tangent(point_.tangential);
    for (const auto& [row, area] : places_)
      tangent.segment<3>(row) += area * Eigen::Vector3d(along, along, point_.normal.normal_stiffness);
  }

 private:
  static ContactMotion<double> motion(const Eigen::VectorXd& w, Eigen::Index row) {
    return {w(row), w(row + 1), w(row + 2)};
  }

  Point point_;
  std::vector<Place> places_;
  std::vector<typename Point::State> states_;
};

}  // namespace

std::unique_ptr<Elements> make_elements(const JointGroup& group) {
  if (lacks_normal_force(group.law))
    throw InvalidInput("elastic_dry_friction.normal_force is missing; only an interface with contact gives it");
  return std::visit(
      [&](const auto& law) -> std::unique_ptr<Elements> {
        return std::make_unique<Frictional<std::decay_t<decltype(law)>>>(law, places(group.rows, group.areas));
      },
      group.law);
}

std::unique_ptr<Elements> make_elements(const ContactGroup& group) {
  const bool opens = group.contact == Contact::penalty;
  check_normal_force(group.law, opens);
  const double kn = positive("normal_stiffness", group.normal_stiffness);
  return std::visit(
      [&](const auto& law) -> std::unique_ptr<Elements> {
        using Law = std::decay_t<decltype(law)>;
        std::vector<Place> where = places(group.first_rows, group.areas);
        if (opens) return std::make_unique<Points<Law, NormalPenalty>>(law, kn, std::move(where));
        return std::make_unique<Points<Law, NormalSpring>>(law, kn, std::move(where));
      },
      group.law);
}

}  // namespace microslip
