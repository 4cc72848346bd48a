"""ringdown and zefft: docs/ringdown.md."""
import json
import math
import pathlib
import random

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

KEYS = {
    "low_amplitude_frequency_hz", "coordinate", "time", "amplitude", "velocity_amplitude", "acceleration_amplitude",
    "frequency_hz", "damping_ratio", "dissipation", "flag", "estimates", "channels_used",
}


def decay(path, f=100.0, decay=2.0, fs=2000, seconds=3.0, names=("acc [m/s^2]",), gains=(1.0,), seed=1, noise=1e-4):
    random.seed(seed)
    with open(path, "w") as out:
        out.write("time [s]," + ",".join(names) + "\n")
        for i in range(int(seconds * fs)):
            t = i / fs
            x = math.exp(-decay * t) * math.cos(2 * math.pi * f * t)
            out.write(",".join([repr(t)] + [repr(g * x + random.gauss(0, noise)) for g in gains]) + "\n")


def test_a_linear_decay_comes_out_with_its_frequency_and_damping(microslip, tmp_path):
    decay(tmp_path / "d.csv")
    result = microslip.json("ringdown", "d.csv", "--mode", "100")
    (mode,) = result["modes"]
    assert KEYS <= mode.keys() and {"hilbert", "pff"} == mode["estimates"].keys()
    assert mode["coordinate"] == "acc" and mode["channels_used"] == ["acc"]
    zeta = 2.0 / math.hypot(2.0, 2 * math.pi * 100)
    good = [i for i, flag in enumerate(mode["flag"]) if not flag]
    assert len(good) > 100
    for i in good:
        assert math.isclose(mode["frequency_hz"][i], 100.0005, rel_tol=1e-5)
        assert math.isclose(mode["damping_ratio"][i], zeta, rel_tol=0.05)
        omega = 2 * math.pi * mode["frequency_hz"][i]
        assert math.isclose(mode["acceleration_amplitude"][i], omega**2 * mode["amplitude"][i], rel_tol=1e-6)
    assert mode["damping_bias"] > 0 and len(mode["band_hz"]) == 2


def test_without_a_mode_the_peaks_are_offered(microslip, tmp_path):
    decay(tmp_path / "d.csv")
    assert "--mode" in (line := microslip.refused("ringdown", "d.csv")) and "peaks at 100 Hz" in line
    assert "(100 Hz)" in microslip.refused("ringdown", "d.csv", "--mode", "300")
    assert microslip.json("info", "d.csv")["records"][0]["peaks_hz"] == pytest.approx([100], abs=0.5)
    assert "peaks of the spectra     100 Hz" in microslip("info", "d.csv").stdout


def test_methods_bands_and_tables(microslip, tmp_path):
    decay(tmp_path / "d.csv")
    for method in ("hilbert", "pff"):
        (mode,) = microslip.json("ringdown", "d.csv", "--mode", "100", "--method", method, "--band", "80", "125")["modes"]
        assert mode["band_hz"] == [80, 125] and list(mode["estimates"]) == [method]
        assert all("one estimator only" in flag for flag in mode["flag"])
    lines = microslip("ringdown", "d.csv", "--mode", "100", "--csv").stdout.splitlines()
    assert lines[0].startswith("mode_hz,record,time,amplitude") and len(lines) == 201
    assert all(len(line.split(",")) == 12 for line in lines)
    microslip("ringdown", "d.csv", "--mode", "100", "--report", "r.html", "--svg", "figures")
    assert (tmp_path / "r.html").stat().st_size < 3_000_000
    assert (tmp_path / "figures" / "backbone-1-1.svg").exists()


def test_a_column_named_force_is_no_response_whatever_the_quantity(microslip, tmp_path):
    decay(tmp_path / "d.csv", names=("left", "force"), gains=(1.0, 30.0))
    (mode,) = microslip.json("ringdown", "d.csv", "--mode", "100", "--quantity", "acceleration")["modes"]
    assert mode["channels_used"] == ["left"] and [c["name"] for c in mode["channels"]] == ["left"]


def test_an_estimator_that_has_not_settled_says_so(microslip):
    two_modes_in_the_band = microslip("ringdown", ROOT / "data" / "two-beam" / "level-1.h5", "--mode", "136")
    assert "mode at 136 Hz: hilbert has not settled: its damping ratio still changes by" in two_modes_in_the_band.stderr


