"""Calls that blend, and that steer parametric motions: answers come while a handle is dragged."""

from typing import Annotated, Any, Literal

import numpy as np
from fastapi import APIRouter, Path
from fastapi.responses import Response
from pydantic import Field

from motionary.bank import Bank
from motionary.blend import Registration, RegistrationOptions, blend
from motionary.errors import NotInBankError, UsageError
from motionary.library import ExampleReference, examples_of
from motionary.motion import Motion, Segment
from motionary.parametric import (
    AskedMotion,
    KeptParametric,
    ask_parametric,
    blend_segments,
    keep_blend,
    kept_parametric,
    register_segments,
)
from motionary.server.answering import Answer
from motionary.server.changing import one_change
from motionary.server.clip_calls import Open
from motionary.server.playing import FRAMED, ClipName, Hz, played
from motionary.server.segments import SegmentBody, Strict
from motionary.server.studio import Registered, Studio

MOST_SAMPLES = 1_000  # of a region that are sent
Name = Annotated[str, Field(min_length=1, max_length=200)]
NameInPath = Annotated[str, Path(min_length=1, max_length=200)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Numbers = Annotated[list[Number], Field(min_length=1, max_length=1_000)]


class RegisterBody(Strict):
    """Segments to be aligned with each other, or the matches of a selection, or what carries labels."""

    segments: Annotated[list[SegmentBody], Field(max_length=500)] = []
    selection: Name | None = None
    labels: list[Name] = []
    mirror: bool = False
    slope_limit: Annotated[float, Field(ge=1, le=10)] = 3.0
    paths: Literal["graph", "direct"] = "graph"
    rate_hz: Hz | None = None


class BlendBody(Strict):
    """A blend of registered segments; `keep` makes it a clip."""

    registration: Annotated[str, Field(max_length=64)]
    weights: Numbers | list[Numbers] | None = None
    groups: dict[str, Numbers] = {}
    clean_up: bool = True
    hz: Hz = 30.0
    keep: ClipName | None = None


class AskBody(Strict):
    """What a parametric motion is asked for: values, or a path of values over some seconds."""

    values: dict[str, Number] | Numbers | None = None
    path: list[Numbers] | None = None
    secs: Annotated[float | None, Field(gt=0, le=600)] = None
    corrections: Annotated[int, Field(ge=0, le=20)] = 5
    clean_up: bool = True
    hz: Hz = 30.0
    keep: ClipName | None = None


class RegistrationAnswer(Open):
    registration: str
    reference: str
    clock_frames: int
    rate_hz: float
    plants: list[dict[str, Any]]
    sources: list[dict[str, Any]]
    left_out: list[dict[str, Any]]
    curves: list[list[float]]


class ParametricListed(Open):
    parametric: str
    measures: list[str]
    examples: int


class ParametricList(Open):
    parametrics: list[ParametricListed]


class ParametricAnswer(Open):
    parametric: str
    parameters: list[dict[str, Any]]
    examples: list[dict[str, Any]]
    region: list[list[float]]
    measures: list[str]


class KeptClip(Open):
    clip_id: int
    change: int | None


def blend_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(tags=["blending"])

    @router.post("/blend/register", response_model=RegistrationAnswer)
    def register(body: RegisterBody) -> Response:
        """Align segments, and say how well they fit and which do not; `registration` names it for blends."""
        options = RegistrationOptions(slope_limit=body.slope_limit, paths=body.paths)
        with studio.bank() as bank:
            texts = [f"{'~' if one.mirrored else ''}{_text(one.of(bank))}" for one in body.segments]
            texts += [] if body.selection is None else [f"@{bank.selection(body.selection).name}"]
            examples = examples_of(bank, texts, labels=body.labels, mirror=body.mirror)
            texts = [f"{'~' if one.mirrored else ''}{_text(one)}" for one in examples]
            found = register_segments(bank, texts, options=options, rate_hz=body.rate_hz)
        refused = {spoiler.number for spoiler in found.spoilers}
        fitting = [text for number, text in enumerate(texts) if number not in refused]
        key = studio.keep_registration(Registered(found, tuple(fitting), options, body.rate_hz))
        return Answer(found.as_json() | {"registration": key, "curves": _curves(found)})

    @router.post("/blend", response_model=KeptClip, responses=FRAMED)
    def blended(body: BlendBody) -> Response:
        """The blend by weights, which sum to 1: one for each source, or rows of them over time."""
        kept = studio.registration(body.registration)
        found = kept.registration
        weights = [1.0 / found.n_sources] * found.n_sources if body.weights is None else body.weights
        if body.keep is None:
            made = blend(found, _array(weights), groups=body.groups or None, clean_up=body.clean_up)
            return played(studio, made.as_json(), [made.motion], hz=body.hz)
        with studio.bank() as bank, one_change(bank, f"blend {body.keep}") as written:
            made_of = blend_segments(  # as the command line does, so that it can be made again from its recipe
                bank,
                kept.segments,
                _array(weights),
                groups=body.groups or None,
                options=kept.options,
                rate_hz=kept.rate_hz,
                clean_up=body.clean_up,
            )
            clip_id = keep_blend(bank, body.keep, made_of)
        return Answer({"clip_id": clip_id, "change": written.change})

    @router.get("/parametric", response_model=ParametricList)
    def parametrics() -> Response:
        """The parametric motions that the bank keeps."""
        with studio.bank() as bank:
            listed = [(name, bank.parametric(name)) for name in bank.parametrics()]
        return Answer(
            {
                "parametrics": [
                    {"parametric": name, "measures": content["measures"], "examples": len(content["examples"])}
                    for name, content in listed
                ]
            }
        )

    @router.get("/parametric/{name}", response_model=ParametricAnswer)
    def parametric(name: NameInPath) -> Response:
        """A parametric motion: its parameters, its examples, and samples of the region that it reaches."""
        with studio.bank() as bank:
            kept = _kept(studio, bank, name)
        values = kept.motion.samples.values
        step = max(1, -(-len(values) // MOST_SAMPLES))
        return Answer(kept.as_json() | {"region": np.round(values[::step], 5)})

    @router.post("/parametric/{name}/ask", response_model=KeptClip, responses=FRAMED)
    def ask(name: NameInPath, body: AskBody) -> Response:
        """The motion for values, or along a path of them. For answers while something is dragged: few corrections, no
        clean-up."""
        if (body.values is None) == (body.path is None):
            raise UsageError("ask for values or for a path")
        if body.keep is None and body.values is not None:
            with studio.bank() as bank:
                kept = _kept(studio, bank, name)
            answer = kept.motion.ask(body.values, corrections=body.corrections, finished=body.clean_up)
            made = answer.motion(clean_up=body.clean_up)
            motion: Motion = made.registration.on_own_root(made.motion)
            return played(studio, answer.as_json() | {"parametric": name}, [motion], hz=body.hz)
        with studio.bank() as bank:
            asked: AskedMotion = ask_parametric(
                bank,
                name,
                body.values,
                path=body.path,
                secs=body.secs,
                corrections=body.corrections,
                clean_up=body.clean_up,
            ).motions[0]
            if body.keep is None:
                return played(studio, asked.as_json(), [asked.motion], hz=body.hz)
            with one_change(bank, f"parametric ask {body.keep}") as written:
                clip_id = keep_blend(bank, body.keep, asked)
        return Answer({"clip_id": clip_id, "change": written.change})

    @router.delete("/parametric/{name}", response_model=KeptClip)
    def remove(name: NameInPath) -> Response:
        """Remove a parametric motion; its examples stay."""
        with studio.bank() as bank, one_change(bank, f"parametric rm {name}") as written:
            bank.remove_parametric(name)
        return Answer({"clip_id": 0, "change": written.change})

    return router


def _text(one: Segment | ExampleReference) -> str:
    return f"#{one.clip_id}:{one.start}-{one.stop}"


def _array(weights: Any) -> np.ndarray:
    try:
        return np.asarray(weights, dtype=float)
    except ValueError as error:
        raise UsageError("rows of weights must have one weight for each source") from error


def _curves(found: Registration) -> list[list[float]]:
    """For each source its frame at each frame of the clock, for a picture of the warps."""
    return [[round(float(frame), 2) for frame in curve] for curve in found.curves]


def _kept(studio: Studio, bank: Bank, name: str) -> KeptParametric:
    if name not in bank.parametrics():
        raise NotInBankError(f"there is no parametric motion {name!r}")
    return studio.parametrics.get((name, bank.newest_change), lambda: kept_parametric(bank, name))
