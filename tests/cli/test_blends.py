"""blend, register, loop, parametric, through the command line on one bank."""

import json

import pytest

from blend.made_sources import long_walk, reach
from command_line import invoke
from motionary.bank import Bank
from motionary.motion import recording_of


@pytest.fixture
def bank(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Bank.open("a.bank", create=True) as bank:
        for k, angle in enumerate((-20.0, 5.0, 30.0)):
            source = reach(angle, n_frames=40 + 3 * k, peak=18 + k)
            bank.add(f"reach_{k}", recording_of(source.motion), plants=source.plants)
        walk, _ = long_walk()
        bank.add("walk", recording_of(walk.motion), plants=walk.plants)
        bank.label(["reach_0", "reach_1", "reach_2"], ["reach"])
    return tmp_path


def run(words, *, fails=False):
    done = invoke(words.split())
    assert (done.exit_code != 0) == fails, done.output
    return str(done.exception) if fails else done.stdout


def test_a_blend_is_drawn_written_and_kept(bank):
    out = run("blend a.bank reach_0 reach_1 --weights 0.25,0.75 --keep mix -o mix.bvh -o mix.svg --json")

    facts = json.loads(out)
    assert facts["weights"] == {"reach_0:0-40": 0.25, "reach_1:0-43": 0.75}
    assert facts["clip"] == "mix"
    assert (bank / "mix.svg").exists()
    assert (bank / "mix.bvh").exists()
    assert facts["files"] == ["mix.bvh", "mix.svg"]
    assert "made again" in run("blend a.bank --again mix -o again.glb")
    assert "frames" in run("blend a.bank reach_0 reach_1 --weights 1,0/0,1")
    assert "frames" in run("blend a.bank --label reach --part arms=0,0,1")


def test_what_fits_together_is_listed_and_drawn(bank):
    out = run("register a.bank --label reach -o warps.svg --json")

    assert len(json.loads(out)["sources"]) == 3
    assert "reach_1" in run("register a.bank --label reach")
    assert (bank / "warps.svg").exists()


def test_loops_are_listed_and_kept(bank):
    assert len(run("loop a.bank walk --find --json").splitlines()) >= 2
    facts = json.loads(run("loop a.bank walk --rounds 2 --keep round -o round.bvh --json"))
    assert facts["seam_rad"] < 1e-4
    with Bank.open("a.bank") as opened:
        assert opened.recipe("round")["kind"] == "loop"
    assert (bank / "round.bvh").exists()


def test_a_parametric_motion_is_made_asked_and_removed(bank):
    made = json.loads(
        run("parametric make a.bank raise --label reach -m RightHand@apex --draws 40 -o region.svg --json")
    )

    assert [p["name"] for p in made["parameters"]] == ["RightHand left", "RightHand up", "RightHand ahead"]
    values = " ".join(str(x) for x in made["examples"][0]["values"])
    told = json.loads(run(f"parametric ask a.bank raise --json --keep asked -o ask.svg --region r.svg -- {values}"))
    assert told["weights"]["reach_0:0-40"] == pytest.approx(1.0, abs=1e-3)
    assert not told["projected"]
    assert (bank / "r.svg").exists()
    assert len(run("parametric ask a.bank raise --random 2 -o out.bvh --json").splitlines()) == 2
    assert (bank / "out_001.bvh").exists()
    assert "cannot be reached" in run("parametric ask a.bank raise 9 9 9")
    assert "(asked 0.000)" in run("parametric ask a.bank raise -- -0.0001 9 9")
    path = values.replace(" ", ",")
    assert "along the path: RightHand left within 0.0" in run(f"parametric ask a.bank raise --path {path} --secs 1")
    assert "3 parameters at each moment, not 2" in run("parametric ask a.bank raise --path 1,2,3/1,2", fails=True)
    assert "100 % of it cannot be reached" in run("parametric ask a.bank raise --path 9,9,9/9,9,8 --secs 1")
    steered = json.loads(run(f"parametric ask a.bank raise --path {path}/{path} --secs 1 --keep along --json"))
    assert steered["score_cm"] >= 0.0
    assert steered["projected"] == 0.0
    assert steered["path"][0]["wanted"] == pytest.approx(steered["path"][0]["got"], abs=1e-3)
    for clip in ("asked", "along"):
        assert "made again" in run(f"blend a.bank --again {clip} -o again.bvh")
    assert json.loads(run("parametric ls a.bank --json")) == {
        "parametric": "raise", "measures": ["RightHand@apex"], "examples": 3,
    }  # fmt: skip
    assert "3 examples" in run("parametric show a.bank raise")
    assert "clip" in run("parametric export a.bank raise space --grid 2")
    assert (bank / "space" / "blendspace.json").exists()
    assert "1 parametric motion removed" in run("parametric rm a.bank raise")
    assert run("parametric ls a.bank") == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("blend a.bank reach_0", "at least two motions"),
        ("blend a.bank reach_0 reach_1 --weights 0.5,0.6", "must sum to 1"),
        ("blend a.bank reach_0 reach_1 --weights a,b", "numbers with commas"),
        ("blend a.bank reach_0 reach_1 --weights 1,0/", "--weights must be numbers"),
        ("blend a.bank reach_0 reach_0 --weights 0.3,0.7", "named twice counts once"),
        ("blend a.bank reach_0 reach_1 reach_0 --weights 0.3,0.3,0.4", "The motions: reach_0"),
        ("parametric ask a.bank nothing --path 0/x", "--path must be numbers"),
        ("blend a.bank reach_0 reach_1 --part arms", "write PART=WEIGHTS"),
        ("blend a.bank --again walk -o a.bvh", "has no recipe"),
        ("blend a.bank --again walk", "--again needs -o"),
        ("blend a.bank reach_0 reach_1 -o a.fbx", "a.fbx"),
        ("loop a.bank reach_0", "no cycle was found"),
        ("parametric make a.bank x reach_0 reach_1 -m nothing", "is not a measure"),
        ("parametric ask a.bank nothing 1", "no parametric motion"),
        ("parametric ask a.bank nothing", "one of them"),
    ],
)
@pytest.mark.usefixtures("bank")
def test_what_is_wrong_is_said(words, message):
    assert message in run(words, fails=True)
