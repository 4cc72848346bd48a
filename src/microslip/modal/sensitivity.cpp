#include <algorithm>

#include <microslip/modal/sensitivity.hpp>

namespace microslip {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Sensitivity::Sensitivity(const Condensed& condensed, const Joint& joint) : condensed_(condensed), joint_(joint) {
  const Interface& interface = condensed.system().interface();
  const std::size_t n = joint_parameters(joint).size(), n_rows = 3 * static_cast<std::size_t>(interface.n_points());
  for (std::size_t i = 0; i < n; ++i) {
    auto points = make_dual_points(joint, interface.contact, interface.areas, i);
    auto start = points->clone();
    tracks_.push_back({std::move(start), std::move(points), std::vector<double>(n_rows), std::vector<double>(n_rows),
                       std::vector<double>(n_rows)});
  }
  d_lambda_.setZero(static_cast<Index>(n));
  d_loss_.setZero(static_cast<Index>(n));
  lost_.resize(static_cast<std::size_t>(interface.n_points()));
}

std::span<const Dual> Sensitivity::with(std::span<const double> w, std::span<const double> d_w) {
  w_.resize(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) w_[i] = {w[i], d_w[i]};
  return w_;
}

/// d w_s along the load steps; friction's memory goes along where it takes part.
void Sensitivity::differentiate_prestress(Track& track, std::size_t parameter, const Prestress& prestress,
                                          bool conservative) {
  const Interface& interface = condensed_.system().interface();
  const MatrixXd A = condensed_.static_stiffness();
  const NamedValues names = joint_parameters(joint_);
  const VectorXd areas = acting_areas(joint_, interface.areas);
  std::vector<double> w, d_w;
  for (const VectorXd& y : prestress.path) {
    if (conservative && &y != &prestress.path.back()) continue;
    condensed_.displace(y, w);
    const std::vector<double> still(w.size(), 0.0);
    PointTangents tangent(lost_.size());
    slope_.assign(w.size(), 0.0);
    if (conservative) {
      tangent = point_springs(joint_, interface, post_slip_stiffness(joint_.law), w);
      for (std::size_t i = 0; i < tangent.size(); ++i) {
        if (interface.contact == Contact::penalty && !(w[3 * i + 2] > 0)) continue;
        for (std::size_t j = 0; j < 3; ++j)
          if (names[parameter].first == (j == 2 ? "normal_stiffness" : "post_slip_stiffness"))
            slope_[3 * i + j] = areas(static_cast<Index>(i)) * w[3 * i + j];
      }
    } else {
      track.start->evaluate(with(w, still), response_);
      for (std::size_t i = 0; i < w.size(); ++i) slope_[i] = response_.force[i].grad;
      for (std::size_t i = 0; i < tangent.size(); ++i)
        for (std::size_t j = 0; j < 3; ++j)
          for (std::size_t k = 0; k < 3; ++k) tangent[i][j][k] = response_.tangent[i][j][k].value;
    }
    MatrixXd J = A;
    condensed_.add_stiffness(tangent, J);
    VectorXd rhs = VectorXd::Zero(condensed_.size());
    condensed_.add_forces(slope_, rhs);
    condensed_.displace(-J.partialPivLu().solve(rhs), d_w);
    if (!conservative) track.start->advance(with(w, d_w), lost_);
  }
  track.d_rest = d_w;
}

void Sensitivity::start(const std::optional<Prestress>& prestress, PrestressLaw law, bool remembers,
                        std::span<const double> rest) {
  const bool opens = condensed_.system().interface().contact == Contact::penalty;
  for (std::size_t p = 0; p < tracks_.size(); ++p) {
    Track& track = tracks_[p];
    if (prestress && (remembers || opens)) {
      differentiate_prestress(track, p, *prestress, law == PrestressLaw::conservative);
      if (!remembers)  // counted from the rest position in the plane
        for (std::size_t i = 0; i < lost_.size(); ++i) track.d_rest[3 * i] = track.d_rest[3 * i + 1] = 0;
    }
    if (!remembers) track.start->press(with(rest, track.d_rest));
    track.start->evaluate(with(rest, track.d_rest), response_);
    for (std::size_t i = 0; i < rest.size(); ++i) track.d_force_at_rest[i] = response_.force[i].grad;
  }
}

void Sensitivity::restart() {
  for (Track& track : tracks_) track.points->recall(*track.start);
  clear_loss();
}

void Sensitivity::clear_loss() { d_loss_.setZero(); }

void Sensitivity::step(const Eigen::PartialPivLU<MatrixXd>& jacobian, std::span<const double> w, bool committed) {
  const Index m = condensed_.size();
  VectorXd rhs(m + 1), on_y(m);
  for (std::size_t p = 0; p < tracks_.size(); ++p) {
    Track& track = tracks_[p];
    track.points->evaluate(with(w, track.d_rest), response_);
    slope_.resize(w.size());
    for (std::size_t i = 0; i < w.size(); ++i) slope_[i] = track.d_force_at_rest[i] - response_.force[i].grad;
    on_y.setZero();
    condensed_.add_forces(slope_, on_y);
    rhs << on_y, 0;
    const VectorXd slope = jacobian.solve(rhs);
    d_lambda_(static_cast<Index>(p)) = slope(m);
    condensed_.displace(slope.head(m), track.d_w);
    for (std::size_t i = 0; i < w.size(); ++i) track.d_w[i] += track.d_rest[i];
    if (!committed) continue;
    std::fill(lost_.begin(), lost_.end(), Dual(0));
    track.points->advance(with(w, track.d_w), lost_);
    for (const Dual& lost : lost_) d_loss_(static_cast<Index>(p)) += lost.grad;
  }
}

void Sensitivity::add_masing_loop(std::span<const double> w) {
  for (std::size_t p = 0; p < tracks_.size(); ++p) {
    std::fill(lost_.begin(), lost_.end(), Dual(0));
    tracks_[p].points->add_masing_loop(with(w, tracks_[p].d_w), lost_);
    for (const Dual& lost : lost_) d_loss_(static_cast<Index>(p)) += lost.grad;
  }
}

void Sensitivity::set_memory(std::span<const double> memory) {
  for (Track& track : tracks_) track.points->set_memory(memory);
}

std::vector<std::vector<double>> Sensitivity::memory_slopes() const {
  std::vector<std::vector<double>> slopes;
  for (const Track& track : tracks_) slopes.push_back(track.points->memory_slope());
  return slopes;
}

void Sensitivity::set_memory_slope(std::size_t parameter, std::span<const double> slope) {
  tracks_[parameter].points->set_memory_slope(slope);
}

}  // namespace microslip
