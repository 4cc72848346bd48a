#include <microslip/core/check.hpp>
#include <microslip/report/figure.hpp>

namespace microslip::report {

namespace {

void same_length(const Figure& figure, const Trace& trace, const char* what, std::size_t length, std::size_t expected) {
  if (length != expected)
    throw InvalidInput(fmt::format("figure '{}', trace '{}': {} holds {} values, expected {}", figure.id, trace.name,
                                   what, length, expected));
}

void check_axis(const Figure& figure, const char* which, const Axis& axis) {
  if (axis.title.empty()) throw InvalidInput(fmt::format("figure '{}': the {} axis has no title", figure.id, which));
  if (axis.unit.empty() && axis.categories.empty())
    throw InvalidInput(fmt::format("figure '{}': the {} axis '{}' has no unit (\"1\" for a plain number)", figure.id,
                                   which, axis.title));
}

void check_trace(const Figure& figure, const Trace& trace) {
  if (trace.mark == Mark::heatmap) {
    same_length(figure, trace, "values", trace.values.size(), trace.x.size() * trace.y.size());
  } else {
    same_length(figure, trace, "y", trace.y.size(), trace.x.size());
    if (!trace.values.empty()) same_length(figure, trace, "values", trace.values.size(), trace.x.size());
    if (!trace.hover.empty()) same_length(figure, trace, "hover", trace.hover.size(), trace.x.size());
    if (!trace.picks.empty()) same_length(figure, trace, "picks", trace.picks.size(), trace.x.size());
    if (!trace.lower.empty() || !trace.upper.empty() || trace.mark == Mark::band)
      same_length(figure, trace, "upper", trace.upper.size(), trace.x.size());
    if (!trace.lower.empty()) same_length(figure, trace, "lower", trace.lower.size(), trace.x.size());
  }
  if (trace.panel < 0 || trace.panel >= static_cast<int>(figure.y.size()))
    throw InvalidInput(
        fmt::format("figure '{}', trace '{}': there is no panel {}", figure.id, trace.name, trace.panel));
  if (trace.step >= static_cast<int>(figure.steps.size()))
    throw InvalidInput(fmt::format("figure '{}', trace '{}': there is no step {}", figure.id, trace.name, trace.step));
}

bool plain_name(const std::string& id) {
  for (const char c : id)
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_')) return false;
  return !id.empty();
}

}  // namespace

void check(const Figure& figure) {
  if (!plain_name(figure.id))
    throw InvalidInput(fmt::format("figure id '{}' must be lower-case letters, digits, '-' and '_'", figure.id));
  if (figure.y.empty()) throw InvalidInput(fmt::format("figure '{}' has no y axis", figure.id));
  check_axis(figure, "x", figure.x);
  for (const Axis& axis : figure.y) check_axis(figure, "y", axis);
  if (!figure.heights.empty() && figure.heights.size() != figure.y.size())
    throw InvalidInput(
        fmt::format("figure '{}': {} heights for {} panels", figure.id, figure.heights.size(), figure.y.size()));
  for (const Trace& trace : figure.traces) check_trace(figure, trace);
  for (const Annotation& note : figure.annotations)
    if (note.panel < 0 || note.panel >= static_cast<int>(figure.y.size()))
      throw InvalidInput(
          fmt::format("figure '{}', annotation '{}': there is no panel {}", figure.id, note.text, note.panel));
}

}  // namespace microslip::report
