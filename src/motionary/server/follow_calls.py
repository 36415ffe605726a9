"""Calls about the matches of a search: why they are as far as they are, and learning from judgements."""

from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field

from motionary.errors import UsageError
from motionary.search import Explanation, Profile, SearchResult, cluster_matches, explain_matches, learn_profile
from motionary.server.answering import Answer, is_gone
from motionary.server.changing import one_change
from motionary.server.clip_calls import Open
from motionary.server.search_calls import SearchAnswer, searched
from motionary.server.segments import Strict
from motionary.server.studio import Studio

Ranks = Annotated[list[Annotated[int, Field(ge=1, le=10**6)]], Field(max_length=10_000)]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class ExplainBody(Strict):
    """A match of an earlier result."""

    result: Annotated[str, Field(max_length=64)]
    rank: Annotated[int, Field(ge=1, le=10**6)]


class ResultBody(Strict):
    """An earlier result."""

    result: Annotated[str, Field(max_length=64)]


class FeedbackBody(Strict):
    """Which matches of an earlier result are right, and which wrong."""

    result: Annotated[str, Field(max_length=64)]
    accepted: Ranks = []
    rejected: Ranks = []
    keep_profile: Name | None = None
    overwrite: bool = False


class ExplainAnswer(Open):
    parts: list[str]
    by_part: list[float]
    by_phase: list[float]
    cells: list[list[float]]
    sizes: list[list[float]]
    unit: str
    distance: float
    rate_hz: float


class FeedbackAnswer(SearchAnswer):
    learned: dict[str, float]
    accepted: int
    rejected: int
    change: int | None


class ClusterAnswer(Open):
    ranks: list[int]
    medoid_rank: int
    spread: float


class ClustersAnswer(Open):
    clusters: list[ClusterAnswer]


class ProfileAnswer(Open):
    profile: str
    learned_from: str
    accepted: int
    rejected: int


class ProfileList(Open):
    profiles: list[ProfileAnswer]


def follow_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(tags=["search"])

    @router.post("/explain", response_model=ExplainAnswer)
    def explain(body: ExplainBody, request: Request) -> Response:
        """What each joint and frame of the query added to the distance of a match."""
        match = studio.match(body.result, body.rank)
        result = _exact(studio, body.result)
        with studio.indexed_bank(is_gone(request)) as (bank, index):
            found = explain_matches(bank, replace(result, matches=(match,)), features=index.features)[0]
        return Answer(_explained(found))

    @router.post("/clusters", response_model=ClustersAnswer)
    def clusters(body: ResultBody, request: Request) -> Response:
        """The kinds of motion among the matches of a result."""
        with studio.indexed_bank(is_gone(request)) as (bank, index):
            found = cluster_matches(bank, studio.result(body.result).result, features=index.features)
        return Answer(
            {
                "clusters": [
                    {"ranks": one.ranks, "medoid_rank": one.medoid_rank, "spread": one.spread} for one in found.clusters
                ]
            }
        )

    @router.post("/feedback", response_model=FeedbackAnswer)
    def feedback(body: FeedbackBody, request: Request) -> Response:
        """Learn from judgements and search again; judged matches are not listed again."""
        earlier, result = studio.result(body.result), _exact(studio, body.result)
        judged = [studio.match(body.result, rank) for rank in (*body.accepted, *body.rejected)]
        with studio.indexed_bank(is_gone(request)) as (bank, index):
            before = earlier.profile
            named = earlier.keywords.get("profile")
            if before is None and isinstance(named, str):
                before = Profile.of_json(bank.profile(named), where=f"profile {named!r}")
            learned = learn_profile(
                bank,
                result,
                accepted=body.accepted,
                rejected=body.rejected,
                before=before,
                features=index.features,
            )
            change = None
            if body.keep_profile is not None:
                with one_change(bank, f"keep profile {body.keep_profile}") as written:
                    bank.keep_profile(body.keep_profile, learned.as_json(), overwrite=body.overwrite)
                change = written.change
            without = [*earlier.keywords.get("without", ()), *(match.segment for match in judged)]
            keywords = {**earlier.keywords, "without": without, "expand": None, "steps": 1}
            answer = searched(studio, bank, index, earlier.query, earlier.by, keywords, profile=learned)
        return Answer(
            answer
            | {
                "learned": learned.by_part(),
                "accepted": len(learned.accepted),
                "rejected": len(learned.rejected),
                "change": change,
            }
        )

    @router.get("/profiles", response_model=ProfileList)
    def profiles() -> Response:
        """The profiles that the bank keeps."""
        with studio.bank() as bank:
            found = [(name, Profile.of_json(bank.profile(name), where=f"profile {name!r}")) for name in bank.profiles()]
        return Answer(
            {
                "profiles": [
                    {
                        "profile": name,
                        "learned_from": one.learned_from,
                        "accepted": len(one.accepted),
                        "rejected": len(one.rejected),
                    }
                    for name, one in found
                ]
            }
        )

    return router


def _exact(studio: Studio, name: str) -> SearchResult:
    result = studio.result(name).result
    if not isinstance(result, SearchResult):
        raise UsageError("only exact searches measure joint by joint; search with by: exact")
    return result


def _explained(found: Explanation) -> dict[str, Any]:
    return {
        "parts": found.parts,
        "by_part": found.shares(found.by_part),
        "by_phase": found.shares(found.by_phase()),
        "cells": np.round(found.shares(found.added), 6),  # (frames of the query, parts)
        "sizes": np.round(found.sizes, 4),
        "unit": found.unit,
        "distance": found.match.distance,
        "rate_hz": found.match.rate_hz,
    }
