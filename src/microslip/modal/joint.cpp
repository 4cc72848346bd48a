#include <algorithm>
#include <array>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/modal/joint.hpp>

namespace microslip {

namespace {
const std::array<std::string, 2> tangential_names{"separate", "coupled"};
}

std::string_view to_string(Tangential tangential) { return tangential_names[static_cast<std::size_t>(tangential)]; }

Tangential tangential_from(std::string_view name) {
  const auto found = std::find(tangential_names.begin(), tangential_names.end(), name);
  if (found == tangential_names.end())
    throw InvalidInput(fmt::format("unknown tangential coupling '{}'{}", name, suggestion(name, tangential_names)));
  return static_cast<Tangential>(found - tangential_names.begin());
}

Joint make_joint(const JointSpec& spec, Tangential tangential) {
  NamedValues values(spec.parameters.begin(), spec.parameters.end());
  const auto normal =
      std::find_if(values.begin(), values.end(), [](const auto& entry) { return entry.first == "normal_stiffness"; });
  if (normal == values.end())
    throw InvalidInput(fmt::format("joint {}: normal_stiffness is missing: stiffness across the interface [{}]",
                                   spec.model, spec.per_area ? "N/m^3" : "N/m"));
  const double stiffness = positive("joint.normal_stiffness", normal->second);
  values.erase(normal);
  return {.law = make_law(spec.model, values),
          .normal_stiffness = stiffness,
          .tangential = tangential,
          .per_area = spec.per_area};
}

NamedValues joint_parameters(const Joint& joint) {
  NamedValues values = law_parameters(joint.law);
  values.emplace_back("normal_stiffness", joint.normal_stiffness);
  return values;
}

double post_slip_stiffness(const AnyLaw& law) {
  return std::visit([](const auto& l) { return l.post_slip_stiffness; }, law);
}

Eigen::VectorXd acting_areas(const Joint& joint, const Eigen::VectorXd& areas) {
  return joint.per_area ? areas : Eigen::VectorXd::Ones(areas.size());
}

PointTangents point_springs(const Joint& joint, const Interface& interface, double kt, std::span<const double> w) {
  PointTangents springs(static_cast<std::size_t>(interface.n_points()));
  const Eigen::VectorXd areas = acting_areas(joint, interface.areas);
  for (std::size_t i = 0; i < springs.size(); ++i) {
    if (interface.contact == Contact::penalty && !w.empty() && !(w[3 * i + 2] > 0)) continue;
    const double area = areas(static_cast<Eigen::Index>(i));
    springs[i][0][0] = springs[i][1][1] = area * kt;
    springs[i][2][2] = area * joint.normal_stiffness;
  }
  return springs;
}

bool obeys_masing(const Joint& joint, Contact contact) { return contact == Contact::spring && obeys_masing(joint.law); }

}  // namespace microslip
