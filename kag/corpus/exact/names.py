"""What the names of a question mean in a corpus: which papers, which cited works. Asked of the graphs, with care:
a title that fits several works, or a word that may be no title at all, is nobody's name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from kag.corpus.catalogue import Listed
from kag.corpus.exact.marks import Mark
from kag.corpus.exact.schema_query import Run, literal, phrase_pattern, term, values, with_prefixes
from kag.corpus.shared_works import GRAPH
from kag.read.exact.resolve import key

_ENTRIES = """SELECT DISTINCT ?ref ?title ?said ?work WHERE { GRAPH ?paper {
  { SELECT ?ref ?full WHERE { GRAPH ?paper { ?ref a deo:BibliographicReference ; kag:fullText ?full . %s } } }
  OPTIONAL { ?ref kag:citationText ?plain } OPTIONAL { ?ref dcterms:title ?title }
  OPTIONAL { ?ref biro:references ?work }
  BIND(COALESCE(?plain, ?full) AS ?said) } }"""
_SAME = """SELECT DISTINCT ?other WHERE { GRAPH %s { %s
  { ?work owl:sameAs ?other } UNION { ?other owl:sameAs ?work }
  UNION { ?work owl:sameAs ?one . ?other owl:sameAs ?one } } }"""
_OWN = "SELECT ?work WHERE { GRAPH %s { ?paper kag:realizes ?work } }"
_TITLE_WORDS = 4
_BEFORE, _BEHIND = tuple(".:;)]”\"“‘'?!,") + tuple("0123456789"), tuple('.?!”"’»;')


@dataclass(frozen=True, slots=True)
class Works:
    """What a name means: works by IRI, and entries of reference lists that lead to no work."""

    works: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.works or self.entries)


class Ambiguous(Exception):
    """A name that may mean several things, or may be no name: the question is not answered."""


@dataclass(frozen=True, slots=True)
class Names:
    """The marks of a question, and the corpus to look them up in."""

    run: Run
    papers: tuple[Listed, ...]
    marks: tuple[Mark, ...]

    def mark(self, name: str) -> Mark:
        """The mark that `@q0` stands for."""
        return self.marks[int(name[2:])]

    def words(self, said: str) -> str:
        """Words that may be a mark."""
        return self.mark(said).text if said.startswith("@") else said

    def paper(self, name: str) -> Listed:
        """The one paper that a mark or a title names; raises `Ambiguous`."""
        mark = self.mark(name)
        wanted = key(mark.text)
        found = [paper for paper in self.papers if paper.id == mark.text or key(paper.title) == wanted]
        found = found or [paper for paper in self.papers if len(wanted) > 8 and wanted in key(paper.title)]
        if len(found) != 1:
            raise Ambiguous(mark.text)
        return found[0]

    def works(self, name: str) -> Works:
        """The works that a mark or a free phrase names; none when the corpus cites no such work.

        Raises `Ambiguous` when part of several titles is named, and for a free phrase that no work is called.
        """
        mark = self.mark(name) if name.startswith("@") else Mark("", name)
        if mark.kind == "d":
            return self._of_doi(mark.text.lower())
        if mark.kind == "p":
            return self._of_paper(next(paper for paper in self.papers if paper.id == mark.text))
        found = self._titled(mark.text, part=True)
        if not found and not mark.kind:
            raise Ambiguous(mark.text)
        return found

    def _of_doi(self, doi: str) -> Works:
        """The works of entries that print a DOI, and of a paper that has it; many entries print none."""
        rows = self._entries(f"?ref prism:doi ?doi . FILTER(LCASE(?doi) = {literal(doi)})")
        own = [self._of_paper(paper) for paper in self.papers if paper.doi.lower() == doi]
        found = self._whole(rows, own[0] if own else None)
        if not found:
            raise Ambiguous(doi)
        return found

    def _of_paper(self, paper: Listed) -> Works:
        own = tuple(row[0] for row in self._ask(_OWN % term(paper.iri)))
        titled = self._titled(paper.title, part=False) if len(key(paper.title)) > 8 else Works()
        return self._whole([["", "", "", work] for work in own], titled)

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
