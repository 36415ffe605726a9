"""What single operations promise, on motions whose answer is known."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from edit.made_subjects import standing, subject, take
from motionary.edit import (
    Additive,
    Balance,
    Bands,
    Bridge,
    Deglitch,
    Delete,
    Displace,
    Edited,
    Emote,
    InPlace,
    Limits,
    Loop,
    Mend,
    Mirror,
    Noise,
    Operation,
    Paste,
    Reach,
    Replace,
    Smooth,
    Speed,
    Subject,
    TimeWarp,
    WaveShape,
    apply_operation,
    curves_of,
    find_cycle,
    learn_limits,
    learn_style,
    place_of,
    root_motion,
)
from motionary.edit.curves import facing_of, locals_of_turns, turns_of
from motionary.edit.phases import cycle_marks
from motionary.edit.standing import largest_slide
from motionary.edit.styling import towards
from motionary.errors import UsageError
from motionary.motion import UP, ease, oddities, poses_at, rotations
from motionary.naturalness import score
from motionary.plants import Plant, part_contacts_of_plants
from motionary.rig import body_of


def put_on(
    on: Subject, operation: Operation, start: int, stop: int, *, protect: bool = True, **words: object
) -> Edited:
    place = place_of(on, operation, start, stop, **words)  # type: ignore[arg-type]
    return apply_operation(on, operation, place, protect=protect)


def joint(on: Subject, part: str) -> int:
    assert on.body is not None
    return on.body.body_map.joints[part]


def labelled(name: str) -> Subject:
    """A segment of the sample library with that label."""
    for number in range(4):
        for label in take(number).labels:
            if label.name == name:
                made = take(number)
                body = body_of(made.motion.skeleton, motion=made.motion)
                return Subject(made.motion, body, made.plants).slice(label.start, label.stop)
    pytest.skip(f"the takes have no {name}")


def test_curves_lead_back_to_the_motion() -> None:
    made = subject().slice(0, 100)
    again = curves_of(made.motion, made.rest).motion(made.motion)
    turned = locals_of_turns(turns_of(made.motion, made.rest), made.motion.skeleton.parents, made.rest)

    assert np.abs(again.positions_world - made.motion.positions_world).max() < 1e-9
    assert np.abs(turned - made.motion.rotations).max() < 1e-12


def test_a_displacement_passes_through_its_keys_and_never_overshoots() -> None:
    around, start, stop = standing()
    elbow = joint(around, "LeftForearm")
    keys = (
        (0.3, "LeftForearm", 0.0, 0.0, 0.0),
        (0.4, "LeftForearm", 0.0, 40.0, 0.0),
        (0.5, "LeftForearm", 0.0, 0.0, 0.0),
    )
    edited = put_on(around, Displace(turns=keys), start, stop, protect=False, ease_secs=0.0)
    before, after = (turns_of(one.motion, around.rest)[start:stop, elbow] for one in (around, edited))
    change = np.degrees(rotations.to_rotation_vector(rotations.multiply(after, rotations.inverse(before))))

    frame = round(0.4 / around.motion.frame_time)
    assert change[frame, 1] == pytest.approx(40.0, abs=1e-6)
    assert change[:, 1].min() > -1e-6
    assert change[:, 1].max() < 40.0 + 1e-6
    assert np.abs(change[:, [0, 2]]).max() < 1e-6


def test_two_displacements_do_not_commute_and_sides_differ() -> None:
    around, start, stop = standing()
    one = Displace(turns=((0.4, "LeftUpperArm", 40.0, 0.0, 0.0),))
    other = Displace(turns=((0.4, "LeftUpperArm", 0.0, 0.0, 40.0),))
    results = []
    for first, second in ((one, other), (other, one)):
        half = put_on(around, first, start, stop, protect=False)
        results.append(put_on(Subject(half.motion, around.body, half.plants), second, start, stop, protect=False))
    frame, shoulder = start + round(0.4 / around.motion.frame_time), joint(around, "LeftUpperArm")
    apart = rotations.angle_between(*(one.motion.rotations[frame, shoulder] for one in results))
    child = put_on(around, replace(one, side="child"), start, stop, protect=False)

    assert np.degrees(apart) == pytest.approx(23.0, abs=4.0)
    assert not np.allclose(child.motion.rotations, put_on(around, one, start, stop, protect=False).motion.rotations)


def test_a_hand_reaches_its_place_or_the_nearest() -> None:
    around, start, stop = standing()
    hand, frame = joint(around, "LeftHand"), start + round(0.5 / around.motion.frame_time)
    place = around.motion.positions_world[frame, joint(around, "LeftUpperArm")] + [0.1, 0.1, 0.25]
    x, y, z = place.tolist()
    edited = put_on(around, Reach("LeftHand", 0.5, (x, y, z), "world"), start, stop)
    assert np.linalg.norm(edited.motion.positions_world[frame, hand] - place) < 0.01
    assert edited.notes == ()

    far = put_on(around, Reach("LeftHand", 0.5, (x, y + 5.0, z), "world"), start, stop)
    assert "LeftHand cannot reach its target" in far.notes[0]


@pytest.mark.parametrize("frame", ["world", "body"])
def test_a_hand_stays_where_it_is_brought(frame: str) -> None:
    """Of a walker with swinging arms: in the world, or beside the body."""
    walk = subject().slice(0, 400)
    hand, key = joint(walk, "RightHand"), 200
    ground = walk.motion.root_positions * [1.0, 0.0, 1.0]
    back = rotations.from_axis_angle(UP, -facing_of(walk.motion, walk.rest))
    own = walk.motion.positions_world[:, hand]
    place = own[key] + [0.0, 0.15, 0.0]
    secs, size = (0.2, 1.0) if frame == "world" else (0.4, walk.body.leg_length / (0.483 * 1.75))
    x, y, z = (place if frame == "world" else rotations.rotate(back[key], place - ground[key]) / size).tolist()

    edited = put_on(walk, Reach("RightHand", 1.0, (x, y, z), frame, hold_secs=secs), 140, 260)
    now = edited.motion.positions_world[:, hand]
    away = now - place if frame == "world" else rotations.rotate(back, now - ground) - np.array([x, y, z]) * size
    jerks, usual = (np.linalg.norm(np.diff(one, 2, axis=0), axis=-1).max() for one in (now, own))

    held = round(0.5 * secs / walk.motion.frame_time)
    assert np.linalg.norm(away, axis=-1)[key - held : key + held + 1].max() < 0.002
    assert jerks <= usual


def test_low_frequencies_stay_and_high_ones_go() -> None:
    around, start, stop = standing()
    shaken = put_on(around, Noise(amplitude_deg=5.0, frequency_hz=12.0, octaves=1), start, stop, protect=False)
    smooth = put_on(
        Subject(shaken.motion, around.body, around.plants), Smooth(cutoff_hz=4.0), start, stop, protect=False
    )
    inside = slice(start + 15, stop - 15)
    away = [
        np.abs(one.motion.positions_world - around.motion.positions_world)[inside].mean() for one in (shaken, smooth)
    ]

    assert away[1] < 0.4 * away[0]


def test_every_octave_has_its_gain_at_any_rate() -> None:
    """A joint that trembles at 14 and at 29 Hz: both are the finest octave, and calm movement is not."""
    made = subject()
    shaken = joint(made, "RightForearm")
    shares = []
    for rate_hz, tremble_hz in ((30.0, 14.0), (60.0, 14.0), (60.0, 29.0), (100.0, 29.0), (120.0, 29.0), (60.0, 1.0)):
        secs = np.arange(round(6.0 * rate_hz)) / rate_hz
        turned = np.tile(made.motion.rotations[0], (len(secs), 1, 1))
        turned[:, shaken] = rotations.from_axis_angle(
            np.array([0.0, 0.0, 1.0]), 0.1 * np.sin(2.0 * np.pi * tremble_hz * secs + 0.3)
        )
        places = np.tile(made.motion.root_positions[0], (len(secs), 1))
        motion = replace(
            made.motion, frame_time=1.0 / rate_hz, root_positions=places, rotations=turned, translations=None
        )
        calmed = put_on(Subject(motion, made.body), Bands(gains=(0.0, 1.0, 1.0, 1.0, 1.0, 1.0)), 0, len(secs))
        middle = slice(len(secs) // 3, 2 * len(secs) // 3)
        before, after = (
            float(np.ptp(rotations.to_rotation_vector(one.rotations[middle, shaken]), axis=0).max())
            for one in (motion, calmed.motion)
        )
        shares.append(after / before)

    assert max(shares[:-1]) < 0.03
    assert shares[-1] == pytest.approx(1.0, abs=0.05)


def test_a_bridge_is_the_same_at_any_rate() -> None:
    """Entered in mid-swing, so that it goes on a little."""
    around, start, _ = standing()
    arm, hand, frame_time = joint(around, "LeftUpperArm"), joint(around, "LeftHand"), around.motion.frame_time
    swing = np.sin(2.0 * np.pi * (np.arange(around.motion.n_frames) - start) * frame_time)
    turned = np.array(around.motion.rotations)
    turned[:, arm] = rotations.multiply(turned[:, arm], rotations.from_axis_angle(UP, swing))
    fast = replace(around.motion, rotations=turned)
    slow = replace(poses_at(fast, np.arange(0, fast.n_frames, 2)), frame_time=2.0 * frame_time)
    first = start // 2

    bridged, other = (
        put_on(
            Subject(motion, around.body),
            Bridge(),
            n * (first - 1) + 1,
            n * (first + 48),
            joints=["arms"],
            ease_secs=0.0,
        )
        for motion, n in ((fast, 2), (slow, 1))
    )

    away = bridged.motion.positions_world[::2, hand] - other.motion.positions_world[:, hand]
    assert np.linalg.norm(away, axis=-1).max() < 0.03


def cartwheel() -> Subject:
    """A cartwheel that ends facing elsewhere: the body has no heading half-way, and has gone round once at the end."""
    made = subject()
    motion = made.motion.slice(0, 300)
    share = ease((np.arange(300) - 110.0) / 80.0)
    over = rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), 2.0 * np.pi * share)
    aside = rotations.from_axis_angle(UP, 2.0 * share)
    turned = np.array(motion.rotations)
    turned[:, 0] = rotations.multiply(aside, rotations.multiply(over, turned[:, 0]))
    return Subject(replace(motion, rotations=rotations.continuous(turned)), made.body)


@pytest.mark.parametrize("operation", [Smooth(cutoff_hz=5.0), Bands(gains=(0.0, 1.0, 1.0, 1.0, 1.0, 1.0)), Deglitch()])
def test_a_body_that_goes_over_is_filtered_like_any_other(operation: Operation) -> None:
    wheel = cartwheel()

    edited = put_on(wheel, operation, 60, 240)

    assert np.linalg.norm(edited.motion.positions_world - wheel.motion.positions_world, axis=-1).max() < 0.06


def test_a_bridge_over_a_cartwheel_does_not_go_over() -> None:
    wheel = cartwheel()

    bridged = put_on(wheel, Bridge(), 60, 240).motion

    assert rotations.rotate(wheel.motion.rotations[:, 0], UP)[:, 1].min() < -0.9
    assert rotations.rotate(bridged.rotations[:, 0], UP)[:, 1].min() > 0.8


def test_a_joint_that_was_turned_round_once_is_filtered_like_any_other() -> None:
    """A capture that lets a joint spin once leaves it as it was, but as far from its mean as can be."""
    around, _, _ = standing()
    plain = Subject(around.motion, around.body)
    elbow, n_frames = joint(around, "RightForearm"), around.motion.n_frames
    spin = 2.0 * np.pi * np.clip((np.arange(n_frames) - (n_frames - 60)) / 6.0, 0.0, 1.0)
    turned = np.array(around.motion.rotations)
    turned[:, elbow] = rotations.multiply(turned[:, elbow], rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), spin))
    spun = replace(plain, motion=replace(around.motion, rotations=rotations.continuous(turned)))

    smoothed, usual = (put_on(one, Smooth(cutoff_hz=6.0), n_frames - 40, n_frames) for one in (spun, plain))

    assert rotations.angle_between(smoothed.motion.rotations, usual.motion.rotations)[n_frames - 40 :].max() < 0.02


def test_gains_of_bands_exaggerate_and_calm() -> None:
    around, start, stop = standing()
    sizes = []
    for gain in (0.3, 1.0, 1.7):
        edited = put_on(around, Bands(gains=(gain,) * 6), start, stop, joints=["arms"], ease_secs=0.0)
        vectors = curves_of(edited.motion.slice(start, stop), around.rest).vectors[:, joint(around, "LeftUpperArm")]
        sizes.append(float(np.std(vectors, axis=0).sum()))

    assert sizes[0] < sizes[1] < sizes[2]


def test_a_glitch_is_found_and_bridged() -> None:
    around, start, stop = standing()
    motion = around.motion
    turned = np.array(motion.rotations)
    spot, elbow = (start + stop) // 2, joint(around, "RightForearm")
    turned[spot, elbow] = rotations.multiply(
        turned[spot, elbow], rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), 1.0)
    )
    broken = Subject(replace(motion, rotations=turned), around.body, around.plants)
    mended = put_on(broken, Deglitch(), start, stop)

    assert rotations.angle_between(broken.motion.rotations[spot, elbow], motion.rotations[spot, elbow]) > 0.9
    assert rotations.angle_between(mended.motion.rotations[spot, elbow], motion.rotations[spot, elbow]) < 0.05


def test_a_quick_swing_is_no_glitch() -> None:
    around, start, stop = standing()
    elbow, n_frames = joint(around, "RightForearm"), around.motion.n_frames
    secs = (np.arange(n_frames) - (start + stop) / 2) * around.motion.frame_time
    turned = np.array(around.motion.rotations)
    swing = np.sin(2.0 * np.pi * 2.0 * secs) * np.exp(-((secs / 0.25) ** 2))
    turned[:, elbow] = rotations.multiply(turned[:, elbow], rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), swing))
    quick = Subject(replace(around.motion, rotations=turned), around.body, ())

    mended = put_on(quick, Deglitch(), start, stop)

    assert rotations.angle_between(mended.motion.rotations[:, elbow], turned[:, elbow]).max() < 1e-6


def test_a_knee_that_pushes_off_is_no_glitch() -> None:
    """Within five frames at 30 Hz it stretches, and bends again: fast, but not abruptly."""
    around, start, stop = standing()
    knee, middle = joint(around, "RightShin"), (start + stop) // 2
    secs = (np.arange(around.motion.n_frames) - middle) * around.motion.frame_time
    turned = np.array(around.motion.rotations)
    push = np.where(np.abs(secs) < 0.1, np.cos(0.5 * np.pi * secs / 0.1) ** 2, 0.0)
    turned[:, knee] = rotations.multiply(turned[:, knee], rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), -push))
    pushing = replace(around.motion, rotations=turned)
    at_30_hz = replace(poses_at(pushing, np.arange(0, len(turned), 2)), frame_time=2.0 * pushing.frame_time)
    half = Subject(at_30_hz, around.body)

    mended = put_on(half, Deglitch(threshold=4.0), start // 2, stop // 2)

    assert np.array_equal(mended.motion.rotations[:, knee], half.motion.rotations[:, knee])


def test_a_jump_of_the_root_is_closed_and_missing_frames_are_bridged() -> None:
    around, start, _ = standing()
    motion = around.motion
    places, turned = np.array(motion.root_positions), np.array(motion.rotations)
    places[start:] += [0.6, 0.0, 0.2]
    places[40:44], turned[40:44] = 0.0, rotations.IDENTITY
    broken = Subject(replace(motion, root_positions=places, rotations=turned), around.body, ())
    assert {one.kind for one in oddities(broken.motion)} >= {"root jump", "zero frames"}

    mended = put_on(broken, Mend(), 0, motion.n_frames)

    assert {one.kind for one in oddities(mended.motion)} & {"root jump", "zero frames"} == set()
    assert np.abs(mended.motion.root_positions - motion.root_positions).max() < 0.05


def test_time_warps_show_the_same_poses_at_other_times() -> None:
    made = subject()
    edited = put_on(made, TimeWarp(points=((0.5, 1.0),)), 120, 240, protect=False)
    assert edited.shown is not None
    assert edited.shown[120 + 60] == pytest.approx(120 + 30, abs=1e-6)
    assert edited.motion.n_frames == made.motion.n_frames
    longer = put_on(made, TimeWarp(points=((2.0, 3.0),)), 120, 240, protect=False)
    assert longer.motion.n_frames == made.motion.n_frames + 60
    with pytest.raises(UsageError, match="two of them change places or meet"):
        put_on(made, TimeWarp(points=((0.5, 1.5), (1.0, 1.0))), 120, 240)
    fast = put_on(made, Speed(factor=2.0), 120, 240, protect=False, ease_secs=0.0)
    assert fast.motion.n_frames == made.motion.n_frames - 60
    assert fast.interval_now(240, 300) == (180, 240)


def test_plants_that_grow_too_short_do_not_lie_on_others() -> None:
    made = subject()
    plants = tuple(Plant("left", "toe", start, start + 2, (0.0, 0.0, 0.0)) for start in range(120, 160, 3))
    edited = put_on(replace(made, plants=plants), Speed(factor=8.0), 100, 200, protect=False, ease_secs=0.0)

    spans = [(plant.start, plant.stop) for plant in edited.plants]
    assert len(spans) >= 3
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_a_deleted_stretch_leaves_no_jump() -> None:
    made = subject()
    edited = put_on(made, Delete(), 200, 320)
    steps = np.linalg.norm(np.diff(edited.motion.positions_world, axis=0), axis=-1).max(axis=1)
    usual = np.linalg.norm(np.diff(made.motion.positions_world, axis=0), axis=-1).max(axis=1)

    assert edited.motion.n_frames == made.motion.n_frames - 120
    assert steps[195:205].max() < 1.5 * usual.max()
    assert edited.interval_now(210, 300) is None
    assert edited.interval_now(330, 340) == (210, 220)
    assert [edited.interval_now(*one) for one in ((150, 200), (150, 260), (260, 360), (320, 330))] == [
        (150, 200),
        (150, 200),
        (200, 240),
        (200, 210),
    ]
    with pytest.raises(UsageError, match="nothing would be left of the clip"):
        put_on(made, Delete(), 0, made.motion.n_frames)


def test_pasted_joints_do_what_the_other_motion_does() -> None:
    around, start, stop = standing()
    other = subject(1).slice(100, 190)
    source = {"other": other}
    edited = put_on(around, Paste(source="other"), start, stop, sources=source, protect=False, ease_secs=0.0)
    shoulder = joint(around, "LeftUpperArm")
    for frame, its in ((start, 0), (stop - 1, -1)):
        mine = turns_of(edited.motion, around.rest)[frame, shoulder]
        assert rotations.angle_between(mine, turns_of(other.motion, other.rest)[its, shoulder]) < 0.02
    added = put_on(around, Additive(source="other"), start, stop, sources=source, protect=False, ease_secs=0.0)
    assert np.allclose(added.motion.rotations[start], around.motion.rotations[start], atol=1e-9)


def test_a_replaced_stretch_has_the_length_that_is_asked_for() -> None:
    made, source = subject(), {"other": subject(1).slice(100, 190)}
    longer = put_on(made, Replace(source="other"), 200, 260, sources=source)
    same = put_on(made, Replace(source="other", length="segment"), 200, 260, sources=source)

    assert longer.motion.n_frames == made.motion.n_frames + 30
    assert same.motion.n_frames == made.motion.n_frames


def test_a_replacement_stands_on_the_floor_of_the_clip() -> None:
    """Captures have floors of their own: feet neither sink into another's nor float above it."""
    made, other = subject(), subject(1).slice(100, 190)
    raised = replace(
        other,
        motion=replace(other.motion, root_positions=other.motion.root_positions + np.array([0.0, 0.15, 0.0])),
        plants=tuple(replace(one, place=(one.place[0], one.place[1] + 0.15, one.place[2])) for one in other.plants),
    )
    level, from_above = (
        put_on(made, Replace(source="other"), 200, 260, sources={"other": one}) for one in (other, raised)
    )

    assert len(other.plants) > 0
    assert np.abs(level.motion.positions_world - from_above.motion.positions_world).max() < 1e-6


