#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <microslip/core/check.hpp>
#include <microslip/io/csv.hpp>
#include <microslip/io/file.hpp>
#include <microslip/study/ranks.hpp>
#include <microslip/verbs/study.hpp>

namespace microslip::verbs {

namespace {

using study::EntryResult;
using study::FrontMember;
using study::Measured;

/// Folder of checkpoints: one file per combination, each replaced as a whole.
study::Storage storage_in(const std::filesystem::path& folder) {
  const auto path = [folder](const std::string& name) { return folder / (name + ".journal"); };
  return {.load = [path](const std::string& name) -> std::optional<std::string> {
            if (!std::filesystem::exists(path(name))) return std::nullopt;
            return io::read_file(path(name));
          },
          .save = [path](const std::string& name, std::string_view bytes) { io::write_file(path(name), bytes); }};
}

/// Whether a file is one that an earlier run left: a journal, or what was to become one when the run was killed.
bool is_journal(const std::filesystem::directory_entry& entry) {
  std::filesystem::path name = entry.path().filename();
  if (name.extension() == ".part") name = name.stem().stem();  // 01.journal.4711-0.part
  return entry.is_regular_file() && name.extension() == ".journal";
}

/// A name beside the folder that nothing has yet: FOLDER.old, FOLDER.old2, …
std::filesystem::path free_name_beside(const std::filesystem::path& folder) {
  std::filesystem::path aside = folder.string() + ".old";
  for (int i = 2; std::filesystem::exists(std::filesystem::symlink_status(aside)); ++i)
    aside = fmt::format("{}.old{}", folder.string(), i);
  return aside;
}

/// A folder to write checkpoints to. Without --resume, what an earlier run left there is put aside, not overwritten; a
/// folder with anything else in it is not ours to move.
void prepare(const std::filesystem::path& given, bool resume, std::vector<std::string>& notes) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path folder = given.lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // DIR/ is DIR
  if (fs::exists(folder)) {
    if (!fs::is_directory(folder))
      throw InvalidInput(fmt::format("{} is where checkpoints go, and is not a folder", folder.string()));
    if (resume || fs::is_empty(folder)) return;
    for (const auto& entry : fs::directory_iterator(folder))
      if (!is_journal(entry))
        throw InvalidInput(
            fmt::format("{} is where checkpoints go, but {} in it is none: name a folder of their own (--checkpoint)",
                        folder.string(), entry.path().filename().string()));
    const fs::path aside = free_name_beside(folder);
    fs::rename(folder, aside, error);
    if (error) throw InvalidInput(fmt::format("{}: {}", folder.string(), error.message()));
    notes.push_back(fmt::format("checkpoints of an earlier run are now in {}", aside.string()));
  } else if (resume) {
    throw InvalidInput(fmt::format("--resume: there is no {} to continue from", folder.string()));
  }
  fs::create_directories(folder, error);
  if (error) throw InvalidInput(fmt::format("{}: {}", folder.string(), error.message()));
}

/// Seconds for a backbone of the first fitted mode with the parameters in the middle of the front, repeated for a
/// while.
double time_backbone(const StudyCase& input, const EntryResult& entry, const study::Forward& forward) {
  if (entry.front.empty()) return std::nan("");
  using Clock = std::chrono::steady_clock;
  const std::vector<double>& point = entry.front[entry.three()[1]].point;
  const auto begun = Clock::now();
  int n = 0;
  double seconds = 0;
  do {
    (void)forward.compute(point, input.study.fit.front(), false);
    ++n;
    seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  } while (seconds < 0.2);
  return seconds / n;
}

/// Values of the parameters at a point: of the law and across the interface, per area.
io::Json parameters_json(const Combination& combination, const std::vector<double>& point) {
  io::Json json = io::Json::object();
  const InterfaceParameters values = interface_parameters(combination, point);
  for (const auto& [name, value] : values.law) io::set_number(json, name, value);
  io::set_number(json, "normal_stiffness", values.normal_stiffness);
  return json;
}

/// Where the front's parameters lie, as Tables 11-15 have it.
io::Json ranges_json(const study::Entry& entry, const EntryResult& result) {
  io::Json json = io::Json::object();
  for (std::size_t j = 0; j < entry.spans.size(); ++j) {
    const auto [lower, upper] = front_range(result, j);
    io::Json range = io::Json::object();
    range["log10"] = entry.spans[j].logarithmic;
    io::set_number(range, "lower", lower);
    io::set_number(range, "upper", upper);
    io::set_numbers(range, "searched", std::vector<double>{entry.spans[j].lower, entry.spans[j].upper});
    json[entry.spans[j].name] = range;
  }
  return json;
}

io::Json backbones_json(const StudyRun& run, std::size_t e, const FrontMember& member) {
  io::Json modes = io::Json::array();
  std::size_t at = 0;
  for (std::size_t m = 0; m < run.input.study.measured.size(); ++m) {
    const Measured& measured = run.input.study.measured[m];
    const auto begin = run.input.modal_amplitude[e].begin() + static_cast<std::ptrdiff_t>(at);
    at += measured.backbone.size();
    io::Json mode = io::Json::object();
    mode["mode"] = measured.mode;
    io::set_number(mode, "frequency_error", member.mode_errors[m][0]);
    io::set_number(mode, "damping_error", member.mode_errors[m][1]);
    io::set_numbers(mode, "amplitude",
                    std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(measured.backbone.size())));
    io::set_numbers(mode, "frequency_hz", member.backbones[m].frequency_hz);
    io::set_numbers(mode, "damping_ratio", member.backbones[m].damping_ratio);
    io::set_numbers(mode, "residual", member.backbones[m].residual);
    modes.push_back(mode);
  }
  return modes;
}

