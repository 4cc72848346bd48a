#include <algorithm>
#include <map>
#include <set>

#include <microslip/core/text.hpp>
#include <microslip/io/line_reader.hpp>
#include <microslip/io/mesh_msh.hpp>

namespace microslip::io {

namespace {

struct Kind {
  Shape shape;
  std::size_t n_nodes;
  std::vector<std::size_t> order;  ///< gmsh's place of each of our nodes; empty: the same
};

/// Kinds of elements by gmsh's numbers; of the others only the number of nodes matters.
const Kind* kind_of(std::int64_t number) {
  static const std::map<std::int64_t, Kind> kinds{
      {1, {Shape::other, 2, {}}},
      {2, {Shape::triangle3, 3, {}}},
      {3, {Shape::quad4, 4, {}}},
      {4, {Shape::tetra4, 4, {}}},
      {5, {Shape::hexa8, 8, {}}},
      {6, {Shape::wedge6, 6, {}}},
      {8, {Shape::other, 3, {}}},
      {9, {Shape::triangle6, 6, {}}},
      {11, {Shape::tetra10, 10, {0, 1, 2, 3, 4, 5, 6, 7, 9, 8}}},
      {15, {Shape::other, 1, {}}},
      {16, {Shape::quad8, 8, {}}},
      {17, {Shape::hexa20, 20, {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15}}},
      {18, {Shape::wedge15, 15, {0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11}}}};
  const auto found = kinds.find(number);
  return found == kinds.end() ? nullptr : &found->second;
}

class MshReader {
 public:
  MshReader(std::string_view text, const std::string& name) : reader_(text, name) {}

  Mesh read() {
    for (std::string_view line; reader_.next(line);) {
      const std::string section(trim(line));
      if (section.empty()) continue;
      if (section.front() != '$') reader_.refuse("expected a section such as $Nodes");
      if (section == "$MeshFormat") {
        format();
      } else if (version_ == 0) {
        reader_.refuse("expected $MeshFormat first: this is not a gmsh mesh");
      } else if (section == "$PhysicalNames") {
        names();
      } else if (section == "$Entities") {
        entities();
      } else if (section == "$Nodes") {
        version_ < 4 ? nodes_2() : nodes_4();
      } else if (section == "$Elements") {
        version_ < 4 ? elements_2() : elements_4();
      }
      skip_to("$End" + section.substr(1));
    }
    if (mesh_.nodes.empty()) throw InvalidInput(fmt::format("{}: no nodes in it", reader_.name()));
    for (const auto& [group, members] : members_) mesh_.node_sets[group].assign(members.begin(), members.end());
    return std::move(mesh_);
  }

 private:
  using Group = std::pair<std::int64_t, std::int64_t>;  ///< dimension, tag

  void skip_to(const std::string& end) {
    while (trim(reader_.expect(end)) != end) continue;
  }
  std::int64_t integer(std::string_view& line, std::string_view what) const {
    std::int64_t value = 0;
    if (!take(line, value)) reader_.refuse(fmt::format("expected {}", what));
    return value;
  }
  std::int64_t count(std::string_view& line) const {
    const std::int64_t n = integer(line, "a number of items");
    if (n < 0) reader_.refuse(fmt::format("{} items make no sense", n));
    return n;
  }

  void format() {
    std::string_view line = reader_.expect("the format's version");
    std::int64_t binary = 0;
    if (!take(line, version_)) reader_.refuse("expected the format's version");
    binary = integer(line, "whether the file is binary");
    if (binary != 0) reader_.refuse("a binary gmsh mesh: save it as ASCII (gmsh -save -format msh41)");
    if (version_ != 2.2 && version_ != 4.1) reader_.refuse(fmt::format("format {}: 2.2 or 4.1 is expected", version_));
  }

  void names() {
    std::string_view line = reader_.expect("the number of names");
    for (std::int64_t n = count(line); n > 0; --n) {
      line = reader_.expect("a physical name");
      const std::int64_t dimension = integer(line, "a dimension"), tag = integer(line, "a tag");
      const std::size_t from = line.find('"'), to = line.rfind('"');
      if (from == std::string_view::npos || to == from) reader_.refuse("expected a name in quotes");
      names_[{dimension, tag}] = std::string(line.substr(from + 1, to - from - 1));
    }
  }

  /// Which physical groups each geometrical entity belongs to (format 4).
  void entities() {
    std::string_view line = reader_.expect("the numbers of entities");
    for (std::int64_t dimension = 0; dimension < 4; ++dimension)
      counts_[static_cast<std::size_t>(dimension)] = count(line);
    for (std::int64_t dimension = 0; dimension < 4; ++dimension)
      for (std::int64_t n = counts_[static_cast<std::size_t>(dimension)]; n > 0; --n) {
        line = reader_.expect("an entity");
        const std::int64_t tag = integer(line, "an entity's tag");
        for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i)
          if (double bound = 0; !take(line, bound)) reader_.refuse("expected an entity's bounds");
        for (std::int64_t groups = count(line); groups > 0; --groups)
          groups_of_[{dimension, tag}].push_back(integer(line, "a physical tag"));
      }
  }

