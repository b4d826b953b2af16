"""`answer_by_schema`: a question that the graphs of a corpus answer exactly, answered by rules, with evidence.

Question -> query (`kag.qa.questions`) -> SPARQL -> things -> claims. No word of the question is ever part of the
query but as an escaped term; what the reader does not read whole is not answered here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from kag.core.evidence import EXACT, Answer, Claim, Evidence, Value
from kag.corpus.exact.compile import is_name
from kag.corpus.exact.fields import Printed, fields, find_printed
from kag.corpus.exact.find import Finder, Item, compared, each_query, ranked_by
from kag.corpus.exact.named import Ambiguous, Names
from kag.corpus.exact.things import SHARED, Run, Unfit
from kag.corpus.sparql.query import Limits, reader
from kag.corpus.store import Corpus
from kag.qa.exact.evaluate import flat
from kag.qa.exact.facts import plural, sentence
from kag.qa.exact.things import FLOATS
from kag.qa.questions.file import Question
from kag.qa.questions.papers import KnownPaper
from kag.qa.questions.reader import Known, read_question
from kag.qa.questions.structured_query import Query
from kag.qa.quote import cuts_word, find_quote
from kag.text.plain import plain

LABEL = "from the graphs of the corpus, no model"
LIMITS = Limits(rows=5_000, bytes=20_000_000)
LISTED = 500  # things that are listed one by one
LEVEL = 20  # things that may share a place of a ranking
SHOWN = 20  # nodes that show one thing to be one
_NOUNS = {"mention": "place", "reference": "entry"}
_OF_WORDS = ("author", "keyword", "journal")


def answer_by_schema(question: Question, corpus: Corpus, run: Run | None = None) -> Answer | None:
    """The exact answer to a question; None where it is not read whole, or the graphs do not answer it exactly.

    `run`, the answer and what is raised are as in `answer_query`.
    """
    papers = tuple(KnownPaper(paper.id, paper.title) for paper in corpus.papers())
    queries = read_question(question.text, Known(papers=papers, many=True)).queries
    return answer_query(question, queries[0], corpus, run) if len(queries) == 1 else None


def answer_query(question: Question, query: Query, corpus: Corpus, run: Run | None = None) -> Answer | None:
    """The exact answer to a query over all papers of a corpus; None where the graphs do not answer it exactly.

    `run` puts queries to the corpus (by default `kag.corpus.sparql.query.reader`, of the state that is published now).
    The answer's `searches` are the queries that were asked. Without claims the answer is that there is none. Raises
    `QueryError` when a query goes over its limits.
    """
    names = Names(run or reader(corpus.layout.root, LIMITS), corpus.papers())
    try:
        return _Writer(question, names.with_journals(query), Finder(names)).answer()
    except (Ambiguous, Unfit):
        return None


class _Writer:
    """Things as an answer."""

    def __init__(self, question: Question, query: Query, finder: Finder) -> None:
        self._question, self._query, self._finder = question, query, finder
        self._papers = {paper.iri: paper for paper in finder.names.papers}
        self._ids: Mapping[str, str] = {paper.iri: paper.id for paper in finder.names.papers}

    def answer(self) -> Answer:
        """The answer to the query."""
        query = self._query
        if query.ask == "compare":
            self._query = query = compared(query)
        if query.each is not None:
            return self._for_each()
        if ranked_by(query) and query.kind not in _OF_WORDS[:2]:
            return self._ranked()
        items = self._finder.things(query)
        self._require_one_paper(items)
        unsaid = self._unsaid(items)
        label = f"{LABEL}; {unsaid} papers do not say" if unsaid else LABEL
        if query.ask == "whether":
            return self._whether(items, label)
        if query.ask == "count":
            return self._counted(items, label)
        return self._fields(items, label) if query.get else self._listed(items, label)

    def _require_one_paper(self, items: Sequence[Item]) -> None:
        """Numbers are those of one paper: "Table 2" of no paper in particular is no table."""
        numbered = any(getattr(one, "name", None) and one.name.way == "number" for one in self._query.where)  # type: ignore[union-attr]
        if numbered and len({item.paper for item in items}) > 1:
            raise Ambiguous("a number in several papers")

    def _unsaid(self, items: Sequence[Item]) -> int:
        """How many papers say nothing on what the query rests on; where these decide, there is no answer."""
        if not items:
            self._doubt()
        properties = list(dict.fromkeys(self._finder.stated))
        if not properties:
            return 0
        says = " ".join(f"?g {one} ?said{number} ." for number, one in enumerate(properties))
        paper = f"?g a fabio:ResearchPaper . FILTER NOT EXISTS {{ {says} }}"
        rows = self._finder.rows(f"SELECT (COUNT(?g) AS ?n) WHERE {{ GRAPH ?g {{ {paper} }} }}")
        number = int(rows[0]["n"])
        if number and (self._query.ask != "list" or not items):
            raise Ambiguous("papers that do not say")
        return number

    def _doubt(self) -> None:
        for entry in self._finder.doubts:
            if self._finder.rows(f"SELECT * WHERE {{ {entry} }} LIMIT 1"):
                raise Ambiguous("an entry has these words, but not where its authors and year are read")

    def _printed(self, items: Iterable[Item]) -> dict[str, Printed]:
        iris = [
            node
            for item in items
            for node in (*(node for _, node in item.nodes), *item.captions, *item.shown[:SHOWN], item.paper)
        ]
        return find_printed(self._finder.names.run, iris, self._ids, by_caption=True)

    def _of(self, claims: Sequence[Claim], value: Value, label: str = LABEL) -> Answer:
        used = dict.fromkeys(one.paper for claim in claims for one in claim.evidence)
        unknown = [f"works called {name}" for name in self._finder.names.unknown]
        queries = [f"SPARQL: {' '.join(query.split())}" for query in self._finder.asked]
        return Answer(
            self._question.id,
            self._question.text,
            EXACT,
            label,
            tuple(claims),
            value=value,
            searches=(*unknown, *queries),
            papers=tuple(sorted(used)),
        )

    # numbers, yes and no --------------------------------------------------------------------------

    def _counted(self, items: Sequence[Item], label: str) -> Answer:
        printed = self._printed(items)
        claim = self._count(self._query.kind, items, printed)
        return self._of([claim] if items else [], len(items), label)

    def _count(self, kind: str, items: Sequence[Item], printed: Mapping[str, Printed]) -> Claim:
        """Count the things, with one place for each; raises `Ambiguous` if one is printed nowhere."""
        if kind == "float":
            raise Unfit("one number of figures, tables and formulas")
        places = [place for item in items if (place := _mark(item, kind, printed))]
        kept = tuple(dict.fromkeys(places))
        if len(kept) != len(items):
            raise Ambiguous("nothing printed stands for some of what was counted")
        return Claim(f"{len(kept)} {plural(_NOUNS.get(kind, kind), len(kept))}.", kept, count=len(kept))

    def _whether(self, items: Sequence[Item], label: str) -> Answer:
        if not items:
            return self._of([], "no", label)
        claim, name = self._item(items[0], self._printed(items[:1]))  # one such thing is enough
        return self._of([replace(claim, text=f"{name}: yes.")], "yes", label)

    # lists ----------------------------------------------------------------------------------------

    def _listed(self, items: Sequence[Item], label: str) -> Answer:
        if len(items) > LISTED:
            raise Ambiguous("a longer list than anybody reads")
        printed = self._printed(items)
        pairs = [self._item(item, printed) for item in items]
        return self._of([claim for claim, _ in pairs], [name for _, name in pairs], label)

    def _item(self, item: Item, printed: Mapping[str, Printed]) -> tuple[Claim, str]:
        """One thing of a list as a claim, and what it is called."""
        if self._query.kind in SHARED and item.shown:  # of all entries those that it is asked for
            item = replace(item, nodes=tuple(pair for pair in item.nodes if pair[1] in item.shown) or item.nodes)
        one = _first(item, printed)
        more = [printed[node].place() for node in item.shown[:SHOWN] if node in printed]
        if self._query.kind == "paper":
            name = self._papers[item.id].title or self._ids[item.id]
            entries = [_words(place) for place in more if place.node != one.iri][:1]
            if _is_of_floats(self._query):  # of these the label stands for the thing: words inside of it say nothing
                marks = (printed[node].mark() for node in item.shown[:SHOWN] if node in printed)
                more, entries = [mark for mark in marks if mark], []
            text = f"{name}: {entries[0]}" if entries else name
            return Claim(sentence(text), tuple(dict.fromkeys((one.place(), *more)))), name
        own, name = self._called(item, printed)
        others = [printed[node].place() for _, node in item.nodes if node in printed]
        others = [] if self._query.kind in ("author", "page", "paragraph") else others
        return Claim(sentence(name), tuple(dict.fromkeys((own, *more, *others)))), name

    def _called(self, item: Item, printed: Mapping[str, Printed]) -> tuple[Evidence, str]:
        """Return a thing's name and where it is printed."""
        one = _first(item, printed)
        if self._query.kind in _OF_WORDS:
            return _name_evidence(item, printed), item.id
        if self._query.kind == "page":
            return one.place(), f"page {one.page}"
        if self._query.kind == "paragraph":
            return one.opening(), _words(one.opening())
        return one.place(), _words(one.place())

    def _fields(self, items: Sequence[Item], label: str) -> Answer:
        """Properties of things instead of the things."""
        if len(items) > LISTED:
            raise Ambiguous("a longer list than anybody reads")
        if self._query.kind == "paper" and len(items) > 1:
            return self._of_papers(items)
        claims: list[Claim] = []
        texts: list[str] = []
        for name in self._query.get:
            found = fields(self._finder, self._query.kind, items, name, self._ids)
            stated = [field for item in items for field in found.get(item.id, ())]
            claims += [Claim(sentence(field.text), (field.evidence,)) for field in stated]
            texts += (
                dict.fromkeys(field.text for field in stated) if self._is_one() else [field.text for field in stated]
            )
        value: Value = texts if len(texts) != 1 else texts[0]
        return self._of(list(dict.fromkeys(claims)), value if texts else None, label)

    def _of_papers(self, items: Sequence[Item]) -> Answer:
        """Answer for several papers, each by its title; papers without the value are counted."""
        claims: list[Claim] = []
        texts: list[str] = []
        silent: set[str] = set()
        for name in self._query.get:
            found = fields(self._finder, "paper", items, name, self._ids)
            silent |= {item.id for item in items if not found.get(item.id)}
            for item in items:
                title = "" if name == "title" else f"{self._papers[item.id].title or self._ids[item.id]}: "
                for field in found.get(item.id, ()):
                    claims.append(Claim(sentence(f"{title}{field.text}"), (field.evidence,)))
                    texts.append(f"{title}{field.text}")
        label = f"{LABEL}; {len(silent)} papers do not say" if silent else LABEL
        return self._of(list(dict.fromkeys(claims)), texts or None, label)

    def _is_one(self) -> bool:
        """Whether the query names one work, which may have many entries."""
        return self._query.kind == "work" and is_name(self._query)

    # rankings, and numbers for each ---------------------------------------------------------------

    def _ranked(self) -> Answer:
        """Things by how many others stand in a relation to them, each with these."""
        query, ranked = self._query, ranked_by(self._query)
        assert ranked is not None
        if query.ask in ("count", "whether"):
            raise Unfit(query.ask)
        chosen = [(one, int(number)) for one, number in self._finder.ranked(query)]
        most = max((number for _, number in chosen), default=0)
        several = query.place is not None and len(chosen) >= LEVEL + abs(query.place.to)
        if several or len(chosen) > LISTED or (query.kind in ("work", "journal") and chosen and most < 2):
            raise Ambiguous("nothing stands out")
        self._unsaid([Item(one, ()) for one, _ in chosen])
        return self._tallied(query, *ranked, chosen, list)

    def _for_each(self) -> Answer:
        """One number for each thing of a kind."""
        assert self._query.each is not None
        own, of, relation = each_query(self._query, self._query.each)
        if self._query.ask != "count":
            raise Unfit("each")
        numbers = self._finder.numbers(relation, of, own)
        self._unsaid([Item(number, ()) for number in numbers])
        return self._tallied(own, relation, of, list(numbers.items()), dict)

    def _tallied(
        self,
        query: Query,
        relation: str,
        of: Query,
        numbers: Sequence[tuple[str, int]],
        kind: type[list[str] | dict[str, int]],
    ) -> Answer:
        if len(numbers) > LISTED:
            raise Ambiguous("a longer list than anybody reads")
        ids = [one for one, _ in numbers]
        own = {item.id: item for item in self._finder.known(Query(query.kind), ids)}
        counted = self._finder.linked(relation, of, Query(query.kind), ids) if ids else {}
        printed = self._printed([*own.values(), *(item for items in counted.values() for item in items)])
        self._query = replace(query, get=())
        claims: list[Claim] = []
        named: list[tuple[str, str, int]] = []
        for one, number in numbers:
            items = counted.get(one, ())
            if len(items) != number:
                raise Ambiguous("not all that was counted is found")
            claim, name = self._item(replace(own[one], shown=()), printed)
            claims += [replace(claim, evidence=claim.evidence[:1])]
            shown = [_by_what_shows_it(item) if of.kind == "paper" else item for item in items]
            claims += [self._count(of.kind, shown, printed)] if number else []
            named.append((one, name, number))
        if kind is list:
            return self._of(claims, [name for _, name, _ in named])
        twice = {name for name, times in Counter(name for _, name, _ in named).items() if times > 1}
        called = {f"{name} ({self._ids[own[one].paper]})" if name in twice else name: n for one, name, n in named}
        if len(called) < len(named):
            raise Ambiguous("two of one name in one paper")
        return self._of(list(dict.fromkeys(claims)), called)


