"""Prompts of the builders with a model, and their view of a paper.

The task is the system prompt, the same for every paper; the paper comes after it, as bounded previews. Whole texts live
in the sandbox as `document` and `blocks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import dspy

from kag.agents.build import outline
from kag.agents.build.ambiguities import PART_OF, Ambiguity
from kag.agents.model import dspy_compat  # noqa: F401 - first: it says what to install when dspy is missing
from kag.core.types import Block, Document
from kag.indexing.build_plan import Plan
from kag.indexing.rule_book import rules_text
from kag.indexing.structure.page_layout import blocks_in_order
from kag.sources.labels import HEADINGS, REFERENCES
from kag.text.plain import preview

GOAL = "Build the document graph of this paper from `blocks` with the op_* tools until finalize_graph says READY."

_RULES = rules_text(("numbers", "parts", "group", "topics", "floats", "continues", "noise"))

WRITE = """\
place = {b["id"]: n for n, b in enumerate(blocks)}
path, links, section = [], [], "ex:s_front"
op_assert_type("ex:document", "doco:Document")
for name in sorted(plan, key=lambda x: (place[x.split("-")[0]], plan[x].get("start", 0))):
    row, i = plan[name], name.split("-")[0]
    if "skip" in row:
        op_skip_block(i, row["skip"]); continue
    r = op_create_node(i, row.get("class", "doco:SectionTitle"), row.get("start"), row.get("end"), row.get("more"))
    if not r["ok"]:
        print(name, r); continue
    head = node = r["node"]
    if "depth" in row:
        section = "ex:" + row.get("opens", "s_" + name[2:]); op_assert_type(section, "doco:Section")
        if "title" in row:  # no printed heading: a synthetic one
            head = section + "_title"; op_assert_type(head, "doco:SectionTitle")
            op_set_single_literal(head, "kag:isSynthetic", True)
            op_set_single_literal(head, "kag:mainText", row["title"])
            if row["title"] == "Front matter": op_assert_type(section, "doco:FrontMatter")
        op_add_iri_link(section, "kag:containsAsHeader", head)
        path = path[:row["depth"] - 1]
        op_add_iri_link(path[-1] if path else "ex:document", "kag:contains", section); path.append(section)
    if "class" in row: links.append(("ex:" + row["in"] if "in" in row else section, "kag:contains", node))
    links += [(node, "kag:" + p, "ex:" + row[p]) for p in ("describes", "continues") if p in row]
for s, p, o in links:
    r = op_add_iri_link(s, p, o)
    if not r["ok"]: print(r)
"""

INDEX_TASK = f"""\
Build the DoCO graph of one scientific paper from its pre-parsed blocks. Each block ends in the graph once or is skipped
with a reason. Make a plan, a dict of rows by block id:
{{"depth": 1}} a heading (1 is top level); where needed with "more": [further blocks of the same node, right below each
other, all with its label]
{{"class": "doco:Paragraph"}} anything else; where needed with "more", "describes": the row of a caption's float,
"continues": the row of the part before it of a paragraph cut by a page, a column or a float, "in": "s_p001_0003", its
section if that is not the last opened
{{"class": ..., "opens": "s_front", "title": "Front matter", "depth": 1}} the first node of a section whose heading is
not printed
{{"skip": "running head"}}
Rows named "b_p002_0007-120" (block and start) with "start", "end" and no "more" are parts of a block: references, or a
heading and the text that runs on behind it. `plan = baseline_plan()` is the rules' plan, mostly right: look at the rows
that the preview makes you doubt (one step, little print), correct them, and write all in one step:

{WRITE}r = finalize_graph(); print(r)
if r["ok"]: SUBMIT("what was built")

