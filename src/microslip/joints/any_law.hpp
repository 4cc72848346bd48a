#pragma once

#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <microslip/joints/bouc_wen.hpp>
#include <microslip/joints/elastic_dry_friction.hpp>
#include <microslip/joints/iwan4.hpp>
#include <microslip/joints/iwan5.hpp>
#include <microslip/joints/jenkins.hpp>
#include <microslip/joints/valanis.hpp>

namespace microslip {

/// A law chosen at run time. Visited once per interface, never per element.
using AnyLaw =
    std::variant<Iwan4<double>, Iwan5<double>, BoucWen<double>, BoucWen1<double>, BoucWen2<double>, Valanis<double>,
                 Jenkins<double>, ElasticDryFriction<double>, Prager<double>, JenkinsPrager<double>>;

/// A row of a law's parameter table without its type, for lists, files and pages.
struct ParameterInfo {
  std::string name, symbol, unit, meaning;
  Range range;
  double start;
  bool required;
};

struct LawInfo {
  std::string name, title;
  bool masing;
  std::vector<ParameterInfo> parameters;
  /// Another way to give some of them: eta in place of alpha and beta for the Bouc-Wen laws.
  std::vector<ParameterInfo> alternatives;
};

/// Every law of the library, in the order of AnyLaw.
const std::vector<LawInfo>& law_table();

using NamedValues = std::vector<std::pair<std::string, double>>;

/// The law of that name with these parameters. Unknown, missing, repeated or unphysical ones are refused by name.
AnyLaw make_law(const std::string& name, std::span<const std::pair<std::string, double>> values);

std::string law_name(const AnyLaw& law);
/// Its parameters by name, in the order of the table.
NamedValues law_parameters(const AnyLaw& law);
bool obeys_masing(const AnyLaw& law);

}  // namespace microslip
