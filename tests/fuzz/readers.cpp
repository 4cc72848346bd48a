#include "readers.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include <matio.h>
#include <nlohmann/json.hpp>
#include <support/scratch.hpp>

#include <microslip/core/check.hpp>
#include <microslip/io/abaqus_matrix.hpp>
#include <microslip/io/calculix.hpp>
#include <microslip/io/dmig.hpp>
#include <microslip/io/hdf5.hpp>
#include <microslip/io/json.hpp>
#include <microslip/io/matrix_file.hpp>
#include <microslip/io/matrix_market.hpp>
#include <microslip/io/mesh_inp.hpp>
#include <microslip/io/mesh_msh.hpp>
#include <microslip/io/op4.hpp>
#include <microslip/io/records.hpp>
#include <microslip/io/toml.hpp>
#include <microslip/io/uff.hpp>

namespace microslip::fuzz {

namespace {

Seeds uff_seeds() {
  Seeds seeds;
  std::string all =
      "    -1\n   164\n         5mm (milli-newton)            2\n  1.0D+03  1.0D+03  1.0D+00\n  2.7D+02\n    -1\n";
  for (const auto form : {io::UffForm::text, io::UffForm::little_endian, io::UffForm::big_endian})
    for (int kind = 0; kind < 8; ++kind) {
      io::UffFunction function;
      function.complex = (kind & 1) != 0;
      function.double_precision = (kind & 2) != 0;
      function.even = (kind & 4) != 0;
      function.id[0] = "seed";
      function.increment = 1e-3;
      function.abscissa = {.type = 17, .label = "Time", .unit = "s"};
      function.ordinate = {.type = 12, .label = "Acceleration", .unit = kind % 3 == 0 ? "" : "m/s^2"};
      for (int i = 0; i < 23; ++i) {
        function.values.push_back(i * 0.1);
        function.imaginary.push_back(-i);
        function.x.push_back(i * 1e-3);
      }
      seeds.push_back(io::to_uff58(function, form));
      all += seeds.back();
    }
  seeds.push_back(all + "    -1\n  2411\n         1         1\n 0.0 1.0 2.0\n    -1\n");
  return seeds;
}

std::string mat_seed(const test::Scratch& scratch, mat_ft version, matio_compression compression) {
  const auto path = scratch / "seed.mat";
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, version);
  std::vector<double> numbers(40);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i) / 1024;
  std::size_t row[] = {1, 40}, matrix[] = {20, 2}, one[] = {1, 1}, two[] = {1, 2}, word[] = {1, 5};
  char text[] = "m/s^2";
  const char* fields[] = {"time", "acc", "units", "inner"};
  matvar_t* structure = Mat_VarCreateStruct("data", 2, one, fields, 4);
  Mat_VarSetStructFieldByName(structure, "time", 0,
                              Mat_VarCreate("t", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, row, numbers.data(), 0));
  Mat_VarSetStructFieldByName(structure, "acc", 0,
                              Mat_VarCreate("a", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, row, numbers.data(), 0));
  Mat_VarSetStructFieldByName(structure, "units", 0, Mat_VarCreate("u", MAT_C_CHAR, MAT_T_UINT8, 2, word, text, 0));
  matvar_t* inner = Mat_VarCreateStruct("inner", 2, two, fields, 2);
  for (std::size_t i = 0; i < 2; ++i) {
    Mat_VarSetStructFieldByName(inner, "time", i,
                                Mat_VarCreate("t", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, matrix, numbers.data(), 0));
    Mat_VarSetStructFieldByName(inner, "acc", i, Mat_VarCreate("a", MAT_C_CHAR, MAT_T_UINT8, 2, word, text, 0));
  }
  Mat_VarSetStructFieldByName(structure, "inner", 0, inner);
  matvar_t* cells = Mat_VarCreate("names", MAT_C_CELL, MAT_T_CELL, 2, two, nullptr, 0);
  Mat_VarSetCell(cells, 0, Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UINT8, 2, word, text, 0));
  Mat_VarSetCell(cells, 1, Mat_VarCreate(nullptr, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, matrix, numbers.data(), 0));
  std::vector<int> whole{1, 2, 3, 4, 5};
  mat_uint32_t rows[] = {0, 1, 0, 2}, starts[] = {0, 2, 2, 4};
  std::size_t square[] = {3, 3};
  mat_sparse_t sparse{.nzmax = 4, .ir = rows, .nir = 4, .jc = starts, .njc = 4, .ndata = 4, .data = numbers.data()};
  for (matvar_t* variable :
       {structure, cells, Mat_VarCreate("matrix", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, matrix, numbers.data(), 0),
        Mat_VarCreate("whole", MAT_C_INT32, MAT_T_INT32, 2, word, whole.data(), 0),
        Mat_VarCreate("fs", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one, numbers.data() + 1, 0),
        Mat_VarCreate("K", MAT_C_SPARSE, MAT_T_DOUBLE, 2, square, &sparse, MAT_F_DONT_COPY_DATA)}) {
    Mat_VarWrite(file, variable, compression);
    Mat_VarFree(variable);
  }
  Mat_Close(file);
  return test::slurp(path);
}

