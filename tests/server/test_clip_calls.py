"""Calls about the bank, its clips and their motions."""

import numpy as np
import pytest

from motionary.bank import Bank
from motionary.picture import nodes_of
from motionary.rig import map_skeleton
from motionary.server.wire import HEADER, packed, unpacked

SEGMENT = {"clip_id": 1, "start": 10, "stop": 70}


def test_the_bank_as_a_whole(studio):
    facts = studio.get("/api/bank").json

    assert (facts["name"], facts["clips"], facts["frames"], facts["seconds"]) == ("small.bank", 4, 480, 8.0)
    assert facts["labels"] == [
        {"label": "bend", "clips": 2, "segments": 2},
        {"label": "calm", "clips": 2, "segments": 0},
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [1, 2, 3, 4]),
        ("?words=body+2", [3]),
        ("?label=bend", [1, 2]),
        ("?label=bend&label=calm&words=sway_1", [2]),
        ("?sort=newest&limit=2", [4, 3]),
        ("?offset=3", [4]),
        ("?offset=9", []),
        ("?ids=4,2,77", [2, 4]),
    ],
)
def test_clips_are_listed_by_words_and_labels(studio, query, found):
    assert [clip["id"] for clip in studio.get(f"/api/clips{query}").json["clips"]] == found


@pytest.mark.parametrize("query", ["?limit=0", "?limit=1001", "?offset=-1", "?sort=colour", "?ids=a", "?ids=1;2"])
def test_a_list_that_cannot_be_is_an_error(studio, query):
    reply = studio.get(f"/api/clips{query}")

    assert reply.status == 422
    assert reply.json["error"]


def test_one_clip_with_its_labels_and_plants(studio):
    facts = studio.get("/api/clips/1").json

    assert facts["clip"] == "sway_0"
    assert [label["label"] for label in facts["labels"]] == ["calm", "bend"]
    assert {plant["foot"] for plant in facts["plants"]} == {"left", "right"}
    assert facts["plants_origin"] is None  # detected just now
    assert studio.get("/api/clips/5").status == 404
    assert studio.get("/api/clips/0").status == 422
    assert studio.get(f"/api/clips/{2**63}").status == 422


def test_lanes_have_a_number_for_each_bucket(studio):
    lanes = studio.get("/api/clips/1/lanes?buckets=50").json

    assert (lanes["frames"], lanes["buckets"]) == (120, 50)
    assert len(lanes["speed"]) == len(lanes["score"]) == len(lanes["contacts"]["left"]) == 50
    assert studio.get("/api/clips/1/lanes?buckets=5000").json["buckets"] == 120


def test_a_mannequin_is_made_of_capsules_between_its_nodes(studio):
    key = studio.get("/api/clips/1").json["mannequin"]

    figure = studio.get(f"/api/mannequins/{key}").json

    n_nodes = len(figure["nodes"])
    assert all(node["parent"] < n for n, node in enumerate(figure["nodes"]))
    assert all(0 <= node < n_nodes for capsule in figure["capsules"] for node in capsule["nodes"])
    assert {capsule["side"] for capsule in figure["capsules"]} == {"left", "right", "middle"}
    assert figure["head"]["half_length"] > 0


@pytest.mark.parametrize("key", ["s99", "sx", "m12", "nothing", "s1-abc", "s99999999999999999999999"])
def test_there_is_no_other_mannequin(studio, key):
    assert studio.get(f"/api/mannequins/{key}").status in (400, 404)


def test_a_user_map_gives_a_mannequin_another_key(studio):
    before = studio.get("/api/clips/1").json["mannequin"]
    with Bank.open(studio.path) as bank:
        bank.set_body_map(1, {"LeftThigh": "LeftThigh"})
        with_map = studio.get("/api/clips/1").json["mannequin"]
        bank.undo()

    assert with_map != before
    assert studio.get("/api/clips/1").json["mannequin"] == before


def test_motions_are_places_of_nodes_in_millimetres(studio):
    reply = studio.get("/api/clips/1/motion?start=10&stop=70&hz=30")

    (sent,) = unpacked(reply.body)
    with Bank.open(studio.path) as bank:
        nodes = nodes_of(bank.motion(bank.segment("#1:10-70")), rate_hz=30.0).nodes
    assert sent.rate_hz == 30.0
    assert len(reply.body) == HEADER.size + 2 * nodes.size
    np.testing.assert_allclose(sent.nodes, nodes, atol=0.00051)


def test_a_chunk_of_a_clip_ends_with_the_clip(studio):
    (sent,) = unpacked(studio.get("/api/clips/1/motion?start=100").body)

    assert (len(sent.nodes), round(sent.rate_hz, 3)) == (20, 60.0)
    assert studio.get("/api/clips/1/motion?start=120").status in (400, 404)
    assert studio.get("/api/clips/1/motion?start=0&stop=121").status == 404


def test_several_motions_come_in_one_answer(studio):
    body = {"segments": [SEGMENT, {"clip_id": 3, "start": 0, "stop": 1}, SEGMENT | {"mirrored": True}], "hz": 15}

    plain, single, mirrored = unpacked(studio.post("/api/motions", body).body)

    assert [len(plain.nodes), len(single.nodes), len(mirrored.nodes)] == [15, 1, 15]
    with Bank.open(studio.path) as bank:
        hands = [map_skeleton(bank.skeleton(1)).joints[f"{side}Hand"] for side in ("Left", "Right")]
    left, right = hands
    ours, theirs = plain.nodes - plain.nodes[:, :1], mirrored.nodes - mirrored.nodes[:, :1]
    np.testing.assert_allclose(theirs[:, right] * [-1, 1, 1], ours[:, left], atol=0.003)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"segments": [{"clip_id": 1}]},
        {"segments": [{"clip_id": 1, "start": 5, "stop": 5}]},
        {"segments": [{"clip_id": 1, "start": 0, "stop": 121}]},
        {"segments": [{"clip_id": 99, "start": 0, "stop": 1}]},
        {"segments": ["sway_0:0-10"]},
        {"segments": [SEGMENT], "hz": 0},
        {"segments": [SEGMENT], "hz": "x"},
        {"segments": [SEGMENT | {"path": "/etc/passwd"}]},
        {"segments": [SEGMENT] * 201},
        {"segments": [], "more": 1},
    ],
)
def test_motions_that_cannot_be_are_errors(studio, body):
    reply = studio.post("/api/motions", body)

    assert reply.status in (400, 404, 422)
    assert reply.json["error"]


def test_posters_are_three_poses_each(studio):
    posters = unpacked(studio.get("/api/posters?ids=2,99,1").body)

    assert [poster.nodes.shape[0] for poster in posters] == [3, 0, 3]
    assert studio.get("/api/posters?ids=").status == 422
    assert studio.get(f"/api/posters?ids={','.join(['1'] * 201)}").status == 400


def test_a_motion_that_leads_far_away_has_a_larger_unit(studio):
    (sent,) = unpacked(studio.get("/api/clips/1/motion").body)
    far = type(sent)(sent.mannequin, sent.nodes + np.linspace(0, 200, len(sent.nodes))[:, None, None], 30.0)

    (back,) = unpacked(packed(far))

    np.testing.assert_allclose(back.nodes, far.nodes, atol=0.01)
