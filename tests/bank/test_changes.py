"""Undoing, in any order, against a plain model of what a bank should hold."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bank.small_banks import all_rows, recording
from motionary.bank import Bank, Label
from motionary.errors import BankError, UserError
from motionary.ik import Target
from motionary.plants import Plant

NAMES = st.sampled_from(["walk", "run", "a:1-2", "ö", "walk~2"])
LABELS = st.sampled_from([("calm", None), ("calm", (0, 2)), ("fast", None), ("fast", (1, 4))])


class Refused(Exception):
    """The model says that this cannot be done."""


class Model:
    """Clips and labels in dictionaries; changes as lists of (key, before, after)."""

    def __init__(self) -> None:
        self.clips: dict[int, tuple[str, int]] = {}  # name, seed of the frames
        self.labels: dict[int, tuple[int, str, tuple[int, int] | None]] = {}
        self.changes: dict[int, list[tuple[tuple[str, int], object, object]]] = {}
        self.undoes: dict[int, int] = {}
        self.purged: set[int] = set()
        self.next_clip = self.next_label = self.next_change = 1

    def table(self, kind: str) -> dict[int, object]:
        return self.clips if kind == "clip" else self.labels  # type: ignore[return-value]

    @contextmanager
    def change(self, undoes: int | None = None) -> Iterator[list[tuple[tuple[str, int], object, object]]]:
        kept = dict(self.clips), dict(self.labels)
        steps: list[tuple[tuple[str, int], object, object]] = []
        try:
            yield steps
            if len({name for name, _ in self.clips.values()}) < len(self.clips):
                raise Refused
            if len(set(self.labels.values())) < len(self.labels):
                raise Refused
            if any(clip not in self.clips for clip, _, _ in self.labels.values()):
                raise Refused
        except Refused:
            self.clips, self.labels = kept
            raise
        if steps:
            self.changes[self.next_change] = steps
            if undoes is not None:
                self.undoes[self.next_change] = undoes
            self.next_change += 1

    def put(self, steps: list, kind: str, key: int, value: object | None) -> None:
        table = self.table(kind)
        steps.append(((kind, key), table.get(key), value))
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value

    def holds(self, change: int) -> bool:
        """A change holds unless an undo of it holds."""
        return not any(self.holds(by) for by, of in self.undoes.items() if of == change and by in self.changes)

    def undo(self, change: int) -> None:
        if change in self.purged or not self.holds(change):
            raise Refused
        with self.change(undoes=change) as steps:
            for (kind, key), before, after in reversed(self.changes[change]):
                if self.table(kind).get(key) != after:
                    raise Refused
                self.put(steps, kind, key, before)
                if kind == "clip" and len({name for name, _ in self.clips.values()}) < len(self.clips):
                    raise Refused

    def newest(self) -> int:
        able = [c for c in self.changes if c not in self.undoes and c not in self.purged and self.holds(c)]
        if not able:
            raise Refused
        return max(able)

    def purge(self, clip: int) -> None:
        labels_of_clip = {
            key: value
            for steps in self.changes.values()
            for (kind, key), before, after in steps
            for value in (before, after)
            if kind == "label" and value is not None and value[0] == clip  # type: ignore[index]
        }
        self.clips.pop(clip, None)
        self.labels = {key: value for key, value in self.labels.items() if value[0] != clip}
        for change, steps in self.changes.items():
            left = [
                s for s in steps if s[0] != ("clip", clip) and not (s[0][0] == "label" and s[0][1] in labels_of_clip)
            ]
            if steps and not left:
                self.purged.add(change)
            self.changes[change] = left
        self.next_change += 1


class BankAgainstModel(RuleBasedStateMachine):
    """After every step the bank holds what the model holds, and nothing is damaged."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.bank = Bank.open(Path(self.folder.name) / "a.bank", create=True)
        self.bank.connection.execute("PRAGMA synchronous = OFF")
        self.model = Model()
        self.seed = 0

    def teardown(self) -> None:
        self.bank.close()
        self.folder.cleanup()

    @contextmanager
    def both(self) -> Iterator[None]:
        """What the model refuses, the bank must refuse, and leave no trace of."""
        before = all_rows(self.bank)
        try:
            yield
        except Refused:
            assert all_rows(self.bank) == before

    @rule(name=NAMES, labels=st.lists(LABELS, max_size=2))
    def add(self, name: str, labels: list) -> None:
        self.seed += 1
        with self.both():
            try:
                with self.model.change() as steps:
                    clip = self.model.next_clip
                    self.model.put(steps, "clip", clip, (name, self.seed))
                    self._model_label(steps, clip, labels)
            except Refused:
                with pytest.raises(BankError, match="already exists"):
                    self.bank.add(name, recording(self.seed), labels=self._labels(labels))
                raise
            self.model.next_clip += 1
            assert self.bank.add(name, recording(self.seed), labels=self._labels(labels)) == clip

    @precondition(lambda self: self.model.clips)
    @rule(data=st.data(), name=NAMES)
    def rename(self, data: st.DataObject, name: str) -> None:
        clip = data.draw(st.sampled_from(sorted(self.model.clips)))
        old, seed = self.model.clips[clip]
        with self.both():
            if name == old:
                self.bank.rename(clip, name)
                return
            try:
                with self.model.change() as steps:
                    self.model.put(steps, "clip", clip, (name, seed))
            except Refused:
                with pytest.raises(BankError, match="already exists"):
                    self.bank.rename(clip, name)
                raise
            assert self.bank.rename(old if ":" not in old else clip, name).name == name

    @precondition(lambda self: self.model.clips)
    @rule(data=st.data(), labels=st.lists(LABELS, min_size=1, max_size=2))
    def label(self, data: st.DataObject, labels: list) -> None:
        clip = data.draw(st.sampled_from(sorted(self.model.clips)))
        with self.model.change() as steps:
            n_new = self._model_label(steps, clip, labels)
        assert self.bank.add_labels(self.bank.clip(clip), self._labels(labels)) == n_new

    @precondition(lambda self: self.model.clips)
    @rule(data=st.data(), whole=st.booleans())
    def unlabel(self, data: st.DataObject, whole: bool) -> None:
        clip = data.draw(st.sampled_from(sorted(self.model.clips)))
        gone = {
            key
            for key, (of, _, interval) in self.model.labels.items()
            if of == clip and (whole or (interval is not None and interval[1] <= 2))
        }
        with self.model.change() as steps:
            for key in sorted(gone):
                self.model.put(steps, "label", key, None)
        assert self.bank.unlabel([f"#{clip}" if whole else f"#{clip}:0-2"]) == len(gone)

    @precondition(lambda self: self.model.clips)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        clips = data.draw(st.lists(st.sampled_from(sorted(self.model.clips)), min_size=1, max_size=2))
        with self.model.change() as steps:
            for clip in dict.fromkeys(clips):
                for key in [key for key, value in self.model.labels.items() if value[0] == clip]:
                    self.model.put(steps, "label", key, None)
                self.model.put(steps, "clip", clip, None)
        self.bank.remove(clips)

    @rule()
    def undo_newest(self) -> None:
        self._undo(None)

    @precondition(lambda self: self.model.changes)
    @rule(data=st.data())
    def undo_any(self, data: st.DataObject) -> None:
        self._undo(data.draw(st.sampled_from(sorted(self.model.changes, reverse=True)[:8])))

    @precondition(lambda self: self.model.next_clip > 1)
    @rule(data=st.data())
    def purge(self, data: st.DataObject) -> None:
        known = {key for steps in self.model.changes.values() for (kind, key), _, _ in steps if kind == "clip"}
        if known:
            clip = data.draw(st.sampled_from(sorted(known)))
            self.model.purge(clip)
            assert len(self.bank.purge([f"#{clip}"])) == 1

    @invariant()
    def they_hold_the_same(self) -> None:
        clips = self.bank.clips()
        assert {clip.id: clip.name for clip in clips} == {key: name for key, (name, _) in self.model.clips.items()}
        for clip in clips:
            found = Counter(
                (label.name, None if label.start is None else (label.start, label.stop))
                for label in self.bank.labels(clip)
            )
            assert found == Counter((n, where) for of, n, where in self.model.labels.values() if of == clip.id)
            assert (self.bank.recording(clip.id).values == recording(self.model.clips[clip.id][1]).values).all(where=[
                True, True, True, False, False, False, False, False, False
            ])  # fmt: skip
        log = {change.id: change for change in self.bank.log()}
        for change, steps in self.model.changes.items():
            assert log[change].n_rows == len(steps)
            assert log[change].permanent == (change in self.model.purged)
            assert (log[change].undone_by is None) == self.model.holds(change), f"change {change}"
        assert self.bank.check() == []

    def _undo(self, change: int | None) -> None:
        with self.both():
            try:
                chosen = self.model.newest() if change is None else change
                self.model.undo(chosen)
            except Refused:
                with pytest.raises(BankError):
                    self.bank.undo(change)
                raise
            assert self.bank.undo(change).id == chosen

    def _model_label(self, steps: list, clip: int, labels: list) -> int:
        n_new = 0
        for name, interval in labels:
            if (clip, name, interval) not in self.model.labels.values():
                self.model.put(steps, "label", self.model.next_label, (clip, name, interval))
                self.model.next_label += 1
                n_new += 1
        return n_new

    def _labels(self, labels: list) -> list[Label]:
        return [Label(name, *(interval or (None, None))) for name, interval in labels]


