"""Who may come in: each way to get at the server from outside is refused, and nothing of the bank comes back."""

import socket

import pytest

from motionary.server.guard import MOST_JSON_BYTES, Guard


def test_the_studios_own_page_comes_in(studio):
    assert studio.get("/api/bank").status == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost", "[::1]:{port}", "127.0.0.1:{port}.evil.example", ""],
)
@pytest.mark.parametrize("path", ["/", "/api/bank"])
def test_name_and_port_must_be_ours(studio, host, path):
    reply = studio.send("GET", path, headers=studio.headers | {"Host": host.format(port=studio.port)})

    assert reply.status == 403
    assert b"small" not in reply.body


def test_localhost_is_ours_too(studio):
    host = f"localhost:{studio.port}"
    headers = studio.headers | {"Host": host, "Origin": f"http://{host}"}

    assert studio.send("GET", "/api/bank", headers=headers).status == 200


@pytest.mark.parametrize(
    "sender",
    [
        {"Origin": "null"},
        {"Origin": "https://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Origin": "http://localhost:{port}"},  # another name than the Host's
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://127.0.0.1:{port}", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "null", "Sec-Fetch-Site": "same-origin"},
        {},
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_calls_must_come_from_our_page(studio, sender, method):
    sender = {name: value.format(port=studio.port) for name, value in sender.items()}
    headers = {"Authorization": studio.headers["Authorization"], "Content-Type": "application/json", **sender}

    reply = studio.send(method, "/api/bank", b"{}" if method == "POST" else None, headers)

    assert reply.status == 403
    assert "access-control-allow-origin" not in reply.headers


@pytest.mark.parametrize(
    "token", [None, "", "Bearer", "Bearer ", "Bearer wrong", "Basic {token}", "{token}", "Bearer {token}x"]
)
def test_calls_need_the_token(studio, token):
    headers = dict(studio.headers)
    own = headers.pop("Authorization").removeprefix("Bearer ")
    if token is not None:
        headers["Authorization"] = token.format(token=own)

    assert studio.send("GET", "/api/bank", headers=headers).status == 401
    assert studio.send("GET", "/api/nothing", headers=headers).status == 401  # not even what there is


def test_the_token_is_no_cookie_and_no_parameter(studio):
    headers = dict(studio.headers)
    token = headers.pop("Authorization").removeprefix("Bearer ")

    assert studio.send("GET", f"/api/bank?token={token}", headers=headers | {"Cookie": f"token={token}"}).status == 401
    assert "set-cookie" not in studio.get("/api/bank").headers


@pytest.mark.parametrize("method", ["OPTIONS", "HEAD", "PUT", "PATCH", "TRACE", "CONNECT"])
def test_other_methods_are_refused(studio, method):
    reply = studio.send(method, "/api/bank", headers=studio.headers | {"Access-Control-Request-Method": "POST"})

    assert reply.status == 405
    assert not [name for name in reply.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"]
)
def test_bodies_must_be_json(studio, kind):
    headers = studio.headers | ({} if kind is None else {"Content-Type": kind})

    assert studio.send("POST", "/api/labels", b'{"labels": ["x"], "clips": [1]}', headers).status == 415


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b"{}" * 2, b"[" * 100_000, b'{"labels": NaN}', b'{"a": 1e999}'],
)
def test_malformed_bodies_are_answered(studio, body):
    reply = studio.send("POST", "/api/labels", body, studio.headers | {"Content-Type": "application/json"})

    assert 400 <= reply.status < 500
    assert reply.json["error"]


def test_large_bodies_are_refused_before_they_are_read(studio):
    headers = studio.headers | {"Content-Type": "application/json", "Content-Length": str(MOST_JSON_BYTES + 1)}

    with socket.create_connection(("127.0.0.1", studio.port), timeout=20) as connection:
        lines = [f"{name}: {value}" for name, value in headers.items()]
        host = f"Host: 127.0.0.1:{studio.port}"
        connection.sendall("\r\n".join(["POST /api/labels HTTP/1.1", host, *lines, "", ""]).encode())
        answer = connection.recv(4096)

    assert answer.startswith(b"HTTP/1.1 413")


def test_large_bodies_without_a_length_are_cut_off(studio):
    headers = studio.headers | {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    lines = [f"{name}: {value}" for name, value in headers.items()]
    head = ["POST /api/labels HTTP/1.1", f"Host: 127.0.0.1:{studio.port}", *lines, "", ""]

    with socket.create_connection(("127.0.0.1", studio.port), timeout=20) as connection:
        connection.sendall("\r\n".join(head).encode())
        chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
        try:
            for _ in range(MOST_JSON_BYTES // 65536 + 2):
                connection.sendall(chunk)
            answer = connection.recv(4096)
        except ConnectionError:
            answer = b""  # it hung up

    assert answer == b"" or answer.startswith(b"HTTP/1.1 413")
    assert studio.get("/api/bank").status == 200


@pytest.mark.parametrize("header", ["Host", "Origin", "Authorization"])
def test_headers_that_are_there_twice_are_refused(studio, header):
    known = {"Host": f"127.0.0.1:{studio.port}", **studio.headers}
    lines = [f"{name}: {value}" for name, value in known.items()] + [f"{header}: {known[header]}"]

    with socket.create_connection(("127.0.0.1", studio.port), timeout=20) as connection:
        connection.sendall("\r\n".join(["GET /api/bank HTTP/1.1", *lines, "", ""]).encode())
        answer = connection.recv(4096)

    assert answer.startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize(
    "path",
    [
        *("/../pyproject.toml", "/..%2f..%2fpyproject.toml", "/%2e%2e/app.py", "/static/../app.py", "//etc/passwd"),
        *("/..\\app.py", "/assets/%00", "/app.py", "/.env", "/index.html/..", "/docs", "/openapi.json", "/redoc"),
    ],
)
def test_no_path_leads_to_another_file(studio, path):
    reply = studio.get(path)

    assert reply.status in (400, 404)
    assert b"import" not in reply.body
    assert path.strip("/").encode() not in reply.body  # nothing is reflected


def test_other_sites_cannot_use_the_pages_files(studio):
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}

    assert studio.send("GET", "/", headers=headers).status == 403


def test_a_link_opens_the_page_which_holds_nothing_of_the_bank(studio):
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}

    reply = studio.send("GET", "/clip/1", headers=headers)

    assert reply.status == 200
    assert b"sway" not in reply.body
    assert studio.send("GET", "/", headers=headers | {"Sec-Fetch-Dest": "iframe"}).status == 403


@pytest.mark.parametrize("path", ["/", "/nothing", "/api/bank", "/api/nothing", "/api/clips/99"])
def test_every_answer_says_what_a_browser_may_do_with_it(studio, path):
    headers = studio.get(path).headers

    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy  # no other address
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


def test_errors_name_no_folder_of_the_machine(studio):
    reply = studio.get("/api/clips/99")

    assert reply.status == 404
    assert str(studio.path.parent) not in reply.body.decode()


def test_web_sockets_are_closed():
    import asyncio

    sent = []

    async def send(message):
        sent.append(message)

    asyncio.run(Guard(None, token="t", port=1)({"type": "websocket", "path": "/api/bank"}, None, send))

    assert sent == [{"type": "websocket.close", "code": 1008}]
