// Matrices of FE programs: MatrixMarket, Abaqus, CalculiX, OP4 and DMIG, from texts and from real files.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>
#include <matio.h>

#include <microslip/core/check.hpp>
#include <microslip/io/abaqus_matrix.hpp>
#include <microslip/io/calculix.hpp>
#include <microslip/io/dmig.hpp>
#include <microslip/io/file.hpp>
#include <microslip/io/mat.hpp>
#include <microslip/io/matrix_file.hpp>
#include <microslip/io/matrix_market.hpp>
#include <microslip/io/op4.hpp>
#include <microslip/io/records.hpp>

#include "support/refusal.hpp"

namespace microslip::io {
namespace {

using test::refusal;
using test::shared_data;

Eigen::MatrixXd full(const CoordinateMatrix& matrix) {
  Eigen::MatrixXd m =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(matrix.n_rows), static_cast<Eigen::Index>(matrix.n_columns));
  for (const auto& e : matrix.entries) m(e.row, e.column) += e.value;
  return m;
}

Eigen::MatrixXcd full_complex(const CoordinateMatrix& matrix) {
  Eigen::MatrixXcd m = full(matrix).cast<std::complex<double>>();
  for (std::size_t k = 0; k < matrix.imaginary.size(); ++k)
    m(matrix.entries[k].row, matrix.entries[k].column).imag(matrix.imaginary[k]);
  return m;
}

CoordinateMatrix named(const std::vector<CoordinateMatrix>& matrices, const std::string& name) {
  for (const auto& matrix : matrices)
    if (matrix.name == name) return matrix;
  ADD_FAILURE() << "no matrix " << name;
  return {};
}

void expect_inside(const CoordinateMatrix& matrix) {
  for (const auto& [row, column, value] : matrix.entries) {
    EXPECT_TRUE(row >= 0 && static_cast<std::size_t>(row) < matrix.n_rows) << row << " of " << matrix.n_rows;
    EXPECT_TRUE(column >= 0 && static_cast<std::size_t>(column) < matrix.n_columns)
        << column << " of " << matrix.n_columns;
  }
}
void expect_inside(const std::vector<CoordinateMatrix>& matrices) {
  for (const CoordinateMatrix& matrix : matrices) expect_inside(matrix);
}

/// Every beginning of a file, and every byte of it changed, is refused in one line, or read with every entry inside its
/// matrix; nothing else may happen.
template <class Parse>
void survives_damage(const std::string& good, Parse parse) {
  const auto attempt = [&](const std::string& text) {
    try {
      expect_inside(parse(text));
    } catch (const InvalidInput& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  };
  const std::size_t step = std::max<std::size_t>(1, good.size() / 400);
  for (std::size_t n = 0; n < good.size(); n += step) {
    attempt(good.substr(0, n));
    for (char c : {'\0', '\xff', '-', '9', '*'}) {
      std::string bad = good;
      bad[n] = c;
      attempt(bad);
    }
  }
}

const std::string symmetric_mtx =
    "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n3 3 4\n1 1 2\n2 1 -1\n2 2 2.5e0\n3 3 1D1\n";

TEST(MatrixMarket, ReadsSparseAndDenseSymmetricAndGeneral) {
  EXPECT_EQ(full(parse_matrix_market(symmetric_mtx, "k.mtx")),
            (Eigen::Matrix3d() << 2, -1, 0, -1, 2.5, 0, 0, 0, 10).finished());
  EXPECT_EQ(full(parse_matrix_market(
                "%%MatrixMarket matrix array real general\r\n2 3\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n", "")),
            (Eigen::MatrixXd(2, 3) << 1, 3, 5, 2, 4, 6).finished());
  EXPECT_EQ(full(parse_matrix_market("%%matrixmarket MATRIX array real symmetric\n2 2\n1\n2\n3\n", "")),
            (Eigen::Matrix2d() << 1, 2, 2, 3).finished());
  EXPECT_EQ(full(parse_matrix_market("%%MatrixMarket matrix array real skew-symmetric\n2 2\n7\n", "")),
            (Eigen::Matrix2d() << 0, -7, 7, 0).finished());
  EXPECT_EQ(full(parse_matrix_market("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", "")),
            (Eigen::Matrix2d() << 0, 1, 0, 0).finished());
  const Eigen::MatrixXcd hermitian =
      full_complex(parse_matrix_market("%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 3 4\n", ""));
  EXPECT_EQ(hermitian(1, 0), std::complex<double>(3, 4));
  EXPECT_EQ(hermitian(0, 1), std::complex<double>(3, -4));
}

TEST(MatrixMarket, RefusesWithFileAndLine) {
  const auto said = [](const std::string& text) { return refusal([&] { (void)parse_matrix_market(text, "k.mtx"); }); };
  EXPECT_NE(said("").find("k.mtx: ends after line 0"), std::string::npos);
  EXPECT_NE(said("1 2 3\n").find("k.mtx:1: expected '%%MatrixMarket"), std::string::npos);
  EXPECT_NE(said("%%MatrixMarket matrix coordinate real symetric\n").find("'symmetric'"), std::string::npos);
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_NE(said(head + "2 2 2\n1 1 1\n").find("ends after line 3"), std::string::npos);
  EXPECT_NE(said(head + "2 2 1\n1 3 1\n").find("k.mtx:3: entry (1, 3) lies outside"), std::string::npos);
  EXPECT_NE(said(head + "2 2 1\n1 1 x\n").find("k.mtx:3"), std::string::npos);
  EXPECT_NE(said(head + "2 2 1\n1 1 1\n2 2 1\n").find("more entries"), std::string::npos);
  EXPECT_NE(said(head + "-2 2 1\n").find("makes no sense"), std::string::npos);
  EXPECT_NE(said("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n").find("square"), std::string::npos);
  EXPECT_NE(said("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n").find("above the diagonal"),
            std::string::npos);
  survives_damage(symmetric_mtx, [](const std::string& text) { return parse_matrix_market(text, "k.mtx"); });
}

TEST(CalculixMatrix, CoordinatesAreTextNotNumbers) {
  const auto c = parse_coordinates("21.1\n21.3\n210.2\n", "a.dof");
  ASSERT_EQ(c.size(), 3U);
  EXPECT_EQ(c[2], (NodeDirection{210, 2}));
  const auto said = [](const std::string& text) { return refusal([&] { (void)parse_coordinates(text, "a.dof"); }); };
  EXPECT_NE(said("21.1\n21\n").find("a.dof:2"), std::string::npos);
  EXPECT_NE(said("21.10\n").find("direction from 0 to 6"), std::string::npos);
  EXPECT_NE(said("").find("no coordinates"), std::string::npos);
}

TEST(CalculixMatrix, MirrorsTheUpperTriangleAndRefusesWhatIsOutside) {
  const std::vector<NodeDirection> two{{1, 1}, {1, 2}};
  EXPECT_EQ(full(parse_calculix("1 1  4.0\n1 2 -1.0e+00\n2 2 3\n", "k.sti", two)),
            (Eigen::Matrix2d() << 4, -1, -1, 3).finished());
  const auto said = [&](const std::string& text) { return refusal([&] { (void)parse_calculix(text, "k.sti", two); }); };
  EXPECT_NE(said("1 3 1.0\n").find("k.sti:1: entry (1, 3) lies outside the 2"), std::string::npos);
  EXPECT_NE(said("2 1 1.0\n").find("below the diagonal"), std::string::npos);
  EXPECT_NE(said("1 1\n").find("k.sti:1"), std::string::npos);
  EXPECT_NE(said("").find("no entries"), std::string::npos);
}

TEST(CalculixMatrix, RealBarHasTheFrequenciesThatCalculixPrints) {
  SKIP_WITHOUT_SHARED_DATA();
  const auto folder = shared_data() / "formats/calculix";
  const auto coordinates = parse_coordinates(read_file(folder / "beam_ms.dof"), "beam_ms.dof");
  const auto K = full(read_matrix(folder / "beam_ms.sti", "", coordinates));
  const auto M = full(read_matrix(folder / "beam_ms.mas", "", coordinates));
  // Internal coordinates of C3D8I have no mass: the largest eigenvalues of K^-1 M are the lowest modes.
  const Eigen::VectorXd inverse = Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(M, K).eigenvalues();
  const std::vector<double> printed{588.1895, 1156.204, 3711.026, 5525.082, 6674.717, 10437.96};
  for (std::size_t i = 0; i < printed.size(); ++i) {
    const double hz = 1 / std::sqrt(inverse(inverse.size() - 1 - static_cast<Eigen::Index>(i))) / (2 * M_PI);
    EXPECT_NEAR(hz, printed[i], 1e-6 * printed[i]);  // seven digits in the .dat file
  }
}

TEST(AbaqusMatrix, InternalNodesAreNegativeAndOneTriangleIsMirrored) {
  const auto K = parse_abaqus_matrix("-1,1, -1,1, 4.0\n2,3, -1,1, -1.5\n2,3, 2,3, 2.0\n", "k.mtx").front();
  EXPECT_EQ(K.row_labels, (std::vector<NodeDirection>{{-1, 1}, {2, 3}}));
  EXPECT_EQ(full(K), (Eigen::Matrix2d() << 4, -1.5, -1.5, 2).finished());
  const auto both = parse_abaqus_matrix("1,1, 1,1, 4\n1,1, 2,1, -1\n2,1, 1,1, -1\n2,1, 2,1, 3\n", "k.mtx").front();
  EXPECT_EQ(full(both), (Eigen::Matrix2d() << 4, -1, -1, 3).finished());
  const auto coordinate = parse_abaqus_matrix("1 1 4.0\n2 1 -1.0\n2 2 3.0\n", "k.mtx").front();
  EXPECT_EQ(full(coordinate), (Eigen::Matrix2d() << 4, -1, -1, 3).finished());
}

TEST(AbaqusMatrix, RefusesWithFileAndLine) {
  const auto said = [](const std::string& text) { return refusal([&] { (void)parse_abaqus_matrix(text, "k.mtx"); }); };
  EXPECT_NE(said("1,1, 1,1, 4\n1,1, 1,x, 4\n").find("k.mtx:2"), std::string::npos);
  EXPECT_NE(said("1,1, 1,1, 4\n1,1, 1,1, 4\n").find("twice"), std::string::npos);
  EXPECT_NE(said("0 1 4\n").find("count from 1"), std::string::npos);
  EXPECT_NE(said("\n\n").find("k.mtx"), std::string::npos);
  EXPECT_NE(said("*USER ELEMENT,NODES=2,LINEAR\n1\n2, 2\n*MATRIX,TYPE=STIFFNESS\n1.0,\n2.0,\n").find("within row 2"),
            std::string::npos);
  EXPECT_NE(said("*USER ELEMENT,NODES=2,LINEAR\n1\n2, 2\n*MATRIX,TYPE=STIFFNESS\n1.0,\n2.0,\n"
                 "*MATRIX,TYPE=MASS\n1.0,\n2.0,3.0\n")
                .find("k.mtx:7: matrix 'STIFFNESS' ends within row 2"),
            std::string::npos)
      << "the first of two";
  survives_damage("-1,1, -1,1, 4.0\n2,3, -1,1, -1.5\n2,3, 2,3, 2.0\n",
                  [](const std::string& text) { return parse_abaqus_matrix(text, "k.mtx"); });
}

TEST(AbaqusMatrix, RealBeamElementStrainsNoRigidMotion) {
  SKIP_WITHOUT_SHARED_DATA();
  const auto folder = shared_data() / "formats/mtx";
  const auto K = read_matrices(folder / "FEMBeam_model_STIF1.mtx").front();
  const auto M = read_matrices(folder / "FEMBeam_model_MASS1.mtx").front();
  ASSERT_EQ(K.n_rows, 14U);  // two nodes of six directions and two internal coordinates
  EXPECT_EQ(K.row_labels.front(), (NodeDirection{-1, 1}));
  const Eigen::MatrixXd k = full(K);
  EXPECT_EQ(k, k.transpose());
  // Sideways translation of both nodes: no force; inertia 3 m x 0.25 m2 x 100 kg/m3 = 75 kg.
  Eigen::VectorXd shift = Eigen::VectorXd::Zero(14);
  for (std::size_t i = 0; i < 14; ++i)
    shift(static_cast<Eigen::Index>(i)) = K.row_labels[i].direction == 2 && K.row_labels[i].node > 0;
  EXPECT_LT((k * shift).norm(), 1e-9 * k.norm());
  Eigen::VectorXd mass_shift = Eigen::VectorXd::Zero(14);
  for (std::size_t i = 0; i < 14; ++i)
    mass_shift(static_cast<Eigen::Index>(i)) = M.row_labels[i].direction == 2 && M.row_labels[i].node > 0;
  EXPECT_NEAR(mass_shift.dot(full(M) * mass_shift), 75, 1e-9);
}

TEST(AbaqusMatrix, CalculixSubstructureIsAUserElement) {
  SKIP_WITHOUT_SHARED_DATA();
  const auto K = read_matrix(shared_data() / "formats/calculix/beam_sub.mtx");
  EXPECT_EQ(K.name, "STIFFNESS");
  ASSERT_EQ(K.n_rows, 24U);
  EXPECT_EQ(K.row_labels.at(4), (NodeDirection{15, 2}));
  const Eigen::MatrixXd k = full(K);
  EXPECT_EQ(k(0, 0), 0.7628205128205e9);
  EXPECT_EQ(k(0, 1), 0.1682692307692e9);
  EXPECT_EQ(k(23, 23), 0.1435897435897e10);
}

TEST(Op4, EveryVariantOfOneMatrixIsTheSame) {
  SKIP_WITHOUT_SHARED_DATA();
  const auto folder = shared_data() / "formats/op4";
  const Tree tree = read_mat(folder / "r_c_rc.mat");  // outlives the reference into it
  const NamedArray& reference = tree.archive.array("rmat");
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::MatrixXd r = RowMajor::Map(reference.data.data(), 25, 31);
  for (const char* file :
       {"double_bigmat_be.op4", "double_bigmat_le.op4", "double_bigmat_le_i64.op4", "double_dense_be.op4"}) {
    const auto matrices = read_matrices(folder / file);
    EXPECT_EQ(full(named(matrices, "RMAT")), r) << file;
    EXPECT_EQ(named(matrices, "CMAT").imaginary.size(), named(matrices, "CMAT").entries.size()) << file;
  }
  const auto ascii = full(named(read_matrices(folder / "double_bigmat_ascii.op4"), "RMAT"));
  EXPECT_LT((ascii - r).cwiseAbs().maxCoeff(), 1e-9 * r.cwiseAbs().maxCoeff());  // ten digits printed
}

TEST(Op4, AsciiAndBinaryOfRealFilesAgree) {
  SKIP_WITHOUT_SHARED_DATA();
  const auto folder = shared_data() / "formats/op4";
  const auto same = [&](const char* a, const char* b, double digits) {
    const auto first = read_matrices(folder / a), second = read_matrices(folder / b);
    std::size_t compared = 0;
    for (const CoordinateMatrix& matrix : first) {
      const auto other =
          std::find_if(second.begin(), second.end(), [&](const auto& m) { return m.name == matrix.name; });
      if (other == second.end()) continue;
      const Eigen::MatrixXcd x = full_complex(matrix), y = full_complex(*other);
      ASSERT_EQ(x.size(), y.size()) << a << " " << matrix.name;
      EXPECT_LE((x - y).cwiseAbs().maxCoeff(), digits * y.cwiseAbs().maxCoeff()) << a << " " << matrix.name;
      ++compared;
    }
    EXPECT_GE(compared, 1U) << a;
  };
  same("rd.op4", "rdbin.op4", 1e-16);
  same("rs.op4", "rsbin.op4", 1e-9);
  same("pynastran_testplate_kgg_ascii.op4", "pynastran_testplate_kgg.op4", 1e-9);
  same("pynastran_mat_t_dn.op4", "pynastran_mat_b_dn.op4", 1e-7);  // single precision among them
  const auto K = full(read_matrices(folder / "pynastran_testplate_kgg.op4").front());
  EXPECT_EQ(K.rows(), 726);
  EXPECT_LT((K - K.transpose()).cwiseAbs().maxCoeff(), 1e-9 * K.cwiseAbs().maxCoeff());
  EXPECT_EQ(read_matrices(folder / "cd.op4").front().imaginary.empty(), false);
  EXPECT_EQ(read_matrices(folder / "ascii_fabiola.op4").front().name, "MAA");
  const auto big = read_matrices(folder / "big_bigmat_binary.op4");
  const auto sparse = named(big, "SPARSE");
  EXPECT_EQ(sparse.n_rows, 66001U);  // beyond what a packed row number holds
  ASSERT_FALSE(sparse.entries.empty());
  EXPECT_EQ(sparse.entries.front().row, 0x1195 - 1);
  EXPECT_EQ(sparse.entries.front().value, 9.8);
}

TEST(Op4, DamagedFilesAreRefusedOrReadNeverWorse) {
  SKIP_WITHOUT_SHARED_DATA();
  const auto folder = shared_data() / "formats/op4";
  for (const char* file :
       {"rd.op4", "rdbin.op4", "double_bigmat_ascii.op4", "double_bigmat_be.op4", "big_bigmat_binary.op4"})
    survives_damage(read_file(folder / file), [](const std::string& text) { return parse_op4(text, "k.op4"); });
  EXPECT_NE(refusal([] { (void)parse_op4("", "k.op4"); }).find("k.op4: no matrix"), std::string::npos);
  EXPECT_NE(refusal([] { (void)parse_op4("hello", "k.op4"); }).find("k.op4:1"), std::string::npos);
}

TEST(Op4, WordsOf64BitsDoNotWrapAround) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = -(least + 1);
  const auto record = [](const std::vector<std::int64_t>& words, const std::vector<double>& values = {}) {
    std::string content(8 * (words.size() + values.size()), '\0');
    std::memcpy(content.data(), words.data(), 8 * words.size());
    if (!values.empty()) std::memcpy(content.data() + 8 * words.size(), values.data(), 8 * values.size());
    const auto size = static_cast<std::uint32_t>(content.size());
    std::string length(4, '\0');
    std::memcpy(length.data(), &size, 4);
    return length + content + length;
  };
  constexpr std::int64_t name = 0x2020202020202020;  // blanks
  const auto file = [&](std::int64_t rows, const std::string& column) {
    return record({1, rows, 2, 2, name, name}) + column + record({2, 1, 1}, {1});
  };
  const auto said = [&](std::int64_t rows, const std::string& column) {
    return refusal([&] { (void)parse_op4(file(rows, column), "k.op4"); });
  };
  EXPECT_EQ(full(parse_op4(file(2, record({1, 1, 2}, {3, 4})), "k.op4").front()), Eigen::Vector2d(3, 4));
  EXPECT_EQ(said(1, record({1, most, 2}, {3, 4})),
            "k.op4: byte 104: values from row 9223372036854775807 of column 1 do not fit the matrix");
  EXPECT_EQ(said(1, record({1, 2, 1}, {3})), "k.op4: byte 96: values from row 2 of column 1 do not fit the matrix");
  EXPECT_EQ(said(1, record({1, 1, 2}, {3, 4})), "k.op4: byte 104: values from row 1 of column 1 do not fit the matrix");
  for (const std::int64_t rows : {least, most, std::int64_t{-2147483648}, std::int64_t{2147483648}})
    EXPECT_EQ(said(rows, ""), fmt::format("k.op4: byte 56: a matrix of {} x 1 makes no sense", rows));
  EXPECT_EQ(said(-1, record({1, 0, 3, least, 1}, {3})), "k.op4: byte 112: a string of 0 words does not fit its column");
}

TEST(Dmig, ReadsFormsAndLabels) {
  const std::string head = "DMIG    KAAX           0       6       2       0                       2\n";
  const std::string good = head +
                           "DMIG*   KAAX                           1               1\n"
                           "*                      1               1 4.000000000D+00\n"
                           "*                      2               3-1.000000000D+00\n"
                           "DMIG*   KAAX                           2               3\n"
                           "*                      2               3 3.000000000D+00\n";
  const auto K = parse_dmig(good, "k.pch").front();
  EXPECT_EQ(K.row_labels, (std::vector<NodeDirection>{{1, 1}, {2, 3}}));
  EXPECT_EQ(full(K), (Eigen::Matrix2d() << 4, -1, -1, 3).finished());
  EXPECT_NE(refusal([&] { (void)parse_dmig(good.substr(head.size()), "k.pch"); }).find("before its header"),
            std::string::npos);
  EXPECT_NE(refusal([] { (void)parse_dmig("GRID,1\n", "k.pch"); }).find("no DMIG"), std::string::npos);
  survives_damage(good, [](const std::string& text) { return parse_dmig(text, "k.pch"); });
}

TEST(Dmig, RealPunchFileHoldsItsFourMatrices) {
  SKIP_WITHOUT_SHARED_DATA();
  const auto matrices = read_matrices(shared_data() / "formats/op4/matrix_factory.pch");
  ASSERT_EQ(matrices.size(), 4U);
  EXPECT_EQ(full(named(matrices, "IDENT")), Eigen::MatrixXd::Identity(21, 21));
  const Eigen::MatrixXd pattern = full(named(matrices, "PATRN"));
  EXPECT_EQ(pattern(3, 1), 2);
  const auto complex = named(matrices, "CMPLX");
  EXPECT_EQ(complex.n_columns, 50U);
  EXPECT_EQ(complex.imaginary.front(), 9.231721747e-02);
}

TEST(MatrixFile, NoReaderLetsAnEntryStandTwice) {  // it would be added up: a doubled stiffness that nobody sees
  const std::string head = "%%MatrixMarket matrix coordinate real ";
  EXPECT_EQ(refusal([&] { (void)parse_matrix_market(head + "general\n2 2 3\n1 1 4\n2 2 3\n1 1 4\n", "k.mtx"); }),
            "k.mtx:5: entry (1, 1) is given twice, once is expected");
  EXPECT_EQ(refusal([&] { (void)parse_matrix_market(head + "symmetric\n2 2 2\n2 1 4\n2 1 4\n", "k.mtx"); }),
            "k.mtx:4: entry (2, 1) is given twice, once is expected");
  EXPECT_EQ(refusal([] {
              (void)parse_calculix("1 1 4\n1 2 -1\n2 2 3\n1 2 -1\n", "k.sti", {{7, 1}, {8, 3}});
            }),
            "k.sti:4: entry (7.1, 8.3) is given twice, once is expected");
  EXPECT_EQ(refusal([] { (void)parse_abaqus_matrix("1,1, 1,1, 4\n2,3, 1,1, 4\n2,3, 1,1, 4\n", "k.mtx"); }),
            "k.mtx:3: entry (2.3, 1.1) is given twice, once is expected");
  EXPECT_EQ(refusal([] { (void)parse_abaqus_matrix("1 1 4\n2 1 -1\n2 1 -1\n", "k.mtx"); }),
            "k.mtx:3: entry (2, 1) is given twice, once is expected");
  const std::string column = "       1       1       2\n1.0E+00 2.0E+00\n", end = "       3       1       1\n1.0E+00\n";
  EXPECT_EQ(refusal([&] { (void)parse_op4("       2       2       2       1K\n" + column + column + end, "k.op4"); }),
            "k.op4: entry (1, 1) of matrix 'K' is given twice, once is expected");

  const auto dmig = [](char form) {  // both triangles
    return std::string("DMIG    K              0       ") + form +
           "       2       0                       2\n"
           "DMIG*   K                              1               1\n"
           "*                      1               1 4.000000000D+00\n"
           "*                      2               3-1.000000000D+00\n"
           "DMIG*   K                              2               3\n"
           "*                      1               1-1.000000000D+00\n"
           "*                      2               3 3.000000000D+00\n";
  };
  EXPECT_EQ(full(parse_dmig(dmig('1'), "k.pch").front()), (Eigen::Matrix2d() << 4, -1, -1, 3).finished());
  EXPECT_EQ(refusal([&] { (void)parse_dmig(dmig('6'), "k.pch"); }),
            "k.pch:6: entry (1.1, 2.3) of matrix 'K' is given twice, form 6 is symmetric: once in either triangle is "
            "expected");
}

TEST(MatrixFile, ContentDecidesThenTheExtensionInAnyCase) {
  const test::Scratch scratch;
  const Eigen::Matrix2d wanted = (Eigen::Matrix2d() << 4, -1, -1, 3).finished();
  const std::string market = "%%MatrixMarket matrix array real symmetric\n2 2\n4\n-1\n3\n";
  for (const char* name : {"K.MTX", "k.dat", "k.op4"})
    EXPECT_EQ(full(read_matrix(scratch.file(name, market))), wanted) << name;
  EXPECT_EQ(full(read_matrix(scratch.file("A.Mtx", "1 1 4\n2 1 -1\n2 2 3\n"))), wanted);
  EXPECT_EQ(full(read_matrix(scratch.file("K.STI", "1 1 4\n1 2 -1\n2 2 3\n"), "", {{1, 1}, {1, 2}})), wanted);
  (void)scratch.file("K.DOF", "1.1\n1.2\n");
  for (const char* name : {"K.MTX", "k.dat", "k.op4", "A.Mtx", "K.STI"}) {
    const FileInfo info = describe(scratch / name);
    EXPECT_EQ(info.format, "matrix") << name;
    ASSERT_EQ(info.matrices.size(), 1U) << name;
    EXPECT_EQ(info.matrices[0].summary.substr(0, 5), "2 x 2") << name;
  }
}

/// K and, within a struct, C, both sparse, by matio, an independent implementation.
void write_sparse(const std::filesystem::path& path, mat_ft version, matio_compression compression, bool complex) {
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, version);
  std::array<mat_uint32_t, 4> rows{0, 1, 0, 2};
  std::array<mat_uint32_t, 4> starts{0, 2, 2, 4};
  std::array<double, 4> values{4, -1, -0.5, 3}, parts{1, 2, 3, 4};
  mat_complex_split_t split{.Re = values.data(), .Im = parts.data()};
  mat_sparse_t sparse{};
  sparse.nzmax = sparse.nir = sparse.ndata = 4;
  sparse.ir = rows.data();
  sparse.njc = 4;
  sparse.jc = starts.data();
  sparse.data = complex ? static_cast<void*>(&split) : static_cast<void*>(values.data());
  const auto make = [&](const char* name) {
    std::array<std::size_t, 2> shape{3, 3};
    return Mat_VarCreate(name, MAT_C_SPARSE, MAT_T_DOUBLE, 2, shape.data(), &sparse,
                         MAT_F_DONT_COPY_DATA | (complex ? MAT_F_COMPLEX : 0));
  };
  std::array<std::size_t, 2> one{1, 1};
  std::array<const char*, 2> fields{"C", "scale"};
  double scale = 2;
  matvar_t* group = Mat_VarCreateStruct("model", 2, one.data(), fields.data(), 2);
  Mat_VarSetStructFieldByName(group, "C", 0, make("C"));
  Mat_VarSetStructFieldByName(group, "scale", 0,
                              Mat_VarCreate("scale", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one.data(), &scale, 0));
  for (matvar_t* variable : {make("K"), group}) {
    Mat_VarWrite(file, variable, compression);
    Mat_VarFree(variable);
  }
  Mat_Close(file);
}

