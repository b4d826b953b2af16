"""`answer_by_schema`: a question that the graphs of a corpus answer exactly, answered by rules, with evidence.

Question -> wish (`read_wish`) -> SPARQL (`build`) -> rows -> claims. No word of the question is ever part of the
query but as an escaped term; what the grammar does not cover whole is not answered here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kag.corpus.catalogue import Listed
from kag.corpus.exact.build import Built, build
from kag.corpus.exact.marks import find_marks
from kag.corpus.exact.names import Ambiguous, Names
from kag.corpus.exact.printed import Printed, find_printed
from kag.corpus.exact.schema_query import Run
from kag.corpus.exact.wish import Wish, read_wish
from kag.corpus.sparql.query import Limits, Table, reader
from kag.corpus.store import Corpus
from kag.questions.file import Question
from kag.read.exact.facts import plural, sentence
from kag.text.plain import plain
from kag.values.evidence import Answer, Claim, Evidence, Value

MODE, LABEL = "extractive", "offline, no model; the graphs of the corpus"
LIMITS = Limits(rows=5_000, bytes=20_000_000)
LISTED = 500  # rows that are told one by one
LEVEL = 20  # groups that may share the first place of a ranking

Row = dict[str, str]


def answer_by_schema(question: Question, corpus: Corpus, run: Run | None = None) -> Answer | None:
    """The exact answer over all papers of a corpus; None when the question is none that the graphs answer exactly.

    `run` puts queries to the corpus (by default `kag.corpus.sparql.query.reader`, of the state that is published now).
    The answer's `searches` are what was asked, and the SPARQL that asked it. Without claims the answer is that there is
    none. Raises `QueryError` when a query goes over its limits.
    """
    papers = corpus.papers()
    marked, marks = find_marks(question.text, papers)
    wish = read_wish(marked)
    if wish is None:
        return None
    put = run or reader(corpus.layout.root, LIMITS)
    names = Names(put, papers, marks)
    try:
        return _Writer(question, wish, names).answer(build(wish, names))
    except Ambiguous:
        return None


class _Writer:
    """Rows as an answer."""

    def __init__(self, question: Question, wish: Wish, names: Names) -> None:
        self._question, self._wish, self._names = question, wish, names
        self._papers: dict[str, Listed] = {paper.iri: paper for paper in names.papers}
        self._ids = {paper.iri: paper.id for paper in names.papers}
        self._searches: list[str] = []
        self._label = LABEL

    def answer(self, built: Built) -> Answer:
        """The answer to the wish that was built."""
        self._searches.append(built.query.asks)
        if built.empty:
            self._searches.append(f"works called {built.empty}")
            return self._of([], 0 if self._wish.ask == "count" else [])
        rows = self._rows(built.query.text)
        if built.tally:
            return self._tallied(built, rows)
        items = _items(rows, "work" if self._wish.target in ("work", "journal") else "")
        if not items and built.doubt and self._rows(built.doubt):
            raise Ambiguous("an entry has these words, but not where its authors and year are read")
        if built.unstated:
            self._allow(built.unstated, bool(items))
        if self._wish.ask == "count":
            return self._counted(items)
        return self._listed(items)

    def _allow(self, unstated: str, found: bool) -> None:
        """Say how many papers say nothing on it; where these decide, there is no answer."""
        number = int(self._rows(unstated)[0]["n"])
        if number and (self._wish.ask == "count" or not found):
            raise Ambiguous("papers that do not say")
        self._label = f"{LABEL}; {number} papers do not say" if number else LABEL

    def _rows(self, query: str) -> list[Row]:
        self._searches.append(f"SPARQL: {' '.join(query.split())}")
        table: Table = self._names.run(query)
        if table.ended:
            raise Ambiguous(table.ended)
        return [
            {name: term["value"] if term else "" for name, term in zip(table.names, row, strict=True)}
            for row in table.rows
        ]

    def _printed(self, rows: Iterable[Row]) -> dict[str, Printed]:
        iris = [
            value for row in rows for name, value in row.items() if name not in ("key", "work", "group", "n") and value
        ]
        return find_printed(self._names.run, iris, self._ids)

    def _of(self, claims: Sequence[Claim], value: Value) -> Answer:
        used = dict.fromkeys(one.paper for claim in claims for one in claim.evidence)
        question = self._question
        return Answer(
            question.id,
            question.text,
            MODE,
            self._label,
            tuple(claims),
            value,
            searches=tuple(self._searches),
            papers=tuple(sorted(used)),
        )

    # one number -------------------------------------------------------------------------------

    def _counted(self, items: Sequence[Sequence[Row]]) -> Answer:
        printed = self._printed(rows[0] for rows in items)
        places = [self._place(rows[0], printed) for rows in items]
        noun = (
            "place"
            if self._wish.target == "mention"
            else "entry"
            if self._wish.target == "reference"
            else self._wish.target
        )
        claim = _count(noun, [place for place in places if place])
        if len(claim.evidence) != len(items):
            raise Ambiguous("nothing printed stands for some of what was counted")
        return self._of([claim] if items else [], len(items))

    def _place(self, row: Row, printed: dict[str, Printed]) -> Evidence | None:
        one = printed.get(row.get("at", "")) or printed.get(row["node"])
        return one.mark() or one.place() if one else None

    # a list -----------------------------------------------------------------------------------

    def _listed(self, items: Sequence[Sequence[Row]]) -> Answer:
        shown = items[: self._wish.limit or LISTED]
        if len(items) > LISTED and not self._wish.limit:
            raise Ambiguous("a longer list than anybody reads")
        printed = self._printed(row for rows in shown for row in rows)
        told = [self._item(rows, printed) for rows in shown]
        return self._of([claim for claim, _ in told], [name for _, name in told])

    def _item(self, rows: Sequence[Row], printed: dict[str, Printed]) -> tuple[Claim, str]:
        """One thing of a list as a claim, and what it is called."""
        first = rows[0]
        paper = self._papers[first["paper"]]
        one = printed.get(first.get("at", "")) or printed[first["node"]]
        more = [printed[row[name]] for row in rows for name in row if name not in _OWN and row[name] in printed]
        if self._wish.target == "paper":
            name = paper.title or paper.id
            says = [part.place() for part in dict.fromkeys(more)]
            entries = [_words(place) for place in says if place.node != one.iri][:1]
            text = f"{name}: {entries[0]}" if entries else name
            return Claim(sentence(text), (one.place(), *says)), name
        name = _words(one.place())
        places = (one.place(), *(part.place() for part in dict.fromkeys(more) if part != one))
        others = [printed[row["node"]].place() for row in rows[1:] if row["node"] in printed]
        return Claim(sentence(name), tuple(dict.fromkeys((*places, *others)))), name

    # numbers by group -------------------------------------------------------------------------

    def _tallied(self, built: Built, rows: Sequence[Row]) -> Answer:
        assert built.counted
        counts = {row["group"]: int(row["n"]) for row in rows if row["group"]}
        chosen = list(counts) if self._wish.ask != "rank" else _best(counts, self._wish)
        level = self._wish.ask == "rank" and len(chosen) >= LEVEL + self._wish.limit
        if level or len(chosen) > LISTED or (self._wish.by == "citing" and max(counts.values(), default=0) < 2):
            raise Ambiguous("nothing stands out")
        query = built.counted(chosen)
        items = _items(self._rows(query.text), "work" if self._wish.target in ("work", "journal") else "paper")
        printed = self._printed(
            [row for item in items for row in item] + [{"node": group} for group in chosen if group in self._papers]
        )
        found = {item[0].get("work") or item[0]["paper"]: item for item in items}
        told = [self._group(group, counts[group], found.get(group, ()), printed) for group in chosen]
        names = [name for _, name in told]
        value: Value = names
        if self._wish.ask != "rank":
            twice = {name for name, times in Counter(names).items() if times > 1}
            called = [
                f"{name} ({self._ids[group]})" if name in twice else name
                for name, group in zip(names, chosen, strict=True)
            ]
            value = dict(zip(called, (counts[group] for group in chosen), strict=True))
        return self._of([claim for claims, _ in told for claim in claims], value)

    def _group(
        self, group: str, number: int, rows: Sequence[Row], printed: dict[str, Printed]
    ) -> tuple[list[Claim], str]:
        """A paper or work with its number: what it is, and evidence for each thing that was counted."""
        things = {(row["paper"], row.get("key", "")): row for row in reversed(rows)}
        places = [place for row in reversed(things.values()) if (place := self._place(row, printed))]
        if len(places) != number:
            raise Ambiguous("nothing printed stands for some of what was counted")
        if group in self._papers:
            name = self._papers[group].title or self._papers[group].id
            own = printed[group].place()
        else:
            entry = printed[rows[0]["node"]]
            own = entry.quoting(group) if self._wish.target == "journal" else entry.place()
            name = group if self._wish.target == "journal" else _words(own)
        noun = (
            "paper" if self._wish.by == "citing" else self._wish.by if self._wish.ask == "rank" else self._wish.target
        )
        count = [_count("entry" if noun == "reference" else noun, places)] if number else []
        return [Claim(sentence(name), (own,)), *count], name


_OWN = ("paper", "node", "at", "key", "work")


def _items(rows: Iterable[Row], group: str) -> list[list[Row]]:
    """Rows of one thing together, things in the order of their first row."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        name = (row[group],) if group else (row["paper"], row["key"])
        found.setdefault(name, []).append(row)
    return list(found.values())


def _best(counts: dict[str, int], wish: Wish) -> list[str]:
    """The first groups of a ranking, with those that are level with the last of them."""
    last = list(counts.values())[: wish.limit][-1:]
    return [
        group for group, number in counts.items() if last and (number <= last[0] if wish.least else number >= last[0])
    ]


def _count(noun: str, places: Sequence[Evidence]) -> Claim:
    kept = tuple(dict.fromkeys(places))
    return Claim(f"{len(kept)} {plural(noun, len(kept))}.", kept, count=len(kept))


def _words(place: Evidence) -> str:
    return " ".join(plain(place.quote).split())
