"""Transitions among the clips of a bank."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from motionary.artefacts import ArtefactStore, Entry
from motionary.bank import LABEL_SIGN, Bank, Clip, why_none
from motionary.errors import MappingError, NotInBankError, UsageError
from motionary.library import performance
from motionary.motion import Motion, Segment, recording_of
from motionary.plants import Plant
from motionary.rounding import json_number
from motionary.transition.chaining import Chain, chain_stops
from motionary.transition.clusters import ClusterOptions, Clusters, usual_representatives
from motionary.transition.judging import Calibration, calibrated, verdict, verdicts_on
from motionary.transition.making import Maker, Transition
from motionary.transition.pool import Source
from motionary.transition.requests import Frame, MakeOptions
from motionary.transition.table import start_table
from motionary.transition.table_store import Wanted, delete_tables, facts_of_tables, find_table, keep_table, pool_with
from motionary.transition.targets import Stop, best_target, entries, kinds_before

Progress = Callable[[int, int, str], None]
Message = Callable[[str], None]
HELD = 0.75  # of the planted frames: if feet stand still in fewer, people are told
A_FRAME = "a frame of a clip, such as walk_01:120 or walk_01:2.5s"


@dataclass(frozen=True, eq=False)
class BankTransitions:
    """Transitions of one duration among the clips of a bank: opened once, used often."""

    bank: Bank
    maker: Maker
    secs: float

    def frame(self, text: str) -> Frame:
        """The frame that a text names: CLIP:FRAME, or CLIP:2.5s."""
        name, colon, at = text.rpartition(":")
        if not colon or not re.fullmatch(r"[0-9]+|[0-9]*\.?[0-9]+s", at):
            raise UsageError(f"{text!r} is not {A_FRAME}")
        clip = self.bank.clip(name)
        secs = float(at[:-1]) if at.endswith("s") else int(at) * clip.frame_time
        if secs > clip.duration_secs:
            raise NotInBankError(f"{clip.name} has {clip.n_frames} frames ({clip.duration_secs:.2f} s), no {at}")
        return self._at(clip.id, secs)

    def segment(self, segment: str | Segment) -> Stop:
        """A segment of a clip as a stop of a chain."""
        return self._stop(self.bank.segment_of(segment))

    def labelled(self, label: str) -> list[Stop]:
        """The segments that carry a label, as far as the pool has their clips."""
        segments = [s for s in self.bank.labelled(label) if s.clip_id in self._pooled]
        if not segments:
            known = ", ".join(sorted(name for name, *_ in self.bank.label_counts())) or "none"
            raise NotInBankError(
                f"{self.bank.path}: nothing that transitions lead to is labelled {label!r}; there are: {known}"
            )
        return [self._stop(segment) for segment in segments]

    def entries(self, label: str) -> list[Frame]:
        """The frames at which what carries a label may be entered; found once for each state of the bank."""
        return self._entries(label)[0]

    def _entries(self, label: str) -> tuple[list[Frame], np.ndarray | None]:
        """The same, and the representatives nearest to what comes before them; None without a table."""
        state, known = self.bank.state, self._known_entries.get(label)
        if known is None or known[0] != state:
            frames = entries(self.labelled(label))
            kinds = kinds_before(self.maker, frames) if self.maker.table.n_representatives else None
            known = self._known_entries[label] = (state, frames, kinds)
        return known[1:]

    @cached_property
    def _known_entries(self) -> dict[str, tuple[object, list[Frame], np.ndarray | None]]:
        return {}

    def make(
        self, source: str | Frame, target: str | Frame | None = None, *, label: str | None = None, **options: Any
    ) -> Transition:
        """A transition from a frame to a frame, or to the best frame with a label; options as in `MakeOptions`."""
        asked = MakeOptions(**options)
        start = self.frame(source) if isinstance(source, str) else source
        if (target is None) == (label is None):
            raise UsageError("a transition leads to a frame or to a label: name one of them")
        if label is not None:
            targets, kinds = self._entries(label)
            return best_target(self.maker, start, targets, options=asked, kinds=kinds)
        assert target is not None
        return self.maker.make(start, self.frame(target) if isinstance(target, str) else target, options=asked)

    def chain(self, stops: Sequence[str | Segment], *, play_secs: float = 3.0, **options: Any) -> Chain:
        """One continuous motion through segments, or labels written as "label:walk", in this order."""
        found: list[Stop | list[Stop]] = []
        for stop in stops:
            if isinstance(stop, str) and stop.startswith((LABEL_SIGN, "label=")):
                found.append(self.labelled(stop[len(LABEL_SIGN) :]))
            else:
                found.append(self.segment(stop))
        return chain_stops(self.maker, found, play_secs=play_secs, options=MakeOptions(**options))

    def judge(self, answer: str, pair: Sequence[Transition]) -> None:
        """Keep a person's verdict on two transitions: which of them is natural ("a", "b", "=" both, "-" neither)."""
        self.bank.add_verdict(verdict(answer, [one.score.score for one in pair], self.secs))

    def calibration(self) -> Calibration | None:
        """The threshold that the bank's verdicts ask for; None while there are too few."""
        return calibrated((one.content for one in self.bank.verdicts()), secs=self.secs)

    def n_verdicts(self) -> int:
        """How many pairs of transitions of these seconds people have judged."""
        return len(verdicts_on((one.content for one in self.bank.verdicts()), secs=self.secs))

    def random_pair(self, rng: np.random.Generator, **options: Any) -> Transition:
        """A transition between two frames that are drawn at random."""
        pool = self.maker.pool
        frames = []
        for _ in range(2):
            number = int(rng.integers(pool.n_frames))
            clip = pool.clip_of(number)
            frames.append(Frame(clip, number - int(pool.starts[clip])))
        return self.make(frames[0], frames[1], **options)

    def name(self, frame: Frame) -> str:
        """How people write a frame: in the clip's own frames."""
        clip = self.bank.clip(int(self.maker.pool.clip_ids[frame.clip]))
        return f"{clip.name}:{round(frame.frame * self.maker.pool.frame_time / clip.frame_time)}"

    def chain_facts(self, chain: Chain) -> list[dict[str, Any]]:
        """What is known of a chain's transitions; frames are those of the chain."""
        held = [self.maker.held(chain.motion, chain.plants, *seam) for seam in chain.seams]
        return [
            self.facts(one, held=share) | {"start": start, "stop": stop}
            for one, share, (start, stop) in zip(chain.transitions, held, chain.seams, strict=True)
        ]

    def facts(self, made: Transition, *, held: float | None = None) -> dict[str, Any]:
        """What is known of a transition, for JSON; `held` is known where its feet are held within a longer motion."""
        score, remarks = made.score, list(made.remarks)
        if held is None:
            held = self.maker.held(made.motion, made.plants, made.start, made.stop)
        if held < HELD:
            remarks.append(
                f"feet move in {100 * (1 - held):.0f} % of the frames in which they are planted: they are on their way "
                "to another place, or theirs is out of reach"
            )
        return {
            "from": self.name(made.source),
            "to": self.name(made.target),
            "method": made.method,
            "way": made.way,
            "secs": round(made.secs, 4),
            "intermediaries": [self.name(frame) for frame in made.intermediaries],
            "score_cm": json_number(100.0 * score.score, 3),
            "plant_error_cm": json_number(100.0 * score.plant_error, 3),
            "zmp_error_cm": json_number(100.0 * score.zmp_error, 3),
            "fall_error_cm": json_number(100.0 * score.fall_error, 3),
            "threshold_cm": json_number(100.0 * made.threshold, 3),
            "good": made.good,
            "held": json_number(held, 4),
            "start": made.start,
            "stop": made.stop,
            "remarks": remarks,
        }

    def keep(self, name: str, motion: Motion, plants: Sequence[Plant], content: dict[str, Any]) -> Clip:
        """Keep a made motion in the bank as a clip, with its plants and how it was made; `undo` takes it back."""
        used = {int(self.maker.pool.clip_ids[clip]) for clip in content.pop("clips")}
        with self.bank.change(f"transition {name}"):
            clip_id = self.bank.add(
                name, recording_of(motion), plants=list(plants), description=content["description"], format="made"
            )
            self.bank.set_recipe(clip_id, content | {"clip_ids": sorted(used)})
        return self.bank.clip(clip_id)

    def keep_transition(self, name: str, made: Transition) -> Clip:
        """Keep a transition in the bank as a clip, with how it was made."""
        facts = self.facts(made)
        clips = [made.source.clip, made.target.clip, *(frame.clip for frame in made.intermediaries)]
        description = f"transition from {facts['from']} to {facts['to']}"
        content = {"description": description, "transition": facts, "clips": clips}
        return self.keep(name, made.motion, made.plants, content)

    def _stop(self, segment: Segment) -> Stop:
        frame_time = self._pooled.get(segment.clip_id, 0.0)
        first = self._at(segment.clip_id, segment.start * frame_time)
        last = self._at(segment.clip_id, (segment.stop - 1) * frame_time)
        return Stop(first.clip, first.frame, last.frame + 1)

    @cached_property
    def _pooled(self) -> dict[int, float]:
        """The clips of the pool, and their frame times: those never change."""
        ids = set(self.maker.pool.clip_ids.tolist())
        return {clip.id: clip.frame_time for clip in self.bank.clips() if clip.id in ids}

    def _at(self, clip_id: int, secs: float) -> Frame:
        pool = self.maker.pool
        clip = pool.clip_number(clip_id)
        length = int(pool.starts[clip + 1] - pool.starts[clip])
        return Frame(clip, min(round(secs / pool.frame_time), length - 1))


