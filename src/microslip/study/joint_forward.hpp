#pragma once

#include <memory>
#include <string>
#include <vector>

#include <microslip/modal/combination_setup.hpp>
#include <microslip/study/study.hpp>

namespace microslip::study {

/// Backbones of one combination of friction model and interface on a reduced structure, by RQNMA.
class JointForward : public Forward {
 public:
  struct Mode {
    int number = 1;                  ///< elastic modes of the linearisation, from 1
    std::vector<double> amplitudes;  ///< modal
    double viscous = 0;              ///< damping ratio added to every amplitude [Porter2022, Eq. 40]
  };

  JointForward(std::shared_ptr<const JointedSystem> system, Combination combination, double preload,
               std::vector<Mode> modes);

  [[nodiscard]] Computed compute(std::span<const double> point, std::size_t measured, bool slopes) const override;
  [[nodiscard]] bool has_slopes() const override {
    return combination_.masing && options_.dissipation == Dissipation::local;
  }

 private:
  std::shared_ptr<const JointedSystem> system_;
  Combination combination_;
  RqnmaOptions options_;
  std::vector<Mode> modes_;
};

/// Where to search: one range per parameter, whatever the law. [Porter2022, Appendix A], widened for another structure
/// than the paper's, but cut where a parameter has ceased to act (rigid, or none), so that every law is solvable. In
/// the coordinates of the combination's spans.
std::vector<ParameterSpan> search_spans(const Combination& combination);

/// A law that the paper does not have, on patches with springs across them. What it requires is searched where other
/// laws have a parameter of that name; the bounds of one that no other law has are NaN, for whoever asks to give.
Combination own_combination(const LawInfo& law);

/// What the law asks of its parameters beside that: nothing slips in a Valanis law whose post-slip stiffness reaches
/// its stiffness.
std::optional<Below> below_of(const Combination& combination);

}  // namespace microslip::study
