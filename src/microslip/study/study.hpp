#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <microslip/modal/combinations.hpp>
#include <microslip/study/area_fraction.hpp>
#include <microslip/study/crew.hpp>
#include <microslip/study/errors.hpp>
#include <microslip/study/journal.hpp>

namespace microslip::study {

/// A model with parameters left open: a point of the space that is searched -> backbones at the measured amplitudes.
/// Pure and thread-safe: the same point gives the same bits, whatever was asked before.
class Forward {
 public:
  virtual ~Forward() = default;
  /// `measured` counts the study's backbones. With `slopes`, derivatives with the point's coordinates too.
  [[nodiscard]] virtual Computed compute(std::span<const double> point, std::size_t measured, bool slopes) const = 0;
  [[nodiscard]] virtual bool has_slopes() const = 0;
};

enum class Method { boundary_intersection, nsga2 };

/// A parameter that must stay below another one, both on the same scale; counted as in Entry::spans.
struct Below {
  std::size_t parameter, other;
};

/// One model in the study.
struct Entry {
  std::string name;
  Method method = Method::nsga2;
  bool penalised = false;            ///< residuals count against a point while searching [Porter2022, section 3.5.2]
  std::vector<ParameterSpan> spans;  ///< where to search
  std::optional<Below> below{};      ///< what the model's domain asks for beside the spans
  std::vector<double> start;         ///< a point to begin with
  std::optional<std::size_t> seeded_from;  ///< an earlier entry whose front joins the first generation
  std::shared_ptr<const Forward> forward;
};

/// How much to spend.
struct Budget {
  std::uint64_t seed = 1;
  int members = 100;
  int generations = 100;
  int last_generations = 50;  ///< whose members are sorted for the front [section 3.5.2]
  int angles = 24;            ///< rays of boundary intersection between the two single best points
  int scouts = 20;            ///< generations of NSGA-II from which boundary intersection starts
  int seeds = 8;              ///< points taken from another entry's front [section 4.4.1]
};

struct Study {
  std::vector<Measured> measured;
  std::vector<std::size_t> fit;  ///< which of them are fitted; the others are predicted
  std::vector<Entry> entries;
  Budget budget;
  Point box_upper{0.17, 0.5};  ///< of the errors [Table 4]
  std::uint64_t inputs = 0;    ///< fingerprint of everything the forward models depend on

  [[nodiscard]] bool fitted(std::size_t measured_index) const;
};

/// A point of a front, with what it gives in every mode. Residuals are not added to these errors.
struct FrontMember {
  std::vector<double> point{};
  Point errors{};                        ///< of the fitted modes together
  std::vector<Point> mode_errors{};      ///< of each measured mode
  std::vector<Computed> backbones{};     ///< at the measured amplitudes
  std::vector<double> residual{};        ///< sum over the amplitudes of each mode
  int negative_damping = 0, failed = 0;  ///< amplitudes, over all modes
};

struct EntryResult {
  std::string name;
  std::vector<FrontMember> front;     ///< by growing frequency error
  std::vector<double> area_fraction;  ///< of each measured mode
  double predicted_area = 0;          ///< mean over the modes that were not fitted; over all where all were
  long evaluations = 0;               ///< points looked at
  std::vector<std::string> failures;  ///< of members that could not be evaluated, each kind once, with its count
  double seconds = 0;                 ///< from the first task to the last, others' work in between included

  /// Three members [Tables 3, 5, 7, 8]: best frequency, middle of the front (half its length on log scales), best
  /// damping. Indices into front.
  [[nodiscard]] std::array<std::size_t, 3> three() const;
};

struct StudyResult {
  std::vector<ErrorBox> boxes;                          ///< of each measured mode [Table 4]
  std::vector<std::optional<Variability>> variability;  ///< of each measured mode [Table 2]
  std::vector<std::optional<double>> variability_area;  ///< area fraction of the variability alone [section 4.5]
  std::vector<EntryResult> entries;
  std::vector<std::size_t> ranking;  ///< entries, best prediction first [Table 9]
};

/// From the entries' area fractions: the mean over the modes that were predicted, and the entries by it [Table 9].
void rank(const Study& study, StudyResult& result);

/// How far one entry is.
struct EntryProgress {
  std::size_t entry;
  int done, total;  ///< batches
  long evaluations;
  Point best;  ///< smallest errors seen so far, each for itself
  bool finished;
};
using Observer = std::function<void(const EntryProgress&)>;

/// The study, if it can be run: something to fit, bounds in order, starts within them, slopes where they are needed.
void check(const Study& study);

/// The work of one task of this study; pure. Every rank has it.
Work study_work(const Study& study);

/// Fits every entry, predicts the other modes and ranks. The same bytes whatever the crew's size, and whether or not
/// the run was interrupted and resumed from `storage`.
StudyResult run_study(const Study& study, Crew& crew, const Storage& storage = {}, const Observer& observer = {});

}  // namespace microslip::study
