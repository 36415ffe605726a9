"""Twelve tasks at the keyboard on CMU's captures: commands, waits, pictures, and how many of ten matches are accepted.

Each task is one command line as a user types it, in a process of its own. A match counts as accepted if its clip has
one of the labels of the action; a clip without labels is open: judge it by the picture. The bank holds the files of
the folder that bench/retrieval.py reads, labelled with their categories.

    python bench/tasks.py library.bank pictures/
    python bench/tasks.py library.bank pictures/ --only wave,kick
"""

import argparse
import json
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

N_BEST = 10


@dataclass(frozen=True)
class Task:
    """What is looked for, what a user types for it, and the labels that an accepted match has."""

    name: str
    words: str
    labels: tuple[str, ...]


TASKS = (
    Task("walk", "07_11:20-70", ("walk", "march", "sneak", "limp")),
    Task("walks that turn left", "--where 'turn > 60' --where 'speed > 0.5' --label walk", ("walk",)),
    Task("run", "09_05:0-36", ("run",)),
    Task("jump", "13_42:27-81", ("jump", "hop")),
    Task("kick", "144_06:598-648", ("kick", "soccer_kick")),
    Task("punch", "144_13:306-346", ("punch",)),
    Task("pick up", "111_18:23-98", ("pick_up",)),
    Task("sit down", "15_10:196-271", ("sit_stand",)),
    Task("stairs", "113_19:15-81", ("stairs",)),
    Task("cartwheel", "90_04:89-143", ("cartwheel",)),
    Task("salsa", "60_01:60-120", ("dance_salsa",)),
    Task("wave", "111_37:20-80 --joints arms", ("wave", "direct_traffic")),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bank", type=Path)
    parser.add_argument("pictures", type=Path, help="folder for them")
    parser.add_argument("--only", help="names of tasks, separated by commas")
    parser.add_argument("--with", dest="more", default="", help="options for every command, as in '--by wpca'")
    options = parser.parse_args()
    options.pictures.mkdir(parents=True, exist_ok=True)
    wanted = [task for task in TASKS if not options.only or task.name in options.only.split(",")]
    results = [(task, *done(task, options.bank, options.pictures, options.more)) for task in wanted]
    print("\n| task | accepted of ten | open | seconds |\n| --- | --- | --- | --- |")
    for task, accepted, unknown, secs in results:
        print(f"| {task.name} | {accepted} | {unknown} | {secs:.1f} |")
    n_accepted, n_open = sum(one[1] for one in results), sum(one[2] for one in results)
    print(f"| **all {len(results)}** | **{n_accepted}** | {n_open} | {sum(one[3] for one in results):.1f} |")


def done(task: Task, bank: Path, pictures: Path, more: str) -> tuple[int, int, float]:
    """How many matches are accepted, how many are open, and the wait with the picture."""
    picture = pictures / f"{task.name.replace(' ', '_')}.png"
    words = ["search", str(bank), *shlex.split(task.words), *shlex.split(more), "-k", str(N_BEST)]
    print(f"\n$ motionary {shlex.join([*words, '-o', str(picture)])}", flush=True)
    start = time.perf_counter()
    run = subprocess.run(
        [sys.executable, "-c", "from motionary.cli import main; main()", *words, "-o", str(picture), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    secs = time.perf_counter() - start
    print(run.stderr.strip())
    if run.returncode:
        return 0, 0, secs
    matches = [json.loads(line) for line in run.stdout.splitlines()]
    known = [match for match in matches if match["labels"]]
    accepted = [match for match in known if set(match["labels"]) & set(task.labels)]
    for match in matches:
        verdict = "accepted" if match in accepted else "open" if match not in known else "no"
        about = ", ".join(match["labels"]) or match["description"]
        print(f"{match['rank']:>3} {match['clip']}:{match['start']}-{match['stop']}  {verdict}  {about}")
    return len(accepted), len(matches) - len(known), secs


if __name__ == "__main__":
    main()
