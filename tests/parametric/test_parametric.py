import numpy as np
import pytest

from blend.made_sources import reach, scissors, walkers
from motionary.blend import blend, register, without
from motionary.errors import ExtrapolationError, UsageError
from motionary.motion import Placement
from motionary.parametric import Computed, make_parametric, measure_named, steer
from motionary.parametric.measures import values_of
from motionary.parametric.views import ClockArrays, FinishedView, WeightedView
from motionary.rig import body_headings


@pytest.fixture(scope="module")
def reaching():
    sources = [
        reach(angle, height=height, n_frames=40 + 4 * k, peak=18 + 2 * k)
        for k, (angle, height) in enumerate((a, h) for a in (-25.0, 10.0, 45.0) for h in (-0.2, 0.3))
    ]
    return make_parametric(sources, [measure_named("RightHand@apex")], n_draws=400)


def test_what_is_asked_for_is_got_inside_the_region(reaching):
    points = reaching.random_points(40, rng=np.random.default_rng(1))

    errors = [np.linalg.norm(reaching.ask(point).error) for point in points]
    plain = [np.linalg.norm(reaching.ask(point, corrections=0).error) for point in points]

    assert np.median(errors) < 0.002
    assert np.percentile(errors, 95) < 0.010
    assert np.median(errors) < np.median(plain)


def test_examples_that_cannot_be_extrapolated_are_blended_without(reaching):
    """A joint that turns over for a frame or two, between the frames that samples know, refuses no motion."""
    from dataclasses import replace

    from motionary.motion import rotations

    joint = reaching.registration.body.skeleton.index("LeftHand")
    turn = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.pi)
    odd = []
    for k, source in enumerate(reaching.registration.sources):
        local = source.motion.rotations.copy()
        if k % 2:
            local[10:20, joint] = rotations.multiply(local[10:20, joint], turn)
        odd.append(replace(source, motion=replace(source.motion, rotations=local)))
    registration = replace(reaching.registration, sources=tuple(odd))
    weights = np.array([0.7, 0.4, -0.1, 0.0, 0.0, 0.0])
    with pytest.raises(ExtrapolationError, match="LeftHand over 150° apart"):
        blend(registration, weights)

    made = replace(reaching, registration=registration).blended(weights)

    assert made.weights.min() == 0.0
    assert make_parametric(registration, reaching.measures, n_draws=50).samples.weights.min() >= 0.0


def test_what_cannot_be_reached_is_no_farther_than_the_nearest_sample(reaching):
    """Nor where one example is so unlike the others that it cannot be extrapolated together with them."""
    from dataclasses import replace

    from motionary.motion import rotations

    source = reaching.registration.sources[5]
    local, joint = source.motion.rotations.copy(), reaching.registration.body.skeleton.index("LeftHand")
    local[:, joint] = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), 3.0)
    odd = replace(source, motion=replace(source.motion, rotations=local))
    registration = replace(reaching.registration, sources=(*reaching.registration.sources[:5], odd))
    parametric = make_parametric(registration, reaching.measures, n_draws=200)
    low, high = parametric.samples.values.min(axis=0), parametric.samples.values.max(axis=0)
    points = np.random.default_rng(0).uniform(low - 0.5 * (high - low), high + 0.5 * (high - low), (60, 3))

    for point in points:
        answer = parametric.ask(point)
        nearest = parametric.samples.distances(point).min()
        assert np.linalg.norm(answer.error / parametric.samples.scales) <= nearest + 1e-2


def test_what_interpolation_misses_is_found_from_the_nearest_samples(reaching):
    """Samples of quite other blends that reach about the same points: their averages reach other ones."""
    from dataclasses import replace

    rng = np.random.default_rng(0)
    weights = np.concatenate([np.eye(6), rng.dirichlet(np.full(6, 0.3), 150)])
    values = np.array([reaching.measure(row) for row in weights])
    unlike = replace(reaching, samples=replace(reaching.samples, values=values, weights=weights))
    wanted = np.array([reaching.measure(row) for row in rng.dirichlet(np.full(6, 0.5), 40)])

    errors = [np.linalg.norm(unlike.ask(point).error) for point in wanted]

    assert np.median(errors) < 0.001
    assert np.max(errors) < 0.005


