#include "serve_request.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/io/json.hpp>

namespace microslip::app {

namespace {

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

WebReply refusal(int status, const std::string& message) {
  io::Json json;
  json["error"]["message"] = message;
  return {.status = status, .body = io::to_text(json, 0)};
}

Guard::Guard(const std::vector<std::string>& names, int port, std::size_t largest_body) : largest_body_(largest_body) {
  for (const std::string& name : names) {
    const bool six = name.find(':') != std::string::npos;
    const std::string host = lower(six ? fmt::format("[{}]", name) : name);
    hosts_.push_back(fmt::format("{}:{}", host, port));
    if (port == 80) hosts_.push_back(host);
  }
}

std::optional<WebReply> Guard::objection(const WebRequest& request) const {
  const auto known = [&](const std::string& host) {
    return std::find(hosts_.begin(), hosts_.end(), lower(host)) != hosts_.end();
  };
  // A name that resolves to this machine is not enough: a foreign page may own it (DNS rebinding).
  if (!known(request.host)) return refusal(403, "this server answers only under its own address");
  constexpr std::string_view scheme = "http://";
  const bool own_origin = request.origin.rfind(scheme, 0) == 0 && known(request.origin.substr(scheme.size()));
  if (!request.origin.empty() && !own_origin) return refusal(403, "requests from other pages are refused");
  if (!request.fetch_site.empty() && request.fetch_site != "same-origin" && request.fetch_site != "none")
    return refusal(403, "requests from other pages are refused");
  return objection_to_body(request);
}

std::optional<WebReply> Guard::objection_to_body(const WebRequest& request) const {
  // Without a length, or packed, a body could be of any size.
  if (!request.transfer_encoding.empty()) return refusal(411, "the length of the content must be given");
  if (!request.content_encoding.empty()) return refusal(415, "packed content is not taken");
  if (!request.content_length.empty()) {
    std::size_t length = 0;
    const char* end = request.content_length.data() + request.content_length.size();
    const auto read = std::from_chars(request.content_length.data(), end, length);
    if (read.ec != std::errc() || read.ptr != end || length > largest_body_)
      return refusal(413, fmt::format("the file is too large: at most {} bytes are taken", largest_body_));
  }
  if (request.method != "POST") return std::nullopt;
  // Kinds of content that a foreign page cannot send without asking first.
  const std::string kind = lower(request.content_type.substr(0, request.content_type.find(';')));
  if (kind != "application/json" && kind != "application/octet-stream")
    return refusal(403, "the content must be application/json, or application/octet-stream for files");
  return std::nullopt;
}

}  // namespace microslip::app
