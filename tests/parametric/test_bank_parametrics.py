"""Parametric motions and blends of a bank: kept, opened again, told of changes, made again."""

import json

import numpy as np
import pytest

from blend.made_sources import long_walk, reach, walkers
from formats.test_glb import Glb
from motionary.bank import Bank
from motionary.blend import Cycle, RegistrationOptions, blend_poses, close_loop, find_cycles
from motionary.errors import BankError, NotInBankError, UsageError
from motionary.formats import read_motion_file
from motionary.library import examples_of
from motionary.motion import Motion, poses_at, recording_of, rotations
from motionary.parametric import (
    ask_parametric,
    blend_segments,
    export_blend_space,
    find_loops,
    keep_blend,
    keep_made,
    keep_parametric,
    kept_parametric,
    loop_segment,
    loop_source,
    make_again,
    make_parametric,
    measure_named,
    rebuild_parametric,
    register_segments,
    steer,
)
from motionary.parametric.example_sources import web_edges


@pytest.fixture
def bank(tmp_path):
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for k, angle in enumerate((-20.0, 5.0, 30.0, 50.0)):
            source = reach(angle, n_frames=40 + 3 * k, peak=18 + k)
            bank.add(f"reach_{k}", recording_of(source.motion), plants=source.plants, licence="CC0")
        walk, _ = long_walk()
        bank.add("walk", recording_of(walk.motion), plants=walk.plants)
        yield bank


REACHES = ["reach_0", "reach_1", "reach_2", "reach_3"]


def test_a_parametric_motion_is_kept_and_opened_again(bank):
    made = keep_parametric(bank, "reach", REACHES, ["RightHand@apex"], n_draws=80)

    again = kept_parametric(bank, "reach")

    assert again.changed == ()
    point = made.motion.examples[:2].mean(axis=0)
    assert again.motion.ask(point).got == pytest.approx(made.motion.ask(point).got, abs=1e-4)
    assert again.as_json()["samples"] == len(made.motion.samples.values)
    assert bank.parametrics() == ["reach"]
    with pytest.raises(UsageError, match="already; choose another name"):
        keep_parametric(bank, "reach", REACHES, ["end"])
    with pytest.raises(UsageError, match="the value of reach_0 must be a number or a list of numbers"):
        keep_parametric(bank, "mood", REACHES, given=dict.fromkeys(REACHES, 0.0) | {"reach_0": "glad"})
    bank.remove_parametric("reach")
    with pytest.raises(NotInBankError):
        kept_parametric(bank, "reach")
    bank.undo()
    assert kept_parametric(bank, "reach").name == "reach"


def test_a_changed_example_is_told_and_built_again(bank):
    keep_parametric(bank, "reach", REACHES, ["RightHand@apex"], n_draws=30)
    other = reach(8.0, n_frames=43, peak=20)
    bank.set_motion(bank.clip("reach_1").id, other.motion, command="edit")

    told = kept_parametric(bank, "reach")

    assert told.changed == ("reach_1:0-43",)
    assert rebuild_parametric(bank, "reach").changed == ()
    assert kept_parametric(bank, "reach").changed == ()


def test_what_is_left_of_examples_is_drawn_from_as_often_as_asked(bank):
    kept = keep_parametric(bank, "reach", REACHES, ["highest:RightHand"], n_draws=2, drop_redundant=True)

    assert kept.motion.n_examples < 4
    assert len(kept.motion.samples.values) <= kept.motion.n_examples + 2


def test_an_example_whose_clip_was_removed_is_told_by_name(bank):
    keep_parametric(bank, "reach", REACHES, ["RightHand@apex"], n_draws=5)
    keep_blend(bank, "both", blend_segments(bank, REACHES[:2], [0.5, 0.5]))
    bank.remove("reach_1")

    for use in (lambda: kept_parametric(bank, "reach"), lambda: rebuild_parametric(bank, "reach"),
                lambda: make_again(bank, "both")):  # fmt: skip
        with pytest.raises(NotInBankError, match="clip 'reach_1', of which reach_1:0-43 was used, was removed"):
            use()

    bank.undo()
    assert kept_parametric(bank, "reach").changed == ()


