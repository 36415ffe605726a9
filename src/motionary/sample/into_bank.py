"""The sample library, put into a bank with its truth."""

from collections.abc import Callable

from motionary.bank import Bank, Clip, Label
from motionary.motion import recording_of
from motionary.sample.library import make_library

LICENCE = "CC0-1.0"
CREDIT = "Made by Motionary's sample library"
Progress = Callable[[int, int, str], None]


def sample_into(
    bank: Bank,
    *,
    minutes: float = 20.0,
    seed: int = 0,
    preset: str = "everyday",
    progress: Progress | None = None,
) -> list[Clip]:
    """Put a made library into the bank as one change, truth included; returns its clips.

    Labels, foot plants and targets come with origin "sample". The same arguments give the same clips.
    """
    ids = []
    done_secs = 0.0
    with bank.change(f"sample --minutes {minutes:g} --seed {seed} --preset {preset}"):
        for take in make_library(minutes=minutes, seed=seed, preset=preset):
            ids.append(
                bank.add(
                    bank.free_name(take.name),
                    recording_of(take.motion),
                    labels=[Label(label.name, label.start, label.stop, origin="sample") for label in take.labels],
                    plants=take.plants,
                    targets=take.targets,
                    description=f"sample library, {preset}, actor {take.actor}",
                    format="sample",
                    licence=LICENCE,
                    credit=CREDIT,
                )
            )
            done_secs += take.motion.duration_secs
            if progress:
                progress(round(done_secs), max(round(60 * minutes), round(done_secs)), take.name)
    return [bank.clip(clip_id) for clip_id in ids]
