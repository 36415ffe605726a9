"""Calls that change the bank: each is one change, which its answer names and which can be taken back."""

import http.client
import io
import socket
import threading
import time
import zipfile

import pytest

from motionary.bank import Bank, SpreadLabel
from motionary.formats import read_motion_file
from motionary.motion import Segment
from server.conftest import ended

SEGMENT = {"clip_id": 1, "start": 10, "stop": 70}


def state_of(path):
    """All that calls can change, but the log."""
    with Bank.open(path) as bank:
        tables = ("clips", "labels", "selections", "matches", "plants", "kept_plants", "profiles", "refusals")
        return {
            one: [tuple(row) for row in bank.connection.execute(f"SELECT * FROM {one} ORDER BY id")] for one in tables
        }


def test_labels_go_on_and_off(studio):
    put = studio.post("/api/labels", {"labels": ["hop", "hip"], "segments": [SEGMENT], "clips": [3]}).json
    again = studio.post("/api/labels", {"labels": ["hop"], "clips": [3]}).json

    assert put["number"] == 4
    assert again == {"number": 0, "change": None}
    found = studio.get("/api/labels/segments?label=hop").json["segments"]
    assert [(one["clip"], one["start"], one["stop"]) for one in found] == [("sway_0", 10, 70), ("sway_2", 0, 120)]
    gone = studio.post("/api/labels/remove", {"labels": ["hop"], "segments": [SEGMENT]}).json
    assert gone["number"] == 1
    assert "unlabel sway_0:10-70: hop" in [one["command"] for one in studio.get("/api/log?last=1").json["changes"]]


@pytest.mark.parametrize(
    "body",
    [
        {"labels": ["x"]},
        {"labels": [" "], "clips": [1]},
        {"labels": ["a\nb"], "clips": [1]},
        {"labels": ["x"], "clips": [99]},
        {"labels": ["x" * 201], "clips": [1]},
        {"labels": "x", "clips": [1]},
    ],
)
def test_labels_that_cannot_be_change_nothing(studio, body):
    before = state_of(studio.path)

    assert studio.post("/api/labels", body).status in (400, 404, 422)

    assert state_of(studio.path) == before


def test_spread_labels_are_reviewed_weakest_first(studio):
    with Bank.open(studio.path) as bank:
        spread = [SpreadLabel(Segment(clip, 0, 30), "wave", 0.9 - 0.1 * clip, "#1:0-30") for clip in (2, 3, 4)]
        bank.put_spread_labels(spread, names=["wave"])

    listed = studio.get("/api/labels/review?label=wave&limit=2").json

    assert (listed["total"], [one["clip_id"] for one in listed["labels"]]) == (3, [4, 3])
    segments = [{"clip_id": 4, "start": 0, "stop": 30}]
    assert studio.post("/api/labels/accept", {"segments": segments, "labels": ["wave"]}).json["number"] == 1
    rejected = studio.post("/api/labels/reject", {"below": 0.65, "labels": ["wave"]}).json
    assert rejected["number"] == 1
    assert studio.get("/api/labels/review").json["total"] == 1
    assert studio.post("/api/undo", {"change": rejected["change"]}).status == 200
    assert studio.get("/api/labels/review").json["total"] == 2
    assert studio.post("/api/labels/reject", {}).status == 400


def test_as_many_undos_and_redos_restore_the_bank(studio):
    states, changes = [state_of(studio.path)], []
    for path, body in (
        ("/api/labels", {"labels": ["one"], "segments": [SEGMENT]}),
        ("/api/clips/2/rename", {"name": "another"}),
        ("/api/selections", {"name": "basket", "items": [{"segment": SEGMENT}]}),
        ("/api/clips/remove", {"clips": [4]}),
    ):
        changes.append(studio.post(path, body).json["change"])
        states.append(state_of(studio.path))
    for change, before in zip(changes[::-1], states[-2::-1], strict=True):
        assert studio.post("/api/undo", {"change": change}).json["undone"] == change
        assert state_of(studio.path) == before
    for change, after in zip(changes, states[1:], strict=True):
        assert studio.post("/api/redo", {"change": change}).json["change"] == change
        assert state_of(studio.path) == after
    for change in changes[::-1]:
        assert studio.post("/api/undo", {"change": change}).status == 200
    assert state_of(studio.path) == states[0]


