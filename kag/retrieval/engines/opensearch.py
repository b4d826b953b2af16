"""OpenSearch as an engine, over HTTP: words by its BM25, whose constants and lengths are those of the files.

Its scores lack the constant factor of 2.2 that ours have, which is put back. User and password are those of the
environment, OPENSEARCH_USER and OPENSEARCH_PASSWORD, and go over https or to this machine only.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import urllib.error
import urllib.request
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from kag.core.addresses import NoRedirect, is_private, web_parts
from kag.core.errors import BadValue, RunError
from kag.core.secrets import hide_secrets, hold_secrets_of
from kag.retrieval.engines.stores import Engine, WordStore
from kag.retrieval.sparse import K1

USER, PASSWORD = "OPENSEARCH_USER", "OPENSEARCH_PASSWORD"
AT_ONCE = 500  # texts of one request
LARGEST = 1 << 28  # bytes of an answer
SECONDS = 60.0
MAPPING = {
    "settings": {"index": {"number_of_shards": 1, "number_of_replicas": 0}},
    "mappings": {
        "dynamic": "strict",
        "properties": {
            "id": {"type": "keyword"},
            "document": {"type": "keyword"},
            "words": {"type": "text", "analyzer": "whitespace", "norms": True},
            "length": {"type": "integer"},
        },
    },
}


class Http:
    """JSON to one address and back. Raises `RunError`."""

    def __init__(self, url: str) -> None:
        hold_secrets_of(url)
        parts = web_parts(url)
        if parts is None or "@" in parts.netloc:
            raise BadValue(f"{url!r:.200} is not a web address", hint="Give one such as http://127.0.0.1:9200.")
        user, password = os.environ.get(USER, ""), os.environ.get(PASSWORD, "")
        if user and not is_private(parts):
            raise BadValue("the credentials would be sent unencrypted", hint="Use an https address, or unset them.")
        token = base64.b64encode(f"{user}:{password}".encode()).decode()
        self._headers = {"Authorization": f"Basic {token}"} if user else {}
        self.url, self.name = url.rstrip("/"), parts.netloc
        self._opener = urllib.request.build_opener(NoRedirect)

    def __call__(self, method: str, path: str, body: Any = None, *, missing: bool = False) -> dict[str, Any]:
        """Return the response to a request; with `missing` None if there is no such thing."""
        lines = isinstance(body, list)
        data = "".join(json.dumps(one) + "\n" for one in body) if lines else json.dumps(body) if body else ""
        kind = "application/x-ndjson" if lines else "application/json"
        headers = {"Content-Type": kind, "User-Agent": "kag", **self._headers}
        request = urllib.request.Request(f"{self.url}{path}", data.encode() or None, headers, method=method)
        try:
            with self._opener.open(request, timeout=SECONDS) as answer:
                found: dict[str, Any] = json.loads(answer.read(LARGEST) or b"{}")
        except urllib.error.HTTPError as error:
            if missing and error.code == 404:
                return {}
            reply = error.read(500).decode("utf-8", "replace")
            raise self._error(f"status {error.code} {hide_secrets(reply)}") from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise self._error(str(error)) from error
        if found.get("errors") or found.get("failures") or found.get("timed_out"):
            raise self._error(f"done in part only: {json.dumps(found)[:300]}")
        return found

    def _error(self, what: str) -> RunError:
        return RunError(f"OpenSearch {self.name}: {what[:400]}", hint=f"Is it running? Check {USER} and {PASSWORD}.")


class OpenSearchWords:
    """Texts as their words, parted by blanks, in one index of one shard: scores of several would differ."""

    def __init__(self, ask: Http, name: str) -> None:
        self._ask, self._path = ask, f"/{name}"

    def put(self, texts: Iterable[tuple[str, str, Mapping[str, int]]]) -> None:
        if not self._ask("GET", self._path, missing=True):
            self._ask("PUT", self._path, MAPPING)
        lines: list[Any] = []
        for name, document, counts in texts:
            words = " ".join(word for word, count in counts.items() for _ in range(count))
            lines += [{"index": {"_id": name}}, {"id": name, "document": document, "words": words}]
            lines[-1]["length"] = sum(counts.values())
        self._send(lines)

    def drop(self, ids: Sequence[str]) -> None:
        if self._ask("GET", self._path, missing=True):
            wanted = {"query": {"terms": {"id": list(ids)}}}
            self._ask("POST", f"{self._path}/_delete_by_query?refresh=true&conflicts=proceed", wanted)

    def _send(self, lines: list[Any]) -> None:
        for at in range(0, len(lines), 2 * AT_ONCE):
            self._ask("POST", f"{self._path}/_bulk?refresh=true", lines[at : at + 2 * AT_ONCE])

    def best(self, words: Mapping[str, float], k: int, documents: Collection[str]) -> list[tuple[str, float]]:
        should = [{"term": {"words": {"value": word, "boost": float(count)}}} for word, count in sorted(words.items())]
        among = [{"terms": {"document": sorted(documents)}}] if documents else []
        body = {
            "size": k,
            "_source": False,
            "sort": [{"_score": "desc"}, {"id": "asc"}],
            "query": {"bool": {"should": should, "minimum_should_match": 1, "filter": among}},
        }
        found = self._ask("POST", f"{self._path}/_search", body, missing=True)
        hits = found.get("hits", {}).get("hits", ())
        return [(str(hit["_id"]), float(hit["_score"]) * (K1 + 1)) for hit in hits]

    def having(self, word: str) -> int:
        body = {"query": {"term": {"words": {"value": word}}}}
        return int(self._ask("POST", f"{self._path}/_count", body, missing=True).get("count", 0))

    def lengths(self) -> tuple[int, float]:
        body = {"size": 0, "track_total_hits": True, "aggs": {"words": {"sum": {"field": "length"}}}}
        found = self._ask("POST", f"{self._path}/_search", body, missing=True)
        if not found:
            return 0, 0.0
        texts, words = int(found["hits"]["total"]["value"]), float(found["aggregations"]["words"]["value"])
        return texts, words / max(1, texts)

    def settle(self) -> None:
        """It does that by itself."""


class OpenSearch(Engine):
    """The engine at http://HOST:9200."""

    name = "OpenSearch"
    parts = frozenset(("words",))

    def __init__(self, address: str) -> None:
        self._ask = Http(address)
        self.id = f"opensearch:{self._ask.url}"

    def words(self, name: str) -> WordStore:
        return OpenSearchWords(self._ask, f"{name}_texts")
