"""What the server of one bank keeps between calls: open banks, the loaded index, mannequins, results."""

import ctypes
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from motionary.bank import Bank, Clip
from motionary.errors import NotInBankError, UsageError
from motionary.motion import Segment
from motionary.server.events import Events
from motionary.server.jobs import Jobs
from motionary.server.lru_cache import LruCache
from motionary.server.open_banks import OpenBanks

if TYPE_CHECKING:
    from motionary.blend import Registration, RegistrationOptions
    from motionary.graph import BuiltGraph
    from motionary.parametric import KeptParametric
    from motionary.search import Index, Match, PoseSearchResult, Profile, SearchResult, WebSearchResult
    from motionary.transition import Transition

MOST_RESULTS = 32  # of searches, which `explain` and `feedback` may refer to
MOST_LISTS = 2  # of up to all clips
MOST_REGISTRATIONS = 8
MOST_LOADED = 4  # parametric motions, graphs
MOST_FRAMES_AT_ONCE = 10_000  # whose features a search computes itself, in a second or two; more are a job
TRIM_SECS = 5.0
TURN_SECS = 0.05
MOST_POSTERS = 20_000  # of 752 bytes each


class CallerGone(Exception):
    """Nobody waits for the answer any more."""


@dataclass(frozen=True, eq=False)
class Searched:
    """A search: its result, and what it was asked, so that another one can go on from there."""

    result: "SearchResult | PoseSearchResult | WebSearchResult"
    query: Segment | Path
    by: str
    keywords: Mapping[str, Any]  # of `search_bank`
    profile: "Profile | None" = None  # learned from judgements so far


@dataclass(frozen=True, eq=False)
class Registered:
    """Segments that were aligned with each other: those that fit, as text, and how."""

    registration: "Registration"
    segments: tuple[str, ...]
    options: "RegistrationOptions"
    rate_hz: float | None


@dataclass(frozen=True, eq=False)
class Pair:
    """Two transitions that somebody compares."""

    transitions: "tuple[Transition, ...]"
    secs: float


@dataclass(frozen=True)
class Upload:
    """A file that the page has sent."""

    file_id: str
    name: str
    path: Path
    n_bytes: int


