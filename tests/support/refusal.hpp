#pragma once

#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <support/scratch.hpp>

#include <microslip/core/check.hpp>

namespace microslip::test {

/// What a call refuses with: one line, or a failed test where it refuses nothing.
template <class Call>
std::string refusal(Call&& call) {
  const std::string message = message_of<InvalidInput>(std::forward<Call>(call));
  EXPECT_FALSE(message.empty()) << "nothing was refused";
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

}  // namespace microslip::test