io::Json combination_json(const StudyRun& run, std::size_t e, bool times) {
  const EntryResult& result = run.result.entries[e];
  const study::Entry& entry = run.input.study.entries[e];
  const Combination& combination = run.input.combinations[e];
  io::Json json = io::Json::object();
  json["name"] = result.name;
  json["model"] = combination.model;
  json["interface"] = combination.full_joint ? "full_joint" : "whole_joint";
  json["framework"] = combination.masing ? "masing" : "reversal";
  json["viscous"] = combination.viscous;
  json["method"] = entry.method == study::Method::nsga2 ? "nsga2" : "boundary_intersection";
  io::Json front = io::Json::array();
  for (const FrontMember& member : result.front) {
    io::Json one = io::Json::object();
    io::set_number(one, "frequency_error", member.errors[0]);
    io::set_number(one, "damping_error", member.errors[1]);
    one["parameters"] = parameters_json(combination, member.point);
    io::set_numbers(one, "residual", member.residual);
    if (member.negative_damping > 0) one["negative_damping"] = member.negative_damping;
    if (member.failed > 0) one["failed"] = member.failed;
    one["backbones"] = backbones_json(run, e, member);
    front.push_back(one);
  }
  json["front"] = front;
  io::Json predictions = io::Json::array();
  for (std::size_t m = 0; m < run.input.study.measured.size(); ++m) {
    io::Json mode = io::Json::object();
    mode["mode"] = run.input.study.measured[m].mode;
    mode["fitted"] = run.input.study.fitted(m);
    std::vector<double> frequency, damping;
    for (const FrontMember& member : result.front) {
      frequency.push_back(member.mode_errors[m][0]);
      damping.push_back(member.mode_errors[m][1]);
    }
    io::set_numbers(mode, "frequency_error", frequency);
    io::set_numbers(mode, "damping_error", damping);
    predictions.push_back(mode);
  }
  json["predictions"] = predictions;
  io::set_numbers(json, "area_fraction", result.area_fraction);
  io::set_number(json, "predicted_area_fraction", result.predicted_area);
  json["parameters"] = ranges_json(entry, result);
  io::Json three = io::Json::array();
  if (!result.front.empty()) {
    const auto picks = result.three();
    for (std::size_t k = 0; k < 3; ++k) {
      io::Json one = io::Json::object();
      one["optimised"] = std::array{"frequency", "middle", "damping"}[k];
      one["member"] = picks[k];
      one["parameters"] = parameters_json(combination, result.front[picks[k]].point);
      one["backbones"] = backbones_json(run, e, result.front[picks[k]]);
      three.push_back(one);
    }
  }
  json["three"] = three;
  json["evaluations"] = result.evaluations;
  json["failures"] = result.failures;
  io::set_number(json, "seconds", times ? run.times.search[e] : std::nan(""));
  if (times) io::set_number(json, "seconds_per_backbone", run.times.backbone[e]);
  return json;
}

