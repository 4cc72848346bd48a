#include <gtest/gtest.h>

#include <microslip/io/units.hpp>

namespace microslip {
namespace {

TEST(Units, NamesTellByTheStartOfAWord) {
  for (const char* name : {"acc1", "Acc_3", "left acceleration", "leftAcc", "HIdata.acc1", "3acc"})
    EXPECT_EQ(io::quantity_of_name(name), Quantity::acceleration) << name;
  for (const char* name : {"level", "travel", "reinforced", "gravel 2", "LEVEL", "ch1"})
    EXPECT_EQ(io::quantity_of_name(name), Quantity::unknown) << name;
  EXPECT_EQ(io::quantity_of_name("tip velocity"), Quantity::velocity);
  EXPECT_EQ(io::quantity_of_name("Hammer"), Quantity::force);
  EXPECT_EQ(io::quantity_of_name("impact_force"), Quantity::force);
  EXPECT_EQ(io::quantity_of_name("microstrain"), Quantity::strain);
}

TEST(Units, MeanWhatTheySay) {
  for (const char* spelling :
       {"m/s^2", "m/s2", "m/s²", "m/s\xB2", "[m/s^2]", "m/s/s", "m/sec^2", "m / s**2", "m s-2", "m·s^-2"}) {
    const auto unit = io::known_unit(spelling);
    ASSERT_TRUE(unit.has_value()) << spelling;
    EXPECT_EQ(unit->quantity, Quantity::acceleration) << spelling;
    EXPECT_EQ(unit->si_factor, 1) << spelling;
  }
  EXPECT_FALSE(io::known_unit("V").has_value());
  EXPECT_FALSE(io::known_unit("").has_value());
  for (const char* spelling : {"ms", "msec", "millisec", "millisecond", "milliseconds", "Milliseconds", "[ms]"})
    EXPECT_EQ(io::seconds_per(spelling), 1e-3) << spelling;
  for (const char* spelling : {"s", "S", "(s)", "sec", "Sec", "SEC", "[Sec]", "Sec.", "second", "seconds", "Seconds"})
    EXPECT_EQ(io::seconds_per(spelling), 1) << spelling;
  EXPECT_EQ(io::seconds_per("minutes"), 60);
  for (const auto& [spelling, factor] : {std::pair{"µm/s²", 1e-6}, {"um/s^2", 1e-6}, {"cm/s^2", 1e-2}}) {
    const auto unit = io::known_unit(spelling);
    ASSERT_TRUE(unit) << spelling;
    EXPECT_EQ(unit->si_factor, factor);
    EXPECT_EQ(unit->quantity, Quantity::acceleration);
  }
  for (const char* spelling : {"m/s", "m", "", "samples", "Ms", "[Ms]", "MS"})
    EXPECT_FALSE(io::seconds_per(spelling).has_value()) << spelling;
  Record record;
  record.channels = {{"in", "g", Quantity::unknown, {1, 2}}, {"out", "V", Quantity::unknown, {1, 2}}};
  io::convert_to_si(record);
  EXPECT_EQ(record.channels[0].samples, (std::vector<double>{9.80665, 19.6133}));
  EXPECT_EQ(record.channels[0].unit, "m/s^2");
  EXPECT_EQ(record.channels[1].samples, (std::vector<double>{1, 2}));
  EXPECT_EQ(record.warnings, (std::vector<std::string>{"channel 'out': unit 'V' is not known and stays as it is"}));
}

}  // namespace
}  // namespace microslip
