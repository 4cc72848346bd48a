#include <cmath>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <matio.h>
#include <support/scratch.hpp>

#include <microslip/core/check.hpp>
#include <microslip/io/hdf5.hpp>
#include <microslip/io/mat.hpp>
#include <microslip/io/records.hpp>

using namespace microslip;
using microslip::test::message_of;
using microslip::test::Scratch;
using microslip::test::shared_data;
using microslip::test::slurp;

namespace {

/// Writes a struct, a text, a cell of texts and a matrix with matio, an independent implementation.
void write_with_matio(const std::filesystem::path& path, mat_ft version, matio_compression compression) {
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, version);
  double series[] = {0, 0.5, 1, 1.5};
  double matrix[] = {1, 2, 3, 4, 5, 6};  // by columns: rows (1, 3, 5), (2, 4, 6)
  float singles[] = {0.25F, -8};
  std::size_t row[] = {1, 4}, two_by_three[] = {2, 3}, two[] = {1, 2}, one[] = {1, 1};
  char word[] = "m/s^2";
  std::size_t word_size[] = {1, 5};
  const char* fields[] = {"time", "units"};
  matvar_t* structure = Mat_VarCreateStruct("data", 2, one, fields, 2);
  Mat_VarSetStructFieldByName(structure, "time", 0,
                              Mat_VarCreate("time", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, row, series, 0));
  Mat_VarSetStructFieldByName(structure, "units", 0,
                              Mat_VarCreate("units", MAT_C_CHAR, MAT_T_UINT8, 2, word_size, word, 0));
  matvar_t* cells = Mat_VarCreate("names", MAT_C_CELL, MAT_T_CELL, 2, two, nullptr, 0);
  Mat_VarSetCell(cells, 0, Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UINT8, 2, word_size, word, 0));
  Mat_VarSetCell(cells, 1, Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UINT8, 2, word_size, word, 0));
  for (matvar_t* variable :
       {structure, cells, Mat_VarCreate("matrix", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, two_by_three, matrix, 0),
        Mat_VarCreate("singles", MAT_C_SINGLE, MAT_T_SINGLE, 2, two, singles, 0),
        Mat_VarCreate("fs", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one, series + 1, 0)}) {
    Mat_VarWrite(file, variable, compression);
    Mat_VarFree(variable);
  }
  Mat_Close(file);
}

/// Appends bytes in this machine's order.
template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string header() { return "MATLAB 5.0 MAT-file" + std::string(105, ' ') + std::string("\x00\x01IM", 4); }

/// A variable of an opaque class, as MATLAB stores strings and tables.
std::string opaque(const std::string& name, const std::string& kind) {
  std::string body;
  for (const std::uint32_t word : {6U, 8U, 17U, 0U}) put(body, word);
  for (const std::string& text : {name, std::string("MCOS"), kind}) {
    put(body, std::uint32_t{1});
    put(body, static_cast<std::uint32_t>(text.size()));
    body += text + std::string((8 - text.size() % 8) % 8, '\0');
  }
  std::string element;
  put(element, std::uint32_t{14});
  put(element, static_cast<std::uint32_t>(body.size()));
  return element + body;
}

}  // namespace

