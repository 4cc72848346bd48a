#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <microslip/report/escape.hpp>
#include <microslip/report/figure.hpp>
#include <microslip/report/palette.hpp>
#include <microslip/report/thin.hpp>
#include <microslip/report/ticks.hpp>
#include <microslip/report/unit_text.hpp>

namespace microslip::report {

namespace {

constexpr double width = 640, left = 84, right = 20, bottom = 52, panel_gap = 16, legend_row = 18;
constexpr double character = 6.4;           // mean advance of a 12 px sans-serif
constexpr std::size_t points_drawn = 4000;  // more than the picture has pixels

struct Frame {
  double x, y, width, height;
};

std::string label(const Axis& axis) {
  if (axis.unit.empty()) return escaped(axis.title);
  return fmt::format("{} [{}]", escaped(axis.title), axis.unit == "1" ? "–" : escaped(unit_text(axis.unit)));
}

bool shown(const Figure& figure, const Trace& trace) {
  return trace.step < 0 || trace.step + 1 == static_cast<int>(figure.steps.size());
}

class Svg {
 public:
  explicit Svg(const Figure& figure) : figure_(figure) {}

  std::string draw() {
    place_panels();
    fit_axes();
    open();
    legend();
    for (std::size_t p = 0; p < frames_.size(); ++p) {
      panel(p);
      out_ += fmt::format("<g clip-path=\"url(#{})\">\n", clip_name(p));
      shades(p);
      int next = 0;
      for (const Trace& trace : figure_.traces) {
        const int colour = trace.colour >= 0 ? trace.colour : next++;
        if (trace.panel == static_cast<int>(p) && shown(figure_, trace)) this->trace(trace, p, hex(colour));
      }
      out_ += "</g>\n";
      annotations(p);
    }
    out_ += "</svg>\n";
    return out_;
  }

 private:
  /// With the figure's own name: pictures that stand in one HTML page share their names.
  [[nodiscard]] std::string clip_name(std::size_t p) const { return fmt::format("clip-{}-{}", escaped(figure_.id), p); }

  static const char* hex(int colour) {
    return colour == 8 ? palette[8] : palette[static_cast<std::size_t>(colour) % 8];
  }

  [[nodiscard]] bool listed_in_legend(const Trace& trace) const {
    return trace.legend && !trace.name.empty() && trace.mark != Mark::heatmap && shown(figure_, trace);
  }

  [[nodiscard]] std::vector<const Trace*> legend_traces() const {
    std::vector<const Trace*> listed;
    for (const Trace& trace : figure_.traces)
      if (listed_in_legend(trace)) listed.push_back(&trace);
    return listed;
  }

  void place_panels() {
    double at = left, rows = legend_traces().empty() ? 0 : 1;
    for (const Trace* trace : legend_traces()) {
      const double needed = 40 + character * static_cast<double>(trace->name.size());
      if (at + needed > width - right && at > left) {
        at = left;
        ++rows;
      }
      at += needed;
    }
    scales_at_ = 40 + rows * legend_row;
    for (const Trace& trace : figure_.traces) rows += has_colour_scale(trace) ? 1 : 0;
    const double top = 34 + rows * legend_row, n = static_cast<double>(figure_.y.size());
    const double inside = 300 + 110 * (n - 1);
    height_ = top + inside + bottom;
    double sum = 0;
    for (std::size_t p = 0; p < figure_.y.size(); ++p) sum += figure_.heights.empty() ? 1 : figure_.heights[p];
    double y = top;
    for (std::size_t p = 0; p < figure_.y.size(); ++p) {
      const double share = (figure_.heights.empty() ? 1 : figure_.heights[p]) / sum;
      const double height = share * (inside - panel_gap * (n - 1));
      frames_.push_back({.x = left, .y = y, .width = width - left - right, .height = height});
      y += height + panel_gap;
    }
  }

