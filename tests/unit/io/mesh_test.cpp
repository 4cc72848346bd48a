// Meshes of Abaqus, CalculiX and gmsh.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <microslip/core/check.hpp>
#include <microslip/io/mesh_file.hpp>
#include <microslip/io/mesh_inp.hpp>
#include <microslip/io/mesh_msh.hpp>

#include "support/refusal.hpp"

namespace microslip::io {
namespace {

using test::refusal;
using test::shared_data;

const std::string inp =
    "*Heading\n a bar\n** a comment\n*Node, nset=Nall\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 0, 0, 1\n"
    "6, 1, 0, 1\n7, 1, 1, 1\n8, 0, 1, 1\n*Element, type=C3D8R, elset=bar\n1, 1, 2, 3, 4,\n5, 6, 7, 8\n"
    "*Nset, nset=low\n1, 2, 3, 4\n*Nset, nset=some, generate\n2, 8, 3\n*Nset, nset=both\nlow, 8\n"
    "*Surface, name=up, type=ELEMENT\nbar, S2\n*Step\n";

TEST(InpMesh, ReadsNodesElementsSetsAndSurfaces) {
  const Mesh mesh = parse_inp(inp, "bar.inp");
  EXPECT_EQ(mesh.nodes.size(), 8U);
  EXPECT_EQ(mesh.elements.at(1).shape, Shape::hexa8);
  EXPECT_EQ(mesh.elements.at(1).nodes.size(), 8U);
  EXPECT_EQ(mesh.node_sets.at("SOME"), (std::vector<NodeId>{2, 5, 8}));
  EXPECT_EQ(mesh.node_sets.at("BOTH"), (std::vector<NodeId>{1, 2, 3, 4, 8}));
  EXPECT_EQ(mesh.surfaces.at("UP").front(), (Face{5, 8, 7, 6}));
  EXPECT_EQ(faces_named(mesh, "low").front(), (Face{1, 2, 3, 4}));  // names ignore case
  EXPECT_NE(refusal([&] { (void)faces_named(mesh, "some"); }).find("holds no whole face"), std::string::npos);
  EXPECT_NE(refusal([&] { (void)nodes_named(mesh, "LOWE"); }).find("'LOW'"), std::string::npos);
}

TEST(InpMesh, RepeatsWithinASetCountOnce) {  // a bolt's force is shared by the nodes of its set
  const Mesh mesh = parse_inp(inp.substr(0, inp.find("*Surface")) +
                                  "*Nset, nset=twice\nlow, 3, 8, 8\n*Elset, elset=bars\nbar, 1\n"
                                  "*Surface, name=up\nbars, S2\n1, S2\n",
                              "bar.inp");
  EXPECT_EQ(mesh.node_sets.at("TWICE"), (std::vector<NodeId>{1, 2, 3, 4, 8}));
  EXPECT_EQ(mesh.surfaces.at("UP").size(), 1U);
}

TEST(InpMesh, ASetOfNodesMayBeThoseOfElements) {
  const std::string head = inp.substr(0, inp.find("*Surface"));
  const Mesh mesh = parse_inp(head + "*Nset, nset=of_bar, elset=bar\n*Nset, nset=more\nof_bar\n", "bar.inp");
  EXPECT_EQ(mesh.node_sets.at("OF_BAR"), (std::vector<NodeId>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(mesh.node_sets.at("MORE").size(), 8U);
  const auto said = [&](const std::string& tail) { return refusal([&] { (void)parse_inp(head + tail, "bar.inp"); }); };
  EXPECT_NE(said("*Nset, nset=a, elset=barr\n").find("no element set 'BARR' given before"), std::string::npos);
  EXPECT_NE(said("*Elset, elset=e\n9\n*Nset, nset=a, elset=e\n").find("no element 9 given before"), std::string::npos);
}

TEST(InpMesh, WhatWouldMoveOrMakeNodesIsRefusedByName) {
  const auto said = [](const std::string& text) {
    return refusal([&] { (void)parse_inp("*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n" + text, "bar.inp"); });
  };
  for (const char* name : {"NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY"})
    EXPECT_EQ(
        said(fmt::format("*{}\n1, 2, 1\n", name)),
        fmt::format("bar.inp:4: *{} is not carried out: give every node and element in global coordinates", name));
  EXPECT_EQ(said("*SYSTEM\n1, 2, 1\n"),
            "bar.inp:5: *SYSTEM is not carried out: give every node and element in global coordinates");
  EXPECT_EQ(parse_inp("*SYSTEM\n*NODE\n1, 0, 0, 0\n", "bar.inp").nodes.size(), 1U);  // the global one
  EXPECT_EQ(said("*Instance, name=bar-1, part=bar\n0., 0., 5.\n"),
            "bar.inp:5: *INSTANCE is not carried out: give every node and element in global coordinates");
  EXPECT_EQ(parse_inp("*Instance, name=a, part=b\n*NODE\n1, 0, 0, 0\n*End Instance\n", "bar.inp").nodes.size(), 1U);
  EXPECT_EQ(said("*Node, system=c\n3, 1, 90, 0\n"),
            "bar.inp:4: *NODE with SYSTEM=C: rectangular coordinates are expected");
  EXPECT_EQ(parse_inp("*NODE, SYSTEM=R\n1, 0, 0, 0\n", "bar.inp").nodes.size(), 1U);
  for (const char* name : {"NODE", "ELEMENT, TYPE=C3D8", "NSET, NSET=A", "ELSET, ELSET=A"})
    EXPECT_NE(said(fmt::format("*{}, INPUT=a.inp\n", name)).find("INPUT='a.inp' is not followed: paste the file in"),
              std::string::npos)
        << name;
}

TEST(InpMesh, ARangeHoldsWhatWasGivenAndCostsNoMore) {
  const std::string nodes = "*NODE\n1, 0, 0, 0\n5, 1, 0, 0\n6, 1, 1, 0\n9, 0, 1, 0\n";
  const Mesh mesh = parse_inp(nodes + "*NSET, NSET=A, GENERATE\n1, 9000000000000000000, 4\n", "a.inp");
  EXPECT_EQ(mesh.node_sets.at("A"), (std::vector<NodeId>{1, 5, 9}));
}

TEST(InpMesh, SetsOfSetsDoNotGrowWithEveryMention) {  // doubled seventy times, two nodes would fill any memory
  std::string text = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n*NSET, NSET=S0\n1, 2\n";
  for (int i = 1; i <= 70; ++i)
    text += "*NSET, NSET=S" + std::to_string(i) + "\nS" + std::to_string(i - 1) + ", S" + std::to_string(i - 1) + "\n";
  EXPECT_EQ(parse_inp(text, "a.inp").node_sets.at("S70"), (std::vector<NodeId>{1, 2}));
}

TEST(InpMesh, FacesOfQuadraticElementsCarryTheirMiddles) {
  Mesh::Element tetra{Shape::tetra10, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
  EXPECT_EQ(faces_of(tetra).at(1), (Face{1, 4, 2, 8, 9, 5}));
}

TEST(InpMesh, TheCountOfNodesFollowsTheFamilysName) {
  const auto shape = [](const std::string& type, std::size_t n_nodes) {
    std::string text = "*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=" + type + "\n7";
    for (std::size_t i = 1; i <= n_nodes; ++i) text += (i == 16 ? ",\n" : ", ") + std::to_string(i);
    const Mesh mesh = parse_inp(text + "\n", "a.inp");
    EXPECT_EQ(mesh.elements.at(7).nodes.size(), n_nodes) << type;
    return mesh.elements.at(7).shape;
  };
  EXPECT_EQ(shape("C3D8R", 8), Shape::hexa8);
  EXPECT_EQ(shape("DC3D20", 20), Shape::hexa20);  // on two lines
  EXPECT_EQ(shape("M3D4R", 4), Shape::quad4);     // not the 3 of M3D
  EXPECT_EQ(shape("M3D6", 6), Shape::triangle6);
  EXPECT_EQ(shape("M3D3", 3), Shape::triangle3);
  EXPECT_EQ(shape("SFM3D4", 4), Shape::quad4);
  EXPECT_EQ(shape("R3D3", 3), Shape::triangle3);
  EXPECT_EQ(shape("S8R5", 8), Shape::quad8);
  EXPECT_EQ(shape("STRI3", 3), Shape::triangle3);
  EXPECT_EQ(shape("STRI65", 6), Shape::triangle6);  // 6 nodes, 5 degrees of freedom at each
  EXPECT_EQ(shape("CPE6M", 6), Shape::triangle6);
  EXPECT_EQ(shape("SC8R", 8), Shape::other);  // a brick in the guise of a shell
  EXPECT_EQ(shape("SPRING2", 2), Shape::other);
}

TEST(InpMesh, RefusesWithFileAndLine) {
  const auto said = [](const std::string& text) { return refusal([&] { (void)parse_inp(text, "bar.inp"); }); };
  EXPECT_NE(said("").find("no *NODE"), std::string::npos);
  EXPECT_NE(said("*NODE\n1, 0, x, 0\n").find("bar.inp:2"), std::string::npos);
  EXPECT_NE(said("*NODE\n1, 0, 0, 0\n1, 0, 0, 0\n").find("given twice"), std::string::npos);
  EXPECT_NE(said("*NODE\n1, 0, 0, 0\n*ELEMENT\n1, 1\n").find("without TYPE="), std::string::npos);
  EXPECT_NE(said("*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=C3D4\n1, 1, 1\n*STEP\n").find("has 2 nodes, 4"), std::string::npos);
  EXPECT_NE(said("*NODE\n1, 0, 0, 0\n*NSET, NSET=A, GENERATE\n1, 5, 0\n").find("makes no sense"), std::string::npos);
  EXPECT_NE(said("*NODE\n1, 0, 0, 0\n*NSET, NSET=A, GENERATE\n1, 33333333 8, 3\n").find("'8, 3' behind a range"),
            std::string::npos);
  EXPECT_NE(said("*NODE\n1, 0, 0, 0\n*NSET, NSET=A, GENERATE\n2, 5\n").find("holds no node given before"),
            std::string::npos);
  EXPECT_NE(said("*NODE\n1, 0, 0, 0\n*NSET, NSET=A\nB\n").find("neither a number nor a set"), std::string::npos);
  EXPECT_NE(said("*INCLUDE, INPUT=a.inp\n").find("not followed"), std::string::npos);
  for (std::size_t n = 0; n < inp.size(); ++n)
    for (char c : {'\0', '*', ',', '9', '\n'}) {
      std::string bad = inp;
      bad[n] = c;
      try {
        (void)parse_inp(bad, "bar.inp");
      } catch (const InvalidInput&) {
      }
    }
}

TEST(InpMesh, RealCalculixInput) {
  SKIP_WITHOUT_SHARED_DATA();
  const Mesh mesh = read_mesh(shared_data() / "formats/calculix/beam_ms.inp");
  EXPECT_EQ(mesh.nodes.size(), 28U);
  EXPECT_EQ(mesh.elements.size(), 6U);
  EXPECT_EQ(faces_named(mesh, "TIP").size(), 1U);
}

const std::string msh_41 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 7 \"contact face\"\n$EndPhysicalNames\n"
    "$Entities\n0 0 1 0\n1 0 0 0 1 1 0 1 7 0\n$EndEntities\n$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n1 1 0\n"
    "0 1 0\n$EndNodes\n$Elements\n1 1 1 1\n2 1 3 1\n1 1 2 3 4\n$EndElements\n";
const std::string msh_22 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 7 \"contact face\"\n$EndPhysicalNames\n"
    "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n$Elements\n1\n1 3 2 7 1 1 2 3 4\n$EndElements\n";

TEST(MshMesh, BothFormatsGiveTheSameGroups) {
  for (const std::string& text : {msh_22, msh_41}) {
    const Mesh mesh = parse_msh(text, "a.msh");
    EXPECT_EQ(mesh.nodes.at(3), (std::array<double, 3>{1, 1, 0}));
    EXPECT_EQ(mesh.elements.at(1).shape, Shape::quad4);
    EXPECT_EQ(mesh.surfaces.at("contact face").front(), (Face{1, 2, 3, 4}));
    EXPECT_EQ(mesh.node_sets.at("contact face").size(), 4U);
  }
}

TEST(MeshFile, ContentDecidesThenTheExtensionInAnyCase) {
  const test::Scratch scratch;
  EXPECT_EQ(read_mesh(scratch.file("A.MSH", msh_22)).nodes.size(), 4U);
  EXPECT_EQ(read_mesh(scratch.file("gmsh.txt", msh_41)).nodes.size(), 4U);
  EXPECT_EQ(read_mesh(scratch.file("BAR.INP", inp)).nodes.size(), 8U);
}

TEST(MshMesh, RefusesWithFileAndLine) {
  const auto said = [](const std::string& text) { return refusal([&] { (void)parse_msh(text, "a.msh"); }); };
  EXPECT_NE(said("*NODE\n").find("a.msh:1"), std::string::npos);
  EXPECT_NE(said("$MeshFormat\n4.1 1 8\n").find("binary"), std::string::npos);
  EXPECT_NE(said("$MeshFormat\n3.0 0 8\n").find("2.2 or 4.1"), std::string::npos);
  EXPECT_NE(said("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n").find("no nodes"), std::string::npos);
  EXPECT_EQ(said("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 1 1 0\n$EndNodes\n"
                 "$Elements\n2\n1 2 0 1 2 3\n1 2 0 1 3 2\n$EndElements\n"),
            "a.msh:13: element 1 is given twice");
  EXPECT_NE(said(msh_22.substr(0, msh_22.size() - 14)).find("ends after line"), std::string::npos);
  for (const std::string& good : {msh_22, msh_41})
    for (std::size_t n = 0; n < good.size(); ++n)
      for (char c : {'\0', '$', '-', '9', '\n'}) {
        std::string bad = good;
        bad[n] = c;
        try {
          (void)parse_msh(bad, "a.msh");
        } catch (const InvalidInput&) {
        }
      }
}

}  // namespace
}  // namespace microslip::io
