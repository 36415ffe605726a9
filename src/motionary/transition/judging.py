"""Verdicts of people on transitions, and the threshold that fits them best."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from motionary.errors import UsageError

Answer = Literal["a", "b", "=", "-"]
ANSWERS: tuple[Answer, ...] = ("a", "b", "=", "-")
MEANT = {"a": (True, False), "b": (False, True), "=": (True, True), "-": (False, False)}
ENOUGH = 10  # transitions that were judged


@dataclass(frozen=True)
class Calibration:
    """The threshold that agrees with most verdicts, and with how many it agrees."""

    threshold: float  # metres
    n_judged: int  # transitions
    agreement: float  # share of them


def verdict(answer: str, scores: Sequence[float], secs: float) -> dict[str, Any]:
    """What is kept of an answer on two transitions."""
    if answer not in MEANT:
        raise UsageError(f"{answer!r} is no answer; a or b is the natural one, = both are, - neither is")
    return {"about": "transition", "secs": secs, "answer": answer, "scores": [float(score) for score in scores]}


def verdicts_on(verdicts: Iterable[dict[str, Any]], *, secs: float) -> list[dict[str, Any]]:
    """The verdicts on transitions of `secs`."""
    return [
        content
        for content in verdicts
        if content.get("about") == "transition" and abs(float(content.get("secs", 0.0)) - secs) <= 0.01
    ]


def calibrated(verdicts: Iterable[dict[str, Any]], *, secs: float) -> Calibration | None:
    """The threshold that verdicts on transitions of `secs` ask for; None while they are too few.

    Of all thresholds that agree with equally many, the middle one.
    """
    scores: list[float] = []
    natural: list[bool] = []
    for content in verdicts_on(verdicts, secs=secs):
        scores += content["scores"]
        natural += MEANT[content["answer"]]
    if len(scores) < ENOUGH or len(set(natural)) < 2:
        return None
    order = np.argsort(scores, kind="stable")
    ranked, good = np.array(scores)[order], np.array(natural)[order]
    agree = np.concatenate([[0], np.cumsum(good)]) + np.concatenate([np.cumsum(~good[::-1])[::-1], [0]])
    agree[1:-1][ranked[1:] == ranked[:-1]] = -1  # equal scores fall on the same side of any threshold
    edges = np.concatenate([[np.nextafter(ranked[0], -np.inf)], 0.5 * (ranked[1:] + ranked[:-1]), [ranked[-1]]])
    best = np.flatnonzero(agree == agree.max())
    return Calibration(float(edges[best[(len(best) - 1) // 2]]), len(ranked), float(agree.max() / len(ranked)))
