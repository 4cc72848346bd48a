#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <microslip/core/check.hpp>

#include "commands.hpp"
#include "serve_http.hpp"

namespace microslip::app {

namespace {

void on_signal(int) { stop_serving(); }

/// Best effort, in a process of its own: a machine without a browser is no reason to fail. The address is ours. A child
/// in between takes the browser's end off our hands: to ignore SIGCHLD would hide the ends of readers of files too.
void open_in_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  const pid_t between = fork();
  if (between != 0) {
    if (between > 0) waitpid(between, nullptr, 0);
    return;
  }
  if (fork() != 0) _exit(0);
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0 && dup2(nowhere, STDERR_FILENO) >= 0)
    execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
  _exit(1);
}

}  // namespace

void add_serve(Commands& commands) {
  const auto options = std::make_shared<ServeOptions>();
  const auto no_browser = std::make_shared<bool>(false);
  CLI::App* verb = commands.add_plain("serve", "the workbench in the browser, on this machine", [options, no_browser] {
    if (options->port < 0 || options->port > 65535)
      throw InvalidInput(fmt::format("serve: port must lie in [0, 65535], got {}", options->port));
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    return serve(*options, [&](const std::string& address) {
      std::fputs(fmt::format("{}\n", address).c_str(), stdout);
      std::fflush(stdout);
      std::fputs("The workbench is at the address above. Ctrl-C ends it.\n", stderr);
      if (options->host != "127.0.0.1" && options->host != "::1" && options->host != "localhost")
        std::fputs("warning: everybody who reaches this machine can use it: there is no password.\n", stderr);
      if (!*no_browser) open_in_browser(address);
    });
  });
  verb->add_option("--port", options->port, "port to listen on; 0 takes one that is free")->capture_default_str();
  verb->add_option("--host", options->host, "name or address of this machine to listen on")->capture_default_str();
  verb->add_flag("--no-browser", *no_browser, "do not open a browser");
}

}  // namespace microslip::app