def build_transitions(
    bank: Bank,
    *,
    secs: float = 1.0,
    text: str = "",
    labels: str | Sequence[str] = (),
    names: str | Sequence[str] = (),
    representatives: int | None = None,
    exhaustive: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
    message: Message | None = None,
) -> BankTransitions:
    """Build the table of transitions of `secs`, of all clips or of those with these words, labels and names.

    It lies beside the bank and can be deleted. When interrupted, the same call goes on. There are 50 `representatives`,
    or fewer in a short library, unless something else is asked for.
    """
    _check_secs(secs)
    clips = [clip for clip in bank.clips(text, labels=labels, names=names) if bank.recipe(clip) is None]
    if not clips:
        why = why_none(bank, text, labels, names)
        raise NotInBankError(f"{bank.path}: there is nothing to build it from: {why}")
    if representatives is None:
        representatives = usual_representatives(sum(clip.duration_secs for clip in clips), secs=secs)
    options = ClusterOptions(n_clusters=representatives, seed=seed)
    said = [text] if text else []
    said += [labels] if isinstance(labels, str) else list(labels)
    said += [names] if isinstance(names, str) else list(names)
    pool, table = keep_table(
        ArtefactStore.of(bank, message=message),
        _wanted(bank, clips, progress),
        secs=secs,
        options=options,
        exhaustive=exhaustive,
        named=" ".join(said),
        progress=progress,
        message=message,
    )
    return BankTransitions(bank, Maker(pool, table), secs)


