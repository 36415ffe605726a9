"""Cycles: found in walks, runs and skips, cut out and closed, so that they can go on for ever."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionary.blend.aligning import clouds_for, grids_of
from motionary.blend.poses import blend_poses
from motionary.blend.sources import BlendSource, cloud_of
from motionary.errors import UsageError
from motionary.motion import UP, Motion, Placement, Placements, ease, headings, mask_of_intervals, rotations
from motionary.plants import FEET, PARTS, CleanOptions, Plant, clean, cut_plants

SHORTEST_SECS, LONGEST_SECS = 0.4, 2.6  # of a cycle
LIKE = 0.10  # metres per pair of frames: what comes back no nearer than this is no cycle
LIKE_ENOUGH = 0.03  # a cycle that closes as well as this is good, whatever the others do
LEADS_AWAY = 0.4  # of how far the motion leads from any of its poses: frames that lead less far say nothing
MOVING_SHARE = 0.15  # of a motion that must lead away, if it is to be looked at
COMING_BACK = 0.35  # of the frames that lead away come back in a motion with cycles
SEEN_AGAIN = 0.35  # of a cycle must come again for it to be one
COMES_BACK = 0.5  # of how far a cycle leads from its first pose: what ends farther from that has not come back
RECURS = 0.7  # of how unlike frames half a cycle apart are: what is more unlike a cycle later does not recur
SWAY, SWAY_TURN = 0.1, np.radians(20.0)  # metres and radians by which a body that stands may be off after a cycle
HELD_ROUNDS = (7, 15, 31, 63)  # of a loop that are cleaned up together: more if the middle knows of the ends
SEAMLESS = 1e-5  # radians between the ends of a loop that are none
FADE_SHARE = 0.35  # of a cycle, over which the seam is closed
LEAST_FADE = 3  # frames
SHORTEST = 2 * LEAST_FADE  # frames of a cycle that can be closed


@dataclass(frozen=True, slots=True)
class Cycle:
    """Frames [start, stop): the pose at `stop` is that at `start` again."""

    start: int
    stop: int
    cost: float  # metres between the poses at both ends, root mean square over the body's points

    @property
    def n_frames(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, eq=False)
class Loop:
    """A closed cycle: after its last frame comes its first, `placement` further on."""

    motion: Motion  # (n) frames; one more would be the first again
    plants: tuple[Plant, ...]  # of one round; what stands over the seam is two of them
    placement: Placement  # by which the next round is turned about the first frame's root, and moved
    seam: float  # radians between the pose after the last frame and the first, at worst over the joints
    velocity: float  # what velocities there differ by from those recorded, as a share of the cycle's

    def rounds(self, n: int) -> Motion:
        """The loop played n times, root motion included, and its first frame once more."""
        return unrolled(self.motion, self.placement, n)

    def plants_over(self, n: int) -> tuple[Plant, ...]:
        """The plants of n rounds; a foot that stands over a seam has one plant there."""
        if not self.plants:
            return ()
        start, onto, found = _start(self.motion), Placement(), list[Plant]()
        for k in range(n):
            whole = start.inverse().then(onto).then(start)
            for plant in self.plants:
                x, y, z = whole.apply(np.array(plant.place)).tolist()
                by = k * self.motion.n_frames
                found.append(replace(plant, start=plant.start + by, stop=plant.stop + by, place=(x, y, z)))
            onto = self.placement.then(onto)
        return _joined_plants(found, 0, self.motion.n_frames)


def find_cycles(source: BlendSource, *, n_most: int | None = None) -> list[Cycle]:
    """The cycles of a walk, run or skip, one after the other in order of time; none if nothing comes back.

    The period is the one after which all poses are most alike; each cycle ends where its first pose comes back best.
    In a gait both feet step within a cycle. What is no gait has cycles only if one is followed by another that is like
    it: a reach that comes back to rest is none.
    """
    motion = source.motion
    frame_time = motion.frame_time
    shortest, longest = max(round(SHORTEST_SECS / frame_time), SHORTEST), round(LONGEST_SECS / frame_time)
    if motion.n_frames < shortest + 2:
        return []
    clouds = clouds_for(cloud_of(source), frame_time=frame_time)
    poses, timed = grids_of(clouds, clouds)
    period = _period(timed, poses, shortest, min(longest, int(motion.n_frames / (1.0 + SEEN_AGAIN))))
    if period is None:
        return []
    reach = max(1, round(0.12 * period))
    best: list[Cycle] = []
    last = motion.n_frames - period
    for start in range(last):  # the phase from which the cycles close best, once anything comes back
        if start >= last:
            break
        found = _chain(poses, timed, start, period, reach)
        if found and not best:
            last = min(last, start + period)
        if len(found) > len(best) or (
            len(found) == len(best) and best and np.mean([c.cost for c in found]) < np.mean([c.cost for c in best])
        ):
            best = found
    if not any(_steps_taken(source, cycle) or _recurs(poses, cycle) for cycle in best):
        return []
    usual = max(LIKE_ENOUGH, 3.0 * min(cycle.cost for cycle in best))
    return [cycle for cycle in best if cycle.cost <= usual][:n_most]


def close_loop(source: BlendSource, cycle: Cycle, *, in_place: bool = False, clean_up: bool = True) -> Loop:
    """The cycle as a loop. The end is faded into what came before the start, or the start into what comes after the
    end, whichever there is more of: poses and velocities at the seam are then those of the recording. With `clean_up`
    planted feet are held still, over the seam as well. A loop in which a foot never leaves the ground leads nowhere.

    `in_place` takes out the way and the turn of the whole cycle, evenly; what the root does within it stays. Feet that
    stood now go back as fast as the body went ahead, as on a treadmill: such a loop has no plants.
    """
    motion, n = source.motion, cycle.n_frames
    if not 0 <= cycle.start < cycle.stop < motion.n_frames or n < SHORTEST:
        raise UsageError(
            f"frames {cycle.start} to {cycle.stop} are not a cycle of a motion of {motion.n_frames} frames"
        )
    before, after = cycle.start, motion.n_frames - 1 - cycle.stop
    wanted = max(LEAST_FADE, round(FADE_SHARE * n))
    use_before = before >= min(wanted, after)
    n_fade = min(wanted, before if use_before else after)
    if n_fade < LEAST_FADE:
        closed, recorded, first = _closed_by_turning(source, cycle), None, cycle.start
    else:
        closed = _closed_by_fading(source, cycle, n_fade, use_before)
        at = cycle.start if use_before else cycle.stop
        recorded = motion.slice(at - 1, at + 2)
        first = cycle.start + (-1 if use_before else 1) * (n_fade // 2)
    plants = _plants_within(source.plants, cycle.start, n, first)
    loop = _loop(closed, plants, source, recorded)
    if _stands_throughout(loop):
        loop = replace(_in_place(loop), plants=plants)
    if plants:
        loop = _held(loop, source) if clean_up else _with_places_of_feet(loop, source)
    return _in_place(loop) if in_place else loop


def _loop(closed: Motion, plants: tuple[Plant, ...], source: BlendSource, recorded: Motion | None) -> Loop:
    """The loop of frames 0 to n, the last of which is the first again."""
    n, rest = closed.n_frames - 1, source.body.rest_world[0]
    facing = headings(closed.rotations[:, 0], rest)
    step = closed.root_positions[n] - closed.root_positions[0]
    placement = Placement(float(facing[n] - facing[0]), float(step[0]), float(step[2]))
    seam, velocity = _seam(closed, n, rest, recorded)
    return Loop(closed.slice(0, n), plants, placement, seam, velocity)


def _held(loop: Loop, source: BlendSource) -> Loop:
    """The loop with its feet held: so many rounds are cleaned up that the one in the middle knows of no end."""
    held = loop
    for n_rounds in HELD_ROUNDS:
        held = _held_within(loop, source, n_rounds)
        if held.seam <= SEAMLESS:
            break
    return held


def _held_within(loop: Loop, source: BlendSource, n_rounds: int) -> Loop:
    """The round in the middle of so many, with feet held in all of them."""
    n, middle = loop.motion.n_frames, n_rounds // 2
    plants = loop.plants_over(n_rounds)
    cleaned = clean(loop.rounds(n_rounds), plants, source.body, options=CleanOptions(places="motion"))
    stood = [replace(held.plant, place=held.place) for held in cleaned.plants if held.held]
    within = tuple(cut_plants(stood, middle * n, (middle + 1) * n))
    around = cleaned.motion.slice(middle * n - 1, middle * n + 2)
    closed = _loop(cleaned.motion.slice(middle * n, (middle + 1) * n + 1), within, source, around)
    return replace(closed, velocity=max(closed.velocity, loop.velocity))


def _with_places_of_feet(loop: Loop, source: BlendSource) -> Loop:
    """The loop with plants where its feet are on average: closing it moved them, and some are of the next cycle."""
    n, start = loop.motion.n_frames, _start(loop.motion)
    feet = source.body.feet.world(loop.rounds(3))  # (3n + 1, 2, 2, 3)
    back = start.inverse().then(loop.placement).then(start).inverse()  # from the round in the middle to the first
    placed = []
    for plant in loop.plants_over(3):
        stood = feet[plant.start : plant.stop, FEET.index(plant.foot), PARTS.index(plant.part)]
        x, y, z = back.apply(stood.mean(axis=0)).tolist()
        placed.append(replace(plant, place=(x, y, z)))
    return replace(loop, plants=tuple(cut_plants(placed, n, 2 * n)))


def _in_place(loop: Loop) -> Loop:
    motion, n = loop.motion, loop.motion.n_frames
    back = uniform_way(loop.placement, n).inverse()
    start = _start(motion)
    local = np.array(motion.rotations)
    local[:, 0] = rotations.multiply(rotations.from_axis_angle(UP, back.thetas), local[:, 0])
    root = start.apply(back.apply(start.inverse().apply(motion.root_positions)))
    still = replace(motion, root_positions=root, rotations=rotations.continuous(local))
    return replace(loop, motion=still, placement=Placement(), plants=())


def unrolled(motion: Motion, placement: Placement, n: int) -> Motion:
    """A loop's motion played n times, each round placed where the last one led to, and the first frame once more."""
    parts_root, parts_local = [], []
    onto, start = Placement(), _start(motion)
    for k in range(n + 1):
        frames = slice(0, motion.n_frames if k < n else 1)
        whole = start.inverse().then(onto).then(start)
        parts_root.append(whole.apply(motion.root_positions[frames]))
        local = np.array(motion.rotations[frames])
        local[:, 0] = rotations.multiply(whole.rotation, local[:, 0])
        parts_local.append(local)
        onto = placement.then(onto)
    translations = np.concatenate([np.tile(motion.joint_translations, (n, 1, 1)), motion.joint_translations[:1]])
    return replace(
        motion,
        root_positions=np.concatenate(parts_root),
        rotations=rotations.continuous(np.concatenate(parts_local)),
        translations=translations,
    )


