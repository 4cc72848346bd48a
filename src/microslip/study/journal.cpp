#include <cstring>

#include <microslip/core/check.hpp>
#include <microslip/study/journal.hpp>

namespace microslip::study {

namespace {

constexpr std::string_view magic = "microslip journal 1\n";

void put(std::string& bytes, std::uint64_t number) { bytes.append(reinterpret_cast<const char*>(&number), 8); }

/// Reads what `put` wrote; refuses to read past the end.
struct Reader {
  std::string_view left;
  const std::string& name;

  std::string_view take(std::uint64_t n) {
    if (n > left.size()) throw InvalidInput(fmt::format("checkpoint {} is damaged: it ends early", name));
    const std::string_view taken = left.substr(0, n);
    left.remove_prefix(n);
    return taken;
  }
  std::uint64_t number() {
    std::uint64_t n = 0;
    std::memcpy(&n, take(8).data(), 8);
    return n;
  }
};

std::uint64_t fingerprint_of(const std::vector<Task>& tasks) {
  Fingerprint print;
  for (const Task& task : tasks) print.add(task);
  return print.value();
}

}  // namespace

Fingerprint& Fingerprint::add(std::string_view bytes) {
  for (char c : bytes) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  // The length keeps ("ab", "c") and ("a", "bc") apart.
  value_ = (value_ ^ bytes.size()) * 0x100000001b3ULL;
  return *this;
}

Fingerprint& Fingerprint::add(double number) { return add({reinterpret_cast<const char*>(&number), sizeof number}); }

Fingerprint& Fingerprint::add(const std::vector<double>& numbers) {
  return add({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)});
}

Journal::Journal(Storage storage, std::string name, std::uint64_t fingerprint)
    : storage_(std::move(storage)), name_(std::move(name)), fingerprint_(fingerprint) {
  if (!storage_.load) return;
  if (const std::optional<std::string> bytes = storage_.load(name_)) read(*bytes);
}

std::vector<TaskResult> Journal::run(Crew& crew, const std::vector<Task>& tasks) {
  const std::uint64_t asked = fingerprint_of(tasks);
  if (next_ < records_.size()) {
    const Record& record = records_[next_++];
    if (record.tasks != asked || record.results.size() != tasks.size())
      throw InvalidInput(
          fmt::format("checkpoint {} was written by another version of the program: start without --resume", name_));
    return record.results;
  }
  records_.push_back({asked, crew.run(tasks)});
  ++next_;
  if (storage_.save) storage_.save(name_, bytes());
  return records_.back().results;
}

std::string Journal::bytes() const {
  std::string body;
  put(body, fingerprint_);
  put(body, records_.size());
  for (const Record& record : records_) {
    put(body, record.tasks);
    put(body, record.results.size());
    for (const TaskResult& result : record.results) {
      put(body, result.values.size());
      body.append(reinterpret_cast<const char*>(result.values.data()), result.values.size() * sizeof(double));
      put(body, result.failure.size());
      body.append(result.failure);
    }
  }
  std::string bytes(magic);
  put(bytes, Fingerprint().add(body).value());
  return bytes + body;
}

void Journal::read(std::string_view bytes) {
  Reader reader{bytes, name_};
  if (bytes.size() < magic.size() || reader.take(magic.size()) != magic)
    throw InvalidInput(fmt::format("checkpoint {} is not one of microslip's", name_));
  const std::uint64_t sum = reader.number();
  if (Fingerprint().add(reader.left).value() != sum)
    throw InvalidInput(fmt::format("checkpoint {} is damaged: its checksum does not fit", name_));
  if (reader.number() != fingerprint_)
    throw InvalidInput(fmt::format(
        "checkpoint {} belongs to another study (model, data, bounds, budget or seed differ): start without --resume",
        name_));
  const std::uint64_t n_records = reader.number();
  for (std::uint64_t i = 0; i < n_records; ++i) {
    Record record{reader.number(), {}};
    const std::uint64_t n_results = reader.number();
    for (std::uint64_t k = 0; k < n_results; ++k) {
      TaskResult result;
      const std::uint64_t n_values = reader.number();
      if (n_values > reader.left.size() / sizeof(double))
        throw InvalidInput(fmt::format("checkpoint {} is damaged: it ends early", name_));
      result.values.resize(n_values);
      const std::string_view raw = reader.take(n_values * sizeof(double));
      if (!raw.empty()) std::memcpy(result.values.data(), raw.data(), raw.size());
      result.failure = reader.take(reader.number());
      record.results.push_back(std::move(result));
    }
    records_.push_back(std::move(record));
  }
}

}  // namespace microslip::study
