#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <microslip/core/check.hpp>
#include <microslip/core/version.hpp>

namespace microslip::python {

namespace py = pybind11;

using Array = py::array_t<double, py::array::c_style>;

inline std::string type_name(py::handle value) { return py::str(py::type::of(value).attr("__name__")); }

/// A plain number; anything else is refused by the name of what it was given for.
inline double real_number(std::string_view what, py::handle value) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw py::type_error(fmt::format("{} must be a number, got {}", what, type_name(value)));
  }
  return number;
}

/// What was given as contiguous doubles. Integers and other floats are converted; complex, text and objects refused.
inline Array real_array(std::string_view what, const py::object& given) {
  const py::array any = py::array::ensure(given);
  if (!any || std::string_view("fiu").find(any.dtype().kind()) == std::string_view::npos)
    throw py::type_error(
        fmt::format("{} must be a number or an array of real numbers, got {}", what,
                    any ? fmt::format("dtype {}", std::string(py::str(any.dtype()))) : type_name(given)));
  return py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(any);
}

/// The same, every entry a finite number; a bad one is named by its place.
inline Array finite_array(std::string_view what, const py::object& given) {
  Array array = real_array(what, given);
  const double* x = array.data();
  for (py::ssize_t i = 0; i < array.size(); ++i)
    if (!std::isfinite(x[i]))
      throw InvalidInput(fmt::format("{} must hold finite numbers, got {} at index {}", what, x[i], i));
  return array;
}

/// A series: one dimension.
inline Array series(std::string_view what, const py::object& given) {
  Array array = finite_array(what, given);
  if (array.ndim() != 1) throw InvalidInput(fmt::format("{} must have one dimension, got {}", what, array.ndim()));
  return array;
}

/// Amplitudes of any shape: every entry above zero.
inline Array positive_array(std::string_view what, const py::object& given) {
  Array array = finite_array(what, given);
  const double* x = array.data();
  for (py::ssize_t i = 0; i < array.size(); ++i)
    if (!(x[i] > 0)) throw InvalidInput(fmt::format("{} must be > 0, got {} at index {}", what, x[i], i));
  return array;
}

/// An uninitialised array of the same shape.
inline Array like(const Array& array) {
  return Array(std::vector<py::ssize_t>(array.shape(), array.shape() + array.ndim()));
}

/// A plain number where a plain number came in.
inline py::object unwrapped(const Array& array) {
  if (array.ndim() == 0) return py::float_(*array.data());
  return array;
}

inline Array to_array(const std::vector<double>& values) {
  return Array(static_cast<py::ssize_t>(values.size()), values.data());
}

/// The result, marked with the version that made it, as the command marks its own.
inline py::dict versioned(py::dict result) {
  result["microslip"] = std::string(version);
  return result;
}

}  // namespace microslip::python
