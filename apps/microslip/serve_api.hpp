#pragma once

#include <string>

#include "serve_files.hpp"
#include "serve_jobs.hpp"
#include "serve_request.hpp"
#include "serve_verbs.hpp"

namespace microslip::app {

/// The workbench's JSON interface, version 1: docs/workbench.md. It calls the verbs that the command line calls.
class Api {
 public:
  /// Answers a request that the guard let pass. Never throws: what is wrong with a request is its answer.
  WebReply answer(const WebRequest& request);

 private:
  WebReply dispatch(const WebRequest& request);
  WebReply receive(const WebRequest& request);
  WebReply run(const std::string& name, const ServedVerb& verb, const WebRequest& request);
  WebReply job(const WebRequest& request, const std::string& rest);

  ReceivedFiles files_;
  Jobs jobs_;
};

}  // namespace microslip::app
