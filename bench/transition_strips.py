"""Draw the strips of docs/transitions.md: hard transitions, how they look within three seconds, and what looks bad.

    motionary sample moves.bank --minutes 10
    motionary transition table build moves.bank -k 20
    motionary graph build moves.bank --threshold 6cm
    python bench/transition_strips.py moves.bank -o docs/images

Prints the scores. Frames are chosen by a rule: the middle of the first segment with a label that is longer than a
second; for who sits, the last frame of sitting down.
"""

import argparse
from pathlib import Path

import numpy as np
from PIL import Image

from motionary.bank import Bank
from motionary.connection import open_connector
from motionary.picture import show_connection, show_transitions
from motionary.transition import BankTransitions, Frame, Transition, open_transitions

HARD = (("walk", "skip"), ("run", "idle"), ("sit_down", "run"), ("cartwheel", "walk"))
CONNECTED = (("walk", "skip"), ("cartwheel", "walk"))
N_RANDOM = 80


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bank", type=Path)
    parser.add_argument("-o", dest="folder", type=Path, default=Path())
    asked = parser.parse_args()
    with Bank.open(asked.bank) as bank:
        opened = open_transitions(bank)
        hard: list[Transition] = []
        for first, second in HARD:
            source, target = middle(opened, first), middle(opened, second)
            best = opened.make(source, target, candidates=9, variants=6)
            hard += [best, opened.make(source, target, method="direct")]
            print(f"{first} to {second}: {said(opened, best)}; usual {said(opened, opened.make(source, target))}")
            print(f"  direct {said(opened, hard[-1])}")
        show_transitions(opened, hard, asked.folder / "transitions-hard.png")
        make_small(asked.folder / "transitions-hard.png")
        rng = np.random.default_rng(0)
        made = [opened.random_pair(rng) for _ in range(N_RANDOM)]
        print(f"{sum(one.good for one in made)} of {N_RANDOM} random transitions are good")
        worst = sorted(made, key=lambda one: -one.score.plant_error)[:2]
        worst += sorted((one for one in made if one not in worst), key=lambda one: -one.score.zmp_error)[:2]
        for one in worst:
            print(f"  {said(opened, one)}")
        show_transitions(opened, worst, asked.folder / "transitions-bad.png")
        make_small(asked.folder / "transitions-bad.png")
        connector = open_connector(bank)
        for first, second in HARD:
            found = connector.connect(middle(opened, first), middle(opened, second), 3.0)
            print(f"{first} to {second} within 3 s: {found.by}, {100 * found.score:.0f} cm, {found.secs:.1f} s")
            if (first, second) in CONNECTED:
                path = asked.folder / f"transitions-connect-{first}.png"
                show_connection(connector, found, path)
                make_small(path)


def middle(opened: BankTransitions, label: str) -> Frame:
    """The middle of the first segment with a label that is longer than a second; the last frame of sitting down."""
    stops = opened.labelled(label)
    stop = next((one for one in stops if one.n_frames > opened.maker.n_frames), stops[0])
    return Frame(stop.clip, stop.stop - 1 if label == "sit_down" else (stop.start + stop.stop) // 2)


def make_small(path: Path) -> None:
    """Few colours, and no more pixels than the page shows."""
    with Image.open(path) as picture:
        width = 1100
        small = picture.convert("RGB").resize((width, round(picture.height * width / picture.width)), Image.LANCZOS)
    small.quantize(48).save(path, optimize=True)


def said(opened: BankTransitions, made: Transition) -> str:
    """A transition in words."""
    facts = opened.facts(made)
    return (
        f"{facts['from']} to {facts['to']} by {', '.join(facts['intermediaries']) or facts['way']}: "
        f"{facts['score_cm']:.0f} cm (feet {facts['plant_error_cm']:.0f}) of {facts['threshold_cm']:.0f}, "
        f"feet held {facts['held'] or 0.0:.2f}"
    )


if __name__ == "__main__":
    main()
