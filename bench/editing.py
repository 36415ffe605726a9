"""Edits against their goals: identity, speed, synchrony, Effort and Shape, style, feet, balance, variants, kills.

    python bench/editing.py                 # everything but the kills, on the sample library
    python bench/editing.py --only times synchrony
    python bench/editing.py --cmu CMU.bank  # synchrony and qualities on captured motion, too (the bank is copied)
    python bench/editing.py --kills 200

Fixed data and seeds. Times are of one process, after a warm-up; everything else does not depend on the machine.
"""

import argparse
import os
import shutil
import signal
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from motionary.bank import Bank
from motionary.dynamics import balance, body_masses, touching
from motionary.edit import (
    Balance,
    Displace,
    Emote,
    Subject,
    apply_edit,
    apply_operation,
    learn_style,
    list_edits,
    operations,
    place_of,
    preview_edit,
)
from motionary.edit.curves import turns_of
from motionary.edit.standing import largest_slide
from motionary.features import SEARCH_RATE_HZ
from motionary.library import performance
from motionary.motion import Motion, Segment, rotations
from motionary.naturalness import score
from motionary.plants import part_contacts_of_plants
from motionary.qualities import QUALITIES, hands_of, quality_measures, turning_points
from motionary.sample import sample_into
from motionary.search import build_index, search_bank

GESTURES = ("raise", "wave", "shrug", "slouch", "throw", "reach", "punch", "pick_up", "put_back")
STEPS = np.arange(-4, 5) / 4


def subject_of(bank: Bank, clip_id: int) -> Subject:
    acted = performance(bank, bank.clip(clip_id))
    return Subject(acted.motion, acted.body, acted.clip_plants)


def gestures(bank: Bank, n: int) -> list[Segment]:
    found = []
    for label, _, _ in bank.label_counts():
        if label.startswith(GESTURES):
            found += bank.labelled(label)
    rng = np.random.default_rng(0)
    return [found[i] for i in rng.permutation(len(found))[:n]]


def identity(bank: Bank) -> None:
    segment = gestures(bank, 1)[0]
    subject = subject_of(bank, segment.clip_id)
    worst = 0.0
    for name, kind in operations().items():
        if kind.identity is None or kind().space_names:
            continue
        operation = kind.from_parameters(kind.identity)
        sources = {one: subject.slice(0, 60) for one in operation.source_names}
        place = place_of(subject, operation, segment.start, segment.stop, sources=sources)
        edited = apply_operation(subject, operation, place)
        away = float(np.abs(edited.motion.positions_world - subject.motion.positions_world).max())
        if away > 1e-9:
            print(f"  {name}: {away:.1e} m")
        worst = max(worst, away)
    mirror = operations()["mirror"]()
    twice = subject
    for _ in range(2):
        edited = apply_operation(twice, mirror, place_of(twice, mirror, 0, twice.motion.n_frames))
        twice = Subject(edited.motion, subject.body, edited.plants)
    apart = float(np.abs(twice.motion.positions_world - subject.motion.positions_world).max())
    before = bank.recording(segment.clip_id).values
    apply_edit(bank, segment, "emote", {"horizontal": 1.0})
    bank.undo()
    same = np.array_equal(bank.recording(segment.clip_id).values, before)
    print(f"identity: {worst:.1e} m at most; mirror twice: {apart:.1e} m; undo bit-equal: {same} (goal ≤ 1e-6, True)")


def times(bank: Bank, n: int, *, length_secs: float = 2.0) -> None:
    clips = bank.clips()
    rng = np.random.default_rng(1)
    targets: list[Segment] = []
    taken: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for _ in range(100 * n):
        clip = clips[rng.integers(len(clips))]
        frames = round(length_secs / clip.frame_time)
        if clip.n_frames < frames + 2:
            continue
        start = int(rng.integers(0, clip.n_frames - frames))
        if all(start + frames <= a or start >= b for a, b in taken[clip.id]):
            taken[clip.id].append((start, start + frames))
            targets.append(Segment(clip.id, start, start + frames))
        if len(targets) == n:
            break
    build_index(bank)
    words = {"turns": ((0.6, "LeftUpperArm", 0.0, 0.0, 60.0),)}
    preview_edit(bank, targets[0], "displace", words, to=targets[1:3])
    wall, cpu = time.perf_counter(), time.process_time()
    preview_edit(bank, targets[0], "displace", words, to=targets[1:])
    seen = time.perf_counter() - wall, time.process_time() - cpu
    wall, cpu = time.perf_counter(), time.process_time()
    report = apply_edit(bank, targets[0], "displace", words, to=targets[1:], measured=False)
    build_index(bank)
    done = time.perf_counter() - wall, time.process_time() - cpu
    bank.undo()
    print(
        f"{len(targets)} matches × {length_secs:g} s in {len({one.clip_id for one in targets})} clips: "
        f"preview {seen[0]:.2f} s (CPU {seen[1]:.2f}), committed with index {done[0]:.2f} s (CPU {done[1]:.2f}); "
        f"{report.n_changed} changed (goal: 100 matches ≤ 1 s and ≤ 3 s, 1,000 ≤ 15 s)"
    )


