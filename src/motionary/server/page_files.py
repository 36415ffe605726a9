"""The files of the page: read once into a fixed table, so that no path of a request ever reaches the disk."""

from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

from motionary.server.guard import API

STATIC = Path(__file__).parent / "static"
SHELL = "index.html"
# First words of addresses within the page, all of which the shell answers
VIEWS = frozenset(
    ("clip", "find", "graph", "space", "review", "selection", "log", "labels", "blend", "transition", "edit", "web")
) | {"motifs", "surprises", "import", "jobs", "parametric", "feet", "selections", "help"}
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
}
NOT_BUILT = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Motionary studio</title>
<p>The page of the studio is not built. In a clone of the repository, run <code>make page</code>, then install Motionary
from there again.</p></html>"""


def page_is_built(folder: Path | None = None) -> bool:
    """Whether there is a page to serve: a clone of the repository has none until it is built."""
    return ((folder or STATIC) / SHELL).is_file()


class PageFiles:
    """An ASGI application: the page's files, and another application for calls."""

    def __init__(self, calls: ASGIApp, folder: Path | None = None) -> None:
        self._calls = calls
        self._files = _read(folder or STATIC)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] != "http" or path.startswith(API):
            await self._calls(scope, receive, send)
            return
        status, (kind, body) = 200, self._files.get(path, ("", b""))
        if not kind and (path == "/" or path.split("/")[1] in VIEWS):
            kind, body = self._files.get(f"/{SHELL}", (KINDS[".html"], NOT_BUILT))
        if not kind:
            status, kind, body = 404, "text/plain; charset=utf-8", b"no such page"
        headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _read(folder: Path) -> dict[str, tuple[str, bytes]]:
    """Kind and content of each file by its address."""
    if not folder.is_dir():
        return {}
    return {
        f"/{path.relative_to(folder).as_posix()}": (KINDS[path.suffix], path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in KINDS
    }
