#include "commands.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <system_error>

#include <fmt/format.h>

#include <microslip/core/check.hpp>
#include <microslip/core/printable.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/hdf5.hpp>

#include "progress.hpp"

namespace microslip::app {

namespace {

void say(const std::string& line) { std::fputs((printable(line) + '\n').c_str(), stderr); }

bool is_hdf5(const std::string& path) {
  const std::string kind = io::extension_of(path);
  return kind == ".h5" || kind == ".hdf5";
}

/// Refuses before any work what could not be delivered after it.
void check(const Delivery& delivery, bool writes_hdf5) {
  for (const std::string& path : {delivery.output, delivery.report})
    if (!path.empty()) io::check_writable(path);
  if (!delivery.output.empty() && !delivery.report.empty() && io::same_file(delivery.output, delivery.report))
    throw InvalidInput(fmt::format("-o and --report both name {}", delivery.report));
  if (!delivery.svg.empty()) verbs::check_folder(delivery.svg);
  if (is_hdf5(delivery.output) && !writes_hdf5 && !delivery.json && !delivery.csv)
    throw InvalidInput(
        fmt::format("-o {}: this result is not written as HDF5; end the name in .json or .csv", delivery.output));
}

/// A file without a chosen form holds what its name says.
void write_data(const verbs::Output& output, const Delivery& delivery) {
  const std::string kind = io::extension_of(delivery.output);
  if (delivery.json || (!delivery.csv && kind == ".json"))
    io::write_file(delivery.output, output.json());
  else if (delivery.csv || (kind == ".csv" && output.csv))
    io::write_file(delivery.output, output.csv());
  else if (is_hdf5(delivery.output) && output.archive)
    io::write_hdf5(delivery.output, output.archive());
  else
    io::write_file(delivery.output, output.text());
}

void draw(const verbs::Output& output, const Delivery& delivery, const std::string& command_line, double seconds) {
  if (delivery.report.empty() && delivery.svg.empty()) return;
  const report::Page page = verbs::finished_page(output, command_line, seconds);
  if (!delivery.svg.empty())
    for (const auto& path : verbs::write_svgs(page, delivery.svg)) say("figure: " + path.string());
  if (!delivery.report.empty()) {
    io::write_file(delivery.report, report::render(page));
    say("report: " + std::filesystem::absolute(delivery.report).string());
  }
}

/// Neither data nor figures cost the other: a file of data comes before the figures, which may not be writable,
/// standard output after them, since who reads it may leave early.
void deliver(const verbs::Output& output, const Delivery& delivery, const std::string& command_line, double seconds) {
  for (const std::string& note : output.notes) say("note: " + note);
  if (delivery.csv && !output.csv) throw InvalidInput("this result is not a table; use --json");
  if (!delivery.output.empty()) {
    write_data(output, delivery);
    draw(output, delivery, command_line, seconds);
    return;
  }
  std::exception_ptr undrawn;
  try {
    draw(output, delivery, command_line, seconds);
  } catch (const InvalidInput&) {
    undrawn = std::current_exception();
  }
  print_data(delivery.json ? output.json() : delivery.csv ? output.csv() : output.text());
  if (undrawn) std::rethrow_exception(undrawn);
}

}  // namespace

void print_data(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (!text.empty() && text.back() != '\n') std::fputc('\n', stdout);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw InvalidInput(fmt::format("standard output: cannot be written: {}", std::generic_category().message(errno)));
}

CLI::App* Commands::add(const std::string& name, const std::string& text, std::function<verbs::Output()> action,
                        CLI::App* parent, Draws draws) {
  auto verb = std::make_unique<Verb>();
  CLI::App* sub = (parent != nullptr ? *parent : app_).add_subcommand(name, text);
  verb->app = sub;
  verb->action = std::move(action);
  Delivery& delivery = verb->delivery;
  auto* json = sub->add_flag("--json", delivery.json, "print one JSON value and nothing else");
  sub->add_flag("--csv", delivery.csv, "print comma-separated values")->excludes(json);
  if (draws == Draws::figures) {
    sub->add_option("--report", delivery.report, "write a self-contained HTML page")->type_name("FILE.html");
    sub->add_option("--svg", delivery.svg, "write every figure as SVG into this folder")->type_name("DIR");
  }
  sub->add_option("-o,--output", delivery.output, "write the data here instead of standard output")->type_name("FILE");
  verbs_.push_back(std::move(verb));
  return sub;
}

CLI::App* Commands::add_plain(const std::string& name, const std::string& text, std::function<int()> action) {
  auto verb = std::make_unique<Verb>();
  verb->app = app_.add_subcommand(name, text);
  verb->plain = std::move(action);
  verbs_.push_back(std::move(verb));
  return verbs_.back()->app;
}

void Commands::write_hdf5(const std::string& name) {
  for (const auto& verb : verbs_)
    if (verb->app->get_name() == name) verb->writes_hdf5 = true;
}

CLI::App* Commands::group(const std::string& name, const std::string& text) {
  CLI::App* sub = app_.add_subcommand(name, text);
  sub->require_subcommand(1);
  return sub;
}

int Commands::run(const std::string& command_line) {
  for (const auto& verb : verbs_) {
    if (!verb->app->parsed()) continue;
    if (verb->plain) return verb->plain();
    check(verb->delivery, verb->writes_hdf5);
    const auto start = std::chrono::steady_clock::now();
    const verbs::Output output = verb->action();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    end_progress();
    deliver(output, verb->delivery, command_line, seconds.count());
    return stop_was_asked() ? 3 : 0;
  }
  throw InvalidInput("no verb given; microslip --help lists them");
}

}  // namespace microslip::app
