// The library's laws for the joint explorer, compiled to WebAssembly: while a slider moves, the page asks nobody.
// Numbers go in and out through one block each. What the library refuses ends the call; the page then asks the server,
// which says why.
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include <microslip/joints/amplitude_curves.hpp>

namespace {

std::vector<double> given, answer;

void append(std::initializer_list<std::span<const double>> parts) {
  for (const std::span<const double> part : parts) answer.insert(answer.end(), part.begin(), part.end());
}

}  // namespace

extern "C" {

// Nothing unwinds here: what is thrown ends the call, and with it this instance of the module.
void* __cxa_allocate_exception(std::size_t /*size*/) { __builtin_trap(); }
void __cxa_throw(void* /*thrown*/, void* /*type*/, void (* /*destroy*/)(void*)) { __builtin_trap(); }

/// Where the page puts `count` numbers before it calls curves.
[[clang::export_name("room")]] double* room(std::size_t count) {
  given.resize(count);
  return given.data();
}

/// `law` counts the table of laws. Given are amplitude, from and to; its parameters in the order of its table, NaN for
/// one that is left out; measured forces, then dissipations. Back come the seven curves, the loop's displacements and
/// forces (2 points + 1 each), its dissipation and secant stiffness, and where something was measured the law's
/// dissipation at each force and the residual, NaN if there is none.
[[clang::export_name("curves")]] const double* curves(std::size_t law, int points, std::size_t measured) {
  using namespace microslip;
  const LawInfo& info = law_table().at(law);
  const std::size_t count = info.parameters.size();
  const std::span<const double> values = std::span<const double>(given).subspan(3, count + 2 * measured);
  NamedValues parameters;
  for (std::size_t i = 0; i < count; ++i)
    if (!std::isnan(values[i])) parameters.emplace_back(info.parameters[i].name, values[i]);
  const AnyLaw joint = make_law(info.name, parameters);

  const double amplitude = given[0], from = given[1], to = given[2];
  const AmplitudeCurves c = amplitude_curves(joint, from, to, points);
  const LoopPath loop = natural_loop(joint, amplitude, points);
  answer.clear();
  append({c.amplitude, c.monotonic_force, c.force, c.dissipation, c.secant_stiffness, c.slope, c.curvature,
          loop.displacement, loop.force});
  answer.insert(answer.end(), {loop.dissipation, loop.secant_stiffness});
  if (measured > 0) {
    const DissipationComparison beside =
        compare_dissipation(joint, values.subspan(count, measured), values.subspan(count + measured), to);
    append({beside.dissipation});
    answer.push_back(beside.residual.value_or(std::nan("")));
  }
  return answer.data();
}
}
