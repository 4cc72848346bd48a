#include <cmath>
#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <microslip/report/figure.hpp>

namespace microslip::report {
namespace {

Figure log_log() {
  return {.id = "dissipation",
          .title = "Dissipation",
          .x = {.title = "force", .unit = "N", .scale = Scale::log},
          .y = {{.title = "dissipation", .unit = "J", .scale = Scale::log}},
          .traces = {{.name = "fit", .x = {1, 10, 100}, .y = {1, 1000, 1e6}}}};
}

/// Pixel coordinates along the first path.
std::vector<std::pair<double, double>> path(const std::string& svg) {
  std::smatch found;
  EXPECT_TRUE(std::regex_search(svg, found, std::regex("<path d=\"([^\"]*)\"")));
  const std::string d = found[1];
  std::vector<std::pair<double, double>> out;
  const std::regex point("[ML]([-0-9.]+) ([-0-9.]+)");
  for (std::sregex_iterator it(d.begin(), d.end(), point), end; it != end; ++it)
    out.emplace_back(std::stod((*it)[1]), std::stod((*it)[2]));
  return out;
}

std::size_t count(const std::string& text, const std::string& pattern) {
  const std::regex wanted(pattern);
  return static_cast<std::size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), wanted), {}));
}

TEST(FigureSvg, APowerLawIsStraightOnLogLogAxes) {
  const auto points = path(figure_svg(log_log()));
  ASSERT_EQ(points.size(), 3U);
  // Printed with two decimals: the middle lies half-way to 0.01 px.
  EXPECT_NEAR(points[1].first, (points[0].first + points[2].first) / 2, 0.011);
  EXPECT_NEAR(points[1].second, (points[0].second + points[2].second) / 2, 0.011);
  EXPECT_LT(points[2].second, points[0].second);  // up is up
}