def test_a_hard_limit_of_half_a_turn_is_none() -> None:
    """Fingers that a capture has lost go round more than once."""
    made = subject()
    turned = np.array(made.motion.rotations)
    angles = np.linspace(0.0, 12.0 * np.pi, len(turned))
    hand = joint(made, "LeftHand")
    turned[:, hand] = rotations.multiply(turned[:, hand], rotations.from_axis_angle(UP, angles))
    whirling = replace(made, motion=replace(made.motion, rotations=rotations.continuous(turned)))
    edited = put_on(whirling, WaveShape(limit_deg=180.0, soft=False), 120, 260)

    assert np.abs(edited.motion.positions_world - whirling.motion.positions_world).max() <= 1e-6


def test_a_bridge_forgets_what_arms_did() -> None:
    around, start, stop = standing()
    edited = put_on(around, Bridge(), start, stop, joints=["arms"])
    arms = [joint(around, side + part) for side in ("Left", "Right") for part in ("UpperArm", "Forearm")]
    ways = []
    for one in (around, edited):
        turned = one.motion.rotations[start:stop, arms]
        ways.append(float(rotations.angle_between(turned[1:], turned[:-1]).sum()))

    assert ways[1] < 0.6 * ways[0]


def test_what_is_in_place_stays_there() -> None:
    """A whole clip at once; a part of it after its border, at which the body slows down."""
    made = subject()
    way, _ = root_motion(made.slice(100, 400))
    whole, _ = root_motion(Subject(put_on(made, InPlace(), 0, 600).motion, made.body))
    edited = put_on(made, InPlace(), 100, 400)
    after, _ = root_motion(Subject(edited.motion, made.body).slice(112, 388))

    assert max(np.abs(whole).max(), np.abs(after).max()) < 1e-9 < np.abs(way).max()
    assert np.array_equal(edited.motion.root_positions[:101], made.motion.root_positions[:101])
    assert np.allclose(
        np.diff(edited.motion.root_positions[400:], axis=0), np.diff(made.motion.root_positions[400:], axis=0)
    )


