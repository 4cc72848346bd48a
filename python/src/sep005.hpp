#pragma once

#include <string>
#include <vector>

#include <pybind11/stl.h>

#include <microslip/io/sep005.hpp>

#include "arrays.hpp"

namespace microslip::python {

/// A signal's dictionary [SEP005]: data, name, unit_str and fs or time; start_time where time is not given.
inline io::Sep005 sep005_from(const py::dict& given) {
  const auto text = [&](const char* key) {
    if (!given.contains(key)) return std::string();
    if (!py::isinstance<py::str>(given[key])) throw py::type_error(fmt::format("signal: '{}' must be a text", key));
    return given[key].cast<std::string>();
  };
  io::Sep005 signal;
  signal.name = text("name");
  signal.unit_str = text("unit_str");
  const auto values = [&](const char* key) {
    const Array array = series(fmt::format("signal '{}': '{}'", signal.name, key), given[key]);
    return std::vector<double>(array.data(), array.data() + array.size());
  };
  const auto number = [&](const char* key) {
    const std::string what = fmt::format("signal '{}': '{}'", signal.name, key);
    const Array array = finite_array(what, given[key]);
    if (array.ndim() != 0) throw InvalidInput(fmt::format("{} must be one number", what));
    return *array.data();
  };
  const auto holds = [&](const char* key) { return given.contains(key) && !given[key].is_none(); };
  if (!holds("data")) throw InvalidInput(fmt::format("signal '{}': has no 'data'", signal.name));
  signal.data = values("data");
  if (holds("time")) signal.time = values("time");
  if (holds("fs")) signal.fs = positive(fmt::format("signal '{}': 'fs'", signal.name), number("fs"));
  if (holds("start_time")) signal.start_time = number("start_time");
  return signal;
}

inline py::list sep005_list(const Record& record) {
  py::list signals;
  const std::vector<io::Sep005> plain = io::to_sep005(record);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    py::dict signal;
    signal["name"] = plain[i].name;
    signal["data"] = to_array(plain[i].data);
    signal["unit_str"] = plain[i].unit_str;
    signal["fs"] = plain[i].fs;
    signal["start_time"] = plain[i].start_time;
    signal["quantity"] = std::string(to_string(record.channels[i].quantity));
    signals.append(std::move(signal));
  }
  return signals;
}

/// The one record that a list of signals makes.
inline Record record_from(const py::list& given) {
  std::vector<io::Sep005> signals;
  for (const auto& item : given) {
    if (!py::isinstance<py::dict>(item))
      throw py::type_error("signals must be a list of dictionaries with data, name, unit_str and fs or time (SEP005)");
    signals.push_back(sep005_from(py::reinterpret_borrow<py::dict>(item)));
  }
  std::vector<Record> records = io::from_sep005(signals);
  if (records.size() != 1)
    throw InvalidInput(fmt::format("signals must share rate, start and length, these make {} records", records.size()));
  return std::move(records.front());
}

/// What a reader noticed goes where Python's warnings go.
inline void warn(const std::string& text) {
  if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) != 0) throw py::error_already_set();
}

}  // namespace microslip::python