def lag_frames(subject: Subject) -> float:
    """By how many frames at 30 Hz one hand is behind the mirror image of the other: where they correlate most.

    The whole paths of the wrists are compared, as seen from the shoulders, at eight times the rate.
    """
    relative, rate_hz = hands_of(subject.motion, subject.body).relative, 8.0 * subject.motion.rate_hz
    fine = np.arange(0.0, len(relative) - 1 + 1e-9, 0.125)
    whole = np.arange(len(relative))
    paths = []
    for hand, side in ((0, [-1.0, 1.0, 1.0]), (1, [1.0, 1.0, 1.0])):
        path = np.stack([np.interp(fine, whole, relative[:, hand, k]) for k in range(3)], axis=1) * side
        paths.append(path - path.mean(axis=0))
    a, b = paths
    most = round(0.5 * rate_hz)
    lags = range(-most, most + 1)
    values = []
    for lag in lags:
        x, y = (a[lag:], b[: len(b) - lag]) if lag >= 0 else (a[:lag], b[-lag:])
        values.append(float(np.sum(x * y)) / max(float(np.linalg.norm(x) * np.linalg.norm(y)), 1e-12))
    return abs(list(lags)[int(np.argmax(values))]) / rate_hz * SEARCH_RATE_HZ


def other_arm(subject: Subject, moving: str, secs: float) -> Displace:
    """A displacement that makes the other arm do what the moving one does (figures 77 and 78)."""
    other = "Right" if moving == "Left" else "Left"
    turned = turns_of(subject.motion, subject.rest)
    assert subject.body is not None
    keys = []
    times_ = np.linspace(0.0, secs, max(round(secs / 0.1), 3))[1:-1]
    for part in ("UpperArm", "Forearm"):
        mine, its = (subject.body.body_map.joints[side + part] for side in (other, moving))
        for time_ in times_:
            frame = min(round(time_ / subject.motion.frame_time), subject.motion.n_frames - 1)
            wanted = turned[frame, its] * [1.0, 1.0, -1.0, -1.0]
            change = rotations.multiply(wanted, rotations.inverse(turned[frame, mine]))
            x, y, z = np.degrees(rotations.to_rotation_vector(change))
            keys.append((float(time_), other + part, float(x), float(y), float(z)))
    return Displace(turns=tuple(keys))


def jittered(bank: Bank, segment: Segment, rng: np.random.Generator) -> Segment:
    """The segment with other borders, up to 0.5 s earlier and later, as matches have them."""
    clip = bank.clip(segment.clip_id)
    before, after = (round(float(secs) / clip.frame_time) for secs in rng.uniform(0.0, 0.5, 2))
    return Segment(clip.id, max(segment.start - before, 0), min(segment.stop + after, clip.n_frames))


def synchrony(bank: Bank, groups: dict[str, tuple[str, list[Segment]]], title: str) -> None:
    lags: dict[bool, list[float]] = {True: [], False: []}
    rng = np.random.default_rng(3)
    for moving, given in groups.values():
        segments = [given[0], *(jittered(bank, one, rng) for one in given[1:])]
        example = segments[0]
        subject = subject_of(bank, example.clip_id).slice(example.start, example.stop)
        secs = (example.stop - example.start - 1) * subject.motion.frame_time
        operation = other_arm(subject, moving, secs)
        for align in (True, False):
            report = preview_edit(
                bank, example, operation, to=segments[1:], align=align, align_joints=(f"{moving.lower()} arm",),
                measured=False, ease_secs=0.1,
            )  # fmt: skip
            for planned in report.edits:
                if planned.after is None or planned.target.is_example:
                    continue
                body = planned.before.body if planned.before else None
                assert body is not None
                motion = planned.after.motion.slice(planned.target.segment.start, planned.target.segment.stop)
                lags[align].append(lag_frames(Subject(motion, body)))
    for align, found in lags.items():
        values = np.array(found)
        print(
            f"synchrony, {title}, {'aligned' if align else 'not aligned'}: mean {values.mean():.2f}, median "
            f"{np.median(values):.2f}, 90 % below {np.quantile(values, 0.9):.2f} frames at 30 Hz (goal ≤ 1); "
            f"within 1 frame: {np.mean(values <= 1.0 + 1e-9):.0%} of {len(values)}"
        )


