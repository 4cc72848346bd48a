# cmake -D build=... -D consumer=... -D work=... -D version=... -D python=... -D site=... -P check_package.cmake
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(REMOVE_RECURSE ${work})
run(${CMAKE_CPACK_COMMAND} -G DEB --config ${build}/CPackConfig.cmake -B ${work}/deb)
file(GLOB package ${work}/deb/*.deb)
if(NOT package MATCHES "/microslip_${version}_[a-z0-9]+\\.deb$")
  message(FATAL_ERROR "cpack made '${package}'")
endif()

# What it says of itself. Dependencies are the shared libraries that its programs are linked with, with their versions.
run(dpkg-deb -I ${package})
foreach(line "Package: microslip\n" "Version: ${version}\n" "Architecture: " "Maintainer: " "Section: science\n" "Description: "
             "Depends: [^\n]*libc6 \\(>= " "Depends: [^\n]*libstdc\\+\\+6 \\(>= " "Depends: [^\n]*libhdf5"
             "Depends: [^\n]*libnlopt" "Depends: [^\n]*python3 \\(>= 3" "Depends: [^\n]*python3-numpy")
  if(NOT said MATCHES "${line}")
    message(FATAL_ERROR "the package does not say '${line}':\n${said}")
  endif()
endforeach()

run(dpkg-deb -c ${package})
foreach(file "/usr/bin/microslip" "/usr/include/microslip/joints/iwan4.hpp" "/usr/include/microslip/core/version.hpp"
             "/libmicroslip_verbs.a" "/cmake/microslip/microslipConfig.cmake" "/cmake/microslip/microslipTargets.cmake"
             "/${site}/microslip/__init__.py" "/${site}/microslip/__init__.pyi" "/usr/share/doc/microslip/copyright")
  string(FIND "${said}" "${file}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "the package holds no ${file}:\n${said}")
  endif()
endforeach()
if(said MATCHES "${build}" OR said MATCHES "\\./usr/local/" OR said MATCHES "_test")
  message(FATAL_ERROR "the package holds what it should not:\n${said}")
endif()

# What it holds works where it was unpacked.
run(dpkg-deb -x ${package} ${work}/unpacked)
run(${work}/unpacked/usr/bin/microslip --version)
if(NOT said MATCHES "${version}")
  message(FATAL_ERROR "the unpacked command calls itself: ${said}")
endif()
run(${work}/unpacked/usr/bin/microslip models)
if(NOT said MATCHES "iwan4")
  message(FATAL_ERROR "the unpacked command knows these models: ${said}")
endif()
run(${CMAKE_COMMAND} -E env PYTHONPATH=${work}/unpacked/usr/${site} PYTHONDONTWRITEBYTECODE=1 ${python} -c
    "from microslip import Jenkins, __version__\nprint(__version__, Jenkins(slip_force=2, stiffness=4).loop(1.5).dissipation)")
if(NOT said MATCHES "^${version} 8\\.0")  # 4 fs (a - fs/kt)
  message(FATAL_ERROR "the unpacked Python package said: ${said}")
endif()
run(${CMAKE_COMMAND} -S ${consumer} -B ${work}/consumer -G Ninja -D CMAKE_PREFIX_PATH=${work}/unpacked/usr -D wanted=${version})
