"""Requests to a server that no client of good will sends, each with the statuses that may come of it. No attack itself.

A request is bytes as they go over the wire; 0 is a connection that is closed without a word, or stays silent because
the request is not whole. `HOST` stands for the host that is named.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

REFUSED = (400, 403, 404, 405, 413, 415, 421, 422, 428, 431)
READ = (200, 303, 304, *REFUSED)
MALFORMED = (0, 400, 405, 413, 415, 421, 422, 431)


@dataclass(frozen=True, slots=True)
class Sent:
    """A request, by name, and the statuses that are allowed."""

    name: str
    data: bytes
    allowed: Sequence[int] = READ


def request(method: str, path: str, *headers: str, body: bytes | None = None, host: str = "127.0.0.1") -> bytes:
    """A request as bytes; headers are Latin-1."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", *headers, "Connection: close"]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b"")


def all_requests(paper: str, token: str = "") -> list[Sent]:
    """All requests, to a server that has this paper."""
    kinds = (paths(paper), sign_in(token), headers(paper), bodies(paper), elsewhere(paper), queries())
    return [one for kind in kinds for one in kind]


PATHS = (
    *(
        "/%E4%B8%96",
        "/%00",
        "/a%0d%0aX-Evil:%201",
        "/%5cevil.example",
        "//evil.example/%2e%2e",
        "/%ff%fe",
        "/%",
        "/%zz",
    ),
    *(
        "/papers/%F0%9F%98%80",
        "/api/v1/papers/%E2%80%AE",
        "/answers/%E4%B8%96",
        "/*",
        "/;a=b",
        "/%25%32%65",
        "/?%ff=%fe",
    ),
    *("/?words=%ED%A0%80", "/?words=%00", "/?from=-1&order=%E4%B8%96", "/search?query=%F0%9F%98%80%00", "/jobs?%00"),
    *("/static/%E4%B8%96", "/static/viewer/..%5c..%5c", "/.git/config", "/api/v1", "/api/v1/", "/api//v1/papers"),
    *("/api/v1/openapi.json/", "/papers/a/b/c/d/e", "/graph?most=99999999", "/api/v1/search?query=%E4%B8%96&limit=٣"),
    *(f"/?{'a=b&' * 4000}", f"/{'a/' * 5000}", f"/search?query={'%41' * 9000}", f"/{'%E4%B8%96' * 500}"),
)


def paths(paper: str) -> Iterator[Sent]:
    """Paths and queries that are odd, with a token in the address, too: signing in leads to the path that is named."""
    for n, path in enumerate(PATHS):
        path = path.encode("utf-8").decode("latin-1")
        yield Sent(f"path {n}", request("GET", path), (0, *READ))
        yield Sent(f"path {n} with a token", request("GET", f"{path}{'&' if '?' in path else '?'}token=x"), (0, *READ))
    for path in (
        f"/papers/{paper}/pictures/%E4%B8%96.png",
        f"/papers/{paper}/graph?node=%00",
        f"/papers/{paper}?x=%ff",
    ):
        yield Sent(f"paper's {path}", request("GET", path))
    for line in (
        "GET http://evil.example/ HTTP/1.1",
        "OPTIONS * HTTP/1.1",
        "GET / HTTP/9.9",
        "GET  / HTTP/1.1",
        "get / HTTP/1.1",
    ):
        yield Sent(
            f"line {line}", f"{line}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode(), (*MALFORMED, 200, 404)
        )


def sign_in(token: str) -> Iterator[Sent]:
    """Ways to bring a token: right ones in odd places, wrong ones in all."""
    for name, query in (
        ("twice", "token=a&token=b"),
        ("empty", "token="),
        ("null", "token=%00"),
        ("letters", "token=%E4%B8%96"),
    ):
        yield Sent(f"token {name}", request("GET", f"/?{query}"), (*READ, 401, 429))
    for name, value in (
        ("two words", "Bearer a b"),
        ("basic", "Basic YTpi"),
        ("long", f"Bearer {'a' * 8000}"),
        ("letters", "Bearer \xe4\xb8"),
        ("none", "Bearer"),
        ("list", f"Bearer {token}, Bearer x"),
    ):
        yield Sent(
            f"authorization {name}", request("GET", "/api/v1/papers", f"Authorization: {value}"), (*READ, 401, 429)
        )
    for name, value in (
        ("cut", "kag_session="),
        ("quoted", 'kag_session="a\\342"'),
        ("many", "a=b; " * 900),
        ("none", "=;=;;"),
    ):
        yield Sent(f"cookie {name}", request("GET", "/", f"Cookie: {value}"), (*READ, 401, 429))
    if token:
        path = "/%E4%B8%96%0d%0aX-Evil:1"
        yield Sent("right token, odd path", request("GET", f"{path}?token={token}"), (303,))


