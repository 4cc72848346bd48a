#include <algorithm>
#include <cmath>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/modal/rqnma_run.hpp>

namespace microslip::detail {

using Eigen::Index;
using Eigen::VectorXd;
using std::numbers::pi;

namespace {

VectorXd normal_springs(const Joint& joint, const Interface& interface) {
  return positive("joint.normal_stiffness", joint.normal_stiffness) * acting_areas(joint, interface.areas);
}

/// Springs across a large joint belong to the structure: a third fewer unknowns. Not where derivatives by their
/// stiffness are wanted, nor where they are so stiff that the structure's own stiffness would lose its digits in
/// theirs.
std::optional<JointedSystem> without_normals(const JointedSystem& system, const Joint& joint,
                                             const RqnmaOptions& options) {
  constexpr Index large = 128;
  const bool shared = system.points().size() > 0;
  if (system.interface().contact != Contact::spring || !shared || system.joint_mass().rows() < large ||
      options.sensitivities)
    return std::nullopt;
  const VectorXd springs = normal_springs(joint, system.interface());
  if (springs.maxCoeff() > system.system().stiffness.diagonal().maxCoeff()) return std::nullopt;
  return system.with_normal_springs(springs);
}

}  // namespace

RqnmaRun::RqnmaRun(const JointedSystem& system, const Joint& joint, int mode, const RqnmaOptions& options)
    : in_plane_(without_normals(system, joint, options)),
      condensed_(Condensed::for_mode(in_plane_ ? *in_plane_ : system, mode)),
      interface_(system.interface()),
      options_(options),
      points_(make_points(joint, interface_.contact, interface_.areas)),
      start_(points_->clone()),
      rest_(3 * static_cast<std::size_t>(interface_.n_points()), 0.0),
      lost_(static_cast<std::size_t>(interface_.n_points())) {
  result_.mode = mode;
  if (in_plane_) normal_springs_ = normal_springs(joint, interface_);
  const bool obeys = obeys_masing(joint, interface_.contact);
  result_.framework = options.framework.value_or(obeys ? Framework::masing : Framework::reversal);
  if (masing() && !obeys)
    result_.notes.push_back(fmt::format("{} with {} contact does not obey Masing's rules; they are applied as asked",
                                        law_name(joint.law), to_string(interface_.contact)));
  if (!masing() && interface_.contact == Contact::penalty && options.sensitivities)
    result_.notes.push_back(
        "with sensitivities, points go straight from one end of the loop to the other: where contact opens, "
        "dissipation "
        "is not that of the traced loop");
  if (modal()) rule_ = gauss_lobatto(options.quadrature_points);
  start(joint);
  linear_ = condensed_modes(condensed_, initial_tangents(joint, interface_, result_.prestress), mode, mode).front();
  if (!(linear_.lambda > 0))
    throw InvalidInput(fmt::format("mode {} has no stiffness: omega^2 = {:.3g}", mode, linear_.lambda));
  result_.linear_frequency_hz = std::sqrt(linear_.lambda) / (2 * pi);
}

/// The prestressed state. Where friction starts from rest it counts displacements from there; a normal spring may do
/// so too.
void RqnmaRun::start(const Joint& joint) {
  const bool spring = interface_.contact == Contact::spring;
  const PrestressOptions& preload = options_.prestress;
  const bool remembers = !masing() && preload.law == PrestressLaw::full && preload.preload != 0;
  const bool prestressed = !spring || (preload.preload != 0 && (remembers || options_.shapes));
  if (prestressed) result_.prestress = prestress(condensed_, joint, *start_, preload);
  if (remembers) {
    rest_ = result_.prestress->relative;
  } else {
    if (!spring)
      for (std::size_t i = 0; i < lost_.size(); ++i) rest_[3 * i + 2] = result_.prestress->relative[3 * i + 2];
    start_->press(rest_);
  }
  points_->recall(*start_);
  InterfaceResponse<double> at_rest;
  start_->evaluate(rest_, at_rest);
  force_at_rest_ = at_rest.force;
  solver_.emplace(condensed_, linear_part_, *points_, rest_, force_at_rest_, options_.newton);
  if (!masing())
    for (auto& end : ends_) end.emplace(condensed_, linear_part_, *points_, rest_, force_at_rest_, options_.newton);
  if (!masing() && !points_->memory().empty()) round_.emplace(condensed_, joint);
  if (options_.sensitivities) {
    sensitivity_.emplace(condensed_, joint);
    parameters_ = joint_parameters(joint);
    sensitivity_->start(result_.prestress, preload.law, remembers, rest_);
  }
}

void RqnmaRun::add(double q) {
  BackbonePoint point;
  point.amplitude = q;
  points_->recall(*start_);
  std::fill(lost_.begin(), lost_.end(), 0.0);
  const bool integrated = !(masing() && modal()) || integrate_first_loading(q, point);
  Point top = predict(q);
  bool good = reach(top, q, point);
  if (good) {
    first_.add(q, top);
    if (masing())
      finish_masing(top, point);
    else
      good = finish_reversal(top, point);
  }
  if (!good) point.dissipation = BackbonePoint::not_known;
  if (!good && point.flag.empty())
    point.flag = fmt::format("did not converge: residual {:.2g} after {} iterations", point.residual, point.iterations);
  if (!integrated && point.flag.empty())
    point.flag = "an amplitude below did not converge: the loop's area is not known";
  point.converged = point.flag.empty();
  result_.points.push_back(std::move(point));
}

Rqnma RqnmaRun::take() {
  const auto other = std::find_if(result_.points.begin(), result_.points.end(), [](const BackbonePoint& point) {
    return point.converged && point.linear_assurance < 0.5;
  });
  if (other != result_.points.end())
    result_.notes.push_back(fmt::format(
        "at amplitude {:.3g} the shape is more another mode's than the linear one (modal assurance {:.2f}): modes have "
        "met, look at the shapes",
        other->amplitude, other->linear_assurance));
  constexpr double matters = 0.1;
  if (largest_offset_.share > matters)
    result_.notes.push_back(
        fmt::format("at amplitude {:.3g} the middle of the loop lies {:.2g} of it from rest, which RQNMA counts as "
                    "motion: frequency "
                    "and damping are biased{}",
                    largest_offset_.amplitude, largest_offset_.share,
                    options_.prestress.preload != 0 && options_.prestress.law == PrestressLaw::full
                        ? " (friction let go of a part of the prestress: law = \"conservative\" keeps it)"
                        : ""));
  return std::move(result_);
}

RqnmaRun::Point RqnmaRun::predict(double q) const {
  return first_.empty() ? Point{q * linear_.y, linear_.lambda} : first_.at(q);
}

/// Mass-weighted modal assurance of a solution (the solver's last) with a known one.
double RqnmaRun::assurance(const VectorXd& reference, double q) {
  condensed_.multiply(linear_.lambda, reference, products_);
  const double own = reference.dot(products_.N_y), cross = reference.dot(solver_->mass_times_y());
  return cross * cross / (own * q * q);
}

double RqnmaRun::assurance_with_linear(const Point& x, double q) {
  condensed_.multiply(x.lambda, x.y, products_);
  const double cross = linear_.y.dot(products_.N_y);
  return cross * cross / (q * q);
}

/// To amplitude q from a guess; else from the last known amplitude in smaller steps, on each of which the shape must
/// stay much the same: a mode may change as much as it likes, but not at once. On a long stride a guess is trusted only
/// where lambda hardly changes.
bool RqnmaRun::reach(Point& x, double q, BackbonePoint& point) {
  constexpr double alike = 0.9, near = 0.05;
  bool solved = false;
  const auto attempt = [&](Point& at, double amplitude, const VectorXd& reference) {
    const NewtonReport report = solver_->solve(at, amplitude);
    point.iterations += report.iterations;
    point.residual = report.residual;
    solved = report.converged() && at.lambda > 0;
    point.assurance = solved ? assurance(reference, amplitude) : 0;
    return solved && point.assurance > alike;
  };
  const bool first = first_.empty();
  const double stride = first ? std::log(1e3) : std::log(q / first_.last().q);
  const double last = first ? linear_.lambda : first_.last().x.lambda;
  if (attempt(x, q, first ? linear_.y : first_.last().x.y) &&
      (stride <= far_stride || std::abs(x.lambda - last) < near * last))
    return true;
  const int fewest = std::max(4, static_cast<int>(std::ceil(stride / far_stride)));
  for (int n_steps = fewest; n_steps <= 16 * fewest; n_steps *= 4) {
    const double from = first ? 1e-3 * q : first_.last().q;
    Point at = first ? Point{from * linear_.y, linear_.lambda} : first_.last().x;
    double before = from;
    bool good = true;
    for (int i = 1; i <= n_steps && good; ++i) {
      const double now = i == n_steps ? q : from * std::pow(q / from, double(i) / n_steps);
      const VectorXd reference = at.y;
      at.y *= now / before;
      before = now;
      good = attempt(at, now, reference);
    }
    if (good) {
      x = at;
      return true;
    }
  }
  if (solved && std::isfinite(point.assurance))
    point.flag = fmt::format("the mode jumps: modal assurance {:.2g} with the last amplitude, however small the step",
                             point.assurance);
  return false;
}

void RqnmaRun::finish_masing(const Point& top, BackbonePoint& point) {
  points_->add_masing_loop(solver_->displacements_at(top.y), lost_);
  for (const double at : lost_) point.dissipation += at;
  if (modal()) {  // D = 8 int lambda q dq - 4 lambda q^2, without what cancels
    const double q = point.amplitude;
    point.dissipation = 8 * first_loading_ - 4 * (top.lambda - linear_.lambda) * q * q;
  }
  describe(top, std::sqrt(top.lambda), point);
  if (sensitivity_) differentiate_masing(top, point);
}

void RqnmaRun::describe(const Point& top, double omega, BackbonePoint& point) {
  const double q = point.amplitude;
  point.linear_assurance = assurance_with_linear(top, q);
  point.frequency_hz = omega / (2 * pi);
  point.damping_ratio = point.dissipation / (2 * pi * omega * omega * q * q) + options_.damping_ratio;
  if (!options_.shapes) return;
  point.shape = condensed_.expand(top.lambda, top.y) / q;
  point.local_loss = Eigen::Map<const VectorXd>(lost_.data(), static_cast<Index>(lost_.size()));
  std::vector<double> w;
  condensed_.displace(top.y, w);
  point.relative = Eigen::Map<const VectorXd>(w.data(), static_cast<Index>(w.size()));
  point.force = (masing() ? *solver_ : *ends_[1]).point_forces();
  if (!in_plane_) return;
  const VectorXd n = q * (in_plane_->normal_map() * point.shape);
  for (Index i = 0; i < n.size(); ++i) {
    point.relative(3 * i + 2) = n(i);
    point.force(3 * i + 2) = normal_springs_(i) * n(i);
  }
}

}  // namespace microslip::detail
