// The reversal framework: +q -> -q -> +q with the laws' memory, until the loop closes.
#include <algorithm>
#include <cmath>
#include <limits>

#include <microslip/core/check.hpp>
#include <microslip/modal/rqnma_run.hpp>

namespace microslip::detail {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

Eigen::Map<const VectorXd> as_vector(const std::vector<double>& values) {
  return {values.data(), static_cast<Index>(values.size())};
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return std::abs(x - y) <= 1e-6 * std::max(std::abs(x), std::abs(y)); });
}

}  // namespace

/// One round from the memory at +q: to -q and back. What the loop holds are guesses before and solutions after. About a
/// rest that has moved further than the amplitude there is none: Eq. 33b finds both ends on one side, or one that is
/// pulled outwards. Both ends are of one mode: Newton's method may find another mode's from a guess too far away.
bool RqnmaRun::go_round(Loop& loop, BackbonePoint& point) {
  std::fill(lost_.begin(), lost_.end(), 0.0);
  point.residual = 0;
  point.flag.clear();  // what an earlier round was given up for
  bool outwards = false;
  for (std::size_t i = 0; i < 2 && !outwards; ++i) {
    Point& end = i == 0 ? loop.bottom : loop.top;
    const NewtonReport report = ends_[i]->solve(end, point.amplitude);
    point.iterations += report.iterations;
    point.residual = std::max(point.residual, report.residual);
    if (!report.converged()) return false;
    outwards = !(end.lambda > 0);
    if (!outwards) points_->advance(ends_[i]->displacements_at(end.y), lost_);
  }
  if (outwards || !(loop.bottom.y.dot(ends_[1]->mass_times_y()) < 0)) {
    point.flag = "the loop has no two ends: its rest has moved further than the amplitude";
    if (options_.prestress.preload != 0) point.flag += ", as where friction lets go of the prestress";
    return false;
  }
  // Of ends in two modes half the difference is half each one's, about a rest that has moved it is the mode's.
  constexpr double of_the_mode = 0.7;
  if (const double mac = assurance(0.5 * (loop.top.y - loop.bottom.y), point.amplitude); !(mac > of_the_mode)) {
    point.flag = fmt::format("the loop's ends were found in different modes: modal assurance {:.2g}", mac);
    return false;
  }
  loop.memory = points_->memory();
  return true;
}

/// How far the joint's forces at b are from those at a, over the forces of inertia: in balance they are -A y.
double RqnmaRun::force_gap(const Point& a, const Point& b) {
  condensed_.multiply(a.lambda, a.y, products_);
  const VectorXd before = products_.A_y;
  condensed_.multiply(b.lambda, b.y, products_);
  return (products_.A_y - before).norm() / (b.lambda * products_.N_y.norm());
}

/// The round from `from` that led to `loop`, for slopes. Leaves the memory at +q.
void RqnmaRun::linearise_round(const Loop& from, const Loop& loop, QuasiStatic::Jacobian kind) {
  std::vector<double> ignored(lost_.size());
  points_->set_memory(from.memory);
  std::array<RoundSlope::Leg, 2> legs;
  for (std::size_t i = 0; i < 2; ++i) {
    const Point& end = i == 0 ? loop.bottom : loop.top;
    legs[i] = {points_->memory(), ends_[i]->displacements_at(end.y), &ends_[i]->factorised(end, kind)};
    points_->advance(legs[i].w, ignored);
  }
  round_->set(std::move(legs[0]), std::move(legs[1]));
}

/// Newton's step towards the closed loop: memory and both ends as they would be if the round were linear. No number
/// is moved further than its kind moves in a round: what hardly moves has no say, and no digits to tell where to.
bool RqnmaRun::guess_closed(const Loop& from, Loop& loop) {
  linearise_round(from, loop, QuasiStatic::Jacobian::near);
  const VectorXd r = as_vector(loop.memory) - as_vector(from.memory);
  VectorXd s, led;
  round_->solve(r, loop.memory, s, {.most = 60, .tolerance = condensed_.large() ? 1e-2 : 1e-6});
  if (!s.allFinite()) return false;
  round_->apply(s, led);
  const Index m = condensed_.size();
  Loop guess = loop;
  for (std::size_t i = 0; i < guess.memory.size(); ++i) guess.memory[i] = from.memory[i] + s(static_cast<Index>(i));
  guess.bottom.y += round_->at_bottom().head(m);
  guess.bottom.lambda += round_->at_bottom()(m);
  guess.top.y += round_->at_top().head(m);
  guess.top.lambda += round_->at_top()(m);
  if (!(guess.bottom.lambda > 0 && guess.top.lambda > 0)) return false;
  loop = guess;
  return true;
}

