#pragma once

#include <microslip/beam/finite_element_beam.hpp>
#include <microslip/beam/harmonic_series.hpp>
#include <microslip/core/outcome.hpp>

namespace microslip::beam {

/// The steady response to F sin(omega t), with all its harmonics.
struct SuperHarmonics {
  HarmonicSeries displacement;  ///< at the load, along it
  HarmonicSeries acceleration;
  double dissipation = 0;  ///< work of the force over a cycle
  Outcome outcome = Outcome::converged;
  int iterations = 0;
  double residual = 0;  ///< last change of the displacement's harmonics over the first one
};

/// Harmonic balance: each harmonic m moves with its own K - (m omega)^2 M, where PartialSlip and march use one operator
/// for the whole cycle, as the paper does. The sliders are marched in time and their force is given back to the
/// harmonics; iterated with Anderson's acceleration. This is the computed counterpart of [Asadi2012, Fig. 6].
SuperHarmonics super_harmonics(const FiniteElementBeam& beam, double force, int n_harmonics,
                               NormalForce normal_force = NormalForce::constant);

}  // namespace microslip::beam