def qualities(bank: Bank, segments: list[Segment], title: str) -> None:
    subjects = {one.clip_id: subject_of(bank, one.clip_id) for one in segments}
    for quality in QUALITIES:
        good, spans = 0, []
        for segment in segments:
            subject = subjects[segment.clip_id]
            part = subject.slice(segment.start, segment.stop)
            points = turning_points(hands_of(part.motion, part.body), part.motion.frame_time)
            values = []
            for value in STEPS:
                operation = Emote(**{quality: float(value)})
                place = place_of(subject, operation, segment.start, segment.stop)
                edited = apply_operation(subject, operation, place)
                after = edited.motion.slice(segment.start, segment.stop)
                values.append(quality_measures(after, subject.body, points=points)[quality])
            found = np.array(values) * (-1.0 if quality == "space" else 1.0)
            good += bool((np.diff(found) > 0.0).all())
            spans.append(values[-1] - values[0])
        share = good / len(segments)
        print(
            f"{quality}, {title}: monotone on {good} of {len(segments)}, {share:.0%} (goal ≥ 95 %); "
            f"from −1 to +1 {np.median(spans):+.3g}"
        )


STYLED = {"sample library": ("sneak", "limp", "skip"), "CMU": ("sneak", "limp", "march", "skip")}


def style(bank: Bank, title: str, n: int) -> None:
    """Walks of others in one person's style, named by their nearest labelled neighbours; of all who do both.

    The walker's own clips never count as neighbours; named without the teacher's, too, it is said beside it.
    """
    kinds = {name: whole_labels(bank, name) for name in ("walk", "run", *STYLED[title])}
    actors = {clip.id: clip.name.split("_")[0] for clip in bank.clips()}
    frame_times = {clip.id: clip.frame_time for clip in bank.clips()}

    def named(motion: Motion, start: int, stop: int, *without: str) -> str:
        """What the nearest neighbour of the two seconds in the midst is called, of other people's."""
        middle, half = (start + stop) // 2, round(1.0 / motion.frame_time)
        part = motion.slice(max(middle - half, start), min(middle + half, stop))
        for match in search_bank(bank, part, k=100).matches:
            if actors[match.segment.clip_id] in without:
                continue
            for name, segments in kinds.items():
                if any(one.overlap(match.segment) > 0.5 * match.segment.n_frames for one in segments):
                    return name
        return ""

    def longest_of_each(name: str) -> dict[str, Segment]:
        """Of every actor the longest, at most six seconds from its midst."""
        found = {actors[one.clip_id]: one for one in sorted(kinds[name], key=lambda one: one.n_frames)}
        return {actor: middle_of(one, round(6.0 / frame_times[one.clip_id])) for actor, one in found.items()}

    walks = longest_of_each("walk")
    for wanted in STYLED[title]:
        examples = longest_of_each(wanted)
        teachers = [one for one in sorted(set(walks) & set(examples)) if walks[one].n_frames > 60]
        real = [
            named(subject_of(bank, one.clip_id).motion, one.start, one.stop, actor) == wanted
            for actor, one in examples.items()
        ]
        before, after, strictly = [], [], []
        for teacher in teachers:
            neutral, styled = (
                subject_of(bank, one.clip_id).slice(one.start, one.stop) for one in (walks[teacher], examples[teacher])
            )
            learnt = learn_style(neutral, styled)
            for actor in sorted(set(walks) - {teacher})[:n]:
                segment = walks[actor]
                subject = subject_of(bank, segment.clip_id)
                edited = apply_operation(subject, learnt, place_of(subject, learnt, segment.start, segment.stop))
                now = edited.interval_now(segment.start, segment.stop)
                assert now is not None
                before.append(named(subject.motion, segment.start, segment.stop, actor) == wanted)
                after.append(named(edited.motion, *now, actor) == wanted)
                strictly.append(named(edited.motion, *now, actor, teacher) == wanted)
        if not before:
            print(f"style {wanted}, {title}: nobody both walks and does it")
            continue
        half = 0.5 * (np.mean(before) + np.mean(real))
        print(
            f"style {wanted}, {title}, {len(teachers)} teachers, put on walks of others: named so before "
            f"{sum(before)} of {len(before)}, after {sum(after)} of {len(after)}, {np.mean(after):.0%} (goal ≥ "
            f"{half:.0%}), {sum(strictly)} without the teacher's clips; real ones {sum(real)} of {len(real)}"
        )


