# cmake --install, then find_package(microslip) gives microslip::microslip and one target per folder.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY MICROSLIP_MODULES)
add_library(microslip_all INTERFACE)
set_target_properties(microslip_all PROPERTIES EXPORT_NAME microslip)
foreach(module IN LISTS modules)
  target_link_libraries(microslip_all INTERFACE microslip_${module})
endforeach()
install(TARGETS microslip_all EXPORT microslipTargets)

install(DIRECTORY ${PROJECT_BINARY_DIR}/generated/microslip DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp")
install(EXPORT microslipTargets NAMESPACE microslip:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/microslip)
configure_package_config_file(cmake/microslipConfig.cmake.in ${PROJECT_BINARY_DIR}/microslipConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/microslip)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/microslipConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/microslipConfig.cmake ${PROJECT_BINARY_DIR}/microslipConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/microslip)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)  # where Debian looks for it