def test_several_records_give_bands(microslip, tmp_path):
    for k in range(3):
        decay(tmp_path / f"d{k}.csv", seed=k, noise=1e-3)
    result = microslip.json("ringdown", "d0.csv", "d1.csv", "d2.csv", "--mode", "100")
    assert len(result["modes"]) == 3 and len(result["bands"]) == 1
    band = result["bands"][0]
    zeta = 2.0 / math.hypot(2.0, 2 * math.pi * 100)
    assert all(math.isclose(z, zeta, rel_tol=2e-3) for z in band["damping_ratio"])
    points, inside = 0, 0
    for mode in result["modes"]:
        for a, z, flag in zip(mode["amplitude"], mode["damping_ratio"], mode["flag"]):
            if flag:
                continue
            k = min(range(len(band["amplitude"])), key=lambda i: abs(math.log(band["amplitude"][i] / a)))
            points += 1
            inside += abs(z - band["damping_ratio"][k]) <= band["damping_band"][k]
    assert inside >= 0.9 * points > 300  # the band holds about 95 % of the points


def test_shapes_make_the_coordinate_modal(microslip, tmp_path):
    names = ("s1 [m/s]", "s2 [m/s]", "s3 [m/s]")
    decay(tmp_path / "d.csv", names=names, gains=(2.0, -1.0, 0.5))
    (tmp_path / "shapes.csv").write_text("100Hz\n2\n-1\n0.5\n")
    (tmp_path / "shapes.json").write_text(json.dumps(
        {"sensors": ["s3", "s2", "s1"], "frequency_hz": [100], "shapes": [[0.5, -1.0, 2.0]], "mass_normalised": True}))
    for file in ("shapes.csv", "shapes.json"):
        (mode,) = microslip.json("ringdown", "d.csv", "--mode", "100", "--shapes", file)["modes"]
        assert mode["coordinate"] == "modal" and mode["dissipation_unit"] == "J"
        assert math.isclose(mode["velocity_amplitude"][100], math.exp(-2 * mode["time"][100]), rel_tol=1e-3)
    assert "s9" in microslip.refused("ringdown", "d.csv", "--mode", "100", "--channel", "s9")
    (tmp_path / "wrong.csv").write_text("100Hz\n2\n-1\n")
    assert "2 values for 3 channels" in microslip.refused("ringdown", "d.csv", "--mode", "100", "--shapes", "wrong.csv")
    (tmp_path / "nameless.csv").write_text("first\n2\n-1\n0.5\n")
    assert "first" in microslip.refused("ringdown", "d.csv", "--mode", "100", "--shapes", "nameless.csv")


def test_units_follow_from_the_coordinate_and_the_quantity(microslip, tmp_path):
    names = ("s1 [m/s]", "s2 [m/s]", "s3 [m/s]")
    decay(tmp_path / "d.csv", names=names, gains=(2.0, -1.0, 0.5))
    (tmp_path / "shapes.json").write_text(json.dumps(
        {"frequency_hz": [100], "shapes": [[2.0, -1.0, 0.5]], "mass_normalised": False}))
    call = ("ringdown", "d.csv", "--mode", "100", "--shapes", "shapes.json")
    (mode,) = microslip.json(*call)["modes"]
    assert mode["coordinate"] == "modal (not mass-normalised)"
    assert (mode["amplitude_unit"], mode["dissipation_unit"]) == ("m", "m^2/s^2")
    microslip(*call, "--json", "-o", "r.json")
    for text in (microslip(*call).stdout, microslip("fit", "modal", "r.json", "--replicas", "0").stdout):
        assert "modal coordinate (not mass-normalised)" in text and "sensor modal" not in text

    decay(tmp_path / "strain.csv", names=("gauge [um/m]",))
    (mode,) = microslip.json("ringdown", "strain.csv", "--mode", "100", "--quantity", "strain")["modes"]
    assert (mode["amplitude_unit"], mode["dissipation_unit"]) == ("1 (strain)", "1/s^2 (strain)")
    text = microslip("ringdown", "strain.csv", "--mode", "100", "--quantity", "strain", "--svg", "figures").stdout
    heads = next(line for line in text.splitlines() if line.split()[:1] == ["s"]).split()
    assert heads == ["s", "1", "1/s2", "Hz", "Hz", "%", "%", "1/s2"]
    picture = (tmp_path / "figures" / "backbone-1-1.svg").read_text()
    assert "strain amplitude" in picture and "[m]" not in picture
    assert "[m²/s²]" not in (tmp_path / "figures" / "dissipation-1-1.svg").read_text()


PHI = (0.8, -0.5, 0.3)