def whole_labels(bank: Bank, name: str) -> list[Segment]:
    """Segments that carry a label, and whole clips that do; none if there is no such label."""
    if name not in {label for label, _, _ in bank.label_counts()}:
        return []
    return bank.labelled(name)


def middle_of(segment: Segment, most: int) -> Segment:
    start = segment.start + max(segment.n_frames - most, 0) // 2
    return Segment(segment.clip_id, start, min(start + most, segment.stop))


def feet(bank: Bank, n: int) -> None:
    worst: dict[str, float] = {}
    unheld = 0
    for segment in gestures(bank, n):
        subject = subject_of(bank, segment.clip_id)
        assert subject.body is not None
        for name, kind in operations().items():
            operation = kind.from_parameters(kind.example)
            if name in ("in-place", "in-space"):
                continue
            start, stop = (0, subject.motion.n_frames) if name == "mirror" else (segment.start, segment.stop)
            sources = {one: subject.slice(segment.start, segment.stop) for one in operation.source_names}
            if name in ("time-warp", "displace", "reach") and (stop - start) * subject.motion.frame_time < 1.1:
                continue
            edited = apply_operation(subject, operation, place_of(subject, operation, start, stop, sources=sources))
            if any("could not be held" in note for note in edited.notes):
                unheld += 1
                continue
            slide = largest_slide(edited.motion, edited.plants, subject.body)
            worst[name] = max(worst.get(name, 0.0), slide)
    far = {name: f"{1000 * value:.2f}" for name, value in sorted(worst.items()) if value > 0.001}
    print(
        f"planted feet after {len(worst)} operations on {n} segments: {1000 * max(worst.values()):.2f} mm at most "
        f"({far or 'none above 1 mm'}; goal ≤ 2 mm); {unheld} edits said that a plant could not be held"
    )


def balanced(bank: Bank, n: int) -> None:
    fell = off = spoilt = 0
    for segment in gestures(bank, n):
        whole = subject_of(bank, segment.clip_id)
        around = whole.slice(max(segment.start - 30, 0), min(segment.stop + 30, whole.motion.n_frames))
        start = min(30, segment.start)
        stop = start + segment.stop - segment.start
        secs = (stop - start) * around.motion.frame_time
        lean = Displace(turns=((0.4 * secs, "spine", 35.0, 0.0, 0.0), (0.6 * secs, "spine", 35.0, 0.0, 0.0)))
        leant = apply_operation(around, lean, place_of(around, lean, start, stop))
        subject = Subject(leant.motion, around.body, leant.plants)
        assert subject.body is not None
        masses, body = body_masses(subject.body), subject.body
        contacts = part_contacts_of_plants(subject.plants, subject.motion.n_frames)
        operation = Balance()
        after = apply_operation(subject, operation, place_of(subject, operation, 0, subject.motion.n_frames))
        errors = [
            np.nan_to_num(balance(one, masses, body, touching(one, body, contacts)).distances)
            for one in (subject.motion, after.motion)
        ]
        was_off = errors[0] > 0.01
        off += int(was_off.sum())
        fell += int((errors[1] < errors[0])[was_off].sum())
        spoilt += int(((errors[0] <= 0.01) & (errors[1] > 0.01)).sum())
    share = f"{fell / off:.1%} of {off}" if off else "there were none"
    print(
        f"balance of {n} leaning gestures: the error falls in {share} poses that were off (goal ≥ 95 %); "
        f"{spoilt} spoilt (goal 0)"
    )