@pytest.mark.parametrize("heading", [False, True])
def test_a_body_slows_down_before_it_goes_in_place(heading: bool) -> None:
    made = subject()
    edited = put_on(made, InPlace(heading=heading), 100, 400, ease_secs=0.5)
    before, after = (
        np.linalg.norm(np.diff(one.root_positions[:, [0, 2]], 2, axis=0), axis=-1)
        for one in (made.motion, edited.motion)
    )

    assert after.max() < 1.5 * before.max()
    later = [plant for plant in edited.plants if plant.start >= 400]
    assert len(later) == len([plant for plant in made.plants if plant.stop > 400])
    assert made.body is not None
    assert largest_slide(edited.motion, later, made.body) < largest_slide(made.motion, made.plants, made.body) + 1e-6


def test_a_loop_goes_on_without_a_seam() -> None:
    walk = labelled("walk")
    start, stop = find_cycle(walk, least_secs=0.8)
    edited = put_on(walk, Loop(repeats=3, least_secs=0.8), 0, walk.motion.n_frames)
    n = stop - start
    steps = np.linalg.norm(np.diff(edited.motion.positions_world, axis=0), axis=-1).max(axis=1)

    assert edited.motion.n_frames == 3 * n
    for seam in (n, 2 * n):
        assert steps[seam - 2 : seam + 2].max() < 1.3 * steps.max()
        assert steps[seam - 1] < 1.5 * np.median(steps) + 0.02
    with pytest.raises(UsageError, match="too few for a cycle"):
        put_on(walk, Loop(), 0, 20)


