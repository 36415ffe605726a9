"""Small pools for the tests of transitions: made motion of the sample library, cut short."""

from functools import cache

from motionary.motion import Segment
from motionary.naturalness import plants_within
from motionary.rig import body_of
from motionary.sample import make_library
from motionary.transition import Pool, Source, build_pool


@cache
def small_pool(*, n_clips: int = 3, secs: float = 5.0) -> Pool:
    """The first seconds of the first takes of the sample library."""
    return build_pool(small_sources(n_clips=n_clips, secs=secs))


def small_sources(*, n_clips: int, secs: float) -> list[Source]:
    """The same, as a bank gives them."""
    sources = []
    for number, take in enumerate(make_library(minutes=1.0)):
        if number == n_clips:
            break
        stop = min(round(secs / take.motion.frame_time), take.motion.n_frames)
        segment = Segment(number + 1, 0, stop)
        motion = take.motion.slice(segment.start, segment.stop)
        plants = tuple(plants_within(take.plants, segment.start, segment.stop))
        sources.append(Source(segment.clip_id, take.name, motion, body_of(motion.skeleton, motion=motion), plants))
    return sources
