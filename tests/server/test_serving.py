"""`motionary studio`: it listens on this machine alone, opens through a private file, and ends cleanly."""

import http.client
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import webbrowser
from pathlib import Path

import pytest

from motionary.bank import Bank
from motionary.errors import BankError, UsageError

pytest.importorskip("uvicorn", reason="the studio needs pip install 'motionary[studio]'")
MOTIONARY = [sys.executable, "-c", "from motionary.cli import main; main()"]


@pytest.fixture
def bank(tmp_path):
    path = tmp_path / "my library.bank"
    Bank.open(path, create=True).close()
    return path


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGINT,
        pytest.param(signal.SIGTERM, marks=pytest.mark.thorough),
        pytest.param(signal.SIGHUP, marks=pytest.mark.thorough),
    ],
)
def test_it_opens_through_a_file_of_its_own_and_takes_it_away(bank, number):
    command = [*MOTIONARY, "studio", bank, "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as studio:
        opener = Path(studio.stdout.readline().strip())
        try:
            assert stat.S_IMODE(opener.stat().st_mode) == 0o600
            assert stat.S_IMODE(opener.parent.stat().st_mode) == 0o700
            port, token = re.search(r"127\.0\.0\.1:(\d+)/#token=([\w-]{40,})", opener.read_text()).groups()
            arguments = Path(f"/proc/{studio.pid}/cmdline")
            assert not arguments.exists() or token not in arguments.read_text()
            connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
            headers = {"Authorization": f"Bearer {token}", "Sec-Fetch-Site": "same-origin"}
            connection.request("GET", "/api/bank", headers=headers)
            assert connection.getresponse().status == 200
            connection.close()
            events = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
            events.request("GET", "/api/events", headers=headers)
            assert events.getresponse().status == 200  # and stays open
        finally:
            studio.send_signal(number)
        said = studio.stderr.read()
        assert studio.wait(20) == 0
        events.close()

    assert token not in said
    assert "Traceback" not in said
    assert f"http://127.0.0.1:{port}/" in said
    assert not opener.parent.exists()


def test_it_listens_on_loopback_alone():
    from motionary.server.serving import _listening

    with _listening(None) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
        assert listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        with pytest.raises(UsageError, match=r"port \d+ cannot be used .*; choose another one with --port"):
            _listening(listening.getsockname()[1])


def test_what_is_wrong_with_a_bank_is_told_before_anything_opens(tmp_path, monkeypatch):
    from motionary.server import serve

    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)

    with pytest.raises(BankError, match="no such bank"):
        serve(tmp_path / "none.bank")

    assert opened == []


def test_without_its_packages_it_says_how_to_get_them(bank):
    code = "import sys; sys.modules['fastapi'] = None; from motionary.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "studio", bank], capture_output=True, text=True, check=False, env=os.environ
    )

    assert done.returncode == 1
    assert "pip install 'motionary[studio]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bank_that_can_only_be_read_is_shown(bank):
    from server.conftest import serving

    with Bank.open(bank) as opened:
        opened.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    bank.chmod(0o400)
    if os.access(bank, os.W_OK):
        pytest.skip("this user can write everything")
    for studio in serving(bank):
        assert studio.get("/api/bank").json["read_only"]
        assert studio.post("/api/labels", {"labels": ["x"], "clips": [1]}).status in (400, 404)