def test_the_finished_motion_does_what_its_weights_promise(reaching):
    answer = reaching.ask(reaching.examples.mean(axis=0))

    made = answer.motion()

    assert answer.measured(made) == pytest.approx(answer.got, abs=0.005)
    assert made.motion.root_positions[0, [0, 2]] == pytest.approx([0.0, 0.0], abs=1e-9)


def test_examples_are_samples_of_themselves(reaching):
    for i in range(reaching.n_examples):
        answer = reaching.ask(reaching.examples[i])
        assert answer.weights == pytest.approx(np.eye(reaching.n_examples)[i])
        assert not answer.projected


def test_what_cannot_be_reached_is_projected_and_says_so(reaching):
    answer = reaching.ask(reaching.examples.mean(axis=0) + np.array([0.0, 3.0, 0.0]))

    assert answer.projected
    assert answer.weights.sum() == pytest.approx(1.0)
    assert answer.weights.min() >= -0.1 - 1e-9


def test_what_is_missed_by_more_than_its_tolerance_counts_as_projected():
    few = make_parametric([reach(a) for a in (-20.0, 30.0)], [measure_named("RightHand@apex")], n_draws=0)
    answers = few.ask_many(few.grid(3))

    for answer in answers:
        assert answer.projected == (np.linalg.norm(answer.error / few.samples.scales) > 1.0)
    assert any(answer.projected for answer in answers)
    assert not all(answer.projected for answer in answers)


def test_parameters_by_name_and_wrong_ones(reaching):
    names = [parameter.name for parameter in reaching.parameters]
    assert names == ["RightHand left", "RightHand up", "RightHand ahead"]
    point = dict(zip(names, reaching.examples[0].tolist(), strict=True))

    assert reaching.ask(point).weights[0] == pytest.approx(1.0)

    with pytest.raises(UsageError, match="3 parameters: RightHand left"):
        reaching.ask([0.0])
    with pytest.raises(UsageError, match="not RightHand down"):
        reaching.ask({"RightHand down": 1.0})
    with pytest.raises(UsageError, match="not a finite number"):
        reaching.ask([np.nan, 0.0, 0.0])


MEASURES = (
    "RightHand@apex", "Head@end", "Hips@0.5", "end", "end+heading", "heading", "lowest:Hips", "highest:RightHand",
    "heel:left", "speed", "curvature", "mean-turning:Hips", "greatest-turning:RightHand", "least-turning:Head",
    "centre@end",
)  # fmt: skip


@pytest.mark.parametrize("text", MEASURES)
def test_fast_and_finished_views_agree(text):
    registration = register(walkers())
    measure = measure_named(text).settled(registration)
    assert measure.text == text
    assert len(measure.parameters()) == len(measure.of(WeightedView(ClockArrays.of(registration), np.eye(3)[0])))

    for weights in (np.array([1.0, 0.0, 0.0]), np.array([0.3, 0.5, 0.2])):
        fast = measure.of(WeightedView(ClockArrays.of(registration), weights))
        made = blend(registration, weights, start=Placement(), clean_up=False)
        scale = np.array([parameter.tolerance for parameter in measure.parameters()])
        off = np.abs(fast - measure.of(FinishedView(made))) / scale
        # speeds of joints are taken between moments of the clock or between frames, which are not the same
        assert off.max() < (40.0 if "turning" in text else 4.0)


def test_the_apex_is_that_of_all_examples_together():
    """One of them is farther from its first pose some time before, as a foot that is swung back before it kicks."""
    sources = [reach(angle, peak=peak) for angle, peak in ((-10.0, 28), (10.0, 31), (30.0, 34), (50.0, 30))]
    odd = swung_back(sources[2])
    hand = odd.body.body_map.joints["RightHand"]
    away = np.linalg.norm(odd.motion.positions_world[:, hand] - odd.motion.positions_world[0, hand], axis=1)
    assert np.argmax(away) < 20  # it alone would tell the wrong time

    parametric = make_parametric([*sources[:2], odd, sources[3]], [measure_named("RightHand@apex")], n_draws=5)

    clock = parametric.measures[0].clock
    frames = [float(parametric.registration.warp(i)(clock)) for i in range(4)]
    assert frames == pytest.approx([28, 31, 34, 30], abs=2.0)


