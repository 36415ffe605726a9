"""Calls that search, and those about matches."""

import json
import shutil
import socket
import threading

import pytest

from motionary.bank import Bank
from motionary.search import search_bank
from server.conftest import ended, serving

QUERY = {"clip_id": 1, "start": 0, "stop": 60}


def search(studio, **body):
    return studio.post("/api/search", {"query": QUERY, **body})


def test_matches_are_those_of_the_command_line(studio):
    answer = search(studio, k=5, options={"joints": ["arms"], "mirrored": "no"}).json

    with Bank.open(studio.path) as bank:
        expected = search_bank(bank, "#1:0-60", k=5, joints=["arms"], mirrored="no")
    assert [(one["clip_id"], one["start"], one["stop"]) for one in answer["matches"]] == [
        (one.segment.clip_id, one.segment.start, one.segment.stop) for one in expected
    ]
    assert [one["distance"] for one in answer["matches"]] == [one.distance for one in expected]
    assert answer["matches"][0]["alignment"]["pairs"] == expected[0].alignment.pairs.ravel().tolist()
    assert answer["matches"][0]["mannequin"] == "s1"


def test_options_name_segments_as_objects(studio):
    without = search(studio, k=3).json["matches"][0]
    place = {name: without[name] for name in ("clip_id", "start", "stop")}

    answer = search(studio, k=3, options={"without": [place], "unlike": [{"parts": "legs", "segment": place}]}).json

    assert all(one["clip_id"] != place["clip_id"] or one["start"] != place["start"] for one in answer["matches"])


def test_notes_do_not_name_options_of_the_command_line(studio):
    options = {"expand": 2, "at_least": 1000, "within": 0.001}
    expanded = search(studio, k=1000, options=options).json["notes"]

    assert any("compared with the query, and with the mean" in note for note in expanded)
    assert any("of 1000 matches found, even with a window of" in note for note in expanded)
    assert not any("--" in note for note in expanded)


def test_a_pose_space_searches_too(studio):
    matches = search(studio, by="wpca", k=2).json["matches"]

    assert {one["method"] for one in matches} == {"wpca"}


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"by": "magic"}, 422, "by"),
        ({"options": {"joints": ["armz"]}}, 400, "did you mean 'arms'"),
        ({"options": {"window": 2}}, 400, "window must be between 0 and 1"),
        ({"options": {"distance": "far"}}, 400, "distance must be dtw, euclid or lcss"),
        ({"options": {"nonsense": 1}}, 400, "no option 'nonsense'"),
        ({"options": {"query": "sway_1"}}, 400, "no option 'query'"),
        ({"options": {"profile": "../../etc/passwd"}}, 404, "no profile"),
        ({"options": {"profile": {"path": "x"}}}, 400, "profile must be a name"),
        ({"options": {"also": "/etc/passwd"}}, 400, "also must be a list"),
        ({"options": {"also": ["/etc/passwd"]}}, 400, "an item of also must be"),
        ({"options": {"sources": [["arms", "/etc/passwd"]]}}, 400, "an item of sources must be"),
        ({"by": "wpca", "options": {"space": "/etc/passwd"}}, 404, "no"),
        ({"by": "web"}, 404, "no match web"),
        ({"query": {"clip_id": 1, "start": 0, "stop": 999}}, 404, "has 120 frames"),
        ({"query": {"file_id": "nothing"}}, 404, "upload the file again"),
        ({"query": "sway_0:0-10"}, 422, "query"),
        ({"k": 0}, 422, "k"),
    ],
)
def test_what_is_wrong_is_told_as_on_the_command_line(studio, body, status, said):
    reply = search(studio, **body)

    assert reply.status == status
    assert said in reply.json["error"]


def test_a_match_is_explained_joint_by_joint(studio):
    result = search(studio, k=2).json["result"]

    told = studio.post("/api/explain", {"result": result, "rank": 1}).json

    assert sum(told["by_part"]) == pytest.approx(1.0)
    assert len(told["cells"][0]) == len(told["parts"])
    assert studio.post("/api/explain", {"result": result, "rank": 9}).status == 404
    assert studio.post("/api/explain", {"result": "gone", "rank": 1}).status == 404
    by_space = search(studio, by="wpca", k=2).json["result"]
    assert studio.post("/api/explain", {"result": by_space, "rank": 1}).status == 400


def test_judgements_teach_and_judged_matches_do_not_come_back(studio):
    first = search(studio, k=6).json
    judged = {(one["clip_id"], one["start"]) for one in first["matches"] if one["rank"] in (1, 2, 6)}

    again = studio.post("/api/feedback", {"result": first["result"], "accepted": [1, 2], "rejected": [6]}).json

    assert not judged & {(one["clip_id"], one["start"]) for one in again["matches"]}
    assert (again["accepted"], again["rejected"]) == (2, 1)
    more = studio.post("/api/feedback", {"result": again["result"], "accepted": [1], "keep_profile": "mine"}).json
    assert more["accepted"] == 3
    assert more["change"]
    assert [one["profile"] for one in studio.get("/api/profiles").json["profiles"]] == ["mine"]
    assert search(studio, options={"profile": "mine"}).status == 200
    both = {"result": first["result"], "accepted": [1], "rejected": [1]}
    assert "both accepted and rejected" in studio.post("/api/feedback", both).json["error"]


@pytest.mark.parametrize("options", [{"expand": 2}, {"steps": 2}])
def test_what_no_profile_goes_with_is_left_out_when_judgements_teach(studio, options):
    result = search(studio, k=4, options=options).json["result"]

    assert studio.post("/api/feedback", {"result": result, "accepted": [1]}).json["accepted"] == 1


