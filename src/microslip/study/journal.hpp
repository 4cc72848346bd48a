#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <microslip/study/crew.hpp>

namespace microslip::study {

/// Where bytes are kept from one run to the next. Each save replaces what was there, wholly or not at all.
struct Storage {
  std::function<std::optional<std::string>(const std::string& name)> load;  ///< may be empty: nothing is kept
  std::function<void(const std::string& name, std::string_view bytes)> save;
};

/// The answers to every batch of tasks that a search has asked for, in order. A search that depends on nothing but
/// its answers comes to the same result when it is run again with those on record: that is how it is resumed.
class Journal {
 public:
  /// Takes up the record of that name where there is one. `fingerprint` stands for all that the answers depend on;
  /// the record of another is refused.
  Journal(Storage storage, std::string name, std::uint64_t fingerprint);

  /// The answers on record, or those of the crew, which are put on record before they are returned.
  std::vector<TaskResult> run(Crew& crew, const std::vector<Task>& tasks);

 private:
  struct Record {
    std::uint64_t tasks;  ///< fingerprint of the questions
    std::vector<TaskResult> results;
  };
  [[nodiscard]] std::string bytes() const;
  void read(std::string_view bytes);

  Storage storage_;
  std::string name_;
  std::uint64_t fingerprint_;
  std::vector<Record> records_;
  std::size_t next_ = 0;
};

/// FNV-1a over bytes, to tell inputs apart; not against anyone who means harm.
class Fingerprint {
 public:
  Fingerprint& add(std::string_view bytes);
  Fingerprint& add(double number);
  Fingerprint& add(const std::vector<double>& numbers);
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

}  // namespace microslip::study
