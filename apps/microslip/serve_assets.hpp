#pragma once

#include <string_view>

namespace microslip::app {

// The workbench as built from web/ (generated source).
extern const std::string_view workbench_page;
extern const std::string_view workbench_script;
extern const std::string_view workbench_style;
extern const std::string_view workbench_laws;  ///< WebAssembly; empty where the build has none

}  // namespace microslip::app
