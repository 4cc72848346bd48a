#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <microslip/core/letter_case.hpp>
#include <microslip/core/text.hpp>
#include <microslip/io/line_reader.hpp>
#include <microslip/io/mesh_inp.hpp>

namespace microslip::io {

namespace {

/// *KEYWORD, OPTION=VALUE, FLAG
struct Keyword {
  std::string name;
  std::map<std::string, std::string> options;

  explicit Keyword(std::string_view line) {
    bool first = true;
    for (const std::string& part : split(line, ',')) {
      if (std::exchange(first, false)) {
        name = upper_case(trim(std::string_view(part).substr(1)));
        continue;
      }
      const std::size_t equals = part.find('=');
      options[upper_case(trim(std::string_view(part).substr(0, equals)))] =
          equals == std::string::npos ? "" : std::string(trim(std::string_view(part).substr(equals + 1)));
    }
  }
  [[nodiscard]] bool has(const std::string& option) const { return options.count(option) > 0; }
  [[nodiscard]] std::string value(const std::string& option) const {
    const auto found = options.find(option);
    return found == options.end() ? "" : upper_case(found->second);
  }
};

struct Kind {
  Shape shape;
  std::size_t n_nodes;  ///< 0: all on one line, whatever their number
};

Shape solid(std::int64_t n_nodes) {
  switch (n_nodes) {
    case 4:
      return Shape::tetra4;
    case 6:
      return Shape::wedge6;
    case 8:
      return Shape::hexa8;
    case 10:
      return Shape::tetra10;
    case 15:
      return Shape::wedge15;
    case 20:
      return Shape::hexa20;
    default:
      return Shape::other;
  }
}

Shape plane(std::int64_t n_nodes) {
  switch (n_nodes) {
    case 3:
      return Shape::triangle3;
    case 4:
      return Shape::quad4;
    case 6:
      return Shape::triangle6;
    case 8:
      return Shape::quad8;
    default:
      return Shape::other;
  }
}

/// Shape of an element type: the name of its family, then at once the number of its nodes. Whatever else follows the
/// family (SC8R is a brick, SPRING2 a spring) is of another one.
Kind kind_of(std::string_view type) {
  struct Family {
    std::string_view name;
    Shape (*shape)(std::int64_t n_nodes);
  };
  constexpr std::array families{
      Family{"C3D", solid},  Family{"DC3D", solid}, Family{"S", plane},    Family{"DS", plane},
      Family{"STRI", plane}, Family{"M3D", plane},  Family{"R3D", plane},  Family{"SFM3D", plane},
      Family{"CPS", plane},  Family{"CPE", plane},  Family{"CPEG", plane}, Family{"CAX", plane},
  };
  if (type.starts_with("STRI65")) return {Shape::triangle6, 6};  // 6 nodes with 5 degrees of freedom each
  for (const Family& family : families) {
    if (!type.starts_with(family.name)) continue;
    std::string_view tail = type.substr(family.name.size());
    std::int64_t count = 0;
    if (tail.empty() || std::isdigit(static_cast<unsigned char>(tail.front())) == 0 || !take(tail, count)) continue;
    const Shape shape = family.shape(count);
    return {shape, shape == Shape::other ? 0 : static_cast<std::size_t>(count)};
  }
  return {Shape::other, 0};
}

/// Members in the order in which they were first named; each counts once, however often it is named.
template <class Member>
class InOrder {
 public:
  void add(const Member& member) {
    if (seen_.insert(member).second) members_.push_back(member);
  }
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }

 private:
  std::vector<Member> members_;
  std::set<Member> seen_;
};

class InpReader {
 public:
  InpReader(std::string_view text, const std::string& name) : reader_(text, name) {}

  Mesh read() {
    Keyword keyword("*");
    for (std::string_view line; reader_.next(line);) {
      if (is_blank(line) || line.substr(0, 2) == "**") continue;
      if (line.front() == '*') {
        std::string whole(line);
        while (trim(whole).back() == ',') whole += reader_.expect("the rest of a keyword line");
        keyword = Keyword(whole);
        open(keyword);
      } else if (keyword.name == "NODE") {
        node(line, keyword);
      } else if (keyword.name == "ELEMENT") {
        element(line, keyword);
      } else if (keyword.name == "NSET" || keyword.name == "ELSET") {
        member(line, keyword);
      } else if (keyword.name == "SURFACE") {
        surface(line, keyword);
      } else if (keyword.name == "SYSTEM" || keyword.name == "INSTANCE") {  // without data, neither moves anything
        refuse_as_not_done(keyword);
      }
    }
    finish_element();
    resolve_surfaces();
    for (const auto& [name, set] : node_sets_) mesh_.node_sets[name] = set.members();
    for (const auto& [name, surface] : surfaces_) mesh_.surfaces[name] = surface.members();
    return std::move(mesh_);
  }

 private:
  using Ids = InOrder<std::int64_t>;

