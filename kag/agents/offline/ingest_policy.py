"""The policy's replies where a graph is to be drafted: rules over the text in the prompt, told as a model tells them.

It sees the prompt alone: labels and edges are read from the task, the text from the last piece. It mends nothing: what
it is told is wrong, it withdraws.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from kag.agents.ingest.prompts import MARK, MEND
from kag.agents.ingest.rules import read_phrases, read_story
from kag.agents.ingest.values import Document
from kag.kgrag.domain import Domain, domain_of
from kag.retrieval.property_graph.contributions import Contribution
from kag.retrieval.property_graph.elements import Link

_NODE = re.compile(r"^- (\w+)(\*?): ([^;]*)(?:;.*)?$")
_EDGE = re.compile(r"^- (\w+): ([^;]*)(?:; (?:(?!said by)[^;]*;? ?))?(?:; said by: (.*)|said by: (.*))?$")
_WRONG = re.compile(r"^- (\S+): [\[{]", re.M)


def asked(system: str) -> bool:
    """Whether a request is one to draft a graph."""
    return system.startswith(MARK)


def reply(system: str, prompt: str) -> str:
    """The draft of the text in a prompt, or the withdrawal of what is said to be wrong."""
    if MEND in prompt:
        paths = _WRONG.findall(prompt.rpartition(MEND)[2])
        return json.dumps({"items": dict.fromkeys(paths)})
    text = prompt.partition("Text:\n")[2]
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    document = Document("p", text, digest, "text")
    domain = _domain(system)
    story = "Character" in domain.schema.node_labels
    return _draft(read_story(document) if story else read_phrases(document, domain), domain, text)


def _domain(system: str) -> Domain:
    """The labels and edges that the task tells of."""
    nodes, edges = dict[str, Any](), dict[str, Any]()
    for line in system.partition("\nNodes")[2].partition("\nEdges")[0].splitlines():
        if found := _NODE.match(line):
            required = [] if found[3] == "none" else found[3].split(", ")
            nodes[found[1]] = {"names": [*(required[:1] or ["name"]), *(["aliases"] if found[2] else [])]}
    for line in system.partition("\nEdges")[2].splitlines():
        if found := _EDGE.match(line):
            pairs = [pair.split(" -> ") for pair in found[2].split(" or ") if " -> " in pair]
            wording = (found[3] or found[4] or "").split(", ")
            edges[found[1]] = {
                "from": sorted({pair[0] for pair in pairs}), "to": sorted({pair[1] for pair in pairs}),
                "phrases": [one for one in wording if one],
            }  # fmt: skip
    return domain_of({"name": "asked", "nodes": nodes, "edges": edges})


def _draft(entries: tuple[Contribution, ...], domain: Domain, text: str) -> str:
    """A draft in the form of a reply; each element once."""
    nodes, edges, refs = list[Any](), list[Any](), dict[str, str]()
    for one in entries:
        element, quote = one.element, text[one.source.start : one.source.end][:4000]
        if isinstance(element, Link):
            ends = {"from": refs[element.source], "to": refs[element.target]}
            edges.append({"label": element.label, **ends, "props": dict(element.props), "quote": quote})
        elif element.id not in refs:
            refs[element.id] = f"n{len(refs) + 1}"
            name = domain.name_of(element.label, element.props)
            props = dict(element.props)
            nodes.append(
                {"ref": refs[element.id], "label": element.label, "name": name, "props": props, "quote": quote}
            )
    return json.dumps({"nodes": nodes, "edges": edges, "same": []}, ensure_ascii=False)