def open_transitions(bank: Bank, *, secs: float = 1.0, message: Message | None = None) -> BankTransitions:
    """The transitions of `secs` whose table was built last; raises if there is no such table."""
    _check_secs(secs)
    store = ArtefactStore.of(bank, message=message)
    digests = {clip.id: _digest(bank, clip) for clip in bank.clips()}
    pool, table = find_table(store, secs, digests=digests, bank_path=bank.path)
    found = calibrated((one.content for one in bank.verdicts()), secs=secs)
    return BankTransitions(bank, Maker(pool, table, None if found is None else found.threshold), secs)


def table_facts(bank: Bank, *, message: Message | None = None) -> list[dict[str, Any]]:
    """What is known of each table of transitions beside the bank, the last one built last."""
    return facts_of_tables(ArtefactStore.of(bank, message=message), message=message)


def remove_tables(bank: Bank, names: Sequence[str], *, dry_run: bool = False) -> list[Entry]:
    """Delete tables of transitions, by how their names begin, and what only they use."""
    return delete_tables(ArtefactStore.of(bank), names, dry_run=dry_run)


def transitions_by(
    method: str,
    bank: Bank,
    frames: Sequence[str | None],
    *,
    secs: float = 1.0,
    label: str | None = None,
    message: Message | None = None,
) -> BankTransitions:
    """What makes transitions by a method between these frames, or to a label; only "table" needs a table.

    Where there is one of these clips, the other methods take its clips and its threshold, so that they can be compared.
    """
    if method == "table":
        return open_transitions(bank, secs=secs, message=message)
    _check_secs(secs)
    ids = {bank.clip(text.rpartition(":")[0] or text).id for text in frames if text is not None}
    ids |= {segment.clip_id for segment in bank.labelled(label)} if label is not None else set()
    try:
        opened = open_transitions(bank, secs=secs, message=message)
        if ids <= set(opened.maker.pool.clip_ids.tolist()):
            return opened
    except UsageError:  # there is none, or not yet
        pass
    wanted = _wanted(bank, [clip for clip in bank.clips() if clip.id in ids])
    pool = pool_with(ArtefactStore.of(bank, message=message), wanted)
    n_frames = max(2, round(secs / pool.frame_time))
    none = np.zeros(0, dtype=np.int64)
    clusters = Clusters(n_frames, none, none, none, np.zeros((pool.n_frames, 0), dtype=np.float16), 0.0)
    return BankTransitions(bank, Maker(pool, start_table(pool, clusters)), secs)


