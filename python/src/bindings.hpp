#pragma once

#include <pybind11/pybind11.h>

namespace microslip::python {

// One file per folder of src/microslip (prediction: a part of identify). Thin: names, units and checks; the theory
// stays in docs/theory.
void bind_joints(pybind11::module_& m);
void bind_beam(pybind11::module_& m);
void bind_identify(pybind11::module_& m);
void bind_io(pybind11::module_& m);
void bind_signal(pybind11::module_& m);
void bind_dynamics(pybind11::module_& m);
void bind_prediction(pybind11::module_& m);
void bind_modal(pybind11::module_& m);
void bind_study(pybind11::module_& m);

}  // namespace microslip::python
