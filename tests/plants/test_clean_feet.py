import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.motion import rotations
from motionary.plants.clean_feet import foot_corrections, lift_reference

HEEL, BALL = np.array([0.0, -0.08, -0.05]), np.array([0.0, -0.06, 0.15])  # from the ankle
TIMES = {"frame_time": 1 / 60, "fade_secs": 0.3}


def stepping_foot(n_frames=120):
    """(from_ankle, ankle): a foot that lands heel first, lies flat, rolls off its ball; it slides forwards."""
    frames = np.arange(n_frames)
    pitch = np.interp(frames, [0, 30, 40, 80, 95, n_frames], [-0.5, -0.3, 0.0, 0.0, 0.5, 0.9])
    pitch = np.convolve(np.pad(pitch, 4, mode="edge"), np.ones(9) / 9, mode="valid")
    turn = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), pitch)
    from_ankle = np.stack([rotations.rotate(turn, HEEL), rotations.rotate(turn, BALL)], axis=1)
    ankle = np.stack([0.0 * frames, 0.08 + 0.0 * frames, 0.001 * frames], axis=1)
    return from_ankle, ankle


def corrected(from_ankle, ankle, turns, moves):
    turned = rotations.rotate(rotations.from_rotation_vector(turns)[:, None], from_ankle)
    return turned + (ankle + moves)[:, None]


def planted(n_frames, heel, toe):
    standing = np.zeros((n_frames, 2), dtype=bool)
    standing[slice(*heel), 0], standing[slice(*toe), 1] = True, True
    return standing


def test_a_foot_rolls_over_places_that_hold():
    from_ankle, ankle = stepping_foot()
    standing = planted(120, (30, 80), (40, 95))
    direction = rotations.rotate(rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.1), BALL - HEEL)
    places = np.zeros((120, 2, 3))
    places[:, 0] = [0.01, 0.0, 0.02]
    places[:, 1] = places[:, 0] + direction

    turns, moves = foot_corrections(from_ankle, ankle, places, standing, **TIMES)

    points = corrected(from_ankle, ankle, turns, moves)
    assert points[standing] == pytest.approx(places[standing], abs=1e-9)
    assert np.abs(np.diff(turns, 2, axis=0)).max() * 3600 < 50.0
    assert np.abs(np.diff(points[:, :, 1], 2, axis=0)).max() * 3600 < 30.0
    assert not turns[[0, -1]].any()


def test_on_heel_or_ball_alone_it_turns_as_recorded():
    from_ankle, ankle = stepping_foot()
    standing = planted(120, (30, 50), (70, 95))
    places = np.zeros((120, 2, 3))

    turns, moves = foot_corrections(from_ankle, ankle, places, standing, **TIMES)

    assert not turns.any()
    assert corrected(from_ankle, ankle, turns, moves)[standing] == pytest.approx(np.zeros((45, 3)), abs=1e-9)


def test_a_foot_that_stands_is_left_alone_to_the_bit():
    from_ankle, ankle = stepping_foot()
    standing = planted(120, (50, 70), (50, 70))
    ankle[:] = ankle[60]
    places = from_ankle + ankle[:, None] + 1e-9 * np.random.default_rng(0).normal(size=(120, 2, 3))

    turns, moves = foot_corrections(from_ankle, ankle, places, standing, **TIMES)

    assert not turns.any()
    assert not moves.any()


def test_without_plants_there_are_no_corrections():
    from_ankle, ankle = stepping_foot(1)

    turns, moves = foot_corrections(from_ankle, ankle, np.ones((1, 2, 3)), np.zeros((1, 2), dtype=bool), **TIMES)

    assert not turns.any()
    assert not moves.any()


def test_a_foot_in_the_air_is_not_pushed_into_the_floor():
    """Its plant is two centimetres below it; the foot sets out, and skims the ground: the correction fades too late."""
    from_ankle = np.tile([[0.0, -0.08, -0.05], [0.0, -0.08, 0.12]], (60, 1, 1))
    ankle = np.tile([0.0, 0.08, 0.0], (60, 1))
    ankle[:20, 1] += 0.02
    ankle[:, 2] += np.maximum(np.arange(60) - 20, 0) * 0.02
    planted = np.zeros((60, 2), dtype=bool)
    planted[:20] = True
    places = np.zeros((60, 2, 3))
    places[:20, :, 2] = [-0.05, 0.12]

    turns, moves = foot_corrections(from_ankle, ankle, places, planted, frame_time=1 / 60, fade_secs=0.3)

    heights = corrected(from_ankle, ankle, turns, moves)[..., 1]
    assert heights[:20] == pytest.approx(0.0, abs=1e-9)
    assert heights.min() >= -1e-9


