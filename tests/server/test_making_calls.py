"""Calls that clean, blend, steer, connect and edit."""

import json
import shutil

import numpy as np
import pytest

from blend.made_sources import long_walk, reach
from motionary.bank import Bank
from motionary.motion import recording_of
from motionary.server.wire import unframed
from server.conftest import serving

FIRST, SECOND = ({"clip_id": clip, "start": 0, "stop": 100} for clip in (1, 2))
REACHES = [{"clip_id": clip, "start": 0, "stop": 40} for clip in (5, 6, 7)]
WALK = 8


@pytest.fixture(scope="module")
def studio(studio_bank, tmp_path_factory):
    """A server on the bank with three reaches and a walk, too."""
    path = tmp_path_factory.mktemp("making") / "small.bank"
    shutil.copy(studio_bank, path)
    with Bank.open(path) as bank:
        for number, angle in enumerate((-20.0, 5.0, 30.0)):
            source = reach(angle, n_frames=40 + 3 * number, peak=18 + number)
            bank.add(f"reach_{number}", recording_of(source.motion), plants=source.plants)
        walk, _ = long_walk()
        assert bank.add("walk", recording_of(walk.motion), plants=walk.plants) == WALK
    yield from serving(path)


def facts_and_motions(reply):
    assert reply.status == 200, reply.body
    return unframed(reply.body)


def test_clean_up_is_shown_before_it_is_done(studio):
    facts, motions = facts_and_motions(studio.post("/api/clean", {"segments": [FIRST]}))

    assert len(motions) == 2  # before and after
    assert len(motions[0].nodes) == len(motions[1].nodes) == 50
    assert facts["segments"][0]["plants"] > 0
    assert studio.get(f"/api/mannequins/{facts['mannequins'][0]}").status == 200
    before = studio.get("/api/log?last=1").json["changes"]
    done = studio.post("/api/clean", {"segments": [FIRST], "preview": False}).json
    assert done["segments"] == facts["segments"]
    if facts["segments"][0]["changed"]:
        assert studio.post("/api/undo", {"change": done["change"]}).status == 200
    else:
        assert studio.get("/api/log?last=1").json["changes"] == before


def test_plants_are_set_by_hand(studio):
    interval = {"clip_id": 3, "start": 20, "stop": 50}

    added = studio.post("/api/plants", {"segments": [interval], "foot": "left", "parts": ["toe"]}).json
    removed = studio.post("/api/plants/remove", {"segments": [interval], "feet": ["right"]}).json

    facts = studio.get("/api/clips/3").json
    assert facts["plants_origin"] == "hand"
    assert any(
        (one["foot"], one["part"], one["start"], one["stop"]) == ("left", "toe", 20, 50) for one in facts["plants"]
    )
    moved = [{name: one[name] for name in ("foot", "part", "start", "stop", "place")} for one in facts["plants"]]
    moved[0]["stop"] -= 1
    put = studio.post("/api/clips/3/plants", {"plants": moved}).json
    assert put["number"] == len(moved)
    assert studio.get("/api/clips/3").json["plants"][0]["stop"] == moved[0]["stop"]
    for change in (put["change"], removed["change"], added["change"]):
        assert studio.post("/api/undo", {"change": change}).status == 200
    assert studio.get("/api/clips/3").json["plants_origin"] is None
    moved[0]["stop"] = 999
    assert studio.post("/api/clips/3/plants", {"plants": moved}).status == 400
    assert studio.post("/api/plants", {"segments": [interval], "foot": "third"}).status == 422


