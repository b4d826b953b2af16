"""What the names of a query mean in a corpus: which papers, which cited works. Asked of the graphs, with care: a title
that fits several works is nobody's name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from kag.corpus.catalogue import Listed
from kag.corpus.exact.things import Run, literal, phrase_pattern, term, values
from kag.corpus.shared_works import GRAPH
from kag.corpus.sparql.text import with_prefixes
from kag.qa.exact.labels import key
from kag.qa.exact.properties import SMALL, is_journal
from kag.qa.questions.structured_query import AnyOf, Condition, Name, Query

_ENTRIES = """SELECT DISTINCT ?ref ?title ?said ?work WHERE { GRAPH ?paper {
  { SELECT ?ref ?full WHERE { GRAPH ?paper { ?ref a deo:BibliographicReference ; kag:fullText ?full . %s } } }
  OPTIONAL { ?ref kag:citationText ?plain } OPTIONAL { ?ref dcterms:title ?title }
  OPTIONAL { ?ref biro:references ?work }
  BIND(COALESCE(?plain, ?full) AS ?said) } }"""
_JOURNALS = """SELECT DISTINCT ?name WHERE { GRAPH ?paper { ?node prism:publicationName ?name .
  FILTER(REGEX(?name, %s, "i")) } } ORDER BY ?name"""
_SAME = """SELECT DISTINCT ?other WHERE { GRAPH %s { %s
  { ?work owl:sameAs ?other } UNION { ?other owl:sameAs ?work }
  UNION { ?work owl:sameAs ?one . ?other owl:sameAs ?one } } }"""
_OWN = "SELECT ?work WHERE { GRAPH %s { ?paper kag:realizes ?work } }"
_TITLE_WORDS = 4
_LEAST = 8  # letters of a part of a title that names a paper
_LABEL = re.compile(r"(?P<people>[^\d()\[\]]+?)(?:[,\s]*[(\[]?\s*(?P<year>(?:1[5-9]|20)\d\d)[a-z]?\s*[)\]]?)?")
_OTHERS = re.compile(r"\bet\s+al\b\.?|\band\s+(?:colleagues|co-?workers|others)\b", re.I)
_JOINT = re.compile(r"\s*(?:,|;|&|\band\b)\s*")
_BEFORE, _BEHIND = tuple(".:;)]”\"“‘'?!,") + tuple("0123456789"), tuple('.?!”"’»;')


@dataclass(frozen=True, slots=True)
class Works:
    """Works behind a name: works by IRI, and reference entries that lead to no work."""

    works: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.works or self.entries)


class Ambiguous(Exception):
    """A name that may mean several things, or may be no name: the question is not answered."""


@dataclass(frozen=True, slots=True)
class Label:
    """A label such as "Kay and Lee (2009)": people, first author first, and a year, 0 without one."""

    people: tuple[str, ...]
    year: int


def label(text: str) -> Label | None:
    """A label as its parts; None when no name is in it.

    >>> label("van den Berg et al. 2009a")
    Label(people=('van den Berg',), year=2009)
    """
    match = _LABEL.fullmatch(text.strip())
    people = [name.strip(" .,") for name in _JOINT.split(_OTHERS.sub("", match["people"]))] if match else []
    named = tuple(name for name in people if name)
    return Label(named, int(match["year"] or 0)) if match and named else None


class Names:
    """The papers and works that names mean; `unknown` are those that mean none."""

    def __init__(self, run: Run, papers: Iterable[Listed]) -> None:
        self.run, self.papers = run, tuple(papers)
        self.unknown: list[str] = []
        self._known: dict[Name, Works] = {}

    def papers_called(self, name: Name) -> tuple[str, ...]:
        """The one paper (IRI) that is called so, or none; raises `Ambiguous` for a name that fits several."""
        wanted = key(name.text)
        found = [paper for paper in self.papers if paper.id.casefold() == name.text.casefold() and name.way != "doi"]
        found = found or [paper for paper in self.papers if wanted and wanted in (key(paper.title), key(paper.doi))]
        if not found and len(wanted) > _LEAST and name.way in ("title", "words"):
            found = [paper for paper in self.papers if wanted in key(paper.title)]
        if len(found) > 1:
            raise Ambiguous(name.text)
        return tuple(one.iri for one in found)

    def with_journals(self, query: Query) -> Query:
        """A query with each journal as the graphs print it, abbreviated or not.

        Raises `Ambiguous` for one that none prints. A name that may be an author's, too ("from Nature"), is a
        journal's where one is called so.
        """
        where = tuple(made for condition in query.where for made in self._with_journals(condition))
        place = query.place and replace(query.place, of=query.place.of and self.with_journals(query.place.of))
        order = query.order and replace(query.order, of=query.order.of and self.with_journals(query.order.of))
        return replace(query, where=where, place=place, order=order, among=tuple(map(self.with_journals, query.among)))

    def _with_journals(self, condition: Condition | AnyOf) -> tuple[Condition | AnyOf, ...]:
        if isinstance(condition, AnyOf):
            by_relation = {one.relation: one for one in condition.conditions if isinstance(one, Condition)}
            author, venue = by_relation.get("author"), by_relation.get("venue")
            if author and venue and author.name == venue.name:
                return (author,) if not self._journals(venue) else self._with_journals(venue)
            return (AnyOf(tuple(made for one in condition.conditions for made in self._with_journals(one))),)
        if condition.relation != "venue":
            return (replace(condition, of=condition.of and self.with_journals(condition.of)),)
        names = self._journals(condition)
        if not names:
            raise Ambiguous(condition.name.text if condition.name else "journal")
        made = tuple(replace(condition, name=Name(name)) for name in names)
        return made if condition.negated or len(made) == 1 else (AnyOf(made),)

    def _journals(self, condition: Condition) -> list[str]:
        """The printed names of a journal."""
        asked = condition.name.text if condition.name else ""
        first = next((word for word in re.findall(r"\w+", asked) if word.casefold() not in SMALL), "")
        rows = self._ask(_JOURNALS % literal(rf"^\W*(?:\w{{1,3}}\W+)?{first[:1]}")) if first else []
        return [row[0] for row in rows if is_journal(row[0], asked)]

    def is_any(self, pattern: str) -> bool:
        """Whether anything in the corpus meets a pattern."""
        return bool(self._ask(f"SELECT * WHERE {{ {pattern} }} LIMIT 1"))

    def works(self, name: Name) -> Works:
        """The works that a name means; none when the corpus cites no such work.

        Raises `Ambiguous` when part of several titles is named, or a DOI that no entry prints: many print none.
        """
        if name not in self._known:
            self._known[name] = self._works(name)
        if not self._known[name] and name.text not in self.unknown:
            self.unknown.append(name.text)
        return self._known[name]

    def _works(self, name: Name) -> Works:
        if name.way == "doi":
            return self._of_doi(name.text.lower())
        wanted = key(name.text)
        own = [paper for paper in self.papers if paper.id.casefold() == name.text.casefold()]
        own = own or [paper for paper in self.papers if wanted and key(paper.title) == wanted]
        works = self._of_paper(own[0]) if len(own) == 1 else self._titled(name.text, part=True)
        if not works and name.way == "words":
            raise Ambiguous(name.text)  # perhaps these words are no title
        return works

    def _of_doi(self, doi: str) -> Works:
        """The works of entries that print a DOI, and of a paper that has it; many entries print none."""
        rows = self._entries(f"?ref prism:doi ?doi . FILTER(LCASE(?doi) = {literal(doi)})")
        own = [self._of_paper(paper) for paper in self.papers if paper.doi.lower() == doi]
        works = self._whole(rows, own[0] if own else None)
        if not works:
            raise Ambiguous(doi)
        return works

    def _of_paper(self, paper: Listed) -> Works:
        """A paper's own work, and entries of its title where no other paper here has that."""
        own = tuple(row[0] for row in self._ask(_OWN % term(paper.iri)))
        titled = self._titled(paper.title, part=False) if self._is_alone(paper) else Works()
        return self._whole([["", "", "", work] for work in own], titled)

    def _is_alone(self, paper: Listed) -> bool:
        alike = [one for one in self.papers if key(one.title) == key(paper.title)]
        return len(alike) == 1 and len(key(paper.title)) > _LEAST

    def _titled(self, title: str, *, part: bool) -> Works:
        pattern = phrase_pattern(title)
        if not pattern:
            return Works()
        rows = self._entries(f'FILTER(REGEX(?full, {literal(pattern)}, "i"))')
        wanted = key(title)
        exact = [row for row in rows if key(row[1]) == wanted or _is_whole(title, row[1], row[2])]
        near = [row for row in rows if wanted in key(row[1]) or wanted in key(row[2])] if part and not exact else []
        if len({key(row[1]) or row[0] for row in near}) > 1:
            raise Ambiguous(title)
        return self._whole(exact or near)

    def _entries(self, condition: str) -> list[list[str]]:
        return self._ask(_ENTRIES % condition)

    def _whole(self, rows: Sequence[Sequence[str]], more: Works | None = None) -> Works:
        """The works of entries, each with its other names."""
        known = more or Works()
        works = {row[3] for row in rows if row[3]} | set(known.works)
        same = self._ask(_SAME % (term(GRAPH), values("work", sorted(works)))) if works else []
        entries = {row[0] for row in rows if not row[3]} | set(known.entries)
        return Works(tuple(sorted(works | {row[0] for row in same})), tuple(sorted(entries)))

    def _ask(self, query: str) -> list[list[str]]:
        table = self.run(with_prefixes(query))
        if table.ended:
            raise Ambiguous(table.ended)
        return [[one["value"] if one else "" for one in row] for row in table.rows]


def _is_whole(title: str, read: str, entry: str) -> bool:
    """Whether a title stands in an entry as a whole, between marks that part its fields.

    A few words may be another field, as the journal: they count only where no title was `read` in the entry.
    """
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", title).casefold())
    if read and len(words) < _TITLE_WORDS:
        return False
    text = unicodedata.normalize("NFKC", entry).casefold()
    match = re.search(r"\W+".join(map(re.escape, words)), text)
    if not match:
        return False
    before, behind = text[: match.start()].rstrip(), text[match.end() :].lstrip()
    return (not before or before.endswith(_BEFORE)) and (not behind or behind.startswith(_BEHIND))
