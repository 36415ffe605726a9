"""Pictures of transitions: strips with the blend marked, plants and ZMP error below; a strip per representative."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from motionary.arguments import check_is, some
from motionary.connection import Connection, Connector
from motionary.motion import Motion
from motionary.picture.scene import Row
from motionary.picture.show import show_rows
from motionary.plants import Plant, contacts_of_plants
from motionary.rounding import measured
from motionary.transition import WAYS, BankTransitions, Chain, Transition

MOST_SHOWN = 30


def show_transitions(
    opened: BankTransitions, made: Sequence[Transition], path: Path | str, *, blind: bool = False
) -> tuple[str, ...]:
    """Draw transitions below each other, as a film strip (.png, .svg) or an animation (.gif).

    `blind` says nothing of how they were made and what they score, so that people can judge them.
    """
    check_is(opened, BankTransitions, called="opened", meant="what open_transitions gives")
    made = some(made, Transition, called="made", meant="a Transition")
    rows = []
    for one in made:
        if blind:
            rows.append(Row(one.motion))
            continue
        score = one.score
        verdict = "natural" if one.good else "not natural"
        by = ", ".join(opened.name(frame) for frame in one.intermediaries) or WAYS[one.way]
        note = (
            f"{one.method}: score {measured(100 * score.score, 1, 'cm')} ({verdict}; up to {100 * one.threshold:.0f}); "
            f"feet {measured(100 * score.plant_error, 1)}, balance {measured(100 * score.zmp_error, 1)}; by {by}"
        )
        title = f"{opened.name(one.source)} to {opened.name(one.target)}"
        rows.append(_row(one.motion, one.plants, [one], [(one.start, one.stop)], title, note))
    return show_rows(rows, path)


def show_chain(opened: BankTransitions, chain: Chain, path: Path | str) -> tuple[str, ...]:
    """Draw a chain with its transitions marked."""
    check_is(opened, BankTransitions, called="opened", meant="what open_transitions gives")
    check_is(chain, Chain, called="chain", meant="a Chain of transitions")
    title = " – ".join(opened.maker.pool.names[stop.clip] for stop in chain.stops)
    note = f"scores {_scores(chain.transitions)} cm"
    return show_rows([_row(chain.motion, chain.plants, chain.transitions, chain.seams, title, note)], path)


def show_connection(opened: Connector, made: Connection, path: Path | str) -> tuple[str, ...]:
    """Draw a connection with its transitions marked."""
    check_is(opened, Connector, called="opened", meant="what open_connector gives")
    check_is(made, Connection, called="made", meant="a Connection")
    name = opened.transitions.name
    verdict = "natural" if made.good else "not natural"
    score = measured(100 * made.score, 1, "cm")
    note = f"{made.by}, {made.secs:.2f} s: score {score} ({verdict})"
    if made.transitions:
        note += f"; transitions {_scores(made.transitions)} cm"
    title = f"{name(made.source)} to {name(made.target)}"
    return show_rows([_row(made.motion, made.plants, made.transitions, made.chain.seams, title, note)], path)


def show_representatives(opened: BankTransitions, path: Path | str, *, n: int = MOST_SHOWN) -> tuple[str, ...]:
    """Draw a strip for each representative, the largest cluster first."""
    check_is(opened, BankTransitions, called="opened", meant="what open_transitions gives")
    pool, clusters = opened.maker.pool, opened.maker.table.clusters
    sizes, separation = clusters.sizes, clusters.separation()
    rows = []
    for number, first in enumerate(clusters.representatives[:n].tolist()):
        clip = pool.clip_of(first)
        rows.append(
            Row(
                pool.motion(first, first + clusters.n_frames + 1),
                title=f"{number}: {pool.names[clip]}",
                note=f"{sizes[number]} windows, separation {separation[number]:.2f}",
                first_frame=first - int(pool.starts[clip]),
                start_secs=(first - int(pool.starts[clip])) * pool.frame_time,
            )
        )
    return show_rows(rows, path, spread="ends", n_poses=7)


def _scores(transitions: Sequence[Transition]) -> str:
    """The scores of transitions, and up to which each would be natural."""
    return ", ".join(f"{measured(100 * one.score.score, 1)} (up to {100 * one.threshold:.0f})" for one in transitions)


def _row(
    motion: Motion,
    plants: Sequence[Plant],
    transitions: Sequence[Transition],
    marked: Sequence[tuple[int, int]],
    title: str,
    note: str,
) -> Row:
    """The strip of a motion with its transitions marked; below it its plants, and the ZMP error of the transitions."""
    contacts = np.asarray(contacts_of_plants(plants, motion.n_frames))
    errors = np.full(motion.n_frames, np.nan)
    for one, (start, stop) in zip(transitions, marked, strict=True):
        errors[start:stop] = one.zmp_errors
    limit = min((one.threshold for one in transitions), default=0.0)
    return Row(
        motion,
        title=title,
        note=note,
        contacts=contacts,
        marked=tuple(marked),
        curve=errors,
        curve_name="ZMP error",
        curve_limit=limit,
        curve_limit_name=f"{100 * limit:.0f} cm",
    )
