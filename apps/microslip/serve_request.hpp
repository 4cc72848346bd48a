#pragma once

#include <optional>
#include <string>
#include <vector>

namespace microslip::app {

/// A request as the guard and the API see it: no socket, no library, so that tests and the fuzzer can make one.
struct WebRequest {
  std::string method;
  std::string path;
  std::string name;  ///< query parameter `name` of an upload: shown in messages, never used as a path
  std::string host, origin, fetch_site, content_type, content_length, content_encoding, transfer_encoding;
  std::string body;
};

struct WebReply {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
};

/// {"error": {"message": …}} with the library's own line.
WebReply refusal(int status, const std::string& message);

/// Who may talk to the server: its own pages, under the names it goes by.
class Guard {
 public:
  /// `names` are the hosts it goes by, e.g. 127.0.0.1 and localhost; the port is part of every one.
  Guard(const std::vector<std::string>& names, int port, std::size_t largest_body);

  /// Nothing where the request may pass, else the refusal. Asked before the body is read.
  [[nodiscard]] std::optional<WebReply> objection(const WebRequest& request) const;

 private:
  [[nodiscard]] std::optional<WebReply> objection_to_body(const WebRequest& request) const;

  std::vector<std::string> hosts_;
  std::size_t largest_body_;
};

}  // namespace microslip::app