/// Part of the way from one loop to another.
RqnmaRun::Loop RqnmaRun::between(const Loop& a, const Loop& b, double share) {
  if (share == 1) return b;
  Loop loop = a;
  for (std::size_t i = 0; i < loop.memory.size(); ++i) loop.memory[i] += share * (b.memory[i] - a.memory[i]);
  for (const auto member : {&Loop::bottom, &Loop::top}) {
    (loop.*member).y += share * ((b.*member).y - (a.*member).y);
    (loop.*member).lambda += share * ((b.*member).lambda - (a.*member).lambda);
  }
  return loop;
}

/// How far the middle of a loop lies from where it was prestressed, over the amplitude.
void RqnmaRun::see_offset(const Loop& loop, double q) {
  condensed_.multiply(loop.top.lambda, loop.top.y + loop.bottom.y, products_);
  const double twice = std::sqrt(std::max(0.0, (loop.top.y + loop.bottom.y).dot(products_.N_y)));
  if (const double share = 0.5 * twice / q; share > largest_offset_.share) largest_offset_ = {q, share};
}

bool RqnmaRun::finish_reversal(Point& top, BackbonePoint& point) {
  const double q = point.amplitude;
  points_->advance(solver_->displacements_at(top.y), lost_);
  std::vector<Point> ends{top};  // every end of the way, for derivatives where the memory is a stack
  Loop loop{{-top.y, top.lambda}, top, points_->memory()}, from = loop, safe, aim;
  const Loop loaded = loop;
  const bool continued = !first_round_[0].empty() && std::log(q / first_round_[0].last().q) <= far_stride;
  if (continued) {
    loop.bottom = first_round_[0].at(q);
    loop.top = first_round_[1].at(q);
  }
  const bool plain = round_.has_value(), accelerate = plain && options_.accelerate;
  constexpr double never = std::numeric_limits<double>::infinity();
  double loss = 0, loss_before = 0, gap_before = never, share = 1;
  bool closed = false, guessed = false;
  int plain_rounds = 0, patience = 1;  // repeated plainly before the next guess, more after each that failed
  while (!closed && point.loops < options_.max_loops) {
    ++point.loops;
    from = loop;
    bool good = go_round(loop, point);
    if (!good && point.loops == 1 && continued) {  // not as at the amplitude before
      points_->recall(*start_);
      points_->advance(solver_->displacements_at(top.y), lost_);
      loop = from = {{-top.y, top.lambda}, top, points_->memory()};
      good = go_round(loop, point);
    }
    if (!good && !guessed) return false;
    const double gap = good ? force_gap(point.loops == 1 ? top : from.top, loop.top) : never;
    if (point.loops == 1) {
      first_round_[0].add(q, loop.bottom);
      first_round_[1].add(q, loop.top);
    }
    if (guessed && !(gap < (share == 1 ? 10 : 2) * gap_before)) {  // too far, across corners: less of it
      share *= 0.25;
      guessed = share > 0.01;
      loop = guessed ? between(safe, aim, share) : safe;
      points_->set_memory(loop.memory);
      if (guessed) continue;
      share = 1;  // no good at all: repeat plainly
      plain_rounds = patience;
      patience *= 2;
      continue;
    }
    point.loop_gap = gap;
    if (sensitivity_ && !plain) ends.insert(ends.end(), {loop.bottom, loop.top});
    loss = 0;
    for (const double at : lost_) loss += at;
    // Forces that hardly change do not tell a small loss: it must have settled too, unless they do not change at all.
    // A guess's memory need not be that of its forces, and points may slip from the one to the other: after it the
    // memory must be the same too, or a plain round tells.
    const double tolerance = std::max(options_.loop_tolerance, 10 * point.residual);
    const bool settled = std::abs(loss - loss_before) <= 1e-6 * loss + 1e-12 * loop.top.lambda * q * q;
    const bool repeated = !guessed || same(from.memory, loop.memory);
    closed = gap <= tolerance && repeated && (settled || point.loops == 1 || gap <= 1e-2 * tolerance);
    if (guessed) share = gap < gap_before ? std::min(1.0, 4 * share) : std::max(0.02, 0.25 * share);
    if (guessed && (gap > 0.5 * gap_before || gap <= tolerance))
      plain_rounds = 1;  // let the points settle on their side of the corners
    gap_before = gap;
    loss_before = loss;
    guessed = false;
    if (closed || !accelerate || plain_rounds-- > 0) continue;
    safe = aim = loop;
    guessed = guess_closed(from, aim);
    if (guessed) loop = between(safe, aim, share);
    points_->set_memory(loop.memory);
  }
  if (closed) see_offset(loop, q);
  if (!closed) point.flag = fmt::format("the loop did not close in {} rounds: gap {:.2g}", point.loops, point.loop_gap);
  top = loop.top;
  point.dissipation = loss;
  if (modal() || bends()) trace_loop(loop, point);
  describe(top, 0.5 * (std::sqrt(top.lambda) + std::sqrt(loop.bottom.lambda)), point);
  if (sensitivity_ && closed && plain) differentiate_loop(loaded, loop, point);
  if (sensitivity_ && closed && !plain) differentiate_steps(ends, point);
  return true;
}

}  // namespace microslip::detail
