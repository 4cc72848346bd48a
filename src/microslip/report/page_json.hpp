#pragma once

#include <string>

#include <microslip/report/page.hpp>

namespace microslip::report {

/// The page as the script in it reads it (web/src/page.ts holds the same shape). Safe inside a script element.
std::string page_json(const Page& page);

/// One figure in the same form, for the workbench's pages.
std::string figure_json(const Figure& figure);

}  // namespace microslip::report
