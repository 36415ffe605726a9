"""The demo in examples/ runs from its first line to its last."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

DEMO = Path(__file__).parents[1] / "examples" / "demo.sh"
MINUTES = "1"  # enough for a walk, a kick and a cartwheel


@pytest.mark.thorough  # `make demo` does the same
def test_the_demo_makes_all_that_it_says(tmp_path):
    here = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

    run = subprocess.run(
        ["bash", DEMO, "made", MINUTES],
        cwd=tmp_path,
        env=os.environ | {"PATH": here},
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stderr + run.stdout
    assert "\n$ motionary info made/library.bank '#" in run.stdout  # without quotes a shell takes it for a comment
    for line in run.stdout.splitlines():
        assert not line.startswith("$ motionary") or shlex.split(line, comments=True) == shlex.split(line)
    made = {path.name for path in (tmp_path / "made").iterdir()}
    assert made >= {"library.bank", "walk.png", "kick_front.png", "cartwheel.png", "cartwheel.gif", "take.glb"}
    assert (tmp_path / "made" / "take.bvh").read_text().startswith("HIERARCHY")
    with Image.open(tmp_path / "made" / "cartwheel.gif") as moving:
        assert moving.n_frames > 10