  void open(const Keyword& keyword) {
    finish_element();
    refuse_what_is_not_done(keyword);
    if (keyword.name == "ELEMENT") {
      if (!keyword.has("TYPE")) reader_.refuse("*ELEMENT without TYPE=");
      kind_ = kind_of(keyword.value("TYPE"));
    }
    if (keyword.name == "INCLUDE")
      reader_.refuse("*INCLUDE is not followed: paste the file in, or name the included file as the mesh");
    if ((keyword.name == "NSET" || keyword.name == "ELSET" || keyword.name == "SURFACE") && set_name(keyword).empty())
      reader_.refuse(fmt::format("*{} without a name", keyword.name));
    if (keyword.name == "NSET" && keyword.has("ELSET"))
      add_nodes_of(keyword.value("ELSET"), node_sets_[set_name(keyword)]);
    if (keyword.name == "SURFACE" && !keyword.value("TYPE").empty() && keyword.value("TYPE") != "ELEMENT" &&
        keyword.value("TYPE") != "NODE")
      reader_.refuse(fmt::format("*SURFACE of type '{}': ELEMENT or NODE is expected", keyword.value("TYPE")));
  }

  void refuse_as_not_done(const Keyword& keyword) const {
    reader_.refuse(
        fmt::format("*{} is not carried out: give every node and element in global coordinates", keyword.name));
  }

  /// What makes or moves nodes and elements: without it the mesh would be another one.
  void refuse_what_is_not_done(const Keyword& keyword) const {
    constexpr std::array<std::string_view, 6> makers{"NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY"};
    constexpr std::array<std::string_view, 5> readers{"NODE", "ELEMENT", "NSET", "ELSET", "SURFACE"};
    if (std::find(makers.begin(), makers.end(), keyword.name) != makers.end()) refuse_as_not_done(keyword);
    if (std::find(readers.begin(), readers.end(), keyword.name) != readers.end() && keyword.has("INPUT"))
      reader_.refuse(fmt::format("*{} with INPUT='{}' is not followed: paste the file in", keyword.name,
                                 keyword.options.at("INPUT")));
    if (const std::string system = keyword.value("SYSTEM"); keyword.name == "NODE" && !system.empty() && system != "R")
      reader_.refuse(fmt::format("*NODE with SYSTEM={}: rectangular coordinates are expected", system));
  }

  /// *NSET with ELSET=: the nodes of the elements given so far.
  void add_nodes_of(const std::string& name, Ids& set) const {
    const auto found = element_sets_.find(name);
    if (found == element_sets_.end()) reader_.refuse(fmt::format("no element set '{}' given before", name));
    for (const std::int64_t id : found->second.members()) {
      const auto element = mesh_.elements.find(id);
      if (element == mesh_.elements.end()) reader_.refuse(fmt::format("no element {} given before", id));
      for (const NodeId node : element->second.nodes) set.add(node);
    }
  }

  static std::string set_name(const Keyword& keyword) {
    return keyword.value(keyword.name == "SURFACE" ? "NAME" : keyword.name);
  }

  void node(std::string_view line, const Keyword& keyword) {
    NodeId id = 0;
    std::array<double, 3> x{};
    if (!take(line, id)) reader_.refuse("expected a node: number, x, y, z");
    for (double& value : x)
      if (take_comma(line) && !is_blank(line) && !take(line, value))
        reader_.refuse(fmt::format("node {} has a coordinate that is not a number", id));
    if (!mesh_.nodes.emplace(id, x).second) reader_.refuse(fmt::format("node {} is given twice", id));
    if (const std::string set = keyword.value("NSET"); !set.empty()) node_sets_[set].add(id);
  }

  void element(std::string_view line, const Keyword& keyword) {
    std::int64_t number = 0;
    while (!is_blank(line)) {
      if (!take(line, number)) reader_.refuse("expected an element: number, nodes");
      if (pending_.empty() && pending_id_ == 0) {
        pending_id_ = number;
      } else {
        pending_.push_back(number);
      }
      if (!take_comma(line) && !is_blank(line)) reader_.refuse("expected commas between numbers");
    }
    if (pending_.size() < kind_.n_nodes) return;  // continued on the next line
    if (kind_.n_nodes != 0 && pending_.size() > kind_.n_nodes)
      reader_.refuse(fmt::format("element {} has {} nodes, type {} has {}", pending_id_, pending_.size(),
                                 keyword.value("TYPE"), kind_.n_nodes));
    if (const std::string set = keyword.value("ELSET"); !set.empty()) element_sets_[set].add(pending_id_);
    if (!mesh_.elements.emplace(pending_id_, Mesh::Element{kind_.shape, std::move(pending_)}).second)
      reader_.refuse(fmt::format("element {} is given twice", pending_id_));
    pending_.clear();
    pending_id_ = 0;
  }

  void finish_element() {
    if (pending_id_ != 0)
      reader_.refuse(
          fmt::format("element {} has {} nodes, {} are expected", pending_id_, pending_.size(), kind_.n_nodes));
  }

