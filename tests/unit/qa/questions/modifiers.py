"""Questions with a word that changes the answer, each with its right wish; and such questions that are not to be read.

The paper they are put to has an introduction, methods and results, four references or more, figures and tables.
"""

from __future__ import annotations

from kag.qa.questions.structured_query import AnyOf, Condition, Name, Order, Place, Query

INTRODUCTION = Query("section", (Condition("is", name=Name("Introduction", "role")),))
METHODS = Query("section", (Condition("is", name=Name("Methods", "role")),))
RESULTS = Query("section", (Condition("is", name=Name("Results", "role")),))
REFERENCE_1 = Query("reference", (Condition("is", name=Name("1", "number")),))
REFERENCE_2 = Query("reference", (Condition("is", name=Name("2", "number")),))
REFERENCE_3 = Query("reference", (Condition("is", name=Name("3", "number")),))
REFERENCE_4 = Query("reference", (Condition("is", name=Name("4", "number")),))
FIGURE_1 = Query("figure", (Condition("is", name=Name("1", "number")),))
TABLE_1 = Query("table", (Condition("is", name=Name("1", "number")),))

MODIFIED: tuple[tuple[str, Query], ...] = (
    (
        "Which references are cited only in the Introduction?",
        Query("reference", (Condition("cited in", of=INTRODUCTION, only=True),)),
    ),
    (
        "Which references are only cited in the Methods?",
        Query("reference", (Condition("cited in", of=METHODS, only=True),)),
    ),
    (
        "Which references are cited more than once?",
        Query("reference", (Condition("cited in", of=Query("mention"), low=2),)),
    ),
    (
        "Which references are cited exactly once?",
        Query("reference", (Condition("cited in", of=Query("mention"), high=1),)),
    ),
    (
        "Which references are cited only once?",
        Query("reference", (Condition("cited in", of=Query("mention"), high=1),)),
    ),
    ("Which references are never cited?", Query("reference", (Condition("cited in", negated=True),))),
    (
        "Which references are not cited in the Results?",
        Query("reference", (Condition("cited in", of=RESULTS, negated=True),)),
    ),
    (
        "Which references does the Introduction never cite?",
        Query("reference", (Condition("cited in", of=INTRODUCTION, negated=True),)),
    ),
    (
        "Which references are cited in more than two sections?",
        Query("reference", (Condition("cited in", of=Query("section"), low=3),)),
    ),
    (
        "Which references are cited in the Introduction but not in the Results?",
        Query(
            "reference",
            (
                Condition("cited in", of=INTRODUCTION),
                Condition("cited in", of=RESULTS, negated=True),
            ),
        ),
    ),
    (
        "Which references are cited in both the Introduction and the Methods?",
        Query(
            "reference",
            (
                Condition("cited in", of=INTRODUCTION),
                Condition("cited in", of=METHODS),
            ),
        ),
    ),
    (
        "Which references are cited in the Introduction or the Methods?",
        Query(
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
        Query(
            "reference",
            (
                Condition("cited in", of=INTRODUCTION, negated=True),
                Condition("cited in", of=METHODS, negated=True),
            ),
        ),
    ),
    (
        "Which references from before 2010 are cited in the Introduction?",
        Query(
            "reference",
            (
                Condition("year", high=2009),
                Condition("cited in", of=INTRODUCTION),
            ),
        ),
    ),
    ("How many references were published after 2004?", Query("reference", (Condition("year", low=2005),), ask="count")),
    ("How many references have a DOI?", Query("reference", (Condition("has", name=Name("doi")),), ask="count")),
    ("Which references have no DOI?", Query("reference", (Condition("has", name=Name("doi"), negated=True),))),
    ("Which references lack a year?", Query("reference", (Condition("has", name=Name("year"), negated=True),))),
    (
        "How many references without a DOI are cited in the Introduction?",
        Query(
            "reference",
            (
                Condition("has", name=Name("doi"), negated=True),
                Condition("cited in", of=INTRODUCTION),
            ),
            ask="count",
        ),
    ),
    ("Who are the first three authors?", Query("author", place=Place(to=3))),
    ("Who is the third author?", Query("author", place=Place(at=3, to=3))),
    (
        "Who is the last author of reference 2?",
        Query("author", (Condition("in", of=REFERENCE_2),), place=Place(at=-1, to=-1)),
    ),
    (
        "Which references have more than two authors?",
        Query("reference", (Condition("holds", of=Query("author"), low=3),)),
    ),
    (
        "What is the title of the reference after reference 3?",
        Query("reference", place=Place("after", of=REFERENCE_3), get=("title",)),
    ),
    ("What is the title of the last reference?", Query("reference", place=Place(at=-1, to=-1), get=("title",))),
    ("What are the titles of the first two references?", Query("reference", place=Place(to=2), get=("title",))),
    ("Which reference comes before reference 2?", Query("reference", place=Place("before", of=REFERENCE_2))),
    ("What is the oldest reference?", Query("reference", order=Order("year"), place=Place(level=True))),
    (
        "What is the newest reference cited in the Introduction?",
        Query(
            "reference",
            (Condition("cited in", of=INTRODUCTION),),
            order=Order("year", descending=True),
            place=Place(level=True),
        ),
    ),
    (
        "Which are the two most cited references?",
        Query("reference", order=Order("cited in", of=Query("mention"), descending=True), place=Place(to=2)),
    ),
    (
        "Which reference is cited in the most sections?",
        Query("reference", order=Order("cited in", of=Query("section"), descending=True), place=Place(level=True)),
    ),
    (
        "Which section cites the most references?",
        Query("section", order=Order("cites", of=Query("reference"), descending=True), place=Place(level=True)),
    ),
    (
        "Which section has the fewest figures?",
        Query("section", order=Order("holds", of=Query("figure")), place=Place(level=True)),
    ),
    (
        "Which sections cite no references?",
        Query("section", (Condition("cites", of=Query("reference"), low=0, high=0),)),
    ),
    (
        "Which sections cite more than two references of 2009?",
        Query(
            "section", (Condition("cites", of=Query("reference", (Condition("year", low=2009, high=2009),)), low=3),)
        ),
    ),
    (
        "How many sections other than the Introduction cite reference 2?",
        Query(
            "section",
            (
                Condition("is", name=Name("Introduction", "role"), negated=True),
                Condition("cites", of=REFERENCE_2),
            ),
            ask="count",
        ),
    ),
    ("Which sections cite only reference 1?", Query("section", (Condition("cites", of=REFERENCE_1, only=True),))),
    (
        "Which sections cite reference 1 but not reference 2?",
        Query(
            "section",
            (
                Condition("cites", of=REFERENCE_1),
                Condition("cites", of=REFERENCE_2, negated=True),
            ),
        ),
    ),
    (
        "Which sections do not refer to any figure?",
        Query("section", (Condition("refers to", of=Query("figure"), negated=True),)),
    ),
    ("Which figures are never mentioned?", Query("figure", (Condition("referred to in", negated=True),))),
    (
        "Which figures are mentioned only in the Results?",
        Query("figure", (Condition("referred to in", of=RESULTS, only=True),)),
    ),
    (
        "How many figures are mentioned more than once?",
        Query("figure", (Condition("referred to in", of=Query("mention"), low=2),), ask="count"),
    ),
    (
        "Which tables are referred to in the Introduction or the Results?",
        Query(
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
        Query(
            "section",
            (
                Condition("holds", of=Query("section"), direct=True, negated=True),
                Condition("cites", of=REFERENCE_2),
            ),
        ),
    ),
    (
        "Which subsections of the Methods cite reference 4?",
        Query(
            "section",
            (
                Condition("in", of=METHODS, direct=True),
                Condition("cites", of=REFERENCE_4),
            ),
        ),
    ),
    (
        "How many top-level sections have subsections?",
        Query(
            "section",
            (
                Condition("depth", high=1),
                Condition("holds", of=Query("section"), direct=True),
            ),
            ask="count",
        ),
    ),
    (
        "Which references by Cedar are cited in the Methods?",
        Query(
            "reference",
            (
                Condition("author", name=Name("Cedar", "label")),
                Condition("cited in", of=METHODS),
            ),
        ),
    ),
    (
        "Which references were published between 2004 and 2008 in Meadows?",
        Query(
            "reference",
            (
                Condition("year", low=2004, high=2008),
                Condition("venue", name=Name("Meadows")),
            ),
        ),
    ),
    (
        "Is reference 2 cited more than twice?",
        Query(
            "reference",
            (
                Condition("is", name=Name("2", "number")),
                Condition("cited in", of=Query("mention"), low=3),
            ),
            ask="whether",
        ),
    ),
    (
        "Is reference 4 cited only in the Methods?",
        Query(
            "reference",
            (
                Condition("is", name=Name("4", "number")),
                Condition("cited in", of=METHODS, only=True),
            ),
            ask="whether",
        ),
    ),
    ("Are there more than two tables?", Query("paper", (Condition("holds", of=Query("table"), low=3),), ask="whether")),
    (
        "Which is cited more often, reference 1 or reference 2?",
        Query(
            "reference",
            order=Order("cited in", of=Query("mention"), descending=True),
            ask="compare",
            among=(
                REFERENCE_1,
                REFERENCE_2,
            ),
        ),
    ),
    (
        "Which section cites more references, the Introduction or the Methods?",
        Query(
            "section",
            order=Order("cites", of=Query("reference"), descending=True),
            ask="compare",
            among=(
                INTRODUCTION,
                METHODS,
            ),
        ),
    ),
    (
        "How many references does each section cite?",
        Query("reference", (Condition("cited in", of=Query("section")),), ask="count", each="section"),
    ),
    (
        "Which sections that cite reference 2 refer to Figure 1?",
        Query(
            "section",
            (
                Condition("cites", of=REFERENCE_2),
                Condition("refers to", of=FIGURE_1),
            ),
        ),
    ),
    (
        "Which references are cited together with reference 2 but not in the Introduction?",
        Query(
            "reference",
            (
                Condition("beside", of=REFERENCE_2),
                Condition("cited in", of=INTRODUCTION, negated=True),
            ),
        ),
    ),
    (
        "Which references are cited directly in the Methods?",
        Query("reference", (Condition("cited in", of=METHODS, direct=True),)),
    ),
    (
        "Which paragraphs cite at least two references?",
        Query("paragraph", (Condition("cites", of=Query("reference"), low=2),)),
    ),
    ("Which pages have more than one figure?", Query("page", (Condition("holds", of=Query("figure"), low=2),))),
    (
        "Which references cited in the Introduction are also cited in the Methods?",
        Query(
            "reference",
            (
                Condition("cited in", of=INTRODUCTION),
                Condition("cited in", of=METHODS),
            ),
        ),
    ),
    (
        "How many of the references are cited in the Results?",
        Query("reference", (Condition("cited in", of=RESULTS),), ask="count"),
    ),
    (
        "Which of the references are cited twice?",
        Query("reference", (Condition("cited in", of=Query("mention"), low=2, high=2),)),
    ),
    ("What are the last two sections?", Query("section", (Condition("depth", high=1),), place=Place(at=-2, to=-1))),
    (
        "Which sections mention both Figure 1 and Table 1?",
        Query(
            "section",
            (
                Condition("refers to", of=FIGURE_1),
                Condition("refers to", of=TABLE_1),
            ),
        ),
    ),
    ("How many references are from 2005 or later?", Query("reference", (Condition("year", low=2005),), ask="count")),
    (
        "Which references from the 1990s have a DOI?",
        Query(
            "reference",
            (
                Condition("year", low=1990, high=1999),
                Condition("has", name=Name("doi")),
            ),
        ),
    ),
    (
        "Which references other than reference 1 are cited in the Introduction?",
        Query(
            "reference",
            (
                Condition("is", name=Name("1", "number"), negated=True),
                Condition("cited in", of=INTRODUCTION),
            ),
        ),
    ),
    (
        "What is the second most cited reference?",
        Query("reference", order=Order("cited in", of=Query("mention"), descending=True), place=Place(at=2, to=2)),
    ),
    (
        "Which section is longest?",
        Query(
            "section", (Condition("depth", high=1),), order=Order("length", descending=True), place=Place(level=True)
        ),
    ),
    (
        "Which subsection is the shortest?",
        Query("section", (Condition("depth", low=2),), order=Order("length"), place=Place(level=True)),
    ),
    (
        "Which figure is mentioned most often?",
        Query("figure", order=Order("referred to in", of=Query("mention"), descending=True), place=Place(level=True)),
    ),
    (
        "Which references are cited in the first paragraph of the Introduction?",
        Query(
            "reference",
            (Condition("cited in", of=Query("paragraph", (Condition("in", of=INTRODUCTION),), place=Place())),),
        ),
    ),
    (
        "Which references are not from 2009?",
        Query("reference", (Condition("year", low=2009, high=2009, negated=True),)),
    ),
    (
        "Which references are not by Kay?",
        Query("reference", (Condition("author", name=Name("Kay", "label"), negated=True),)),
    ),
    ("Is there no table?", Query("paper", (Condition("holds", of=Query("table"), low=0, high=0),), ask="whether")),
    (
        "Which references are cited in the Introduction and not published in Nature?",
        Query(
            "reference",
            (
                Condition("cited in", of=INTRODUCTION),
                Condition("venue", name=Name("Nature"), negated=True),
            ),
        ),
    ),
    (
        "Which sections have exactly one table and no figure?",
        Query(
            "section",
            (
                Condition("holds", of=Query("table"), high=1),
                Condition("holds", of=Query("figure"), low=0, high=0),
            ),
        ),
    ),
    (
        "What is the year of the oldest reference?",
        Query("reference", order=Order("year"), place=Place(level=True), get=("year",)),
    ),
    ("How many authors does reference 2 have?", Query("author", (Condition("in", of=REFERENCE_2),), ask="count")),
    (
        "Which references are not cited in the Methods or the Results?",
        Query(
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