def test_one_of_an_earlier_version_is_built_again(bank):
    made = keep_parametric(bank, "reach", REACHES, ["RightHand@apex"], n_draws=30)
    bank.keep_parametric("reach", {**made.content, "version": 1, "built": {}}, overwrite=True)

    assert kept_parametric(bank, "reach").motion.examples == pytest.approx(made.motion.examples)
    assert rebuild_parametric(bank, "reach").content["version"] == made.content["version"]
    bank.keep_parametric("reach", {**made.content, "version": 99}, overwrite=True)
    with pytest.raises(BankError, match="made by a later version of Motionary"):
        kept_parametric(bank, "reach")


def test_all_loops_begin_with_the_left_footfall():
    source, _ = long_walk()
    for cycle in find_cycles(source):
        for start in range(cycle.start, cycle.start + 12, 4):
            loop = close_loop(source, Cycle(start, start + cycle.n_frames, cycle.cost))

            example = loop_source("walk", loop, source)

            standing = example.contacts[:-1, 0].any(axis=1)
            assert standing[0]
            assert not standing[-6:].any()
            assert example.motion.n_frames == cycle.n_frames + 1
            assert np.ptp(example.motion.root_positions[[0, -1], 1]) < 1e-6


def test_blends_become_clips_that_can_be_made_again(bank):
    made = blend_segments(bank, ["reach_0", "reach_1", "reach_2"], [0.2, 0.5, 0.3])

    clip_id = keep_blend(bank, "mix", made)

    clip = bank.clip(clip_id)
    assert clip.licence == "CC0"
    assert bank.recipe(clip)["weights"] == [0.2, 0.5, 0.3]
    kept = bank.motion("mix")
    assert np.abs(kept.positions_world - made.motion.positions_world).max() < 1e-4
    assert np.abs(make_again(bank, "mix").positions_world - made.motion.positions_world).max() < 1e-9
    assert bank.plants(clip)
    with pytest.raises(UsageError, match="has no recipe"):
        make_again(bank, "walk")


def test_what_was_asked_for_can_be_made_again(bank):
    keep_parametric(bank, "reach", REACHES, ["RightHand@apex"], n_draws=60)
    values = kept_parametric(bank, "reach").motion.examples[1:3].mean(axis=0)
    at, along = (
        ask_parametric(bank, "reach", values).motions[0],
        ask_parametric(bank, "reach", path=[values, values + 0.01], secs=1.0).motions[0],
    )
    keep_blend(bank, "at", at)
    keep_blend(bank, "along", along)

    for name, one in (("at", at), ("along", along)):
        assert np.abs(make_again(bank, name).positions_world - one.motion.positions_world).max() < 1e-9
    bank.remove_parametric("reach")  # its recipe knows what it was made of
    for name, one in (("at", at), ("along", along)):
        assert np.abs(make_again(bank, name).positions_world - one.motion.positions_world).max() < 1e-3
    with pytest.raises(UsageError, match="one of them"):
        ask_parametric(bank, "reach", values, grid=3)


def test_registration_goes_along_the_edges_of_a_web(bank):
    """Where a web knows the examples, only what it found alike is aligned; what it does not connect, directly."""
    from motionary.search import alike_segments, build_web

    examples = examples_of(bank, REACHES)
    assert alike_segments(bank, [one.segment for one in examples]) is None
    assert web_edges(bank, examples, None) is None
    build_web(bank)

    alike = alike_segments(bank, [one.segment for one in examples])
    edges = web_edges(bank, examples, None)

    assert alike is not None
    assert (0, 1) in alike.edges
    assert set(alike.edges) <= set(edges)
    assert web_edges(bank, examples, RegistrationOptions(paths="direct")) is None
    registration = register_segments(bank, REACHES)
    for i, before in enumerate(registration.before):
        assert before < 0 or (min(i, before), max(i, before)) in edges
    made = blend_segments(bank, REACHES, [0.25] * 4)
    assert made.recipe["edges"] == edges
    mixed = examples_of(bank, ["reach_0", "~reach_1", "~reach_2"])
    assert (0, 1) in web_edges(bank, mixed, None)  # a web has no mirror images: directly
    assert (1, 2) in web_edges(bank, mixed, None)