def uniform_way(placement: Placement, n: int) -> Placements:
    """Placements (n,) from none to (almost) the whole of one, evenly: along an arc where it turns."""
    share = np.arange(n) / n
    theta = placement.theta
    if abs(theta) < 1e-9:
        return Placements(theta * share, share[:, None] * np.array([placement.x, placement.z]))
    # The centre c of the turn is where the placement moves nothing: c = R c + t, in x + i·z with R = e^(−iθ).
    turn = np.exp(-1j * theta)
    centre = (placement.x + 1j * placement.z) / (1.0 - turn)
    moved = centre * (1.0 - np.exp(-1j * theta * share))
    return Placements(theta * share, np.stack([moved.real, moved.imag], axis=1))


def _start(motion: Motion) -> Placement:
    """Where the first frame of a loop stands; its turn is left as it is."""
    root = motion.root_positions[0]
    return Placement(0.0, float(root[0]), float(root[2]))


def _period(timed: np.ndarray, poses: np.ndarray, shortest: int, longest: int) -> int | None:
    """The number of frames after which the motion is most like itself; None if it never is.

    Of the frames from which it leads away within that time, most need not come back: a motion may be something else
    before and after, or speed up and turn in between.
    """
    lags = np.arange(shortest, longest + 1)
    if not len(lags):
        return None
    away = np.zeros(len(poses))  # how far each frame has led by now
    far = LEADS_AWAY * max(float(np.diagonal(poses, lag).max()) for lag in range(1, longest + 1))
    costs, plain = np.full(len(lags), np.inf), np.full(len(lags), np.inf)
    for lag in range(1, longest + 1):
        there = np.diagonal(poses, lag)
        np.maximum(away[: len(there)], there, out=away[: len(there)])
        moving = away[: len(there)] > far
        if lag >= shortest and np.count_nonzero(moving) > MOVING_SHARE * len(there):
            costs[lag - shortest] = np.quantile(np.diagonal(timed, lag)[moving], COMING_BACK)
            plain[lag - shortest] = np.quantile(there[moving], COMING_BACK)
    inner = np.flatnonzero((costs[1:-1] <= costs[:-2]) & (costs[1:-1] <= costs[2:])) + 1
    dips = [int(i) for i in inner if plain[i] < LIKE]
    if not dips:
        return None
    best = min(costs[i] for i in dips)
    # A multiple of the period is as good as the period: the first that is nearly as good as the best.
    return int(lags[next(i for i in dips if costs[i] <= 1.3 * best)])


