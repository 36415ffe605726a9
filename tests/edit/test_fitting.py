"""Fitting edits to matches: times, strengths, seeds, variation."""

from dataclasses import replace

import numpy as np
import pytest

from edit.made_subjects import standing, subject
from motionary.edit import Noise, Smooth, Subject
from motionary.edit.fitting import aligned_times, in_step, likeness, outline_of, seed_of, strength_at, strictly, varied
from motionary.edit.joints import mirrored_subject
from motionary.errors import UsageError
from motionary.motion import poses_at


def gesture() -> Subject:
    around, start, stop = standing()
    return around.slice(start, stop)


def played(made: Subject, frames: np.ndarray) -> Subject:
    return Subject(poses_at(made.motion, frames), made.body)


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_known_warp_is_found_again(mirrored: bool) -> None:
    """A gesture that is played unevenly stands for the times that it was taken from, within two frames at 30 Hz."""
    made = gesture()
    n, frame_time = made.motion.n_frames, made.motion.frame_time
    share = np.linspace(0.0, 1.0, round(1.3 * n))
    frames = (share + 0.12 * np.sin(2 * np.pi * share) / np.pi) * (n - 1)
    match = played(made, frames)
    if mirrored:
        match = mirrored_subject(match)

    outline = outline_of(match, mirrored=mirrored)
    times = aligned_times(outline_of(made), outline, len(frames), (n - 1) * frame_time)

    moving = slice(len(frames) // 8, -len(frames) // 8)  # before and after it, nothing tells the time
    assert np.abs(times - frames * frame_time)[moving].mean() < 2.0 / 30.0
    assert (np.diff(times) > 0).all()
    assert times[0] == 0.0
    assert times[-1] == pytest.approx((n - 1) * frame_time, abs=1e-5)


def test_the_example_stands_for_itself() -> None:
    made = gesture()
    n, frame_time = made.motion.n_frames, made.motion.frame_time
    times = aligned_times(outline_of(made), outline_of(made), n, (n - 1) * frame_time)

    assert np.abs(times - np.arange(n) * frame_time).max() < 1.5 * frame_time


def test_a_match_with_more_at_its_ends_is_in_step_in_between() -> None:
    """Half a second more at both ends, as matches have it, moves nothing that lies between."""
    around, start, stop = standing()
    n, frame_time = stop - start, around.motion.frame_time
    more = min(round(0.5 / frame_time), start)

    outline = outline_of(around.slice(start - more, stop + more))
    times = aligned_times(outline_of(around.slice(start, stop)), outline, n + 2 * more, (n - 1) * frame_time)

    moving = slice(n // 4, -n // 4)
    assert np.abs(times[more : more + n] - np.arange(n) * frame_time)[moving].max() < 1.0 / 30.0


def test_an_outline_of_a_mirror_image_is_the_mirror_image_of_the_outline() -> None:
    made = gesture()

    mirrored = outline_of(mirrored_subject(made), joints=["left arm", "spine"])
    outline = outline_of(made, joints=["left arm", "spine"], mirrored=True)

    assert outline.parts == mirrored.parts
    assert np.abs(outline.places - mirrored.places).max() < 1e-3


@pytest.mark.parametrize("late_secs", [-0.08, 0.0, 0.08])
def test_times_that_are_late_on_the_average_are_brought_into_step(late_secs: float) -> None:
    made = gesture()
    n, frame_time = made.motion.n_frames, made.motion.frame_time
    outline, secs = outline_of(made), (n - 1) * frame_time
    own = np.arange(n) * frame_time
    late = np.interp(own + late_secs * np.clip(np.minimum(own, secs - own) / 0.4, 0.0, 1.0), own, own)

    times = secs * in_step(late / secs, outline, outline, outline.parts)

    assert np.abs(times - own)[n // 4 : -n // 4].max() < 1.0 / 60.0
    assert (times[0], times[-1]) == (0.0, secs)
    assert (np.diff(times) > 0).all()


def test_alignment_may_go_by_some_joints() -> None:
    outline = outline_of(subject().slice(0, 60), joints=["left arm"])

    assert outline.parts == ("LeftClavicle", "LeftUpperArm", "LeftForearm", "LeftHand")
    other = replace(outline, parts=("Tail1", "Tail2", "Tail3", "Tail4"))
    with pytest.raises(UsageError, match="have no part of the body in common"):
        aligned_times(outline, other, 60, 1.0)


def test_times_grow_however_they_are_rounded() -> None:
    times = strictly(np.array([0.0, 1e-9, 2e-9, 0.5, 0.5, 1.0]))

    assert (np.diff(times) > 0).all()


def test_times_that_wait_stay_where_they_are() -> None:
    """Many times that are hardly apart move by a microsecond each, and the rest not at all."""
    waits = np.concatenate([np.linspace(0.0, 4e-5, 100), np.linspace(0.5, 1.0, 50)])
    times = strictly(waits)

    assert (np.diff(times) > 0).all()
    assert np.abs(times - waits).max() < 1.1e-4


def test_strength_follows_likeness() -> None:
    assert likeness(0.0, 4.0) == 1.0
    assert likeness(4.0, 4.0) == pytest.approx(0.2)
    assert likeness(1.0, 0.0) == 1.0
    assert strength_at(0.3, "constant") == 1.0
    assert strength_at(0.3, "proportional") == 0.3
    assert strength_at(0.3, ((0.0, 0.0), (0.6, 1.2))) == pytest.approx(0.6)
    with pytest.raises(UsageError, match="constant, proportional or a curve"):
        strength_at(0.3, "linear")


def test_variation_is_by_seed_and_within_its_range() -> None:
    ranges = {"amplitude_deg": (2.0, 4.0)}
    drawn = [varied(Noise(), ranges, seed_of(1, "clip", start)) for start in range(20)]
    values = [one.amplitude_deg for one in drawn if isinstance(one, Noise)]

    assert len(set(values)) > 10
    assert all(2.0 <= value <= 4.0 for value in values)
    assert drawn == [varied(Noise(), ranges, seed_of(1, "clip", start)) for start in range(20)]
    with pytest.raises(UsageError, match="smooth order cannot vary"):
        varied(Smooth(), {"order": (1, 2)}, 0)
    with pytest.raises(UsageError, match="is reversed"):
        varied(Smooth(), {"cutoff_hz": (2.0, 1.0)}, 0)
    with pytest.raises(UsageError, match="noise amplitude_deg: 400 is out of range"):
        varied(Noise(), {"amplitude_deg": (1.0, 400.0)}, 0)
