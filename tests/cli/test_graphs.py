"""graph build, info, show, rm, walk, path, follow, end to end."""

import json
from shutil import copyfile

import numpy as np
import pytest

import motionary
from command_line import invoke
from motionary.artefacts.manifest import Manifest
from motionary.graph.candidate_store import KIND
from motionary.graph.ordered_labels import route_through
from motionary.sample import sample_into


@pytest.fixture(scope="module")
def bank_path(tmp_path_factory):
    path = tmp_path_factory.mktemp("graph") / "a.bank"
    with motionary.Bank.open(path, create=True) as bank:
        sample_into(bank, minutes=1.0, seed=3)
        bank.add("brief", bank.recording(bank.clips()[0].id).slice(0, 60))
    done = run("graph", "build", path, "--threshold", "5cm", "--ceiling", "5")
    assert done.exit_code == 0, done.output
    return path


def run(*words):
    return invoke([str(word) for word in words])


def told(*words):
    done = run(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout.splitlines()[0])


def test_a_graph_is_built_once_and_told_about(bank_path):
    facts, again = (told("graph", "build", bank_path, "--threshold", "5cm", "--ceiling", "5") for _ in range(2))

    assert facts == again
    assert facts["transitions"] > 20
    assert facts["metric"] == "dynamics"
    assert sum(facts["by_speed"].values()) == facts["transitions"]
    assert told("graph", "info", bank_path)["transitions"] == facts["transitions"]
    fewer = told("graph", "info", bank_path, "--threshold", "rank=30")
    assert fewer["transitions"] < facts["transitions"]


def test_walks_are_the_same_for_the_same_seed_and_feet_stand(bank_path, tmp_path):
    files = [tmp_path / "a.bvh", tmp_path / "b.bvh", tmp_path / "c.bvh"]

    facts = [
        told("graph", "walk", bank_path, "--secs", "6", "--seed", seed, "-o", file)
        for seed, file in zip((1, 1, 2), files, strict=True)
    ]

    assert files[0].read_bytes() == files[1].read_bytes() != files[2].read_bytes()
    assert facts[0]["secs"] == pytest.approx(6.0, abs=0.6)
    assert facts[0]["worst_cm"] <= 5.0
    assert facts[0]["slide_cm"] <= 0.2


def test_the_shortest_way_leads_from_frame_to_frame_and_to_labels(bank_path, tmp_path):
    with motionary.Bank.open(bank_path) as bank:
        built = motionary.open_graph(bank)
        graph = built.graph
        names = bank.clip_names(graph.clip_ids)

        def name(frame):
            clip = int(graph.ways.clip_of(frame))
            return f"{names[graph.clip_ids[clip]]}:{frame - int(graph.ways.starts[clip])}"

        start, goal = name(int(graph.departs[0])), name(int(graph.arrives[-1]) + 2)
        label = next(iter(graph.labels))

    way = told("graph", "path", bank_path, start, goal, "-o", tmp_path / "way.png")
    to_label = told("graph", "path", bank_path, start, "--label", label, "--keep", "led")

    assert way["pieces"][0].startswith(start.rpartition(":")[0])
    assert way["pieces"][-1].startswith(goal.rpartition(":")[0])
    begins = int(way["pieces"][0].rpartition(":")[2].partition("-")[0])  # in frames of the clip, as it was asked for
    assert abs(begins - int(start.rpartition(":")[2])) <= 1
    assert (tmp_path / "way.png").stat().st_size > 1000
    assert to_label["secs"] >= 0.0
    with motionary.Bank.open(bank_path) as bank:
        assert bank.clip("led").notes == ("made by motionary graph",)
        bank.undo()


def test_a_way_too_short_to_score_is_told_as_not_measured(bank_path, tmp_path):
    words = ("graph", "path", bank_path, "#2:300", "#2:300")

    facts = told(*words, "-o", tmp_path / "way.png")

    assert facts["score_cm"] is None
    assert "score not measured" in run(*words).stdout


def test_a_path_is_followed_and_drawn_from_above(bank_path, tmp_path):
    above = tmp_path / "above.svg"

    facts = told("graph", "follow", bank_path, "0,0 0,2.5", "--most-off", "1.5", "--above", above)

    assert facts["path_m"] == pytest.approx(2.5, abs=0.1)
    assert facts["off_path_mean_cm"] < 60.0
    assert "<svg" in above.read_text()


