"""Pictures of what was measured and mended: scores over time, feet before and after."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.feet import CleanedSegment, Scored
from motionary.picture.plots import Curve, curve_plot
from motionary.picture.scene import Row
from motionary.picture.show import show_rows
from motionary.plants import contacts_of_plants, detect_plants
from motionary.rig import body_of

# Curve of a score: how it is called, its unit, and the factor from metres and seconds.
SCORE_CURVES = {
    "plant_error": ("plant error", "cm", 100.0),
    "zmp_error": ("ZMP error", "cm", 100.0),
    "lean": ("lean", "cm", 100.0),
    "fall_error": ("fall error", "cm", 100.0),
    "momentum_error": ("momentum error", "", 1.0),
    "jerk": ("jerk", "", 1.0),
}


def plot_scores(bank: Bank, scored: Sequence[Scored], path: Path | str) -> None:
    """Draw the curves behind a score over time; several segments go into files of their own, `NAME_2` and so on."""
    path = Path(path)
    for number, (segment, natural) in enumerate(scored, start=1):
        clip = bank.clip(segment.clip_id)
        curves = [Curve(name, unit, factor * natural.curves[key]) for key, (name, unit, factor) in SCORE_CURVES.items()]
        plot = curve_plot(
            curves,
            frame_time=clip.frame_time,
            title=bank.segment_name(segment),
            start_secs=segment.start * clip.frame_time,
        )
        plot.save(path if number == 1 else path.with_stem(f"{path.stem}_{number}"))


def show_cleaned(cleaned: Sequence[CleanedSegment], path: Path | str) -> None:
    """Draw each segment before and, below it, after the clean-up, with the plants that were held."""
    if not cleaned:
        raise UsageError("nothing was cleaned, so there is nothing to show")
    rows = []
    for one in cleaned:
        segment, frame_time = one.segment, one.clip.frame_time
        contacts = contacts_of_plants([held.plant for held in one.plants], one.clip.n_frames)
        body = body_of(one.before.skeleton, body_map=one.body_map, motion=one.before)
        floor = detect_plants(one.before, body).known_floor
        for motion, when in ((one.before, "before"), (one.after, "after")):
            rows.append(
                Row(
                    motion.slice(segment.start, segment.stop),
                    title=f"{one.clip.name}, {when}",
                    start_secs=segment.start * frame_time,
                    first_frame=segment.start,
                    contacts=np.asarray(contacts[segment.start : segment.stop]),
                    body_map=one.body_map,
                    floor=floor,
                )
            )
    show_rows(rows, path)