def test_a_conflict_names_the_later_change(studio):
    first = studio.post("/api/clips/2/rename", {"name": "first"}).json["change"]
    second = studio.post("/api/clips/2/rename", {"name": "second"}).json["change"]

    reply = studio.post("/api/undo", {"change": first})

    assert reply.status == 409
    assert f"change {second} (rename first to second)" in reply.json["error"]
    assert studio.post("/api/redo", {"change": second}).status == 409
    for change in (second, first):
        assert studio.post("/api/undo", {"change": change}).status == 200
    assert studio.post("/api/undo", {"change": first}).status == 409
    assert studio.post("/api/undo", {"change": 10**9}).status in (400, 404)
    assert studio.post("/api/redo", {"change": 10**9}).status == 404


def test_selections_are_kept_thinned_and_removed(studio):
    query = {"query": {"clip_id": 1, "start": 0, "stop": 60}, "k": 4}
    result = studio.post("/api/search", query).json["result"]

    assert studio.post("/api/selections", {"name": "kicks", "result": result, "ranks": [1, 3]}).json["change"]
    basket = [{"segment": SEGMENT | {"mirrored": True}}, {"result": result, "rank": 2}]
    assert studio.post("/api/selections", {"name": "basket", "items": basket}).status == 200

    gone = [{"segment": SEGMENT, "result": "forgotten", "rank": 1}]  # the segment is still known
    assert studio.post("/api/selections", {"name": "late", "items": gone}).json["change"]
    assert studio.delete("/api/selections/late").json["change"]
    assert studio.post("/api/selections", {"name": "no", "items": [{"result": "forgotten", "rank": 1}]}).status == 404
    assert [one["rank"] for one in studio.get("/api/selections/kicks").json["matches"]] == [1, 3]
    by_hand = studio.get("/api/selections/basket").json["matches"]
    assert [(one["method"], one["mirrored"]) for one in by_hand] == [("hand", True), ("dtw", by_hand[1]["mirrored"])]
    assert studio.post("/api/selections", {"name": "kicks", "result": result}).status == 409
    assert studio.post("/api/selections/kicks/thin", {"drop": [1]}).json["change"]
    assert studio.post("/api/selections/kicks/thin", {}).status == 400
    assert studio.post("/api/selections/kicks/rename", {"name": "punches"}).json["change"]
    assert [one["selection"] for one in studio.get("/api/selections").json["selections"]] == ["basket", "punches"]
    assert studio.delete("/api/selections/punches").json["change"]
    assert studio.delete("/api/selections/basket").json["change"]
    assert studio.get("/api/selections/punches").status == 404


def test_exports_are_downloads(studio):
    one = studio.post("/api/export", {"segments": [SEGMENT], "format": "bvh"})
    several = studio.post("/api/export", {"segments": [SEGMENT, SEGMENT | {"clip_id": 2}], "format": "glb"})

    assert one.body.startswith(b"HIERARCHY")
    assert 'filename="sway_0_10-70.bvh"' in one.headers["content-disposition"]
    assert len(zipfile.ZipFile(io.BytesIO(several.body)).namelist()) == 2
    assert studio.post("/api/export", {"segments": []}).status == 400
    assert studio.post("/api/export", {"selection": "none"}).status == 404
    assert studio.post("/api/export", {"segments": [SEGMENT], "onto": "/etc/passwd"}).status == 422
    assert studio.post("/api/export", {"segments": [SEGMENT], "output": "/tmp/x"}).status == 422


def test_an_exported_file_can_be_imported_again(studio, captures):
    uploads = [
        studio.upload(f"up_{n}.bvh", (captures / "captures" / "more" / "bend_01.bvh").read_bytes()).json["file_id"]
        for n in range(2)
    ]

    job = studio.post("/api/import", {"file_ids": uploads}).json
    report = ended(studio, job["id"])

    assert report["state"] == "done", report
    assert [one["clip"] for one in report["result"]["added"]] == ["up_0"]
    assert report["result"]["copies"] == [{"file": "up_1.bvh", "clip": "up_0"}]
    with Bank.open(studio.path) as bank:
        assert bank.clip("up_0").source == "up_0.bvh"  # not the folder that uploads are kept in
        assert bank.log()[0].command == "import up_0.bvh, up_1.bvh"
    assert studio.post("/api/undo", {"change": report["result"]["change"]}).status == 200


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("..%2F..%2Fevil.bvh", 200),
        ("C%3A%5Cevil.bvh", 200),
        ("%00.bvh", 200),
        ("noending", 400),
        ("page.html", 400),
        (".bvh", 400),
        ("a" * 500 + ".bvh", 200),
    ],
)
def test_the_name_of_an_upload_is_only_a_name(studio, name, status):
    reply = studio.upload(name, b"HIERARCHY")

    assert reply.status == status
    if status == 200:
        assert "/" not in reply.json["name"]
        assert "\\" not in reply.json["name"]
        assert len(reply.json["name"]) <= 120
    assert studio.get("/api/uploads/..%2F..%2Fx/motion").status in (400, 404)