def test_registered_segments_are_blended(studio):
    registered = studio.post("/api/blend/register", {"segments": REACHES[:2]}).json
    assert len(registered["sources"]) == len(registered["curves"]) == 2
    ask = {"registration": registered["registration"], "weights": [0.25, 0.75], "clean_up": False}

    facts, (motion,) = facts_and_motions(studio.post("/api/blend", ask))

    assert list(facts["weights"].values()) == [0.25, 0.75]
    assert len(motion.nodes) > 10
    kept = studio.post("/api/blend", ask | {"keep": "a blend"}).json
    assert studio.get(f"/api/clips/{kept['clip_id']}").json["clip"] == "a blend"
    assert studio.post("/api/undo", {"change": kept["change"]}).status == 200
    for weights in ([1.0], [0.5, 0.4], [[1, 0], [1]], "x"):
        assert studio.post("/api/blend", ask | {"weights": weights}).status in (400, 422)
    assert studio.post("/api/blend", ask | {"registration": "gone"}).status == 404
    assert studio.post("/api/blend/register", {"segments": [FIRST]}).status == 400
    assert studio.post("/api/blend/register", {"selection": "none"}).status == 404


@pytest.fixture(scope="module")
def steered(studio):
    """A parametric motion of the bank."""
    from motionary.parametric import keep_parametric

    with Bank.open(studio.path) as bank:
        keep_parametric(bank, "reach", ["reach_0", "reach_1", "reach_2"], ["RightHand@apex"], n_draws=50)
    return "reach"


def test_a_parametric_motion_is_steered(studio, steered):
    known = studio.get(f"/api/parametric/{steered}").json
    assert [one["parametric"] for one in studio.get("/api/parametric").json["parametrics"]] == [steered]
    names = [one["name"] for one in known["parameters"]]
    assert len(known["region"][0]) == len(names) == 3
    wanted = dict(zip(names, known["examples"][1]["values"], strict=True))

    facts, (motion,) = facts_and_motions(
        studio.post(f"/api/parametric/{steered}/ask", {"values": wanted, "corrections": 1, "clean_up": False})
    )

    assert facts["wanted"] == pytest.approx(wanted, abs=1e-5)
    assert len(motion.nodes) > 10
    kept = studio.post(f"/api/parametric/{steered}/ask", {"values": list(wanted.values()), "keep": "asked"}).json
    assert studio.post("/api/undo", {"change": kept["change"]}).status == 200
    assert studio.post(f"/api/parametric/{steered}/ask", {}).status == 400
    assert studio.post(f"/api/parametric/{steered}/ask", {"values": {"height": 1}}).status == 400
    assert studio.post("/api/parametric/none/ask", {"values": [1]}).status == 404
    gone = studio.delete(f"/api/parametric/{steered}").json
    assert studio.get("/api/parametric").json["parametrics"] == []
    assert studio.post("/api/undo", {"change": gone["change"]}).status == 200


def test_two_moments_are_connected(studio):
    ask = {
        "source": {"clip_id": 5, "frame": 20},
        "target": {"clip_id": WALK, "frame": 60},
        "method": "direct",
        "secs": 0.5,
    }

    facts, (motion,) = facts_and_motions(studio.post("/api/transitions", ask))

    assert facts["from"] == "reach_0:20"
    assert len(facts["lane"]) == facts["stop"] - facts["start"]
    assert len(motion.nodes) > 10
    kept = studio.post("/api/transitions", ask | {"keep": "between"}).json
    assert studio.get(f"/api/clips/{kept['clip_id']}").json["clip"] == "between"
    assert studio.post("/api/undo", {"change": kept["change"]}).status == 200
    assert studio.get("/api/transitions").json["tables"] == []
    assert "table" in studio.post("/api/transitions", ask | {"method": "table"}).json["error"]
    assert studio.post("/api/transitions", ask | {"label": "bend"}).status == 400  # a frame and a label
    assert studio.post("/api/transitions", ask | {"source": {"clip_id": 1, "frame": 500}}).status == 404
    assert studio.post("/api/transitions/verdict", {"pair": "gone", "answer": "a"}).status == 404


