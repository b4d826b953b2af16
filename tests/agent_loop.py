"""An agent that answers by calling tools; a script is in a model's place: search, read, quote, have it verified."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

Call = tuple[str, dict[str, Any]]


def words(text: str) -> set[str]:
    return {word[:6] for word in re.findall(r"[a-z]{4,}", text.lower())}


def policy(question: str) -> Iterator[Call]:
    """Yields calls, is sent their results; returns the claim that held, with its evidence."""
    found = yield "search_papers", {"query": question}
    read = []
    for hit in found["items"][:4]:
        node = yield "read_passage", {"paper": hit["paper"], "node": hit["node"]}
        sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z])", node["text"])
        read += [(len(words(one) & words(question)), one) for one in sentences]
    for _, quote in sorted(read, key=lambda one: -one[0]):
        checked = yield "verify_claim", {"claim": quote, "quote": quote}
        if checked["ok"] and checked["printed"]:
            return quote, checked["evidence"][0]
    return None


async def answered(client: Any, question: str) -> tuple[str, dict[str, Any]]:
    """The loop: each call of the policy goes to the server, what it gives goes back to the policy."""
    steps, result = policy(question), None
    try:
        while True:
            name, arguments = steps.send(result)
            result = json.loads((await client.call_tool(name, arguments)).content[0].text)
    except StopIteration as done:
        return done.value


QUESTIONS = {
    "How was flower cover estimated along the transect?": ("urban_pollinators", "ten squares"),
    "In which shoulder were the mice implanted?": ("zirconium_tracers", "right shoulder"),
    "What is the energy that a station spends in a day?": (
        "reservoir_sensors",
        "its own measurements and for the radio",
    ),
}