TEST(Mat, ReadsWhatMatioWritesInEveryVersion) {
  const Scratch scratch;
  const struct {
    mat_ft version;
    matio_compression compression;
  } cases[] = {
      {MAT_FT_MAT5, MAT_COMPRESSION_NONE}, {MAT_FT_MAT5, MAT_COMPRESSION_ZLIB}, {MAT_FT_MAT73, MAT_COMPRESSION_NONE}};
  for (const auto& [version, compression] : cases) {
    write_with_matio(scratch / "m.mat", version, compression);
    const auto [tree, warnings, sparse] = io::read_mat(scratch / "m.mat");
    EXPECT_TRUE(warnings.empty());
    EXPECT_EQ(tree.group("data").array("time").data, (std::vector<double>{0, 0.5, 1, 1.5}));
    EXPECT_EQ(tree.group("data").array("time").shape, (std::vector<std::size_t>{1, 4}));
    EXPECT_EQ(tree.group("data").text("units"), "m/s^2");
    EXPECT_EQ(tree.texts("names"), (std::vector<std::string>{"m/s^2", "m/s^2"}));
    EXPECT_EQ(tree.array("matrix").shape, (std::vector<std::size_t>{2, 3}));
    EXPECT_EQ(tree.array("matrix").data, (std::vector<double>{1, 3, 5, 2, 4, 6}));
    EXPECT_EQ(tree.array("singles").data, (std::vector<double>{0.25, -8}));
    EXPECT_EQ(tree.number("fs"), 0.5);
  }
}

TEST(Mat, ObjectsOfMatlabAreNamedWithHowToSaveThem) {
  const auto [tree, warnings, sparse] =
      io::parse_mat(header() + opaque("note", "string") + opaque("log", "table"), "m.mat");
  EXPECT_TRUE(tree.entries().empty());
  EXPECT_EQ(warnings,
            (std::vector<std::string>{
                "variable 'note' is a MATLAB string, which only MATLAB can read: save it as note = char(note)",
                "variable 'log' is a MATLAB table, which only MATLAB can read: save it as a struct, log = "
                "table2struct(log, 'ToScalar', true)"}));
}

