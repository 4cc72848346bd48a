// A stranger's program: one friction law and one solver of the library, from the installed headers.
#include <cstdio>

#include <microslip/identify/dissipation.hpp>
#include <microslip/joints/loop.hpp>

int main() {
  const microslip::Iwan4<double> law{504, 7.1e5, -0.5, 1.0};
  std::printf("dissipation per cycle %.6f J\n", microslip::loop_dissipation(law, 1e-4, microslip::Framework::masing));
}
