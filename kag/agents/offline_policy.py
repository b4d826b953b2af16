"""`offline-policy/1`: rules in the place of a model, so that the whole agent path runs without one.

It is an engine, `complete(Request) -> Response`. It sees the prompt and nothing else, as a model does, and
answers with reasoning and code: the rules' plan written call by call, a review that changes nothing, questions answered
by shared words. It costs nothing and is no model: the ledger says "policy".

Where a graph is to be drafted, labels and edges are read from the task, the text from the last piece. It mends nothing:
items that are reported wrong are withdrawn.

The cells are code of one step each. Its last printed line says which cell comes next; the policy sees nothing but the
prompt. It decides nothing itself, so that the loop, the sandbox and the gate do all they do for a model. A question is
answered through the five views: search, read around, quote, repair; the policy quotes the sentences that share most
words with the question, and where half of the words are printed nowhere, it says "not found".
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from dspy.lm15 import Message, Request, Response, TextPart, Usage

from kag.agents.build.prompts import WRITE
from kag.agents.ingest.prompts import MARK, MEND
from kag.agents.ingest.rules import read_phrases, read_story
from kag.agents.ingest.values import Document
from kag.agents.model.engines import Source
from kag.agents.model.options import POLICY
from kag.core.errors import ModelError
from kag.kgrag.domain import Domain, domain_of
from kag.retrieval.property_graph.contributions import Contribution
from kag.retrieval.property_graph.elements import Link

EXPLORE = """\
labels = {}
for block in blocks:
    labels[block["label"]] = labels.get(block["label"], 0) + 1
print(len(blocks), "blocks;", labels)
plan = baseline_plan()
print(len(plan), "rows planned,", len([row for row in plan.values() if "depth" in row]), "sections")
print("next: write")
"""

FINISH = """\
result = finalize_graph("built by rules")
for row in result.get("violations", [])[:8]:
    print(row["count"], row["message"][:160], row["nodes"][:3])
print("next: submit" if result["ok"] else "next: repair")
"""

REPAIR = """\
open_blocks = recall(0)[0]["next_unplaced"]
while open_blocks:
    for name in open_blocks:
        made = op_create_node(name, "doco:Paragraph")
        if not made["ok"]:
            op_skip_block(name, "cannot be placed: " + made["error"])
        else:
            op_set_single_iri_link(made["node"], "^kag:contains", section)
    now = recall(0)[0]["next_unplaced"]
    open_blocks = now if now != open_blocks else []
for row in result.get("violations", []):
    for name in row["nodes"]:
        if "in no section" in row["message"] or "more than one parent" in row["message"]:
            op_set_single_iri_link(name, "^kag:contains", section)
        elif "section is empty" in row["message"]:
            op_add_iri_link(name, "kag:contains", "ex:b_" + name[5:])
        elif "more than one describes" in row["message"] or "comes from no block" in row["message"]:
            op_remove_node(name)
"""

SUBMIT = """\
SUBMIT(str(len(plan)) + " rows, as the rules plan them")
"""

REVIEW = """\
SUBMIT({})
"""

LAYERS = """\
done = finalize_graph("as the rules have it")
print(done)
if done["ok"]:
    SUBMIT("as the rules have it")
"""


_LOOK = """\
common = "what which where when who whom whose why how does did do have has been were was are is the and for not with "
common += "from this that they their into many much any"
words = [word for word in re.findall(r"[^\\W_]{3,}", question.lower()) if word not in common.split()]
found, missing = [], 0
for query in [" ".join(words)[:1000], " ".join(words[:3])[:1000], *words[:6]] if words else [question[:1000]]:
    result = search(query)
    print(query[:60], "->", result["total"] if result["ok"] else result["error"])
    missing += query in words[:6] and not result.get("total")
    for item in result["items"] if result["ok"] else []:
        place = {name: item[name] for name in ("paper", "node") if name in item}
        if place not in found:
            found.append(place)
print("next: read" if found and missing * 2 < max(1, len(words[:6])) else "next: none")
"""

LOOK = (
    """\
def search(query):
    return g_search(query, 6)

def in_paper(place):
    return []

"""
    + _LOOK
)

LOOK_AROUND = (
    """\
def search(query):
    return search_knowledge_graph(query, 6)

def in_paper(place):
    return [place["paper"]]

"""
    + _LOOK
)

READ = """\
paper = in_paper(found[0])
print(len(g_search(*paper, words[0] if words else question[:1000])["items"]), "places in", *paper)
detail = g_node_detail(*paper, found[0]["node"])
section = detail["section"]["node"] if detail.get("section") else ""
print([item["text"][:60] for item in g_section_content(*paper, section)["items"][:3]])
links = g_node_refs(*paper, found[0]["node"])["items"]
print([(item["relation"], item["text"][:60]) for item in links[:3]])
for caption in g_search(*paper, "kind:caption", 1)["items"]:
    links += g_node_refs(*paper, caption["node"])["items"]
floats = [item["node"] for item in links if item.get("kind") in ("Figure", "Table")]
for name in [*re.findall(r"(?:Figure|Table) \\d+", question), *floats]:
    figure = g_figure_info(*paper, name)
    if figure["ok"]:
        print(figure["label"], (figure["caption"] or {"text": ""})["text"][:80])
        break
print("next: quote")
"""

QUOTE = """\
ranked = []
for number, place in enumerate(found[:8]):
    text, offset = "", 0
    while offset is not None and len(text) < 20000:
        part = g_node_detail(*in_paper(place), place["node"], offset)
        text += part["text"] if part["ok"] and not part.get("parts") else ""
        offset = part["next"] if part["ok"] and not part.get("parts") else None
    for sentence in re.split(r"(?<=[.!?])\\s+|\\n", text):
        shared = len([word for word in set(words) if word[:6] in sentence.lower()])
        if shared and 4 < len(sentence.split()) and len(sentence) < 600:
            ranked.append((-shared, number, sentence))