// As other programs than MATLAB write version 7.3: texts of HDF5, and characters without a shape.
TEST(Mat, Version73MayHoldTextsOfHdf5) {
  const Scratch scratch;
  const std::string path = (scratch / "t.mat").string();
  const hid_t properties = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_userblock(properties, 512);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, properties, H5P_DEFAULT);
  const hsize_t two = 2;
  const hid_t scalar = H5Screate(H5S_SCALAR), pair = H5Screate_simple(1, &two, nullptr);
  const hid_t word = H5Tcopy(H5T_C_S1), variable = H5Tcopy(H5T_C_S1);
  H5Tset_size(word, 5);
  H5Tset_size(variable, H5T_VARIABLE);
  const auto add = [&](const char* name, hid_t type, hid_t space, const void* data) {
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    return set;
  };
  const char* words[] = {"left", "right"};
  const double fs = 64;
  const unsigned short letter = 'g';
  H5Dclose(add("unit", word, scalar, "m/s^2"));
  H5Dclose(add("names", variable, pair, words));
  H5Dclose(add("fs", H5T_NATIVE_DOUBLE, scalar, &fs));
  const hid_t character = add("letter", H5T_NATIVE_USHORT, scalar, &letter);
  const hid_t class_type = H5Tcopy(H5T_C_S1);
  H5Tset_size(class_type, 4);
  const hid_t attribute = H5Acreate2(character, "MATLAB_class", class_type, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, class_type, "char");
  H5Aclose(attribute);
  H5Dclose(character);
  for (const hid_t type : {word, variable, class_type}) H5Tclose(type);
  for (const hid_t space : {scalar, pair}) H5Sclose(space);
  H5Fclose(file);
  H5Pclose(properties);

  const io::Tree tree = io::read_mat(path);
  EXPECT_EQ(tree.warnings, (std::vector<std::string>{}));
  EXPECT_EQ(tree.archive.text("unit"), "m/s^2");
  EXPECT_EQ(tree.archive.texts("names"), (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(tree.archive.number("fs"), 64);
  EXPECT_EQ(tree.archive.text("letter"), "g");
}

TEST(Mat, Hdf5MayBeNamedMat) {
  const Scratch scratch;
  Archive archive;
  archive.set("time", std::vector<double>{0, 0.5, 1});
  archive.set("acc", std::vector<double>{1, 2, 3});
  archive.set("K", NamedArray{.shape = {2, 3}, .data = {1, 2, 3, 4, 5, 6}});
  io::write_hdf5(scratch / "a.mat", archive);
  EXPECT_EQ(io::read_mat(scratch / "a.mat").archive.array("K").data, archive.array("K").data);
  const auto info = io::describe(scratch / "a.mat");
  EXPECT_EQ(info.format, "HDF5");
  EXPECT_EQ(info.records.at(0).sampling_rate_hz, 2);
}

TEST(Mat, DamageIsNamedByByte) {
  const Scratch scratch;
  const auto refusal = [](const std::string& bytes) {
    return message_of<InvalidInput>([&] { (void)io::parse_mat(bytes, "m.mat"); });
  };
  EXPECT_EQ(refusal(""), "m.mat: 0 bytes are too few for a MAT file, whose header alone has 128");
  EXPECT_EQ(refusal(std::string(200, ' ')).substr(0, 45), "m.mat: not a MAT file of version 5 to 7.3 (by");
  write_with_matio(scratch / "m.mat", MAT_FT_MAT5, MAT_COMPRESSION_NONE);
  const std::string plain = slurp(scratch / "m.mat");
  EXPECT_EQ(refusal(plain.substr(0, plain.size() - 1)).find("m.mat: byte "), 0U);
  write_with_matio(scratch / "m.mat", MAT_FT_MAT5, MAT_COMPRESSION_ZLIB);
  std::string packed = slurp(scratch / "m.mat");
  EXPECT_NE(refusal(packed.substr(0, packed.size() - 9)), "");
  packed[140] ^= 0x55;
  EXPECT_EQ(refusal(packed).substr(0, 22), "m.mat: byte 136: the c");
  std::string dimension = header() + opaque("x", "y");
  dimension[144] = 6;  // class double, and the name where the dimensions should be
  EXPECT_EQ(refusal(dimension), "m.mat: byte 160: an array must give its dimensions");
  EXPECT_EQ(message_of<InvalidInput>([&] {
              (void)io::read_mat(scratch.file("v73.mat", "MATLAB 7.3 MAT-file" + std::string(600, ' ')));
            }).find("without its HDF5 part") != std::string::npos,
            true);
}

TEST(Mat, EveryTruncationIsRefusedOrReadsTheVariablesBeforeIt) {
  const Scratch scratch;
  for (const auto compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    write_with_matio(scratch / "m.mat", MAT_FT_MAT5, compression);
    const std::string whole = slurp(scratch / "m.mat");
    std::size_t read = 0;
    for (std::size_t size = 0; size < whole.size(); ++size) {
      try {
        read = std::max(read, io::parse_mat(whole.substr(0, size), "m.mat").archive.entries().size());
      } catch (const InvalidInput&) {
      }
    }
    EXPECT_EQ(read, 4U) << "cut just before the last variable, the others stand";
  }
}

// Reference values: scipy.io.loadmat (SciPy 1.10.1) on the same files.
TEST(Mat, SharedFilesAgreeWithScipy) {
  SKIP_WITHOUT_SHARED_DATA();
  for (const char* name :
       {"test_file.mat", "test_file_v6.mat", "test_file_hdf5.mat", "test_le.mat", "test_be.mat", "test_le_hdf5.mat"}) {
    const auto [tree, warnings, sparse] = io::read_mat(shared_data() / "formats/mat" / name);
    for (const char* variable : {"d", "s", "i32", "i16", "i8"}) {
      const NamedArray& array = tree.array(variable);
      ASSERT_EQ(array.shape, (std::vector<std::size_t>{5, 10})) << name << " " << variable;
      for (std::size_t row = 0; row < 5; ++row)
        for (std::size_t column = 0; column < 10; ++column)  // 1 6 11 … / 2 7 12 …
          EXPECT_EQ(array.data[row * 10 + column], static_cast<double>(1 + row + 5 * column))
              << name << " " << variable;
    }
  }
}
