#include <algorithm>
#include <limits>
#include <numeric>

#include <microslip/identify/modal_minimax.hpp>

namespace microslip {

namespace {

ModalChoice rising(const ModalProblem& squares, const std::vector<ModalProblem::Variables>& starts, bool macro_slip) {
  ModalChoice best{squares, {}, macro_slip};
  double least = std::numeric_limits<double>::infinity();
  for (const auto& start : starts) {
    ModalProblem::Minimum m = squares.local(start, macro_slip);
    for (const double power : {4.0, 8.0, 16.0, 32.0, 64.0}) {
      ModalProblem::Options options = squares.options();
      options.power = power;
      m = ModalProblem(squares.points(), options).local(m.x, macro_slip);
    }
    const ModalChoice found{squares, {m.x, squares.value(m.x), m.settled}, macro_slip};
    if (largest_misfit(found) < least) best = found, least = largest_misfit(found);
  }
  return best;
}

}  // namespace

ModalPoints tolerant(ModalPoints points, double factor, double frequency_tolerance, double damping_tolerance) {
  for (double& deviation : points.frequency_deviation) deviation = std::max(factor * deviation, frequency_tolerance);
  for (double& deviation : points.damping_deviation) deviation = std::max(factor * deviation, damping_tolerance);
  return points;
}

double largest_misfit(const ModalChoice& choice) {
  return choice.problem.residuals(choice.minimum.x).cwiseAbs().maxCoeff();
}

ModalChoice least_largest(const ModalProblem& squares, const ModalIwan& from, bool macro_slip) {
  const auto start = squares.variables(from);
  ModalChoice best = rising(squares, {squares.global(false).x, start}, false);
  if (macro_slip && largest_misfit(best) > 1) {
    const ModalChoice slipping = rising(squares, {squares.global(true).x, start, best.minimum.x}, true);
    if (largest_misfit(slipping) < 0.8 * largest_misfit(best)) best = slipping;
  }
  return best;
}

ModalChoice least_largest(const ModalProblem& squares, const ModalChoice& near) {
  return rising(squares, {near.minimum.x}, near.macro_slip);
}

ModalChoice least_largest(const ModalPoints& points, const ModalChoice& near) {
  ModalProblem problem(points, near.problem.options());
  if (problem.options().objective == ModalObjective::paper) problem.convert_with(near.model());
  return rising(problem, {problem.variables(near.model())}, near.macro_slip);
}

std::vector<ModalIwan> left_out(const ModalChoice& choice, bool rising_powers) {
  constexpr std::size_t n_blocks = 10;
  const ModalPoints& points = choice.problem.points();
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return points.amplitude[a] < points.amplitude[b]; });
  const auto ln_amplitude = [&](std::size_t place) { return std::log(points.amplitude[order[place]]); };
  std::vector<ModalIwan> models;
  for (std::size_t b = 0; b < n_blocks; ++b) {
    ModalPoints kept = points;
    const std::size_t from = b * order.size() / n_blocks, to = (b + 1) * order.size() / n_blocks;
    for (std::size_t j = from; j < to; ++j) kept.leave_out(order[j]);
    ModalProblem problem(kept, choice.problem.options());
    if (problem.options().objective == ModalObjective::paper) problem.convert_with(choice.model());
    ModalProblem::Variables x =
        rising_powers ? least_largest(problem, choice).minimum.x : problem.local(choice.minimum.x, choice.macro_slip).x;
    if (choice.macro_slip && to == order.size() && from > 0) {
      const double seen = ln_amplitude(from - 1) - ln_amplitude(to - 1);
      if (x[ModalProblem::ln_reach] > seen) x = ModalProblem::without_macro_slip(x, seen);
    }
    models.push_back(problem.model(x));
  }
  return models;
}

}  // namespace microslip
