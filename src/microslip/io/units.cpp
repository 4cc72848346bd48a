#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include <microslip/core/letter_case.hpp>
#include <microslip/io/units.hpp>

namespace microslip::io {

namespace {

struct Entry {
  std::string_view name;
  Unit unit;
};

constexpr Unit metre(double factor) { return {Quantity::displacement, factor, "m"}; }
constexpr Unit metre_per_second(double factor) { return {Quantity::velocity, factor, "m/s"}; }
constexpr Unit metre_per_second_squared(double factor) { return {Quantity::acceleration, factor, "m/s^2"}; }
constexpr Unit newton(double factor) { return {Quantity::force, factor, "N"}; }
constexpr Unit strain(double factor) { return {Quantity::strain, factor, "strain"}; }

constexpr double inch = 0.0254, foot = 0.3048, pound = 4.4482216152605, gravity = 9.80665;  // exact by definition

constexpr std::array entries{Entry{"m", metre(1)},
                             Entry{"cm", metre(1e-2)},
                             Entry{"mm", metre(1e-3)},
                             Entry{"um", metre(1e-6)},
                             Entry{"in", metre(inch)},
                             Entry{"ft", metre(foot)},
                             Entry{"m/s", metre_per_second(1)},
                             Entry{"cm/s", metre_per_second(1e-2)},
                             Entry{"um/s", metre_per_second(1e-6)},
                             Entry{"mm/s", metre_per_second(1e-3)},
                             Entry{"in/s", metre_per_second(inch)},
                             Entry{"ft/s", metre_per_second(foot)},
                             Entry{"m/s^2", metre_per_second_squared(1)},
                             Entry{"cm/s^2", metre_per_second_squared(1e-2)},
                             Entry{"mm/s^2", metre_per_second_squared(1e-3)},
                             Entry{"um/s^2", metre_per_second_squared(1e-6)},
                             Entry{"in/s^2", metre_per_second_squared(inch)},
                             Entry{"ft/s^2", metre_per_second_squared(foot)},
                             Entry{"g", metre_per_second_squared(gravity)},
                             Entry{"gn", metre_per_second_squared(gravity)},
                             Entry{"mg", metre_per_second_squared(1e-3 * gravity)},
                             Entry{"N", newton(1)},
                             Entry{"mN", newton(1e-3)},
                             Entry{"kN", newton(1e3)},
                             Entry{"lbf", newton(pound)},
                             Entry{"lb", newton(pound)},
                             Entry{"kip", newton(1e3 * pound)},
                             Entry{"strain", strain(1)},
                             Entry{"Strain", strain(1)},
                             Entry{"m/m", strain(1)},
                             Entry{"ue", strain(1e-6)},
                             Entry{"ustrain", strain(1e-6)}};

/// One spelling for all: no blanks or brackets, ^2 for a square, u for micro.
std::string canonical(std::string_view unit) {
  std::string text(unit);
  const auto replace = [&](std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  for (const std::string_view blank : {" ", "\t", "[", "]"}) replace(blank, "");
  replace("\xC2\xB2", "^2");  // ² in UTF-8
  replace("\xB2", "^2");      // ² in Latin-1
  replace("**", "^");
  replace("\xC2\xB5", "u");  // micro sign
  replace("\xCE\xBC", "u");  // Greek mu
  replace("\xCE\xB5", "e");  // Greek epsilon
  for (const std::string_view second : {"seconds", "second", "sec"}) replace(second, "s");
  replace("/s/s", "/s^2");
  replace("(s^2)", "s^2");
  if (text.ends_with("/s2")) replace("/s2", "/s^2");
  if (text.ends_with("s^-2")) replace("s^-2", "/s^2");
  if (text.ends_with("s-2")) replace("s-2", "/s^2");
  if (text.ends_with("s^-1")) replace("s^-1", "/s");
  replace("\xC2\xB7", "");  // middle dot
  return text;
}

}  // namespace

std::optional<Unit> known_unit(std::string_view unit) {
  const std::string name = canonical(unit);
  for (const Entry& entry : entries)
    if (entry.name == name) return entry.unit;
  return std::nullopt;
}

std::optional<double> seconds_per(std::string_view unit) {
  std::string bare(unit);
  std::erase_if(bare, [](char c) { return std::string_view(" \t[]()").find(c) != std::string_view::npos; });
  // Words may have capitals; Ms is not ms.
  const std::string small = lower_case(bare);
  std::string name = canonical(bare.size() > 3 || small == "s" || small == "sec" ? small : bare);
  if (name.ends_with('.')) name.pop_back();  // a word's "seconds" is an s by now
  constexpr std::array<std::pair<std::string_view, double>, 13> times{{{"s", 1},
                                                                       {"ms", 1e-3},
                                                                       {"us", 1e-6},
                                                                       {"ns", 1e-9},
                                                                       {"min", 60},
                                                                       {"h", 3600},
                                                                       {"millis", 1e-3},
                                                                       {"micros", 1e-6},
                                                                       {"nanos", 1e-9},
                                                                       {"minute", 60},
                                                                       {"minutes", 60},
                                                                       {"hour", 3600},
                                                                       {"hours", 3600}}};
  for (const auto& [known, seconds] : times)
    if (known == name) return seconds;
  return std::nullopt;
}

Quantity quantity_of_name(std::string_view name) {
  const std::string text = lower_case(name);
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto capital = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  // Words begin after what is no letter and at a capital that follows a small letter: "level" tells of no velocity.
  const auto has = [&](std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
      if (at == 0 || !letter(name[at - 1]) || (capital(name[at]) && !capital(name[at - 1]))) return true;
    return false;
  };
  if (has("acc")) return Quantity::acceleration;
  if (has("vel")) return Quantity::velocity;
  if (has("disp")) return Quantity::displacement;
  if (has("force") || has("hammer")) return Quantity::force;
  if (has("strain") || has("microstrain")) return Quantity::strain;
  return Quantity::unknown;
}

void convert_to_si(Record& record) {
  for (Channel& channel : record.channels) {
    const auto unit = known_unit(channel.unit);
    if (!unit) {
      if (!channel.unit.empty())
        record.warnings.push_back(
            fmt::format("channel '{}': unit '{}' is not known and stays as it is", channel.name, channel.unit));
      continue;
    }
    if (unit->si_factor != 1)
      for (double& sample : channel.samples) sample *= unit->si_factor;
    channel.unit = unit->si;
  }
}

}  // namespace microslip::io
