#pragma once

#include <string>

#include <gtest/gtest.h>

#include <microslip/core/check.hpp>

namespace microslip {

/// What a call refuses with: one line, or a failed test where it refuses nothing.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

}  // namespace microslip
