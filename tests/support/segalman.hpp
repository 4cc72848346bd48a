#pragma once

#include <microslip/identify/dissipation.hpp>

namespace microslip::test {

/// The one set of measured data that is printed [Segalman2002, appendix, AFF1_1.m].
inline const DissipationData aff1_1{.name = "AFF1_1",
                                    .force = {42.42640687, 84.85281374, 127.2792206, 169.7056275, 226.27417},
                                    .dissipation = {4.25e-05, 2.13e-04, 5.84e-04, 1.23e-03, 2.56e-03}};

}  // namespace microslip::test
