// Writes the bundled hammer records of the two-beam structure: one HDF5 file per level and the shapes at its sensors.
//   build/release/bin/make_two_beam data/two-beam
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>
#include <hdf5.h>
#include <nlohmann/json.hpp>

#include <microslip/dynamics/simulation.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/json.hpp>
#include <microslip/joints/iwan4.hpp>

#include "two_beam.hpp"

namespace {

using namespace microslip;

constexpr std::uint64_t seed = 2015;

/// A handle of the HDF5 library that closes itself.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {
    if (id < 0) throw std::runtime_error("HDF5 refuses");
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close_(id_); }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void done(herr_t status) {
  if (status < 0) throw std::runtime_error("HDF5 refuses to write");
}

/// Single precision holds the rounded samples exactly; shuffled bytes compress best.
void write_rows(hid_t file, const char* name, const std::vector<std::vector<double>>& rows) {
  std::vector<float> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  const std::size_t rank = rows.size() == 1 ? 1 : 2;
  const hsize_t shape[2] = {rows.size(), rows.front().size()}, chunk[2] = {1, shape[1]};
  const Handle space(H5Screate_simple(static_cast<int>(rank), shape + 2 - rank, nullptr), H5Sclose);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  done(H5Pset_chunk(properties, static_cast<int>(rank), chunk + 2 - rank));
  done(H5Pset_shuffle(properties));
  done(H5Pset_deflate(properties, 9));
  done(H5Pset_obj_track_times(properties, false));
  const Handle set(H5Dcreate2(file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose);
  done(H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
}

void write_texts(hid_t file, const char* name, const std::vector<std::string>& texts) {
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size() + 1);
  std::string bytes;
  for (const std::string& text : texts) bytes += text + std::string(width - text.size(), '\0');
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  done(H5Tset_size(type, width));
  const hsize_t count = texts.size();
  const Handle space(texts.size() == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  done(H5Pset_obj_track_times(properties, false));
  const Handle set(H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose);
  done(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()));
}

void write_record(const std::filesystem::path& path, const Record& record, const std::string& description) {
  const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  std::vector<std::string> names, units;
  std::vector<std::vector<double>> velocity;
  for (const Channel& channel : record.channels) {
    names.push_back(channel.name);
    units.push_back(channel.unit);
    if (channel.quantity == Quantity::velocity) velocity.push_back(channel.samples);
  }
  // Readers take data sets in the order of their names: force, then velocity, as in `channels`.
  write_texts(file, "channels", names);
  write_texts(file, "description", {description});
  write_rows(file, "force", {record.channels.front().samples});
  write_rows(file, "fs", {{record.sampling_rate_hz}});
  write_texts(file, "units", units);
  write_rows(file, "velocity", velocity);
}

void write_shapes(const std::filesystem::path& path) {
  const ModalModel model = two_beam::model();
  io::Json json;
  json["description"] = "SYNTHETIC: bending shapes of a free-free beam, mass-normalised, at the sensors of the records";
  json["sensors"] = io::Json::array();
  for (const Sensor& sensor : model.sensors) json["sensors"].push_back(sensor.name);
  json["frequency_hz"] = io::Json::array();
  json["shapes"] = io::Json::array();
  for (const Mode& mode : model.modes) {
    json["frequency_hz"].push_back(std::round(jointed_mode(mode, "mode").low_amplitude_omega() / (2 * M_PI) * 10) / 10);
    std::vector<double> shape;
    for (const double value : mode.shape) shape.push_back(std::round(value * 1e6) / 1e6);
    json["shapes"].push_back(shape);
  }
  json["mass_normalised"] = true;
  io::write_file(path, io::to_text(json));
}

}  // namespace

int main(int argc, char** argv) try {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "data/two-beam";
  std::filesystem::create_directories(folder);
  const ModalModel model = two_beam::model();
  for (std::size_t k = 0; k < two_beam::hammer_levels().size(); ++k) {
    const two_beam::HammerLevel& level = two_beam::hammer_levels()[k];
    write_record(
        folder / (level.name + ".h5"), two_beam::record(level, seed + k),
        fmt::format("SYNTHETIC two-beam structure at 3.39 N m (Deaner et al. 2015, Tables 4 and 6), hit of {} N "
                    "at p{:02}, seed {}; made by examples/make_two_beam.cpp",
                    level.force, two_beam::hit, seed + k));
    // How far each mode goes, alone.
    const TimePlan plan{0.2, 200000};
    OutputPlan output;
    output.velocity = output.envelope = false;
    const Load pulse(Haversine{level.force, two_beam::pulse_duration}, two_beam::pulse_start);
    std::string line = fmt::format("{:<13} {:7.1f} N  r after the pulse:", level.name, level.force);
    for (std::size_t r = 0; r < model.size(); ++r) {
      const JointedMode mode = jointed_mode(model.modes[r], "mode");
      const ModeRun run = run_mode(mode, pulse, model.modes[r].load_shape, {}, plan, output, {});
      double most = 0;
      for (std::size_t i = 0; i < run.displacement.size(); ++i)
        if (plan.time(static_cast<std::int64_t>(i)) > pulse.end()) most = std::max(most, std::abs(run.displacement[i]));
      line += fmt::format(" {:.3f}", most / std::get<Iwan4<double>>(*mode.joint).phi_max());
    }
    std::printf("%s\n", line.c_str());
  }
  write_shapes(folder / "shapes.json");
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "make_two_beam: %s\n", error.what());
  return 1;
}
