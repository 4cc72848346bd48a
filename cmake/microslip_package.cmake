# cpack -G DEB, in a build folder: one Debian package with the command, the library with its headers and CMake files, and
# the Python package. What its programs are linked with becomes dependencies (dpkg-shlibdeps).
set(CPACK_PACKAGE_NAME microslip)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "vibrations of bolted, riveted and lapped structures")
string(CONCAT CPACK_PACKAGE_DESCRIPTION
  "Joints slip a little at every cycle. That slip sets the damping and softens the structure, both with amplitude. From "
  "a measured ring-down, a dissipation curve or an FE model to a calibrated joint model and the structure's response: the "
  "command, the C++ library and the Python package.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_CONTACT "The microslip authors <microslip@localhost>" CACHE STRING "Maintainer named in packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                                WORLD_EXECUTE)

set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
if(MICROSLIP_PYTHON)
  find_package(Python COMPONENTS Interpreter REQUIRED)
  math(EXPR next_python "${Python_VERSION_MINOR} + 1")  # the extension is built for one minor version of Python
  set(CPACK_DEBIAN_PACKAGE_DEPENDS
      "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}~), python3 (<< ${Python_VERSION_MAJOR}.${next_python}), python3-numpy")
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS openmpi-bin)  # mpirun, for studies on many machines
# To build against the library, as find_package(microslip) asks for them.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "libfmt-dev, libeigen3-dev, libboost-dev, libnlopt-cxx-dev, libpagmo-dev, libopenmpi-dev, libmumps-dev, nlohmann-json3-dev, libtomlplusplus-dev, libhdf5-dev, zlib1g-dev, pkg-config")
include(CPack)