def swung_back(source):
    """A reach that swings the arm far back before, around frame 14."""
    from dataclasses import replace

    from motionary.motion import rotations

    local = source.motion.rotations.copy()
    arm = source.motion.skeleton.index("RightUpperArm")
    back = np.exp(-0.5 * ((np.arange(len(local)) - 14.0) / 4.0) ** 2)
    swing = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), 2.6 * back)
    local[:, arm] = rotations.multiply(swing, local[:, arm])
    return replace(source, motion=replace(source.motion, rotations=local))


def test_joints_that_move_against_their_parents_are_measured():
    """Some rigs stretch: a joint's place goes by its translations, not by the skeleton's offsets."""
    from dataclasses import replace

    stretched = []
    for k, source in enumerate((reach(0.0), reach(20.0), reach(40.0))):
        motion, joint = source.motion, source.motion.skeleton.index("RightHand")
        moved = np.tile(motion.skeleton.offsets[[joint]], (motion.n_frames, 1, 1))
        moved *= 1.0 + 0.2 * (k + 1) * np.sin(np.linspace(0.0, np.pi, motion.n_frames))[:, None, None]
        motion = replace(motion, moving_joints=np.array([joint], dtype=np.int32), translations=moved)
        stretched.append(replace(source, motion=motion))
    registration = register(stretched)
    measure = measure_named("RightHand@0.5").settled(registration)
    weights = np.array([0.2, 0.5, 0.3])

    fast = measure.of(WeightedView(ClockArrays.of(registration), weights))

    made = blend(registration, weights, start=Placement(), clean_up=False)
    assert fast == pytest.approx(measure.of(FinishedView(made)), abs=0.005)


def test_fast_views_take_steps_half_way_between_headings():
    registration = register(walkers((0.9, 1.8, 2.7)))
    measure, weights = measure_named("end+heading"), np.array([0.4, 0.3, 0.3])

    fast = measure.of(WeightedView(ClockArrays.of(registration), weights))

    made = blend(registration, weights, start=Placement(), clean_up=False)
    assert fast == pytest.approx(measure.of(FinishedView(made)), abs=0.001)


def test_a_walk_is_steered_by_where_it_ends():
    parametric = make_parametric(walkers((-0.9, -0.3, 0.3, 0.9)), [measure_named("heading")], n_draws=100)

    answer = parametric.ask([0.5 * (parametric.examples[1, 0] + parametric.examples[2, 0])])

    assert np.degrees(abs(answer.error[0])) < 1.0


@pytest.mark.parametrize("dropped", [False, True])
def test_turns_are_those_of_the_bodies_though_the_reference_turns(dropped):
    """By how much a body has turned, not by how much more than the reference, be that among the examples or not."""
    registration = register(walkers((0.9, 1.8, 2.7, 3.6)))
    if dropped:
        registration = without(registration, [registration.reference])

    parametric = make_parametric(registration, [measure_named("heading")], n_draws=20)

    turned = [np.ptp(body_headings(source.motion)[[0, -1]]) for source in registration.sources]
    assert np.min(turned) > np.radians(5.0)
    assert np.degrees(parametric.examples[:, 0]) == pytest.approx(np.degrees(turned), abs=5.0)
    made = parametric.ask(parametric.examples[1], finished=True).motion()
    assert made.headings[-1] - made.headings[0] == pytest.approx(parametric.examples[1, 0], abs=0.02)


def test_walks_with_feet_held_go_where_they_are_asked():
    parametric = make_parametric(walkers((-0.9, -0.3, 0.3, 0.9)), [measure_named("end+heading")], n_draws=200)
    inside = parametric.samples.weights[4:][(parametric.samples.weights[4:] > 0.02).sum(axis=1) >= 3][:12]

    answers = parametric.ask_many(np.array([parametric.measure(weights) for weights in inside]), finished=True)

    errors = np.array([answer.error for answer in answers])
    assert np.median(np.linalg.norm(errors[:, :2], axis=1)) <= 0.002
    assert np.percentile(np.linalg.norm(errors[:, :2], axis=1), 95) <= 0.010
    assert np.degrees(np.abs(errors[:, 2])).max() < 1.0
    for answer in answers:
        assert answer.weights.min() >= -0.1 - 1e-9
        assert answer.measured(answer.motion()) == pytest.approx(answer.got)


