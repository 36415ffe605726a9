"""Twelve tasks at the keyboard on CMU's captures: commands, waits, pictures, and how many of ten matches are accepted.

Each task is one command line as a user types it, in a process of its own; with `--first`, that is all. Then, for some
tasks, comes the next command of a user who is not content with the answer and has read the documentation. These were
chosen after the first answers were seen, as users do.

A match counts as accepted by label if its clip has one of the labels of the action. Labels are of whole clips, and many
clips have none: so somebody judged matches by their pictures, too, in `VERDICTS`. A verdict counts for every match that
shares at least half of its frames; what was not judged counts as its label says. Matches in clips without labels that
nobody has judged are listed: look at the pictures, add verdicts, run it again. The bank holds the files of the folder
that bench/retrieval.py reads, labelled with their categories.

    python bench/tasks.py library.bank pictures/
    python bench/tasks.py library.bank pictures/ --only wave,kick
    python bench/tasks.py library.bank pictures/ --first --with "-d gist -d learned"
"""

import argparse
import json
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

N_BEST = 10
SHARED = 0.5  # of a match's frames that a verdict must be about
RATE = "rate"  # instead of words: rate the first matches by eye, and search again


@dataclass(frozen=True)
class Task:
    """What is looked for, what a user types for it, and the labels that an accepted match has."""

    name: str
    words: str
    labels: tuple[str, ...]
    then: str = ""  # what a user types next
    because: str = ""