  void fit_axes() {
    std::vector<double> x;
    std::vector<std::vector<double>> y(frames_.size());
    for (const Trace& trace : figure_.traces) {
      if (!shown(figure_, trace)) continue;
      const auto panel = static_cast<std::size_t>(trace.panel);
      auto& values = y[panel];
      const auto add = [](std::vector<double>& to, const std::vector<double>& from) {
        to.insert(to.end(), from.begin(), from.end());
      };
      const bool cells = trace.mark == Mark::heatmap;
      add(x, cells ? edges(trace.x, figure_.x.scale) : trace.x);
      add(values, cells ? edges(trace.y, figure_.y[panel].scale) : trace.y);
      add(values, trace.upper);
      add(values, trace.lower);
      if (trace.mark == Mark::bars && figure_.y[panel].scale == Scale::linear) values.push_back(0);
    }
    const auto fit = [](const Axis& axis, const std::vector<double>& values) {
      if (axis.categories.empty()) return fitted(axis, values);
      return AxisScale{.low = -0.6, .high = static_cast<double>(axis.categories.size()) - 0.4};
    };
    x_ = fit(figure_.x, x);
    for (std::size_t p = 0; p < frames_.size(); ++p) y_.push_back(fit(figure_.y[p], y[p]));
    if (figure_.equal) make_equal();
  }

  void make_equal() {
    for (std::size_t p = 0; p < frames_.size(); ++p) {
      const double per_x = (x_.high - x_.low) / frames_[p].width, per_y = (y_[p].high - y_[p].low) / frames_[p].height;
      AxisScale& wider = per_x < per_y ? x_ : y_[p];
      const double grow = per_x < per_y ? per_y / per_x : per_x / per_y, middle = 0.5 * (wider.low + wider.high);
      const double half = 0.5 * (wider.high - wider.low) * grow;
      wider.low = middle - half;
      wider.high = middle + half;
    }
  }

  /// Cell borders half-way between neighbouring centres.
  static std::vector<double> edges(std::vector<double> centres, Scale scale) {
    if (scale == Scale::log) {  // half-way as the axis shows it
      for (double& x : centres) x = std::log(x);
      std::vector<double> out = edges(std::move(centres), Scale::linear);
      for (double& x : out) x = std::exp(x);
      return out;
    }
    const std::size_t n = centres.size();
    if (n == 0) return {};
    if (n == 1) return {centres[0] - 0.5, centres[0] + 0.5};
    std::vector<double> out(n + 1);
    for (std::size_t i = 1; i < n; ++i) out[i] = 0.5 * (centres[i - 1] + centres[i]);
    out[0] = centres[0] - (out[1] - centres[0]);
    out[n] = centres[n - 1] + (centres[n - 1] - out[n - 1]);
    return out;
  }

  [[nodiscard]] double px(double x, std::size_t p) const { return frames_[p].x + x_.position(x) * frames_[p].width; }
  [[nodiscard]] double py(double y, std::size_t p) const {
    return frames_[p].y + (1 - y_[p].position(y)) * frames_[p].height;
  }
  /// Far outside the picture counts as its edge: SVG viewers keep single precision.
  static double held(double pixel) { return std::clamp(pixel, -1e4, 1e4); }

  void open() {
    out_ += fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" height=\"{1:g}\" "
        "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" role=\"img\">\n<title>{2}</title>\n<rect "
        "width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"{3:g}\" y=\"20\" font-size=\"14\" "
        "font-weight=\"bold\">{2}</text>\n<defs>\n",
        width, height_, escaped(figure_.title), left);
    for (std::size_t p = 0; p < frames_.size(); ++p)
      out_ += fmt::format(
          "<clipPath id=\"{}\"><rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/></clipPath>\n",
          clip_name(p), frames_[p].x, frames_[p].y, frames_[p].width, frames_[p].height);
    out_ += "</defs>\n";
  }

