#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <microslip/joints/any_law.hpp>
#include <microslip/joints/loop.hpp>
#include <microslip/verbs/output.hpp>

namespace microslip::verbs {

struct LoopOptions {
  std::string model;
  NamedValues parameters;
  std::optional<double> amplitude;               ///< the steady loop of this amplitude …
  std::optional<std::filesystem::path> history;  ///< … or the force along a displacement history
  std::optional<Framework> framework;            ///< of a loop: Masing's rules where the law obeys them, else reversal
  std::optional<double> normal_stiffness;        ///< turns a history's normal displacement into a force
  std::optional<int> points;                     ///< on each branch of a loop, 200 when absent
};

/// name=value texts, as on a command line.
NamedValues parse_parameters(const std::string& model, const std::vector<std::string>& texts);

/// A law along a displacement history.
struct LoopResult {
  AnyLaw law;
  Framework framework;
  std::vector<double> displacement;
  std::vector<double> force;
  std::vector<double> tangent;        ///< along a history only
  std::vector<double> dissipated;     ///< along a history only: energy lost so far
  std::optional<double> dissipation;  ///< per cycle; none where a history closes none
  double secant_stiffness = 0;
  std::optional<double> equivalent_stiffness;  ///< of the describing function, for a loop
};

LoopResult run_loop(const LoopOptions& options);
Output loop(const LoopOptions& options);

}  // namespace microslip::verbs