def _chain(poses: np.ndarray, timed: np.ndarray, start: int, period: int, reach: int) -> list[Cycle]:
    """Cycles from one frame on, each as long as the period give or take `reach`."""
    found: list[Cycle] = []
    n_frames = len(poses)
    while True:
        low, high = start + period - reach, min(start + period + reach, n_frames - 1)
        if low > high:
            return found
        stop = low + int(np.argmin(timed[start, low : high + 1]))
        if poses[start, stop] > min(LIKE, COMES_BACK * poses[start, start:stop].max()):
            return found
        found.append(Cycle(start, stop, float(poses[start, stop])))
        start = stop


def _steps_taken(source: BlendSource, cycle: Cycle) -> bool:
    """Whether both feet stand and do not within a cycle."""
    stands = np.asarray(source.contacts.any(axis=2))[cycle.start : cycle.stop]  # (n, 2)
    return bool((stands.any(axis=0) & ~stands.all(axis=0)).all())


def _recurs(poses: np.ndarray, cycle: Cycle) -> bool:
    """Whether what follows a cycle, or else what leads to it, is like it."""
    n, half = cycle.n_frames, cycle.n_frames // 2
    after, before = len(poses) - cycle.stop, cycle.start
    first = cycle.start if after >= before else max(cycle.start - n, 0)
    frames = np.arange(first, first + min(n, max(after, before)))
    if len(frames) < SEEN_AGAIN * n:
        return False
    return bool(poses[frames, frames + n].mean() < RECURS * poses[frames, frames + half].mean())