Classes: doco:Paragraph, doco:Title, doco:ListOfAuthors, doco:ListOfOrganizations, doco:Formula, doco:Footnote,
doco:Figure, doco:Table, deo:Caption, doco:FigureLabel (text printed in a figure), deo:BibliographicReference. Depth,
page and number of sections and the numbers of floats are filled in from links and captions; a float may have several
captions (a legend below). SUBMIT reports once what the graph lost against the rules' plan; the same SUBMIT again
confirms it. You see 1,500 characters of what a step prints.
{_RULES}"""

REVIEW_TASK = f"""\
Rules have read the structure of a scientific paper. Correct what they got wrong and SUBMIT in the first step a dict of
what should differ, nothing else: SUBMIT({{"h5": "h4", "h6": 2, "d1": "none"}}), or SUBMIT({{}}) if all is right.
"h5": "h4" puts heading h5 below h4, "top" or a number at that depth; headings below it move along; "none" says that it
is no heading but text. A heading can only lie below one that is open there, so give all that move. Headings marked ?
have no printed level: decide for each where it belongs by its words, its case and what stands under it; others may be
wrong, too. d1, d2, ... are questions about blocks: describes (which
float a caption describes), caption (which text is a float's caption, or of which table it is a part), continues (which
earlier paragraph a paragraph continues), class (what a block of the front matter is), entry (one reference or several).
{rules_text(("parts", "topics", "group", "continues", "floats", "front"))}"""


def index_signature(task: str = INDEX_TASK) -> Any:
    """Inputs and output of the indexer; the task text is its system prompt, which a provider can cache."""
    fields = {
        "document": (str, dspy.InputField(desc="the paper as Markdown")),
        "task": (str, dspy.InputField(desc="the goal")),
        "blocks": (list[dict[str, Any]], dspy.InputField(desc='dicts of "id", "page", "label", "text", "boxes"')),
        "answer": (str, dspy.OutputField(desc="one sentence on what was built")),
    }
    return dspy.Signature(fields, task)


def review_signature(task: str = REVIEW_TASK) -> Any:
    """Inputs and output of the agent that reviews the baseline's plan."""
    fields = {
        "outline": (dict[str, int], dspy.InputField(desc="the headings")),
        "answer": (dict[str, Any], dspy.OutputField(desc="what should differ")),
    }
    return dspy.Signature(fields, task)


BEGINNING = 80  # characters of a block's beginning
END = 50  # and of its end
UNDER = 110  # of the first text under a heading
SCRAP = 25  # characters of a text that is shown in a run with its neighbours
SHORT = 60  # a text this short may be a heading, a running head or a label, and is shown
BOXES = 8  # boxes of one block; no printed block has more columns or pages
LONGEST = 20_000  # characters of a block in the sandbox; read_window has all
_TEXTS = REFERENCES | {"text", "ref_text"}
MAX_PREVIEW = 16_000  # characters of the preview of a paper's blocks
MAX_OUTLINE = 7_000  # characters of the outline


def repl_blocks(document: Document) -> list[dict[str, Any]]:
    """The pre-parsed blocks in reading order, as they are in the sandbox; offsets in `text` are those of parts."""
    return [
        {
            "id": block.id,
            "page": block.page,
            "label": block.label,
            "text": block.text[:LONGEST],
            "boxes": [list(box) for box in block.boxes[:BOXES]],
        }
        for block in blocks_in_order(document)
    ]


def markdown(document: Document) -> str:
    """The paper's text as Markdown: the blocks in reading order, as their source printed them."""
    texts = (block.raw or block.text for block in blocks_in_order(document))
    return "\n\n".join(text for text in texts if text.strip())


def document_preview(text: str) -> str:
    """Return the prompt's preview of `document`: its size and its beginning."""
    return f"`document`: {len(text)} characters of Markdown, beginning: {preview(text, 200)}"


def blocks_preview(document: Document) -> str:
    """Return the prompt's preview of `blocks`: one line for each block that is not running text, one for a run of
    text."""
    blocks = blocks_in_order(document)
    lines = [f"`blocks`: {document.pages} pages, {len(blocks)} blocks (id label: beginning; ~ ends inside a sentence)"]
    shown = _shown_blocks(blocks)
    size = 0
    for is_single, run in groupby(blocks, key=lambda block: block.id in shown and not _is_scrap(block)):
        group = list(run)
        for line_blocks in ([block] for block in group) if is_single else [group]:
            line = _line(line_blocks[0]) if len(line_blocks) == 1 else _run_line(line_blocks)
            size += len(line) + 1
            if size > MAX_PREVIEW:
                return "\n".join([*lines, f"... the rest, from {line_blocks[0].id} on, is in `blocks`"])
            lines.append(line)
    return "\n".join(lines)