def variants(bank: Bank, n: int) -> None:
    least, ratios = np.inf, []
    for segment in gestures(bank, n):
        subject = subject_of(bank, segment.clip_id)
        assert subject.body is not None
        report = apply_edit(
            bank, segment, "noise", {"frequency_hz": 0.7}, new_clips=True, variants=3,
            vary={"amplitude_deg": (3.0, 6.0)}, score_limit=1.2, measured=False,
        )  # fmt: skip
        part = subject.slice(segment.start, segment.stop)
        own = score(part.motion, part.plants, body=subject.body).score
        places = []
        for name in report.new_clips:
            motion = bank.motion(name).slice(segment.start, segment.stop)
            places.append(motion.positions_world)
            ratios.append((score(motion, part.plants, body=subject.body).score, own))
        for i in range(3):
            for j in range(i):
                least = min(least, float(np.linalg.norm(places[i] - places[j], axis=-1).max()))
        bank.undo()
    good = [now <= 1.2 * before + 1e-5 for now, before in ratios]
    print(
        f"{3 * n} variants: differ by {100 * least:.1f} cm at least (goal ≥ 2); score within 1.2 × the original's: "
        f"{np.mean(good):.0%} (goal 100 %), worst {max(now / before for now, before in ratios):.2f} ×"
    )


def kills(bank_path: Path, n: int) -> None:
    """Kill a process in the midst of replicated edits: each is there whole or not at all, and nothing else is lost."""
    rng = np.random.default_rng(5)
    edit_for_ever(bank_path, rounds=1)  # what has to be loaded and compiled, before processes fork
    begun = time.perf_counter()
    edit_for_ever(bank_path, rounds=1)
    lasts = time.perf_counter() - begun
    with Bank.open(bank_path) as bank:
        bank.undo()
        bank.undo()
        targets = Counter(segment.clip_id for segment in kill_targets(bank))
        untouched = {clip.id: bank.recording(clip.id).values for clip in bank.clips()}
    wrong = midst = first = 0
    for _ in range(n):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            edit_for_ever(bank_path, writer=writer)
            os._exit(0)
        os.close(writer)
        os.read(reader, 1)
        time.sleep(float(rng.uniform(0.0, 2.2 * lasts)))  # before, in and after the first edit, and in the second
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        done = 0
        while more := os.read(reader, 4096):
            done += len(more)
        os.close(reader)
        with Bank.open(bank_path) as bank:
            counts = Counter(layer.clip_id for layer in list_edits(bank))
            rounds = {counts[clip_id] / each for clip_id, each in targets.items()}
            others = set(counts) - set(targets)
            wrong += (
                bool(bank.check(frames=False))
                or len(rounds) != 1
                or min(rounds) not in (done, done + 1)
                or bool(others)
            )
            midst += min(rounds) == done
            first += done == 0
            for _ in range(int(max(rounds))):
                bank.undo()
            same = all(np.array_equal(bank.recording(clip_id).values, values) for clip_id, values in untouched.items())
            wrong += not same
    print(
        f"{n} kills in the midst of replicated edits, {first} in the first one; of the one at work nothing was there "
        f"{midst} times, all of it {n - midst} times: {wrong} left something half done or lost (goal 0)"
    )


def kill_targets(bank: Bank) -> list[Segment]:
    return [*bank.labelled("shrug"), *bank.labelled("walk")]


def edit_for_ever(bank_path: Path, *, writer: int | None = None, rounds: int | None = None) -> None:
    """Replicate one edit after the other; a byte is written before the first, and after each."""
    with Bank.open(bank_path) as bank:
        segments = kill_targets(bank)
        while rounds is None or rounds > 0:
            if writer is not None and rounds is None:
                os.write(writer, b".")
                rounds = 1_000_000
            apply_edit(bank, segments[0], "noise", to=segments[1:], measured=False)
            if writer is not None:
                os.write(writer, b".")
            rounds = None if rounds is None else rounds - 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--cmu", type=Path)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--many", type=int, default=0, help="also time so many matches")
    parser.add_argument("-n", type=int, default=30, help="segments for what is measured on segments")
    names = ("identity", "times", "synchrony", "qualities", "style", "feet", "balance", "variants")
    parser.add_argument("--only", nargs="*", default=list(names), choices=names)
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sample.bank"
        with Bank.open(path, create=True) as bank:
            sample_into(bank, minutes=words.minutes)
            if "identity" in words.only:
                identity(bank)
            if "times" in words.only:
                times(bank, 100)
                if words.many:
                    times(bank, words.many, length_secs=1.0)
            if "feet" in words.only:
                feet(bank, min(words.n, 10))
            if "balance" in words.only:
                balanced(bank, words.n)
            if "variants" in words.only:
                variants(bank, min(words.n, 10))
            if "style" in words.only:
                style(bank, "sample library", words.n)
        raises = Path(folder) / "raises.bank"
        with Bank.open(raises, create=True) as bank:
            sample_into(bank, preset="raises")
            if "synchrony" in words.only:
                groups = {
                    label: (side, bank.labelled(label))
                    for label, side in (("raise_left", "Left"), ("raise_right", "Right"))
                }
                synchrony(bank, groups, "sample library")
            if "qualities" in words.only:
                qualities(bank, gestures(bank, words.n), "sample library")
        if words.cmu is not None:
            copy = Path(folder) / "cmu.bank"
            shutil.copy(words.cmu, copy)
            with Bank.open(copy) as bank:
                captured(bank, words)
        if words.kills:
            small = Path(folder) / "kills.bank"
            with Bank.open(small, create=True) as bank:
                sample_into(bank, minutes=2.0)
            kills(small, words.kills)