def test_moments_are_connected_within_a_time(studio):
    from motionary.transition import build_transitions

    ask = {"source": {"clip_id": 5, "frame": 20}, "target": {"clip_id": WALK, "frame": 60}, "within": 4, "secs": 0.5}
    assert "table" in studio.post("/api/transitions/connect", ask).json["error"]
    with Bank.open(studio.path) as bank:
        build_transitions(bank, secs=0.5, representatives=4)

    facts, (motion,) = facts_and_motions(studio.post("/api/transitions/connect", ask))

    assert facts["by"] in [one["by"] for one in facts["options"]]
    assert facts["frames"] >= facts["stop"] > facts["start"]
    assert len(motion.nodes) > 10
    kept = studio.post("/api/transitions/connect", ask | {"keep": "connected"}).json
    assert studio.post("/api/undo", {"change": kept["change"]}).status == 200
    assert studio.post("/api/transitions/connect", ask | {"label": "bend"}).status == 400
    assert studio.post("/api/transitions/connect", ask | {"graph": "none"}).status in (400, 404)
    pair, both = facts_and_motions(studio.post("/api/transitions/pair", {"secs": 0.5, "seed": 1}))
    assert len(both) == len(pair["transitions"]) == 2
    verdict = studio.post("/api/transitions/verdict", {"pair": pair["pair"], "answer": "="}).json
    assert (verdict["judged"], verdict["judged_threshold_cm"]) == (1, None)  # too few yet
    assert len(studio.get("/api/transitions").json["tables"]) == 1


@pytest.fixture(scope="module")
def graph(studio):
    """A motion graph of the bank."""
    from motionary.graph import GraphSettings, build_graph

    with Bank.open(studio.path) as bank:
        return build_graph(bank, settings=GraphSettings(ceiling_cm=50.0, apart_secs=0.2), threshold="30cm").name


def test_a_graph_walks_and_follows_a_path(studio, graph):
    assert studio.get("/api/graphs").json["graphs"] == [graph]
    assert studio.get(f"/api/graphs/{graph}").json["clips"] == 8

    facts, (motion,) = facts_and_motions(studio.post(f"/api/graphs/{graph}/walk", {"secs": 3, "seed": 1}))

    assert facts["secs"] >= 3
    assert len(facts["costs_cm"]) == facts["transitions"]
    assert abs(len(motion.nodes) / motion.rate_hz - facts["secs"]) < 0.1
    way = {"start": {"clip_id": 1, "frame": 10}, "goal": {"clip_id": 2, "frame": 80}}
    assert facts_and_motions(studio.post(f"/api/graphs/{graph}/path", way))[0]["frames"] > 0
    assert studio.post(f"/api/graphs/{graph}/path", way | {"label": "bend"}).status == 400
    assert studio.post(f"/api/graphs/{graph}/follow", {"points": [[0, 0]]}).status == 422
    assert studio.post(f"/api/graphs/{graph}/follow", {"points": "/etc/passwd"}).status == 422
    assert studio.post("/api/graphs/none/walk", {}).status in (400, 404)
    kept = studio.post(f"/api/graphs/{graph}/walk", {"secs": 2, "keep": "a walk"}).json
    assert studio.post("/api/undo", {"change": kept["change"]}).status == 200