  void add_node(std::int64_t id, std::string_view line) {
    std::array<double, 3> x{};
    for (double& value : x)
      if (!take(line, value)) reader_.refuse(fmt::format("expected the position of node {}", id));
    if (!mesh_.nodes.emplace(id, x).second) reader_.refuse(fmt::format("node {} is given twice", id));
  }

  void nodes_2() {
    std::string_view line = reader_.expect("the number of nodes");
    for (std::int64_t n = count(line); n > 0; --n) {
      line = reader_.expect("a node");
      const std::int64_t id = integer(line, "a node's number");
      add_node(id, line);
    }
  }

  void nodes_4() {
    std::string_view line = reader_.expect("the number of blocks");
    for (std::int64_t blocks = count(line); blocks > 0; --blocks) {
      line = reader_.expect("a block of nodes");
      for (const char* what : {"a dimension", "an entity", "a flag"}) (void)integer(line, what);
      std::vector<std::int64_t> ids;
      for (std::int64_t n = count(line); n > 0; --n) {
        std::string_view tag = reader_.expect("a node's number");
        ids.push_back(integer(tag, "a node's number"));
      }
      for (std::int64_t id : ids) add_node(id, reader_.expect("a node's position"));
    }
  }

  void add_element(std::int64_t id, std::int64_t number, std::int64_t dimension,
                   const std::vector<std::int64_t>& groups, std::string_view line) {
    const Kind* kind = kind_of(number);
    if (kind == nullptr) reader_.refuse(fmt::format("element {} is of gmsh's kind {}, which is not read", id, number));
    std::vector<NodeId> given;
    for (std::size_t i = 0; i < kind->n_nodes; ++i) {
      given.push_back(integer(line, fmt::format("{} nodes of element {}", kind->n_nodes, id)));
      if (mesh_.nodes.count(given.back()) == 0)
        reader_.refuse(fmt::format("element {} names node {}, which is not there", id, given.back()));
    }
    Mesh::Element element{kind->shape, given};
    for (std::size_t i = 0; i < kind->order.size(); ++i) element.nodes[i] = given[kind->order[i]];
    for (std::int64_t group : groups) {
      const auto name = names_.find({dimension, group});
      if (name == names_.end()) continue;
      members_[name->second].insert(given.begin(), given.end());
      if (dimension == 2) mesh_.surfaces[name->second].push_back(element.nodes);
    }
    if (!mesh_.elements.emplace(id, std::move(element)).second)
      reader_.refuse(fmt::format("element {} is given twice", id));
  }

  void elements_2() {
    std::string_view line = reader_.expect("the number of elements");
    for (std::int64_t n = count(line); n > 0; --n) {
      line = reader_.expect("an element");
      const std::int64_t id = integer(line, "an element's number"), number = integer(line, "an element's kind");
      std::vector<std::int64_t> tags;
      for (std::int64_t n_tags = count(line); n_tags > 0; --n_tags) tags.push_back(integer(line, "a tag"));
      tags.resize(std::min<std::size_t>(tags.size(), 1));  // the first is the physical group
      const bool volume = number == 4 || number == 5 || number == 6 || number == 11 || number == 17 || number == 18;
      const bool line_kind = number == 1 || number == 8;
      add_element(id, number, volume ? 3 : (number == 15 ? 0 : (line_kind ? 1 : 2)), tags, line);
    }
  }

  void elements_4() {
    std::string_view line = reader_.expect("the number of blocks");
    for (std::int64_t blocks = count(line); blocks > 0; --blocks) {
      line = reader_.expect("a block of elements");
      const std::int64_t dimension = integer(line, "a dimension"), entity = integer(line, "an entity");
      const std::int64_t number = integer(line, "an element's kind");
      const std::vector<std::int64_t> groups = groups_of_[{dimension, entity}];
      for (std::int64_t n = count(line); n > 0; --n) {
        std::string_view row = reader_.expect("an element");
        const std::int64_t id = integer(row, "an element's number");
        add_element(id, number, dimension, groups, row);
      }
    }
  }

  LineReader reader_;
  Mesh mesh_;
  double version_ = 0;
  std::array<std::int64_t, 4> counts_{};
  std::map<Group, std::string> names_;
  std::map<Group, std::vector<std::int64_t>> groups_of_;
  std::map<std::string, std::set<NodeId>> members_;
};

}  // namespace

Mesh parse_msh(std::string_view text, const std::string& name) { return MshReader(text, name).read(); }

}  // namespace microslip::io