std::string hdf5_seed(const test::Scratch& scratch) {
  Archive archive, inner;
  inner.set("time", std::vector<double>{0, 1, 2, 3});
  inner.set("acc", std::vector<double>{0, 1, 2, 3});
  inner.set("units", std::string("s, m/s^2"));
  archive.set("run", inner);
  archive.set("names", std::vector<std::string>{"a", "bc"});
  archive.set("matrix", NamedArray{.shape = {130, 130}, .data = std::vector<double>(130 * 130, 1.5)});
  io::write_hdf5(scratch / "seed.h5", archive);
  return test::slurp(scratch / "seed.h5");
}

const Seeds csv_seeds = {"time,acc1 [m/s^2],\"a b\"\n0,1,2\n0.5,3,4\n1,5,6e-3\n", "1;2,5\n2;3,5\n3;4\n",
                         "# c\n0 1\n1 2\n2 3\n", "t\tx\ns\tm/s\n0\t1D0\n0.5\t2\n1\t3\n"};
const Seeds lvm_seeds = {
    "LabVIEW Measurement\t\nSeparator\tTab\nX_Columns\tOne\n***End_of_Header***\t\n\nChannels\t2\nDelta_X\t0.1\t0.1\n"
    "***End_of_Header***\nX_Value\ta\tb\n0\t1\t2\n0.1\t3\t4\n0.2\t5\t6\n",
    "LabVIEW Measurement\t\nSeparator\tComma\nDecimal_Separator\t.\nX_Columns\tMulti\n***End_of_Header***\t\n\n"
    "Channels,2\nY_Unit_Label,g,N\nDelta_X,0.1,0.2\n***End_of_Header***\nX_Value,a,X_Value,b\n0,1,0,2\n0.1,3,0.2,4\n"};
const Seeds wav_seeds = {
    std::string("RIFF\x30\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\x08\0\0\0abcdefgh", 52),
    std::string("RIFF\x34\0\0\0WAVEfmt \x10\0\0\0\3\0\2\0\x40\x1f\0\0\0\xfa\0\0\x08\0\x20\0data\x10\0\0\0"
                "abc?def?ghi?jkl?",
                60)};
const Seeds json_seeds = {
    R"({"signals":[{"data":[1,2,3],"name":"a","unit_str":"g","fs":10}],"x":{"time":[0,1,2],"y":[[1,2],[3,4],[5,6]]}})",
    R"({"modes":[{"time":[0,null],"parameters":{"chi":-0.5},"rows":[[1],[2]],"names":["a","b"]}],"not_finite":["t"]})"};
const Seeds toml_seeds = {
    "[[mode]]\nmass = 1\njoint = { model = \"iwan4\", chi = -0.5 }\n[load]\nx = [1, 2.5]\n",
    "file = \"k.h5\"\n[time]\nend = 1e-3\nflag = true\n[a.b]\nrows = [[1, 2], [3, 4]]\nnames = [\"x\", \"y\"]\n"};
const Seeds market_seeds = {
    "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n3 3 4\n1 1 2\n2 1 -1\n2 2 2.5e0\n3 3 1D1\n",
    "%%MatrixMarket matrix array real general\r\n2 3\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n",
    "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 3 4\n",
    "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"};
const Seeds abaqus_seeds = {"1,1,1,1, 4.0e+00\n1,1,2,3,-1.0\n2,3,2,3, 3.0\n-5,1,-5,1,1\n", "1 1 2.0\n1 2 -1\n2 2 3\n",
                            "*USER ELEMENT,NODES=2,LINEAR\n1,2\n1,2,3\n*MATRIX,TYPE=STIFFNESS\n1.0,\n2.0,3.0\n"
                            "*MATRIX,TYPE=MASS\n1.0,\n0.0,1.0\n"};
