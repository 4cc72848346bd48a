#pragma once

#include <string>

#include <microslip/report/page.hpp>

namespace microslip::report {

/// The page as the script in it reads it (web/src/figure/types.ts holds the same shape). Safe inside a script element.
std::string page_json(const Page& page);

}  // namespace microslip::report
