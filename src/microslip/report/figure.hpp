#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace microslip::report {

enum class Scale { linear, log };

/// Every axis says what it shows and in which unit; "1" is the unit of a plain number.
struct Axis {
  std::string title;
  std::string unit;
  Scale scale = Scale::linear;
  std::optional<std::array<double, 2>> range = {};  ///< as wide as the data when absent
  std::vector<std::string> categories = {};         ///< names of positions 0, 1, ...; needs no unit
};

enum class Mark {
  line,
  markers,
  line_markers,
  bars,
  band,     ///< filled between y and upper
  heatmap,  ///< values[j * x.size() + i] in the cell around (x[i], y[j])
};
enum class Dash { solid, dash, dot };

/// One curve, cloud, set of bars, band or grid of cells. NaN leaves a gap.
struct Trace {
  std::string name;
  Mark mark = Mark::line;
  std::vector<double> x = {};
  std::vector<double> y = {};
  std::vector<double> upper = {};       ///< band: its upper edge; markers and bars: upper end of an error bar
  std::vector<double> lower = {};       ///< markers and bars: lower end of an error bar
  std::vector<double> values = {};      ///< heatmap: the cells; markers: colour of each point
  std::string values_title = {};        ///< what `values` are, with their unit, e.g. "pressure [N/m²]"
  std::vector<std::string> hover = {};  ///< one text per point, shown beside its coordinates
  Dash dash = Dash::solid;              ///< markers are full, rings (dash) or open squares (dot)
  int colour = -1;                      ///< 0..7 of the palette, 8 for the neutral grey; -1 takes the next one
  int panel = 0;                        ///< which of the figure's stacked panels
  int step = -1;                        ///< shown only at this step of the figure's slider; -1 always
  bool legend = true;                   ///< listed in the legend (where the name is not empty)
  std::vector<int> picks = {};          ///< clicking point i moves figure `Figure::picks` to step picks[i]
};

/// A straight line across a panel (x or y set), or a text at a point (both set).
struct Annotation {
  std::string text;
  std::optional<double> x = {};
  std::optional<double> y = {};
  int panel = 0;
};

/// A shaded interval of x across all panels: a window, a band, a rejected part.
struct Shade {
  double from;
  double to;
  std::string text = {};
};

/// Panels stacked over one another that share the x axis: one y axis each, from the top.
struct Figure {
  std::string id;  ///< lower-case words joined by '-'; the file name of its exports
  std::string title;
  std::string caption = {};
  Axis x = {};
  std::vector<Axis> y = {};
  std::vector<double> heights = {};  ///< relative heights of the panels; equal when absent
  std::vector<Trace> traces = {};
  std::vector<Annotation> annotations = {};
  std::vector<Shade> shades = {};
  std::vector<std::string> steps = {};  ///< labels of a slider that chooses between traces
  std::string step_title = {};
  std::string picks = {};  ///< id of the figure that a click on a point moves
  bool wide = false;       ///< takes the whole width of the page
  bool equal = false;      ///< one unit is as long in x as in y
};

/// Throws InvalidInput naming the figure where arrays differ in length, a unit is missing or an index points nowhere.
void check(const Figure& figure);

/// A static picture for a paper: axes, ticks, legend; the figure's last step where it has a slider.
std::string figure_svg(const Figure& figure);

}  // namespace microslip::report