def gliding_foot(height, n_frames=40, step=0.4):
    """(from_ankle, ankle, planted, places): flat feet stand until frame 10, and from frame 30 on `step` farther."""
    from_ankle = np.tile([[0.0, -0.08, -0.05], [0.0, -0.08, 0.12]], (n_frames, 1, 1))
    ways = np.clip((np.arange(n_frames) - 9) / 21, 0.0, 1.0)
    ankle = np.stack([0.0 * ways, 0.08 + height * np.sin(np.pi * ways) ** 2, step * ways], axis=1)
    planted = np.zeros((n_frames, 2), dtype=bool)
    planted[:10], planted[30:] = True, True
    places = ankle[:, None] + from_ankle
    places[..., 1] = 0.0
    return from_ankle, ankle, planted, places


@pytest.mark.parametrize(("step", "height"), [(0.4, 0.036), (1.0, 0.072), (5.0, 0.08), (0.05, 0.009)])
def test_a_foot_that_glides_is_lifted_as_in_captured_steps(step, height):
    from_ankle, ankle, planted, places = gliding_foot(0.0, step=step)

    _, moves = foot_corrections(from_ankle, ankle, places, planted, made_up=np.arange(40) == 20, **TIMES)

    assert moves[:, 1].max() == pytest.approx(height, rel=0.05)
    assert not moves[planted.any(axis=1)].any()
    assert np.abs(np.diff(moves[:, 1], 2)).max() * 60**2 <= 15.0


def test_no_foot_is_lifted_faster_than_captured_ones():
    from_ankle, ankle, planted, places = gliding_foot(0.0, step=1.0)

    _, moves = foot_corrections(
        from_ankle, ankle, places, planted, frame_time=1 / 240, fade_secs=0.3, made_up=np.ones(40, dtype=bool)
    )

    assert 0.0 < moves[:, 1].max() < 0.02
    assert np.abs(np.diff(moves[:, 1], 2)).max() * 240**2 <= 15.0


def test_only_low_steps_that_are_made_up_are_lifted():
    anywhere = np.ones(40, dtype=bool)
    from_ankle, ankle, planted, places = gliding_foot(0.0)
    never_landing = planted & (np.arange(40) < 20)[:, None]
    for known, made_up in ((planted, None), (planted, ~anywhere), (never_landing, anywhere)):
        assert not foot_corrections(from_ankle, ankle, places, known, made_up=made_up, **TIMES)[1].any()
    from_ankle, ankle, planted, places = gliding_foot(0.04)
    assert not foot_corrections(from_ankle, ankle, places, planted, made_up=anywhere, **TIMES)[1].any()


@given(seed=st.integers(0, 2**16), n_frames=st.integers(1, 60), rate=st.sampled_from([30, 60, 240]))
def test_feet_are_lifted_as_the_definition_says(seed, n_frames, rate):
    rng = np.random.default_rng(seed)
    pitch = np.cumsum(rng.normal(size=n_frames)) * 0.01
    turn = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), pitch)
    from_ankle = np.stack([rotations.rotate(turn, HEEL), rotations.rotate(turn, BALL)], axis=1)
    ankle = np.cumsum(rng.normal(size=(n_frames, 3)) * [0.01, 0.001, 0.03], axis=0) + np.array([0.0, 0.08, 0.0])
    planted = np.repeat(rng.random((-(-n_frames // 8), 2)) < 0.3, 8, axis=0)[:n_frames]
    places = ankle[:, None] + from_ankle + rng.normal(size=(n_frames, 2, 3)) * 0.005
    made_up = rng.random(n_frames) < rng.choice([0.02, 0.2, 1.0])
    times = {"frame_time": 1 / rate, "fade_secs": 0.3}

    low = foot_corrections(from_ankle, ankle, places, planted, **times)
    turns, moves = foot_corrections(from_ankle, ankle, places, planted, made_up=made_up, **times)

    points, standing = corrected(from_ankle, ankle, *low), planted.any(axis=1)
    lifts = lift_reference(ankle + low[1], points, standing, made_up, frame_time=1 / rate)
    assert (turns == low[0]).all()
    assert moves == pytest.approx(low[1] + lifts[:, None] * [0.0, 1.0, 0.0], abs=1e-12)
