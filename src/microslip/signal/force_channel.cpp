#include <vector>

#include <microslip/core/check.hpp>
#include <microslip/core/suggestion.hpp>
#include <microslip/signal/force_channel.hpp>

namespace microslip::signal {

std::size_t force_channel(const Record& record, const std::string& name) {
  std::vector<std::string> names;
  std::vector<std::size_t> forces;
  for (std::size_t j = 0; j < record.channels.size(); ++j) {
    const Channel& channel = record.channels[j];
    names.push_back(channel.name);
    if (name.empty() ? channel.quantity == Quantity::force : channel.name == name) forces.push_back(j);
  }
  if (forces.size() == 1) return forces.front();
  if (!name.empty() && forces.empty())
    throw InvalidInput(fmt::format("{}: no channel '{}'{}", record.source, name, suggestion(name, names)));
  if (!name.empty())
    throw InvalidInput(fmt::format("{}: {} channels are named '{}', expected one", record.source, forces.size(), name));
  if (forces.empty())
    throw InvalidInput(fmt::format("{}: no channel is a force; that of the hammer is needed", record.source));
  throw InvalidInput(fmt::format("{}: several force channels ('{}', '{}'); name the hammer's (--force-channel)",
                                 record.source, names[forces[0]], names[forces[1]]));
}

}  // namespace microslip::signal
