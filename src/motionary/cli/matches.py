"""Matches as every command lists them: a table by rank, or one JSON object each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from motionary.cli.output import print_json, print_table, shortened
from motionary.qualities import PROPERTIES
from motionary.rounding import rounded_up

if TYPE_CHECKING:
    from motionary.bank import Bank
    from motionary.motion import Segment
    from motionary.search import Match


@dataclass(frozen=True)
class Known:
    """How long a segment is, and what it and its clip are said to be."""

    secs: float = 0.0
    labels: tuple[str, ...] = ()
    description: str = ""

    @property
    def about(self) -> str:
        """Its labels, or else the description, on one short line."""
        return shortened(", ".join(self.labels) or self.description)

    def as_json(self) -> dict[str, Any]:
        return {"secs": self.secs, "labels": list(self.labels), "description": self.description}


def about_column(known: Iterable[Known]) -> str:
    """The header of the column that says what segments are."""
    shown = {"labels" if of.labels else "description" for of in known if of.about}
    return " or ".join(sorted(shown, reverse=True)) or "labels"


def ranked(matches: "Iterable[Match]") -> "dict[int, Match]":
    """Matches by their ranks, from 1."""
    return dict(enumerate(matches, start=1))


def print_ranked_json(
    bank: "Bank", matches: "Mapping[int, Match]", more: Mapping[int, dict[str, Any]] | None = None
) -> None:
    """One object for each match, with its rank, its labels, and more that is known of it."""
    known = more or {}
    print_json(
        {"rank": rank} | match.as_json() | known_of(bank, match.segment).as_json() | known.get(rank, {})
        for rank, match in matches.items()
    )


def print_ranked(
    bank: "Bank", matches: "Mapping[int, Match]", *, scaled: bool | None = None, sides: bool | None = None
) -> None:
    """A table; what says something has a column of its own: distance, scale, side, tier, example and properties."""
    found = list(matches.values())
    if not found:
        return
    units = {match.unit for match in found}
    ways = {match.method for match in found}
    n_digits = 2 if ways == {"web"} else 3 if "lcss" in ways else None  # of distances that people can compare
    scaled = any(match.scale != 1.0 for match in found) if scaled is None else scaled
    sides = any(match.mirrored for match in found) if sides is None else sides
    unit = next(iter(units)) if len(units) == 1 else ""
    tiers = "web" in ways or any(match.tier > 1 for match in found)
    distance = {2: [f"distance {unit}".rstrip()], 3: ["distance"], None: []}[n_digits]
    header = ["rank", "clip", "start", "stop", "secs", *distance, f"mean {unit}".rstrip()]
    header += (["scale"] if scaled else []) + (["side"] if sides else []) + (["tier"] if tiers else [])
    several = any(match.nearest_to for match in found)
    header += ["nearest to"] if several else []
    conditions = list(found[0].properties)
    header += [f"{name} {PROPERTIES.get(name, '')}".rstrip() for name in conditions]
    known = {rank: known_of(bank, match.segment) for rank, match in matches.items()}
    about = any(of.about for of in known.values())
    header += [about_column(known.values())] if about else []
    rows = []
    for rank, match in matches.items():
        row = [str(rank), match.clip, str(match.segment.start), str(match.segment.stop), f"{known[rank].secs:.2f}"]
        # Rounded up, so that what is read can be given as a threshold
        row += [] if n_digits is None else [rounded_up(match.distance, n_digits)]
        mean = rounded_up(match.mean, 2)
        row.append(mean if len(units) == 1 else f"{mean} {match.unit}".rstrip())
        row += [f"{match.scale:.2f}"] if scaled else []
        row += ["mirrored" if match.mirrored else "same"] if sides else []
        row += [str(match.tier)] if tiers else []
        row += [match.nearest_to] if several else []
        row += [f"{match.properties[name]:.2f}" for name in conditions]
        row += [known[rank].about] if about else []
        rows.append(row)
    print_table(header, rows)


def known_of(bank: "Bank", segment: "Segment") -> Known:
    """What is known of a segment; nothing of one whose clip is gone."""
    clip = next(iter(bank.with_ids([segment.clip_id])), None)
    if clip is None:
        return Known()
    secs = round((segment.stop - segment.start) * clip.frame_time, 6)
    return Known(secs, bank.labels_on(segment), clip.description)
