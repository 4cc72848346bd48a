// fuzz_requests COUNT [SEED [SECONDS]]: sends COUNT mutated requests through the guard and the API, or as many as
// SECONDS of processor time allow. It must answer each with a status, and with JSON that is JSON; sanitizers watch the
// rest. Same seed, same requests.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <serve_api.hpp>

using namespace microslip::app;

namespace {

WebRequest request_of(const char* method, const char* path, std::string body, const char* name) {
  WebRequest request;
  request.method = method;
  request.path = path;
  request.body = std::move(body);
  request.name = name;
  request.host = "127.0.0.1:4711";
  request.content_type = "application/json";
  return request;
}

/// A decay of 50 Hz with a force before it, as CSV.
std::string decay_csv() {
  std::string text = "time [s],force [N],acc [m/s^2]\n";
  for (int i = 0; i < 400; ++i) {
    const double t = i / 500.0, u = t < 0.01 ? 0 : std::exp(-4 * (t - 0.01)) * std::sin(314 * (t - 0.01));
    text += fmt::format("{:.6g},{:.6g},{:.6g}\n", t, t < 0.01 ? std::sin(314 * t) : 0.0, u);
  }
  return text;
}

/// What `ringdown --json` says of such a decay: the keys that `fit modal` reads.
std::string ringdown_json() {
  std::string time, amplitude, frequency, damping, flag;
  for (int i = 0; i < 20; ++i) {
    const char* comma = i == 0 ? "" : ",";
    time += fmt::format("{}{:.6g}", comma, 0.02 + 0.02 * i);
    amplitude += fmt::format("{}{:.6g}", comma, 1e-4 * std::pow(0.8, i));
    frequency += fmt::format("{}{:.6g}", comma, 50 - 0.5 * std::pow(0.9, i));
    damping += fmt::format("{}{:.6g}", comma, 0.01 + 0.004 * std::pow(0.9, i));
    flag += fmt::format("{}\"\"", comma);
  }
  return fmt::format(
      R"({{"modes":[{{"mode_hz":50,"coordinate":"acc","source":"a","sampling_rate_hz":500,"n_samples":400,"onset":0.01,"noise":1e-4,)"
      R"("quantity":"acceleration","band_hz":[30,70],"time":[{}],"amplitude":[{}],"frequency_hz":[{}],"damping_ratio":[{}],"flag":[{}]}}]}})",
      time, amplitude, frequency, damping, flag);
}

/// Files that requests speak of by number. The server forgets the oldest, so they are sent anew now and then.
class Files {
 public:
  explicit Files(Api& api) : api_(api) {}

  void send() {
    static const std::vector<std::pair<std::string, std::string>> all = {
        {"@table", "force,dissipation\n1.5,2e-3\n2,3\n"},
        {"@record", decay_csv()},
        {"@ringdown", ringdown_json()},
        {"@model",
         R"({"sensors":["acc"],"modes":[{"model":"iwan4","mass":1,"shape":[1],"parameters":{"slip_force":5,"stiffness":2e4,"chi":-0.4,"beta":0.5,"linear_stiffness":8e4,"damping":3}}]})"}};
    for (const auto& [name, content] : all) {
      const bool csv = name == "@table" || name == "@record";
      const WebReply reply = api_.answer(request_of("POST", "/api/v1/files", content, csv ? "data.csv" : "data.json"));
      ids_[name] = std::to_string(nlohmann::json::parse(reply.body).at("file").get<long>());
    }
  }

  /// The text with the files' names replaced by their numbers.
  [[nodiscard]] std::string numbered(std::string text) const {
    for (const auto& [name, id] : ids_)
      for (auto at = text.find(name); at != std::string::npos; at = text.find(name)) text.replace(at, name.size(), id);
    return text;
  }

 private:
  Api& api_;
  std::map<std::string, std::string> ids_;
};

const std::vector<WebRequest>& seeds() {
  static const std::vector<WebRequest> list = {
      request_of("GET", "/api/v1", "", ""),
      request_of("GET", "/api/v1/models", "", ""),
      request_of("GET", "/api/v1/jobs/1", "", ""),
      request_of("DELETE", "/api/v1/jobs/1", "", ""),
      request_of("POST", "/api/v1/files", "force,dissipation\n1.5,2e-3\n2,3\n", "data.csv"),
      request_of("POST", "/api/v1/table", R"({"file":@table})", ""),
      request_of(
          "POST", "/api/v1/loop",
          R"({"model":"iwan4","parameters":{"slip_force":504,"stiffness":7e5,"chi":-0.5,"beta":1},"amplitude":1e-4,"points":9})",
          ""),
      request_of(
          "POST", "/api/v1/loop",
          R"({"model":"valanis","parameters":{"stiffness":1e7,"lambda":1e5,"kappa":0.5,"post_slip_stiffness":1e5},"amplitude":1e-4,"points":9,"form":"page"})",
          ""),
      request_of(
          "POST", "/api/v1/curves",
          R"({"model":"bouc_wen","parameters":{"stiffness":1e7,"alpha":1e4,"beta":1e3,"n":1.2},"amplitude":1e-4,"from":1e-6,"to":1e-3,"points":5,"measured":{"force":[1,2],"dissipation":[1e-6,1e-5]}})",
          ""),
      request_of(
          "POST", "/api/v1/beam/live",
          R"({"beam":{"length":0.3,"width":0.03,"height":0.003,"youngs_modulus":2e11,"density":7850},"support":{"length":0.05,"normal_stiffness":1.7e9,"tangential_stiffness":5.8e8,"friction_coefficient":0.2,"unilateral":true},"bolt":{"position":0.025,"mass":0.052,"preload":1e4,"head_diameter":0.027},"load":{"position":0.13,"frequency_hz":31,"angle_deg":0,"force":100},"steps":4})",
          ""),
      request_of("POST", "/api/v1/fit/dissipation",
                 R"({"files":[@table],"slip_force":504,"stiffness":7e5,"method":"best"})", ""),
      request_of("POST", "/api/v1/zefft",
                 R"({"file":@record,"times":[0.1,1],"sampling_rate_hz":100,"quantity":"velocity"})", ""),
      request_of("GET", "/api/v1/jobs/2/report", "", ""),
      request_of("POST", "/api/v1/ringdown", R"({"files":[@record],"mode":50,"band":[30,70],"method":"hilbert"})", ""),
      request_of("POST", "/api/v1/fit/modal",
                 R"({"files":[@ringdown],"replicas":2,"viscous":true,"macro_slip":false,"seed":3})", ""),
      request_of("POST", "/api/v1/fit/modal", R"({"files":[@ringdown],"replicas":0,"objective":"paper"})", ""),
      request_of("POST", "/api/v1/predict", R"({"model":@model,"record":@record,"hit":"acc"})", ""),
      request_of(
          "POST", "/api/v1/beam",
          R"({"beam":{"length":0.3,"width":0.03,"height":0.003,"youngs_modulus":2e11,"density":7850},"support":{"length":0.05,"normal_stiffness":1.7e9,"tangential_stiffness":5.8e8,"friction_coefficient":0.2},"bolt":{"position":0.025,"preload":1e4},"load":{"position":0.13,"force":100}})",
          ""),
      request_of("POST", "/api/v1/files", ringdown_json(), "ringdown.json")};
  return list;
}

class Mutator {
 public:
  Mutator(unsigned seed, const Files& files) : rng_(seed), files_(files) {}

