#pragma once

#include <optional>
#include <string>
#include <vector>

#include <microslip/identify/dissipation.hpp>

namespace microslip {

/// How repeated tests of one joint scatter, and how a model stands up to them [Segalman2002, Eqs. 41-44]: mean squares
/// of natural logarithms of ratios, so that 0.0025 is a disagreement of 5 %.
struct Variability {
  Iwan4<double> averaged;                  ///< each of chi, beta and phi_max averaged over the sets
  std::vector<double> experimental = {};   ///< each set against the mean of all, Eq. 41; empty where forces differ
  std::vector<double> model = {};          ///< each set against the averaged model, Eq. 43
  std::vector<double> leave_one_out = {};  ///< each set against the model averaged over the others, Eq. 44
  std::vector<std::string> outliers = {};  ///< names of sets that stand apart; nothing is dropped
  std::vector<std::string> notes = {};
};

/// `fits` holds one fit per set, in the same order. At least two sets.
Variability variability(const std::vector<DissipationData>& sets, const std::vector<DissipationFit>& fits);

}  // namespace microslip
