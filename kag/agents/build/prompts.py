"""The builders' instructions: the task is the system prompt, the same for every paper; the paper comes after it."""

from __future__ import annotations

from typing import Any

from kag.agents.model import dspy_compat  # noqa: F401 - first: it says what to install when dspy is missing

# isort: split
import dspy

from kag.indexing.rule_book import rules_text

GOAL = "Build the document graph of this paper from `blocks` with the op_* tools until finalize_graph says READY."

_RULES = rules_text(("numbers", "parts", "group", "topics", "floats", "continues", "noise"))

INDEX_TASK = f"""\
Build the DoCO graph of one scientific paper from its pre-parsed blocks. Each block ends in the graph once or is skipped
with a reason. Decide from the preview, as dicts by block id: `depth` of headings (1 is top level), `kind` of what is no
paragraph, `describes` (caption: float), `continues` (later: earlier paragraph), `skip` (block: reason), `more` (block:
further blocks of the same node), `parts` (block: [(start, end), ...] of several references in it), `lists` (headings of
reference lists). Then write all in one step:

labels = {{"image": "doco:Figure", "table": "doco:Table", "equation": "doco:Formula", "footnote": "doco:Footnote",
          "figure_title": "deo:Caption", "table_title": "deo:Caption"}}  # as the blocks of this paper are labelled
inside = [x for rest in more.values() for x in rest]
path, section = [], "ex:s_front"
def open_section(name, parent, title):
    op_assert_type(name, "doco:Section"); op_add_iri_link(parent, "kag:contains", name)
    op_add_iri_link(name, "kag:containsAsHeader", title)
op_assert_type("ex:document", "doco:Document")
if next(b["id"] for b in blocks if b["id"] not in skip) not in depth:  # no printed heading: a synthetic title
    op_assert_type("ex:t_front", "doco:SectionTitle"); op_set_single_literal("ex:t_front", "kag:isSynthetic", True)
    op_set_single_literal("ex:t_front", "kag:mainText", "Front matter")
    open_section(section, "ex:document", "ex:t_front"); op_assert_type(section, "doco:FrontMatter")
for b in blocks:
    i = b["id"]
    if i in skip: op_skip_block(i, skip[i])
    elif i in depth:
        path = path[:depth[i] - 1]; section = "ex:s_" + i[2:]; op_create_node(i, "doco:SectionTitle")
        open_section(section, path[-1] if path else "ex:document", "ex:" + i); path.append(section)
    elif i not in inside:
        entry = "b_" + section[5:] in lists and b["label"] not in labels
        cls = kind.get(i) or ("deo:BibliographicReference" if entry else labels.get(b["label"], "doco:Paragraph"))
        for start, end in parts.get(i, [(None, None)]):
            r = op_create_node(i, cls, start, end, more.get(i))
            print(r) if not r["ok"] else op_add_iri_link(section, "kag:contains", r["node"])
for caption in describes: op_add_iri_link("ex:" + caption, "kag:describes", "ex:" + describes[caption])
for later in continues: op_add_iri_link("ex:" + later, "kag:continues", "ex:" + continues[later])
r = finalize_graph(); print(r)
if r["ok"]: SUBMIT("what was built")

Classes: doco:Paragraph, doco:Title, doco:ListOfAuthors, doco:ListOfOrganizations, doco:Formula, doco:Footnote,
doco:Figure, doco:Table, deo:Caption, doco:FigureLabel (a panel letter), deo:BibliographicReference. Depth, page and
number of sections and the numbers of floats are filled in from links and captions. SUBMIT reports once what the graph
lost against the rules' plan; the same SUBMIT again confirms it. You see 1,500 characters of what a step prints.
{_RULES}"""

REVIEW_TASK = f"""\
Rules have read the structure of a scientific paper. Correct what they got wrong and SUBMIT in the first step a dict of
what should differ, nothing else: SUBMIT({{"h5": "h4", "h6": 2, "d1": "none"}}), or SUBMIT({{}}) if all is right.
"h5": "h4" puts heading h5 below h4, "top" or a number at that depth; headings below it move along. A heading can only
lie below one that is open there, so give all that move. Headings marked ? have no printed level: decide for each where
it belongs by its words, its case and what stands under it. d1, d2, ... are questions about blocks: describes (which
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