def hammer_hit(path, phi=PHI, extra=()):
    """A blow of 5 N s at s1; `extra` are heads and values of further channels."""
    fs, f, zeta = 2000, 100.0, 0.004
    omega = 2 * math.pi * f
    wd = omega * math.sqrt(1 - zeta**2)
    random.seed(3)
    with open(path, "w") as out:
        out.write(",".join(["time [s]", "hammer [N]"] + [f"s{j + 1} [m]" for j in range(len(phi))] + [head for head, _ in extra]) + "\n")
        for i in range(8000):
            t = i / fs
            q = phi[0] * 5 * math.exp(-zeta * omega * t) * math.sin(wd * t) / wd
            force = 5 * fs if i == 0 else 0.0
            values = [p * q + random.gauss(0, 1e-7) for p in phi] + [value for _, value in extra]
            out.write(",".join(repr(x) for x in [t, force, *values]) + "\n")
    return zeta


def test_hammer_records_give_their_own_mass_normalised_shapes(microslip, tmp_path):
    zeta = hammer_hit(tmp_path / "hit.csv")
    result = microslip.json("ringdown", "hit.csv", "--mode", "100", "--driving-point", "s1")
    assert result["shapes"]["mass_normalised"] is True
    for got, expected in zip(result["shapes"]["shapes"][0], PHI):
        assert math.isclose(got, expected, abs_tol=0.01)
    assert result["modes"][0]["coordinate"] == "modal"
    assert math.isclose(result["modes"][0]["damping_ratio"][50], zeta, rel_tol=0.01)


def test_a_dead_sensor_leaves_the_others_their_shapes(microslip, tmp_path):
    hammer_hit(tmp_path / "hit.csv", extra=[("dead [m]", 0.0)])
    result = microslip.json("ringdown", "hit.csv", "--mode", "100", "--driving-point", "s1")
    for got, expected in zip(result["shapes"]["shapes"][0], (*PHI, 0.0)):
        assert math.isclose(got, expected, abs_tol=0.01)


def test_of_several_forces_one_is_named(microslip, tmp_path):
    hammer_hit(tmp_path / "hit.csv", extra=[("shaker [N]", 0.5)])
    call = ["ringdown", "hit.csv", "--mode", "100", "--driving-point", "s1"]
    assert "--force-channel" in microslip.refused(*call)
    result = microslip.json(*call, "--force-channel", "hammer")
    assert math.isclose(result["shapes"]["shapes"][0][0], PHI[0], abs_tol=0.01)
    assert "did you mean 'hammer'" in microslip.refused(*call, "--force-channel", "hamer")
    assert "--driving-point" in microslip.refused("ringdown", "hit.csv", "--mode", "100", "--force-channel", "hammer")


def test_shapes_that_cannot_be_had_say_why(microslip, tmp_path):
    hammer_hit(tmp_path / "wrong.csv")
    line = microslip.refused("ringdown", "wrong.csv", "--mode", "100", "--driving-point", "s2")
    assert "driving point" in line and "not positive" in line


def test_wrong_calls_and_records_are_refused_in_one_line(microslip, tmp_path):
    decay(tmp_path / "d.csv")
    assert "no peak" in microslip.refused("ringdown", "d.csv", "--mode", "400")
    assert "--mode" in microslip.refused("ringdown", "d.csv")
    assert "method" in microslip.refused("ringdown", "d.csv", "--mode", "100", "--method", "hibert")
    assert "too narrow" in microslip.refused("ringdown", "d.csv", "--mode", "100", "--band", "99.5", "100.5")
    for bad in ["nan", "-5", "0"]:
        assert "noise factor must be > 0" in microslip.refused("ringdown", "d.csv", "--mode", "100", "--noise-factor", bad)
    assert "filter order must lie in [1, 20], got 0" in microslip.refused("ringdown", "d.csv", "--mode", "100", "--order", "0")
    for bad in ["-5", "1", "1000001", "1000000000"]:
        assert f"points must lie in [2, 1000000], got {bad}" in microslip.refused("ringdown", "d.csv", "--mode", "100", "--points", bad)
    for bad in ["-2", "0"]:
        assert f"degree must be at least 1, got {bad}" in microslip.refused("ringdown", "d.csv", "--mode", "100", "--degree", bad)
    assert "expected LO HI" in microslip.refused("ringdown", "d.csv", "--mode", "100", "--band", "80", "120", "130")
    microslip.refused("ringdown", "missing.csv", "--mode", "100")
    decay(tmp_path / "unitless.csv", names=("a",))
    assert "--quantity" in microslip.refused("ringdown", "unitless.csv", "--mode", "100")
    microslip("ringdown", "unitless.csv", "--mode", "100", "--quantity", "acceleration")
    (tmp_path / "short.csv").write_text("time [s],acc [m/s^2]\n" + "".join(f"{i / 1000},{i % 3}\n" for i in range(20)))
    assert "too short" in microslip.refused("ringdown", "short.csv", "--mode", "100")
    rows = [(i / 2000, math.cos(2 * math.pi * (80 * i / 2000 + 5 * (i / 2000) ** 2))) for i in range(8000)]
    (tmp_path / "sweep.csv").write_text("time [s],acc [m/s^2]\n" + "".join(f"{t},{x}\n" for t, x in rows))
    line = microslip.refused("ringdown", "sweep.csv", "--mode", "100", "--band", "70", "130")
    assert "sweep.csv" in line and "no free decay" in line


