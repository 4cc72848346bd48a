#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <microslip/report/figure.hpp>

namespace microslip::report {

/// How something is to be read. Shown by a word or sign as well as by colour.
enum class Tone { plain, good, warning, bad };

/// One cell of the strip at the top: what the reader came for.
struct Verdict {
  std::string label;
  std::string value;
  std::string unit = {};
  std::string note = {};
  Tone tone = Tone::plain;
};

struct Note {
  std::string text;
  Tone tone = Tone::warning;
};

/// A number (NaN is shown as a dash) or a text.
struct Cell {
  Cell(double v, Tone t = Tone::plain) : value(v), tone(t) {}
  Cell(std::string s, Tone t = Tone::plain) : text(std::move(s)), tone(t) {}
  Cell(const char* s, Tone t = Tone::plain) : text(s), tone(t) {}

  std::optional<double> value;
  std::string text;
  Tone tone;
};

struct Column {
  std::string title;
  std::string unit = {};
  int digits = 5;  ///< significant digits shown; the CSV holds them all
};

struct Table {
  std::string id;
  std::string title;
  std::vector<Column> columns = {};
  std::vector<std::vector<Cell>> rows = {};
  std::string caption = {};
};

/// Shown in this order: text, notes, figures, tables.
struct Section {
  std::string title;
  std::string text = {};
  std::vector<Note> notes = {};
  std::vector<Figure> figures = {};
  std::vector<Table> tables = {};
};

struct Input {
  std::string name;
  std::string sha256;
};

/// What it takes to make the same page again.
struct Provenance {
  std::string command;
  std::vector<std::pair<std::string, std::string>> settings = {};  ///< as resolved, defaults included
  std::optional<std::uint64_t> seed = {};
  std::vector<Input> inputs = {};
  std::optional<double> seconds = {};
};

struct Page {
  std::string title;
  std::string subtitle = {};
  std::vector<Verdict> verdicts = {};
  std::vector<Note> notes = {};
  std::vector<Section> sections = {};
  Provenance provenance = {};
};

/// One HTML file that needs nothing else: opens from disk, no network, under 3 MB.
/// Long curves are thinned to the extremes of short intervals, which the page then says.
std::string render(const Page& page);

struct FigureFile {
  std::string name;  ///< <id>.svg
  std::string svg;
};

/// Every figure as a static picture.
std::vector<FigureFile> figure_files(const Page& page);

}  // namespace microslip::report
