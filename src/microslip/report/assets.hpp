#pragma once

#include <string_view>

namespace microslip::report {

// The page's script and style, and the plot library, as built from web/ (generated source).
extern const std::string_view plotly_script;
extern const std::string_view report_script;
extern const std::string_view report_style;

}  // namespace microslip::report