TEST(MatrixFile, SparseMatricesOfMatlabAreRead) {
  const test::Scratch scratch;
  const Eigen::Matrix3d wanted = (Eigen::Matrix3d() << 4, 0, -0.5, -1, 0, 0, 0, 0, 3).finished();
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73})
    for (const matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
      write_sparse(scratch / "k.mat", version, compression, false);
      EXPECT_EQ(full(read_matrix(scratch / "k.mat", "K")), wanted) << version;
      EXPECT_EQ(full(read_matrix(scratch / "k.mat", "model/C")), wanted) << version;
      const Tree tree = read_mat(scratch / "k.mat");
      EXPECT_EQ(tree.archive.group("model").number("scale"), 2) << "what follows a sparse matrix";
      EXPECT_TRUE(tree.warnings.empty());
      const FileInfo info = describe(scratch / "k.mat");
      ASSERT_EQ(info.matrices.size(), 2U);
      EXPECT_EQ(info.matrices[0].name, "K");
      EXPECT_EQ(info.matrices[0].summary, "3 x 3, 4 entries");
    }
  write_sparse(scratch / "k.mat", MAT_FT_MAT5, MAT_COMPRESSION_NONE, false);
  survives_damage(read_file(scratch / "k.mat"),
                  [](const std::string& bytes) { return parse_mat(bytes, "k.mat").sparse; });
}