def _closed_by_fading(source: BlendSource, cycle: Cycle, n_fade: int, use_before: bool) -> Motion:
    """Frames 0 to n of the loop, the last the first again: faded into the cycle before, or from the one after."""
    motion, n = source.motion, cycle.n_frames
    shift = -n if use_before else n
    frames = np.arange(cycle.start, cycle.stop + 1)
    others = np.clip(frames + shift, 0, motion.n_frames - 1)
    at = np.arange(n + 1)
    # All of it is the other cycle's at the seam and one frame from it: the velocity there is the recorded one.
    done = n_fade - 1
    share = ease(np.clip((at - (n - n_fade)) / done, 0, 1)) if use_before else ease(np.clip((n_fade - at) / done, 0, 1))
    weights = np.stack([1.0 - share, share], axis=1)
    turned = np.stack([motion.rotations[frames], motion.rotations[others]])
    facing = np.stack([headings(own[:, 0], source.body.rest_world[0]) for own in turned])
    root = motion.root_positions[cycle.start]
    blended = blend_poses(
        np.stack([motion.root_positions[frames], motion.root_positions[others]]),
        turned,
        weights,
        translations=np.stack([motion.joint_translations[frames], motion.joint_translations[others]]),
        headings_of_sources=facing,
        start=Placement(float(facing[0, 0]), float(root[0]), float(root[2])),
    )
    return replace(
        motion,
        root_positions=blended.root_positions,
        rotations=blended.rotations,
        translations=blended.translations,
    )


