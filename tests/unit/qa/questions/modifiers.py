"""Questions with a word that changes the answer, each with its right wish; and such questions that are not to be read.

The paper they are put to has an introduction, methods and results, four references or more, figures and tables.
"""

from __future__ import annotations

from kag.qa.questions.structured_query import AnyOf, Condition, Name, Order, Place, Wish

INTRODUCTION = Wish("section", (Condition("is", name=Name("Introduction", "role")),))
METHODS = Wish("section", (Condition("is", name=Name("Methods", "role")),))
RESULTS = Wish("section", (Condition("is", name=Name("Results", "role")),))
REFERENCE_1 = Wish("reference", (Condition("is", name=Name("1", "number")),))
REFERENCE_2 = Wish("reference", (Condition("is", name=Name("2", "number")),))
REFERENCE_3 = Wish("reference", (Condition("is", name=Name("3", "number")),))
REFERENCE_4 = Wish("reference", (Condition("is", name=Name("4", "number")),))
FIGURE_1 = Wish("figure", (Condition("is", name=Name("1", "number")),))
TABLE_1 = Wish("table", (Condition("is", name=Name("1", "number")),))

MODIFIED: tuple[tuple[str, Wish], ...] = (
    (
        "Which references are cited only in the Introduction?",
        Wish("reference", (Condition("cited in", of=INTRODUCTION, only=True),)),
    ),
    (
        "Which references are only cited in the Methods?",
        Wish("reference", (Condition("cited in", of=METHODS, only=True),)),
    ),
    (
        "Which references are cited more than once?",
        Wish("reference", (Condition("cited in", of=Wish("mention"), low=2),)),
    ),
    (
        "Which references are cited exactly once?",
        Wish("reference", (Condition("cited in", of=Wish("mention"), high=1),)),
    ),
    ("Which references are cited only once?", Wish("reference", (Condition("cited in", of=Wish("mention"), high=1),))),
    ("Which references are never cited?", Wish("reference", (Condition("cited in", negated=True),))),
    (
        "Which references are not cited in the Results?",
        Wish("reference", (Condition("cited in", of=RESULTS, negated=True),)),
    ),
    (
        "Which references does the Introduction never cite?",
        Wish("reference", (Condition("cited in", of=INTRODUCTION, negated=True),)),
    ),
    (
        "Which references are cited in more than two sections?",
        Wish("reference", (Condition("cited in", of=Wish("section"), low=3),)),
    ),
    (
        "Which references are cited in the Introduction but not in the Results?",
        Wish(
            "reference",
            (
                Condition("cited in", of=INTRODUCTION),
                Condition("cited in", of=RESULTS, negated=True),
            ),
        ),
    ),
    (
        "Which references are cited in both the Introduction and the Methods?",
        Wish(
            "reference",
            (
                Condition("cited in", of=INTRODUCTION),
                Condition("cited in", of=METHODS),
            ),
        ),
    ),
    (
        "Which references are cited in the Introduction or the Methods?",
        Wish(
            "reference",
            (
                AnyOf(
                    (
                        Condition("cited in", of=INTRODUCTION),
                        Condition("cited in", of=METHODS),
                    )
                ),
            ),
        ),
    ),
    (
        "Which references are cited neither in the Introduction nor in the Methods?",
        Wish(
            "reference",
            (
                Condition("cited in", of=INTRODUCTION, negated=True),
                Condition("cited in", of=METHODS, negated=True),
            ),
        ),
    ),
    (
        "Which references from before 2010 are cited in the Introduction?",
        Wish(
            "reference",
            (
                Condition("year", high=2009),
                Condition("cited in", of=INTRODUCTION),
            ),
        ),
    ),
    ("How many references were published after 2004?", Wish("reference", (Condition("year", low=2005),), ask="count")),
    ("How many references have a DOI?", Wish("reference", (Condition("has", name=Name("doi")),), ask="count")),
    ("Which references have no DOI?", Wish("reference", (Condition("has", name=Name("doi"), negated=True),))),
    ("Which references lack a year?", Wish("reference", (Condition("has", name=Name("year"), negated=True),))),
    (
        "How many references without a DOI are cited in the Introduction?",
        Wish(
            "reference",
            (
                Condition("has", name=Name("doi"), negated=True),
                Condition("cited in", of=INTRODUCTION),
            ),
            ask="count",
        ),
    ),
    ("Who are the first three authors?", Wish("author", place=Place(to=3))),
    ("Who is the third author?", Wish("author", place=Place(at=3, to=3))),
    (
        "Who is the last author of reference 2?",
        Wish("author", (Condition("in", of=REFERENCE_2),), place=Place(at=-1, to=-1)),
    ),
    (
        "Which references have more than two authors?",
        Wish("reference", (Condition("holds", of=Wish("author"), low=3),)),
    ),
    (
        "What is the title of the reference after reference 3?",
        Wish("reference", place=Place("after", of=REFERENCE_3), get=("title",)),
    ),
    ("What is the title of the last reference?", Wish("reference", place=Place(at=-1, to=-1), get=("title",))),
    ("What are the titles of the first two references?", Wish("reference", place=Place(to=2), get=("title",))),
    ("Which reference comes before reference 2?", Wish("reference", place=Place("before", of=REFERENCE_2))),
    ("What is the oldest reference?", Wish("reference", order=Order("year"), place=Place(level=True))),
    (
        "What is the newest reference cited in the Introduction?",
        Wish(
            "reference",
            (Condition("cited in", of=INTRODUCTION),),
            order=Order("year", descending=True),
            place=Place(level=True),
        ),
    ),
    (
        "Which are the two most cited references?",
        Wish("reference", order=Order("cited in", of=Wish("mention"), descending=True), place=Place(to=2)),
    ),
    (
        "Which reference is cited in the most sections?",
        Wish("reference", order=Order("cited in", of=Wish("section"), descending=True), place=Place(level=True)),
    ),
    (
        "Which section cites the most references?",
        Wish("section", order=Order("cites", of=Wish("reference"), descending=True), place=Place(level=True)),
    ),
    (
        "Which section has the fewest figures?",
        Wish("section", order=Order("holds", of=Wish("figure")), place=Place(level=True)),
    ),
    ("Which sections cite no references?", Wish("section", (Condition("cites", of=Wish("reference"), low=0, high=0),))),
    (
        "Which sections cite more than two references of 2009?",
        Wish("section", (Condition("cites", of=Wish("reference", (Condition("year", low=2009, high=2009),)), low=3),)),
    ),
    (
        "How many sections other than the Introduction cite reference 2?",
        Wish(
            "section",
            (
                Condition("is", name=Name("Introduction", "role"), negated=True),
                Condition("cites", of=REFERENCE_2),
            ),
            ask="count",
        ),
    ),
    ("Which sections cite only reference 1?", Wish("section", (Condition("cites", of=REFERENCE_1, only=True),))),
    (
        "Which sections cite reference 1 but not reference 2?",
        Wish(
            "section",
            (
                Condition("cites", of=REFERENCE_1),
                Condition("cites", of=REFERENCE_2, negated=True),
            ),
        ),
    ),
    (
        "Which sections do not refer to any figure?",
        Wish("section", (Condition("refers to", of=Wish("figure"), negated=True),)),
    ),
    ("Which figures are never mentioned?", Wish("figure", (Condition("referred to in", negated=True),))),
    (
        "Which figures are mentioned only in the Results?",
        Wish("figure", (Condition("referred to in", of=RESULTS, only=True),)),
    ),
    (
        "How many figures are mentioned more than once?",
        Wish("figure", (Condition("referred to in", of=Wish("mention"), low=2),), ask="count"),
    ),
    (
        "Which tables are referred to in the Introduction or the Results?",
        Wish(
            "table",
            (
                AnyOf(
                    (
                        Condition("referred to in", of=INTRODUCTION),
                        Condition("referred to in", of=RESULTS),
                    )
                ),
            ),
        ),
    ),
    (
        "Which sections without subsections cite reference 2?",
        Wish(
            "section",
            (
                Condition("holds", of=Wish("section"), direct=True, negated=True),
                Condition("cites", of=REFERENCE_2),
            ),
        ),
    ),
    (
        "Which subsections of the Methods cite reference 4?",
        Wish(
            "section",
            (
                Condition("in", of=METHODS, direct=True),
                Condition("cites", of=REFERENCE_4),
            ),
        ),
    ),
    (
        "How many top-level sections have subsections?",
        Wish(
            "section",
            (
                Condition("depth", high=1),
                Condition("holds", of=Wish("section"), direct=True),
            ),
            ask="count",
        ),
    ),
    (
        "Which references by Cedar are cited in the Methods?",
        Wish(
            "reference",
            (
                Condition("author", name=Name("Cedar", "label")),
                Condition("cited in", of=METHODS),
            ),
        ),
    ),
    (
        "Which references were published between 2004 and 2008 in Meadows?",
        Wish(
            "reference",
            (
                Condition("year", low=2004, high=2008),
                Condition("venue", name=Name("Meadows")),
            ),
        ),
    ),
    (
        "Is reference 2 cited more than twice?",
        Wish(
            "reference",
            (
                Condition("is", name=Name("2", "number")),
                Condition("cited in", of=Wish("mention"), low=3),
            ),
            ask="whether",
        ),
    ),
    (
        "Is reference 4 cited only in the Methods?",
        Wish(
            "reference",
            (
                Condition("is", name=Name("4", "number")),
                Condition("cited in", of=METHODS, only=True),
            ),
            ask="whether",
        ),
    ),
    ("Are there more than two tables?", Wish("paper", (Condition("holds", of=Wish("table"), low=3),), ask="whether")),
    (
        "Which is cited more often, reference 1 or reference 2?",
        Wish(
            "reference",
            order=Order("cited in", of=Wish("mention"), descending=True),
            ask="compare",
            among=(
                REFERENCE_1,
                REFERENCE_2,
            ),
        ),
    ),
    (
        "Which section cites more references, the Introduction or the Methods?",
        Wish(
            "section",
            order=Order("cites", of=Wish("reference"), descending=True),
            ask="compare",
            among=(
                INTRODUCTION,
                METHODS,
            ),
        ),
    ),
    (
        "How many references does each section cite?",
        Wish("reference", (Condition("cited in", of=Wish("section")),), ask="count", each="section"),
    ),
    (
        "Which sections that cite reference 2 refer to Figure 1?",
        Wish(
            "section",
            (
                Condition("cites", of=REFERENCE_2),
                Condition("refers to", of=FIGURE_1),
            ),
        ),
    ),
    (
        "Which references are cited together with reference 2 but not in the Introduction?",
        Wish(
            "reference",
            (
                Condition("beside", of=REFERENCE_2),
                Condition("cited in", of=INTRODUCTION, negated=True),
            ),
        ),
    ),
    (
        "Which references are cited directly in the Methods?",
        Wish("reference", (Condition("cited in", of=METHODS, direct=True),)),
    ),
    (
        "Which paragraphs cite at least two references?",
        Wish("paragraph", (Condition("cites", of=Wish("reference"), low=2),)),
    ),
    ("Which pages have more than one figure?", Wish("page", (Condition("holds", of=Wish("figure"), low=2),))),
    (
        "Which references cited in the Introduction are also cited in the Methods?",
        Wish(
            "reference",
            (
                Condition("cited in", of=INTRODUCTION),
                Condition("cited in", of=METHODS),
            ),
        ),
    ),
    (
        "How many of the references are cited in the Results?",
        Wish("reference", (Condition("cited in", of=RESULTS),), ask="count"),
    ),
    (
        "Which of the references are cited twice?",
        Wish("reference", (Condition("cited in", of=Wish("mention"), low=2, high=2),)),
    ),
    ("What are the last two sections?", Wish("section", (Condition("depth", high=1),), place=Place(at=-2, to=-1))),
    (
        "Which sections mention both Figure 1 and Table 1?",
        Wish(
            "section",
            (
                Condition("refers to", of=FIGURE_1),
                Condition("refers to", of=TABLE_1),
            ),
        ),
    ),
    ("How many references are from 2005 or later?", Wish("reference", (Condition("year", low=2005),), ask="count")),
    (
        "Which references from the 1990s have a DOI?",
        Wish(
            "reference",
            (
                Condition("year", low=1990, high=1999),
                Condition("has", name=Name("doi")),
            ),
        ),
    ),
    (
        "Which references other than reference 1 are cited in the Introduction?",
        Wish(
            "reference",
            (
                Condition("is", name=Name("1", "number"), negated=True),
                Condition("cited in", of=INTRODUCTION),
            ),
        ),
    ),
    (
        "What is the second most cited reference?",
        Wish("reference", order=Order("cited in", of=Wish("mention"), descending=True), place=Place(at=2, to=2)),
    ),
    (
        "Which section is longest?",
        Wish("section", (Condition("depth", high=1),), order=Order("length", descending=True), place=Place(level=True)),
    ),
    (
        "Which subsection is the shortest?",
        Wish("section", (Condition("depth", low=2),), order=Order("length"), place=Place(level=True)),
    ),
    (
        "Which figure is mentioned most often?",
        Wish("figure", order=Order("referred to in", of=Wish("mention"), descending=True), place=Place(level=True)),
    ),
    (
        "Which references are cited in the first paragraph of the Introduction?",
        Wish(
            "reference",
            (Condition("cited in", of=Wish("paragraph", (Condition("in", of=INTRODUCTION),), place=Place())),),
        ),
    ),
    ("Which references are not from 2009?", Wish("reference", (Condition("year", low=2009, high=2009, negated=True),))),
    (
        "Which references are not by Kay?",
        Wish("reference", (Condition("author", name=Name("Kay", "label"), negated=True),)),
    ),
    ("Is there no table?", Wish("paper", (Condition("holds", of=Wish("table"), low=0, high=0),), ask="whether")),
    (
        "Which references are cited in the Introduction and not published in Nature?",
        Wish(
            "reference",
            (
                Condition("cited in", of=INTRODUCTION),
                Condition("venue", name=Name("Nature"), negated=True),
            ),
        ),
    ),
    (
        "Which sections have exactly one table and no figure?",
        Wish(
            "section",
            (
                Condition("holds", of=Wish("table"), high=1),
                Condition("holds", of=Wish("figure"), low=0, high=0),
            ),
        ),
    ),
    (
        "What is the year of the oldest reference?",
        Wish("reference", order=Order("year"), place=Place(level=True), get=("year",)),
    ),
    ("How many authors does reference 2 have?", Wish("author", (Condition("in", of=REFERENCE_2),), ask="count")),
    (
        "Which references are not cited in the Methods or the Results?",
        Wish(
            "reference",
            (
                Condition("cited in", of=METHODS, negated=True),
                Condition("cited in", of=RESULTS, negated=True),
            ),
        ),
    ),
)

UNREAD = (
    "Which tables have a value above 2.5?",
    "Which tables list more than 3 sites?",
    "How meny tables r there??",
    "Which figures show prices under 5 dollars?",
    "How many references does each top-level section cite?",
    "Which section comes after the last figure?",
    "List the references cited in the Introduction in alphabetical order.",
    "Which references are cited almost everywhere?",
    "Which references are mainly cited in the Introduction?",
    "Which sections cite every reference?",
    "Which references are cited in all sections?",
    "Which references are cited in every section?",
    "Which references are cited in half of the sections?",
    "Which other references are cited?",
    "Which references are not only cited in the Introduction?",
    "Which references cited first in the Methods?",
    "What else is cited in the Introduction?",
    "Which references are cited before reference 3?",
    "How many more references does the Introduction cite than the Methods?",
    "Which recent references are cited in the Introduction?",
    "Which important references are cited in the Introduction?",
    "Which references are cited at the beginning of the Introduction?",
    "Are all references cited?",
    "Do all sections cite reference 2?",
    "Which references might be cited in the Introduction?",
)