TEST(MatrixFile, SparseMatricesOfMatlabItselfAgreeInEveryForm) {
  SKIP_WITHOUT_SHARED_DATA();
  const auto folder = shared_data() / "formats/mat";
  for (const char* name :
       {"sp", "sp_diag", "struct_nested/easy_with_sparse_and_tag/sp", "cells_with_structs{2}/sp_diag"}) {
    const Eigen::MatrixXd little = full(read_matrix(folder / "test_le.mat", name));
    EXPECT_EQ(little.cols(), 10) << name;
    EXPECT_GT(little.cwiseAbs().maxCoeff(), 0) << name;
    EXPECT_EQ(full(read_matrix(folder / "test_be.mat", name)), little) << name;
    EXPECT_EQ(full(read_matrix(folder / "test_le_hdf5.mat", name)), little) << name;
  }
  const Eigen::MatrixXd diagonal = full(read_matrix(folder / "test_le.mat", "sp_diag"));
  EXPECT_EQ(diagonal, Eigen::MatrixXd(diagonal.diagonal().asDiagonal()));
}

TEST(MatrixFile, WhatMatlabFilesHoldBesidesIsSaidWhereAMatrixIsMissed) {
  const test::Scratch scratch;
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    write_sparse(scratch / "k.mat", version, MAT_COMPRESSION_NONE, true);
    const std::string name = (scratch / "k.mat").string();
    EXPECT_EQ(refusal([&] { (void)read_matrix(name); }),
              name + ": no matrix in it; variable 'K' is complex: left out; variable 'model.C' is complex: left out");
  }
}

