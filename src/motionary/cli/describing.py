"""What `info` prints."""

import shutil

from motionary.cli.charts import curve_chart, interval_chart, lane_chart, time_axis
from motionary.cli.output import counted, rate, seconds
from motionary.facts import BankFacts, ClipFacts
from motionary.plants import FEET


def facts_text(facts: BankFacts | ClipFacts) -> str:
    """A bank or a clip for people."""
    return _bank_text(facts) if isinstance(facts, BankFacts) else _clip_text(facts)


def _bank_text(facts: BankFacts) -> str:
    """A bank as a whole, in a few lines."""
    rates = ", ".join(f"{rate_hz:g}" for rate_hz in facts.rates_hz) or "no"
    return "\n".join(
        [
            f"{facts.path}: {counted(facts.n_clips, 'clip')}, {counted(facts.n_frames, 'frame')}, "
            f"{seconds(facts.duration_secs)}, {facts.n_bytes / 1e6:.1f} MB",
            f"  {counted(facts.n_skeletons, 'skeleton')}; {rates} Hz",
            f"  {counted(len(facts.labels), 'label')}: {', '.join(name for name, _, _ in facts.labels) or 'none yet'}",
        ]
    )


def _space_lines(facts: ClipFacts) -> list[str]:
    """Unit and axes in the file, each with how sure it is."""
    words = {"unit": facts.unit, "up": f"{facts.up} up", "handedness": f"{facts.handedness}-handed"}
    if not facts.space_reasons:
        return [f"  in the file, as it says: {', '.join(words.values())}"]
    told = (f"{word} ({'sure' if facts.space_sure[name] else 'not sure'})" for name, word in words.items())
    doubts = [f"    {name}: {reason}" for name, reason in facts.space_reasons.items() if not facts.space_sure[name]]
    return [f"  in the file: {', '.join(told)}", *doubts]


def _clip_text(facts: ClipFacts) -> str:
    """A clip in a few lines, and its curves and labels over time below them."""
    clip = facts.clip
    lines = [
        f"{clip.name}  (#{clip.id})",
        f"  {counted(clip.n_frames, 'frame')} at {rate(clip.frame_time)} Hz, {seconds(clip.duration_secs)}; "
        f"{counted(clip.n_joints, 'joint')}, skeleton {clip.skeleton_id}",
        f"  {f'own skeleton: {facts.unmapped}' if facts.unmapped else 'maps onto the reference skeleton'}",
        *_space_lines(facts),
    ]
    for name in ("description", "source", "licence", "credit"):
        if value := getattr(clip, name):
            lines.append(f"  {name}: {value}")
    if facts.n_plants:
        lines.append(f"  {counted(facts.n_plants, 'foot plant')} stored")
    lines += [f"  warning: {note}" for note in clip.notes]
    whole = [label.name for label in facts.labels if label.is_whole_clip]
    if whole:
        lines.append(f"  labels: {', '.join(whole)}")
    return "\n".join([*lines, "", *_charts(facts)])


def _charts(facts: ClipFacts) -> list[str]:
    n_frames = facts.clip.n_frames
    width = min(max(shutil.get_terminal_size().columns - 16, 20), 100, n_frames)
    lines = ["      speed of the joints, on average"]
    lines += curve_chart(facts.speed, width=width, height=3, unit="m/s")
    lines += [lane_chart(f"{foot} foot", on, width=width) for foot, on in zip(FEET, facts.contacts.T, strict=False)]
    by_name: dict[str, list[tuple[int, int]]] = {}
    for label in facts.labels:
        if label.start is not None and label.stop is not None:
            by_name.setdefault(label.name, []).append((label.start, label.stop))
    for name, intervals in by_name.items():
        lines.append(interval_chart(name[:11], intervals, n_frames, width=width))
    return lines + time_axis(facts.clip.duration_secs, width=width)