  void legend() {
    double x = left, y = 40;
    int automatic = 0;
    for (const Trace& trace : figure_.traces) {
      const int colour = trace.colour >= 0 ? trace.colour : automatic++;
      if (!listed_in_legend(trace)) continue;
      const double needed = 40 + character * static_cast<double>(trace.name.size());
      if (x + needed > width - right && x > left) {
        x = left;
        y += legend_row;
      }
      if (trace.mark == Mark::markers) {
        marker(trace.dash, x + 10, y, 3.5, hex(colour));
      } else if (trace.mark == Mark::band || trace.mark == Mark::bars) {
        out_ += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"20\" height=\"10\" fill=\"{}\" fill-opacity=\"{}\"/>\n", x, y - 5,
            hex(colour), trace.mark == Mark::band ? 0.25 : 0.85);
      } else {
        out_ += fmt::format(
            "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", x,
            x + 20, y, y, hex(colour), dashes(trace.dash));
      }
      out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 25, y + 4, escaped(trace.name));
      x += needed;
    }
    double scale_at = scales_at_;
    for (const Trace& trace : figure_.traces) {
      if (!has_colour_scale(trace)) continue;
      colour_scale(trace, scale_at);
      scale_at += legend_row;
    }
  }

  /// What the colours of `values` mean, above the panels.
  [[nodiscard]] bool has_colour_scale(const Trace& trace) const {
    return shown(figure_, trace) && std::isfinite(value_range(trace.values).first);
  }
  void colour_scale(const Trace& trace, double y) {
    const auto [low, high] = value_range(trace.values);
    for (int k = 0; k < 32; ++k)
      out_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"5\" height=\"8\" fill=\"{}\"/>\n", left + 5.0 * k,
                          y - 4, viridis(k / 31.0));
    out_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\">{}: {:.4g} to {:.4g}</text>\n", left + 168, y + 4,
                        escaped(trace.values_title), low, high);
  }

  static const char* dashes(Dash dash) {
    switch (dash) {
      case Dash::solid:
        return "";
      case Dash::dash:
        return " stroke-dasharray=\"7 4\"";
      case Dash::dot:
        return " stroke-dasharray=\"1.5 3\"";
    }
    return "";
  }

  static std::vector<Tick> axis_ticks(const Axis& axis, const AxisScale& scale) {
    if (axis.categories.empty()) return ticks(scale);
    std::vector<Tick> named;
    constexpr std::size_t most = 16;  // names that fit side by side
    const std::size_t every = (axis.categories.size() + most - 1) / most;
    for (std::size_t i = 0; i < axis.categories.size(); i += every)
      named.push_back({.value = static_cast<double>(i), .label = axis.categories[i]});
    return named;
  }

  void panel(std::size_t p) {
    const Frame& f = frames_[p];
    const bool last = p + 1 == frames_.size();
    for (const Tick& tick : axis_ticks(figure_.x, x_)) {
      const double x = px(tick.value, p);
      if (!tick.label.empty())
        out_ += fmt::format("<line x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.2f}\" y2=\"{2:.2f}\" stroke=\"#e4e4e4\"/>\n",
                            x, f.y, f.y + f.height);
      out_ += fmt::format("<line x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.2f}\" y2=\"{2:.2f}\" stroke=\"#333\"/>\n", x,
                          f.y + f.height, f.y + f.height + (tick.label.empty() ? 3 : 5));
      if (last && !tick.label.empty())
        out_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n", x,
                            f.y + f.height + 18, escaped(tick.label));
    }
    for (const Tick& tick : axis_ticks(figure_.y[p], y_[p])) {
      const double y = py(tick.value, p);
      if (!tick.label.empty())
        out_ += fmt::format("<line x1=\"{0:.2f}\" x2=\"{1:.2f}\" y1=\"{2:.2f}\" y2=\"{2:.2f}\" stroke=\"#e4e4e4\"/>\n",
                            f.x, f.x + f.width, y);
      out_ += fmt::format("<line x1=\"{0:.2f}\" x2=\"{1:.2f}\" y1=\"{2:.2f}\" y2=\"{2:.2f}\" stroke=\"#333\"/>\n",
                          f.x - (tick.label.empty() ? 3 : 5), f.x, y);
      if (!tick.label.empty())
        out_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n", f.x - 8, y + 4,
                            escaped(tick.label));
    }
    out_ += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"none\" stroke=\"#333\"/>\n", f.x,
        f.y, f.width, f.height);
    out_ += fmt::format("<text transform=\"translate(16 {:.2f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                        f.y + f.height / 2, label(figure_.y[p]));
    if (last)
      out_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n", f.x + f.width / 2,
                          f.y + f.height + 40, label(figure_.x));
  }

  void shades(std::size_t p) {
    for (const Shade& shade : figure_.shades) {
      const double from = held(px(shade.from, p)), to = held(px(shade.to, p));
      if (std::isfinite(from) && std::isfinite(to))
        out_ += fmt::format(
            "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"#777\" "
            "fill-opacity=\"0.13\"/>\n",
            std::min(from, to), frames_[p].y, std::abs(to - from), frames_[p].height);
    }
  }

  void trace(const Trace& trace, std::size_t p, const char* colour) {
    switch (trace.mark) {
      case Mark::line:
        curve(trace, p, colour);
        break;
      case Mark::markers:
        markers(trace, p, colour);
        break;
      case Mark::line_markers:
        curve(trace, p, colour);
        markers(trace, p, colour);
        break;
      case Mark::bars:
        bars(trace, p, colour);
        break;
      case Mark::band:
        band(trace, p, colour);
        break;
      case Mark::heatmap:
        cells(trace, p);
        break;
    }
  }

  void curve(const Trace& trace, std::size_t p, const char* colour) {
    std::string path;
    bool pen_down = false;
    for (const std::size_t i : thin(trace.x, trace.y, points_drawn)) {
      const double x = px(trace.x[i], p), y = py(trace.y[i], p);
      if (!std::isfinite(x) || !std::isfinite(y)) {
        pen_down = false;
        continue;
      }
      path += fmt::format("{}{:.2f} {:.2f}", pen_down ? "L" : "M", held(x), held(y));
      pen_down = true;
    }
    out_ +=
        fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"{}/>\n",
                    path, colour, dashes(trace.dash));
  }

  void markers(const Trace& trace, std::size_t p, const char* colour) {
    const auto [low, high] = value_range(trace.values);
    for (std::size_t i = 0; i < trace.x.size(); ++i) {
      const double x = px(trace.x[i], p), y = py(trace.y[i], p);
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      if (!trace.values.empty() && !std::isfinite(trace.values[i])) continue;
      error_bar(trace, i, p, x, colour);
      const std::string fill = trace.values.empty() ? colour : viridis((trace.values[i] - low) / (high - low));
      marker(trace.dash, held(x), held(y), 3, fill);
    }
  }

  /// Past the eight colours, traces are told apart by what is inside their markers, too.
  void marker(Dash dash, double x, double y, double radius, const std::string& colour) {
    const std::string paint = dash == Dash::solid
                                  ? fmt::format("fill=\"{}\"", colour)
                                  : fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\"", colour);
    if (dash == Dash::dot)
      out_ += fmt::format("<rect x=\"{0:.2f}\" y=\"{1:.2f}\" width=\"{2:g}\" height=\"{2:g}\" {3}/>\n", x - radius,
                          y - radius, 2 * radius, paint);
    else
      out_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:g}\" {}/>\n", x, y, radius, paint);
  }

  void error_bar(const Trace& trace, std::size_t i, std::size_t p, double x, const char* colour) {
    if (trace.lower.empty() || trace.upper.empty()) return;
    const double y_0 = py(trace.lower[i], p), y_1 = py(trace.upper[i], p);
    if (std::isfinite(y_0) && std::isfinite(y_1))
      out_ += fmt::format("<line x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.2f}\" y2=\"{2:.2f}\" stroke=\"{3}\"/>\n",
                          held(x), held(y_0), held(y_1), colour);
  }

  /// Traces of bars in one panel stand side by side.
  [[nodiscard]] std::pair<int, int> place_among_bars(const Trace& trace) const {
    int before = 0, all = 0;
    for (const Trace& other : figure_.traces) {
      if (other.mark != Mark::bars || other.panel != trace.panel || !shown(figure_, other)) continue;
      if (&other == &trace) before = all;
      ++all;
    }
    return {before, all};
  }

  void bars(const Trace& trace, std::size_t p, const char* colour) {
    const std::vector<double> sides = edges(trace.x, x_.scale);
    const auto [before, all] = place_among_bars(trace);
    const double base = y_[p].scale == Scale::log ? frames_[p].y + frames_[p].height : py(0, p);
    for (std::size_t i = 0; i < trace.x.size(); ++i) {
      const double group = 0.8 * std::abs(px(sides[i + 1], p) - px(sides[i], p)), bar = group / all;
      const double from = px(trace.x[i], p) - 0.5 * group + before * bar, y = py(trace.y[i], p);
      if (!std::isfinite(from) || !std::isfinite(y) || !std::isfinite(bar)) continue;
      out_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                          held(from), held(std::min(y, base)), bar, std::abs(held(y) - held(base)), colour);
      error_bar(trace, i, p, from + 0.5 * bar, "#333");
    }
  }

  void band(const Trace& trace, std::size_t p, const char* colour) {
    std::string forth;
    std::vector<std::string> back;
    const auto close = [&] {  // a gap ends a piece of the band
      for (auto it = back.rbegin(); it != back.rend(); ++it) forth += *it;
      if (!forth.empty())
        out_ += fmt::format("<path d=\"{}Z\" fill=\"{}\" fill-opacity=\"0.22\" stroke=\"none\"/>\n", forth, colour);
      forth.clear();
      back.clear();
    };
    for (const std::size_t i : thin(trace.x, trace.y, points_drawn)) {
      const double x = px(trace.x[i], p);
      double y_0 = py(trace.y[i], p);
      const double y_1 = py(trace.upper[i], p);
      if (std::isnan(y_0) && std::isfinite(trace.y[i])) y_0 = frames_[p].y + frames_[p].height;  // log of <= 0
      if (!std::isfinite(x) || !std::isfinite(y_0) || !std::isfinite(y_1)) {
        close();
        continue;
      }
      forth += fmt::format("{}{:.2f} {:.2f}", forth.empty() ? "M" : "L", held(x), held(y_0));
      back.push_back(fmt::format("L{:.2f} {:.2f}", held(x), held(y_1)));
    }
    close();
  }

  static std::pair<double, double> value_range(const std::vector<double>& values) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    if (!(low < high)) return {low - 0.5, low + 0.5};
    return {low, high};
  }

  void cells(const Trace& trace, std::size_t p) {
    const auto [low, high] = value_range(trace.values);
    const std::vector<double> x = edges(trace.x, x_.scale), y = edges(trace.y, y_[p].scale);
    for (std::size_t j = 0; j < trace.y.size(); ++j)
      for (std::size_t i = 0; i < trace.x.size(); ++i) {
        const double value = trace.values[j * trace.x.size() + i];
        const double x_0 = px(x[i], p), x_1 = px(x[i + 1], p), y_0 = py(y[j], p), y_1 = py(y[j + 1], p);
        if (!std::isfinite(value) || !std::isfinite(x_0 + x_1 + y_0 + y_1)) continue;
        const std::string fill = viridis((value - low) / (high - low));
        out_ += fmt::format(
            "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\" stroke=\"{}\" "
            "stroke-width=\"0.3\"/>\n",
            std::min(x_0, x_1), std::min(y_0, y_1), std::abs(x_1 - x_0), std::abs(y_1 - y_0), fill, fill);
      }
  }

  void annotations(std::size_t p) {
    const Frame& f = frames_[p];
    for (const Annotation& note : figure_.annotations) {
      if (note.panel != static_cast<int>(p)) continue;
      const double x = note.x ? px(*note.x, p) : f.x + f.width, y = note.y ? py(*note.y, p) : f.y;
      if (!(x >= f.x - 0.5 && x <= f.x + f.width + 0.5 && y >= f.y - 0.5 && y <= f.y + f.height + 0.5)) continue;
      if (note.x && !note.y)
        out_ += fmt::format(
            "<line x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.2f}\" y2=\"{2:.2f}\" stroke=\"#555\" stroke-dasharray=\"4 "
            "3\"/>\n",
            x, f.y, f.y + f.height);
      if (note.y && !note.x)
        out_ += fmt::format(
            "<line x1=\"{0:.2f}\" x2=\"{1:.2f}\" y1=\"{2:.2f}\" y2=\"{2:.2f}\" stroke=\"#555\" stroke-dasharray=\"4 "
            "3\"/>\n",
            f.x, f.x + f.width, y);
      const bool at_right = x > f.x + 0.6 * f.width;
      out_ +=
          fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" font-size=\"11\" fill=\"#333\">{}</text>\n",
                      at_right ? x - 4 : x + 4, note.y && y - 15 > f.y ? y - 4 : y + 13, at_right ? "end" : "start",
                      escaped(note.text));
    }
    if (p != 0) return;
    for (const Shade& shade : figure_.shades) {
      const double x = px(shade.from, p);
      if (!shade.text.empty() && x >= f.x && x <= f.x + f.width)
        out_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"11\" fill=\"#555\">{}</text>\n", x + 4,
                            f.y + f.height - 6, escaped(shade.text));
    }
  }

  const Figure& figure_;
  double height_ = 0, scales_at_ = 0;
  std::vector<Frame> frames_;
  AxisScale x_;
  std::vector<AxisScale> y_;
  std::string out_;
};

}  // namespace

std::string figure_svg(const Figure& figure) {
  check(figure);
  return Svg(figure).draw();
}

}  // namespace microslip::report
