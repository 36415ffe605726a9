"""A graph for engines: a folder with graph.json and a GLB file of every clip that it needs."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.files import write_whole
from motionary.formats import glb_bytes
from motionary.graph.bank_graph import BuiltGraph
from motionary.graph.playable import playable_intervals

VERSION = 1


def export_graph(bank: Bank, built: BuiltGraph, folder: Path | str) -> list[Path]:
    """Write the graph without dead ends into a folder, which is made if need be; what comes back are the files.

    Frames in graph.json are counted at `rate_hz` from the start of each clip; `playable` lists the intervals [start,
    stop) that may be played. A transition blends `frames` steps: from frame `depart` of clip `from` on, with what ends
    at frame `arrive` of clip `to`; `turn` (radians about +y) and `move` (x to the left, z forward, metres of a body of
    1.75 m) are what the root does meanwhile, seen from its departure.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; name a folder to export a graph into")
    folder.mkdir(parents=True, exist_ok=True)
    graph = built.graph
    used = np.unique(graph.ways.clip_of(np.concatenate([graph.departs, graph.arrives]))).tolist()
    number = {clip: n for n, clip in enumerate(used)}
    names = bank.clip_names(graph.clip_ids)
    written, clips = [], []
    for clip in used:
        clip_id = int(graph.clip_ids[clip])
        path = folder / f"clip_{number[clip]:04d}.glb"
        write_whole(path, glb_bytes(bank.motion(clip_id), name=names[clip_id]))
        written.append(path)
        frames = int(graph.ways.starts[clip + 1] - graph.ways.starts[clip])
        clips.append(
            {
                "name": names[clip_id],
                "file": path.name,
                "frames": frames,
                "playable": playable_intervals(graph, clip),
                "labels": _labels(built, clip),
            }
        )
    content = {
        "format": "motionary-graph",
        "version": VERSION,
        "rate_hz": graph.rate_hz,
        "dwell_frames": graph.dwell,
        "clips": clips,
        "transitions": _transitions(built, number),
    }
    written.append(folder / "graph.json")
    write_whole(written[-1], json.dumps(content, ensure_ascii=False, indent=1).encode())
    return written


def _transitions(built: BuiltGraph, number: dict[int, int]) -> list[dict[str, Any]]:
    graph = built.graph
    turns, moves = graph.moves
    sources, targets = graph.ways.clip_of(graph.departs), graph.ways.clip_of(graph.arrives)
    return [
        {
            "from": number[int(sources[n])],
            "depart": int(graph.departs[n] - graph.ways.starts[sources[n]]),
            "to": number[int(targets[n])],
            "arrive": int(graph.arrives[n] - graph.ways.starts[targets[n]]),
            "frames": int(graph.lengths[n]),
            "distance_cm": round(100.0 * float(np.sqrt(graph.costs[n])), 3),
            "turn": round(float(turns[n]), 6),
            "move": [round(float(moves[n].real), 6), round(float(moves[n].imag), 6)],
        }
        for n in range(graph.n_transitions)
    ]


def _labels(built: BuiltGraph, clip: int) -> list[dict[str, Any]]:
    low, high = (int(built.graph.ways.starts[n]) for n in (clip, clip + 1))
    return [
        {"label": label, "start": int(start) - low, "stop": int(stop) - low}
        for label, spans in built.graph.labels.items()
        for start, stop in spans
        if low <= start < high
    ]
