"""The HIERARCHY of a BVH file: joints, offsets, end sites and channels, from words to skeletons."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from motionary.errors import MotionFileError
from motionary.formats.bvh_numbers import LARGEST
from motionary.motion import CHANNEL_NAMES, Skeleton

MOST_JOINTS = 10_000  # in a file, end sites included: keeps a senseless file from taking minutes
WORD = re.compile(rb"[{}]|[^\s{}]+")
REST_OF_LINE = re.compile(rb"[^\r\n]*")
NUMBER = re.compile(rb"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
STATEMENT = re.compile(
    rb"""\s*+(?:
        (?P<keyword>root|joint)(?=\s)(?P<joint>[^\r\n{}]*+)\s*+\{  # a name may hold blanks and ends with its line
        | (?P<end_site>end)[^\r\n{}]*+\s*+\{
        | offset\s+(?P<x>NUMBER)\s+(?P<y>NUMBER)\s+(?P<offset>NUMBER)(?![^\s{}])
        | channels\s+(?P<count>\d{1,9})(?P<channels>(?:\s+[a-z]+(?:position|rotation|scale)(?![^\s{}])){0,7})
        | (?P<close>\})
        | (?P<motion>motion)(?![^\s{}])
    )""".replace(b"NUMBER", NUMBER.pattern),
    re.IGNORECASE | re.VERBOSE,
)
COMMA_NUMBER = re.compile(rb"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
CONFLICT_MARKS = (b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>")
KINDS = {name.upper().encode(): kind for kind, name in enumerate(CHANNEL_NAMES)}
CHECK_LINE = "Compare the line with one that works, or export the file anew."
POINT_FOR_COMMA = "It has a decimal comma; BVH files have a point: export anew with English number format."


@dataclass(frozen=True, eq=False)
class Source:
    """The bytes of a file, and where in them an error is."""

    data: bytes
    path: Path

    def line(self, position: int) -> int:
        """The number of the line, from 1; CR, LF and both together end a line."""
        count = self.data.count
        return count(b"\n", 0, position) + count(b"\r", 0, position) - count(b"\r\n", 0, position) + 1

    def error(self, position: int, problem: str, remedy: str = CHECK_LINE) -> MotionFileError:
        return MotionFileError(self.path, self.line(position), problem, remedy)

    def word(self, position: int) -> bytes:
        """The word at or behind the position; b"" at the end."""
        found = WORD.search(self.data, position)
        return found[0] if found else b""

    def rest_of_line(self, position: int) -> bytes:
        found = REST_OF_LINE.match(self.data, position)
        return found[0] if found else b""

    def number(self, position: int, what: str) -> tuple[float, int]:
        """The number at or behind the position, and the position behind it."""
        found = WORD.search(self.data, position)
        if not found:
            raise self.error(len(self.data), f"the file ends where {what} should be", "The file is truncated.")
        if not NUMBER.fullmatch(found[0]):
            remedy = POINT_FOR_COMMA if has_decimal_comma(found[0]) else CHECK_LINE
            raise self.error(found.start(), f"{quoted(found[0])} is not a number; {what} needs one", remedy)
        return float(found[0]), found.end()


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """One root with all below it, and its channels in the order of the file."""

    skeleton: Skeleton
    channel_joints: np.ndarray  # (N,) int32
    channel_kinds: np.ndarray  # (N,) int8, into CHANNEL_NAMES


def parse_hierarchies(source: Source) -> tuple[list[Hierarchy], int]:
    """The hierarchies, one for each ROOT, and the position behind the word MOTION."""
    first = WORD.search(source.data)
    if not first or first[0].upper() != b"HIERARCHY":
        raise source.error(first.start() if first else 0, "a BVH file must start with HIERARCHY")
    builder = _Builder(source)
    position = first.end()
    while statement := STATEMENT.match(source.data, position):
        builder.start, position = position, statement.end()
        match statement.lastgroup:  # the last of the groups that took part
            case "joint":
                builder.open_joint(statement["keyword"].upper(), statement["joint"].strip())
            case "end_site":
                builder.open_end_site()
            case "offset":
                builder.set_offset(float(statement["x"]), float(statement["y"]), float(statement["offset"]))
            case "channels":
                builder.add_channels(int(statement["count"]), statement["channels"].upper().split())
            case "close":
                builder.close()
            case _:
                return builder.finish(), position
    builder.start = position
    raise builder.complaint()


def quoted(word: bytes) -> str:
    """A word of the file for an error message, shortened if it is long."""
    text = word.decode("utf-8", "replace")
    return repr(text if len(text) <= 40 else text[:37] + "...")


@dataclass(slots=True)
class _Tree:
    """A hierarchy in the making."""

    names: list[bytes] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    offsets: list[tuple[float, float, float]] = field(default_factory=list)
    end_sites: list[tuple[int, tuple[float, float, float]]] = field(default_factory=list)
    channels: list[tuple[int, int]] = field(default_factory=list)

    def finish(self, encoding: str) -> Hierarchy:
        end_sites = sorted(self.end_sites, key=lambda site: site[0])  # some stand behind their joint's children
        skeleton = Skeleton(
            tuple(name.decode(encoding) for name in self.names),
            np.array(self.parents),
            np.array(self.offsets),
            np.array([joint for joint, _ in end_sites]),
            np.array([offset for _, offset in end_sites]).reshape(-1, 3),
        )
        channels = np.array(self.channels).reshape(-1, 2)
        return Hierarchy(skeleton, channels[:, 0].astype(np.int32), channels[:, 1].astype(np.int8))


@dataclass(slots=True)
class _Block:
    """A joint or end site whose closing brace has not come yet."""

    name: bytes  # for an end site, as the number below, that of the joint it hangs on
    start: int  # of the statement that opened it
    joint: int
    is_end_site: bool = False
    offset: tuple[float, float, float] | None = None
    has_channels: bool = False

    @property
    def title(self) -> str:
        joint = f"joint {quoted(self.name)}"
        return f"the End Site of {joint}" if self.is_end_site else joint


class _Builder:
    """Takes the statements one by one and remembers what is open."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.start = 0  # of the present statement, blanks before it included
        self.trees: list[_Tree] = []
        self.open: list[_Block] = []  # a list, not recursion: files may nest as deep as they like
        self.n_opened = 0

    def error(self, problem: str, remedy: str = CHECK_LINE, start: int | None = None) -> MotionFileError:
        """An error in the line of the present statement, or of the one that begins at `start`."""
        found = WORD.search(self.source.data, self.start if start is None else start)
        return self.source.error(found.start() if found else len(self.source.data), problem, remedy)

    def block(self) -> _Block:
        """The joint or end site that the present statement stands in."""
        if not self.open:
            raise self.error(f"{quoted(self.source.word(self.start))} is outside of all joints")
        return self.open[-1]

    def open_joint(self, keyword: bytes, name: bytes) -> None:
        if not name:
            raise self.error(f"{keyword.decode()} has no name", "Write one after it.")
        if keyword == b"ROOT":
            if self.open:
                raise self.error(f"ROOT {quoted(name)} is inside {self.open[-1].title}")
            self.trees.append(_Tree())
            parent = -1
        else:
            if self.block().is_end_site:
                raise self.error(f"JOINT {quoted(name)} is inside an End Site")
            parent = self.block().joint
        tree = self.trees[-1]
        self._push(_Block(name, self.start, len(tree.names)))
        tree.names.append(name)
        tree.parents.append(parent)
        tree.offsets.append((0.0, 0.0, 0.0))

    def open_end_site(self) -> None:
        parent = self.block()
        if parent.is_end_site:
            raise self.error("an End Site is inside another")
        self._push(_Block(parent.name, self.start, parent.joint, is_end_site=True))

    def _push(self, block: _Block) -> None:
        self.open.append(block)
        self.n_opened += 1
        if self.n_opened > MOST_JOINTS:
            raise self.error(
                f"the hierarchy has more than {MOST_JOINTS:,} joints and end sites",
                "The file is damaged.",
            )

    def set_offset(self, x: float, y: float, z: float) -> None:
        block = self.block()
        if block.offset is not None:
            raise self.error(f"{block.title} has a second OFFSET", "Delete one of the two.")
        if not max(abs(x), abs(y), abs(z)) <= LARGEST:
            raise self.error(f"the OFFSET of {block.title} is too large")
        block.offset = (x, y, z)

    def add_channels(self, announced: int, words: list[bytes]) -> None:
        block = self.block()
        if block.has_channels:
            raise self.error(f"{block.title} has a second CHANNELS", "Delete one of the two.")
        block.has_channels = True
        for word in words:
            if word not in KINDS:
                raise self.error(f"the channel {quoted(word)} is unknown", f"Supported are {', '.join(CHANNEL_NAMES)}.")
        if announced != len(words):
            raise self.error(f"CHANNELS declares {announced} channels but lists {len(words)}")
        if len(set(words)) < len(words):
            raise self.error(f"{block.title} has the same channel twice")
        if block.is_end_site and words:
            raise self.error(f"{block.title} has channels; an End Site cannot move")
        tree = self.trees[-1]
        if words and block.joint != len(tree.names) - 1:
            raise self.error(f"the CHANNELS of {block.title} come after a child joint", "Write them before it.")
        tree.channels += [(block.joint, KINDS[word]) for word in words]

    def close(self) -> None:
        if not self.open:
            raise self.error("unexpected closing brace")
        block = self.open.pop()
        if block.offset is None:
            raise self.error(f"{block.title} has no OFFSET", start=block.start)
        if block.is_end_site:
            self.trees[-1].end_sites.append((block.joint, block.offset))
        else:
            self.trees[-1].offsets[block.joint] = block.offset

    def finish(self) -> list[Hierarchy]:
        """The hierarchies, when MOTION has come."""
        if self.open:
            line = self.error("", start=self.open[-1].start).line
            raise self.error(
                f"MOTION is inside {self.open[-1].title}, opened in line {line}",
                "Close every joint and End Site with a brace.",
            )
        if not self.trees:
            raise self.error("the hierarchy has no ROOT")
        encoding = _encoding(self.trees)
        return [tree.finish(encoding) for tree in self.trees]

    def complaint(self) -> MotionFileError:
        """What is wrong where no statement can be read."""
        word = self.source.word(self.start)
        keyword = word.upper()
        if not word:
            return self.error("the file ends within the hierarchy, there is no MOTION", "It is cut off.")
        if word in CONFLICT_MARKS:
            return self.error("a version-control conflict mark stands in the hierarchy", "Resolve the conflict.")
        if keyword in (b"ROOT", b"JOINT") or keyword.startswith(b"END"):
            title = self.source.rest_of_line(self.source.data.index(word, self.start))
            return self.error(f"{quoted(title.strip())} needs an opening brace behind it")
        if keyword == b"CHANNELS":
            return self.error(f"CHANNELS of {self.block().title} does not say how many there are")
        if keyword == b"OFFSET":
            what = f"the OFFSET of {self.block().title}"
            position = self.source.data.index(word, self.start) + len(word)
            for _ in range(3):  # one of them raises
                _, position = self.source.number(position, what)
        return self.error(f"{quoted(word)} has no meaning in a hierarchy")


def has_decimal_comma(word: bytes) -> bool:
    """Whether a word would be a number with a point for its comma."""
    return COMMA_NUMBER.fullmatch(word) is not None


def _encoding(trees: list[_Tree]) -> str:
    """UTF-8 if all names are, else Latin-1, in which every byte is a letter."""
    try:
        for tree in trees:
            b"\n".join(tree.names).decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"
