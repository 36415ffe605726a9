"""Profiles: what was learned from accepted and rejected matches, to be kept, shared and given to other searches."""

import base64
import binascii
import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from motionary.alignment import sampled_frames
from motionary.errors import UsageError
from motionary.features import descriptions
from motionary.files import parse_json, read_ordinary
from motionary.motion import Motion
from motionary.search.examples import Place, Rows

FORMAT, VERSION = "motionary profile", 2
MAX_FILE_BYTES = 256 << 20
NUMBERS = {1: "<f2", 2: "<f4"}  # of features, by version: half precision has none beyond 65,504


@dataclass(frozen=True, eq=False)
class Judged:
    """A match that was judged, as its query saw it: in the query's time, on its side; an example without a bank."""

    name: str
    arrays: Rows  # (n, D) float32, by description

    @property
    def n_frames(self) -> int:
        return len(next(iter(self.arrays.values())))

    @property
    def place(self) -> Place | None:
        return None

    def rows(self, length: int) -> Rows:
        """Its features; in another time, in straight lines between its frames."""
        n_frames = self.n_frames
        if length == n_frames:
            return self.arrays
        at = sampled_frames(n_frames, length)
        before = np.minimum(at.astype(int), max(n_frames - 2, 0))
        after, share = np.minimum(before + 1, n_frames - 1), (at - before)[:, None]
        return {
            name: ((1.0 - share) * array[before] + share * array[after]).astype(np.float32)
            for name, array in self.arrays.items()
        }

    def poses(self, length: int) -> Motion:
        raise UsageError(f"{self.name} has only features, so it cannot be resampled to {length} frames")


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """What was judged, and how much every dimension is to count from now on; a dimension without weight counts 1."""

    accepted: tuple[Judged, ...] = ()
    rejected: tuple[Judged, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    learned_from: str = ""  # the query, as people call it
    clip_ids: tuple[int, ...] | None = None  # the clips of its bank that it was learned from; None: nobody knows

    def __post_init__(self) -> None:
        known = {dimension.name for each in descriptions().values() for dimension in each.dimensions}
        for name, weight in self.weights.items():
            if name not in known or not 0 < weight < np.inf:
                raise UsageError(f"the weights of a profile must be above 0; {name!r} has {weight}")

    def __repr__(self) -> str:
        judged = f"{len(self.accepted)} accepted, {len(self.rejected)} rejected"
        origin = f" from {self.learned_from}" if self.learned_from else ""
        return f"Profile({judged}, {len(self.weights)} weights{origin})"

    @property
    def tolerances(self) -> dict[str, float]:
        """What LCSS makes of the weights: what counts four times as much may be off half as far."""
        return {name: 1.0 / float(np.sqrt(weight)) for name, weight in self.weights.items()}

    def by_part(self) -> dict[str, float]:
        """The mean weight of every joint that has some, the heaviest first; for people."""
        dimensions = {dimension.name: dimension for each in descriptions().values() for dimension in each.dimensions}
        parts: dict[str, list[float]] = {}
        for name, weight in self.weights.items():
            parts.setdefault(dimensions[name].part or name, []).append(weight)
        return dict(sorted(((part, float(np.mean(found))) for part, found in parts.items()), key=lambda item: -item[1]))

    def as_json(self) -> dict[str, Any]:
        """All of it as JSON can hold it, to the last bit."""
        known = {} if self.clip_ids is None else {"clip_ids": list(self.clip_ids)}
        return {
            "format": FORMAT,
            "version": VERSION,
            "learned_from": self.learned_from,
            "weights": {name: float(weight) for name, weight in self.weights.items()},
            "accepted": [_packed(judged) for judged in self.accepted],
            "rejected": [_packed(judged) for judged in self.rejected],
            **known,
        }

    @classmethod
    def of_json(cls, content: Any, *, where: str) -> "Profile":
        """The profile that `as_json` wrote; `where` it comes from is told if it is none."""
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise UsageError(f"{where}: this is not a profile. `motionary profile export` writes one")
        version = content.get("version")
        if version not in NUMBERS:
            raise UsageError(
                f"{where}: the profile has version {version}, but this program supports only up to {VERSION}; "
                "install a newer version"
            )
        try:
            accepted, rejected = (
                tuple(_unpacked(judged, NUMBERS[version]) for judged in content[kind])
                for kind in ("accepted", "rejected")
            )
            weights = {str(name): float(weight) for name, weight in content["weights"].items()}
            if not all(map(math.isfinite, weights.values())):
                raise ValueError("weights that are not finite")
            clip_ids = tuple(map(int, content["clip_ids"])) if "clip_ids" in content else None
            return cls(accepted, rejected, weights, str(content["learned_from"]), clip_ids)
        except (KeyError, TypeError, ValueError, AttributeError, binascii.Error, zlib.error) as error:
            raise UsageError(f"{where}: the profile is damaged ({error!r}); export it again") from error

    @classmethod
    def read(cls, path: Path | str) -> "Profile":
        """The profile in a file, which may come from any bank: what its clips are there says nothing here."""
        try:
            content = parse_json(read_ordinary(Path(path), max_bytes=MAX_FILE_BYTES).decode("utf-8-sig"))
        except OSError as error:
            raise UsageError(f"{path}: the profile cannot be read ({error.strerror})") from None
        except ValueError:
            content = None
        return replace(cls.of_json(content, where=str(path)), clip_ids=None)


def _packed(judged: Judged) -> dict[str, Any]:
    rows = {}
    for name, array in judged.arrays.items():
        # One dimension after the other, because neighbours in time are alike
        content = zlib.compress(np.ascontiguousarray(array.T, dtype=NUMBERS[VERSION]).tobytes(), 9)
        rows[name] = base64.b64encode(content).decode("ascii")
    return {"name": judged.name, "n_frames": judged.n_frames, "rows": rows}


def _unpacked(content: Mapping[str, Any], numbers: str) -> Judged:
    known, n_frames = descriptions(), int(content["n_frames"])
    if n_frames < 1 or not content["rows"]:
        raise ValueError("an example without frames")
    arrays = {}
    for name, text in content["rows"].items():
        values = np.frombuffer(zlib.decompress(base64.b64decode(text, validate=True)), dtype=numbers)
        array = values.reshape(known[name].n_dimensions, n_frames).T.astype(np.float32)
        if not np.isfinite(array).all():
            raise ValueError("numbers that are not finite")
        arrays[name] = array
    return Judged(str(content["name"]), arrays)