def test_a_file_that_is_none_is_an_error_with_its_line(studio):
    upload = studio.upload("bad.bvh", b"HIERARCHY\nNOTHING\n").json

    reply = studio.get(f"/api/uploads/{upload['file_id']}/motion")

    assert reply.status == 400
    assert "bad.bvh:2" in reply.json["error"]
    assert "motionary-studio" not in reply.json["error"]  # the folder that it lies in


def test_jobs_tell_how_far_they_are_and_what_came_of_them(studio):
    with listening(studio) as events:
        job = studio.post("/api/jobs", {"kind": "motifs", "arguments": {"k": 2, "length": 0.5, "within": 50}}).json
        report = ended(studio, job["id"])

    assert report["state"] == "done", report
    assert report["result"]["motifs"][0]["size"] > 1
    assert report["result"]["motifs"][0]["matches"][0]["clip_id"] >= 1
    told = [text for text in events.lines() if text.startswith("data:") and job["id"] in text]
    assert '"waiting"' in told[0]
    assert [one["id"] for one in studio.get("/api/jobs").json["jobs"]][-1] == job["id"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"kind": "motifs", "arguments": {"k": "many"}}, "k must be an integer"),
        ({"kind": "spread", "arguments": {"labels": ["nothing"]}}, "nothing"),
        ({"kind": "clean", "arguments": {"segments": [{"clip_id": 99, "start": 0, "stop": 9}]}}, "no clip"),
    ],
)
def test_a_job_fails_with_the_text_of_the_command_line(studio, body, said):
    report = ended(studio, studio.post("/api/jobs", body).json["id"])

    assert report["state"] == "failed"
    assert said in report["error"]


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "nothing"},
        {"kind": "motifs", "arguments": {"nothing": 1}},
        {"kind": "import", "arguments": {"folder": "/"}},
        {"kind": "index", "arguments": {"bank": "/"}},
    ],
)
def test_there_are_no_other_jobs(studio, body):
    assert studio.post("/api/jobs", body).status == 400
    assert studio.post("/api/import", {"file_ids": ["x"], "options": {"folder": "/"}}).status == 400


def test_a_job_can_be_ended(studio):
    first = studio.post("/api/jobs", {"kind": "motifs"}).json["id"]
    second = studio.post("/api/jobs", {"kind": "surprises"}).json["id"]

    assert studio.delete(f"/api/jobs/{second}").json["state"] == "cancelled"
    studio.delete(f"/api/jobs/{first}")

    assert ended(studio, first)["state"] in ("cancelled", "done")
    assert studio.delete("/api/jobs/nothing").status == 404


class listening:
    """The events of a server, as they come."""

    def __init__(self, studio):
        self.connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=30)
        self.connection.request("GET", "/api/events", headers=studio.headers)
        self.answer = self.connection.getresponse()
        assert self.answer.readline().startswith(b":")
        self.known = []
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.sock.shutdown(socket.SHUT_RDWR)
        self.thread.join(5)
        self.connection.close()

    def _read(self):
        try:
            while line := self.answer.readline():
                self.known.append(line.decode().strip())
        except (OSError, ValueError, AttributeError):
            pass  # closed

    def lines(self):
        return list(self.known)

    def wait_for(self, text, *, secs=20):
        until = time.monotonic() + secs
        while time.monotonic() < until:
            if any(text in line for line in self.known):
                return True
            time.sleep(0.05)
        return False


def test_what_others_change_is_told(studio):
    with listening(studio) as events, Bank.open(studio.path) as bank:
        bank.label("#1", ["from elsewhere"])

        assert events.wait_for("event: bank")
        assert events.wait_for(f'"change": {bank.newest_change}')
    assert "from elsewhere" in [one["label"] for one in studio.get("/api/labels").json["labels"]]


def test_a_bank_that_somebody_is_writing_to_can_be_read(studio):
    with Bank.open(studio.path) as bank, bank.rehearse():
        assert studio.get("/api/clips").status == 200


def test_read_back(studio, tmp_path):
    """The BVH that is downloaded holds the frames that were asked for."""
    path = tmp_path / "one.bvh"
    path.write_bytes(studio.post("/api/export", {"segments": [SEGMENT], "format": "bvh"}).body)

    assert read_motion_file(path).recordings[0].n_frames == 60