def test_values_given_by_hand_are_interpolated():
    sources = [reach(angle) for angle in (0.0, 20.0, 40.0)]
    moods = {source.name: mood for source, mood in zip(sources, (0.0, 0.5, 1.0), strict=True)}

    parametric = make_parametric(sources, [], given=moods, given_names=["mood"])

    assert parametric.ask([0.25]).got == pytest.approx([0.25], abs=0.02)
    with pytest.raises(UsageError, match="no value is given for reach 40/0"):
        make_parametric(sources, [], given=dict.fromkeys(list(moods)[:2], 0.0))
    with pytest.raises(UsageError, match="the value of reach 20/0 must be a number or a list of numbers"):
        make_parametric(sources, [], given={**moods, "reach 20/0": "glad"})
    with pytest.raises(UsageError, match="the same number of values; reach 20/0 has others"):
        make_parametric(sources, [], given={**moods, "reach 20/0": [0.5, 1.0]})


@pytest.mark.parametrize("finished", [False, True])
def test_two_examples_are_mixed_by_values_given_by_hand(finished):
    """The nearest example alone would be all that interpolation between two samples gives."""
    sources = [reach(angle) for angle in (0.0, 40.0)]
    parametric = make_parametric(sources, [], given={sources[0].name: 2.0, sources[1].name: 3.0})

    answer = parametric.ask([2.3], finished=finished)

    assert answer.got == pytest.approx([2.3], abs=2e-3)
    assert answer.weights == pytest.approx([0.7, 0.3], abs=2e-3)
    assert not answer.projected
    beyond = parametric.ask([9.0], finished=finished)
    assert beyond.projected
    assert beyond.weights == pytest.approx([-0.1, 1.1], abs=0.15)


def test_python_functions_measure_too():
    sources = [reach(angle) for angle in (0.0, 20.0, 40.0)]
    highest = Computed(lambda positions, orientations: positions[..., 1].max(), ("top",))  # noqa: ARG005

    parametric = make_parametric(sources, [highest], n_draws=5)

    assert parametric.examples.shape == (3, 1)
    with pytest.raises(UsageError, match="python:bad failed: ZeroDivisionError"):
        make_parametric(sources, [Computed(lambda p, q: 1 / 0, ("bad",))], n_draws=1)  # noqa: ARG005
    with pytest.raises(UsageError, match="python:bad is not a number"):
        make_parametric(sources, [Computed(lambda p, q: np.nan, ("bad",))], n_draws=1)  # noqa: ARG005
    with pytest.raises(UsageError, match="gave 2 numbers, expected 1"):
        make_parametric(sources, [Computed(lambda p, q: [1.0, 2.0], ("bad",))], n_draws=1)  # noqa: ARG005
    with pytest.raises(UsageError, match="needs a tolerance above 0 for each of 1 numbers"):
        Computed(highest.function, ("top",), (0.0,))


def test_python_functions_measure_blends_that_cannot_be_extrapolated(reaching):
    """The draws' weights are below 0, too; where examples are too unlike for that, only for measuring, 0 is taken."""
    from dataclasses import replace

    from motionary.motion import rotations

    joint = reaching.registration.body.skeleton.index("LeftHand")
    turn = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.pi)
    sources = list(reaching.registration.sources)
    local = sources[1].motion.rotations.copy()
    local[12:14, joint] = rotations.multiply(local[12:14, joint], turn)
    sources[1] = replace(sources[1], motion=replace(sources[1].motion, rotations=local))
    registration = replace(reaching.registration, sources=tuple(sources))
    highest = Computed(lambda positions, orientations: positions[..., 1].max(), ("top",))  # noqa: ARG005

    view = WeightedView(ClockArrays.of(registration), np.array([0.7, 0.4, -0.1, 0.0, 0.0, 0.0]))

    assert np.isfinite(highest.of(view)).all()


