"""The builders' instructions: the task is the system prompt, the same for every paper; the paper comes after it."""

from __future__ import annotations

from typing import Any

from kag.agents.model import dspy_compat  # noqa: F401 - first: it says what to install when dspy is missing

# isort: split
import dspy

from kag.indexing.rule_book import rules_text

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