def test_a_path_may_begin_with_a_negative_number(bank_path):
    facts, same = (told("graph", "follow", bank_path, line, "--effort", "2") for line in ("-1,0 -1,1", "0,0 0,1"))

    assert facts["path_m"] == same["path_m"]
    assert facts["pieces"] == same["pieces"]
    assert run("graph", "follow", bank_path, "-x").exit_code != 0


def test_graphs_are_drawn_as_maps_and_matrices(bank_path, tmp_path):
    facts = told("graph", "show", bank_path, "-o", tmp_path / "map.svg")
    assert facts["file"] == str(tmp_path / "map.svg")
    assert facts["remarks"] == []
    for words in (["-o", tmp_path / "map.svg"], ["--against", "uniform", "-o", tmp_path / "difference.png"]):
        done = run("graph", "show", bank_path, *words)
        assert done.exit_code == 0, done.output
    drawn = (tmp_path / "map.svg").read_text()
    assert "red: fast)" in drawn
    with motionary.Bank.open(bank_path) as bank:
        built = motionary.open_graph(bank)
        motionary.show_graph_map(built, bank.clip_names(built.graph.clip_ids), tmp_path / "bars.svg")
    assert drawn.count("<p") > 3 * (tmp_path / "bars.svg").read_text().count("<p")  # figures stand along the bars
    assert (tmp_path / "difference.png").read_bytes().startswith(b"\x89PNG")


def test_labels_are_passed_in_order_and_segments_avoided(bank_path):
    with motionary.Bank.open(bank_path) as bank:
        built = motionary.open_graph(bank)
        graph = built.graph
        long_ones = [one for one, spans in graph.labels.items() if np.diff(spans).max() > 45][:2]
        start = f"#{graph.clip_ids[int(graph.ways.clip_of(int(graph.departs[0])))]}"
        start += f":{int(graph.departs[0]) - int(graph.ways.starts[int(graph.ways.clip_of(int(graph.departs[0])))])}"

        made = motionary.graph_path(bank, built, start, labels=[(one, 0.5) for one in long_ones])
        clip = made.pieces[0][0]
        avoiding = motionary.graph_walk(bank, built, secs=4.0, avoid=clip)

    assert made.motion.duration_secs >= 0.5 * len(long_ones)
    assert clip not in {name for name, _, _ in avoiding.pieces}


def test_long_stays_in_a_label_do_not_repeat_one_piece_again_and_again(bank_path):
    often = []
    with motionary.Bank.open(bank_path) as bank:
        built = motionary.open_graph(bank, threshold="5cm")
        graph = built.graph
        clip = int(graph.ways.clip_of(int(graph.departs[0])))
        start = f"#{graph.clip_ids[clip]}:{int(graph.departs[0]) - int(graph.ways.starts[clip])}"
        for label in graph.labels:
            try:
                made = motionary.graph_path(bank, built, start, labels=[(label, 20.0)], clean=False)
            except motionary.UserError:
                continue  # nothing leads back into this label
            route = made.performed.route
            best = route_through(graph, route.start, [(label, 600)])
            often.append((np.bincount(route.taken).max(), np.bincount(best.taken).max()))
            inside = graph.labelled(label)
            assert sum(inside[first : last + 1].sum() for first, last in route.runs) > 200

    assert all(now <= before for now, before in often)
    assert any(now < before for now, before in often)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["build", "--threshold", "six"], "is not a threshold"),
        (["build", "--threshold", "0.001cm", "--ceiling", "5"], "is the lowest that would do"),
        (["build", "--metric", "gravity"], "no metric named"),
        (["build", "--name", "nothing*"], "no clip"),
        (["path", "nobody:3", "nobody:4"], "nobody"),
        (["path", "#1:infs", "#1:3"], "is not a frame"),
        (["follow", "here"], "is not a path"),
        (["walk", "--only", "nothing"], "is labelled 'nothing'"),
        (["walk", "--from", "#1:0", "--avoid", "#1"], "no transition leaves the clip of '#1:0'"),
        (["path", "#1:0"], "name one goal"),
        (["path", "#1:0", "#99:2"], "no clip 99"),
        (["build", "--blend", "2", "--fixed", "--name", "brief"], "every clip is shorter than a blend of 2 s"),
        (["build", "--dwell", "60", "--ceiling", "5"], "or a shorter --dwell"),
        (["walk", "--from", "#1"], "'#1' is not a frame; write CLIP:FRAME"),
        (["walk", "--graph", "nothing"], "no motion graph called"),
        (["build", "--method", "quick"], "no method named 'quick'; choose from auto, dense, sparse"),
        (["build", "--threshold", "0cm"], "a threshold must be above 0, not 0cm"),
        (["walk", "--only", "shrug"], "no walk within label shrug can go on forever"),
        (["path", "#1:0", "--through", "walk=-1"], "the time in a label must be at least 0 s"),
        (["rm", "nothing"], "no motion graph called"),
        (["walk", "--prefer", "walk"], "--prefer takes NAME=NUMBER, as in walk=2, not 'walk'"),
        (["walk", "-o", "walk.xyz"], "does not end in .png, .svg, .gif, .mp4, .bvh or .glb"),
        (["path", "#1:9", "#1:30", "--avoid", "#1:20-50"], "'#1:30' lies in a segment to avoid"),
    ],
)
def test_what_cannot_be_done_is_told(bank_path, words, said):
    done = run("graph", words[0], bank_path, *words[1:])

    assert done.exit_code != 0
    assert said in " ".join((done.output + str(done.exception)).split())