const Seeds calculix_seeds = {"1 1  4.0\n1 2 -1.0e+00\n2 2 3\n", "21.1\n21.3\n210.2\n"};
const Seeds op4_seeds = {
    "       3       3       6       2K       1P,3E24.16\n"
    "       1       1       3\n 1.0000000000000000E+00 2.0000000000000000E+00 3.0000000000000000E+00\n"
    "       2       2       1\n 4.0000000000000000E+00\n"
    "       4       1       1\n 1.0000000000000000E+00\n"};
const Seeds dmig_seeds = {
    "DMIG    KAAX           0       6       2       0                       2\n"
    "DMIG*   KAAX                           1               1\n"
    "*                      1               1 4.000000000D+00\n"
    "*                      2               3-1.000000000D+00\n"
    "DMIG*   KAAX                           2               3\n"
    "*                      2               3 3.000000000D+00\n"};
const Seeds inp_seeds = {
    "*Heading\n a bar\n** a comment\n*Node, nset=Nall\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 0, 0, 1\n"
    "6, 1, 0, 1\n7, 1, 1, 1\n8, 0, 1, 1\n*Element, type=C3D8R, elset=bar\n1, 1, 2, 3, 4,\n5, 6, 7, 8\n"
    "*Nset, nset=low\n1, 2, 3, 4\n*Nset, nset=some, generate\n2, 8, 3\n*Nset, nset=both\nlow, 8\n"
    "*Surface, name=up, type=ELEMENT\nbar, S2\n*Step\n"};
const Seeds msh_seeds = {
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 7 \"contact face\"\n$EndPhysicalNames\n"
    "$Entities\n0 0 1 0\n1 0 0 0 1 1 0 1 7 0\n$EndEntities\n$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n"
    "1 1 0\n0 1 0\n$EndNodes\n$Elements\n1 1 1 1\n2 1 3 1\n1 1 2 3 4\n$EndElements\n",
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 7 \"contact face\"\n$EndPhysicalNames\n"
    "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n$Elements\n1\n1 3 2 7 1 1 2 3 4\n$EndElements\n"};

/// The seeds and the small real files with that extension, which are not bundled (tests/README.md).
Seeds with_real_files(Seeds seeds, const std::string& extension) {
  constexpr std::uintmax_t largest = 32768;
  const auto folder = test::shared_data() / "formats";
  if (!std::filesystem::exists(folder)) return seeds;
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == extension && entry.file_size() <= largest)
      found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  for (const auto& path : found) seeds.push_back(test::slurp(path));
  return seeds;
}

/// What a reader takes is looked at too: an entry outside its matrix would be written outside memory later.
void look(const CoordinateMatrix& matrix) {
  for (const auto& [row, column, value] : matrix.entries)
    if (row < 0 || static_cast<std::size_t>(row) >= matrix.n_rows || column < 0 ||
        static_cast<std::size_t>(column) >= matrix.n_columns)
      throw std::logic_error(
          fmt::format("entry ({}, {}) of a matrix of {} x {}", row, column, matrix.n_rows, matrix.n_columns));
  if (!matrix.imaginary.empty() && matrix.imaginary.size() != matrix.entries.size())
    throw std::logic_error("some entries have an imaginary part");
}
void look(const std::vector<CoordinateMatrix>& matrices) {
  for (const CoordinateMatrix& matrix : matrices) look(matrix);
}

/// Asks for a value and lets it be refused.
template <class Ask>
void ask(Ask what) {
  try {
    (void)what();
  } catch (const InvalidInput&) {
  }
}

/// Every key as every kind: whatever a verb may ask for.
void walk(const io::TomlTable& table, int depth = 0) {
  if (depth > 20) return;
  for (const std::string& key : table.keys()) {
    ask([&] { return table.number(key); });
    ask([&] { return table.integer(key); });
    ask([&] { return table.flag(key, false); });
    ask([&] { return table.text(key); });
    ask([&] { return table.numbers(key); });
    ask([&] { return table.rows(key); });
    ask([&] { return table.texts(key); });
    ask([&] { return table.file(key); });
    ask([&] { return walk(table.table(key), depth + 1), 0; });
    ask([&] {
      for (const io::TomlTable& row : table.tables(key)) walk(row, depth + 1);
      return 0;
    });
  }
  ask([&] { return table.only({"mode", "time"}), 0; });
}

