#include "serve_api.hpp"

#include <charconv>
#include <chrono>
#include <exception>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/core/version.hpp>
#include <microslip/report/page_json.hpp>
#include <microslip/verbs/models.hpp>

namespace microslip::app {

namespace {

constexpr std::string_view prefix = "/api/v1";

std::uint64_t whole_number(std::string_view text) {
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  return error == std::errc() && end == text.data() + text.size() ? id : 0;
}

/// What a verb made of a request, whose report says what was asked for.
struct Performed {
  verbs::Output output;
  std::string asked;
  double seconds = 0;

  [[nodiscard]] report::Page page() const { return verbs::finished_page(output, asked, seconds); }
};

Performed perform(const std::string& name, const ServedVerb& verb, const io::Json& body, const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  verbs::Output output = verb.run(call);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return {std::move(output), fmt::format("POST {}/{} {}", prefix, name, io::to_text(body, 0)), seconds.count()};
}

/// What went wrong, by kind: the input, a computation, or this program.
struct Failure {
  int status;
  std::string message;
};
Failure failure_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const InvalidInput& wrong) {
    return {400, wrong.what()};
  } catch (const NotConverged& wrong) {
    return {422, wrong.what()};
  } catch (const std::exception& wrong) {
    return {500, fmt::format("internal error: {}", wrong.what())};
  } catch (...) {
    return {500, "internal error"};
  }
}

/// In which form the page wants the answer: data, the report's figures, or the report as a file.
WebReply in_form(const std::string& form, const Performed& done) {
  if (form == "json") return {.body = done.output.json()};
  if (form != "page" && form != "html")
    throw InvalidInput(fmt::format("form must be json, page or html, got '{}'", form));
  if (form == "page") return {.body = report::page_json(done.page())};
  return {.content_type = "text/html; charset=utf-8", .body = report::render(done.page())};
}

}  // namespace

WebReply Api::answer(const WebRequest& request) {
  try {
    return dispatch(request);
  } catch (...) {
    const Failure failure = failure_of(std::current_exception());
    return refusal(failure.status, files_.in_users_words(failure.message));
  }
}

WebReply Api::dispatch(const WebRequest& request) {
  if (request.path.rfind(prefix, 0) != 0) return refusal(404, "there is nothing here");
  const std::string rest = request.path.substr(prefix.size());
  if (rest.empty() && request.method == "GET") {
    io::Json about;
    about["microslip"] = std::string(version);
    about["api"] = 1;
    about["verbs"] = io::Json::array({"models"});
    for (const auto& [name, verb] : served_verbs()) about["verbs"].push_back(name);
    about["largest_file"] = ReceivedFiles::largest;
    return {.body = io::to_text(about, 0)};
  }
  if (rest == "/models" && request.method == "GET") return {.body = verbs::models().json()};
  if (rest == "/files" && request.method == "POST") return receive(request);
  if (rest.rfind("/jobs/", 0) == 0) return job(request, rest.substr(6));
  const auto verb = rest.rfind('/', 0) == 0 ? served_verbs().find(rest.substr(1)) : served_verbs().end();
  if (verb == served_verbs().end()) return refusal(404, "there is nothing here");
  if (request.method != "POST") return refusal(405, "this is called by POST");
  return run(verb->first, verb->second, request);
}

WebReply Api::receive(const WebRequest& request) {
  const ReceivedFiles::File file = files_.add(request.name, request.body);
  io::Json json;
  json["file"] = file.id;
  json["name"] = file.shown_name;
  json["bytes"] = file.size;
  return {.status = 201, .body = io::to_text(json, 0)};
}

WebReply Api::run(const std::string& name, const ServedVerb& verb, const WebRequest& request) {
  const io::Json body = io::parse_json(request.body, "request");
  if (!body.is_object()) throw InvalidInput("request: expected a JSON object");
  if (verb.quick) {
    const std::string form = io::JsonReader(body, "request").text("form", "json");
    io::Json asked = body;
    asked.erase("form");
    const io::JsonReader reader(asked, "request");
    const Progress silent;
    WebReply reply = in_form(form, perform(name, verb, body, {reader, files_, silent}));
    reply.body = files_.in_users_words(std::move(reply.body));
    return reply;
  }
  const std::uint64_t id = jobs_.start([this, name, body, &verb](const Progress& progress) {
    const io::JsonReader own(body, "request");
    const Performed done = perform(name, verb, body, {own, files_, progress});
    const verbs::Output& output = done.output;
    std::string json = fmt::format("{{\"result\":{}", output.json());
    Jobs::Result result;
    if (output.page) {
      const report::Page page = done.page();
      json += fmt::format(",\"page\":{}", report::page_json(page));
      result.report = files_.in_users_words(report::render(page));
    }
    io::Json notes = io::Json::array();
    for (const std::string& note : output.notes) notes.push_back(note);
    result.json = files_.in_users_words(fmt::format("{},\"notes\":{}}}", json, io::to_text(notes, 0)));
    return result;
  });
  if (id == 0) return refusal(429, fmt::format("{}: too much work waits already; try again later", name));
  return {.status = 202, .body = fmt::format("{{\"job\":{}}}", id)};
}

WebReply Api::job(const WebRequest& request, const std::string& rest) {
  const std::size_t slash = rest.find('/');
  const std::uint64_t id = whole_number(std::string_view(rest).substr(0, slash));
  const std::string part = slash == std::string::npos ? "" : rest.substr(slash);
  Jobs::Status status;
  if (id == 0 || !jobs_.status(id, status)) return refusal(404, "there is no such job (any more)");
  if (part == "/report" && request.method == "GET") {
    if (!status.result || status.result->report.empty()) return refusal(404, "this job has no report");
    return {.content_type = "text/html; charset=utf-8", .body = status.result->report};
  }
  if (!part.empty()) return refusal(404, "there is nothing here");
  if (request.method == "DELETE") {
    jobs_.cancel(id);
    jobs_.status(id, status);
  } else if (request.method != "GET") {
    return refusal(405, "a job is read by GET and cancelled by DELETE");
  }
  io::Json json;
  json["state"] = to_string(status.state);
  json["fraction"] = status.fraction;
  json["what"] = files_.in_users_words(status.what);
  if (status.error) {
    const Failure failure = failure_of(status.error);
    json["error"]["message"] = files_.in_users_words(failure.message);
    json["error"]["status"] = failure.status;
  }
  std::string text = io::to_text(json, 0);
  if (status.state == Jobs::State::done) {
    text.pop_back();
    text += fmt::format(",\"output\":{}}}", status.result->json);
  }
  return {.body = text};
}

}  // namespace microslip::app
