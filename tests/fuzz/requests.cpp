// fuzz_requests COUNT [SEED]: sends COUNT mutated requests through the guard and the API. It must answer each with a
// status, and with JSON that ends; sanitizers watch the rest. Same seed, same requests.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <serve_api.hpp>

using namespace microslip::app;

namespace {

const std::vector<WebRequest>& seeds() {
  const auto make = [](const char* method, const char* path, const char* body, const char* name) {
    WebRequest request;
    request.method = method;
    request.path = path;
    request.body = body;
    request.name = name;
    request.host = "127.0.0.1:4711";
    request.content_type = "application/json";
    return request;
  };
  static const std::vector<WebRequest> list = {
      make("GET", "/api/v1", "", ""),
      make("GET", "/api/v1/models", "", ""),
      make("GET", "/api/v1/jobs/1", "", ""),
      make("DELETE", "/api/v1/jobs/1", "", ""),
      make("POST", "/api/v1/files", "force,dissipation\n1.5,2e-3\n2,3\n", "data.csv"),
      make("POST", "/api/v1/table", R"({"file":1})", ""),
      make(
          "POST", "/api/v1/loop",
          R"({"model":"iwan4","parameters":{"slip_force":504,"stiffness":7e5,"chi":-0.5,"beta":1},"amplitude":1e-4,"points":9})",
          ""),
      make(
          "POST", "/api/v1/loop",
          R"({"model":"valanis","parameters":{"stiffness":1e7,"lambda":1e5,"kappa":0.5,"post_slip_stiffness":1e5},"amplitude":1e-4,"points":9,"form":"page"})",
          ""),
      make(
          "POST", "/api/v1/curves",
          R"({"model":"bouc_wen","parameters":{"stiffness":1e7,"alpha":1e4,"beta":1e3,"n":1.2},"amplitude":1e-4,"from":1e-6,"to":1e-3,"points":5,"measured":{"force":[1,2],"dissipation":[1e-6,1e-5]}})",
          ""),
      make(
          "POST", "/api/v1/beam/live",
          R"({"beam":{"length":0.3,"width":0.03,"height":0.003,"youngs_modulus":2e11,"density":7850},"support":{"length":0.05,"normal_stiffness":1.7e9,"tangential_stiffness":5.8e8,"friction_coefficient":0.2,"unilateral":true},"bolt":{"position":0.025,"mass":0.052,"preload":1e4,"head_diameter":0.027},"load":{"position":0.13,"frequency_hz":31,"angle_deg":0,"force":100},"steps":4})",
          ""),
      make("POST", "/api/v1/fit/dissipation", R"({"files":[1],"slip_force":504,"stiffness":7e5,"method":"best"})", ""),
      make("POST", "/api/v1/zefft", R"({"file":1,"times":[0.1,1],"sampling_rate_hz":100,"quantity":"velocity"})", ""),
      make("POST", "/api/v1/ringdown", R"({"files":[1],"mode":10,"band":[5,20],"sampling_rate_hz":100})", "")};
  return list;
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : rng_(seed) {}

  WebRequest next() {
    WebRequest request = seeds()[below(seeds().size())];
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
};

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 10000;
  const unsigned seed = argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 20260101U;
  Mutator mutator(seed);
  const Guard guard({"127.0.0.1", "localhost"}, 4711, ReceivedFiles::largest);
  Api api;
  long passed = 0, answered = 0, broken = 0;
  for (long i = 0; i < count; ++i) {
    const WebRequest request = mutator.next();
    if (guard.objection(request)) continue;
    ++passed;
    const WebReply reply = api.answer(request);
    answered += reply.status == 200 || reply.status == 201;
    // 500 means an exception that the library did not mean to throw.
    if (reply.status < 200 || reply.status >= 500 || reply.body.empty()) {
      ++broken;
      std::fprintf(stderr, "request %ld: status %d: %s\n%s %s\n%s\n", i, reply.status, reply.body.c_str(),
                   request.method.c_str(), request.path.c_str(), request.body.c_str());
    }
  }
  std::printf("%ld requests, %ld past the guard, %ld with a result, %ld broken\n", count, passed, answered, broken);
  return broken == 0 ? 0 : 1;
}
