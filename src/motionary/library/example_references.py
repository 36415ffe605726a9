"""Examples: segments of a bank that something is made of, by reference and version."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from motionary.bank import Bank, Clip
from motionary.errors import NotInBankError, UsageError
from motionary.motion import Segment

MIRRORED = "~"  # before a segment: its mirror image


@dataclass(frozen=True, slots=True)
class ExampleReference:
    """A segment of a bank, maybe mirrored, and what its clip's frames were when it was chosen."""

    clip_id: int
    clip: str
    start: int
    stop: int
    mirrored: bool = False
    digest: str = ""

    @property
    def segment(self) -> Segment:
        return Segment(self.clip_id, self.start, self.stop)

    @property
    def name(self) -> str:
        return f"{MIRRORED if self.mirrored else ''}{self.clip}:{self.start}-{self.stop}"

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> "ExampleReference":
        return cls(**content)


def examples_of(
    bank: Bank, segments: Sequence[str | Segment], *, labels: Sequence[str] = (), mirror: bool = False
) -> list[ExampleReference]:
    """The examples that are meant: segments, `~SEGMENT` for a mirror image, `@SELECTION` with the mirrored matches
    mirrored, and all that carries one of the `labels`. `mirror` adds the mirror image of each."""
    found: list[ExampleReference] = []
    for segment in segments:
        if isinstance(segment, str) and segment.startswith("@") and not segment.startswith("@@"):
            found += _selected(bank, segment)
            continue
        mirrored = isinstance(segment, str) and segment.startswith(MIRRORED)
        wanted = segment[1:] if isinstance(segment, str) and mirrored else segment
        found += [_reference(bank, one, mirrored) for one in bank.segments_of([wanted])]
    for label in labels:
        bank.check_label(label)
        found += [_reference(bank, one, False) for one in bank.labelled(label)]
    if mirror:
        found += [ExampleReference(e.clip_id, e.clip, e.start, e.stop, not e.mirrored, e.digest) for e in list(found)]
    unique = list(dict.fromkeys(found))
    if not unique:
        raise UsageError("no examples; name segments, a selection or a label")
    return unique


def changed_examples(bank: Bank, examples: Sequence[ExampleReference]) -> list[str]:
    """The names of the examples whose clips have other frames by now."""
    digests = [bank.frames_digest(clip_of_example(bank, example)).hex() for example in examples]
    return [e.name for e, digest in zip(examples, digests, strict=True) if e.digest and e.digest != digest]


def clip_of_example(bank: Bank, example: ExampleReference) -> Clip:
    """The clip that an example is a part of; raises if it was removed."""
    try:
        return bank.clip(example.clip_id)
    except NotInBankError:
        raise NotInBankError(
            f"{bank.path}: clip {example.clip!r}, of which {example.name} was used, was removed. "
            "`motionary undo` brings it back; or make the motion anew, of other segments"
        ) from None


def _selected(bank: Bank, text: str) -> list[ExampleReference]:
    name, _, ranks = text[1:].partition(":")
    matches = bank.matches(name, [ranks] if ranks else None).values()
    return [_reference(bank, match.segment, match.mirrored) for match in matches]


def _reference(bank: Bank, segment: Segment, mirrored: bool) -> ExampleReference:
    clip = bank.clip(segment.clip_id)
    return ExampleReference(clip.id, clip.name, segment.start, segment.stop, mirrored, bank.frames_digest(clip).hex())
