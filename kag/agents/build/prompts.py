"""The agents' instructions: the task is the system prompt, the paper is variables in the sandbox."""

from __future__ import annotations

from typing import Any

from kag.agents.model import dspy_compat  # noqa: F401 - first: it says what to install when dspy is missing

# isort: split
import dspy

INDEX_TASK = """\
Build the document graph of one scientific paper by calling the op_* tools from code.
`blocks` lists every block the OCR found, in reading order, as dicts: id, page, label (what the OCR took it for),
order, text (its beginning, 160 characters), end (its last words), chars (length of the whole), level (number of
heading marks), boxes ([x0, y0, x1, y1] in thousandths of the page), table (whether cells were read).
read_window(block_id, start, length) reads a whole text; `document` is the paper as Markdown, each block behind a
comment with its id. Nodes made from a block are named after it: b_p002_0005 becomes ex:b_p002_0005.

Rules of the graph:
1. Every block ends in exactly one node, or is left out with op_skip_block(block_id, reason): running heads, page
   numbers, journal logos, empty blocks, a cover page that prints title and abstract a second time.
2. The paper: op_assert_type("ex:document", "doco:Document"), then "fabio:ResearchPaper";
   op_set_single_literal("ex:document", "dcterms:identifier", paper_id).
3. A section for each heading, say ex:s_p002_0005 for b_p002_0005: op_create_node(block_id, "doco:SectionTitle");
   op_assert_type(section, "doco:Section"); op_add_iri_link(section, "kag:containsAsHeader", title);
   op_set_single_literal for "kag:pageNumber", "kag:depth" (1 at the top) and, if printed, "kag:sectionNumber".
   op_add_iri_link(parent, "kag:contains", section) puts it below its parent, ex:document for depth 1.
   Printed numbers decide the nesting (2.1 lies in 2). Without numbers, the standard parts of a paper (Introduction,
   Methods, Results, References, ...) are top-level and other headings lie below the part before them; a heading
   printed right under another, with no text between, lies below it. Captions and panel letters are no headings.
   A section under whose heading nothing is printed, not even a subsection, contains its own title.
4. What is printed before the first heading goes into ex:s_front, typed doco:Section and doco:FrontMatter. Its title
   is printed nowhere: op_assert_type("ex:s_front_title", "doco:SectionTitle"), "kag:fullText" and "kag:mainText"
   "Front matter", "kag:isSynthetic" true. Blocks there: doco:Title, doco:ListOfAuthors, doco:ListOfOrganizations,
   doco:Paragraph.
5. Other blocks: doco:Paragraph, doco:Formula, doco:Footnote (notes under tables too), doco:Figure, doco:Table,
   deo:Caption, doco:FigureLabel (a panel letter), each linked once into the section it is read in, figures and tables
   as well: op_add_iri_link(section, "kag:contains", node). What names a figure that the paper does not print (a list
   of supporting figures) is a doco:Paragraph.
6. Pictures under one caption are one figure: op_create_node(first, "doco:Figure", more_blocks=[others]). Figures
   mostly have the caption below, tables above. op_add_iri_link(caption, "kag:describes", figure_or_table); set
   "kag:floatNumber" ("3", "S1") and "kag:floatLabel" ("Fig. 3") on both.
7. In the reference list one entry is one deo:BibliographicReference. When a block prints several entries, make a
   node of each part, op_create_node(block_id, class, start=, end=), the parts covering the block without gap; when
   an entry runs over several blocks, give them as more_blocks.
8. A paragraph cut by a column, a float, a page or a displayed formula:
   op_add_iri_link(later, "kag:continues", earlier).

How to work: look at `blocks` a little, then write loops over all of them; a handful of steps is enough. Each tool
answers {"ok": false, "error", "hint"} when it refuses: collect what was refused. Print counts and short rows (id,
label, first words): a step's output is cut in its middle at 4,000 characters, and older steps are shortened, so keep
what you need in variables. validate_graph() says what is wrong and which call repairs
it. When finalize_graph(answer) answers READY, look at it, and in the next step SUBMIT(answer) with one sentence on
what you built. SUBMIT is refused before that."""

DOUBT_TASK = """\
A rule-based program has built the document graph of a scientific paper and is in doubt about a few blocks.
`doubts` lists them as dicts: id, block, question, reason, candidates (the program's own choice first), and `around`:
the blocks around it as {id, label, text}. Decide each doubt by what the paper most probably means:
decide(doubt_id, answer) with one of its candidates. Keep the first where nothing speaks for another.
read_window(block_id, start, length) reads a whole text. An answer that would break the graph comes back as
{"ok": false, "error", "hint"}: choose another. Print the doubts compactly first; decide many in one step. When
open_doubts() answers [], look at it, and in the next step SUBMIT(answer) with one sentence on what you changed."""


def index_signature(task: str = INDEX_TASK) -> Any:
    """Inputs and output of the indexer; the task is its system prompt, which a provider can cache."""
    fields = {
        "paper_id": (str, dspy.InputField(desc="the paper's id")),
        "blocks": (list[dict[str, Any]], dspy.InputField(desc="the blocks in reading order")),
        "document": (str, dspy.InputField(desc="the paper as Markdown")),
        "answer": (str, dspy.OutputField(desc="one sentence on what was built")),
    }
    return dspy.Signature(fields, task)


def doubt_signature(task: str = DOUBT_TASK) -> Any:
    """Inputs and output of the agent that decides the baseline's doubts."""
    fields = {
        "doubts": (list[dict[str, Any]], dspy.InputField(desc="the doubts to decide")),
        "answer": (str, dspy.OutputField(desc="one sentence on what was changed")),
    }
    return dspy.Signature(fields, task)
