#pragma once

#include <map>
#include <string>
#include <vector>

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

/// Keys that no part of the server reads are refused, as the command line refuses unknown options. `form`, which verbs
/// that are answered at once may have, is taken out before.
void only(const io::JsonReader& request, const std::vector<std::string>& known);
/// A whole number in [2, most]: how many points to draw.
int count(const io::JsonReader& request, const std::string& key, int fallback, int most = 2000);

// The beam from values, in the sections and keys of its TOML file: no path can be named.
verbs::Output run_beam(const Call& call);
verbs::Output run_beam_live(const Call& call);

/// The verbs that pages may call, by the last part of their path.
const std::map<std::string, ServedVerb>& served_verbs();

}  // namespace microslip::app
