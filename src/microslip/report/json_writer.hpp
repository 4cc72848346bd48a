#pragma once

#include <cmath>
#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace microslip::report {

/// Writes JSON that may stand inside an HTML script element: '<', '>' and '&' leave as escapes, so that no text can
/// end the element or open a comment. Numbers that are not finite become null.
class JsonWriter {
 public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  void key(std::string_view name) {
    separate();
    text(name);
    out_ += ':';
    first_ = true;
  }

  void value(double x) {
    separate();
    if (std::isfinite(x)) {
      fmt::format_to(std::back_inserter(out_), "{:.10g}", x);
    } else {
      out_ += "null";
    }
  }
  void value(int x) {
    separate();
    fmt::format_to(std::back_inserter(out_), "{}", x);
  }
  void value(std::size_t x) {
    separate();
    fmt::format_to(std::back_inserter(out_), "{}", x);
  }
  void value(bool x) {
    separate();
    out_ += x ? "true" : "false";
  }
  void value(std::string_view x) {
    separate();
    text(x);
  }
  void value(const std::string& x) { value(std::string_view(x)); }
  void value(const char* x) { value(std::string_view(x)); }

  /// A number with all its digits.
  void exact(double x) {
    separate();
    if (std::isfinite(x)) {
      fmt::format_to(std::back_inserter(out_), "{}", x);
    } else {
      out_ += "null";
    }
  }

  template <class T>
  void member(std::string_view name, const T& x) {
    key(name);
    value(x);
  }

  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  void open(char bracket) {
    separate();
    out_ += bracket;
    first_ = true;
  }
  void close(char bracket) {
    out_ += bracket;
    first_ = false;
  }
  void text(std::string_view x) {
    out_ += '"';
    for (const char c : x) {
      const auto code = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
      } else if (code < 0x20 || c == '<' || c == '>' || c == '&' || code == 0x7f) {
        fmt::format_to(std::back_inserter(out_), "\\u{:04x}", code);
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }

  std::string out_;
  bool first_ = true;
};

}  // namespace microslip::report
