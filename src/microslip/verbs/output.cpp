#include <nlohmann/json.hpp>

#include <microslip/core/version.hpp>
#include <microslip/verbs/output.hpp>

namespace microslip::verbs {

io::Json begin_result(std::string_view verb) {
  io::Json result = io::Json::object();
  result["microslip"] = std::string(version);
  result["verb"] = std::string(verb);
  return result;
}

}  // namespace microslip::verbs