def headers(paper: str) -> Iterator[Sent]:
    """Headers that contradict each other, lie, or are none."""
    post = ("Content-Type: application/json", "If-Match: *")
    for n, lines in enumerate(
        (
            ("Host: evil.example",),
            ("X-Forwarded-For: 198.51.100.1, 198.51.100.2", "X-Forwarded-Proto: https", "Forwarded: for=1.2.3.4"),
            ("X-Forwarded-Host: evil.example", "X-Original-URL: /settings", "X-Rewrite-URL: /settings"),
            ("X-HTTP-Method-Override: DELETE", "X-Method-Override: DELETE"),
            ("Range: bytes=0-1,2-3,5-9999999999",),
            ("If-None-Match: *",),
            (f"If-None-Match: {', '.join(['W/a'] * 2000)}",),
            ("If-Match: \xe4\xb8", "If-Modified-Since: never"),
            ("Accept: text/event-stream; q=zz",),
            ("Accept-Encoding: gzip;q=0, br;q=a, *;q=-1",),
            (f"X-Long: {'a' * 30000}",),
            ("Idempotency-Key: " + "a" * 500,),
            ("Expect: 200-maybe",),
            ("Sec-Fetch-Site: ", "Sec-Fetch-Mode: \xff"),
            ("Last-Event-ID: 99999999999999999999",),
        )
    ):
        yield Sent(f"header {n}", request("GET", f"/api/v1/papers/{paper}", *lines))
    for n, lines in enumerate(
        (
            ("Content-Length: 5", "Content-Length: 6"),
            ("Content-Length: 5", "Transfer-Encoding: chunked"),
            ("Transfer-Encoding: chunked, chunked",),
            ("Transfer-Encoding: gzip",),
            ("Content-Length: +5",),
            ("Content-Length: 0x5",),
            ("Content-Length : 5",),
            ("Bad Header",),
            ("X-A: a\x00b",),
            (" folded: yes",),
        )
    ):
        yield Sent(f"framing {n}", request("POST", "/api/v1/ask", *post, *lines), MALFORMED)


def bodies(paper: str) -> Iterator[Sent]:
    """Bodies that are none, or too much."""
    deep, long = b"[" * 40_000, b'{"question": "' + b"a" * 400_000 + b'"}'
    given = (
        *(b"", b"null", b"NaN", b'{"question": 1e999}', b'{"question": "\\ud800"}', b'\xef\xbb\xbf{"question": "a"}'),
        *(
            '{"question": "a"}'.encode("utf-16"),
            b'{"question": "a", "question": "b"}',
            deep,
            long,
            b'{"question": "\\u0000"}',
        ),
    )
    json_ = "Content-Type: application/json"
    for n, body in enumerate(given):
        yield Sent(f"question {n}", request("POST", "/api/v1/ask", json_, body=body), (200, *REFUSED))
    claim = {"text": "a" * 300_000, "evidence": [], "confidence": 1.0, "count": None, "verdict": None}
    for n, claims in enumerate(([claim], [{**claim, "text": "ice 12.5 mg, " * 2300}] * 20)):
        answer = {"format": "kag-answer/2", "id": "a", "question": "q", "mode": "m", "label": "l", "claims": claims}
        answer |= {
            "value": None,
            "dropped": [],
            "searches": [],
            "papers": [],
            "usage": {},
            "stopped": "",
            "answer": "",
            "found": True,
        }
        body = json.dumps(answer).encode()
        yield Sent(f"claims that are too long {n}", request("POST", "/api/v1/verify", json_, body=body), (413, 422))
    for n, (match, body) in enumerate(
        (
            ("", b'{"kind": "noise", "node": "ex:b_p001_0001"}'),
            ('If-Match: "of-another-time"', b'{"kind": "noise", "node": "ex:b_p001_0001"}'),
            ("If-Match: *", b'{"kind": "noise", "node": "../../x"}'),
            ("If-Match: *", b'{"kind": "caption", "node": "ex:b_p001_0001", "target": "ex:b_p001_0001"}'),
        )
    ):
        path, lines = f"/api/v1/papers/{paper}/corrections", [json_, *([match] if match else [])]
        yield Sent(f"correction {n}", request("POST", path, *lines, body=body), (400, 404, 409, 412, 422, 428))
    yield Sent("removal of no version", request("DELETE", f"/api/v1/papers/{paper}"), (428,))
    yield Sent("removal of another version", request("DELETE", f"/api/v1/papers/{paper}", 'If-Match: W/"x"'), (412,))
    yield from _forms()


