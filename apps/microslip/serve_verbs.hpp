#pragma once

#include <map>
#include <string>

#include <microslip/core/progress.hpp>
#include <microslip/io/json.hpp>
#include <microslip/verbs/output.hpp>

#include "serve_files.hpp"

namespace microslip::app {

/// A call of a verb: what the page asked for, and where its files are.
struct Call {
  const io::JsonReader& request;
  const ReceivedFiles& files;
  const Progress& progress;
};

struct ServedVerb {
  bool quick;  ///< answered at once; others become jobs
  verbs::Output (*run)(const Call&);
};

/// The verbs that pages may call, by the last part of their path.
const std::map<std::string, ServedVerb>& served_verbs();

}  // namespace microslip::app