def _is_of_floats(query: Query) -> bool:
    """Whether a query asks for things by the figures, tables or formulas that they hold."""
    return any(condition.of is not None and condition.of.kind in (*FLOATS, "float") for condition in flat(query.where))


def _by_what_shows_it(item: Item) -> Item:
    """A paper that was counted, by what shows it there: the entry that leads to a work."""
    return replace(item, nodes=((item.paper, item.shown[0]), *item.nodes)) if item.shown else item


def _first(item: Item, printed: Mapping[str, Printed]) -> Printed:
    for node in (*item.captions, *(node for _, node in item.nodes)):
        if node in printed:
            return printed[node]
    raise Ambiguous("nothing printed stands for a thing")


def _mark(item: Item, kind: str, printed: Mapping[str, Printed]) -> Evidence | None:
    """Return the stand-in for a thing that is only counted."""
    if kind in _OF_WORDS:
        return _name_evidence(item, printed)
    one = _first(item, printed)
    return one.mark() or one.place()


def _name_evidence(item: Item, printed: Mapping[str, Printed]) -> Evidence:
    """The words of a name where they are printed whole: "hydroxamate" is not printed in "tetrahydroxamate"."""
    places = [printed[node] for _, node in item.nodes if node in printed] or [_first(item, printed)]
    spans = ((place, find_quote(place.text, item.id)) for place in places)
    return next((one.evidence(*span) for one, span in spans if span and not cuts_word(one.text, *span)),
                places[0].quoting(item.id))  # fmt: skip


def _words(place: Evidence) -> str:
    return " ".join(plain(place.quote).split())
