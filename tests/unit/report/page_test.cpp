#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/core/version.hpp>
#include <microslip/report/page.hpp>
#include <microslip/report/page_json.hpp>
#include <microslip/report/unit_text.hpp>

namespace microslip::report {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Figure curve(std::vector<double> x, std::vector<double> y) {
  return {.id = "curve",
          .title = "A curve",
          .x = {.title = "time", .unit = "s"},
          .y = {{.title = "force", .unit = "N"}},
          .traces = {{.name = "measured", .x = std::move(x), .y = std::move(y)}}};
}

Page page_with(Figure figure) {
  return {.title = "A page", .sections = {{.title = "Section", .figures = {std::move(figure)}}}};
}

nlohmann::json parsed(const Page& page) { return nlohmann::json::parse(page_json(page)); }

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(Page, ACurveWithoutPointsKeepsItsLists) {  // the page reads their length
  const auto trace = parsed(page_with(curve({}, {})))["sections"][0]["figures"][0]["traces"][0];
  EXPECT_EQ(trace["x"], nlohmann::json::array());
  EXPECT_EQ(trace["y"], nlohmann::json::array());
  EXPECT_FALSE(trace.contains("upper"));
}

TEST(Page, JsonHoldsWhatTheCallerPutIn) {
  Page page = page_with(curve({0, 1}, {0.1, 1e-7}));
  page.subtitle = "below";
  page.verdicts = {{.label = "damping", .value = "0.12", .unit = "%", .tone = Tone::good}};
  page.notes = {{.text = "mind the gap"}};
  page.sections[0].tables = {{.id = "t",
                              .title = "Table",
                              .columns = {{.title = "name"}, {.title = "value", .unit = "N"}},
                              .rows = {{"a", 0.1}, {Cell("b", Tone::bad), nan}}}};
  page.provenance = {
      .command = "microslip loop", .settings = {{"amplitude", "1e-6"}}, .seed = 7, .inputs = {{"a.csv", "ff"}}};
  const nlohmann::json json = parsed(page);
  EXPECT_EQ(json["title"], "A page");
  EXPECT_EQ(json["verdicts"][0]["tone"], "good");
  EXPECT_EQ(json["notes"][0]["tone"], "warning");
  const auto& trace = json["sections"][0]["figures"][0]["traces"][0];
  EXPECT_EQ(trace["y"], (std::vector<double>{0.1, 1e-7}));
  const auto& rows = json["sections"][0]["tables"][0]["rows"];
  EXPECT_EQ(rows[0][1], 0.1);
  EXPECT_EQ(rows[1][0]["value"], "b");
  EXPECT_TRUE(rows[1][1].is_null());
  EXPECT_EQ(json["provenance"]["version"], version);
  EXPECT_EQ(json["provenance"]["seed"], "7");  // a text: JavaScript's numbers end at 2^53
  EXPECT_EQ(json["provenance"]["settings"][0], (std::vector<std::string>{"amplitude", "1e-6"}));
}

TEST(Page, NumbersThatAreNotFiniteBecomeNull) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto y =
      parsed(page_with(curve({0, 1, 2, 3}, {nan, inf, -inf, 1})))["sections"][0]["figures"][0]["traces"][0]["y"];
  EXPECT_EQ(y.dump(), "[null,null,null,1]");
}

TEST(Page, NoTextEndsTheScriptOrOpensMarkup) {
  const std::string evil = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> ]]> & \" \\ \n\t\x01";
  Page page = page_with(curve({0}, {0}));
  const std::size_t scripts = count(render(page), "<script"), ends = count(render(page), "</script");
  page.title = page.subtitle = page.sections[0].title = page.sections[0].text = evil;
  page.sections[0].figures[0].title = page.sections[0].figures[0].traces[0].name = evil;
  page.sections[0].figures[0].traces[0].hover = {evil};
  page.provenance.command = evil;
  const std::string html = render(page);
  EXPECT_EQ(count(html, "<script"), scripts);
  EXPECT_EQ(count(html, "</script"), ends);
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_EQ(html.find("<!-- "), std::string::npos);
  EXPECT_EQ(parsed(page)["subtitle"], evil);  // and nothing is lost
}

TEST(Page, IsOneFileWithoutAddressesToLoadFrom) {
  const std::string html = render(page_with(curve({0, 1}, {1, 2})));
  EXPECT_TRUE(html.starts_with("<!doctype html>"));
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  for (const char* loader : {"<script src", "<link rel=\"stylesheet\"", "@import", "url(http", "@font-face"})
    EXPECT_EQ(html.find(loader), std::string::npos) << loader;
}

