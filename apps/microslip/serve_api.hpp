#pragma once

#include <map>
#include <string>

#include <microslip/core/progress.hpp>
#include <microslip/io/json.hpp>
#include <microslip/verbs/output.hpp>

#include "serve_files.hpp"
#include "serve_jobs.hpp"
#include "serve_request.hpp"

namespace microslip::app {

/// The workbench's JSON interface, version 1: docs/workbench.md. It calls the verbs that the command line calls.
class Api {
 public:
  Api();

  /// Answers a request that the guard let pass. Never throws: what is wrong with a request is its answer.
  WebReply answer(const WebRequest& request);

 private:
  /// A call of a verb: what the page asked for, and where its files are.
  struct Call {
    const io::JsonReader& request;
    const ReceivedFiles& files;
    const Progress& progress;
  };
  struct Verb {
    bool quick;  ///< answered at once; others become jobs
    verbs::Output (*run)(const Call&);
  };

  WebReply dispatch(const WebRequest& request);
  WebReply receive(const WebRequest& request);
  WebReply run(const std::string& name, const Verb& verb, const WebRequest& request);
  WebReply job(const WebRequest& request, const std::string& rest);

  static verbs::Output run_loop(const Call& call);
  static verbs::Output run_curves(const Call& call);
  static verbs::Output run_table(const Call& call);
  /// The file whose number stands at the key.
  static ReceivedFiles::File file(const Call& call, const std::string& key);

  std::map<std::string, Verb> verbs_;
  ReceivedFiles files_;
  Jobs jobs_;
};

}  // namespace microslip::app
