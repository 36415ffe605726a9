"""Spreading labels over a bank: from words to a proposal, and from a proposal to labels."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionary.arguments import check_is
from motionary.bank import Bank, Label, SpreadLabel, check_is_bank, chosen_clips
from motionary.errors import NotInBankError, UsageError
from motionary.library import LibraryFeatures, build_features, one_snapshot
from motionary.motion import Segment
from motionary.requests import ClipFilter
from motionary.search.exact import build_index
from motionary.search.spreading.candidates import find_candidates
from motionary.search.spreading.claims import Claim
from motionary.search.spreading.finders import ExactFinder, Finder, PoseFinder
from motionary.search.spreading.labelled import LabelledSegment, some_of_each
from motionary.search.spreading.library import Known, Rules, leading_examples, spread
from motionary.search.spreading.strength import Curve
from motionary.search.wpca import pose_index, pose_space

WAYS = ("exact", "wpca")
MOST_EXAMPLES = 10  # of one label
Shown = Mapping[str, str] | Iterable[tuple[str | Segment, str]]  # segments with their labels


@dataclass(frozen=True, slots=True)
class Proposal:
    """A label that may be spread to a segment, and the label that contends with it for these frames, if any does."""

    label: SpreadLabel
    rival: str = ""
    rival_strength: float = 0.0
    undecided: bool = False  # neither is stronger by the margin: it is shown, and not put on

    def as_json(self) -> dict[str, Any]:
        return {
            **self.label.as_json(),
            "rival": self.rival or None,
            "rival_strength": self.rival_strength if self.rival else None,
            "undecided": self.undecided,
        }


@dataclass(frozen=True, eq=False, repr=False)
class Spreading:
    """What spreading comes to, before anything is changed."""

    proposals: tuple[Proposal, ...]  # by clip and start
    names: tuple[str, ...]  # the labels that were spread
    examples: tuple[LabelledSegment, ...]
    curve: Curve
    by: str
    threshold: float  # the least strength of a label that is put on
    n_left_out: int  # of weaker labels, from 0.5 on
    shown: tuple[LabelledSegment, ...] = ()  # examples that do not carry their label in the bank yet
    found_nothing: tuple[LabelledSegment, ...] = ()  # examples that lead to none of the proposals

    def __repr__(self) -> str:
        counts = f"{len(self.proposals)} proposals, {len(self.conflicts)} conflicts"
        return f"Spreading({', '.join(self.names)}; {counts}, {len(self.examples)} examples)"

    @property
    def labels(self) -> tuple[SpreadLabel, ...]:
        """Those to be put on."""
        return tuple(one.label for one in self.proposals if not one.undecided)

    @property
    def expected_precision(self) -> float:
        """The share of labelled frames that is right, as strengths expect it; NaN if there are none."""
        frames = [one.segment.stop - one.segment.start for one in self.labels]
        return float(np.average([one.strength for one in self.labels], weights=frames)) if frames else float("nan")

    @property
    def conflicts(self) -> tuple[Proposal, ...]:
        """Where two labels contend."""
        return tuple(one for one in self.proposals if one.rival)


@one_snapshot
def spread_labels(
    bank: Bank,
    *,
    labels: str | Sequence[str] = (),
    examples: Shown = (),
    by: str = "exact",
    space: str | None = None,
    threshold: float | None = None,
    margin: float = 0.1,
    both: bool = False,
    mirrored: bool = True,
    most_examples: int = MOST_EXAMPLES,
    text: str = "",
    names: str | Sequence[str] = (),
    features: LibraryFeatures | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> Spreading:
    """What is like labelled segments, with their labels and how likely each is right; nothing is changed yet.

    Examples are the segments that carry `labels` (all, if nothing is said) by hand, or that were accepted; and
    `examples`, segments with a label that `put_spread` gives them by hand. At most `most_examples` of each label are
    looked for. Labels go to clips with all words of `text` and one of `names` (patterns, or `#12`); never to frames
    that carry one of them by hand, nor where a person has rejected them. From `threshold` on they are proposed: by
    default, from the least strength of 0.5 or more at which 80 % of the frames are expected to be right. A frame has
    one of them, unless `both`; where the second is not weaker by `margin`, it is undecided. `by` is "exact", or
    "wpca" in a pose `space`.
    """
    check_is_bank(bank)
    if by not in WAYS:
        raise UsageError(f"by must be {' or '.join(WAYS)}, not {by!r}")
    if space is not None and by != "wpca":
        raise UsageError("space needs by='wpca'")
    if most_examples < 1:
        raise UsageError(f"most_examples must be at least 1, not {most_examples}")
    rules = Rules(threshold=threshold, margin=margin, both=both)
    shown, by_hand = _shown(bank, examples), _by_hand(bank)
    known = _known(bank, [labels] if isinstance(labels, str) else labels, shown, by_hand, most_examples)
    clip_ids = chosen_clips(bank, ClipFilter.of(text, names=names))
    if space is not None:
        pose_space(bank, space)  # is there, or that is told before anybody waits
    if features is None:
        features = build_features(bank, progress=progress, message=message)
    known = _described(known, features, message or (lambda _: None))
    finder: Finder
    if by == "wpca":
        finder = PoseFinder(pose_index(bank, features, space, message=message), features)
    else:
        finder = ExactFinder(build_index(bank, features=features, message=message))
    # The clips of examples are searched, too: they tell how near is near
    searched = None if clip_ids is None else clip_ids | {one.segment.clip_id for one in known.examples}
    candidates = find_candidates(finder, known.examples, mirrored=mirrored, clip_ids=searched, progress=progress)
    result = spread(features, known, candidates, prior=finder.prior, rules=rules, searched=searched)
    chosen, left_out = (
        [(clip_id, claim) for clip_id, claim in claims if clip_ids is None or clip_id in clip_ids]
        for claims in (result.claims, result.left_out)
    )
    leading = leading_examples(features, known, candidates, chosen, curve=result.curve, threshold=result.threshold)
    return Spreading(
        tuple(_proposals(bank, features, known, chosen, both=both)),
        tuple(known.labels),
        known.examples,
        result.curve,
        by,
        result.threshold,
        len(left_out),
        tuple(sorted(set(shown) - set(by_hand))),
        tuple(example for number, example in enumerate(known.examples) if number not in leading),
    )


def put_spread(bank: Bank, spreading: Spreading) -> int:
    """Put the labels of a spreading on, as one change, in place of all that were spread under these names before.

    Examples that were only shown get their labels by hand, in the same change. Returns how many were spread. What was
    accepted since, or given by hand, stays.
    """
    check_is_bank(bank)
    check_is(spreading, Spreading, called="spreading", meant="what spread_labels gives")
    with bank.change(f"spread {', '.join(spreading.names)}"):
        n_spread = bank.put_spread_labels(spreading.labels, names=spreading.names)
        for one in spreading.shown:
            clip = bank.clip(one.segment.clip_id)
            bank.add_labels(clip, [_label_of(one, is_whole=one.segment == clip.segment)])
    return n_spread


def _shown(bank: Bank, examples: Shown) -> list[LabelledSegment]:
    pairs = examples.items() if isinstance(examples, Mapping) else examples
    return [LabelledSegment(segment, label.strip()) for shown, label in pairs for segment in bank.segments_of([shown])]


def _label_of(one: LabelledSegment, *, is_whole: bool) -> Label:
    return Label(one.label) if is_whole else Label(one.label, one.segment.start, one.segment.stop)


def _by_hand(bank: Bank) -> list[LabelledSegment]:
    """All that carries a label by hand."""
    return [
        LabelledSegment(clip.segment if one.start is None else Segment(clip.id, one.start, one.stop or 0), one.name)
        for clip in bank.clips()
        for one in bank.labels(clip)
        if not one.is_spread
    ]


def _known(
    bank: Bank, labels: Sequence[str], shown: list[LabelledSegment], by_hand: list[LabelledSegment], most: int
) -> Known:
    """All that is known of these labels: of those that are shown, if there are no `labels`; of all, if neither is."""
    there = {one.label for one in by_hand}
    for label in labels:
        if label not in there | {one.label for one in shown}:
            raise NotInBankError(
                f"{bank.path}: no segment has the label {label!r} by hand, so there is nothing to spread. "
                f"`motionary label ls {bank.path}` lists all labels"
            )
    looked_for = set(labels) or (set() if shown else there)
    if not looked_for and not shown:
        raise NotInBankError(f"{bank.path}: there are no hand-made labels yet; use `motionary label add` or --from")
    own = some_of_each([one for one in by_hand if one.label in looked_for], most)
    chosen = sorted({*own, *shown})
    names = {one.label for one in chosen}
    others = tuple(one for one in by_hand if one.label in names and one not in set(chosen))
    return Known(tuple(chosen), others, {name: bank.refused(name) for name in sorted(names)})


def _described(known: Known, features: LibraryFeatures, tell: Callable[[str], None]) -> Known:
    """What is known of clips that have features; the others cannot be compared."""
    there = set(features.clip_ids.tolist())
    examples, others = (
        tuple(one for one in some if one.segment.clip_id in there) for some in (known.examples, known.others)
    )
    if not examples:
        features.number(known.examples[0].segment.clip_id)  # raises, and says why it has none
    if len(examples) < len(known.examples):
        tell(f"{len(known.examples) - len(examples)} examples are on clips without features, and are left out")
    refused = {
        name: [segment for segment in segments if segment.clip_id in there] for name, segments in known.refused.items()
    }
    return Known(examples, others, refused)


def _proposals(
    bank: Bank, features: LibraryFeatures, known: Known, claims: Sequence[tuple[int, Claim]], *, both: bool
) -> Iterable[Proposal]:
    names = known.labels
    taken: dict[int, list[LabelledSegment]] = {}
    for one in (*known.examples, *known.others):
        taken.setdefault(one.segment.clip_id, []).append(one)
    called = bank.clip_names(clip_id for clip_id, _ in claims)
    for clip_id, claim in claims:
        rates = features.rates[features.number(clip_id)]
        place = Segment(clip_id, *rates.clip_segment(claim.start, claim.stop))
        example = known.examples[claim.example].segment
        own = names[claim.label]
        free = _beside(place, [one.segment for one in taken.get(clip_id, ()) if not both or one.label == own])
        if free is not None:
            yield Proposal(
                SpreadLabel(
                    free,
                    own,
                    claim.strength,
                    f"#{example.clip_id}:{example.start}-{example.stop}",
                    called[clip_id],
                ),
                names[claim.rival] if claim.rival >= 0 else "",
                claim.rival_strength,
                claim.undecided,
            )


def _beside(place: Segment, taken: Iterable[Segment]) -> Segment | None:
    """The segment without the frames at its ends that others have: frames of two rates do not end together."""
    start, stop = place.start, place.stop
    for other in taken:
        if other.start <= start < other.stop:
            start = other.stop
        if other.start < stop <= other.stop:
            stop = other.start
    return Segment(place.clip_id, start, stop) if start < stop else None