BankAgainstModel.TestCase.settings = settings(max_examples=30, stateful_step_count=25)
test_any_order_of_changes_and_undos = BankAgainstModel.TestCase


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        yield bank


def test_reals_come_back_to_the_bit(bank: Bank) -> None:
    places = [
        (0.1 + 0.2, 1 / 3, 0.0),
        (5e-324, 1.7976931348623157e308, 2**53 + 1.0),
        (1e-7, -123456.789012345678, 1e22),
    ]
    plants = [Plant("left", "heel", i, i + 1, place) for i, place in enumerate(places)]
    targets = [Target("Hips", i, place) for i, place in enumerate(places)]
    clip = bank.add("walk", recording(), plants=plants, targets=targets, labels=[Label("x", strength=1 / 3)])

    bank.remove([clip])
    bank.undo()

    assert bank.plants(clip) == plants
    assert bank.targets(clip) == targets
    assert bank.labels(clip) == [Label("x", strength=1 / 3)]
    assert [value.hex() for t in bank.targets(clip) for value in t.place] == [v.hex() for p in places for v in p]


def test_what_cannot_be_undone_says_why(bank: Bank) -> None:
    clip = bank.add("walk", recording())
    bank.rename(clip, "stroll")
    bank.rename(clip, "amble")

    with pytest.raises(
        BankError, match=r"change 2 \(rename walk to stroll\) cannot be undone: change 3 \(rename stroll"
    ):
        bank.undo(2)
    with pytest.raises(BankError, match="there is no change 99; `log` lists them"):
        bank.undo(99)
    bank.undo(3)
    with pytest.raises(BankError, match=r"is already undone, by change 4; `undo 4` redoes it"):
        bank.undo(3)
    bank.remove([clip])
    bank.add("stroll", recording(1))
    with pytest.raises(BankError, match="a clip named 'stroll' exists now; rename it first"):
        bank.undo(5)


