#pragma once

#include <functional>

#include <microslip/study/tasks.hpp>

namespace microslip::study {

/// Puts a batch of tasks to whoever works on them.
using Ask = std::function<std::vector<TaskResult>(const std::vector<Task>&)>;

/// Candidates for the front of an entry, found as its method says. Depends on nothing but the entry, the budget, the
/// seeds and the answers. `given` are points to begin with.
std::vector<Candidate> search(const Study& study, std::size_t entry, const std::vector<std::vector<double>>& given,
                              const Ask& ask);

/// How many batches `search` asks for.
int search_batches(const Study& study, std::size_t entry);

}  // namespace microslip::study
