"""Who may come in: every request is checked here before anything reads it, and every answer gets its headers here.

A page of another site can make a browser send requests to this machine. So the name and port that the browser thinks it
talks to must be ours (rebinding), the page that sends must be ours (forgery), and calls must carry a token, which no
other program of this machine knows. Bodies are limited, and are JSON but for uploads.
"""

import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

API, UPLOADS = "/api/", "/api/uploads"
METHODS = ("GET", "POST", "DELETE")
MOST_JSON_BYTES = 4 * 2**20
MOST_UPLOAD_BYTES = 512 * 2**20
MOST_AT_ONCE = 120  # calls under way (a browser has 6 for each host); more are asked to come again
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}


@dataclass(frozen=True)
class Refusal(Exception):
    """Why a request is turned away."""

    status: int
    error: str
    remedy: str | None = None
    retry_after: int | None = None


class Guard:
    """An ASGI application before another one: it lets in what may come in."""

    def __init__(self, app: ASGIApp, *, token: str, port: int) -> None:
        self._app, self._token = app, token
        self._hosts = tuple(f"{name}:{port}" for name in ("127.0.0.1", "localhost"))
        self._n_calls = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no WebSockets
            await send({"type": "websocket.close", "code": 1008})
            return
        is_call = scope["path"].startswith(API)
        self._n_calls += is_call
        try:
            most_bytes = self._check(scope, is_call=is_call)
            await self._let_in(scope, receive, send, most_bytes)
        except Refusal as refusal:
            await _refuse(send, refusal)
        finally:
            self._n_calls -= is_call

    def _check(self, scope: Scope, *, is_call: bool) -> int:
        """Raise unless the request may come in; the largest body it may have."""
        headers = _Headers(scope["headers"])
        host = headers.only("host")
        if host not in self._hosts:
            raise Refusal(403, "the Host is not this server's", f"open the studio at {self._hosts[0]}")
        if scope["method"] not in METHODS:
            raise Refusal(405, "only GET, POST and DELETE are answered")
        if is_call or scope["path"] == API.rstrip("/"):
            self._check_sender(headers, host)
            self._check_token(headers)
            if self._n_calls > MOST_AT_ONCE:
                raise Refusal(503, "too many calls at once", "ask again in a second", retry_after=1)
        elif headers.only("sec-fetch-site") in ("cross-site", "same-site") and not _is_navigation(headers):
            raise Refusal(403, "other sites cannot use files of this server")
        elif scope["method"] != "GET":
            raise Refusal(405, "files of the page are only read")
        return _checked_body(headers, scope)

    def _check_sender(self, headers: "_Headers", host: str) -> None:
        """The page that sends must be ours; programs that are no browsers must say so themselves."""
        origin, site = headers.only("origin"), headers.only("sec-fetch-site")
        if origin is None and site is None:
            raise Refusal(403, "Origin or Sec-Fetch-Site is missing")
        if origin not in (None, f"http://{host}") or site not in (None, "same-origin"):
            raise Refusal(403, "only the studio's own page may call this server")

    def _check_token(self, headers: "_Headers") -> None:
        scheme, _, token = (headers.only("authorization") or "").partition(" ")
        same = secrets.compare_digest(token.encode("latin-1", "replace"), self._token.encode())
        if scheme.lower() != "bearer" or not same:
            raise Refusal(401, "the token is missing or wrong", "open the studio through the link that it printed")

    async def _let_in(self, scope: Scope, receive: Receive, send: Send, most_bytes: int) -> None:
        n_bytes, begun = 0, False
        too_large = Refusal(413, f"the body is larger than {most_bytes:,} bytes")

        async def counted() -> Message:
            nonlocal n_bytes
            message = await receive()
            n_bytes += len(message.get("body", b""))
            if n_bytes > most_bytes:
                raise too_large
            return message

        async def answered(message: Message) -> None:
            nonlocal begun
            if n_bytes > most_bytes and not begun:
                raise too_large  # whatever the application makes of it
            if message["type"] == "http.response.start":
                begun = True
                message = {**message, "headers": _with_ours(message.get("headers", ()))}
            await send(message)

        try:
            await self._app(scope, counted, answered)
        except Refusal:
            if begun:
                return  # too late for another answer
            raise


class _Headers:
    """Headers by name; one that is there twice is no header that can be trusted."""

    def __init__(self, pairs: Iterable[tuple[bytes, bytes]]) -> None:
        self._pairs = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in pairs]

    def only(self, name: str) -> str | None:
        found = [value for known, value in self._pairs if known == name]
        if len(found) > 1:
            raise Refusal(400, f"the header {name} is there twice")
        return found[0] if found else None


def _is_navigation(headers: _Headers) -> bool:
    """Whether somebody opens the page, from a link of another program or site: it shows nothing without the token."""
    return headers.only("sec-fetch-mode") == "navigate" and headers.only("sec-fetch-dest") == "document"


def _checked_body(headers: _Headers, scope: Scope) -> int:
    kind = (headers.only("content-type") or "").partition(";")[0].strip().lower()
    length = headers.only("content-length")
    if length is not None and not (length.isascii() and length.isdigit()):
        raise Refusal(400, "Content-Length is not a number")
    has_body = (length or "0") != "0" or headers.only("transfer-encoding") is not None
    uploads = scope["path"] == UPLOADS
    most_bytes = 0 if scope["method"] == "GET" else MOST_UPLOAD_BYTES if uploads else MOST_JSON_BYTES
    if has_body and scope["method"] != "GET":
        wanted = "application/octet-stream" if uploads else "application/json"
        if kind != wanted:
            raise Refusal(415, f"the body must be {wanted}")
    if int(length or 0) > most_bytes:
        raise Refusal(413, f"the body is larger than {most_bytes:,} bytes")
    return most_bytes


def _with_ours(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    return [
        *((name, value) for name, value in headers if name.decode("latin-1").lower() not in HEADERS),
        *((name.encode(), value.encode()) for name, value in HEADERS.items()),
    ]


async def _refuse(send: Send, refusal: Refusal) -> None:
    body = json.dumps({"error": refusal.error, "remedy": refusal.remedy}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if refusal.retry_after is not None:
        headers.append((b"retry-after", str(refusal.retry_after).encode()))
    if refusal.status in (400, 413):  # the rest of the body is not read
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": refusal.status, "headers": _with_ours(headers)})
    await send({"type": "http.response.body", "body": body})