def test_a_later_label_keeps_its_clip(bank: Bank) -> None:
    bank.add("walk", recording())
    bank.label(["walk"], ["calm"])

    with pytest.raises(BankError, match="would leave labels without their clip #1; undo the later changes first"):
        bank.undo(1)
    bank.undo()
    bank.undo()
    assert bank.clips() == []


def test_a_label_given_again_is_not_doubled_by_an_undo(bank: Bank) -> None:
    bank.add("walk", recording(), labels=[Label("calm")])
    bank.unlabel(["walk"])
    bank.label(["walk"], ["calm"])

    with pytest.raises(BankError, match="the label 'calm' was added again; remove it first"):
        bank.undo(2)
    assert bank.labels(1) == [Label("calm")]


def test_undo_and_redo_again_and_again(bank: Bank) -> None:
    bank.add("walk", recording())
    newest = 1
    for _ in range(4):
        bank.undo(newest)
        newest += 1
        assert bank.clips() == []
        assert [c.undone_by is None for c in bank.log()][-1] is False
        bank.undo(newest)
        newest += 1
        assert [clip.name for clip in bank.clips()] == ["walk"]
        assert [c.undone_by is None for c in bank.log()][-1] is True
    assert bank.undo().id == 1


def test_nothing_done_leaves_no_entry(bank: Bank) -> None:
    bank.add("walk", recording(), labels=[Label("calm")])
    assert bank.label(["walk"], ["calm"]) == 0
    assert bank.unlabel(["walk"], ["fast"]) == 0
    bank.rename("walk", "walk")
    bank.remove([])

    assert [change.command for change in bank.log()] == ["add walk"]
    bank.rename("walk", "run")
    assert [change.id for change in bank.log()] == [2, 1]  # what changed nothing has used up no number


def test_several_changes_as_one(bank: Bank) -> None:
    with bank.change("set up"):
        bank.add("walk", recording())
        bank.label(["walk:1-3"], ["calm"])
        with pytest.raises(UserError):
            bank.add("run", recording(1), labels=[Label("late", 2, 40)])  # taken back alone, whole
        bank.rename("walk", "stroll")
        with pytest.raises(BankError, match="cannot be part of another change"):
            bank.undo()

    assert [clip.name for clip in bank.clips()] == ["stroll"]
    assert [change.command for change in bank.log()] == ["set up"]
    bank.undo()
    assert bank.clips() == []
    assert bank.check() == []


def test_a_failed_change_is_no_change(bank: Bank) -> None:
    bank.add("walk", recording())
    before = all_rows(bank)

    def fail() -> None:
        with bank.change("break"):
            bank.remove(["walk"])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    assert all_rows(bank) == before