def test_mirrored_segments_come_in_mirrored(bank):
    made = blend_segments(bank, ["~reach_0", "~reach_1"])

    left = made.blend.registration.body.body_map.joints["LeftHand"]
    assert np.ptp(made.motion.positions_world[:, left], axis=0).max() > 0.3


def test_loops_are_found_cut_and_kept(bank):
    cycles = find_loops(bank, "walk")

    made = loop_segment(bank, "walk", rounds=2)

    assert len(cycles) >= 2
    assert made.motion.n_frames == 2 * made.loop.motion.n_frames + 1
    keep_made(bank, "round", made.motion, (), made.recipe)
    assert np.abs(make_again(bank, "round").positions_world - made.motion.positions_world).max() < 1e-9
    with pytest.raises(UsageError, match="no cycle was found"):
        loop_segment(bank, "reach_0")
    with pytest.raises(UsageError, match="there is no number 99"):
        loop_segment(bank, "walk", which=99)


def test_a_cyclic_walk_goes_on_while_its_parameters_move(bank):
    for k, turn in enumerate((-0.8, 0.8)):
        source, _ = long_walk(turn=turn, seed=3)
        bank.add(f"turning_{k}", recording_of(source.motion), plants=source.plants)
    kept = keep_parametric(bank, "walk", ["turning_0", "walk", "turning_1"], ["heading"], n_draws=50, cyclic=True)
    low, high = kept.motion.examples.min(), kept.motion.examples.max()

    steered = steer(kept.motion, [[low], [high]], secs=5.0)

    motion = steered.motion
    assert motion.n_frames == 151
    assert steered.clock[-1] > 2.5 * (kept.motion.registration.n_clock - 1)
    steps = np.linalg.norm(np.diff(motion.root_positions[:, [0, 2]], axis=0), axis=1)
    assert steps.min() > 0.3 * np.median(steps)
    assert steps.max() < 2.0 * np.median(steps)
    turns = rotations.angle_between(motion.rotations[1:], motion.rotations[:-1])
    assert turns.max() < 0.35  # no seam: nothing jumps
    assert np.abs(np.diff(steered.weights, axis=0)).max() < 0.1  # steering is continuous
    assert np.degrees(np.abs(steered.errors)).max() < 2.0
    assert steered.naturalness.slide_worst < 0.002
    for number, source in enumerate(kept.motion.registration.sources):  # at an example, its loop goes round
        still = [kept.motion.examples[number]] * 2
        alone = steer(kept.motion, still, secs=3.0, clean_up=False).motion.rotations[:, 1:]
        frames = np.arange(len(alone)) % (source.motion.n_frames - 1)
        assert rotations.angle_between(alone, source.motion.rotations[frames, 1:]).max() < 1e-4
    again = kept_parametric(bank, "walk")
    assert again.motion.cyclic
    assert again.motion.examples == pytest.approx(kept.motion.examples)


def test_a_blend_space_counts_merged_points_and_replaces_its_own_clips_alone(tmp_path):
    parametric = make_parametric([reach(a) for a in (-20.0, 30.0)], [measure_named("RightHand@apex")], n_draws=20)

    document = export_blend_space(parametric, tmp_path, n=2, name="reaches")

    assert document["merged"] + len(document["clips"]) == 2**3
    assert document["merged"] > 0
    for number in range(30, 33):  # as if there had been more clips
        document["clips"].append(document["clips"][0] | {k: f"clip_{number:03d}.{k}" for k in ("bvh", "glb")})
        (tmp_path / f"clip_{number:03d}.bvh").write_text("stale")
    (tmp_path / "blendspace.json").write_text(json.dumps(document))
    (tmp_path / "clip_099.bvh").write_text("not ours")
    again = export_blend_space(parametric, tmp_path, n=2, name="reaches")
    left = {path.name for path in tmp_path.glob("*.bvh")}
    assert left == {clip["bvh"] for clip in again["clips"]} | {"clip_099.bvh"}
    with pytest.raises(UsageError, match="something else than the blend space of 'kicks'; choose another folder"):
        export_blend_space(parametric, tmp_path, n=2, name="kicks")