TEST(Page, StaysUnderThreeMegabytesWhateverIsDrawn) {
  Page page{.title = "long", .sections = {{.title = "Section"}}};
  for (int f = 0; f < 12; ++f) {
    Figure figure = curve({}, {});
    figure.id = fmt::format("f{}", f);
    for (int i = 0; i < 300'000; ++i) {
      figure.traces[0].x.push_back(i / 51200.0);
      figure.traces[0].y.push_back(1e-7 * std::sin(0.1 * i) / 3);
    }
    page.sections[0].figures.push_back(figure);
  }
  Figure map = curve({}, {});
  map.id = "map";
  Trace& cells = map.traces[0];
  cells.mark = Mark::heatmap;
  for (int i = 0; i < 500; ++i) cells.x.push_back(i), cells.y.push_back(i);
  cells.values.assign(250'000, 1.0 / 3);
  page.sections[0].figures.push_back(map);
  EXPECT_LT(render(page).size(), 3'000'000U);
  EXPECT_EQ(parsed(page)["sections"][0]["figures"][0]["traces"][0]["thinned_from"], 300'000);
}

TEST(Page, SameInputGivesSameBytes) {
  const Page page = page_with(curve({0, 1, 2}, {1, nan, 3}));
  EXPECT_EQ(render(page), render(page));
}

TEST(Page, ShortCurvesAreNotTouched) {
  std::vector<double> x(5000), y(5000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i), y[i] = std::sin(0.01 * x[i]);
  const auto trace = parsed(page_with(curve(x, y)))["sections"][0]["figures"][0]["traces"][0];
  EXPECT_EQ(trace["x"].size(), 5000U);
  EXPECT_FALSE(trace.contains("thinned_from"));
}

TEST(Page, RefusesFiguresThatDoNotFitTogether) {
  const auto refused = [](auto change) {
    Figure figure = curve({0, 1}, {0, 1});
    change(figure);
    EXPECT_THROW(render(page_with(figure)), InvalidInput);
    EXPECT_THROW(figure_svg(figure), InvalidInput);
  };
  refused([](Figure& f) { f.traces[0].y.pop_back(); });
  refused([](Figure& f) { f.traces[0].hover = {"one"}; });
  refused([](Figure& f) { f.traces[0].panel = 1; });
  refused([](Figure& f) { f.traces[0].panel = -1; });
  refused([](Figure& f) { f.traces[0].step = 0; });
  refused([](Figure& f) { f.traces[0].mark = Mark::band; });
  refused([](Figure& f) { f.traces[0].lower = {0, 0}; });
  refused([](Figure& f) { f.y[0].unit.clear(); });
  refused([](Figure& f) { f.x.title.clear(); });
  refused([](Figure& f) { f.id = "../escape"; });
  refused([](Figure& f) { f.y.clear(); });
  refused([](Figure& f) { f.heights = {1, 2}; });
  refused([](Figure& f) { f.annotations = {{.text = "x", .x = 1, .panel = 3}}; });
}

TEST(Page, RefusesTwoFiguresOfOneNameAndRaggedTables) {
  Page twice = page_with(curve({0}, {0}));
  twice.sections[0].figures.push_back(twice.sections[0].figures[0]);
  EXPECT_THROW(render(twice), InvalidInput);
  Page ragged{.title = "t",
              .sections = {{.title = "s",
                            .tables = {{.id = "t", .title = "T", .columns = {{.title = "a"}}, .rows = {{1.0, 2.0}}}}}}};
  EXPECT_THROW(render(ragged), InvalidInput);
}

TEST(Page, PrintsUnitsAsPrintersDo) {
  EXPECT_EQ(unit_text("sqrt(kg) m"), "√kg·m");
  EXPECT_EQ(unit_text("m^2/s^2"), "m²/s²");
  EXPECT_EQ(unit_text("m/s^2 s"), "m/s²·s");
  EXPECT_EQ(unit_text("J per cycle"), "J per cycle");
  Figure figure = curve({0, 1}, {0, 1});
  figure.y[0].unit = "sqrt(kg) m/s^2";
  EXPECT_EQ(parsed(page_with(figure))["sections"][0]["figures"][0]["y"][0]["unit"], "√kg·m/s²");
  EXPECT_NE(figure_svg(figure).find("force [√kg·m/s²]"), std::string::npos);
}

TEST(Page, HasOnePictureFilePerFigure) {
  const auto files = figure_files(page_with(curve({0, 1}, {0, 1})));
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].name, "curve.svg");
  EXPECT_EQ(files[0].svg.rfind("<svg", 0), 0U);
}

}  // namespace
}  // namespace microslip::report