TEST(MatrixFile, InfoTellsSymmetricFromHermitian) {
  const test::Scratch scratch;
  const auto told = [&](const std::string& kind, const std::string& entries) {
    return describe(scratch.file("k.mtx", "%%MatrixMarket matrix coordinate " + kind + "\n2 2 " + entries))
        .matrices.at(0)
        .summary;
  };
  EXPECT_EQ(told("real symmetric", "2\n1 1 2\n2 1 3\n"), "2 x 2, 3 entries, symmetric");
  EXPECT_EQ(told("real skew-symmetric", "1\n2 1 3\n"), "2 x 2, 2 entries");
  EXPECT_EQ(told("complex hermitian", "2\n1 1 2 0\n2 1 3 4\n"), "2 x 2, 3 entries, complex, Hermitian");
  EXPECT_EQ(told("complex symmetric", "2\n1 1 2 1\n2 1 3 4\n"), "2 x 2, 3 entries, complex, symmetric");
  EXPECT_EQ(told("complex general", "2\n1 2 3 4\n2 1 3 5\n"), "2 x 2, 2 entries, complex");
}

TEST(MatrixFile, PicksByNameAndSaysWhatThereIs) {
  SKIP_WITHOUT_SHARED_DATA();
  const auto path = shared_data() / "formats/op4/double_bigmat_le.op4";
  EXPECT_EQ(read_matrix(path, "RMAT").n_rows, 25U);
  EXPECT_NE(refusal([&] { (void)read_matrix(path); }).find("name one of them: RMAT"), std::string::npos);
  EXPECT_NE(refusal([&] { (void)read_matrix(path, "RMTA"); }).find("'RMAT'"), std::string::npos);
  const test::Scratch scratch;
  const auto unknown = scratch.file("k.xyz", "1 1 4\n"), alone = scratch.file("k.sti", "1 1 4\n");
  EXPECT_NE(refusal([&] { (void)read_matrix(unknown); }).find("'.xyz' is not read"), std::string::npos);
  EXPECT_NE(refusal([&] { (void)read_matrix(alone); }).find("coordinates"), std::string::npos);
  EXPECT_NE(refusal([&] { (void)read_matrix(scratch / "none.sti"); }).find("none.sti"), std::string::npos);
}

}  // namespace
}  // namespace microslip::io
