#include <microslip/verbs/models.hpp>

#include "commands.hpp"

namespace microslip::app {

void add_models(Commands& commands) {
  commands.add(
      "models", "list the friction laws, their parameters, units and ranges", [] { return verbs::models(); }, nullptr,
      Draws::nothing);
}

}  // namespace microslip::app
