#include <algorithm>
#include <cmath>
#include <numbers>

#include <microslip/core/check.hpp>
#include <microslip/modal/rqnma_run.hpp>

namespace microslip::detail {

using Eigen::Index;
using Eigen::VectorXd;
using std::numbers::pi;

RqnmaRun::RqnmaRun(const JointedSystem& system, const Joint& joint, int mode, const RqnmaOptions& options)
    : condensed_(Condensed::for_mode(system, mode)),
      interface_(system.interface()),
      options_(options),
      points_(make_points(joint, interface_.contact, interface_.areas)),
      start_(points_->clone()),
      rest_(3 * static_cast<std::size_t>(interface_.n_points()), 0.0),
      lost_(static_cast<std::size_t>(interface_.n_points())) {
  result_.mode = mode;
  const bool obeys = obeys_masing(joint, interface_.contact);
  result_.framework = options.framework.value_or(obeys ? Framework::masing : Framework::reversal);
  if (masing() && !obeys)
    result_.notes.push_back(fmt::format("{} with {} contact does not obey Masing's rules; they are applied as asked",
                                        law_name(joint.law), to_string(interface_.contact)));
  if (modal()) rule_ = gauss_lobatto(options.quadrature_points);
  start(joint);
  linear_ = condensed_modes(condensed_, initial_tangents(joint, interface_, result_.prestress), mode, mode).front();
  if (!(linear_.lambda > 0))
    throw InvalidInput(fmt::format("mode {} has no stiffness: omega^2 = {:.3g}", mode, linear_.lambda));
  result_.linear_frequency_hz = std::sqrt(linear_.lambda) / (2 * pi);
  if (options.shapes) result_.linear_shape = condensed_.expand(linear_.lambda, linear_.y);
}

/// The prestressed state. Where friction starts from rest it counts displacements from there; a normal spring may do
/// so too.
void RqnmaRun::start(const Joint& joint) {
  const bool spring = interface_.contact == Contact::spring;
  const PrestressOptions& preload = options_.prestress;
  if (!spring && preload.preload == 0)
    throw InvalidInput("penalty contact needs a preload: without one the joint is open");
  const bool remembers = !masing() && preload.law == PrestressLaw::full && preload.preload != 0;
  const bool prestressed = preload.preload != 0 && (!spring || remembers || options_.shapes);
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
  solver_.emplace(condensed_, *points_, rest_, force_at_rest_, options_.newton);
  if (options_.sensitivities) {
    sensitivity_.emplace(condensed_, joint);
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
    if (masing())
      finish_masing(top, point);
    else
      good = finish_reversal(top, point);
    if (good) remember(q, top);
  }
  if (!good && point.flag.empty())
    point.flag = fmt::format("did not converge: residual {:.2g} after {} iterations", point.residual, point.iterations);
  if (!integrated && point.flag.empty())
    point.flag = "an amplitude below did not converge: the loop's area is not known";
  point.converged = point.flag.empty();
  result_.points.push_back(std::move(point));
}

/// Shape and lambda continued along the logarithm of the amplitude.
RqnmaRun::Point RqnmaRun::predict(double q) const {
  if (known_.empty()) return {q * linear_.y, linear_.lambda};
  const Known& a = known_.back();
  Point x{(q / a.q) * a.x.y, a.x.lambda};
  if (known_.size() < 2) return x;
  const Known& b = known_.front();
  const double ahead = std::min(1.5, std::log(q / a.q) / std::log(a.q / b.q));
  x.y += ahead * (x.y - (q / b.q) * b.x.y);
  x.lambda += ahead * (a.x.lambda - b.x.lambda);
  return x;
}

void RqnmaRun::remember(double q, const Point& x) {
  if (known_.size() == 2) known_.erase(known_.begin());
  known_.push_back({q, x});
}

/// Mass-weighted modal assurance of a solution (the solver's last) with a known one.
double RqnmaRun::assurance(const VectorXd& reference, double q) {
  condensed_.multiply(linear_.lambda, reference, products_);
  const double own = reference.dot(products_.N_y), cross = reference.dot(solver_->mass_times_y());
  return cross * cross / (own * q * q);
}

/// To amplitude q from a guess; else from the last known amplitude in smaller steps.
bool RqnmaRun::reach(Point& x, double q, BackbonePoint& point) {
  const VectorXd reference = known_.empty() ? linear_.y : known_.back().x.y;
  const auto attempt = [&](Point& at, double amplitude) {
    const NewtonReport report = solver_->solve(at, amplitude);
    point.iterations += report.iterations;
    point.residual = report.residual;
    point.assurance = report.converged() ? assurance(reference, amplitude) : 0;
    return report.converged() && at.lambda > 0 && point.assurance > 0.5;
  };
  if (attempt(x, q)) return true;
  for (int n_steps = 4; n_steps <= 64; n_steps *= 4) {
    const double from = known_.empty() ? 1e-3 * q : known_.back().q;
    Point at = known_.empty() ? Point{from * linear_.y, linear_.lambda} : known_.back().x;
    double before = from;
    bool good = true;
    for (int i = 1; i <= n_steps && good; ++i) {
      const double now = i == n_steps ? q : from * std::pow(q / from, double(i) / n_steps);
      at.y *= now / before;
      before = now;
      good = attempt(at, now);
    }
    if (good) {
      x = at;
      return true;
    }
  }
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

/// One round from the memory at +q: to -q and back.
bool RqnmaRun::go_round(Point& bottom, Point& top, BackbonePoint& point) {
  std::fill(lost_.begin(), lost_.end(), 0.0);
  point.residual = 0;
  for (Point* end : {&bottom, &top}) {
    const NewtonReport report = solver_->solve(*end, point.amplitude);
    point.iterations += report.iterations;
    point.residual = std::max(point.residual, report.residual);
    if (!report.converged() || !(end->lambda > 0)) return false;
    points_->advance(solver_->displacements_at(end->y), lost_);
  }
  return true;
}

/// +q -> -q -> +q, until the loop closes.
bool RqnmaRun::finish_reversal(Point& top, BackbonePoint& point) {
  const double q = point.amplitude;
  points_->advance(solver_->displacements_at(top.y), lost_);
  VectorXd force_before = solver_->joint_force();
  std::vector<Point> ends{top};  // every end of the way, for derivatives where the memory is a stack
  Point bottom{-top.y, top.lambda};
  const bool plain = !points_->memory().empty();
  std::optional<Anderson> mixer;
  std::vector<double> safe;  // memory before it was mixed
  double loss = 0, loss_before = 0;
  bool closed = false;
  while (!closed && point.loops < options_.max_loops) {
    ++point.loops;
    const std::vector<double> memory = points_->memory();
    const Point bottom_before = bottom, top_before = top;
    if (!go_round(bottom, top, point)) {
      if (safe.empty()) return false;  // else a mixture that no motion leads to: repeat plainly from before it
      points_->set_memory(safe);
      safe.clear();
      mixer.reset();
      bottom = bottom_before;
      top = top_before;
      continue;
    }
    if (sensitivity_ && !plain) ends.insert(ends.end(), {bottom, top});
    loss = 0;
    for (const double at : lost_) loss += at;
    point.loop_gap = (solver_->joint_force() - force_before).norm() / (top.lambda * solver_->mass_times_y().norm());
    const bool settled = point.loops == 1 || std::abs(loss - loss_before) <= 1e-6 * loss + 1e-12 * top.lambda * q * q;
    // A round that began with a mixture has not come back to where it began: the next one, plain, is to tell.
    const bool small = settled && point.loop_gap <= std::max(options_.loop_tolerance, 10 * point.residual);
    closed = small && safe.empty();
    force_before = solver_->joint_force();
    loss_before = loss;
    safe.clear();
    if (small || !plain || !options_.accelerate) continue;
    if (!mixer) mixer.emplace(memory.size() / lost_.size());
    safe = points_->memory();
    points_->set_memory(mixer->next(memory, safe));
  }
  if (!closed) point.flag = fmt::format("the loop did not close in {} rounds: gap {:.2g}", point.loops, point.loop_gap);
  point.dissipation = loss;
  if (modal()) trace_modal_loop(top, point);
  describe(top, 0.5 * (std::sqrt(top.lambda) + std::sqrt(bottom.lambda)), point);
  if (sensitivity_ && plain) differentiate_loop(ends.front(), bottom, top, point);
  if (sensitivity_ && !plain) differentiate_steps(ends, point);
  return true;
}

void RqnmaRun::describe(const Point& top, double omega, BackbonePoint& point) {
  const double q = point.amplitude;
  point.frequency_hz = omega / (2 * pi);
  point.damping_ratio = point.dissipation / (2 * pi * omega * omega * q * q) + options_.damping_ratio;
  if (!options_.shapes) return;
  point.shape = condensed_.expand(top.lambda, top.y) / q;
  point.local_loss = Eigen::Map<const VectorXd>(lost_.data(), static_cast<Index>(lost_.size()));
  std::vector<double> w;
  condensed_.displace(top.y, w);
  point.relative = Eigen::Map<const VectorXd>(w.data(), static_cast<Index>(w.size()));
  point.force = solver_->point_forces();
}

}  // namespace microslip::detail
