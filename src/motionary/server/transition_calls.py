"""Calls that make transitions, and that judge them."""

from typing import Annotated, Any, Literal

import numpy as np
from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import Field

from motionary.bank import Bank
from motionary.connection import open_connector
from motionary.errors import NotInBankError, UsageError
from motionary.server.answering import Answer, Binary
from motionary.server.changing import one_change
from motionary.server.clip_calls import LARGEST_ID, Open
from motionary.server.playing import FRAMED, ClipName, Hz, played
from motionary.server.segments import Strict
from motionary.server.studio import Pair, Studio
from motionary.transition import (
    BankTransitions,
    Transition,
    open_transitions,
    table_facts,
    transitions_by,
)

Secs = Annotated[float, Field(ge=0.2, le=10)]


class FrameBody(Strict):
    """A frame of a clip."""

    clip_id: Annotated[int, Field(ge=1, le=LARGEST_ID)]
    frame: Annotated[int, Field(ge=0, le=LARGEST_ID)]

    def text(self, bank: Bank) -> str:
        """How the functions of transitions call it."""
        clip = bank.clip(self.clip_id)
        if self.frame >= clip.n_frames:
            raise NotInBankError(f"clip {clip.name!r} has {clip.n_frames} frames, no frame {self.frame}")
        return f"#{self.clip_id}:{self.frame}"


class TransitionBody(Strict):
    """From a frame to another one, or to the best frame with a label; `keep` makes it a clip."""

    source: FrameBody
    target: FrameBody | None = None
    label: Annotated[str | None, Field(max_length=200)] = None
    secs: Secs = 1.0
    method: Literal["table", "direct", "inertial", "dead"] = "table"
    clean_feet: bool = True
    lead_secs: Annotated[float, Field(ge=0, le=10)] = 1.0
    seed: Annotated[int, Field(ge=0, le=2**32)] = 0
    hz: Hz = 30.0
    keep: ClipName | None = None


class ConnectBody(Strict):
    """From a frame to another one, or to the best frame with a label, within some seconds; `keep` makes it a clip."""

    source: FrameBody
    target: FrameBody | None = None
    label: Annotated[str | None, Field(max_length=200)] = None
    within: Annotated[float, Field(ge=0.1, le=30)] = 3.0
    secs: Secs = 1.0
    graph: Annotated[str | None, Field(max_length=200)] = None
    by: Literal["any", "graph", "transition", "mixed"] = "any"
    lead_secs: Annotated[float, Field(ge=0, le=10)] = 1.0
    clean_feet: bool = True
    hz: Hz = 30.0
    keep: ClipName | None = None


class PairBody(Strict):
    """Two transitions to be compared."""

    secs: Secs = 1.0
    seed: Annotated[int | None, Field(ge=0, le=2**32)] = None
    hz: Hz = 30.0


class VerdictBody(Strict):
    """Which of a pair is natural: a, b, = (both) or - (neither)."""

    pair: Annotated[str, Field(max_length=64)]
    answer: Literal["a", "b", "=", "-"]


class TableList(Open):
    tables: list[dict[str, Any]]


class MadeTransition(Open):
    clip_id: int
    change: int | None


class VerdictAnswer(Open):
    judged: int
    threshold_cm: float
    judged_threshold_cm: float | None
    agreement: float | None
    change: int | None