TASKS = (
    Task("walk", "07_11:20-70", ("walk", "march", "sneak", "limp")),
    Task("walks that turn left", "--where 'turn > 60' --where 'speed > 0.5' --label walk", ("walk",)),
    Task("run", "09_05:0-36", ("run",)),
    Task("jump", "13_42:27-81", ("jump", "hop")),
    Task("kick", "144_06:598-648", ("kick", "soccer_kick")),
    Task("punch", "144_13:306-346", ("punch",)),
    Task("pick up", "111_18:23-98", ("pick_up",)),
    Task("sit down", "15_10:196-271", ("sit_stand",), then=RATE, because="most are right, some only sit"),
    Task("stairs", "113_19:15-81", ("stairs",)),
    Task("cartwheel", "90_04:89-143", ("cartwheel",)),
    Task(
        "salsa", "60_01:60-120", ("dance_salsa",), then="60_01:150-210", because="the picture shows a first step only"
    ),
    Task(
        "wave",
        "111_37:20-80 --joints arms",
        ("wave", "direct_traffic"),
        then="111_37:20-80 wave",
        because="descriptions say wave",
    ),
)
VERDICTS = {  # by eye, from the pictures: right, and wrong
    "run": ("108_04:0-36 108_05:3-39 108_06:2-38 108_08:20-56 108_13:3-39", ""),
    "jump": ("83_53:64-118 02_04:10-64 83_57:33-87 83_46:51-105 83_56:48-102 91_38:4-58 91_37:2-56", ""),
    "pick up": (  # stoops, reaches to the floor with one hand, rises; some put something down
        "69_75:176-251 69_71:77-152 69_70:52-127 69_75:54-129 64_18:42-117 64_17:39-114 144_23:633-708 "
        "144_22:644-719 144_22:691-766 64_20:42-117 69_70:177-252",
        "79_22:307-382 80_69:92-167 77_08:135-210 111_08:251-326 81_09:27-102 111_03:31-106",
    ),
    "sit down": (  # four only sit, one ducks
        "13_04:1115-1190 13_04:220-295 13_04:531-606 13_04:774-849",
        "15_10:478-553 13_01:422-497 77_09:400-475 13_04:1011-1086 13_04:1071-1146",
    ),
    "stairs": ("", "83_30:68-134 107_14:99-165 107_03:112-178"),  # on level ground
    "cartwheel": ("90_29:32-86", ""),
    "salsa": ("", "69_71:163-223 69_69:122-182 69_70:127-187 69_72:129-189"),
    "wave": (  # the last two point
        "",
        "79_31:182-242 79_32:384-444 79_71:152-212 137_26:240-300 79_36:135-195 79_31:109-169 "
        "13_27:211-271 13_28:145-205",
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bank", type=Path)
    parser.add_argument("pictures", type=Path, help="folder for them")
    parser.add_argument("--only", help="names of tasks, separated by commas")
    parser.add_argument("--first", action="store_true", help="the first command of each task only")
    parser.add_argument("--with", dest="more", default="", help="options for every first command that has a QUERY")
    options = parser.parse_args()
    options.pictures.mkdir(parents=True, exist_ok=True)
    wanted = [task for task in TASKS if not options.only or task.name in options.only.split(",")]
    rows: list[tuple[Task, Count, Count, float]] = []
    unjudged: list[str] = []
    for task in wanted:
        picture = options.pictures / f"{task.name.replace(' ', '_')}.png"
        more = (
            [] if task.words.startswith("--where") else shlex.split(options.more)
        )  # nothing is compared without QUERY
        matches, secs = search(options.bank, [*shlex.split(task.words), *more], picture)
        first = best = Count.of(task, matches)
        unjudged += first.unjudged
        if task.then and not options.first:
            said = shlex.split(task.words) + more + ratings(task, matches) if task.then == RATE else None
            print(f"# {task.because}")
            again, _ = search(options.bank, said or shlex.split(task.then), picture.with_stem(f"{picture.stem}_then"))
            best = Count.of(task, again)
            unjudged += best.unjudged
        rows.append((task, first, best, secs))
    print("\n| task | by label | by eye | seconds | then, by label | then, by eye |")
    print("| --- | --- | --- | --- | --- | --- |")
    for task, first, best, secs in rows:
        then = f"{best.by_label} | {best.by_eye}" if best is not first else " | "
        print(f"| {task.name} | {first.by_label} | {first.by_eye} | {secs:.1f} | {then} |")
    totals = [
        sum(of) for of in zip(*((a.by_label, a.by_eye, s, b.by_label, b.by_eye) for _, a, b, s in rows), strict=True)
    ]
    print("| **all {}** | **{}** | **{}** | {:.1f} | **{}** | **{}** |".format(len(rows), *totals))
    for line in unjudged:
        print(f"not judged: {line}")


@dataclass(frozen=True)
class Count:
    """How many of the matches are accepted."""

    by_label: int
    by_eye: int  # by label, corrected by those who looked
    unjudged: tuple[str, ...]  # in clips without labels

    @classmethod
    def of(cls, task: Task, matches: Sequence[dict[str, Any]]) -> "Count":
        """Counts them, and prints a line for each."""
        labelled = [bool(set(match["labels"]) & set(task.labels)) for match in matches]
        seen = [verdict(task, match) for match in matches]
        for match, by_label, by_eye in zip(matches, labelled, seen, strict=True):
            said = "" if by_eye is None else "; by eye: yes" if by_eye else "; by eye: no"
            about = ", ".join(match["labels"]) or match["description"]
            print(f"{match['rank']:>3} {place(match)}  {'yes' if by_label else 'no'}{said}  {about}")
        accepted = [by_label if by_eye is None else by_eye for by_label, by_eye in zip(labelled, seen, strict=True)]
        unknown = [m for m, by_eye in zip(matches, seen, strict=True) if by_eye is None and not m["labels"]]
        return cls(sum(labelled), sum(accepted), tuple(f"{task.name}: {place(match)}" for match in unknown))


def verdict(task: Task, match: dict[str, Any]) -> bool | None:
    """What somebody said who looked at these frames; None if nobody did."""
    right, wrong = VERDICTS.get(task.name, ("", ""))
    for segments, accepted in ((right, True), (wrong, False)):
        for segment in segments.split():
            clip, _, frames = segment.partition(":")
            start, stop = map(int, frames.split("-"))
            shared = min(stop, match["stop"]) - max(start, match["start"])
            if clip == match["clip"] and shared >= SHARED * (match["stop"] - match["start"]):
                return accepted
    return None


def ratings(task: Task, matches: Sequence[dict[str, Any]]) -> list[str]:
    """The options that tell a search which of its matches are right, and which wrong."""
    right = {match["rank"]: verdict(task, match) for match in matches}
    for match in matches:
        if right[match["rank"]] is None:
            right[match["rank"]] = bool(set(match["labels"]) & set(task.labels))
    said = {
        "--accept": [rank for rank in right if right[rank]],
        "--reject": [rank for rank in right if not right[rank]],
    }
    return [word for flag, ranks in said.items() if ranks for word in (flag, ",".join(map(str, ranks)))]


def place(match: dict[str, Any]) -> str:
    return f"{match['clip']}:{match['start']}-{match['stop']}"


def search(bank: Path, words: Sequence[str], picture: Path) -> tuple[list[dict[str, Any]], float]:
    """The matches of a command, and the wait with the picture."""
    command = ["search", str(bank), *words, "-k", str(N_BEST), "-o", str(picture)]
    print(f"\n$ motionary {shlex.join(command)}", flush=True)
    start = time.perf_counter()
    run = subprocess.run(
        [sys.executable, "-c", "from motionary.cli import main; main()", *command, "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    secs = time.perf_counter() - start
    print(run.stderr.strip())
    return [json.loads(line) for line in run.stdout.splitlines()] if not run.returncode else [], secs


if __name__ == "__main__":
    main()
