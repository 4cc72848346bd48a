#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <microslip/core/suggestion.hpp>
#include <microslip/joints/any_law.hpp>

namespace microslip {

namespace {

template <class Law>
concept HasEta = requires(Law law) {
  law.alpha;
  law.beta;
};

template <class Law>
LawInfo describe() {
  LawInfo info{std::string(Law::name), std::string(Law::title), Law::masing, {}, {}};
  for (const auto& row : Law::parameters())
    info.parameters.push_back({std::string(row.name), std::string(row.symbol), std::string(row.unit),
                               std::string(row.meaning), row.range, row.start, row.required});
  if constexpr (HasEta<Law>)
    info.alternatives.push_back({"eta", "eta", "N^(1-n)/m", "alpha - beta; alone it means alpha = eta, beta = 0",
                                 from_zero("a negative eta would create energy"), 1e4, false});
  return info;
}

template <std::size_t... I>
std::vector<LawInfo> describe_all(std::index_sequence<I...> /*indices*/) {
  return {describe<std::variant_alternative_t<I, AnyLaw>>()...};
}

std::vector<std::string> names_of(const LawInfo& info) {
  std::vector<std::string> names;
  for (const auto& p : info.parameters) names.push_back(p.name);
  for (const auto& p : info.alternatives) names.push_back(p.name);
  return names;
}

std::optional<double> find(std::span<const std::pair<std::string, double>> values, std::string_view name) {
  for (const auto& [key, value] : values)
    if (key == name) return value;
  return std::nullopt;
}

void check_names(const LawInfo& info, std::span<const std::pair<std::string, double>> values) {
  const std::vector<std::string> known = names_of(info);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& key = values[i].first;
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw InvalidInput(fmt::format("{} has no parameter '{}'{}", info.name, key, suggestion(key, known)));
    for (std::size_t j = 0; j < i; ++j)
      if (values[j].first == key) throw InvalidInput(fmt::format("{}.{} is given twice", info.name, key));
  }
}

/// eta alone stands for alpha = eta, beta = 0.
NamedValues without_eta(const LawInfo& info, std::span<const std::pair<std::string, double>> values) {
  NamedValues plain(values.begin(), values.end());
  const std::optional<double> eta = find(values, "eta");
  if (!eta || info.alternatives.empty()) return plain;
  for (const char* name : {"alpha", "beta"})
    if (find(values, name))
      throw InvalidInput(fmt::format("{}: give either eta or alpha and beta, not eta and {}", info.name, name));
  if (!info.alternatives.front().range.holds(*eta))
    throw InvalidInput(fmt::format("{}.eta must lie in {}, got {}: {}", info.name,
                                   to_string(info.alternatives.front().range), *eta,
                                   info.alternatives.front().range.reason));
  std::erase_if(plain, [](const auto& entry) { return entry.first == "eta"; });
  plain.emplace_back("alpha", *eta);
  plain.emplace_back("beta", 0.0);
  return plain;
}

template <class Law>
AnyLaw build(const LawInfo& info, std::span<const std::pair<std::string, double>> values) {
  Law law{};
  for (const auto& row : Law::parameters()) {
    const std::optional<double> value = find(values, row.name);
    if (value) {
      law.*row.member = *value;
    } else if (row.required) {
      const bool has_eta = !info.alternatives.empty() && (row.name == "alpha" || row.name == "beta");
      throw InvalidInput(fmt::format("{}.{} is missing{}: {} [{}]", info.name, row.name,
                                     has_eta ? " (or give eta)" : "", row.meaning, row.unit));
    }
  }
  return checked(law);
}

template <std::size_t... I>
AnyLaw build_at(std::size_t index, const LawInfo& info, std::span<const std::pair<std::string, double>> values,
                std::index_sequence<I...> /*indices*/) {
  using Builder = AnyLaw (*)(const LawInfo&, std::span<const std::pair<std::string, double>>);
  constexpr std::array<Builder, sizeof...(I)> builders{&build<std::variant_alternative_t<I, AnyLaw>>...};
  return builders[index](info, values);
}

using Indices = std::make_index_sequence<std::variant_size_v<AnyLaw>>;

}  // namespace

const std::vector<LawInfo>& law_table() {
  static const std::vector<LawInfo> table = describe_all(Indices{});
  return table;
}

AnyLaw make_law(const std::string& name, std::span<const std::pair<std::string, double>> values) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < law_table().size(); ++i) {
    const LawInfo& info = law_table()[i];
    known.push_back(info.name);
    if (info.name != name) continue;
    check_names(info, values);
    return build_at(i, info, without_eta(info, values), Indices{});
  }
  throw InvalidInput(fmt::format("unknown model '{}'{}", name, suggestion(name, known)));
}

std::string law_name(const AnyLaw& law) {
  return std::visit([](const auto& l) { return std::string(std::decay_t<decltype(l)>::name); }, law);
}

NamedValues law_parameters(const AnyLaw& law) {
  return std::visit(
      [](const auto& l) {
        NamedValues values;
        for (const auto& row : std::decay_t<decltype(l)>::parameters()) values.emplace_back(row.name, l.*row.member);
        return values;
      },
      law);
}

bool obeys_masing(const AnyLaw& law) {
  return std::visit([](const auto& l) { return std::decay_t<decltype(l)>::masing; }, law);
}

}  // namespace microslip