def transition_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(prefix="/transitions", tags=["transitions"])

    @router.get("", response_model=TableList)
    def tables() -> Response:
        """The tables of transitions beside the bank."""
        with studio.bank() as bank:
            return Answer({"tables": table_facts(bank)})

    @router.post("", response_model=MadeTransition, responses=FRAMED)
    def make(body: TransitionBody) -> Response:
        """A transition, with its score and the errors of balance over its frames."""
        if (body.target is None) == (body.label is None):
            raise UsageError("a transition leads to a frame or to a label: name one of them")
        notes: list[str] = []
        with studio.bank() as bank:
            source = body.source.text(bank)
            target = None if body.target is None else body.target.text(bank)
            opened = transitions_by(
                body.method, bank, [source, target], secs=body.secs, label=body.label, message=notes.append
            )
            made = opened.make(
                source,
                target,
                label=body.label,
                method=body.method,
                clean_feet=body.clean_feet,
                lead_secs=body.lead_secs,
                seed=body.seed,
            )
            if body.keep is None:
                return played(studio, _facts(opened, made) | {"notes": notes}, [made.motion], hz=body.hz)
            with one_change(bank, f"transition {body.keep}") as written:
                clip = opened.keep_transition(body.keep, made)
        return Answer({"clip_id": clip.id, "change": written.change})

    @router.post("/connect", response_model=MadeTransition, responses=FRAMED)
    def connect(body: ConnectBody) -> Response:
        """The best way within a time, by the motion graph, by transitions, or by both; `options` are the best of each
        kind, to choose another one by `by`."""
        if (body.target is None) == (body.label is None):
            raise UsageError("a connection leads to a frame or to a label: name one of them")
        notes: list[str] = []
        with studio.bank() as bank:
            opened = open_connector(bank, secs=body.secs, graph=body.graph, message=notes.append)
            made = opened.connect(
                body.source.text(bank),
                None if body.target is None else body.target.text(bank),
                body.within,
                label=body.label,
                by=body.by,
                lead_secs=body.lead_secs,
                clean_feet=body.clean_feet,
            )
            facts = opened.facts(made)
            if body.keep is None:
                more = {"start": made.start, "stop": made.stop, "frames": made.motion.n_frames, "notes": notes}
                return played(studio, facts | more, [made.motion], hz=body.hz)
            with one_change(bank, f"connection {body.keep}") as written:
                content = {
                    "description": f"connection from {facts['from']} to {facts['to']}",
                    "connection": facts,
                    "clips": made.clips,
                }
                clip = opened.transitions.keep(body.keep, made.motion, made.plants, content)
        return Answer({"clip_id": clip.id, "change": written.change})

    @router.post("/pair", response_class=Binary, responses=FRAMED)
    def pair(body: PairBody) -> Response:
        """Two transitions, one from the table and one direct; nothing tells which is which."""
        rng = np.random.default_rng(body.seed)
        with studio.bank() as bank:
            opened = open_transitions(bank, secs=body.secs)
            found = [opened.random_pair(rng), opened.random_pair(rng, method="direct")]
        found = [found[i] for i in rng.permutation(2)]
        facts = {
            "pair": studio.keep_pair(Pair(tuple(found), body.secs)),
            "transitions": [{"start": one.start, "stop": one.stop, "frames": one.motion.n_frames} for one in found],
        }
        return played(studio, facts, [one.motion for one in found], hz=body.hz)

    @router.post("/verdict", response_model=VerdictAnswer)
    def verdict(body: VerdictBody) -> Response:
        """Keep a verdict; with enough of them, the threshold that they ask for."""
        found = studio.pair(body.pair)
        with studio.bank() as bank:
            opened = open_transitions(bank, secs=found.secs)
            with one_change(bank, f"verdict {body.answer}") as written:
                opened.judge(body.answer, found.transitions)
            known, n_judged = opened.calibration(), opened.n_verdicts()
        return Answer(
            {
                "judged": n_judged,
                "threshold_cm": round(100.0 * opened.maker.table.threshold, 3),
                "judged_threshold_cm": None if known is None else round(100.0 * known.threshold, 3),
                "agreement": None if known is None else round(known.agreement, 4),
                "change": written.change,
            }
        )

    return router


def _facts(opened: BankTransitions, made: Transition) -> dict[str, Any]:
    """What there is to know of a transition; `lane` holds its error of balance in each frame of the blend, in cm."""
    lane = np.round(100.0 * made.zmp_errors, 2)
    return opened.facts(made) | {"frames": made.motion.n_frames, "rate_hz": made.motion.rate_hz, "lane": lane}
