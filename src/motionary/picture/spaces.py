"""Pictures of pose spaces: motions of a bank as curves in them."""

from collections.abc import Sequence
from pathlib import Path

from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.library import LibraryFeatures, build_features
from motionary.motion import Segment
from motionary.picture.space_curves import SpaceCurve, space_plot
from motionary.search import KeptSpace, PoseRows, library_space, pose_space

MOST_CLIPS = 12  # drawn where none are named


def show_space(
    bank: Bank,
    path: Path | str,
    *,
    space: KeptSpace | str | None = None,
    segments: Sequence[str | Segment] = (),
    labels: Sequence[str] = (),
    features: LibraryFeatures | None = None,
) -> int:
    """Draw segments, each in its colour, and all that carry a label, in one colour each; returns how many curves.

    Without any, it is the first clips of the bank. `space` is a name, a space, or None for that of the library.
    """
    if features is None:
        features = build_features(bank)
    if not isinstance(space, KeptSpace):
        space = library_space(bank, features) if space is None else pose_space(bank, space)
    wanted = [(one, "") for one in map(bank.segment_of, segments)]
    for label in labels:
        wanted += [(one, label) for one in bank.labelled(label)]
    if not segments and not labels:
        wanted = [(clip.segment, "") for clip in bank.clips()[:MOST_CLIPS]]
    if not wanted:
        raise UsageError(
            f"{bank.path}: nothing has the label {', '.join(labels) or 'a name'}, so there is nothing to draw"
        )
    curves = curves_in_space(bank, space, features, wanted)
    title = f"{space.name or space.preset}: {space.space.shares[:3].sum():.0%} of the variance in three components"
    space_plot(curves, title=title, shares=space.space.shares[:3].tolist()).save(path)
    return len(curves)


def curves_in_space(
    bank: Bank, space: KeptSpace, features: LibraryFeatures, wanted: Sequence[tuple[Segment, str]]
) -> list[SpaceCurve]:
    """Segments, each with a label or none, as curves in a space, at the rate of the features."""
    curves = []
    for segment, label in wanted:
        own = features.of(segment.clip_id)
        start, stop = own.rates.search_segment(segment.start, segment.stop)
        points = space.space.project(PoseRows(own["angles"][start:stop], own["root"][start:stop]))
        motion = space.space.motion(points, frame_time=1.0 / features.rate_hz)
        curves.append(SpaceCurve(bank.segment_name(segment), points, label, motion=motion))
    return curves