SPACES = {
    "reaches": (lambda: [reach(a, n_frames=40 + 3 * k, peak=18 + k) for k, a in enumerate((-20.0, 5.0, 30.0, 50.0))],
                "RightHand@apex", 2),
    "walks": (lambda: walkers((-0.9, -0.3, 0.3, 0.9)), "heading", 4),
}  # fmt: skip


@pytest.mark.parametrize("space", SPACES)
def test_a_blend_space_is_read_back_and_blended_to_within_a_centimetre(space, tmp_path):
    """Between two neighbouring clips of the grid, an engine's blend is within 1 cm of ours at every place of the clock,
    way and turn included; both files of a clip hold the same motion."""
    sources, measure, n = SPACES[space]
    parametric = make_parametric(sources(), [measure_named(measure)], n_draws=200)
    export_blend_space(parametric, tmp_path, n=n)
    document = json.loads((tmp_path / "blendspace.json").read_text())
    clips = document["clips"]
    motions = [read_motion_file(tmp_path / clip["bvh"]).recordings[0].motion() for clip in clips]
    assert len(motions) >= 3
    for clip, motion in zip(clips, motions, strict=True):
        glb = Glb((tmp_path / clip["glb"]).read_bytes())
        names = [node.get("name") for node in glb.json["nodes"]]
        nodes = [names.index(name) for name in motion.skeleton.names]
        assert np.abs(glb.poses()[:, nodes][..., :3, 3] - motion.positions_world).max() < 1e-3
        assert len(clip["markers"]) == len(document["marker_names"])
        end = motion.root_positions[-1] - motion.root_positions[0]
        assert [clip["root"]["left"], clip["root"]["ahead"]] == pytest.approx(end[[0, 2]], abs=1e-4)

    values = np.array([clip["parameters"] for clip in clips])
    apart = np.linalg.norm(values[:, None] - values[None], axis=2) + np.diag(np.full(len(values), np.inf))
    a, b = (int(i) for i in np.unravel_index(np.argmin(apart), apart.shape))
    phases = np.linspace(0.0, 1.0, 150)
    theirs = _engine_blend(clips, motions, a, b, phases)
    weights = np.mean([parametric.ask(clips[i]["asked"], finished=True).weights for i in (a, b)], axis=0)
    ours = parametric.blended(weights)
    frames = np.interp(phases, ours.clock / (parametric.registration.n_clock - 1.0), np.arange(ours.motion.n_frames))
    own = poses_at(ours.motion, frames, smooth=True)
    for joint, name in enumerate(own.skeleton.names):  # a file may order joints otherwise
        off = theirs.positions_world[:, theirs.skeleton.index(name)] - own.positions_world[:, joint]
        assert np.linalg.norm(off, axis=1).max() < 0.01


def _engine_blend(clips, motions, a, b, phases):
    """Half and half of two clips at places of the clock of the JSON, from the origin: rotations averaged, moved by the
    steps of the roots in heading frames."""
    sampled = [
        poses_at(motions[i], np.interp(phases, clips[i]["clock"], np.arange(motions[i].n_frames)), smooth=True)
        for i in (a, b)
    ]
    both = blend_poses(
        np.stack([motion.root_positions for motion in sampled]),
        np.stack([motion.rotations for motion in sampled]),
        np.array([0.5, 0.5]),
        headings_of_sources=np.stack(
            [np.interp(phases, clips[i]["clock"], np.unwrap(clips[i]["headings"])) for i in (a, b)]
        ),
    )
    return Motion(motions[a].skeleton, motions[a].frame_time, both.root_positions, both.rotations)


def test_labels_and_selections_name_examples(bank):
    bank.label(["reach_0", "reach_1"], ["reach"])

    assert register_segments(bank, labels=["reach"]).n_sources == 2
    with pytest.raises(NotInBankError, match="no clip or segment has the label 'jump'"):
        register_segments(bank, labels=["jump"])
    with pytest.raises(UsageError, match="at least two motions, not 1"):
        register_segments(bank, ["reach_0"])
    with pytest.raises(UsageError, match="no examples; name segments"):
        register_segments(bank)
