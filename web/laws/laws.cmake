# laws.wasm: the library's laws for the joint explorer, compiled by clang for the browser. Without them
# (MICROSLIP_PAGE_LAWS=OFF) the page asks its server at every move of a slider.
set(laws ${CMAKE_CURRENT_BINARY_DIR}/laws)
set(laws_wasm ${laws}/laws.wasm)
if(NOT MICROSLIP_PAGE_LAWS)
  file(WRITE ${laws_wasm} "")
  return()
endif()

find_program(WASM_CXX NAMES clang++-14 clang++)
find_program(WASM_LD NAMES wasm-ld-14 wasm-ld)
find_file(WASM_LIBC NAMES libc.a PATHS /usr/lib/wasm32-wasi NO_DEFAULT_PATH)
find_file(WASM_LIBCXX NAMES libc++.a PATHS /usr/lib/wasm32-wasi NO_DEFAULT_PATH)
if(NOT WASM_CXX OR NOT WASM_LD OR NOT WASM_LIBC OR NOT WASM_LIBCXX)
  message(FATAL_ERROR "The joint explorer's laws need clang for WebAssembly (Debian: clang lld wasi-libc libc++-14-dev-wasm32 "
                      "libclang-rt-14-dev-wasm32); -DMICROSLIP_PAGE_LAWS=OFF does without")
endif()

# Of the system's headers fmt alone: the others are for this processor.
find_path(fmt_include fmt/format.h REQUIRED)
file(MAKE_DIRECTORY ${laws})
file(CREATE_LINK ${fmt_include}/fmt ${laws}/fmt SYMBOLIC)

set(library ${PROJECT_SOURCE_DIR}/src/microslip)
set(sources ${CMAKE_CURRENT_LIST_DIR}/laws.cpp ${library}/core/suggestion.cpp ${library}/joints/amplitude_curves.cpp
    ${library}/joints/any_law.cpp ${library}/joints/loop.cpp ${library}/joints/parameter.cpp ${library}/joints/power_table.cpp)
set(objects)
foreach(source IN LISTS sources)
  cmake_path(GET source STEM name)
  set(object ${laws}/${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${WASM_CXX} --target=wasm32-wasi -std=c++20 -O3 -fexceptions -Wall -Wextra -Werror
            -DFMT_HEADER_ONLY -I${PROJECT_SOURCE_DIR}/src -isystem ${laws} -MD -MF ${object}.d
            -c ${source} -o ${object}
    DEPENDS ${source} DEPFILE ${object}.d COMMENT "Compiling ${name} for the browser" VERBATIM)
  list(APPEND objects ${object})
endforeach()
add_custom_command(OUTPUT ${laws_wasm}
  COMMAND ${WASM_CXX} --target=wasm32-wasi -mexec-model=reactor -Wl,--strip-all ${objects} -o ${laws_wasm}
  DEPENDS ${objects} COMMENT "Linking the laws for the browser" VERBATIM)
