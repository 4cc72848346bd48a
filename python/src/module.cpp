#include <microslip/core/check.hpp>
#include <microslip/core/version.hpp>

#include "bindings.hpp"

namespace py = pybind11;

PYBIND11_MODULE(_microslip, m) {
  m.doc() = "How bolted, riveted and lapped structures really vibrate: the compiled part of microslip.";
  m.attr("__version__") = std::string(microslip::version);
  // InvalidInput is a std::invalid_argument, which is a ValueError unaided.
  py::register_exception<microslip::NotConverged>(m, "NotConverged", PyExc_RuntimeError);
  microslip::python::bind_joints(m);
  microslip::python::bind_beam(m);
  microslip::python::bind_identify(m);
  microslip::python::bind_io(m);
  microslip::python::bind_signal(m);
  microslip::python::bind_dynamics(m);
  microslip::python::bind_prediction(m);
  microslip::python::bind_modal(m);
  microslip::python::bind_study(m);
}