  void member(std::string_view line, const Keyword& keyword) {
    auto& sets = keyword.name == "NSET" ? node_sets_ : element_sets_;
    Ids& set = sets[set_name(keyword)];
    if (keyword.has("GENERATE")) {
      std::int64_t from = 0, to = 0, step = 1;
      if (!take(line, from) || !take_comma(line) || !take(line, to)) reader_.refuse("expected a range: from, to, step");
      if (take_comma(line) && !is_blank(line) && !take(line, step)) reader_.refuse("expected a step");
      if (!is_blank(line) && !(take_comma(line) && is_blank(line)))
        reader_.refuse(fmt::format("'{}' behind a range: from, to, step is expected", trim(line)));
      if (keyword.name == "NSET") {
        add_range(set, mesh_.nodes, "node", from, to, step);
      } else {
        add_range(set, mesh_.elements, "element", from, to, step);
      }
      return;
    }
    for (const std::string& part : split(line, ',')) {
      if (trim(part).empty()) continue;
      std::string_view rest = part;
      if (std::int64_t id = 0; take(rest, id) && is_blank(rest)) {
        set.add(id);
        continue;
      }
      const std::string other = upper_case(trim(part));  // a set within a set
      const auto found = sets.find(other);
      if (found == sets.end() || other == set_name(keyword))
        reader_.refuse(fmt::format("'{}' is neither a number nor a set given before", trim(part)));
      for (const std::int64_t id : found->second.members()) set.add(id);
    }
  }

  /// Those of a range that were given before: a range may leap over numbers that nothing has, but not miss all.
  template <class Known>
  void add_range(Ids& set, const Known& known, std::string_view what, std::int64_t from, std::int64_t to,
                 std::int64_t step) {
    const std::string range = fmt::format("a range from {} to {} by {}", from, to, step);
    if (step <= 0 || to < from || from <= 0) reader_.refuse(range + " makes no sense");
    bool any = false;
    for (auto entry = known.lower_bound(from); entry != known.end() && entry->first <= to; ++entry) {
      if ((entry->first - from) % step != 0) continue;
      set.add(entry->first);
      any = true;
    }
    if (!any) reader_.refuse(fmt::format("{} holds no {} given before", range, what));
  }

  /// Kept until the end: a surface may name elements that come later.
  void surface(std::string_view line, const Keyword& keyword) {
    const std::vector<std::string> parts = split(line, ',');
    requests_.push_back({set_name(keyword), keyword.value("TYPE") == "NODE", upper_case(trim(parts[0])),
                         parts.size() > 1 ? upper_case(trim(parts[1])) : "", reader_.number()});
  }

  void resolve_surfaces() {
    for (const Request& request : requests_) {
      std::vector<std::int64_t> members;
      std::string_view rest = request.member;
      if (std::int64_t id = 0; take(rest, id) && is_blank(rest)) {
        members.push_back(id);
      } else {
        const auto& sets = request.of_nodes ? node_sets_ : element_sets_;
        const auto found = sets.find(request.member);
        if (found == sets.end()) refuse(request, fmt::format("no set '{}' for a surface", request.member));
        members = found->second.members();
      }
      if (request.of_nodes) {
        for (const std::int64_t id : members) node_sets_[request.surface].add(id);
        continue;
      }
      for (std::int64_t id : members) {
        const auto element = mesh_.elements.find(id);
        if (element == mesh_.elements.end()) refuse(request, fmt::format("no element {} for a surface", id));
        const std::vector<Face> faces = faces_of(element->second);
        std::string_view label = request.face;
        std::int64_t face = 1;
        const bool given = !label.empty() && label.front() == 'S' && label.size() > 1 && label[1] != 'P';
        if (given) label.remove_prefix(1);
        if ((given && !take(label, face)) || face < 1 || face > static_cast<std::int64_t>(faces.size()) ||
            (!given && faces.size() != 1))
          refuse(request, fmt::format("element {} has no face '{}'", id, request.face));
        surfaces_[request.surface].add(faces[static_cast<std::size_t>(face - 1)]);
      }
    }
  }

  struct Request {
    std::string surface;
    bool of_nodes;
    std::string member, face;
    std::size_t line;
  };
  [[noreturn]] void refuse(const Request& request, const std::string& what) const {
    throw InvalidInput(fmt::format("{}:{}: {}", reader_.name(), request.line, what));
  }

  LineReader reader_;
  Mesh mesh_;
  std::map<std::string, Ids> node_sets_, element_sets_;
  std::map<std::string, InOrder<Face>> surfaces_;
  std::vector<Request> requests_;
  Kind kind_{Shape::other, 0};
  std::vector<NodeId> pending_;
  std::int64_t pending_id_ = 0;
};

}  // namespace

Mesh parse_inp(std::string_view text, const std::string& name) {
  Mesh mesh = InpReader(text, name).read();
  if (mesh.nodes.empty()) throw InvalidInput(fmt::format("{}: no *NODE, an Abaqus or CalculiX mesh is expected", name));
  return mesh;
}

}  // namespace microslip::io
