"""The wheel carries the built page: installed into a fresh environment, the studio opens."""

import http.client
import os
import re
import signal
import subprocess
import sys
import time
import venv
import zipfile
from pathlib import Path

import pytest

from motionary.bank import Bank

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "src" / "motionary" / "server" / "static" / "index.html"

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not PAGE.exists(), reason="the page of the studio is not built: run make page"),
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_carries_the_page(wheel):
    names = zipfile.ZipFile(wheel).namelist()

    assert "motionary/server/static/index.html" in names
    assert any(re.fullmatch(r"motionary/server/static/assets/.*\.js", name) for name in names)
    assert not [name for name in names if "node_modules" in name or name.startswith(("studio/", "tests/"))]


def test_the_studio_opens_from_the_wheel_alone(wheel, tmp_path):
    environment = tmp_path / "fresh"
    venv.create(environment, with_pip=True)
    pins = tmp_path / "pins.txt"
    locked = (ROOT / "requirements" / "dev.txt").read_text()
    pins.write_text("\n".join(re.findall(r"^[\w.-]+==[^\\\n]+", locked, re.MULTILINE)))
    install = [environment / "bin" / "python", "-m", "pip", "install", "--quiet", "-c", pins, f"{wheel}[studio]"]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    if done.returncode and re.search(r"connection|resolve|No matching distribution", done.stderr, re.IGNORECASE):
        pytest.skip(f"packages cannot be had here: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    bank = tmp_path / "empty.bank"
    Bank.open(bank, create=True).close()
    command = [environment / "bin" / "motionary", "studio", bank, "--no-browser"]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    with subprocess.Popen(command, cwd=tmp_path, env=clean, stdout=subprocess.PIPE, text=True) as studio:
        try:
            opener = Path(studio.stdout.readline().strip())
            port, token = re.search(r"127\.0\.0\.1:(\d+)/#token=([\w-]+)", opener.read_text()).groups()
            page = answered(int(port), "/", {})
            headers = {"Authorization": f"Bearer {token}", "Sec-Fetch-Site": "same-origin"}
            facts = answered(int(port), "/api/bank", headers)
        finally:
            studio.send_signal(signal.SIGINT)
            assert studio.wait(20) == 0

    assert b"<script" in page
    assert b"empty.bank" in facts
    assert not opener.exists()  # nor its folder
    assert not opener.parent.exists()


def answered(port, path, headers):
    """The body of a page, from a server that may still be starting."""
    until = time.monotonic() + 60
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request("GET", path, headers=headers)
            reply = connection.getresponse()
            assert reply.status == 200
            return reply.read()
        except ConnectionError:
            if time.monotonic() > until:
                raise
        finally:
            connection.close()