  WebRequest next() {
    WebRequest request = seeds()[below(seeds().size())];
    request.body = files_.numbered(request.body);
    for (std::size_t i = below(5); i > 0; --i) mutate(pick_field(request));
    return request;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : rng_() % n; }

  std::string& pick_field(WebRequest& request) {
    switch (below(12)) {
      case 0:
        return request.method;
      case 1:
        return request.path;
      case 2:
        return request.name;
      case 3:
        return request.host;
      case 4:
        return request.origin;
      case 5:
        return request.content_length;
      default:
        return request.body;
    }
  }

  void mutate(std::string& text) {
    static const std::vector<std::string> pieces = {"1e999",
                                                    "-1",
                                                    "0",
                                                    "null",
                                                    "{}",
                                                    "[]",
                                                    "\"",
                                                    "\\u0000",
                                                    "/../",
                                                    "nan",
                                                    "1e-320",
                                                    "\xff\xfe",
                                                    "9223372036854775808",
                                                    ",,,",
                                                    "true",
                                                    "\n",
                                                    "{\"a\":"};
    const std::size_t at = below(text.size() + 1);
    switch (below(6)) {
      case 0:
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 1:
        text.erase(at, below(8));
        break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1U << below(8)));
        break;
      case 3:
        text.insert(at, pieces[below(pieces.size())]);
        break;
      case 4:
        text.replace(at, below(6), pieces[below(pieces.size())]);
        break;
      default:
        text.insert(at, text.substr(below(text.size() + 1), below(40)));
    }
  }

  std::mt19937 rng_;
  const Files& files_;
};

/// Waits for a job's end and looks at what it says then; others are left to run while requests go on.
WebReply at_end(Api& api, const std::string& started) {
  const long id = nlohmann::json::parse(started).at("job").get<long>();
  for (;;) {
    WebReply reply = api.answer(request_of("GET", fmt::format("/api/v1/jobs/{}", id).c_str(), "", ""));
    const std::string state = nlohmann::json::parse(reply.body).value("state", "gone");
    if (state != "queued" && state != "running") return reply;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// 500 means an exception that the library did not mean to throw.
bool is_broken(const WebReply& reply) {
  if (reply.status < 200 || reply.status >= 500 || reply.body.empty()) return true;
  return reply.content_type.rfind("application/json", 0) == 0 && !nlohmann::json::accept(reply.body);
}

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 10000;
  const unsigned seed = argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 20260101U;
  const double seconds = argc > 3 ? std::strtod(argv[3], nullptr) : 1e9;
  const Guard guard({"127.0.0.1", "localhost"}, 4711, ReceivedFiles::largest);
  Api api;
  Files files(api);
  Mutator mutator(seed, files);
  const auto used = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  std::map<int, long> statuses;
  long sent = 0, refused = 0, broken = 0;
  for (; sent < count && used() < seconds; ++sent) {
    if (sent % 100 == 0) files.send();
    const WebRequest request = mutator.next();
    if (guard.objection(request)) {
      ++refused;
      continue;
    }
    WebReply reply = api.answer(request);
    ++statuses[reply.status];
    if (reply.status == 202 && sent % 4 != 0) reply = at_end(api, reply.body);
    if (is_broken(reply)) {
      ++broken;
      std::fprintf(stderr, "request %ld: status %d: %s\n%s %s\n%s\n", sent, reply.status, reply.body.c_str(),
                   request.method.c_str(), request.path.c_str(), request.body.c_str());
    }
  }
  std::printf("%ld requests, %ld refused by the guard, %ld broken, %.0f s of processor time; status:", sent, refused,
              broken, used());
  for (const auto& [status, n] : statuses) std::printf(" %d x %ld", status, n);
  std::printf("\n");
  return broken == 0 ? 0 : 1;
}