void set_point(io::Json& json, const std::string& key, const Point& point) {
  io::Json one = io::Json::object();
  io::set_number(one, "frequency", point[0]);
  io::set_number(one, "damping", point[1]);
  json[key] = one;
}

io::Json measured_json(const StudyRun& run, std::size_t m) {
  const Measured& measured = run.input.study.measured[m];
  io::Json json = io::Json::object();
  json["mode"] = measured.mode;
  json["fitted"] = run.input.study.fitted(m);
  io::set_numbers(json, "amplitude", measured.backbone.amplitude);
  io::set_numbers(json, "frequency_hz", measured.backbone.frequency_hz);
  io::set_numbers(json, "damping_ratio", measured.backbone.damping_ratio);
  if (const auto& v = run.result.variability[m]) {
    io::Json variability = io::Json::object();
    set_point(variability, "upper", v->upper);
    set_point(variability, "lower", v->lower);
    io::set_number(variability, "area_fraction", *run.result.variability_area[m]);
    json["variability"] = variability;
  }
  io::Json box = io::Json::object();
  set_point(box, "lower", run.result.boxes[m].lower);
  set_point(box, "upper", run.result.boxes[m].upper);
  json["box"] = box;
  return json;
}

}  // namespace

std::vector<std::vector<int>> area_ranks(const study::StudyResult& result) {
  std::vector<std::vector<int>> ranks(result.boxes.size());
  for (std::size_t m = 0; m < ranks.size(); ++m)
    for (const EntryResult& entry : result.entries)
      ranks[m].push_back(1 + static_cast<int>(std::count_if(result.entries.begin(), result.entries.end(),
                                                            [&](const EntryResult& other) {
                                                              return other.area_fraction[m] < entry.area_fraction[m];
                                                            })));
  return ranks;
}

std::pair<double, double> front_range(const EntryResult& entry, std::size_t parameter) {
  double lower = std::nan(""), upper = std::nan("");
  for (const FrontMember& member : entry.front) {
    lower = std::fmin(lower, member.point[parameter]);
    upper = std::fmax(upper, member.point[parameter]);
  }
  return {lower, upper};
}

std::optional<StudyRun> run_study(const StudyOptions& options) {
  StudyRun run{.input = read_study(options.file), .result = {}, .times = {}, .words = {}};
  const study::Study& study = run.input.study;
  const int threads = options.threads > 0 ? options.threads : study::usable_threads(options.ranks);
  const study::Work work = study::study_work(study);
  if (options.ranks != nullptr && options.ranks->rank() != 0) {
    study::Crew::serve(work, threads, *options.ranks);
    return std::nullopt;
  }
  {
    study::Crew crew(work, threads, options.ranks, options.stop);
    study::Storage storage;
    if (!options.checkpoint.empty()) {
      prepare(options.checkpoint, options.resume, run.words);
      storage = storage_in(options.checkpoint);
    } else if (options.resume) {
      throw InvalidInput("to resume a study, name the folder of its checkpoints");
    }
    run.result = study::run_study(study, crew, storage, [&](const study::EntryProgress& progress) {
      if (options.observer) options.observer(run.input, progress);
    });
  }
  for (std::size_t e = 0; e < study.entries.size(); ++e) {
    run.times.search.push_back(run.result.entries[e].seconds);
    run.times.backbone.push_back(
        options.times ? time_backbone(run.input, run.result.entries[e], *study.entries[e].forward) : std::nan(""));
    for (const std::string& failure : run.result.entries[e].failures)
      run.input.notes.push_back(fmt::format("{}: {}", study.entries[e].name, failure));
  }
  return run;
}

