#pragma once

#include <string>
#include <string_view>

#include <microslip/core/record.hpp>

namespace microslip::io {

struct ReadOptions;

/// Reads a WAV file: PCM of 8, 16, 24 or 32 bits (scaled to ±1 of full scale) and floats of 32 or 64 bits (as they
/// are). WAV has no units: a warning says so unless the caller declares one.
Record parse_wav(std::string_view bytes, const std::string& source, const ReadOptions& options);

}  // namespace microslip::io
