#include <cmath>
#include <cstring>

#include <microslip/core/check.hpp>
#include <microslip/core/version.hpp>
#include <microslip/io/bytes.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/uff.hpp>

namespace microslip::io {

namespace {

/// Text of exactly `width` columns; NONE for nothing, no line ends inside.
std::string column(const std::string& text, std::size_t width) {
  std::string cell = text.empty() ? "NONE" : text.substr(0, width);
  for (char& c : cell)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  cell.resize(width, ' ');
  return cell;
}

/// A line of up to 80 columns, not one that could be taken for a delimiter.
std::string id_line(const std::string& text) {
  std::string line = column(text, 80);
  const std::size_t last = line.find_last_not_of(' ');
  line.resize(last == std::string::npos ? 0 : last + 1);
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string::npos || line.substr(first) == "-1") return "NONE";
  return line;
}

/// Fortran's E13.5 and E20.12. Exponents of three digits fit: -1.00000E-101.
std::string e13(double x) { return fmt::format("{:13.5E}", x); }
std::string e20(double x) { return fmt::format("{:20.12E}", x); }

template <class T>
void put(std::string& bytes, T value, std::endian order) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  if (order != std::endian::native) std::reverse(raw, raw + sizeof(T));
  bytes.append(raw, sizeof(T));
}

std::string axis(const UffAxis& a) {
  return fmt::format("{:10d}{:5d}{:5d}{:5d} {} {}", a.type, a.length_exponent, a.force_exponent, a.temperature_exponent,
                     column(a.label, 20), column(a.unit, 20));
}

void check(const UffFunction& function) {
  const std::size_t n = function.values.size();
  if (function.complex && function.imaginary.size() != n)
    throw InvalidInput(fmt::format("data set 58: {} imaginary parts for {} values", function.imaginary.size(), n));
  if (!function.even && function.x.size() != n)
    throw InvalidInput(fmt::format("data set 58: {} abscissas for {} values", function.x.size(), n));
  if (n > 9999999999U / 24) throw InvalidInput(fmt::format("data set 58 cannot hold {} values", n));
}

/// The numbers of a function in the order of the file, as cells with their widths known by kind.
std::string text_body(const UffFunction& function) {
  std::string body;
  std::size_t on_line = 0;
  // Values to a line as the specification's formats have them: 6E13.5, 4E20.12, 2(E13.5,E20.12), E13.5,2E20.12.
  const std::size_t numbers_per_line = !function.double_precision ? 6 : function.even ? 4 : function.complex ? 3 : 4;
  const auto cell = [&](const std::string& text) {
    body += text;
    if (++on_line == numbers_per_line) {
      body += '\n';
      on_line = 0;
    }
  };
  for (std::size_t i = 0; i < function.values.size(); ++i) {
    if (!function.even) cell(e13(function.x[i]));
    cell(function.double_precision ? e20(function.values[i]) : e13(function.values[i]));
    if (function.complex) cell(function.double_precision ? e20(function.imaginary[i]) : e13(function.imaginary[i]));
  }
  if (on_line != 0) body += '\n';
  return body;
}

std::string binary_body(const UffFunction& function, std::endian order) {
  std::string body;
  const auto ordinate = [&](double x) {
    if (function.double_precision)
      put(body, x, order);
    else
      put(body, static_cast<float>(x), order);
  };
  for (std::size_t i = 0; i < function.values.size(); ++i) {
    if (!function.even) put(body, static_cast<float>(function.x[i]), order);
    ordinate(function.values[i]);
    if (function.complex) ordinate(function.imaginary[i]);
  }
  return body;
}

}  // namespace

std::string to_uff58(const UffFunction& function, UffForm form) {
  check(function);
  const std::endian order = form == UffForm::big_endian ? std::endian::big : std::endian::little;
  const std::string body = form == UffForm::text ? text_body(function) : binary_body(function, order);
  std::string text = "    -1\n    58";
  if (form != UffForm::text)
    text += fmt::format("b{:6d}{:6d}{:12d}{:12d}{:6d}{:6d}{:12d}{:12d}", order == std::endian::little ? 1 : 2, 2, 11,
                        body.size(), 0, 0, 0, 0);
  text += '\n';
  for (const std::string& line : function.id) text += id_line(line) + '\n';
  text += fmt::format("{:5d}{:10d}{:5d}{:10d} {}{:10d}{:4d} {}{:10d}{:4d}\n", function.type, function.number,
                      function.version, function.load_case, column(function.response_name, 10), function.response_node,
                      function.response_direction, column(function.reference_name, 10), function.reference_node,
                      function.reference_direction);
  const int data_type = function.complex ? (function.double_precision ? 6 : 5) : (function.double_precision ? 4 : 2);
  text += fmt::format("{:10d}{:10d}{:10d}{}{}{}\n", data_type, function.values.size(), function.even ? 1 : 0,
                      e13(function.start), e13(function.increment), e13(function.z));
  for (const UffAxis* a : {&function.abscissa, &function.ordinate, &function.denominator, &function.z_axis})
    text += axis(*a) + '\n';
  return text + body + "    -1\n";
}

void write_uff(const std::filesystem::path& path, std::span<const Record> records, UffForm form) {
  std::string text = fmt::format(
      "    -1\n   151\n{}\nNONE\nmicroslip {}\n{:10d}{:10d}{:10d}{:10d}{:10d}\nNONE\nmicroslip\nNONE\n    -1\n",
      id_line(path.stem().string()), version, 0, 0, 0, 0, 0);
  for (const Record& record : records) {
    for (const Channel& channel : record.channels) {
      UffFunction function;
      function.id[0] = channel.name;
      function.response_name = channel.name;
      function.response_node = channel.node;
      for (int direction = -6; direction <= 6; ++direction)
        if (uff_direction_name(direction) == channel.direction) function.response_direction = direction;
      function.start = record.start_time;
      function.increment = 1 / record.sampling_rate_hz;
      function.abscissa = {.type = 17, .label = "Time", .unit = "s"};
      const int code = channel.quantity == Quantity::displacement   ? 8
                       : channel.quantity == Quantity::velocity     ? 11
                       : channel.quantity == Quantity::acceleration ? 12
                       : channel.quantity == Quantity::force        ? 13
                       : channel.quantity == Quantity::strain       ? 3
                                                                    : 0;
      function.ordinate = {.type = code, .label = std::string(to_string(channel.quantity)), .unit = channel.unit};
      function.values = channel.samples;
      text += to_uff58(function, form);
    }
  }
  write_file(path, text);
}

}  // namespace microslip::io
