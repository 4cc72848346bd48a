# cmake -D build=... -D consumer=... -D work=... -D version=... -P check.cmake
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/prefix)
run(${CMAKE_COMMAND} -S ${consumer} -B ${work}/consumer -G Ninja -D CMAKE_BUILD_TYPE=Release
    -D CMAKE_PREFIX_PATH=${work}/prefix -D wanted=${version})
run(${CMAKE_COMMAND} --build ${work}/consumer)

run(${work}/consumer/consumer)
if(NOT said MATCHES "dissipation per cycle 0\\.0[0-9]+ J")
  message(FATAL_ERROR "the program built against the installed library said: ${said}")
endif()
run(${work}/prefix/bin/microslip --version)
if(NOT said MATCHES "${version}")
  message(FATAL_ERROR "the installed command calls itself: ${said}")
endif()
run(${work}/prefix/bin/microslip loop iwan4 slip_force=504 stiffness=7.1e5 chi=-0.5 beta=1 --amplitude 1e-4 --report
    ${work}/loop.html)
if(NOT EXISTS ${work}/loop.html)
  message(FATAL_ERROR "the installed command wrote no report")
endif()