def test_graphs_are_exported_for_engines(bank_path, tmp_path):
    done = run("graph", "export", bank_path, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output

    content = json.loads((tmp_path / "out" / "graph.json").read_text())
    facts = told("graph", "info", bank_path)

    assert len(content["transitions"]) == facts["transitions"]
    for clip in content["clips"]:
        assert (tmp_path / "out" / clip["file"]).read_bytes().startswith(b"glTF")
    for one in content["transitions"]:
        assert 0 <= one["depart"] < content["clips"][one["from"]]["frames"] - one["frames"]
        assert one["frames"] <= one["arrive"] < content["clips"][one["to"]]["frames"]
        assert one["distance_cm"] <= 5.0
    assert run("graph", "export", bank_path, "-o", bank_path).exit_code != 0


@pytest.mark.parametrize(
    ("version", "said"), [(KIND.version - 1, "by another version of Motionary"), (None, "damaged")]
)
def test_a_graph_that_cannot_be_read_says_why(bank_path, tmp_path, version, said):
    path = tmp_path / "a.bank"
    copyfile(bank_path, path)
    folder = tmp_path / "a.bank.derived" / "graph" / "dynamics-0"
    folder.mkdir(parents=True)
    if version is None:
        (folder / "manifest").write_bytes(b"no manifest")
    else:
        Manifest("graph", version, folder.name, None, "id").write(folder)

    done = run("graph", "walk", path)

    assert done.exit_code == 1
    assert f"dynamics-0 {'was built ' if version else 'is '}{said}; `motionary graph build {path}`" in str(
        done.exception
    )


def test_graphs_are_removed_by_name(bank_path):
    built = told("graph", "build", bank_path, "--metric", "uniform", "--threshold", "9cm")

    assert built["metric"] == "uniform"
    assert told("graph", "rm", bank_path, "uniform", "--dry-run") == {"graph": built["graph"]}
    assert "uniform" in run("graph", "rm", bank_path, "uniform").stdout
    assert told("graph", "info", bank_path)["metric"] == "dynamics"


def test_the_last_build_that_led_somewhere_is_used_with_its_options(bank_path, tmp_path):
    path = tmp_path / "c.bank"
    copyfile(bank_path, path)
    first = told("graph", "build", path, "--threshold", "5cm", "--ceiling", "5")
    told("graph", "build", path, "--metric", "uniform", "--threshold", "9cm")
    wide = told("graph", "info", path, "--graph", "dynamics", "--threshold", "4cm")  # this time only
    again = told("graph", "build", path, "--threshold", "4.5cm", "--ceiling", "5", "--dwell", "0.2")
    assert run("graph", "build", path, "--metric", "heuristic", "--ceiling", "0.01").exit_code != 0
    assert run("graph", "build", path, "--threshold", "0.001cm", "--ceiling", "5").exit_code != 0

    found = told("graph", "info", path)

    assert wide["graph"] == first["graph"] == again["graph"]
    assert found == again
    assert (found["threshold"], found["dwell_secs"]) == ("4.5cm", 0.2)


def test_graphs_of_segments_play_nothing_else(bank_path, tmp_path):
    path = tmp_path / "s.bank"
    copyfile(bank_path, path)
    with motionary.Bank.open(path) as bank:
        clips = bank.clips()[:2]
        segments = [f"{clip.name}:{clip.n_frames // 4}-{clip.n_frames}" for clip in clips]
        result = motionary.search_bank(bank, segments[0], k=1)
        motionary.keep_matches(bank, "part", result)

        built = motionary.build_graph(bank, segments=segments, threshold="6cm")
        walk = motionary.graph_walk(bank, built, secs=20.0)
    facts = told("graph", "info", path)
    lone = run("graph", "build", path, "--segment", "@part", "--threshold", "6cm")

    allowed = {clip.name: clip.n_frames // 4 for clip in clips}
    assert all(start >= allowed[name] - 1 for name, start, _ in walk.pieces)
    assert facts["of"] == ", ".join(sorted(segments))
    assert facts["clips"] == 2
    assert lone.exit_code == 0 or "can go on forever" in " ".join(str(lone.exception or lone.output).split())
    assert run("graph", "build", path, "--segment", "@nothing").exit_code != 0


def test_graphs_of_labels_know_no_frames_and_labels_outside_of_them(bank_path, tmp_path):
    path = tmp_path / "l.bank"
    copyfile(bank_path, path)
    with motionary.Bank.open(path) as bank:
        first, second = bank.clips()[:2]
        bank.label([f"#{first.id}:{first.n_frames // 4}-"], ["lively"])
        bank.label([f"#{second.id}"], ["calm"])
        bank.label([f"#{first.id}:0-9"], ["outside"])

    facts = told("graph", "build", path, "--segment", "label:lively", "--segment", "label:calm", "--threshold", "6cm")
    barred = run("graph", "path", path, f"#{first.id}:3", "--label", "calm")
    no_label = run("graph", "path", path, f"#{second.id}:0", "--label", "outside")

    assert facts["of"] == "label:calm, label:lively"
    assert facts["secs"] == pytest.approx(first.duration_secs * 0.75 + second.duration_secs, abs=0.2)
    assert "outside" not in facts["unreachable_labels"]
    assert f"'#{first.id}:3' is not in this graph, which is built only of label:calm, label:lively" in str(
        barred.exception
    )
    assert "nothing in this graph is labelled 'outside'" in str(no_label.exception)


def test_kept_results_are_told_when_a_graph_plays_them(bank_path, tmp_path):
    path = tmp_path / "k.bank"
    copyfile(bank_path, path)
    with motionary.Bank.open(path) as bank:
        bank.set_recipe("#1", {"kind": "blend", "clip_ids": [2, 3]})
        name = bank.clip("#1").name

    built = run("graph", "build", path, "--threshold", "5cm", "--ceiling", "5")

    assert f"the graph also plays kept results: {name}; choose clips by words" in built.stderr
    assert "kept results" not in run("graph", "build", bank_path, "--threshold", "5cm", "--ceiling", "5").output


def test_info_tells_candidates_apart_from_transitions(bank_path):
    facts = told("graph", "info", bank_path, "--threshold", "4cm")
    said = run("graph", "info", bank_path, "--threshold", "4cm").stdout

    within = facts["within_threshold"]
    assert within < facts["candidates"]
    assert facts["transitions"] + facts["pruned"] == 2 * within
    assert f"{facts['candidates']:,}, {within:,} of them up to the threshold" in said
    assert f"{facts['transitions']:,}, one in each direction; {facts['pruned']:,} dead ends removed" in said


def test_long_names_leave_the_title_of_a_map_whole(bank_path, tmp_path):
    with motionary.Bank.open(bank_path) as bank:
        segments = [f"#{clip.id}:{start}-" for clip in bank.clips() for start in range(9)]
        built = motionary.build_graph(bank, segments=segments, threshold="6cm")
        motionary.show_graph_map(built, bank.clip_names(built.graph.clip_ids), tmp_path / "map.svg")
        motionary.remove_graphs(bank, built.name)

    assert "red: fast)" in (tmp_path / "map.svg").read_text()


class Stopped(Exception):
    pass


def test_a_build_that_was_interrupted_goes_on_where_it_was(tmp_path):
    path = tmp_path / "d.bank"
    settings = motionary.GraphSettings(ceiling_cm=6.0)
    with motionary.Bank.open(path, create=True) as bank:
        for seed in range(9):  # more clips than are compared at once
            sample_into(bank, minutes=0.15, seed=seed)
        totals = []

        def stop(_, total):
            totals.append(total)
            if len(totals) == 8:
                raise Stopped

        with pytest.raises(Stopped):
            motionary.build_graph(bank, settings=settings, threshold="6cm", progress=stop)
        resumed = motionary.build_graph(
            bank, settings=settings, threshold="6cm", progress=lambda _, total: totals.append(total)
        )
        motionary.remove_graphs(bank, "dynamics")
        whole = motionary.build_graph(bank, settings=settings, threshold="6cm")

    assert totals[-1] < totals[0]
    assert sorted(resumed.candidates.tolist()) == sorted(whole.candidates.tolist())


@pytest.mark.parametrize("method", ["dense", "sparse"])
def test_graphs_follow_clips_that_go_and_come_back(tmp_path, method):
    """What comes out is a fresh build's, to the last bit, though the clips were compared in another order."""
    path = tmp_path / "e.bank"
    settings = motionary.GraphSettings(ceiling_cm=6.0, method=method)
    with motionary.Bank.open(path, create=True) as bank:
        sample_into(bank, minutes=0.8, seed=5)
        first = motionary.build_graph(bank, settings=settings, threshold="knee")
        gone = bank.clips()[0].name
        bank.remove([gone])
        without = motionary.open_graph(bank)
        bank.undo()
        back = motionary.open_graph(bank)

    assert without.graph.ways.n_clips == first.graph.ways.n_clips - 1
    assert len(without.candidates) < len(first.candidates)
    assert back.limit == first.limit
    assert sorted(back.candidates.tolist()) == sorted(first.candidates.tolist())
    assert np.array_equal(back.whole.transitions, first.whole.transitions)


def test_new_clips_are_compared_and_others_kept(tmp_path):
    path = tmp_path / "b.bank"
    with motionary.Bank.open(path, create=True) as bank:
        sample_into(bank, minutes=0.4, seed=5)
        settings = motionary.GraphSettings(ceiling_cm=6.0)
        first = motionary.build_graph(bank, settings=settings, threshold="6cm")
        sample_into(bank, minutes=0.2, seed=6)
        seen = []
        more = motionary.build_graph(
            bank, settings=settings, threshold="6cm", progress=lambda done, total: seen.append((done, total))
        )
        motionary.remove_graphs(bank, "dynamics")
        whole = motionary.build_graph(bank, settings=settings, threshold="6cm")

    assert len(more.candidates) > len(first.candidates)
    assert seen[-1][0] == seen[-1][1]
    assert seen[-1][1] < more.graph.ways.n_frames**2 / 2  # what was there is not compared again
    assert sorted(more.candidates.tolist()) == sorted(whole.candidates.tolist())
    assert more.graph.n_transitions == whole.graph.n_transitions


def test_maps_of_many_clips_draw_those_with_most_transitions(bank_path, tmp_path, monkeypatch):
    monkeypatch.setattr("motionary.picture.motion_graphs.MOST_CLIPS", 2)
    with motionary.Bank.open(bank_path) as bank:
        built = motionary.open_graph(bank)
        graph, names = built.graph, bank.clip_names(built.graph.clip_ids)
        notes = motionary.show_graph_map(built, names, tmp_path / "map.svg")
    ends = graph.ways.clip_of(np.stack([graph.departs, graph.arrives]))
    counts = np.bincount(ends.ravel(), minlength=graph.ways.n_clips)
    most = np.argsort(-counts, kind="stable")[:2]
    within = int(np.isin(ends, most).all(axis=0).sum())
    drawn = (tmp_path / "map.svg").read_text()

    assert (counts > 0).sum() > 2
    assert notes == (f"of {(counts > 0).sum()} clips, the 2 with most transitions are drawn",)
    assert all((f">{name}<" in drawn) == (n in most) for n, name in enumerate(names[i] for i in graph.clip_ids))
    assert f"{min(within, 600):,} of {graph.n_transitions:,} transitions" in drawn
