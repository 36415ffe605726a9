"""Measures: what a parametric motion is steered by. Each maps a blend to a few numbers.

A measure is written as a text: `RightHand@apex`, `end`, `lowest:Hips`, `speed`, `heel:left`, `mean-turning:Spine2`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np

from motionary.blend import BlendSource, Registration
from motionary.errors import SkeletonError, UsageError
from motionary.motion import rotations
from motionary.parametric.views import BlendView
from motionary.rig import PARTS, Body

HALF_INCH = 0.0127
HEADING_WITHIN = np.radians(1.0)
ON_ITS_WAY_SECS = 0.03  # of its way: what a joint that moves counts less than one that is as far and rests
APEX_SECS = 0.25  # around the moment at which all examples together are at their apex


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number that a measure gives."""

    name: str
    unit: str
    tolerance: float  # what counts as the same; distances in parameter space are in these
    wraps: bool = False  # an angle: 359° is next to 1°


@dataclass(frozen=True)
class Measure:
    """Maps a blend to parameters. Subclasses register under the word that their text begins with."""

    kinds: ClassVar[dict[str, type["Measure"]]] = {}

    def __init_subclass__(cls, kind: str = "", **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if kind:
            Measure.kinds[kind] = cls

    @property
    def text(self) -> str:
        """How the measure is written."""
        raise NotImplementedError

    def parameters(self) -> tuple[Parameter, ...]:
        raise NotImplementedError

    def of(self, view: BlendView) -> np.ndarray:
        """The values (D,) of a blend."""
        raise NotImplementedError

    def apexes(self, registration: Registration) -> np.ndarray | None:  # noqa: ARG002
        """Frames (N,) of the sources in which what is measured happens; None if that is at no single moment."""
        return None

    def settled(self, registration: Registration) -> "Measure":  # noqa: ARG002
        """The measure with its moment found on the clock of a registration."""
        return self


def _places(name: str) -> tuple[Parameter, ...]:
    return tuple(Parameter(f"{name} {axis}", "m", HALF_INCH) for axis in ("left", "up", "ahead"))


@dataclass(frozen=True)
class JointPlace(Measure, kind="joint"):
    """Where a joint is at one moment, seen from where the motion starts: left, up, ahead.

    The moment is "apex" (where the joint is farthest from how it was held at the start), "start", "end", or a share of
    the clock from 0 to 1.
    """

    joint: str
    at: str = "apex"
    clock: float | None = None

    @property
    def text(self) -> str:
        return f"{self.joint}@{self.at}"

    def parameters(self) -> tuple[Parameter, ...]:
        return _places(self.joint)

    def of(self, view: BlendView) -> np.ndarray:
        assert self.clock is not None
        return view.joint_at(joint_of(view.body, self.joint), self.clock)

    def apexes(self, registration: Registration) -> np.ndarray | None:
        return apexes_of(registration, joint_of(registration.body, self.joint)) if self.at == "apex" else None

    def settled(self, registration: Registration) -> "Measure":
        return replace(self, clock=_moment(self, self.at, registration))


@dataclass(frozen=True)
class CentrePlace(Measure, kind="centre"):
    """Where the centre of mass is at one moment: left, up, ahead."""

    at: str = "end"
    clock: float | None = None

    @property
    def text(self) -> str:
        return f"centre@{self.at}"

    def parameters(self) -> tuple[Parameter, ...]:
        return _places("centre of mass")

    def of(self, view: BlendView) -> np.ndarray:
        assert self.clock is not None
        return view.centre_at(self.clock)

    def settled(self, registration: Registration) -> "Measure":
        return replace(self, clock=_moment(self, self.at, registration))


@dataclass(frozen=True)
class RootEnd(Measure, kind="end"):
    """Where the root ends, seen from its start: left, ahead; and its heading, unless `heading` is False."""

    heading: bool = False

    @property
    def text(self) -> str:
        return "end+heading" if self.heading else "end"

    def parameters(self) -> tuple[Parameter, ...]:
        places = tuple(Parameter(f"end {axis}", "m", HALF_INCH) for axis in ("left", "ahead"))
        return (*places, Parameter("end heading", "rad", 2.0 * HEADING_WITHIN, True)) if self.heading else places

    def of(self, view: BlendView) -> np.ndarray:
        place = view.root[-1, [0, 2]] - view.root[0, [0, 2]]
        return np.array([*place, view.headings[-1]]) if self.heading else np.asarray(place)


@dataclass(frozen=True)
class RootHeading(Measure, kind="heading"):
    """By how much the body has turned at the end."""

    @property
    def text(self) -> str:
        return "heading"

    def parameters(self) -> tuple[Parameter, ...]:
        return (Parameter("heading", "rad", 2.0 * HEADING_WITHIN, True),)

    def of(self, view: BlendView) -> np.ndarray:
        return np.array([view.headings[-1] - view.headings[0]])


@dataclass(frozen=True)
class JointHeight(Measure, kind="height"):
    """The lowest or highest height of a joint."""

    joint: str
    which: Literal["lowest", "highest"] = "lowest"

    @property
    def text(self) -> str:
        return f"{self.which}:{self.joint}"

    def parameters(self) -> tuple[Parameter, ...]:
        return (Parameter(f"{self.which} {self.joint}", "m", 0.5 * HALF_INCH),)

    def of(self, view: BlendView) -> np.ndarray:
        heights = view.joint(joint_of(view.body, self.joint))[:, 1]
        return np.array([heights.min() if self.which == "lowest" else heights.max()])


@dataclass(frozen=True)
class HeelHeight(Measure, kind="heel"):
    """How high a heel stands at the end: that of a platform that was stepped on."""

    foot: Literal["left", "right"] = "left"

    @property
    def text(self) -> str:
        return f"heel:{self.foot}"

    def parameters(self) -> tuple[Parameter, ...]:
        return (Parameter(f"{self.foot} heel height", "m", 0.5 * HALF_INCH),)

    def of(self, view: BlendView) -> np.ndarray:
        feet, i = view.body.feet, ("left", "right").index(self.foot)
        joint = int(feet.joints[i, 0])
        turned = rotations.rotate(view.last_orientation(joint), feet.offsets[i, 0])
        return np.array([view.joint_at(joint, float(view.clock[-1]))[1] + turned[1]])


@dataclass(frozen=True)
class MeanSpeed(Measure, kind="speed"):
    """The mean speed of the root over the ground."""

    @property
    def text(self) -> str:
        return "speed"

    def parameters(self) -> tuple[Parameter, ...]:
        return (Parameter("speed", "m/s", 0.02),)

    def of(self, view: BlendView) -> np.ndarray:
        return np.array([_way(view) / max(float(view.secs[-1] - view.secs[0]), 1e-9)])


@dataclass(frozen=True)
class MeanCurvature(Measure, kind="curvature"):
    """How much the path turns for each metre, to the left."""

    @property
    def text(self) -> str:
        return "curvature"

    def parameters(self) -> tuple[Parameter, ...]:
        return (Parameter("curvature", "rad/m", 0.02),)

    def of(self, view: BlendView) -> np.ndarray:
        return np.array([(view.headings[-1] - view.headings[0]) / max(_way(view), 0.05)])


@dataclass(frozen=True)
class Turning(Measure, kind="turning"):
    """The least, mean or greatest angular speed of a joint in the world."""

    joint: str
    which: Literal["least", "mean", "greatest"] = "mean"

    @property
    def text(self) -> str:
        return f"{self.which}-turning:{self.joint}"

    def parameters(self) -> tuple[Parameter, ...]:
        return (Parameter(f"{self.which} turning of {self.joint}", "rad/s", 0.05),)

    def of(self, view: BlendView) -> np.ndarray:
        turned = view.orientation(joint_of(view.body, self.joint))
        speeds = rotations.angle_between(turned[:-1], turned[1:]) / np.maximum(np.diff(view.secs), 1e-9)
        spent = np.diff(view.secs)
        values = {"least": speeds.min(), "mean": float((speeds * spent).sum() / spent.sum()), "greatest": speeds.max()}
        return np.array([values[self.which]])


@dataclass(frozen=True)
class Computed(Measure):
    """Whatever a Python function makes of joint positions (F, J, 3) and orientations (F, J, 4), from the origin."""

    function: Callable[[np.ndarray, np.ndarray], Any] = field(compare=False)
    names: tuple[str, ...]
    tolerances: tuple[float, ...] = ()
    unit: str = ""

    def __post_init__(self) -> None:
        if self.tolerances and (len(self.tolerances) != len(self.names) or not min(self.tolerances) > 0.0):
            raise UsageError(f"the measure {self.text} needs a tolerance above 0 for each of {len(self.names)} numbers")

    @property
    def text(self) -> str:
        return f"python:{','.join(self.names)}"

    def parameters(self) -> tuple[Parameter, ...]:
        tolerances = self.tolerances or (HALF_INCH,) * len(self.names)
        return tuple(Parameter(name, self.unit, t) for name, t in zip(self.names, tolerances, strict=True))

    def of(self, view: BlendView) -> np.ndarray:
        motion = view.motion()
        try:
            values = np.atleast_1d(np.asarray(self.function(motion.positions_world, motion.rotations_world), float))
        except Exception as error:
            raise UsageError(f"the measure {self.text} failed: {type(error).__name__}: {error}") from error
        if values.shape != (len(self.names),):
            raise UsageError(f"the measure {self.text} gave {values.size} numbers, expected {len(self.names)}")
        return values


def apexes_of(registration: Registration, joint: int) -> np.ndarray:
    """The frames (N,) of the sources in which a joint is farthest from how it was held at first, seen from the hips.

    One source alone may tell the wrong time, as when a foot is swung back farther than it kicks. On the clock, all of
    them agree; of each source it is the time near that one at which the joint turns back.
    """
    away = [_reached(source, joint) for source in registration.sources]
    shares = [
        np.interp(curve, np.arange(len(own)), own / max(float(own.max()), 1e-9))
        for own, curve in zip(away, registration.curves, strict=True)
    ]
    moment = int(np.argmax(np.mean(shares, axis=0)))
    reach = max(1, round(APEX_SECS / registration.frame_time))
    found = []
    for own, curve in zip(away, registration.curves, strict=True):
        low, high = max(round(curve[moment]) - reach, 1), min(round(curve[moment]) + reach, len(own) - 2)
        at = low + int(np.argmax(own[low : high + 1])) if low <= high else 0
        turns_back = low <= high and own[at - 1] <= own[at] >= own[at + 1]
        found.append(float(at) if turns_back else float(curve[moment]))
    return np.array(found)


def _reached(source: BlendSource, joint: int) -> np.ndarray:
    """(F,) metres that a joint is from how it was held at first, seen from the hips; fewer while it is on its way."""
    places = source.motion.positions_world
    held = places[:, joint] - places[:, source.body.body_map.hips]
    speeds = np.linalg.norm(np.gradient(held, source.motion.frame_time, axis=0), axis=1)
    return np.asarray(np.linalg.norm(held - held[0], axis=1) - ON_ITS_WAY_SECS * speeds)


def joint_of(body: Body, name: str) -> int:
    """A joint by its own name, or by that of a part of the body."""
    if name in body.skeleton.names:
        return body.skeleton.index(name)
    if name in body.body_map.joints:
        return body.body_map.joints[name]
    if name == "Hips":
        return body.body_map.hips
    parts = [part for part in PARTS if part in body.body_map.joints]
    raise SkeletonError(f"no joint or part is called {name!r}; there are {', '.join([*parts, *body.skeleton.names])}")


def measure_named(text: str) -> Measure:
    """The measure that is written like this."""
    head, _, tail = text.partition(":")
    if text in ("end", "end+heading"):
        return RootEnd(text.endswith("heading"))
    if text in ("speed", "curvature", "heading"):
        return {"speed": MeanSpeed, "curvature": MeanCurvature, "heading": RootHeading}[text]()
    if head in ("lowest", "highest") and tail:
        return JointHeight(tail, head)  # type: ignore[arg-type]
    if head == "heel" and tail in ("left", "right"):
        return HeelHeight(tail)  # type: ignore[arg-type]
    if head.endswith("-turning") and head.split("-")[0] in ("least", "mean", "greatest") and tail:
        return Turning(tail, head.split("-")[0])  # type: ignore[arg-type]
    joint, at, moment = text.partition("@")
    if at and joint:
        _check_moment(moment, text)
        return CentrePlace(moment) if joint == "centre" else JointPlace(joint, moment)
    raise UsageError(f"{text!r} is not a measure; choose from {', '.join(EXAMPLES)}")


EXAMPLES = (
    "RightHand@apex", "Head@end", "Hips@0.5", "end", "end+heading", "heading", "lowest:Hips", "highest:LeftFoot",
    "heel:left", "speed", "curvature", "mean-turning:Hips", "centre@end",
)  # fmt: skip


def all_parameters(measures: Sequence[Measure]) -> tuple[Parameter, ...]:
    """The parameters of measures, one after the other."""
    found = tuple(parameter for measure in measures for parameter in measure.parameters())
    if not found:
        raise UsageError(f"a parametric motion needs a measure, such as {', '.join(EXAMPLES[:4])}")
    return found


def values_of(measures: Sequence[Measure], view: BlendView) -> np.ndarray:
    """The values (D,) of all measures; raises where one of them is not a number."""
    found = np.concatenate([measure.of(view) for measure in measures])
    if not np.isfinite(found).all():
        bad = [m.text for m in measures if not np.isfinite(m.of(view)).all()]
        raise UsageError(f"the measure {', '.join(bad)} is not a number for this blend. Check what it divides by")
    return found


def given_values(values: Mapping[str, Sequence[float] | float], names: Sequence[str]) -> np.ndarray:
    """Values (N, D) that a user gives for every example by name."""
    missing = [name for name in names if name not in values]
    if missing:
        raise UsageError(f"no value is given for {', '.join(missing)}")
    found = [given_numbers(name, values[name]) for name in names]
    uneven = [name for name, row in zip(names, found, strict=True) if row.shape != found[0].shape]
    if uneven or found[0].ndim != 1:
        raise UsageError(f"every example needs the same number of values; {(uneven or names)[0]} has others")
    rows = np.array(found)
    if not np.isfinite(rows).all():
        raise UsageError("a given value is not a finite number")
    return rows


def given_numbers(name: str, values: Sequence[float] | float) -> np.ndarray:
    """The values (D,) that a user gives for one example."""
    try:
        return np.atleast_1d(np.asarray(values, dtype=float))
    except (TypeError, ValueError):
        raise UsageError(
            f"the value of {name} must be a number or a list of numbers, such as 0.2 or [0.2, 1], not {values!r}"
        ) from None


def _check_moment(moment: str, text: str) -> None:
    if moment in ("apex", "start", "end"):
        return
    try:
        share = float(moment)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise UsageError(f"{text!r}: the moment is apex, start, end or a share from 0 to 1, not {moment!r}")


def _moment(measure: Measure, at: str, registration: Registration) -> float:
    last = registration.n_clock - 1.0
    if at in ("start", "end"):
        return 0.0 if at == "start" else last
    if at == "apex":
        frames = measure.apexes(registration)
        if frames is None:
            raise UsageError(f"{measure.text} has no apex; name a share from 0 to 1 instead")
        return float(np.median([registration.clock_at(i, frame) for i, frame in enumerate(frames.tolist())]))
    return float(at) * last


def _way(view: BlendView) -> float:
    return float(np.linalg.norm(np.diff(view.root[:, [0, 2]], axis=0), axis=1).sum())