def test_matches_fall_into_clusters(studio):
    result = search(studio, k=6).json["result"]

    clusters = studio.post("/api/clusters", {"result": result}).json["clusters"]

    assert sorted(rank for cluster in clusters for rank in cluster["ranks"]) == [1, 2, 3, 4, 5, 6]


def test_nobody_searches_for_a_caller_who_is_gone(studio_bank):
    from motionary.server import Studio
    from motionary.server.studio import CallerGone

    served = Studio(studio_bank)
    try:
        with served.indexed_bank():
            waiting = threading.Thread(target=lambda: told.append(raised(served)))
            told = []
            waiting.start()
            waiting.join(20)  # while somebody else searches
        assert isinstance(told[0], CallerGone)
        assert isinstance(raised(served), CallerGone)  # when nobody does
        with served.indexed_bank() as (_, index):
            assert index.features.n_rows
    finally:
        served.close()


def raised(served):
    try:
        with served.indexed_bank(lambda: True):
            return None
    except Exception as error:
        return error


def test_callers_who_hang_up_hold_up_nobody(studio):
    body = json.dumps({"query": QUERY, "k": 5}).encode()
    head = f"POST /api/search HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nContent-Length: {len(body)}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in studio.headers.items())
    for _ in range(30):
        with socket.create_connection(("127.0.0.1", studio.port), timeout=20) as connection:
            connection.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)

    assert len(search(studio, k=5).json["matches"]) == 5


def test_a_large_index_is_built_by_a_job(studio_bank, tmp_path, monkeypatch):
    monkeypatch.setattr("motionary.server.studio.MOST_FRAMES_AT_ONCE", 100)
    path = tmp_path / "small.bank"
    shutil.copy(studio_bank, path)
    for client in serving(path):
        answer = search(client)
        assert (answer.status, answer.json["error"]) == (
            409,
            "the index of small.bank is not built yet; the job `index` builds it",
        )
        job = client.post("/api/jobs", {"kind": "index", "arguments": {}}).json["id"]
        ended(client, job)
        assert search(client).status == 200


def test_an_index_that_cannot_be_kept_is_built_for_the_search(studio_bank, tmp_path, monkeypatch):
    monkeypatch.setattr("motionary.server.studio.MOST_FRAMES_AT_ONCE", 100)
    path = tmp_path / "small.bank"
    shutil.copy(studio_bank, path)
    for client in serving(path):
        assert search(client).status == 409
        ended(client, client.post("/api/jobs", {"kind": "index", "arguments": {}}).json["id"])
        shutil.rmtree(f"{path}.derived")  # as if nothing could be written

        assert search(client).status == 200


def test_a_search_sees_clips_that_others_removed_and_brought_back(studio):
    found = {one["clip_id"] for one in search(studio, k=9).json["matches"]}
    gone = max(found)
    with Bank.open(studio.path) as bank:
        bank.remove(gone)
        without = {one["clip_id"] for one in search(studio, k=9).json["matches"]}
        bank.undo()

    assert gone not in without
    assert {one["clip_id"] for one in search(studio, k=9).json["matches"]} == found


def test_an_uploaded_file_is_a_query(studio, captures):
    content = (captures / "captures" / "sway_01.bvh").read_bytes()

    upload = studio.upload("my%20take.bvh", content).json

    assert (upload["name"], upload["bytes"]) == ("my take.bvh", len(content))
    assert studio.get(f"/api/uploads/{upload['file_id']}/motion").body[4:5] == b"{"
    assert search(studio, query={"file_id": upload["file_id"]}, k=1).json["matches"][0]["clip"] == "sway_0"
    assert search(studio, query={"file_id": upload["file_id"], "start": 0, "stop": 30}).status == 200
    assert search(studio, query={"file_id": upload["file_id"], "start": 0, "stop": 999}).status in (400, 404)


NASTY = (
    None,
    True,
    -1,
    0,
    1e308,
    2**70,
    "x",
    "",
    "../x",
    [],
    ["x"],
    [None],
    [[1]],
    {},
    {"x": 1},
    {"arms": "x"},
    {"arms": None},
)


@pytest.mark.thorough
@pytest.mark.parametrize("by", ["exact", "wpca"])
def test_no_value_of_an_option_is_a_crash(studio, by):
    from motionary.requests import settings_of
    from motionary.search import METHODS

    crashed = {}
    for setting in settings_of(METHODS[by].request):
        for value in NASTY:
            reply = search(studio, by=by, k=3, options={setting.name: value})
            if reply.status >= 500:
                crashed[setting.name, repr(value)] = reply.status

    assert crashed == {}


@pytest.mark.thorough
def test_no_argument_of_an_edit_is_a_crash(studio):
    crashed = {}
    for one in studio.get("/api/edits/operations").json["operations"]:
        for parameter in one["parameters"]:
            for value in NASTY:
                body = {"segment": QUERY, "operation": one["operation"], "parameters": {parameter["parameter"]: value}}
                reply = studio.post("/api/edits/preview", body)
                if reply.status >= 500:
                    crashed[one["operation"], parameter["parameter"], repr(value)] = reply.status
    for name in (
        "joints",
        "strength",
        "strength_by",
        "ease_secs",
        "align_joints",
        "vary",
        "seed",
        "score_limit",
        "hold",
    ):
        for value in NASTY:
            body = {"segment": QUERY, "operation": "smooth", "options": {name: value}}
            reply = studio.post("/api/edits/preview", body)
            if reply.status >= 500:
                crashed["options", name, repr(value)] = reply.status

    assert crashed == {}