def test_a_clipped_record_says_so(microslip, tmp_path):
    with open(tmp_path / "c.csv", "w") as out:
        out.write("time [s],acc [m/s^2]\n")
        for i in range(6000):
            x = math.exp(-i / 2000) * math.cos(2 * math.pi * 60 * i / 2000)
            out.write(f"{i / 2000},{max(-0.7, min(0.7, x))}\n")
    done = microslip("ringdown", "c.csv", "--mode", "60", "--json")
    assert "clipped" in done.stderr
    assert "clipped" in json.loads(done.stdout)["modes"][0]["flag"][0]


def test_what_is_said_of_a_record_stays_with_its_spectra(microslip, tmp_path):
    decay(tmp_path / "bare.csv", fs=1000, seconds=1.0, names=("s1",))  # no unit
    two = [{"name": f"s{fs}", "data": [math.sin(0.3 * i) for i in range(300)], "fs": fs, "unit_str": "m/s"} for fs in (500, 1000)]
    (tmp_path / "two.json").write_text(json.dumps(two))
    for name, said in [("bare.csv", "no unit is declared for s1"), ("two.json", "two.json: the first of 2 records")]:
        done = microslip("zefft", name, "--times", "0.1", "--json", "--report", "page.html")
        assert said in json.loads(done.stdout)["notes"] and f"note: {said}\n" in done.stderr
        assert said in (tmp_path / "page.html").read_text()


def test_a_band_turned_round_is_refused_as_one(microslip, tmp_path):
    decay(tmp_path / "d.csv")
    line = microslip.refused("ringdown", "d.csv", "--mode", "100", "--band", "120", "90")
    assert line == "microslip: d.csv: band 120 to 90 Hz: the lower edge comes first"


def test_a_unit_that_is_not_known_is_not_guessed_from_the_name(microslip, tmp_path):
    decay(tmp_path / "d.csv", names=("acc [furlong/s^2]",))
    line = microslip.refused("ringdown", "d.csv", "--mode", "100")
    assert "channel 'acc' does not say what it measures (unit 'furlong/s^2')" in line
    assert microslip.json("ringdown", "d.csv", "--mode", "100", "--quantity", "acceleration")["modes"]


def test_late_records_tell_their_times_apart(microslip, tmp_path):
    decay(tmp_path / "d.csv")
    rows = (tmp_path / "d.csv").read_text().splitlines()
    late = [rows[0], *(f"{43200 + float(t)!r},{rest}" for t, rest in (row.split(",", 1) for row in rows[1:]))]
    (tmp_path / "late.csv").write_text("\n".join(late) + "\n")
    call = ["zefft", "late.csv", "--times", "43200.5,43200.51"]
    header = microslip(*call, "--csv").stdout.splitlines()[0].split(",")
    assert len(set(header)) == 3 and all(name.startswith("from_43200.5") for name in header[1:])
    times = [line.split()[0] for line in microslip(*call).stdout.splitlines() if line.startswith("  ") and line.split()[0][0] == "4"]
    assert len(set(times)) == 2
    assert "43205 s" in microslip.refused("zefft", "late.csv", "--times", "43205")


def test_zefft_is_the_spectrum_of_the_rest(microslip, tmp_path):
    decay(tmp_path / "d.csv", fs=1000, seconds=1.0, noise=0)
    result = microslip.json("zefft", "d.csv", "--times", "0,0.5")
    assert result["frequency_hz"][:2] == [0, 1] and len(result["spectra"]) == 2 and len(result["spectra"][0]) == 501
    peaks = [max(range(501), key=lambda k: s[k]) for s in result["spectra"]]
    assert peaks == [100, 100]
    ratio = result["spectra"][1][100] / result["spectra"][0][100]
    rest = [(math.exp(-2 * t) - math.exp(-2)) for t in result["zeroed_until"]]
    assert math.isclose(ratio, rest[1] / rest[0], rel_tol=0.02)
    assert "2 s" in microslip.refused("zefft", "d.csv", "--times", "2")
    assert "acx" in microslip.refused("zefft", "d.csv", "--times", "0.1", "--channel", "acx")
    microslip.refused("zefft", "d.csv")


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_the_same_call_gives_the_same_bytes(microslip, tmp_path, form):
    decay(tmp_path / "d.csv", noise=1e-3)
    assert microslip("ringdown", "d.csv", "--mode", "100", form).stdout == microslip("ringdown", "d.csv", "--mode", "100", form).stdout
