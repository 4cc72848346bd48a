#pragma once

#include <functional>
#include <string>

#include <microslip/io/tree.hpp>

namespace microslip::io {

/// The tree that `read` gives, read in a process of its own: where a library crashes or hangs on a damaged file, this
/// process lives on and the file is refused. InvalidInput thrown by `read` arrives as such. The limit is one of
/// computing, not of waiting for a disk: only a hang takes that long.
Tree read_apart(const std::function<Tree()>& read, const std::string& source, unsigned cpu_seconds = 120);

}  // namespace microslip::io
