#include <microslip/core/check.hpp>
#include <microslip/dynamics/joint_group.hpp>
#include <microslip/joints/stored_energy.hpp>

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

  void evaluate(const Eigen::VectorXd& w, Eigen::VectorXd& force, Eigen::VectorXd& tangent) const override {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const auto [row, area] = places_[i];
      const Response<double> r = law_.evaluate(states_[i], w(row));
      force(row) += area * r.force;
      tangent(row) += area * r.tangent;
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

 private:
  Law law_;
  std::vector<Place> places_;
  std::vector<typename Law::State> states_;
};

class Normal final : public Elements {
 public:
  Normal(double stiffness, Contact contact, std::vector<Place> where)
      : stiffness_(stiffness), contact_(contact), places_(std::move(where)) {}

  void evaluate(const Eigen::VectorXd& w, Eigen::VectorXd& force, Eigen::VectorXd& tangent) const override {
    for (const auto& [row, area] : places_) {
      if (open(w(row))) continue;
      force(row) += area * stiffness_ * w(row);
      tangent(row) += area * stiffness_;
    }
  }
  double advance(const Eigen::VectorXd& /*w*/) override { return 0; }
  [[nodiscard]] double stored(const Eigen::VectorXd& w) const override {
    double energy = 0;
    for (const auto& [row, area] : places_)
      if (!open(w(row))) energy += 0.5 * area * stiffness_ * w(row) * w(row);
    return energy;
  }

 private:
  [[nodiscard]] bool open(double w) const { return contact_ == Contact::penalty && w < 0; }

  double stiffness_;
  Contact contact_;
  std::vector<Place> places_;
};

}  // namespace

std::unique_ptr<Elements> make_elements(const JointGroup& group) {
  const auto* friction = std::get_if<ElasticDryFriction<double>>(&group.law);
  if (friction != nullptr && !(friction->normal_force > 0))
    throw InvalidInput("elastic_dry_friction needs its constant normal_force here; contact does not set it in time");
  return std::visit(
      [&](const auto& law) -> std::unique_ptr<Elements> {
        return std::make_unique<Frictional<std::decay_t<decltype(law)>>>(law, places(group.rows, group.areas));
      },
      group.law);
}

std::unique_ptr<Elements> make_elements(const NormalGroup& group) {
  return std::make_unique<Normal>(non_negative("normal_stiffness", group.stiffness), group.contact,
                                  places(group.rows, group.areas));
}

}  // namespace microslip
