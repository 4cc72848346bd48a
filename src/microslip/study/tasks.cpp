#include <cmath>

#include <microslip/core/check.hpp>
#include <microslip/optimize/boundary_intersection.hpp>
#include <microslip/optimize/least_squares.hpp>
#include <microslip/study/search_space.hpp>
#include <microslip/study/tasks.hpp>

namespace microslip::study {

namespace {

enum Kind { evaluate = 0, single = 1, ray = 2, predict = 3 };

Task task_of(std::size_t entry, Kind kind, std::initializer_list<double> numbers, std::span<const double> point) {
  Task task{static_cast<double>(entry), static_cast<double>(kind)};
  task.insert(task.end(), numbers);
  task.insert(task.end(), point.begin(), point.end());
  return task;
}

std::span<const double> as_span(const Eigen::VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
Eigen::VectorXd as_vector(std::span<const double> x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

ErrorSums fit_sums(const Study& study, const Entry& entry, std::span<const double> point) {
  ErrorSums sums;
  for (std::size_t m : study.fit) sums.add(compare(entry.forward->compute(point, m, false), study.measured[m]));
  return sums;
}

/// A backbone at the point that a search's coordinates stand for, slopes with those coordinates.
Computed compute_at(const Entry& entry, const SearchSpace& space, const Eigen::VectorXd& x, std::size_t m,
                    bool slopes) {
  Computed c = entry.forward->compute(space.point(as_span(x)), m, slopes);
  if (slopes) {
    const Eigen::MatrixXd chain = space.slopes(as_span(x));
    c.frequency_slope *= chain;
    c.damping_slope *= chain;
  }
  return c;
}

/// Relative errors at every amplitude of the fitted modes, as least squares wants them: of frequency (objective 0), of
/// ln(damping) (1), or first the one and then the other (2).
Eigen::VectorXd residuals_of(const Study& study, const Entry& entry, const SearchSpace& space, std::size_t objective,
                             const Eigen::VectorXd& x, Eigen::MatrixXd* jacobian) {
  Eigen::Index n = 0;
  for (std::size_t m : study.fit) n += static_cast<Eigen::Index>(study.measured[m].backbone.size());
  const Eigen::Index n_rows = objective == 2 ? 2 * n : n;
  Eigen::VectorXd r = Eigen::VectorXd::Ones(n_rows);  // what has no value is off by 100 %
  if (jacobian != nullptr) jacobian->setZero(n_rows, x.size());
  Eigen::Index row = 0, damping_row = objective == 2 ? n : 0;
  for (std::size_t m : study.fit) {
    const Backbone& measured = study.measured[m].backbone;
    const Computed c = compute_at(entry, space, x, m, jacobian != nullptr);
    for (std::size_t i = 0; i < measured.size(); ++i, ++row, ++damping_row) {
      const auto k = static_cast<Eigen::Index>(i);
      if (objective != 1 && std::isfinite(c.frequency_hz[i])) {
        r[row] = c.frequency_hz[i] / measured.frequency_hz[i] - 1;
        if (jacobian != nullptr) jacobian->row(row) = c.frequency_slope.row(k) / measured.frequency_hz[i];
      }
      if (objective != 0 && c.damping_ratio[i] > 0) {
        const double ln_m = std::log(measured.damping_ratio[i]);
        r[damping_row] = std::log(c.damping_ratio[i]) / ln_m - 1;
        if (jacobian != nullptr) jacobian->row(damping_row) = c.damping_slope.row(k) / (c.damping_ratio[i] * ln_m);
      }
    }
  }
  return r;
}

/// Objectives and point of what a search has found.
std::vector<double> found(const Study& study, const Entry& entry, const std::vector<double>& point) {
  const Point f = fit_sums(study, entry, point).objectives(entry.penalised);
  std::vector<double> answer{f[0], f[1]};
  answer.insert(answer.end(), point.begin(), point.end());
  return answer;
}

std::vector<double> find_single(const Study& study, const Entry& entry, std::span<const double> task) {
  const SearchSpace space(entry);
  const auto objective = static_cast<std::size_t>(task[0]);
  LeastSquaresOptions options;
  options.lower = space.lower();
  options.upper = space.upper();
  options.max_iterations = 100;
  options.tolerance = 1e-10;
  const Residuals residuals = [&](const Eigen::VectorXd& x, Eigen::MatrixXd* jacobian) {
    return residuals_of(study, entry, space, objective, x, jacobian);
  };
  const auto fit = least_squares(residuals, as_vector(space.coordinates(task.subspan(1))), options);
  return found(study, entry, space.point(as_span(fit.x)));
}

std::vector<double> find_on_ray(const Study& study, const Entry& entry, std::span<const double> task) {
  const SearchSpace space(entry);
  BoundaryIntersectionOptions options;
  options.lower = space.lower();
  options.upper = space.upper();
  options.x_tolerance = 1e-6;
  options.max_evaluations = 60;
  const TwoObjectives objectives = [&](const Eigen::VectorXd& x, Eigen::Matrix2Xd* gradients) {
    ErrorSums sums;
    for (std::size_t m : study.fit)
      sums.add(compare(compute_at(entry, space, x, m, gradients != nullptr), study.measured[m]));
    if (gradients != nullptr) *gradients = sums.objective_slopes();
    return sums.objectives(entry.penalised);
  };
  const Eigen::VectorXd start = as_vector(space.coordinates(task.subspan(3)));
  const auto ended = intersect_boundary(objectives, {task[0], task[1]}, task[2], start, options);
  return found(study, entry, space.point(as_span(ended.x)));
}

std::vector<double> predictions(const Study& study, const Entry& entry, std::span<const double> point) {
  std::vector<double> answer;
  for (std::size_t m = 0; m < study.measured.size(); ++m) {
    const Computed c = entry.forward->compute(point, m, false);
    for (const auto* column : {&c.frequency_hz, &c.damping_ratio, &c.residual})
      answer.insert(answer.end(), column->begin(), column->end());
  }
  return answer;
}

}  // namespace

Task evaluate_task(std::size_t entry, std::span<const double> point) { return task_of(entry, evaluate, {}, point); }
Task single_task(std::size_t entry, std::size_t objective, std::span<const double> start) {
  return task_of(entry, single, {static_cast<double>(objective)}, start);
}
Task ray_task(std::size_t entry, const Point& utopia, double psi, std::span<const double> start) {
  return task_of(entry, ray, {utopia[0], utopia[1], psi}, start);
}
Task predict_task(std::size_t entry, std::span<const double> point) { return task_of(entry, predict, {}, point); }

Work study_work(const Study& study) {
  return [&study](std::span<const double> task) -> std::vector<double> {
    const Entry& entry = study.entries.at(static_cast<std::size_t>(task[0]));
    const std::span<const double> rest = task.subspan(2);
    switch (static_cast<Kind>(task[1])) {
      case evaluate: {
        const Point f = fit_sums(study, entry, rest).objectives(entry.penalised);
        return {f[0], f[1]};
      }
      case single:
        return find_single(study, entry, rest);
      case ray:
        return find_on_ray(study, entry, rest);
      case predict:
        return predictions(study, entry, rest);
    }
    throw InvalidInput("unknown task");
  };
}

Point read_objectives(const TaskResult& result) {
  if (!result.failure.empty() || !std::isfinite(result.values[0]) || !std::isfinite(result.values[1]))
    return worst_point;
  return {result.values[0], result.values[1]};
}

std::optional<Candidate> read_candidate(const TaskResult& result) {
  if (read_objectives(result) == worst_point) return std::nullopt;
  return Candidate{{result.values.begin() + 2, result.values.end()}, {result.values[0], result.values[1]}};
}

std::optional<FrontMember> read_member(const Study& study, std::span<const double> point, const TaskResult& result) {
  if (!result.failure.empty()) return std::nullopt;
  FrontMember member{.point = {point.begin(), point.end()}};
  ErrorSums fitted;
  auto at = result.values.begin();
  for (std::size_t m = 0; m < study.measured.size(); ++m) {
    const auto n = static_cast<std::ptrdiff_t>(study.measured[m].backbone.size());
    Computed c;
    for (auto* column : {&c.frequency_hz, &c.damping_ratio, &c.residual}) {
      column->assign(at, at + n);
      at += n;
    }
    const ErrorSums sums = compare(c, study.measured[m]);
    if (study.fitted(m)) fitted.add(sums);
    member.mode_errors.push_back(sums.errors());
    member.residual.push_back(sums.residual);
    member.negative_damping += sums.negative_damping;
    member.failed += sums.failed;
    member.backbones.push_back(std::move(c));
  }
  member.errors = fitted.errors();
  return member;
}

}  // namespace microslip::study