TEST(FigureSvg, ShowsTitlesUnitsAndLegend) {
  const std::string svg = figure_svg(log_log());
  for (const char* text : {">force [N]<", ">dissipation [J]<", ">fit<", ">Dissipation<", ">100<"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
}

TEST(FigureSvg, EscapesTextsAndBreaksLinesAtGaps) {
  Figure figure = log_log();
  figure.title = "<script>&";
  figure.traces[0].y[1] = NAN;
  const std::string svg = figure_svg(figure);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_NE(svg.find("&lt;script&gt;&amp;"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(path(svg).size(), 2U);
  EXPECT_TRUE(std::regex_search(svg, std::regex("d=\"M[^L]*M")));
}

TEST(FigureSvg, EveryMarkDrawsEveryPoint) {
  struct Drawn {
    Mark mark;
    std::size_t paths, circles, rectangles;
  };
  // Three points, and nine cells of a heat map.
  for (const Drawn& expected :
       {Drawn{Mark::line, 1, 0, 0}, Drawn{Mark::markers, 0, 3, 0}, Drawn{Mark::line_markers, 1, 3, 0},
        Drawn{Mark::bars, 0, 0, 3}, Drawn{Mark::band, 1, 0, 0}, Drawn{Mark::heatmap, 0, 0, 9}}) {
    Figure figure = log_log();
    Trace& trace = figure.traces[0];
    trace.mark = expected.mark;
    trace.upper = {2, 2000, 2e6};
    if (trace.mark == Mark::heatmap) trace.values.assign(9, 1.0);
    const std::string svg = figure_svg(figure);
    std::smatch inside;  // what is clipped to the frame: the traces, no ticks and no legend
    ASSERT_TRUE(std::regex_search(svg, inside, std::regex("<g clip-path=[^>]*>([^]*?)</g>")));
    const int mark = static_cast<int>(trace.mark);
    EXPECT_EQ(count(inside[1], "<path "), expected.paths) << mark;
    EXPECT_EQ(count(inside[1], "<circle "), expected.circles) << mark;
    EXPECT_EQ(count(inside[1], "<rect "), expected.rectangles) << mark;
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
}

TEST(FigureSvg, PicturesOnOnePageDoNotClipOneAnother) {
  Figure one = log_log(), other = log_log();
  one.id = "one";
  other.id = "other";
  EXPECT_NE(figure_svg(one).find("<clipPath id=\"clip-one-0\">"), std::string::npos);
  EXPECT_NE(figure_svg(one).find("url(#clip-one-0)"), std::string::npos);
  EXPECT_EQ(figure_svg(other).find("clip-one-0"), std::string::npos);
}

TEST(FigureSvg, NamesManyCategoriesOnlyNowAndThen) {
  Figure figure = log_log();
  figure.x.scale = figure.y[0].scale = Scale::linear;
  for (int i = 0; i < 70; ++i) figure.x.categories.push_back(fmt::format("p{:02}", i));
  const std::string svg = figure_svg(figure);
  EXPECT_NE(svg.find(">p00<"), std::string::npos);
  EXPECT_EQ(svg.find(">p01<"), std::string::npos);
  EXPECT_NE(svg.find(">p65<"), std::string::npos);
}

TEST(FigureSvg, ALabelAtTheTopStaysInItsFrame) {
  Figure figure = log_log();
  figure.annotations = {{.text = "at the top", .y = figure.traces[0].y.back()}};
  const std::string svg = figure_svg(figure);
  std::smatch label, frame;
  ASSERT_TRUE(std::regex_search(svg, label, std::regex("y=\"([0-9.]+)\"[^>]*>at the top<")));
  ASSERT_TRUE(std::regex_search(svg, frame, std::regex("<clipPath[^>]*><rect x=\"[0-9.]+\" y=\"([0-9.]+)\"")));
  EXPECT_GT(std::stod(label[1]) - 11, std::stod(frame[1]));  // 11 px high
}

TEST(FigureSvg, ColouredMarkersLeaveOutWhatIsNoNumberAndExplainTheirColours) {
  Figure figure = log_log();
  Trace& trace = figure.traces[0];
  trace.mark = Mark::markers;
  trace.legend = false;
  trace.values = {1, NAN, 5};
  trace.values_title = "pressure [Pa]";
  const std::string svg = figure_svg(figure);
  EXPECT_EQ(count(svg, "<circle"), 2U);
  EXPECT_NE(svg.find("fill=\"#440154\""), std::string::npos);  // the ends of viridis
  EXPECT_NE(svg.find("fill=\"#fde725\""), std::string::npos);
  EXPECT_NE(svg.find("pressure [Pa]: 1 to 5"), std::string::npos);
  trace.values = {NAN, NAN, NAN};
  const std::string nothing = figure_svg(figure);
  EXPECT_EQ(count(nothing, "<circle"), 0U);
  EXPECT_EQ(nothing.find("pressure"), std::string::npos);
  EXPECT_EQ(nothing.find("inf"), std::string::npos);
}

TEST(FigureSvg, ABandHasAGapWhereItsEdgesHaveNone) {
  Figure figure = log_log();
  Trace& trace = figure.traces[0];
  trace.mark = Mark::band;
  trace.x = {1, 2, 3, 4, 5};
  trace.y = {1, 1, 1, 1, 1};
  trace.upper = {2, 2, NAN, 2, 2};
  EXPECT_EQ(count(figure_svg(figure), "<path d=\"M[^\"]*Z\""), 2U);
  trace.upper = {2, 2, 2, 2, 2};
  EXPECT_EQ(count(figure_svg(figure), "<path d=\"M[^\"]*Z\""), 1U);
}

TEST(FigureSvg, MarkersAreToldApartByMoreThanColour) {
  Figure figure = log_log();
  Trace& trace = figure.traces[0];
  trace.mark = Mark::markers;
  trace.legend = false;
  trace.colour = 0;
  const auto filled = figure_svg(figure);
  trace.dash = Dash::dash;
  const auto rings = figure_svg(figure);
  trace.dash = Dash::dot;
  const auto squares = figure_svg(figure);
  EXPECT_EQ(count(filled, "<circle[^>]* fill=\"#0072B2\""), 3U);
  EXPECT_EQ(count(rings, "<circle[^>]* fill=\"none\" stroke=\"#0072B2\""), 3U);
  EXPECT_EQ(count(squares, "<rect[^>]* fill=\"none\" stroke=\"#0072B2\""), 3U);
}

TEST(FigureSvg, EmptyFiguresAreFrames) {
  Figure figure = log_log();
  figure.traces[0].x.clear();
  figure.traces[0].y.clear();
  EXPECT_NE(figure_svg(figure).find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace microslip::report
