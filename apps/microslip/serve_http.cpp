// The only source that includes httplib, which takes long to compile.
#include "serve_http.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <netdb.h>

#include <microslip/core/check.hpp>
#include <microslip/report/assets.hpp>

#include "serve_api.hpp"
#include "serve_assets.hpp"

namespace microslip::app {

namespace {

/// A connection holds one for as long as it trickles bytes, so there are more than anybody needs.
constexpr std::size_t threads = 64;
constexpr int timeout_seconds = 5;  ///< for each read and write
std::atomic<bool> stop_asked{false};

WebRequest plain_request(const httplib::Request& request) {
  return {.method = request.method,
          .path = request.path,
          .name = request.has_param("name") ? request.get_param_value("name") : "",
          .host = request.get_header_value("Host"),
          .origin = request.get_header_value("Origin"),
          .fetch_site = request.get_header_value("Sec-Fetch-Site"),
          .content_type = request.get_header_value("Content-Type"),
          .content_length = request.get_header_value("Content-Length"),
          .content_encoding = request.get_header_value("Content-Encoding"),
          .transfer_encoding = request.get_header_value("Transfer-Encoding"),
          .body = request.body};
}

/// Sends bytes as they are. Content set in one piece would be packed at the highest effort for browsers that take
/// brotli: 30 ms for a slider's curves and seconds for a report, on a line that has no length.
void send_unpacked(httplib::Response& response, const char* type, std::string_view bytes,
                   std::shared_ptr<const std::string> owner) {
  response.set_content_provider(
      bytes.size(), type,
      [bytes, owner = std::move(owner)](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        return sink.write(bytes.data() + offset, length);
      });
}

void send(WebReply reply, httplib::Response& response) {
  response.status = reply.status;
  if (reply.status >= 400 || reply.body.empty()) {
    response.set_content(reply.body, reply.content_type);  // a line
    return;
  }
  const auto body = std::make_shared<const std::string>(std::move(reply.body));
  send_unpacked(response, reply.content_type.c_str(), *body, body);
}

/// The pages load what this server holds and nothing else, stand in no foreign frame, and are not kept.
httplib::Headers safe_headers() {
  return {{"Content-Security-Policy",
           "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' "
           "data: blob:; "
           "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
          {"X-Content-Type-Options", "nosniff"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Cache-Control", "no-store"}};
}

/// Whether an address means every address of the machine, however it is written.
bool every_address(const std::string& host) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  if (getaddrinfo(host.empty() ? nullptr : host.c_str(), "0", &hints, &found) != 0) return false;
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    if (at->ai_family == AF_INET &&
        reinterpret_cast<const sockaddr_in*>(at->ai_addr)->sin_addr.s_addr == htonl(INADDR_ANY))
      return true;
    if (at->ai_family == AF_INET6) {
      const in6_addr& six = reinterpret_cast<const sockaddr_in6*>(at->ai_addr)->sin6_addr;
      constexpr unsigned char four[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0};  // ::ffff:0.0.0.0
      if (IN6_IS_ADDR_UNSPECIFIED(&six) || std::equal(four, four + 16, six.s6_addr)) return true;
    }
  }
  return false;
}

/// One port, one server: httplib's own choice, SO_REUSEPORT, would let a second one take half of the requests.
void take_port_alone(int socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);  // not held up by connections of an earlier run
}

void add_pages(httplib::Server& server) {
  const auto page = [&](const char* path, std::string_view content, const char* type) {
    server.Get(path, [content, type](const httplib::Request&, httplib::Response& response) {
      send_unpacked(response, type, content, nullptr);
    });
  };
  page("/", workbench_page, "text/html; charset=utf-8");
  page("/workbench.js", workbench_script, "text/javascript; charset=utf-8");
  page("/workbench.css", workbench_style, "text/css; charset=utf-8");
  page("/laws.wasm", workbench_laws, "application/wasm");
  page("/plotly.js", report::plotly_script, "text/javascript; charset=utf-8");
}

}  // namespace

void stop_serving() { stop_asked = true; }

int serve(const ServeOptions& options, const std::function<void(const std::string&)>& ready) {
  // The guard answers under known names only, and under which of its names others call this machine is not known.
  if (every_address(options.host))
    throw InvalidInput(
        fmt::format("serve: --host {} stands for every address; give the one name or address of this machine that "
                    "browsers will use",
                    options.host));
  httplib::Server server;
  server.new_task_queue = [] { return new httplib::ThreadPool(threads); };
  server.set_payload_max_length(ReceivedFiles::largest);
  server.set_read_timeout(timeout_seconds);
  server.set_write_timeout(timeout_seconds);
  // A request that is refused leaves its body unread, and httplib would take that for the next request: one which a
  // foreign page wrote, headers and all. So a connection carries one request and is closed.
  server.set_keep_alive_max_count(1);
  server.set_socket_options(take_port_alone);
  server.set_tcp_nodelay(true);
  server.set_default_headers(safe_headers());

  int port = options.port;
  if (port == 0)
    port = server.bind_to_any_port(options.host);
  else if (!server.bind_to_port(options.host, port))
    port = -1;
  if (port <= 0)
    throw InvalidInput(
        fmt::format("serve: cannot listen on {} port {}: the port is taken or the address is not this machine's",
                    options.host, options.port));

  const Guard guard({"127.0.0.1", "localhost", "::1", options.host}, port, ReceivedFiles::largest);
  Api api;
  server.set_pre_routing_handler([&](const httplib::Request& request, httplib::Response& response) {
    const std::optional<WebReply> objection = guard.objection(plain_request(request));
    if (!objection) return httplib::Server::HandlerResponse::Unhandled;
    send(*objection, response);
    return httplib::Server::HandlerResponse::Handled;
  });
  const auto answer = [&](const httplib::Request& request, httplib::Response& response) {
    send(api.answer(plain_request(request)), response);
  };
  add_pages(server);
  server.Get("/api/.*", answer);
  server.Post("/api/.*", answer);
  server.Delete("/api/.*", answer);
  server.set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (response.body.empty() && response.status >= 400) {
      const char* why = response.status == 413 ? "the file is too large" : "there is nothing here";
      response.set_content(refusal(response.status, why).body, "application/json");
    }
  });

  stop_asked = false;
  std::atomic<bool> ended = false;
  std::thread stopper([&] {
    while (!stop_asked) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    // Asked to stop before it listens, httplib would listen all the same, and for ever.
    while (!ended && !server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    server.stop();
  });
  const std::string shown =
      options.host.find(':') == std::string::npos ? options.host : fmt::format("[{}]", options.host);
  ready(fmt::format("http://{}:{}/", shown, port));
  const bool ended_well = server.listen_after_bind();
  ended = true;
  stop_asked = true;
  stopper.join();
  return ended_well ? 0 : 1;
}

}  // namespace microslip::app