def test_edits_are_previewed_and_put_on(studio):
    operations = {one["operation"]: one for one in studio.get("/api/edits/operations").json["operations"]}
    assert "cutoff_hz" in {one["parameter"] for one in operations["smooth"]["parameters"]}
    body = {"segment": FIRST, "operation": "smooth", "parameters": {"cutoff_hz": 1}, "to": {"segments": [SECOND]}}

    facts, motions = facts_and_motions(studio.post("/api/edits/preview", body))

    assert [one["number"] for one in facts["edits"]] == [1, 2]
    assert facts["played"] == facts["changing"] == [1, 2]
    assert len(motions) == 4
    assert np.abs(motions[0].nodes - motions[1].nodes).max() > 0.001
    assert facts["change"] is None
    nothing, same = facts_and_motions(studio.post("/api/edits/preview", {"segment": FIRST, "operation": "bands"}))
    assert (nothing["played"], nothing["changing"]) == ([1], [])  # it is seen all the same
    assert np.array_equal(same[0].nodes, same[1].nodes)
    without = json.loads(studio.post("/api/edits/preview", body | {"drop": [2], "play": False}).body)
    assert [one["number"] for one in without["edits"]] == [1]
    applied = studio.post("/api/edits/apply", body).json
    assert [one["operation"] for one in studio.get("/api/clips/2/edits").json["layers"]] == ["smooth"]
    removed = studio.delete("/api/clips/2/edits").json
    assert studio.get("/api/clips/2/edits").json["layers"] == []
    for change in (removed["change"], applied["change"]):
        assert studio.post("/api/undo", {"change": change}).status == 200
    assert studio.get("/api/clips/1/edits").json["layers"] == []


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"operation": "/tmp/learnt.json"}, "no operation is called"),
        ({"operation": "nothing"}, "no operation is called"),
        ({"options": {"dry_run": False}}, "options.dry_run"),
        ({"options": {"segment": "#1"}}, "options.segment"),
        ({"options": {"joints": ["thirdarm"]}}, "thirdarm"),
        ({"parameters": {"nothing": 1}}, "nothing"),
        ({"parameters": {"cutoff_hz": "fast"}}, "cutoff_hz"),
        ({"to": {"labels": ["none"]}}, "none"),
        ({"to": {"search": {"also": ["/etc/passwd"]}}}, "an item of also"),
        ({"drop": [9]}, "no edit 9"),
    ],
)
def test_edits_that_cannot_be_change_nothing(studio, more, said):
    newest = studio.get("/api/bank").json["change"]

    reply = studio.post("/api/edits/apply", {"segment": FIRST, "operation": "smooth"} | more)

    assert reply.status in (400, 404, 422)
    assert said in reply.json["error"]
    assert studio.get("/api/bank").json["change"] == newest


def test_a_segment_is_a_parameter(studio):
    body = {"segment": FIRST, "operation": "paste", "parameters": {"source": SECOND}, "options": {"joints": ["arms"]}}

    facts, motions = facts_and_motions(studio.post("/api/edits/preview", body))

    assert len(motions) == 2
    assert facts["edits"][0]["problem"] == ""
    wrong = body | {"parameters": {"source": {"clip_id": 1}}}
    assert studio.post("/api/edits/preview", wrong).status == 400


def test_motions_are_curves_in_a_space(studio):
    answer = studio.post("/api/spaces/curves", {"segments": [FIRST], "labels": ["bend"]}).json

    assert [one["label"] for one in answer["curves"]] == ["", "bend", "bend"]
    assert {len(point) for one in answer["curves"] for point in one["points"]} == {3}
    assert studio.get("/api/spaces").json == {"spaces": []}
    assert studio.post("/api/spaces/curves", {}).status == 400
    assert studio.post("/api/spaces/curves", {"space": "none", "labels": ["bend"]}).status == 404


def test_a_search_through_a_web_has_a_match_graph(studio):
    from motionary.search import build_web

    with Bank.open(studio.path) as bank:
        build_web(bank)
    found = studio.post("/api/search", {"query": FIRST, "by": "web", "k": 20}).json
    assert "result" in found, found

    graph = studio.post("/api/webs/graph", {"result": found["result"]}).json

    assert graph["nodes"][0]["node"] == 0
    assert graph["nodes"][0]["distance_cm"] == 0
    assert len(graph["nodes"]) >= len({(one["clip_id"], one["start"]) for one in found["matches"]})
    assert {node for edge in graph["edges"] for node in edge["nodes"]} <= {one["node"] for one in graph["nodes"]}
    assert len(studio.get("/api/webs").json["webs"]) == 1
    assert "folder" not in studio.get("/api/webs").json["webs"][0]
    none = {"query": FIRST, "by": "web", "options": {"epsilon_cm": 0.001}}
    assert any("no match" in note for note in studio.post("/api/search", none).json["notes"])
    exact = studio.post("/api/search", {"query": FIRST, "k": 1}).json["result"]
    assert studio.post("/api/webs/graph", {"result": exact}).status == 400