def make_transition(
    bank: Bank,
    source: str,
    target: str | None = None,
    secs: float = 1.0,
    *,
    label: str | None = None,
    message: Callable[[str], None] | None = None,
    **options: Any,
) -> Transition:
    """A transition from a frame (CLIP:FRAME) to another, or into a label, in about so many seconds.

    >>> made = make_transition(bank, "walk_01:120", "sit_03:45")     # doctest: +SKIP
    >>> made.motion, made.score.score, made.good     # doctest: +SKIP
    """
    method = options.get("method", "table")
    opened = transitions_by(method, bank, [source, target], secs=secs, label=label, message=message)
    return opened.make(source, target, label=label, **options)


def _check_secs(secs: float) -> None:
    if not 0.2 <= secs <= 10.0:
        raise UsageError(f"transitions of {secs:g} s are not possible; ask for 0.2 to 10")


def _wanted(bank: Bank, clips: Sequence[Clip], progress: Progress | None = None) -> Wanted:
    def load() -> Iterator[Source]:
        for done, clip in enumerate(clips, start=1):
            try:
                loaded = performance(bank, clip)
                yield Source(clip.id, clip.name, loaded.motion, loaded.body, loaded.plants)
            except MappingError:  # not the skeleton of a person
                continue
            if progress:
                progress(done, len(clips), clip.name)

    return Wanted([(clip.id, clip.name, _digest(bank, clip)) for clip in clips], load)


def _digest(bank: Bank, clip: Clip) -> str:
    """What names a clip's motion and its plants."""
    plants = [plant.as_json() for plant in bank.plants(clip)]
    said = json.dumps([bank.frames_digest(clip).hex(), bank.plants_origin(clip), plants])
    return hashlib.sha256(said.encode()).hexdigest()[:20]