def _is_scrap(block: Block) -> bool:
    """Whether a block is a scrap of text, such as a cell of a table that was read as text."""
    return block.label in _TEXTS and len(block.plain) <= SCRAP


def _shown_blocks(blocks: Sequence[Block]) -> set[str]:
    """The blocks that have a line of their own: all but running text behind the first text under a heading."""
    headings = [place for place, block in enumerate(blocks) if block.label in HEADINGS]
    first = headings[1] if len(headings) > 1 else 0
    shown = {block.id for block in blocks[: first + 1]}
    for before, block in zip([None, *blocks], blocks, strict=False):
        is_text = block.label in _TEXTS
        opens = before is not None and before.label in HEADINGS
        cut = before is not None and before.page != block.page
        if not is_text or opens or cut or len(block.plain) <= SHORT:
            shown.add(block.id)
    return shown


def _line(block: Block) -> str:
    text = " ".join(block.plain.split())
    shown = f": {preview(text, BEGINNING)}{_mark(block)}" if text else ""
    return f"{block.id} {block.label}{shown}"


def _run_line(blocks: Sequence[Block]) -> str:
    """A run of texts by its ends, and those in it that end inside of a sentence; the last one's end is shown."""
    cut = [block.id for block in blocks[:-1] if _mark(block) and not _is_scrap(block)]
    inner = f" (~ {', '.join(cut)})" if cut else ""
    end = f" ...{' '.join(blocks[-1].plain.split())[-END:]} ~" if _mark(blocks[-1]) else ""
    return f"  {len(blocks)} {blocks[0].label} {blocks[0].id} to {blocks[-1].id}{inner}{end}"


def _mark(block: Block) -> str:
    """The mark of running text that ends inside of a sentence, so that something may continue it."""
    text = block.plain.rstrip()
    is_cut = block.label == "text" and text and not text.endswith((".", "!", "?", ":", ")", "]", '"', "”"))
    return " ~" if is_cut else ""


# ambiguities ------------------------------------------------------------------------------------------------------


def review_view(document: Document, plan: Plan, ambiguities: Mapping[str, Ambiguity]) -> str:
    """The outline, then the ambiguities a line each, then the blocks they are about and their neighbours."""
    parts = ["Outline; behind a heading its page and what stands under it:"]
    parts.append(outline.render(document, plan.sections, MAX_OUTLINE))
    if ambiguities:
        rows = [
            f"{name} {a.question} {a.block}: {' | '.join(a.candidates)} ({a.reason})" for name, a in ambiguities.items()
        ]
        parts.append("Questions, each with its answers, the rules' choice first:\n" + "\n".join(rows))
        parts.append("Blocks in reading order:\n" + "\n".join(_around(document, ambiguities.values())))
    return "\n".join(parts)


def _around(document: Document, ambiguities: Iterable[Ambiguity]) -> Iterator[str]:
    """Return the blocks of ambiguities and their answers with both ends, and the neighbouring blocks by label."""
    order = blocks_in_order(document)
    places = {block.id: place for place, block in enumerate(order)}
    named = {name.removeprefix(PART_OF) for a in ambiguities for name in (a.block, *a.candidates)}
    wanted = {places[name] for name in named if name in places}
    near = {place + step for place in wanted for step in (-1, 1) if 0 <= place + step < len(order)}
    last = -1
    for place in sorted(wanted | near):
        if last >= 0 and place > last + 1:
            yield "..."
        yield _ends(order[place], BEGINNING if place in wanted else BEGINNING // 2, END if place in wanted else 0)
        last = place


def _ends(block: Block, beginning: int, end: int) -> str:
    """A block by name and label with the beginning and the end of its text."""
    text = " ".join(block.plain.split())
    shown = preview(text, beginning)
    if end and len(text) > beginning + end:
        shown += f" ...{text[-end:]}"
    return f"{block.id} {block.label}: {shown}" if text else f"{block.id} {block.label}"
