#include "serve_jobs.hpp"

namespace microslip::app {

namespace {

constexpr std::size_t finished_kept = 16;

bool finished(Jobs::State state) { return state != Jobs::State::queued && state != Jobs::State::running; }
std::size_t bytes_of(const Jobs::Status& status) {
  return status.result ? status.result->json.size() + status.result->report.size() : 0;
}

}  // namespace

const char* to_string(Jobs::State state) {
  switch (state) {
    case Jobs::State::queued:
      return "queued";
    case Jobs::State::running:
      return "running";
    case Jobs::State::done:
      return "done";
    case Jobs::State::failed:
      return "failed";
    case Jobs::State::cancelled:
      return "cancelled";
  }
  return "failed";
}

Jobs::Jobs(int workers, std::size_t queue_limit, std::size_t bytes_kept)
    : queue_limit_(queue_limit), bytes_kept_(bytes_kept) {
  for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { run(); });
}

Jobs::~Jobs() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    for (const auto& [id, job] : jobs_) job->stop = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

std::uint64_t Jobs::start(Work work) {
  const std::lock_guard lock(mutex_);
  if (waiting_.size() >= queue_limit_) return 0;
  auto job = std::make_shared<Job>();
  job->id = next_++;
  job->work = std::move(work);
  jobs_[job->id] = job;
  waiting_.push_back(job);
  forget_oldest();
  wake_.notify_one();
  return job->id;
}

bool Jobs::status(std::uint64_t id, Status& out) const {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return false;
  out = found->second->status;
  return true;
}

bool Jobs::cancel(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return false;
  Job& job = *found->second;
  job.stop = true;
  if (job.status.state == State::queued) {
    job.status.state = State::cancelled;
    job.work = nullptr;
    std::erase(waiting_, found->second);  // its place is free
  }
  return true;
}

void Jobs::run() {
  for (;;) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
      if (closing_) return;
      job = waiting_.front();
      waiting_.pop_front();
      job->status.state = State::running;
    }
    perform(job);
  }
}

void Jobs::perform(const std::shared_ptr<Job>& job) {
  const auto finish = [&](State state, std::shared_ptr<const Result> result, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    job->status = {.state = state, .fraction = 1, .what = "", .result = std::move(result), .error = std::move(error)};
    job->work = nullptr;
    if (job->status.result) latest_result_ = job->id;
    forget_oldest();
  };
  Progress progress;
  progress.stop = &job->stop;
  progress.report = [&](double fraction, std::string_view what) {
    const std::lock_guard lock(mutex_);
    job->status.fraction = fraction;
    job->status.what = what;
  };
  try {
    auto result = std::make_shared<const Result>(job->work(progress));
    if (job->stop)
      finish(State::cancelled, nullptr, nullptr);
    else
      finish(State::done, std::move(result), nullptr);
  } catch (...) {
    if (job->stop)
      finish(State::cancelled, nullptr, nullptr);
    else
      finish(State::failed, nullptr, std::current_exception());
  }
}

void Jobs::forget_oldest() {
  std::size_t count = 0, bytes = 0;
  for (const auto& [id, job] : jobs_)
    if (finished(job->status.state)) {
      ++count;
      bytes += bytes_of(job->status);
    }
  for (auto it = jobs_.begin(); it != jobs_.end() && (count > finished_kept || bytes > bytes_kept_);) {
    if (finished(it->second->status.state) && it->first != latest_result_) {
      --count;
      bytes -= bytes_of(it->second->status);
      it = jobs_.erase(it);
    } else {
      ++it;
    }
  }
}

}  // namespace microslip::app