def test_limits_learnt_from_a_motion_let_it_pass() -> None:
    made = subject().slice(0, 300)
    limits = learn_limits([made], share=1.0)
    assert put_on(made, Limits(limits=limits, soft_deg=0.0), 20, 280).notes == ()
    wild = put_on(made, Noise(amplitude_deg=60.0), 20, 280, protect=False)
    tamed = put_on(Subject(wild.motion, made.body, ()), Limits(limits=limits), 20, 280, ease_secs=0.0)
    assert "brought back" in tamed.notes[0]
    away = [np.abs(one.motion.positions_world - made.motion.positions_world).mean() for one in (wild, tamed)]
    assert away[1] < away[0]


def test_limits_as_people_write_them() -> None:
    """A mean of a few digits is a rotation; one of zeros is none."""
    around, start, stop = standing()
    limit = ("LeftUpperArm", (0.7, 0.0, 0.0, -0.7), (-20.0, -20.0, -20.0), (20.0, 20.0, 20.0))
    edited = put_on(around, Limits(limits=(limit,)), start, stop)

    assert "brought back LeftUpperArm" in edited.notes[0]
    with pytest.raises(UsageError, match="limits of LeftUpperArm: the mean is not a rotation"):
        put_on(around, Limits(limits=(("LeftUpperArm", (0.0, 0.0, 0.0, 0.0), *limit[2:]),)), start, stop)


