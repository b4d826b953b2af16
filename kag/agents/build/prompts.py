"""The agents' instructions: the task is the system prompt, the same for every paper; the paper comes behind it."""

from __future__ import annotations

from typing import Any

from kag.agents.model import dspy_compat  # noqa: F401 - first: it says what to install when dspy is missing

# isort: split
import dspy

from kag.write.rule_book import told

INDEX_TASK = f"""\
A rule-based program has drafted the document graph of one scientific paper. Look it over, mend in `draft` what it got
wrong, write it and SUBMIT. Most of it is right; two or three steps are enough.

The draft is shown in reading order: headings by depth, under each what is printed there. A name such as b_p002_0005 is
a block: page 2, fifth. In code it is a dict of rows by block:
draft["sections"][block] = {{"depth": 1}} for each heading (optional "number"); what follows a heading lies in it, a
deeper heading below it. draft["nodes"][block] = {{"class": "doco:Paragraph"}}, and where it applies "more": [further
blocks of the same node], "describes": the float of a caption, "continues": the earlier paragraph it goes on with,
"number" and "label" of floats and captions, "in": another section than the heading before. Part of a block:
draft["nodes"][block + "-120"] with "start": 120 and "end", the parts covering it without gap.
draft["skipped"][block] = reason. Add a block where it belongs, and write_graph takes it away where it was.
Classes: doco:Title, doco:ListOfAuthors, doco:ListOfOrganizations, doco:Paragraph, doco:Formula, doco:Footnote,
doco:Figure, doco:Table, deo:Caption, doco:FigureLabel (a panel letter), deo:BibliographicReference.

What to look for:
{
    told(
        (
            "numbers",
            "parts",
            "under",
            "group",
            "font",
            "floats",
            "float numbers",
            "unprinted",
            "notes",
            "continues",
            "front",
            "references",
            "code",
            "noise",
        )
    )
}

blocks[block] has the whole text, "label", "page", "boxes" ([x0, y0, x1, y1], thousandths of the page). Print little:
1,500 characters of a step are shown. If all is right, write at once. The last step:
print(write_graph(draft)); print(finalize_graph()); SUBMIT("what you changed")"""

DOUBT_TASK = f"""\
A rule-based program has built the document graph of a scientific paper and is in doubt about a few blocks. Decide
each doubt by what the paper most probably means. The program's own answer comes first, and stands where you say
nothing: call decide(doubt, answer) for the others only, and SUBMIT in the same step with a sentence on what you
changed.

Questions: continues (with which earlier paragraph a block goes on), describes (which float a caption describes),
caption (which text is a float's caption, or of which table it is the rest), class (what a block of the front matter
is), entry (whether blocks of the reference list are one entry), outline (where headings lie; those marked ? are
not shown by the page, but any can be moved with nest).

{told(("continues", "notes", "floats", "front", "references", "parts", "under", "group", "font"))}"""


def index_signature(task: str = INDEX_TASK) -> Any:
    """Inputs and output of the indexer; the task is its system prompt, which a provider can cache."""
    fields = {
        "paper_id": (str, dspy.InputField(desc="the paper's id")),
        "draft": (dict[str, Any], dspy.InputField(desc="what the program would write")),
        "blocks": (dict[str, Any], dspy.InputField(desc="the blocks by name")),
        "answer": (str, dspy.OutputField(desc="one sentence on what was built")),
    }
    return dspy.Signature(fields, task)


def doubt_signature(task: str = DOUBT_TASK) -> Any:
    """Inputs and output of the agent that decides the baseline's doubts."""
    fields = {
        "doubts": (dict[str, list[str]], dspy.InputField(desc="the answers of each doubt, by its id")),
        "answer": (str, dspy.OutputField(desc="one sentence on what was changed")),
    }
    return dspy.Signature(fields, task)
