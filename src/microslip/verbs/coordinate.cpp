#include <fmt/format.h>

#include <microslip/verbs/coordinate.hpp>

namespace microslip::verbs {

CoordinateUnits units_of(std::string_view coordinate, Quantity quantity) {
  if (quantity == Quantity::strain) return {"1 (strain)", "1/s^2", "1/s^2", "1/s^2 (strain)"};
  if (coordinate == "modal") return {"sqrt(kg) m", "sqrt(kg) m/s^2", "N/sqrt(kg)", "J"};
  return {"m", "m/s^2", "m/s^2", "m^2/s^2"};
}

CoordinateUnits units_of_modes(bool unit_masses) {
  if (unit_masses) return units_of("modal", Quantity::unknown);
  return {"m", "m/s^2", "N", "J"};
}

std::string coordinate_text(std::string_view coordinate) {
  if (coordinate == "modal") return "mass-normalised modal coordinate";
  constexpr std::string_view modal = "modal (";
  if (coordinate.substr(0, modal.size()) == modal)
    return fmt::format("modal coordinate {}", coordinate.substr(modal.size() - 1));
  return fmt::format("sensor {}", coordinate);
}

}  // namespace microslip::verbs
