#include <microslip/core/time_left.hpp>

namespace microslip {

std::optional<double> TimeLeft::at(double seconds, double fraction) {
  if (!first_) first_ = fraction;
  if (!begun_) {
    if (!(fraction > *first_)) return std::nullopt;
    begun_ = Mark{seconds, fraction};
  }
  const double elapsed = seconds - begun_->seconds;
  while (!marks_.empty() && marks_.back().fraction > fraction) marks_.pop_back();  // a part that is done once more
  if (marks_.empty() || seconds - marks_.back().seconds >= 0.01 * elapsed) marks_.push_back({seconds, fraction});
  while (marks_.size() > 1 && marks_[1].seconds <= begun_->seconds + 0.5 * elapsed) marks_.pop_front();

  const bool enough = (elapsed >= 2 && fraction - begun_->fraction >= 0.03) || elapsed >= 30;
  const double gained = fraction - marks_.front().fraction;
  if (!enough || !(gained > 0)) return std::nullopt;
  return (1 - fraction) * (seconds - marks_.front().seconds) / gained;
}

}  // namespace microslip
