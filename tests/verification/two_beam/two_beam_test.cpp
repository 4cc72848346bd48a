// The bundled records are what their generator makes.
#include "../../../examples/two_beam.hpp"

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include <microslip/dynamics/simulation.hpp>
#include <microslip/io/records.hpp>

namespace microslip {
namespace {

const std::filesystem::path folder = std::filesystem::path(MICROSLIP_SOURCE_DIR) / "data" / "two-beam";

TEST(TwoBeam, ShapesAreOrthonormalOverTheBeam) {
  // Trapezoidal sums over 70 points are good to (pi/69 . mode)^2 or so of each integral.
  const ModalModel model = two_beam::model();
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t s = 0; s <= r; ++s) {
      double sum = 0;
      for (Eigen::Index j = 0; j < two_beam::n_sensors; ++j) {
        const double weight = j == 0 || j == two_beam::n_sensors - 1 ? 0.5 : 1;
        sum += weight * model.modes[r].shape(j) * model.modes[s].shape(j);
      }
      EXPECT_NEAR(sum * two_beam::mass / (two_beam::n_sensors - 1), r == s ? 1 : 0, 0.02) << r << s;
    }
}

TEST(TwoBeam, FrequenciesAndDampingAreThoseOfTheTable) {
  // [Deaner2015, Table 6, last two rows at 3.39 N m], to the digits printed.
  const ModalModel model = two_beam::model();
  const double f_0[] = {121.0, 214.7, 473.7}, zeta[] = {0.00099, 0.00560, 0.00050};
  for (std::size_t r = 0; r < 3; ++r) {
    const JointedMode mode = jointed_mode(model.modes[r], "mode");
    const double omega = mode.low_amplitude_omega();
    EXPECT_NEAR(omega / (2 * M_PI), f_0[r], 0.05);
    EXPECT_NEAR(mode.damping / (2 * omega), zeta[r], 0.5e-5);
  }
}

TEST(TwoBeam, TheRecordedForceKeepsTheImpulse) {
  // Half the peak times the duration of a haversine; sums of a band-limited pulse's samples are exact.
  const two_beam::HammerLevel& level = two_beam::hammer_levels()[2];
  const Record record = two_beam::clean_record(level, 2048);
  double impulse = 0;
  for (const double f : record.channels[0].samples) impulse += f / two_beam::sampling_rate_hz;
  EXPECT_NEAR(impulse, 0.5 * level.force * two_beam::pulse_duration, 1e-5 * impulse);
}

TEST(TwoBeam, BundledRecordsBeginAsTheGeneratorMakesThem) {
  // The beginning alone, of two levels: it holds the largest motion, which sets the noise. Another mathematical library
  // may round a sample to the neighbouring step, hardly ever more.
  for (const std::size_t k : {std::size_t{0}, std::size_t{4}}) {
    const two_beam::HammerLevel& level = two_beam::hammer_levels()[k];
    const auto records = io::read_records(folder / (level.name + ".h5"));
    ASSERT_EQ(records.size(), 1U);
    const Record& bundled = records.front();
    EXPECT_EQ(bundled.sampling_rate_hz, two_beam::sampling_rate_hz);
    ASSERT_EQ(bundled.channels.size(), two_beam::n_sensors + 1U);
    ASSERT_EQ(bundled.n_samples(), two_beam::n_samples);
    EXPECT_EQ(bundled.channels[0].quantity, Quantity::force);
    EXPECT_EQ(bundled.channels[1].quantity, Quantity::velocity);
    EXPECT_EQ(bundled.channels[70].name, "p70");
    const Record made = two_beam::record(level, 2015 + k, 512);
    const Record clean = two_beam::clean_record(level, 512);
    double peak = 0, hardest = 0;
    for (const double f : clean.channels[0].samples) hardest = std::max(hardest, std::abs(f));
    for (std::size_t c = 1; c < clean.channels.size(); ++c)
      for (const double v : clean.channels[c].samples) peak = std::max(peak, std::abs(v));
    std::size_t different = 0;
    for (std::size_t c = 0; c < bundled.channels.size(); ++c) {
      EXPECT_EQ(bundled.channels[c].name, made.channels[c].name);
      const double sigma = two_beam::relative_noise * (c == 0 ? hardest : peak);
      double square = 0;
      for (std::size_t i = 0; i < 512; ++i) {
        const double stored = bundled.channels[c].samples[i], noise = stored - clean.channels[c].samples[i];
        square += noise * noise;
        EXPECT_NEAR(stored, made.channels[c].samples[i], sigma) << c << " " << i;
        if (stored != made.channels[c].samples[i]) ++different;
      }
      // 512 samples tell a standard deviation to 3 %; rounding to half of it at most adds 1/96 ... 1/24 of its square.
      EXPECT_NEAR(std::sqrt(square / 512) / sigma, 1.02, 0.15) << c;
    }
    EXPECT_LT(different, 71U * 512U / 1000U);
  }
}

}  // namespace
}  // namespace microslip
