#include <filesystem>
#include <optional>

#include <pybind11/stl/filesystem.h>

#include <microslip/io/records.hpp>

#include "bindings.hpp"
#include "sep005.hpp"

namespace microslip::python {

namespace {

using namespace pybind11::literals;

py::list read_records(const std::filesystem::path& path, std::optional<double> fs, const std::string& time,
                      const std::string& unit, const std::optional<std::string>& quantity) {
  io::ReadOptions options;
  options.time = time;
  options.unit = unit;
  if (fs) options.sampling_rate_hz = positive("fs", *fs);
  if (quantity) options.quantity = quantity_from(*quantity);
  const std::vector<Record> records = [&] {
    const py::gil_scoped_release release;
    return io::read_records(path, options);
  }();
  py::list all;
  for (const Record& record : records) {
    for (const std::string& warning : record.warnings) warn(fmt::format("{}: {}", path.string(), warning));
    all.append(sep005_list(record));
  }
  return all;
}

}  // namespace

void bind_io(py::module_& m) {
  m.def(
      "read_records", &read_records, "path"_a, "fs"_a = py::none(), "time"_a = "", "unit"_a = "",
      "quantity"_a = py::none(),
      "Signals of a CSV, MAT, universal, HDF5, LVM, WAV or JSON file: a list of records, each a list of dictionaries\n"
      "with name, data, unit_str, fs [Hz], start_time [s] (SEP005) and quantity. Samples stay in the file's units.\n\n"
      "Where the file does not say: `fs` is the sampling rate [Hz], `time` the name of the column that holds time,\n"
      "`unit` and `quantity` what the channels measure. What the reader notices becomes a UserWarning.");
}

}  // namespace microslip::python