def test_redundant_examples_are_dropped():
    sources = [reach(angle, n_frames=40, peak=19) for angle in np.linspace(-20.0, 40.0, 9)]
    parametric = make_parametric(sources, [measure_named("RightHand@apex")], n_draws=400)

    fewer = parametric.without_redundant()

    assert fewer.n_examples <= 6
    for values in parametric.examples:
        assert np.linalg.norm(fewer.ask(values).error) < 0.02


def test_walks_that_are_left_still_go_where_they_are_asked():
    """The reference of the registration may be among those that are dropped."""
    from motionary.blend import without

    parametric = make_parametric(walkers((-0.9, -0.3, 0.3, 0.9)), [measure_named("end")], n_draws=20)
    for number in range(4):
        fewer = without(parametric.registration, [number])
        again = make_parametric(fewer, [measure_named("end")], n_draws=0)
        assert again.examples == pytest.approx(np.delete(parametric.examples, number, axis=0), abs=1e-9)


def test_a_path_is_spread_over_the_whole_of_a_motion_that_is_no_cycle(reaching):
    path = [reaching.examples[1], reaching.examples[2], reaching.examples[4]]

    steered = steer(reaching, path)

    last = reaching.registration.n_clock - 1.0
    assert steered.clock[[0, -1]] == pytest.approx([0.0, last], abs=1e-9)
    np.testing.assert_allclose(steered.wanted[[0, -1]], [path[0], path[2]], atol=1e-12)
    np.testing.assert_allclose(steered.weights[-1], np.eye(6)[4], atol=1e-9)
    np.testing.assert_allclose(steered.weights.sum(axis=1), 1.0, atol=1e-9)
    assert len(steered.got) == len(steered.projected) == steered.motion.n_frames
    ends = [reaching.registration.sources[i].motion.n_frames for i in (1, 2, 4)]
    assert min(ends) <= steered.motion.n_frames <= max(ends)
    assert len(steer(reaching, path, secs=0.5).clock) < steered.motion.n_frames


def test_a_path_that_stays_at_one_point_gives_the_motion_of_that_point():
    parametric = make_parametric(walkers((-0.9, -0.3, 0.3, 0.9)), [measure_named("end")], n_draws=50)
    wanted = parametric.examples[1:3].mean(axis=0)

    steered, asked = steer(parametric, [wanted, wanted]), parametric.ask(wanted).motion()

    np.testing.assert_allclose(steered.weights, asked.weights, atol=1e-9)
    np.testing.assert_allclose(steered.clock, asked.clock, atol=1e-6)
    np.testing.assert_allclose(steered.motion.positions_world, asked.motion.positions_world, atol=1e-3)
    spans = [[(p.foot, p.part, p.start, p.stop) for p in one.plants] for one in (steered, asked)]
    assert sorted(spans[0]) == sorted(spans[1])


def test_corners_without_examples_are_told(reaching):
    assert all(corner.shape == (3,) for corner in reaching.uncovered_corners())


@pytest.mark.parametrize("text", ["nothing", "RightHand@later", "heel:third", "lowest:", "RightHand@1.5"])
def test_what_is_no_measure_is_refused(text):
    with pytest.raises(UsageError, match=r"not a measure|the moment is"):
        measure_named(text)


def test_one_example_is_not_enough():
    with pytest.raises(UsageError, match="at least two examples, not 1"):
        make_parametric([reach(0.0)], [measure_named("end")])


def test_values_that_are_no_numbers_are_told():
    parametric = make_parametric([reach(0.0), reach(20.0)], [measure_named("lowest:Hips")], n_draws=2)
    assert values_of(parametric.measures, WeightedView(ClockArrays.of(parametric.registration), np.array([0.5, 0.5])))


def test_feet_stay_above_the_ground_while_parameters_change():
    sources = [scissors(0.7), scissors(-0.7)]
    parametric = make_parametric(sources, [], given={"scissors 0.7": 0.0, "scissors -0.7": 1.0}, given_names=["side"])
    floor = sources[0].plants[0].place[1]

    steered, raw = (steer(parametric, [[0.4], [0.6]], secs=2.0, clean_up=clean_up) for clean_up in (True, False))

    heights = [sources[0].body.feet.world(one.motion)[..., 1].min() - floor for one in (steered, raw)]
    assert heights[1] < -0.05
    assert heights[0] > parametric.registration.lowest_feet.min() - 1e-3