def _closed_by_turning(source: BlendSource, cycle: Cycle) -> Motion:
    """Frames 0 to n of the loop where there is nothing around it: what the ends differ by is shared out evenly."""
    motion, n = source.motion.slice(cycle.start, cycle.stop + 1), cycle.n_frames
    facing = headings(motion.rotations[:, 0], source.body.rest_world[0])
    local = np.array(motion.rotations)
    local[:, 0] = rotations.multiply(rotations.from_axis_angle(UP, -facing), local[:, 0])
    off = rotations.to_rotation_vector(rotations.multiply(rotations.inverse(local[n]), local[0]))  # (J, 3)
    share = (np.arange(n + 1) / n)[:, None, None]
    local = rotations.multiply(local, rotations.from_rotation_vector(share * off))
    local[:, 0] = rotations.multiply(rotations.from_axis_angle(UP, facing), local[:, 0])
    root = np.array(motion.root_positions)
    root[:, 1] += share[:, 0, 0] * (root[0, 1] - root[n, 1])
    return replace(motion, root_positions=root, rotations=rotations.continuous(local))


def _seam(closed: Motion, n: int, rest: np.ndarray, recorded: Motion | None) -> tuple[float, float]:
    """Radians between frames n and 0, and what the velocities into and out of the seam differ by from those that were
    `recorded` there (three frames), as a share of what velocities are; of each other, if nothing was."""
    local = _unturned(closed, rest)
    seam = float(rotations.angle_between(local[n], local[0]).max())
    steps = _steps(local)  # (n, J, 3)
    usual = float(np.sqrt(np.mean(np.sum(steps**2, axis=(1, 2)))))
    into, out = steps[-1], steps[0]
    if recorded is None:
        jump = float(np.linalg.norm(into - out))
    else:
        into_then, out_then = _steps(_unturned(recorded, rest))
        jump = max(float(np.linalg.norm(into - into_then)), float(np.linalg.norm(out - out_then)))
    return seam, jump / max(usual, 1e-12)


def _unturned(motion: Motion, rest: np.ndarray) -> np.ndarray:
    """Local rotations (F, J, 4), the root's without its heading."""
    local = np.array(motion.rotations)
    turn = rotations.from_axis_angle(UP, -headings(motion.rotations[:, 0], rest))
    local[:, 0] = rotations.multiply(turn, local[:, 0])
    return local


def _steps(local: np.ndarray) -> np.ndarray:
    return rotations.to_rotation_vector(rotations.multiply(rotations.inverse(local[:-1]), local[1:]))


def _stands_throughout(loop: Loop) -> bool:
    """Whether a foot never leaves the ground, nor leads anywhere by plants that follow each other."""
    n, placement = loop.motion.n_frames, loop.placement
    goes = float(np.hypot(placement.x, placement.z)) > SWAY or abs(placement.theta) > SWAY_TURN
    for foot in FEET:
        own = [plant for plant in loop.plants if plant.foot == foot]
        if any(plant.stop - plant.start >= n for plant in own):
            return True
        if not goes and mask_of_intervals(np.array([(p.start, p.stop) for p in own]), n).all():
            return True
    return False


def _plants_within(plants: Sequence[Plant], start: int, n: int, first: int) -> tuple[Plant, ...]:
    """The plants of the loop's frames 0 to n, which are the recording's from `start` on, if it repeats its frames
    [first, first + n)."""
    repeated = []
    for plant in plants:
        a, b = max(plant.start, first), min(plant.stop, first + n)
        if b > a:
            repeated += [replace(plant, start=a - start + by, stop=b - start + by) for by in (n, 2 * n, 3 * n)]
    return tuple(cut_plants(_joined_plants(repeated, first - start, n), 2 * n, 3 * n))


def _joined_plants(plants: Sequence[Plant], seam: int, n: int) -> tuple[Plant, ...]:
    """The plants in order of time; those of one part of a foot that touch at frame `seam`, or n frames or rounds from
    there, are one."""
    found: list[Plant] = []
    for plant in sorted(plants, key=lambda p: (p.foot, p.part, p.start)):
        last = found[-1] if found else None
        same = last is not None and (last.foot, last.part, last.stop) == (plant.foot, plant.part, plant.start)
        if last is not None and same and (plant.start - seam) % n == 0:
            found[-1] = replace(last, stop=plant.stop)
        else:
            found.append(plant)
    return tuple(sorted(found, key=lambda p: (p.start, p.foot, p.part)))
