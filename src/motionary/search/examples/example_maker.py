"""From what people say to examples: segments, files, key poses, and several of them together."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from motionary.alignment import Match
from motionary.arguments import check_is
from motionary.bank import Address, Bank, Clip, parse_address
from motionary.errors import MotionFileError, NotInBankError, UsageError
from motionary.features import SEARCH_RATE_HZ, Network, Rates
from motionary.formats import READABLE, format_of
from motionary.library import LibraryFeatures, performance
from motionary.motion import Motion, Segment, Skeleton
from motionary.rig import BodyMap, body_of, map_skeleton
from motionary.search.examples.example import Example, Place, Rows, check_example
from motionary.search.examples.key_poses import KeyPose, KeyPoses, Posed, heading_at
from motionary.search.examples.library_segment import LibrarySegment
from motionary.search.examples.mixed import Mixed
from motionary.search.examples.motion_file import Acted, read_acted
from motionary.search.examples.motion_segment import MotionSegment

Shown = Example | Segment | Match | Clip | Motion | Path | str | int | Sequence[KeyPose | str]
NAMES_OF_FEW = 3  # sources that a name lists


class ExampleMaker:
    """Makes examples for searches in one bank; what it reads, it reads once.

    `features` may be a function: it is called when an example is first compared, so that whatever is wrong with a query
    is told before features are built. They will have the rate `rate_hz`.
    """

    def __init__(
        self,
        bank: Bank,
        features: LibraryFeatures | Callable[[], LibraryFeatures],
        *,
        rate_hz: float = SEARCH_RATE_HZ,
        message: Callable[[str], None] | None = None,
    ) -> None:
        self.bank, self.features = bank, features
        self._rate_hz = rate_hz if callable(features) else features.rate_hz
        self._clip: Callable[[int], Acted] = cache(self._read_clip)
        self._file: Callable[[Path], Acted] = cache(
            lambda path: read_acted(path, map_by_hand=self._map_by_hand, message=message)
        )

    def example(self, shown: Shown, sources: Sequence[tuple[str, Shown]] = ()) -> Example:
        """What is shown, with some parts of it taken from elsewhere: `("arms, Head", "wave:0-60")`."""
        main = self._example(shown)
        if not sources:
            return main
        return Mixed(main, tuple((words_of(words), self._example(source)) for words, source in sources))

    def _example(self, shown: Shown) -> Example:
        if isinstance(shown, bool):
            check_example(shown)
        if isinstance(shown, Segment | Match | Clip | int):
            return self._segment(self.bank.segment_of(shown))
        if isinstance(shown, str):
            path = self._path_of(shown)
            return self._of_file(path) if path else self._segment(self.bank.segment(shown))
        if isinstance(shown, Path):
            return self._of_file(Address(str(shown)) if shown.exists() else parse_address(str(shown)))
        if isinstance(shown, Motion):
            acted = Acted(shown, body_of(shown.skeleton, motion=shown))
            return self._cut(acted, 0, shown.n_frames, "the motion")
        if isinstance(shown, Sequence):
            for pose in shown:
                check_is(pose, KeyPose, str, called="a key pose", meant="a string (CLIP:FRAME@SECONDS) or a KeyPose")
            return self._key_poses([pose if isinstance(pose, KeyPose) else KeyPose.parse(pose) for pose in shown])
        check_example(shown)
        if isinstance(shown, LibrarySegment | MotionSegment):  # of an earlier query, perhaps of another bank
            return replace(shown, network=self._network)
        return shown

    def place(self, segment: Segment) -> Place:
        """Where a segment begins, at the search rate."""
        return LibrarySegment(self.features, segment, expected=self._expected(segment)).place

    def _expected(self, segment: Segment) -> tuple[Rates, float] | None:
        """The rates of a segment's clip, where features are not known yet."""
        if not callable(self.features):
            return None
        clip = self.bank.clip(segment.clip_id)
        return Rates.of(clip.n_frames, frame_time=clip.frame_time, rate_hz=self._rate_hz), self._rate_hz

    def _network(self) -> Network | None:
        """What was learned from the library, if anything; features are ready by the time that it is asked for."""
        return (self.features() if callable(self.features) else self.features).network

    def _segment(self, segment: Segment) -> LibrarySegment:
        """A segment of the library; its motion is read only if it is to be played in another time."""

        @cache
        def moving() -> MotionSegment:
            acted = self._clip(segment.clip_id)
            frames = example.search_frames
            return MotionSegment(acted.motion, acted.body, *frames, self._rate_hz, network=self._network)

        def played(length: int) -> Rows:
            return moving().played_rows(length)

        def posed(length: int) -> Motion:
            return moving().poses(length)

        name, expected = self.bank.segment_name(segment), self._expected(segment)
        example = LibrarySegment(self.features, segment, played, posed, name, expected)
        return example

    def _path_of(self, text: str) -> Address | None:
        """The file, and the part of it, that a text means; None if it means a clip."""
        address = parse_address(text)
        known = format_of(address.clip) is not None
        if not known and (text.startswith("@") or not _is_file(address.clip)):
            return None
        try:
            self.bank.clip(address.clip)
        except NotInBankError:
            if known:
                return address
            raise MotionFileError(
                address.clip,
                None,
                "this file is not in a supported format, and no clip has this name",
                f"Use BVH or ASF/AMC: {', '.join(READABLE)}.",
            ) from None
        return None

    def _of_file(self, address: Address) -> MotionSegment:
        acted = self._file(Path(address.clip))
        n_frames, frame_time = acted.motion.n_frames, acted.motion.frame_time
        start = 0 if address.start is None else address.start.frame(frame_time)
        stop = n_frames if address.stop is None else address.stop.frame(frame_time)
        if not 0 <= start < stop <= n_frames:
            raise UsageError(
                f"{address.clip} has no frames [{start}, {stop}); it has {n_frames}, or {n_frames * frame_time:.2f} s"
            )
        name = Path(address.clip).name
        return self._cut(acted, start, stop, name if address.is_whole else f"{name}:{start}-{stop}")

    def _cut(self, acted: Acted, start: int, stop: int, name: str) -> MotionSegment:
        return MotionSegment.of(
            *(acted.motion, acted.body),
            start=start,
            stop=stop,
            rate_hz=self._rate_hz,
            name=name,
            network=self._network,
        )

    def _key_poses(self, poses: Sequence[KeyPose]) -> KeyPoses:
        posed = [self._posed(pose) for pose in poses]
        names = list(dict.fromkeys(self._called(one.source) for one in posed))
        listed = ", ".join(names[:NAMES_OF_FEW]) + (" …" if len(names) > NAMES_OF_FEW else "")
        return KeyPoses.of(
            posed,
            [pose.secs for pose in poses],
            rate_hz=self._rate_hz,
            name=f"{len(poses)} key poses of {listed}",
            network=self._network,
        )

    def _called(self, source: str | int) -> str:
        """The name of a clip or file that a pose comes from."""
        return self.bank.clip(source).name if isinstance(source, int) else Path(source).name

    def _posed(self, pose: KeyPose) -> Posed:
        source: str | int
        if isinstance(pose.source, Path) or (isinstance(pose.source, str) and self._path_of(pose.source)):
            source, acted = str(pose.source), self._file(Path(pose.source))
        else:
            source = self.bank.clip(pose.source).id
            acted = self._clip(source)
        bound = parse_address(f"{pose.source}:{pose.frame}-").start
        if bound is None:
            raise UsageError(f"{pose.frame!r} is not a frame of {pose.source}; write 30, or a time as in 1.5s")
        frame = bound.frame(acted.motion.frame_time)
        if frame >= acted.motion.n_frames:
            raise UsageError(f"{pose.source} has no frame {frame}; it has {acted.motion.n_frames} frames, from 0")
        return Posed(
            acted.motion.slice(frame, frame + 1), acted.body, heading_at(acted.motion, acted.body, frame), source
        )

    def _read_clip(self, clip_id: int) -> Acted:
        acted = performance(self.bank, clip_id)
        return Acted(acted.motion, acted.body)

    def _map_by_hand(self, skeleton: Skeleton) -> BodyMap | None:
        """What a user of the bank said of a skeleton with the same joints; None if nobody did."""
        for clip, user_map in self.bank.user_maps():
            if _tree(self.bank.skeleton(clip)) == _tree(skeleton):
                return map_skeleton(skeleton, user_map=user_map)
        return None


def _tree(skeleton: Skeleton) -> dict[str, str]:
    """The parent of every joint; in which order a file lists them says nothing."""
    parents = ["", *(skeleton.names[parent] for parent in skeleton.parents[1:])]
    return dict(zip(skeleton.names, parents, strict=True))


def words_of(text: str) -> tuple[str, ...]:
    """Words with commas between."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # longer than a file's name can be, or with characters that none has
        return False
