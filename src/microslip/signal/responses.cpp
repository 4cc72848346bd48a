#include <algorithm>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/signal/responses.hpp>

namespace microslip::signal {

Responses choose_responses(const Record& record, const RingdownOptions& options) {
  Responses chosen;
  std::vector<const Channel*>& found = chosen.channels;
  std::vector<std::string> names;
  for (const Channel& c : record.channels) names.push_back(c.name);
  for (const std::string& name : options.channels) {
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end())
      throw InvalidInput(fmt::format("{}: no channel '{}'{}", record.source, name, suggestion(name, names)));
    found.push_back(&record.channels[static_cast<std::size_t>(it - names.begin())]);
  }
  if (options.channels.empty()) {
    for (const Channel& c : record.channels)
      if (c.quantity != Quantity::force) found.push_back(&c);
    const auto unknown = [](const Channel* c) { return c->quantity == Quantity::unknown; };
    if (!options.quantity && !std::all_of(found.begin(), found.end(), unknown)) {
      for (const Channel* c : found)
        if (unknown(c))
          chosen.notes.push_back(fmt::format("channel '{}' is left out: it does not say what it measures", c->name));
      std::erase_if(found, unknown);
    }
  }
  if (found.empty()) throw InvalidInput(fmt::format("{}: no response channel, only force", record.source));

  const Quantity quantity = options.quantity.value_or(found.front()->quantity);
  if (quantity == Quantity::unknown)
    throw InvalidInput(
        fmt::format("{}: channel '{}' does not say what it measures (unit '{}'): give --quantity "
                    "acceleration, velocity or displacement",
                    record.source, found.front()->name, found.front()->unit));
  if (quantity == Quantity::force)
    throw InvalidInput(
        fmt::format("{}: channel '{}' is a force, expected a motion", record.source, found.front()->name));
  if (options.channels.empty() && options.quantity)  // channels known to measure something else are left out
    std::erase_if(found, [&](const Channel* c) {
      if (c->quantity == quantity || c->quantity == Quantity::unknown) return false;
      chosen.notes.push_back(fmt::format("channel '{}' is left out: it measures {}", c->name, to_string(c->quantity)));
      return true;
    });
  for (const Channel* c : found)
    if (c->quantity != quantity && !options.quantity)
      throw InvalidInput(fmt::format("{}: '{}' measures {}, '{}' {}: choose with --channel or --quantity",
                                     record.source, found.front()->name, to_string(quantity), c->name,
                                     to_string(c->quantity)));
  if (found.empty()) throw InvalidInput(fmt::format("{}: no channel measures {}", record.source, to_string(quantity)));
  chosen.quantity = quantity;
  return chosen;
}

}  // namespace microslip::signal