class Studio:
    """The bank that is served, and what is kept in memory for it."""

    def __init__(self, path: Path) -> None:
        from motionary.server.figures import Figures

        self.banks = OpenBanks(path)
        self.name = path.name
        self.figures: Figures = Figures()
        self.events = Events(self.banks)
        self.jobs = Jobs(path, self.events, told=self.without_folders)
        self.uploads: dict[str, Upload] = {}
        self._results: LruCache[Searched] = LruCache(MOST_RESULTS)
        self._registrations: LruCache[Registered] = LruCache(MOST_REGISTRATIONS)
        self.parametrics: LruCache[KeptParametric] = LruCache(MOST_LOADED)
        self.graphs: LruCache[BuiltGraph] = LruCache(MOST_LOADED)
        self._pairs: LruCache[Pair] = LruCache(MOST_REGISTRATIONS)
        self.posters: LruCache[bytes] = LruCache(MOST_POSTERS)
        self.lists: LruCache[list[Clip]] = LruCache(MOST_LISTS)
        self._scratch = TemporaryDirectory(prefix="motionary-studio-")
        self._searching = threading.Lock()  # searches use all cores; one after another, each is answered sooner
        self._bank_to_search: Bank | None = None
        self._index: Index | None = None
        self._to_build: tuple[int, int] | None = None  # frames without features, index jobs that were done then
        self._trimmed_at = 0.0

    @property
    def scratch(self) -> Path:
        """A folder that only this user can read, gone when the server ends."""
        return Path(self._scratch.name)

    def without_folders(self, text: str) -> str:
        """A text for the page: it names no folder of this machine."""
        text = text.replace(str(self.banks.path), self.name)
        return re.sub(rf"{re.escape(str(self.scratch))}/(uploads/)?[^/\s]+/", "", text)

    def bank(self) -> AbstractContextManager[Bank]:
        """The bank, for one call."""
        return self.banks.one()

    def clips(self, bank: Bank, words: str, labels: tuple[str, ...]) -> list[Clip]:
        """The clips with these words and labels, by id."""
        key = (bank.newest_change, words, labels)
        return self.lists.get(key, lambda: bank.clips(words, labels=labels))

    @contextmanager
    def indexed_bank(self, gone: Callable[[], bool] = lambda: False) -> "Iterator[tuple[Bank, Index]]":
        """The bank and its index, loaded once and brought up to date, for one search after another.

        Whoever is `gone` when it is their turn, as a page that asks anew with every movement of a slider, is left out.
        """
        from motionary.library import build_features, check_features, frames_without_features
        from motionary.search import build_index, frames_to_learn_from

        with self._turn(gone):
            if self._bank_to_search is None:
                self._bank_to_search = self.banks.another()
            bank = self._bank_to_search
            if self._index is not None:
                try:
                    check_features(bank, self._index.features, called="the index", remedy="")
                except UsageError:
                    self._index = None  # clips came, went or changed
            if self._index is None:
                self._check_little_to_build(frames_without_features(bank))
                features = build_features(bank)
                self._check_little_to_build(frames_to_learn_from(bank, features))
                self._index = build_index(bank, features=features)
            yield bank, self._index
            if time.monotonic() - self._trimmed_at > TRIM_SECS:
                return_memory()
                self._trimmed_at = time.monotonic()

    def _check_little_to_build(self, n_frames: int) -> None:
        """Raise if building the index is a job, unless such a job could not keep it."""
        if n_frames <= MOST_FRAMES_AT_ONCE:
            return
        built = sum(job.kind == "index" and job.state == "done" for job in self.jobs.all())
        in_vain = self._to_build is not None and self._to_build[0] == n_frames and built > self._to_build[1]
        if not in_vain:
            self._to_build = (n_frames, built)
            raise UsageError(f"the index of {self.name} is not built yet; the job `index` builds it")

    @contextmanager
    def _turn(self, gone: Callable[[], bool]) -> Iterator[None]:
        while not self._searching.acquire(timeout=TURN_SECS):
            if gone():
                raise CallerGone
        try:
            if gone():
                raise CallerGone
            yield
        finally:
            self._searching.release()

    def keep_result(self, found: Searched) -> str:
        """A name by which later calls can refer to a result."""
        name = secrets.token_hex(8)
        self._results.put(name, found)
        return name

    def has_result(self, name: str) -> bool:
        """Whether an earlier search is still kept."""
        return self._results.find(name) is not None

    def result(self, name: str) -> Searched:
        """An earlier search."""
        found = self._results.find(name)
        if found is None:
            raise NotInBankError("that result is no longer kept; search again")
        return found

    def match(self, name: str, rank: int) -> "Match":
        """A match of an earlier search."""
        matches = self.result(name).result.matches
        if rank > len(matches):
            raise NotInBankError(f"that result has no match {rank}; it has {len(matches)}")
        return matches[rank - 1]

    def keep_registration(self, found: Registered) -> str:
        """A name by which blends can refer to a registration."""
        name = secrets.token_hex(8)
        self._registrations.put(name, found)
        return name

    def registration(self, name: str) -> Registered:
        """An earlier registration."""
        found = self._registrations.find(name)
        if found is None:
            raise NotInBankError("that registration is no longer kept; register again")
        return found

    def keep_pair(self, pair: Pair) -> str:
        """A name by which a verdict can refer to a pair."""
        name = secrets.token_hex(8)
        self._pairs.put(name, pair)
        return name

    def pair(self, name: str) -> Pair:
        """An earlier pair."""
        found = self._pairs.find(name)
        if found is None:
            raise NotInBankError("that pair is no longer kept; ask for another one")
        return found

    def upload(self, file_id: str) -> Upload:
        """A file that was uploaded."""
        if file_id not in self.uploads:
            raise NotInBankError("that upload is not here; upload the file again")
        return self.uploads[file_id]

    def close(self) -> None:
        """Close the bank; what was uploaded is deleted."""
        self.jobs.close()
        self.banks.close()
        self._scratch.cleanup()


def return_memory() -> None:
    """Give back what searches have freed: the C library keeps it, 40 MB after some searches of CMU."""
    with suppress(OSError, AttributeError):  # another C library than glibc
        ctypes.CDLL(None).malloc_trim(0)
