# What microslip needs from Debian 12, and a function that installs what is missing. Sourced, not run.

build_packages=(
  g++ cmake ninja-build ccache pkg-config git ca-certificates
  libfmt-dev libeigen3-dev libboost-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev
  libnlopt-dev libnlopt-cxx-dev libpagmo-dev libkissfft-dev
  libmatio-dev libhdf5-dev zlib1g-dev libmumps-dev libspectra-dev libopenmpi-dev openmpi-bin libcpp-httplib-dev
  libgtest-dev libbenchmark-dev
  python3 python3-dev python3-numpy pybind11-dev
  nodejs npm
  clang lld wasi-libc libc++-14-dev-wasm32 libclang-rt-14-dev-wasm32  # the laws in the workbench's pages
)
test_packages=(python3-pytest python3-mypy libjs-katex chromium clang-format mkdocs mkdocs-material
  dpkg-dev file)
full_packages=(clang-tidy libclang-rt-14-dev gmsh calculix-ccx)

# install_missing PACKAGE...: apt, with sudo where not root; where it cannot, prints the exact line to run.
install_missing() {
  local missing=()
  for package in "$@"; do
    # Node from anywhere will do (18 or later); Debian's is taken where there is none.
    case $package in
      nodejs) command -v node >/dev/null && continue ;;
      npm) command -v npm >/dev/null && continue ;;
    esac
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0

  local line="apt-get install -y --no-install-recommends ${missing[*]}"
  local become=()
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
      become=(sudo)
    else
      echo "Some packages are missing and this account may not install them. Run this, then try again:" >&2
      echo "  sudo apt-get update && sudo $line" >&2
      return 1
    fi
  fi
  echo "Installing: ${missing[*]}" >&2
  export DEBIAN_FRONTEND=noninteractive
  if ! { "${become[@]}" apt-get update -qq && "${become[@]}" $line >/dev/null; }; then
    echo "The installation failed. This is the line that was run:" >&2
    echo "  ${become[*]} $line" >&2
    return 1
  fi
}