ranked.sort()
claims = [{"text": sentence, "evidence": [{**found[number], "quote": sentence}],
           "confidence": 0.5 if score * -2 >= len(set(words)) else 0.2} for score, number, sentence in ranked[:6]]
print([row["text"][:80] for row in claims[:2]])
print("next: answer" if claims else "next: none")
"""

ANSWER = """\
try:
    SUBMIT(answer={"claims": claims[:2]})
except RuntimeError as error:
    refused = re.findall(r"claims\\[(\\d+)\\]", str(error))
    claims = [row for number, row in enumerate(claims) if str(number) not in refused]
    print(str(error)[:400])
    print("next: answer" if claims else "next: none")
"""

NONE = """\
SUBMIT(answer={"not_found": True})
"""


_NODE = re.compile(r"^- (\w+)(\*?): ([^;]*)(?:;.*)?$")
_EDGE = re.compile(r"^- (\w+): ([^;]*)(?:; (?:(?!said by)[^;]*;? ?))?(?:; said by: (.*)|said by: (.*))?$")
_WRONG = re.compile(r"^- (\S+): [\[{]", re.M)


def asks_for_draft(system: str) -> bool:
    """Whether a request is one to draft a graph."""
    return system.startswith(MARK)


def draft_reply(system: str, prompt: str) -> str:
    """The draft of the text in a prompt, or the withdrawal of what is reported wrong."""
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
    """Return the labels and edges in the task."""
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
    for contribution in entries:
        element, quote = contribution.element, text[contribution.source.start : contribution.source.end][:4000]
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


MAX_REPAIRS = 3

_STEP = re.compile(r"^=== Step \d+ ===$", re.M)
_OUTPUT = re.compile(r"^Output \([\d,]+ chars\):\n", re.M)
_NEXT = re.compile(r"^next: ([a-z ]+)$", re.M)

# What to do next, why, and the code.
_CELLS: dict[str, tuple[str, str]] = {
    "explore": ("Ask for the rules' plan.", EXPLORE),
    "write": ("Write it, and ask whether the graph is finished.", WRITE + FINISH),
    "repair": ("Do what the messages say, then ask again.", REPAIR + FINISH),
    "submit": ("finalize_graph says READY.", SUBMIT),
    "review": ("Nothing in the prompt speaks against the rules' choices.", REVIEW),
    "layers": ("Nothing in the prompt speaks against the rules' layers.", LAYERS),
    "look": ("Search with the words of the question.", LOOK),
    "look around": ("Search all papers with the words of the question.", LOOK_AROUND),
    "read": ("See what stands around the best place, what it cites, and a figure.", READ),
    "quote": ("Take the sentences that share most words with the question.", QUOTE),
    "none": ("No word of the question is printed.", NONE),
    "answer": ("Answer with them, without those that are refused.", ANSWER),
}

# By a tool that is offered, the first of these that is.
_FIRST = {"op_create_node": "explore", "search_knowledge_graph": "look around", "g_search": "look"}


def source() -> Source:
    """The policy as a source of replies for the engine stack."""
    return Source(POLICY, OfflinePolicy, tariff="policy")


class OfflinePolicy:
    """The engine of the policy. It keeps nothing between calls: the prompt holds the state of the work."""

    def complete(self, request: Request) -> Response:
        """The next action; raises `ModelError` where the rules lead no further."""
        system, prompt = _text(request.system), "\n".join(_text(message.parts) for message in request.messages)
        reply = draft_reply(system, prompt) if asks_for_draft(system) else _cell(system, prompt)
        return Response(
            id=None,
            model=POLICY,
            message=Message.assistant([TextPart(reply)]),
            finish_reason="stop",
            usage=Usage(input_tokens=0, output_tokens=0, total_tokens=0),
        )

    def close(self) -> None:
        """Nothing is open."""


def _cell(system: str, prompt: str) -> str:
    """Reasoning and code, as the agent loop wants them."""
    why, code = _CELLS[next_cell(system, prompt)]
    return f"[[ ## reasoning ## ]]\n{why}\n\n[[ ## code ## ]]\n```python\n{code}\n```\n\n[[ ## completed ## ]]"


def next_cell(system: str, prompt: str) -> str:
    """Choose the next cell from the tools in the system prompt and the last output in the prompt."""
    steps = len(_STEP.findall(prompt))
    if not steps:
        if "Terms of graph=" in system:
            return "layers"
        if "`outline` (" in system:
            return "review"
        first = next((first for tool, first in _FIRST.items() if re.search(rf"^\s*- `?{tool}\(", system, re.M)), "")
        if not first:
            raise ModelError(f"{POLICY} only drives the agent loops", hint="Take mode agent, or a model.")
        return first
    last = _OUTPUT.split(prompt)[-1].split("\n[[ ## ")[0]
    announced = _NEXT.findall(last)
    if not announced or announced[-1] not in _CELLS:
        raise ModelError(f"{POLICY} gives up: {last.strip()[:200]!r}", hint="Take a model, or the builder baseline.")
    if announced[-1] == "repair" and prompt.count("next: repair\n") > MAX_REPAIRS:
        raise ModelError(
            f"{POLICY} gives up after {MAX_REPAIRS} repairs", hint="Take a model, or the builder baseline."
        )
    return str(announced[-1])


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "".join(getattr(part, "text", None) or "" for part in (value or ()))