std::string study_json(const StudyRun& run, bool times) {
  io::Json json = begin_result("study");
  const study::Budget& b = run.input.study.budget;
  json["seed"] = b.seed;
  json["budget"] = {{"members", b.members}, {"generations", b.generations}, {"last_generations", b.last_generations},
                    {"angles", b.angles},   {"scouts", b.scouts},           {"seeds", b.seeds}};
  io::set_number(json, "preload", run.input.preload);
  json["measured"] = io::Json::array();
  for (std::size_t m = 0; m < run.input.study.measured.size(); ++m) json["measured"].push_back(measured_json(run, m));
  json["combinations"] = io::Json::array();
  for (std::size_t e = 0; e < run.result.entries.size(); ++e)
    json["combinations"].push_back(combination_json(run, e, times));
  json["ranking"] = io::Json::array();
  int rank = 0;
  for (std::size_t e : run.result.ranking) {
    io::Json row = io::Json::object();
    row["rank"] = ++rank;
    row["name"] = run.result.entries[e].name;
    io::set_number(row, "predicted_area_fraction", run.result.entries[e].predicted_area);
    io::set_numbers(row, "area_fraction", run.result.entries[e].area_fraction);
    json["ranking"].push_back(row);
  }
  json["notes"] = run.input.notes;
  return io::to_text(json);
}

std::string study_csv(const StudyRun& run) {
  std::string text = "rank,name,predicted_area_fraction";
  for (const Measured& m : run.input.study.measured) text += fmt::format(",area_fraction_mode_{}", m.mode);
  text += '\n';
  int rank = 0;
  for (std::size_t e : run.result.ranking) {
    const EntryResult& entry = run.result.entries[e];
    text += fmt::format("{},{},{}", ++rank, io::csv_cell(entry.name), entry.predicted_area);
    for (double area : entry.area_fraction) text += fmt::format(",{}", area);
    text += '\n';
  }
  return text;
}

std::string study_text(const StudyRun& run) {
  const std::size_t n_modes = run.input.study.measured.size();
  const std::vector<std::vector<int>> ranks = area_ranks(run.result);
  std::size_t width = 5;
  for (const EntryResult& entry : run.result.entries) width = std::max(width, entry.name.size());
  std::string text = "Area fraction (rank): share of the box of errors that no fit reaches; smaller is better.\n";
  text += fmt::format("{:<{}}  {:>13}", "model", width, "predicted");
  for (std::size_t m = 0; m < n_modes; ++m)
    text += fmt::format("  {:>13}", fmt::format("mode {}{}", run.input.study.measured[m].mode,
                                                run.input.study.fitted(m) ? " fit" : ""));
  text += fmt::format("  {:>9}  {:>9}  {:>5}\n", "min f", "min zeta", "front");
  int rank = 0;
  for (std::size_t e : run.result.ranking) {
    const EntryResult& entry = run.result.entries[e];
    text += fmt::format("{:<{}}  {:.4f} ({:>2}.)", entry.name, width, entry.predicted_area, ++rank);
    for (std::size_t m = 0; m < n_modes; ++m)
      text += fmt::format("  {:.4f} ({:>2}.)", entry.area_fraction[m], ranks[m][e]);
    if (!entry.front.empty())
      text += fmt::format("  {:9.2e}  {:9.2e}", entry.front.front().errors[0], entry.front.back().errors[1]);
    text += fmt::format("  {:>5}\n", entry.front.size());
  }
  for (std::size_t m = 0; m < n_modes; ++m)
    if (const auto& v = run.result.variability[m])
      text += fmt::format("variability of mode {}: frequency {:.2e}, damping {:.2e}, area fraction {:.4f}\n",
                          run.input.study.measured[m].mode, v->upper[0], v->upper[1], *run.result.variability_area[m]);
  return text;
}

std::optional<Output> study(const StudyOptions& options) {
  std::optional<StudyRun> done = run_study(options);
  if (!done) return std::nullopt;
  const auto run = std::make_shared<const StudyRun>(std::move(*done));
  const bool times = options.times;
  Output output;
  output.text = [run] { return study_text(*run); };
  output.json = [run, times] { return study_json(*run, times); };
  output.csv = [run] { return study_csv(*run); };
  output.page = [run] { return study_page(*run); };
  output.notes = run->words;
  output.notes.insert(output.notes.end(), run->input.notes.begin(), run->input.notes.end());
  return output;
}

}  // namespace microslip::verbs
