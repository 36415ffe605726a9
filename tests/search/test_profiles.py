import base64
import json
import zlib
from dataclasses import replace

import numpy as np
import pytest

from motionary.errors import UsageError
from motionary.features import descriptions
from motionary.search.profiles import Judged, Profile


def judged(seed: int = 0, n_frames: int = 5) -> Judged:
    rng = np.random.default_rng(seed)
    return Judged(
        f"walk:{seed}-{seed + n_frames}",
        {
            name: rng.normal(size=(n_frames, each.n_dimensions)).astype(np.float32)
            for name, each in descriptions().items()
        },
    )


def profile() -> Profile:
    return Profile((judged(1), judged(2)), (judged(3, 7),), {"LeftHand up": 4.0, "root height": 0.5}, "walk:0-5")


def test_a_profile_goes_through_a_file_unharmed(tmp_path):
    path = tmp_path / "calm.json"
    path.write_text(json.dumps(profile().as_json()), encoding="utf-8")

    read = Profile.read(path)

    assert read.weights == profile().weights
    assert read.learned_from == "walk:0-5"
    assert [one.name for one in (*read.accepted, *read.rejected)] == ["walk:1-6", "walk:2-7", "walk:3-10"]
    for one, other in zip((*read.accepted, *read.rejected), (*profile().accepted, *profile().rejected), strict=True):
        for name, array in one.arrays.items():
            assert array.dtype == np.float32
            assert array.tobytes() == other.arrays[name].tobytes()


def test_a_profile_that_was_read_is_written_as_it_was():
    content = profile().as_json()

    assert Profile.of_json(content, where="here").as_json() == content


def test_large_and_small_numbers_stay_as_they_are():
    largest = float(np.finfo(np.float32).max)
    rows = np.array([[largest, -1e5, 65_520.0, 1e-40, 0.1, 1 / 3]], dtype=np.float32)
    spiky = Profile((Judged("spike", {"root": rows}),), weights={"root height": 1e-7 / 3})

    read = Profile.of_json(json.loads(json.dumps(spiky.as_json())), where="here")

    assert read.accepted[0].arrays["root"].tobytes() == rows.tobytes()
    assert read.weights == spiky.weights


def test_profiles_in_half_precision_can_still_be_read():
    rows = np.array([[0.5, -2.0, 3.0, 4.0, 5.0, 6.0]], dtype=np.float32)
    content = Profile((Judged("old", {"root": rows}),)).as_json()
    packed = base64.b64encode(zlib.compress(rows.T.astype("<f2").tobytes())).decode()
    old = {**content, "version": 1, "accepted": [{**content["accepted"][0], "rows": {"root": packed}}]}

    assert Profile.of_json(old, where="here").accepted[0].arrays["root"].tolist() == rows.tolist()


def test_clips_are_known_in_their_own_bank_only(tmp_path):
    content = replace(profile(), clip_ids=(3, 5)).as_json()
    (tmp_path / "p.json").write_text(json.dumps(content), encoding="utf-8")

    assert Profile.of_json(content, where="here").clip_ids == (3, 5)
    assert Profile.read(tmp_path / "p.json").clip_ids is None


def test_a_judged_match_is_played_in_straight_lines():
    rows = np.arange(4, dtype=np.float32)[:, None] * np.ones((1, 6), dtype=np.float32)
    counting = Judged("count", {"root": rows})

    assert counting.rows(4)["root"] is rows
    assert counting.rows(7)["root"][:, 0].tolist() == [0, 0.5, 1, 1.5, 2, 2.5, 3]
    assert counting.rows(3)["root"][:, 0].tolist() == [0, 1.5, 3]
    assert counting.rows(1)["root"][:, 0].tolist() == [0]
    assert Judged("one", {"root": rows[:1]}).rows(3)["root"][:, 0].tolist() == [0, 0, 0]
    assert counting.place is None
    with pytest.raises(UsageError, match="has only features"):
        counting.poses(4)


def test_what_people_and_lcss_make_of_weights():
    assert profile().by_part() == {"LeftHand": 4.0, "Hips": 0.5}
    assert profile().tolerances == {"LeftHand up": 0.5, "root height": pytest.approx(2**0.5)}


@pytest.mark.parametrize("weights", [{"Tail up": 1.0}, {"LeftHand up": 0.0}, {"LeftHand up": float("inf")}])
def test_weights_that_no_profile_has(weights):
    with pytest.raises(UsageError, match="must be above 0"):
        Profile(weights=weights)


def damaged(**changes):
    return {**profile().as_json(), **changes}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ([], "this is not a profile"),
        ({"weights": {}}, "this is not a profile"),
        (damaged(version=3), "has version 3, but this program supports only up to 2"),
        (damaged(weights=[1.0]), "damaged"),
        (damaged(accepted=[{"name": "a", "n_frames": 5, "rows": {"root": "no base64!"}}]), "damaged"),
        (
            damaged(accepted=[{"name": "a", "n_frames": 9, "rows": profile().as_json()["accepted"][0]["rows"]}]),
            "damaged",
        ),
        (damaged(accepted=[{"name": "a", "n_frames": 5, "rows": {"tails": ""}}]), "damaged"),
        (damaged(rejected=[{"name": "a", "n_frames": 5, "rows": {}}]), "damaged"),
    ],
)
def test_what_is_no_profile_is_told(content, problem, tmp_path):
    path = tmp_path / "p.json"
    path.write_text(json.dumps(content))

    with pytest.raises(UsageError, match=problem) as raised:
        Profile.read(path)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"format": NaN}', '{"weights": Infinity}', "\udcff"])
def test_hostile_files_are_no_profiles(tmp_path, text):
    (tmp_path / "p.json").write_text(text, encoding="utf-8", errors="surrogateescape")

    with pytest.raises(UsageError, match="this is not a profile"):
        Profile.read(tmp_path / "p.json")


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "text.json").write_text("not JSON")

    with pytest.raises(UsageError, match="this is not a profile"):
        Profile.read(tmp_path / "text.json")
    with pytest.raises(UsageError, match="cannot be read"):
        Profile.read(tmp_path / "missing.json")
