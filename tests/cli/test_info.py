"""info: what is in a file, and one clear line about every bad one."""
import csv
import json
import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("MICROSLIP_SHARED", ROOT.parent / "shared")) / "data"
needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="set MICROSLIP_SHARED to the folder with the real files")


def test_info_on_a_table_with_units(microslip, tmp_path):
    (tmp_path / "run 1.csv").write_text("time,acc1,hammer\ns,m/s^2,N\n0,1,4\n0.5,-2,5\n1,3,6\n")
    info = microslip.json("info", "run 1.csv")
    assert info["verb"] == "info" and info["format"] == "table"
    (record,) = info["records"]
    assert record["sampling_rate_hz"] == 2 and record["samples"] == 3
    assert [c["quantity"] for c in record["channels"]] == ["acceleration", "force"]
    assert record["channels"][0]["minimum"] == -2 and record["channels"][0]["unit"] == "m/s^2"
    assert info["warnings"] == []
    text = microslip("info", "run 1.csv").stdout
    assert "acc1" in text and "2 Hz" in text
    assert microslip("info", "run 1.csv", "--csv").stdout.count("\n") == 3


def test_names_cannot_break_the_csv(microslip, tmp_path):
    # Names come from files, and files hold anything.
    (tmp_path / "v.csv").write_text("time [s];acc, left [m/s^2]\n0;1\n0.5;2\n1;3\n")
    rows = list(csv.reader(microslip("info", "v.csv", "--csv").stdout.splitlines()))
    assert [len(row) for row in rows] == [10, 10] and rows[1][1] == "acc, left"
    (tmp_path / "set, one.csv").write_text("force,dissipation\n10,1e-6\n50,1e-4\n100,1e-3\n")
    rows = list(csv.reader(microslip("fit", "dissipation", "set, one.csv", "--slip-force", "504", "--csv").stdout.splitlines()))
    assert [len(row) for row in rows] == [4] * 4 and rows[1][0] == "set, one"
    rows = list(csv.reader(microslip("models", "--csv").stdout.splitlines()))
    assert len(rows) > 30 and {len(row) for row in rows} == {9}


def test_info_on_data_that_are_no_signals_still_tells_what_is_there(microslip, tmp_path):
    (tmp_path / "d.csv").write_text("force,dissipation\n1,2\n3,4\n")
    info = microslip.json("info", "d.csv")
    assert info["records"] == [] and [c["name"] for c in info["data_sets"]] == ["force", "dissipation"]
    assert "no units are declared" in info["warnings"]
    (tmp_path / "u.csv").write_text("time,x\n0,1\n1,2\n2,3\n7,3\n")
    assert any("uneven sampling" in w and "line 5" in w for w in microslip.json("info", "u.csv")["warnings"])
    (tmp_path / "s.toml").write_text("[load]\nkind = 'none'\n")
    assert microslip.json("info", "s.toml")["data_sets"] == [{"name": "[load]", "summary": "kind"}]
    (tmp_path / "m.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 1\n1 1 2.0\n")
    assert microslip.json("info", "m.mtx")["matrices"] == [{"name": "matrix", "summary": "3 x 3, 1 entries, symmetric"}]


def test_info_on_a_mesh_of_gmsh(microslip, tmp_path):
    (tmp_path / "a.msh").write_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 1 1 0\n$EndNodes\n"
                                    "$Elements\n1\n1 2 2 7 1 1 2 3\n$EndElements\n")
    assert microslip.json("info", "a.msh")["data_sets"][0] == {"name": "mesh", "summary": "3 nodes, 1 elements"}


def test_rate_time_and_unit_can_be_declared(microslip, tmp_path):
    (tmp_path / "x.txt").write_text("1\n2\n3\n")
    assert microslip.json("info", "x.txt")["records"] == []
    record = microslip.json("info", "x.txt", "--rate", "100", "--unit", "g")["records"][0]
    assert record["sampling_rate_hz"] == 100 and record["channels"][0]["quantity"] == "acceleration"


@pytest.mark.parametrize(
    "name, content, expected",
    [
        ("empty.csv", b"", "empty.csv: is empty"),
        ("text.csv", b"a,b\n1,x\n", "text.csv:2: column 2 (b): 'x', a number is expected"),
        ("ragged.csv", b"1,2\n3\n", "ragged.csv:2: 1 cells, but the first row of numbers has 2"),
        ("nan.csv", b"1,2\nnan,3\n", "nan.csv:2: column 1: 'nan', a finite number is expected"),
        ("binary.csv", b"1,2\n\x00\x01", "binary.csv: holds a zero byte at offset 4: not a text file"),
        ("bad.mat", b"MATLAB 5.0", "bad.mat: 10 bytes are too few for a MAT file, whose header alone has 128"),
        ("bad.h5", b"\x89HDF\r\n\x1a\n", "bad.h5: the HDF5 library cannot open it: truncated or damaged"),
        ("bad.wav", b"RIFF", "bad.wav: byte 4: the size needs 4 bytes, only 0 are left: truncated or damaged"),
        ("bad.lvm", b"LabVIEW Measurement", "the header never ends (***End_of_Header*** is missing): truncated"),
        ("bad.uff", b"    -1\n    58\n", "bad.uff: byte 14: the seventh record of data set 58 must give data type, count and spacing"),
        ("bad.json", b'{"a": [1, }', "bad.json:1:11: not JSON"),
        ("bad.toml", b"a = \n", "bad.toml:1:5: not TOML"),
    ],
)
def test_bad_files_get_one_line(microslip, tmp_path, name, content, expected):
    (tmp_path / name).write_bytes(content)
    assert expected in microslip.refused("info", name)
    assert sorted(p.name for p in tmp_path.iterdir()) == [name]


def test_missing_file_and_folder(microslip, tmp_path):
    assert "none.csv: cannot be opened: No such file" in microslip.refused("info", "none.csv")
    assert "is a folder" in microslip.refused("info", ".")
    microslip.refused("info")


@needs_shared
def test_every_shared_measurement_and_format_is_told_or_refused(microslip):
    record = microslip.json("info", SHARED / "measured/BRB_HammerImpact.mat")["records"][0]
    assert record["sampling_rate_hz"] == 12800 and [c["unit"] for c in record["channels"]] == ["m/s^2"] * 3
    for path in sorted([*(SHARED / "formats/uff").iterdir(), *(SHARED / "formats/mat").iterdir(), *(SHARED / "measured").iterdir()]):
        info = microslip.json("info", path)
        assert info["records"] or info["data_sets"], path
        assert json.dumps(info, allow_nan=False)


@needs_shared
def test_matrices_and_meshes_are_told(microslip):
    calculix = SHARED / "formats/calculix"
    assert "symmetric" in microslip.json("info", calculix / "beam_ms.sti")["matrices"][0]["summary"]
    assert "pairs of node and direction" in microslip.json("info", calculix / "beam_ms.dof")["data_sets"][0]["summary"]
    assert "nodes" in microslip.json("info", calculix / "beam_ms.inp")["data_sets"][0]["summary"]
    assert microslip.json("info", SHARED / "formats/op4/rd.op4")["matrices"]
    assert microslip.json("info", SHARED / "formats/mtx/FEMBeam_model_STIF1.mtx")["matrices"]
    assert microslip.json("info", SHARED / "formats/op4/matrix_factory.pch")["matrices"]
