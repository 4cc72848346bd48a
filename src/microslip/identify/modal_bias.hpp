#pragma once

#include <cstdint>
#include <vector>

#include <microslip/core/progress.hpp>
#include <microslip/identify/modal_points.hpp>
#include <microslip/identify/modal_problem.hpp>
#include <microslip/identify/modal_replicas.hpp>

namespace microslip {

/// What replicas of all records read at all points: [replica][point], not a number where a replica does not reach.
struct ReplicaCurves {
  std::vector<std::vector<double>> frequency_hz, damping_ratio;
};

/// Makes replicas of all records. What it is given must outlive it.
class RecordReplicas {
 public:
  RecordReplicas(const std::vector<MeasuredDecay>& decays, const std::vector<Place>& places, std::uint64_t seed,
                 const Progress& progress)
      : decays_(decays), places_(places), seed_(seed), progress_(progress), noise_(decays.size(), 0) {}

  /// n replicas of each record, as if `model` had rung, at the amplitudes of the places.
  ReplicaCurves operator()(const ModalIwan& model, const std::vector<double>& amplitudes, std::size_t n);

 private:
  const std::vector<MeasuredDecay>& decays_;
  const std::vector<Place>& places_;
  std::uint64_t seed_;
  const Progress& progress_;
  std::vector<double> noise_;  ///< of each record, once it is known
};

/// Points without the estimator's bias.
struct Corrected {
  ModalPoints points;
  std::vector<double> frequency_bias, damping_bias;  ///< that was taken off, relative
};

/// Takes the mean error of the replicas of `model` off the points, weighs them with the replicas' scatter, and fills
/// gaps of the replicas with their mean. Points that less than half of the replicas reach get no weight; flagged ones
/// no more than they had.
Corrected corrected(const ModalPoints& raw, const std::vector<bool>& flagged, const ModalIwanLaw& model,
                    ReplicaCurves& replicas);

}  // namespace microslip
