#pragma once

#include <functional>
#include <string>

namespace microslip::app {

struct ServeOptions {
  std::string host = "127.0.0.1";
  int port = 0;  ///< 0: any that is free
};

/// Serves the workbench until `stop_serving` is called. `ready` is told the address. Returns an exit status.
int serve(const ServeOptions& options, const std::function<void(const std::string& address)>& ready);

/// Ends `serve`; may be called from a signal handler.
void stop_serving();

}  // namespace microslip::app
