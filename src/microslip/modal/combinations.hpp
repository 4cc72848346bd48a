#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <microslip/joints/any_law.hpp>
#include <microslip/structure/interface.hpp>

namespace microslip {

/// Where the best fits of a parameter lay [Porter2022, Appendix A], per area of the interface.
struct ParameterSpan {
  std::string name;  ///< as everywhere; beta_over_alpha stands for beta of the Bouc-Wen laws
  double lower = 0;  ///< of the value, or of its decimal logarithm
  double upper = 0;
  bool logarithmic = false;  ///< the bounds are those of log10(value)
};

/// One of the 26 pairs of a friction model and a representation of the interface, as sections 2-4 of Porter et al.
/// set it up.
struct Combination {
  std::string name;  ///< as in Table 9
  std::string key;   ///< the same in one word, for the shell
  std::string model;
  bool full_joint = false;  ///< surface elements with directions coupled; else patches with directions apart
  Contact contact = Contact::spring;
  bool masing = true;                   ///< loops from the first loading [section 2.3.1]; else traced between reversals
  bool viscous = true;                  ///< the damping at the lowest amplitude is added [Eq. 40]
  bool conservative_prestress = false;  ///< [section 3.3, Table 6]
  int max_loops = 1;                    ///< rounds of a traced loop [Table 6, section 4.4.1]: the paper's; ours close
  int quadrature_points = 0;            ///< of the modal loop, per segment; 0: local closed forms
  bool boundary_intersection = true;    ///< how the paper searched; else NSGA-II
  bool penalise_residuals = false;      ///< [section 3.5.2]
  std::vector<ParameterSpan> spans;     ///< what was fitted, the normal stiffness last
  NamedValues fixed;                    ///< what was not

  [[nodiscard]] std::size_t n_parameters() const { return spans.size(); }
};

/// All 26, in the order of Table 9.
const std::vector<Combination>& combinations();

/// The combination of that name or key; letter case, blanks and ways to write zeta do not matter. Refused by the
/// nearest known.
const Combination& combination_named(std::string_view name);

/// What lies between the bounds of a combination: 0 is every lower bound, 1 every upper, 0.5 the middle.
std::vector<double> search_point(const Combination& combination, double fraction);

/// Parameters by name of a point in the space that is searched (logarithms where a span has them): those of the law
/// and the normal stiffness, all per area.
struct InterfaceParameters {
  NamedValues law;
  double normal_stiffness = 0;
};
InterfaceParameters interface_parameters(const Combination& combination, std::span<const double> point);

}  // namespace microslip