def test_a_style_of_the_same_motion_is_none() -> None:
    made = subject().slice(0, 200)
    same = learn_style(made, made)
    assert same.pace == 1.0
    assert np.abs([change for _, change, _ in same.parts]).max() < 1e-6
    slow = learn_style(made, replace(made, motion=replace(made.motion, frame_time=2 * made.motion.frame_time)))
    assert slow.pace == pytest.approx(0.5)
    bent = put_on(
        made, Displace(turns=((0.0, "Spine2", 20.0, 0.0, 0.0), (3.3, "Spine2", 20.0, 0.0, 0.0))), 0, 200, protect=False
    )
    stooped = learn_style(made, Subject(bent.motion, made.body))
    assert {part: change for part, change, _ in stooped.parts}["Spine2"][0] == pytest.approx(20.0, abs=1.0)


def test_a_style_is_learnt_from_whole_cycles_in_the_same_phase() -> None:
    """A walk against itself, begun half a cycle later and played slower, differs by its pace only."""
    walk = labelled("walk")
    start, stop = find_cycle(walk, least_secs=0.8)
    later = walk.slice(min((stop - start) // 2, walk.motion.n_frames - 2), walk.motion.n_frames)
    slower = replace(later, motion=replace(later.motion, frame_time=1.25 * later.motion.frame_time))

    learnt = learn_style(walk, slower)

    assert learnt.pace == pytest.approx(0.8, abs=0.04)
    assert np.abs([change for _, change, _ in learnt.parts]).max() < 4.0  # degrees


def test_a_style_is_the_same_on_a_curved_way() -> None:
    """Strides are measured along the way, and the way itself is no part of the style."""
    walk = labelled("walk")
    bent = bent_way(walk, 1.5)

    learnt = learn_style(walk, bent, warp=None)

    if not learnt.cycle:
        pytest.skip("the walk has too few cycles")
    assert learnt.stride == pytest.approx(1.0, abs=0.05)
    assert np.abs(np.reshape(learnt.root, (-1, 3))).max() < 0.03


def test_a_style_is_learnt_from_few_frames_to_a_cycle() -> None:
    """At 15 Hz some phases of a cycle have no frame of their own."""
    walk = labelled("walk")
    coarse = Subject(
        replace(poses_at(walk.motion, np.arange(0.0, walk.motion.n_frames - 1, 4.0)), frame_time=4 / 60), walk.body, ()
    )

    learnt = learn_style(coarse, coarse)

    assert learnt.cycle
    assert max(np.abs(values).max() for _, values in learnt.cycle) < 0.01


def test_a_style_of_cycles_says_where_there_are_none() -> None:
    walk = labelled("walk")
    around, start, stop = standing()
    learnt = learn_style(walk, bent_way(walk, 0.1))
    assert learnt.cycle

    assert "no cycles are found here" in put_on(around, learnt, start, stop).notes[0]
    assert put_on(walk, learnt, 0, walk.motion.n_frames).notes == ()


def bent_way(walk: Subject, radians: float) -> Subject:
    """The walk on a way that turns by so much more from start to end."""
    motion = walk.motion
    angles = np.linspace(0.0, radians, motion.n_frames)
    turn = rotations.from_axis_angle(UP, angles)
    steps = np.diff(motion.root_positions, axis=0, prepend=motion.root_positions[:1])
    places = motion.root_positions[0] + np.cumsum(rotations.rotate(turn, steps), axis=0)
    turned = np.array(motion.rotations)
    turned[:, 0] = rotations.multiply(turn, turned[:, 0])
    return Subject(replace(motion, root_positions=places, rotations=turned), walk.body, ())


def test_pace_and_strides_come_no_farther_than_the_styled_ones() -> None:
    assert towards(1.0, 0.5, 0.0) == 0.5  # nothing is known of the styled one
    assert towards(1.0, 0.5, 0.8) == 0.8
    assert towards(1.0, 0.5, 0.3) == 0.5
    assert towards(1.0, 0.5, 2.0) == 1.0  # it is that way already
    assert towards(1.0, 2.0, 1.5) == 1.5
    assert towards(1.0, 2.0, 0.5) == 1.0


def test_feet_stand_as_they_do_in_the_style() -> None:
    """A walk in its own style stands when it stood; in one whose left foot never stands, the left foot does not."""
    walk = labelled("walk")
    learnt = learn_style(walk, walk)
    if not learnt.cycle:
        pytest.skip("the walk has too few cycles")
    n = walk.motion.n_frames
    before = part_contacts_of_plants(walk.plants, n)

    same = put_on(walk, learnt, 0, n, protect=False)
    hops = np.reshape(learnt.stands, (-1, 2, 2)) * [[[0.0], [1.0]]]
    hopping = put_on(walk, replace(learnt, stands=tuple(hops.ravel().tolist())), 0, n, protect=False)

    assert (part_contacts_of_plants(same.plants, n) == before).mean() > 0.85
    assert {plant.foot for plant in hopping.plants} == {"right"}


def test_hands_are_held_where_they_are() -> None:
    around, start, stop = standing()
    lean = Displace(turns=((0.6, "spine", 12.0, 0.0, 0.0),))
    place = place_of(around, lean, start, stop)

    free, held = (apply_operation(around, lean, place, hold=hands) for hands in ((), ("LeftHand",)))

    hand, other = joint(around, "LeftHand"), joint(around, "RightHand")
    moved = np.linalg.norm(held.motion.positions_world - around.motion.positions_world, axis=-1)
    assert np.linalg.norm(free.motion.positions_world - around.motion.positions_world, axis=-1)[:, hand].max() > 0.03
    assert moved[:, hand].max() < 0.005
    assert moved[:, other].max() > 0.03
    assert moved[: start - 1].max() < 1e-9
    with pytest.raises(UsageError, match="only hands can be held: LeftHand or RightHand, not 'Head'"):
        apply_operation(around, lean, place, hold=("Head",))


def test_balance_brings_the_weight_over_the_feet() -> None:
    around, start, stop = standing()
    secs = (stop - start) * around.motion.frame_time
    lean = Displace(turns=((0.4 * secs, "spine", 35.0, 0.0, 0.0), (0.6 * secs, "spine", 35.0, 0.0, 0.0)))
    leant = put_on(around, lean, start, stop)
    leaning = Subject(leant.motion, around.body, leant.plants).slice(start - 20, stop + 20)
    edited = put_on(leaning, Balance(), 0, leaning.motion.n_frames)
    before, after = (float(word) for word in edited.notes[0].split() if word.replace(".", "").isdigit())

    assert before > 3.0
    assert after < 0.5 * before


def test_a_part_is_mirrored_as_the_body_faces() -> None:
    """The other arm does what the one did; legs and the way stay."""
    around, start, stop = standing()
    edited = put_on(around, Mirror(), start, stop)
    frame = (start + stop) // 2
    before, after = (turns_of(one.motion, around.rest)[frame] for one in (around, edited))
    for part, other in (("LeftUpperArm", "RightUpperArm"), ("RightForearm", "LeftForearm"), ("Head", "Head")):
        mirrored = before[joint(around, other)] * [1.0, 1.0, -1.0, -1.0]
        assert rotations.angle_between(after[joint(around, part)], mirrored) < 1e-6
    assert np.array_equal(edited.motion.root_positions, around.motion.root_positions)
    assert rotations.angle_between(after[joint(around, "LeftShin")], before[joint(around, "LeftShin")]) < 1e-6


def test_an_elbow_hangs_below_the_line_from_shoulder_to_hand() -> None:
    """A hand that is brought ahead does not lift its elbow, and goes on along its forearm."""
    around, start, stop = standing()
    edited = put_on(around, Reach("LeftHand", 0.6, (0.2, 1.25, 0.4), "body"), start, stop)
    places = edited.motion.positions_world[start + round(0.6 / around.motion.frame_time)]
    shoulder, elbow, hand = (places[joint(around, "Left" + part)] for part in ("UpperArm", "Forearm", "Hand"))

    assert elbow[1] < 0.5 * (shoulder[1] + hand[1]) - 0.02
    parts = [joint(around, "LeftForearm"), joint(around, "LeftHand")]
    assert np.array_equal(edited.motion.rotations[start + 36, parts[1]], around.motion.rotations[start + 36, parts[1]])


def test_a_leaning_trunk_keeps_the_weight_over_the_feet() -> None:
    around, start, stop = standing()
    for words in ({"vertical": -1.0}, {"sagittal": 1.0}, {"sagittal": -1.0}):
        edited = put_on(around, Emote(**words), start, stop)
        before, after = (
            score(one.motion.slice(start, stop), Subject(one.motion, around.body, one.plants).slice(start, stop).plants,
                  body=around.body).score
            for one in (around, edited)
        )  # fmt: skip
        assert after <= before + 0.07  # over 0.4 s it is 0.1 to 0.2


def test_feet_that_pass_each_other_tell_cycles_where_poses_do_not_come_back() -> None:
    """A march with arms that never do the same twice, and no plants, before and after a rest in its midst."""
    walk = labelled("walk")
    usual = cycle_marks(walk)
    assert usual is not None
    flung = put_on(walk, Noise(amplitude_deg=80.0, frequency_hz=0.4), 0, walk.motion.n_frames, protect=False)
    legs = round(1.7 * float(np.diff(usual).mean()))
    frames = np.concatenate([np.arange(legs), np.full(60, legs - 1), np.arange(legs, walk.motion.n_frames)])
    made = Subject(poses_at(flung.motion, frames.astype(float)), walk.body)

    marks = cycle_marks(made)

    assert marks is not None
    assert np.diff(marks).mean() == pytest.approx(np.diff(usual).mean(), rel=0.12)


def test_feet_that_do_not_pass_each_other_tell_no_cycles() -> None:
    around, start, stop = standing()

    assert cycle_marks(replace(around.slice(start, stop), plants=())) is None


def test_overstretched_knees_do_not_bend_backwards() -> None:
    """Captured legs that stand are all but straight, now a little ahead, now behind: who sinks bends them ahead."""
    around, start, stop = standing()
    assert around.body is not None
    knees = [joint(around, side + "Shin") for side in ("Left", "Right")]
    turned = turns_of(around.motion, around.rest)
    wave = 0.06 * np.sin(np.arange(around.motion.n_frames) / 20.0)
    turned[:, knees] = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), wave)[:, None]
    straight = replace(around.motion, rotations=locals_of_turns(turned, around.motion.skeleton.parents, around.rest))
    edited = put_on(Subject(straight, around.body), Emote(vertical=-1.0), start, stop, ease_secs=0.5)

    bends = np.stack([knee_ahead(Subject(edited.motion, around.body), side) for side in ("Left", "Right")])
    steps = np.linalg.norm(np.diff(edited.motion.positions_world[:, knees], axis=0), axis=-1)
    usual = np.linalg.norm(np.diff(straight.positions_world[:, knees], axis=0), axis=-1)
    assert bends[:, start + 40 : stop - 40].min() > 0.05
    assert steps.max() < usual.max() + 0.03


def knee_ahead(on: Subject, side: str) -> np.ndarray:
    """How far a knee is ahead of the line from hip to ankle (F,), as the body faces, in metres."""
    places = on.motion.positions_world
    hip, knee, ankle = (places[:, joint(on, side + part)] for part in ("Thigh", "Shin", "Foot"))
    along = (ankle - hip) / np.linalg.norm(ankle - hip, axis=1, keepdims=True)
    away = knee - hip - np.sum((knee - hip) * along, axis=1, keepdims=True) * along
    facing = rotations.from_axis_angle(UP, facing_of(on.motion, on.rest))
    return np.asarray(np.sum(away * rotations.rotate(facing, np.array([0.0, 0.0, 1.0])), axis=1))