def one_armed(subject: Subject) -> list[tuple[str, int, int]]:
    """Gestures of one arm while the other hangs, from hanging to hanging: (side, start, stop)."""
    frame_time, relative = subject.motion.frame_time, hands_of(subject.motion, subject.body).relative
    heights = relative[:, :, 1]
    hanging = heights < -0.8 * np.linalg.norm(relative, axis=-1).max(axis=0)
    rest, found = round(0.2 / frame_time), []
    for moving, side in enumerate(("Left", "Right")):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], ~hanging[:, moving], [False]]).astype(int)))
        for up, down in zip(edges[::2], edges[1::2], strict=True):
            start, stop = int(up) - rest, int(down) + rest
            if start < 0 or stop > len(heights) or not 0.6 <= (down - up) * frame_time <= 4.0:
                continue
            before, after = hanging[start:up, moving], hanging[down:stop, moving]
            moves = np.ptp(heights[start:stop], axis=0)
            if before.all() and after.all() and moves[moving] > 0.25 and moves[1 - moving] < 0.1:
                found.append((side, start, stop))
    return found


def captured(bank: Bank, words: argparse.Namespace) -> None:
    """Gestures of captured people: cut at random from what one drinks, waves or signals with, and whole ones."""
    whole = one_armed_gestures(bank) if {"qualities", "synchrony"} & set(words.only) else []
    rng = np.random.default_rng(2)
    segments = []
    for word in ("drink", "wave", "signals", "traffic", "teapot", "wash"):
        for clip in bank.clips(word):
            frames = round(2.5 / clip.frame_time)
            if clip.n_frames > frames + 2:
                start = int(rng.integers(0, clip.n_frames - frames))
                segments.append(Segment(clip.id, start, start + frames))
    segments += [whole[i][1] for i in np.random.default_rng(7).permutation(len(whole))]
    if "qualities" in words.only:
        qualities(bank, segments[:100], "CMU")
    if "style" in words.only:
        style(bank, "CMU", min(words.n, 12))
    if "synchrony" in words.only:
        synchrony(bank, captured_groups(bank, whole), "CMU")


def one_armed_gestures(bank: Bank) -> list[tuple[str, Segment]]:
    whole: list[tuple[str, Segment]] = []
    for clip in bank.clips():
        acted = performance(bank, clip)
        if acted.has_body:
            subject = Subject(acted.motion, acted.body)
            whole += [(side, Segment(clip.id, start, stop)) for side, start, stop in one_armed(subject)]
    return whole


def captured_groups(bank: Bank, whole: list[tuple[str, Segment]], n: int = 40) -> dict[str, tuple[str, list[Segment]]]:
    """Gestures of one arm of captured people, and their matches among all such gestures of the same arm."""
    groups = {}
    for i in np.random.default_rng(2).permutation(len(whole))[:n]:
        side, segment = whole[i]
        matches = search_bank(bank, segment, k=10, joints=[f"{side.lower()} arm"], mirrored="no").matches
        alike = [
            one
            for match in matches
            for moving, one in whole
            if moving == side and one.overlap(match.segment) > 0.7 * max(one.n_frames, match.segment.n_frames)
        ]
        if alike:
            groups[str(i)] = (side, [segment, *alike])
    print(f"{len(whole)} gestures of one arm; {len(groups)} of {n} with matches")
    return groups


if __name__ == "__main__":
    main()
