import asyncio
from typing import Any

import pytest

from motionary.server.page_files import PageFiles, page_is_built


async def no_calls(_scope: Any, _receive: Any, _send: Any) -> None:
    raise AssertionError("a page is no call")


def answer(files: PageFiles, path: str) -> tuple[int, bytes]:
    """Status and body of what is served at a path."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(files({"type": "http", "path": path}, None, send))  # type: ignore[arg-type]
    return sent[0]["status"], sent[1]["body"]


@pytest.mark.parametrize("path", ["/", "/find", "/clip/3"])
def test_a_page_that_is_not_built_says_how_to_build_it(tmp_path, path):
    assert not page_is_built(tmp_path)

    status, body = answer(PageFiles(no_calls, tmp_path), path)

    assert status == 200
    assert b"make page" in body


def test_a_built_page_answers_all_its_addresses_and_nothing_else(tmp_path):
    (tmp_path / "index.html").write_text("<html>")
    (tmp_path / "secret.py").write_text("no")
    assert page_is_built(tmp_path)
    files = PageFiles(no_calls, tmp_path)

    assert answer(files, "/") == answer(files, "/find") == (200, b"<html>")
    for path in ("/secret.py", "/nowhere", "/../index.html"):
        assert answer(files, path)[0] == 404