def _forms() -> Iterator[Sent]:
    part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\n\r\n%s\r\n'
    kinds: dict[str, tuple[str, bytes]] = {
        "without a boundary": ("multipart/form-data", b"x"),
        "with a long boundary": (f"multipart/form-data; boundary={'b' * 2000}", b"x"),
        "that breaks off": ("multipart/form-data; boundary=b", b"--b\r\nContent-Disp"),
        "without a file": (
            "multipart/form-data; boundary=b",
            b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--b--\r\n',
        ),
        "with an empty file": ("multipart/form-data; boundary=b", part % (b"a.pdf", b"") + b"--b--\r\n"),
        "with a nameless file": ("multipart/form-data; boundary=b", part % (b"", b"%PDF-1.4") + b"--b--\r\n"),
        "with 60 files": ("multipart/form-data; boundary=b", part % (b"a.exe", b"x") * 60 + b"--b--\r\n"),
        "in two charsets": (
            "multipart/form-data; boundary=b; charset=utf-7",
            part % (b"\xff\xfe.md", b"\0") + b"--b--\r\n",
        ),
    }
    for name, (kind, body) in kinds.items():
        yield Sent(f"form {name}", request("POST", "/api/v1/papers", f"Content-Type: {kind}", body=body), REFUSED)
        yield Sent(f"form {name}, by the page", request("POST", "/upload", f"Content-Type: {kind}", body=body), REFUSED)


def elsewhere(paper: str) -> Iterator[Sent]:
    """What the page of another site makes a browser load from here: pictures, frames, scripts, links."""
    costly = (
        "/sparql?query=SELECT%20*%20%7B%3Fa%20%3Fb%20%3Fc%7D",
        "/search?query=ice",
        "/ask?question=What%20is%20ice%3F",
    )
    costly += ("/statistics", "/api/v1/search?query=ice", "/api/v1/statistics", "/api/v1/graph?most=500")
    costly += (f"/api/v1/papers/{paper}/neighbours?hops=3&most=500", f"/api/v1/papers/{paper}/exports/jsonld")
    loads = {"a picture": ("no-cors", "image"), "a frame": ("navigate", "iframe"), "a script": ("no-cors", "script")}
    loads |= {"a link": ("navigate", "document"), "a prefetch": ("no-cors", "empty")}
    for path in costly:
        for name, (mode, kind) in loads.items():
            lines = ("Sec-Fetch-Site: cross-site", f"Sec-Fetch-Mode: {mode}", f"Sec-Fetch-Dest: {kind}")
            yield Sent(f"{name} to {path}", request("GET", path, *lines), (403,))
        yield Sent(f"an old browser to {path}", request("GET", path, "User-Agent: Mozilla/5.0"), (403,))
        yield Sent(f"a page elsewhere to {path}", request("GET", path, "Referer: http://evil.example/"), (403,))
    pictures = ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image")
    yield Sent("a picture of a page", request("GET", f"/papers/{paper}", *pictures), (403,))


def queries() -> Iterator[Sent]:
    """SPARQL that is none, or that must not be."""
    texts = (
        *("", "SELECT", "SELECT * {", "ASK { ?a ?b ?c } ; DROP ALL", "BASE <file:///> LOAD <etc/passwd>", "\u4e16"),
        *(
            "CONSTRUCT { ?a ?b ?c } FROM NAMED <http://evil.example/> { ?a ?b ?c }",
            "# only words",
            "SELECT * { ?a ?b '" + "a" * 19_000,
        ),
        *("SELECT (REPLACE(?a, '(a+)+$', 'b') AS ?x) { ?a ?b ?c }", "SELECT * { ?a (!<a:a>)* ?c } LIMIT 5"),
    )
    for n, text in enumerate(texts):
        body = json.dumps({"query": text}).encode()
        yield Sent(
            f"query {n}",
            request("POST", "/api/v1/sparql", "Content-Type: application/json", body=body),
            (200, 400, 422),
        )