void walk(const io::JsonReader& reader, int depth = 0) {
  if (depth > 20) return;
  for (const std::string& key : reader.keys()) {
    ask([&] { return reader.number(key); });
    ask([&] { return reader.text(key); });
    ask([&] { return reader.numbers(key); });
    ask([&] { return reader.rows(key); });
    ask([&] { return reader.texts(key); });
    ask([&] { return walk(reader.object(key), depth + 1), 0; });
    ask([&] {
      for (const io::JsonReader& row : reader.objects(key)) walk(row, depth + 1);
      return 0;
    });
  }
}

}  // namespace

std::map<std::string, Reader> readers() {
  const test::Scratch scratch;
  const auto describe = [](const std::string&, const std::filesystem::path& path) { (void)io::describe(path); };
  const auto describe_with_matrices = [](const std::string&, const std::filesystem::path& path) {
    (void)io::describe(path);
    look(io::read_matrices(path));
  };
  std::map<std::string, Reader> all;
  all["uff"] = {".uff", with_real_files(uff_seeds(), ".uff"),
                [](const std::string& bytes, const std::filesystem::path&) {
                  const auto file = io::parse_uff(bytes, "x");
                  (void)io::records_from_uff(file, "x", {});
                }};
  const std::string mat5 = mat_seed(scratch, MAT_FT_MAT5, MAT_COMPRESSION_NONE);
  all["mat"] = {".mat", {mat5, mat5, mat_seed(scratch, MAT_FT_MAT5, MAT_COMPRESSION_ZLIB)}, describe_with_matrices};
  for (std::string& real : with_real_files({}, ".mat"))
    if (real.find("HDF5") == std::string::npos) all["mat"].seeds.push_back(std::move(real));
  all["mat73"] = {".mat", {mat_seed(scratch, MAT_FT_MAT73, MAT_COMPRESSION_NONE)}, describe_with_matrices};
  all["hdf5"] = {".h5", {hdf5_seed(scratch)}, describe};
  all["csv"] = {".csv", csv_seeds, describe};
  all["lvm"] = {".lvm", lvm_seeds, describe};
  all["wav"] = {".wav", wav_seeds, describe};
  all["json"] = {".json", json_seeds, [describe](const std::string& bytes, const std::filesystem::path& path) {
                   ask([&] { return describe(bytes, path), 0; });
                   const io::Json value = io::parse_json(bytes, "x");
                   if (value.is_object()) walk(io::JsonReader(value, "x"));
                 }};
  all["toml"] = {".toml", toml_seeds, [](const std::string& bytes, const std::filesystem::path&) {
                   walk(io::TomlTable::parse(bytes, "x.toml"));
                 }};
  all["matrix_market"] = {".mtx", market_seeds, [](const std::string& bytes, const std::filesystem::path&) {
                            look(io::parse_matrix_market(bytes, "x"));
                          }};
  all["abaqus"] = {
      ".mtx", with_real_files(abaqus_seeds, ".mtx"),
      [](const std::string& bytes, const std::filesystem::path&) { look(io::parse_abaqus_matrix(bytes, "x")); }};
  all["calculix"] = {".sti", with_real_files(calculix_seeds, ".dof"),
                     [](const std::string& bytes, const std::filesystem::path&) {
                       ask([&] { return io::parse_coordinates(bytes, "x"); });
                       look(io::parse_calculix(bytes, "x", {{1, 1}, {1, 2}}));
                     }};
  all["op4"] = {".op4", with_real_files(op4_seeds, ".op4"),
                [](const std::string& bytes, const std::filesystem::path&) { look(io::parse_op4(bytes, "x")); }};
  all["dmig"] = {".pch", dmig_seeds,
                 [](const std::string& bytes, const std::filesystem::path&) { look(io::parse_dmig(bytes, "x")); }};
  all["inp"] = {".inp", with_real_files(inp_seeds, ".inp"),
                [](const std::string& bytes, const std::filesystem::path&) { (void)io::parse_inp(bytes, "x"); }};
  all["msh"] = {".msh", msh_seeds,
                [](const std::string& bytes, const std::filesystem::path&) { (void)io::parse_msh(bytes, "x"); }};
  return all;
}

}  // namespace microslip::fuzz
