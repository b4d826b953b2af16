"""Graph patterns in SPARQL: the things that are asked for, and the conditions that filters put on them.

Inside `GRAPH ?paper { ... }`; each thing binds ?node (what it is), ?at (what is printed of it), and ?key (what tells it
apart in its paper: a figure in several pictures is one figure).
"""

from __future__ import annotations

from collections.abc import Sequence

from kag.corpus.exact.condition import Filter
from kag.corpus.exact.names import Ambiguous, Names, Works
from kag.corpus.exact.schema_query import literal, phrase_pattern, term, values
from kag.corpus.exact.terms import LATEST
from kag.corpus.shared_works import GRAPH
from kag.write.enrich.sections import title_types

_ITSELF = "BIND(?node AS ?at) BIND(STR(?node) AS ?key)"
_SUPPLEMENT = r"supplement|(^|\\W)box\\b"
_FLOAT = f"""?node a %s . OPTIONAL {{ ?node kag:floatNumber ?number }} OPTIONAL {{ ?node kag:floatLabel ?label }}
    {{ ?at kag:describes ?node }}
    UNION {{ ?node kag:fullText ?own ; kag:floatNumber ?any . BIND(?node AS ?at)
      FILTER NOT EXISTS {{ ?caption kag:describes ?node }} }}
    ?at kag:fullText ?said . OPTIONAL {{ ?at kag:floatLabel ?shown }}
    FILTER(!REGEX(CONCAT(COALESCE(?label, ""), " ", COALESCE(?shown, "")), "{_SUPPLEMENT}", "i"))
    BIND(IF(REGEX(COALESCE(?label, ""), "^(scheme|chart|plate)", "i"), LCASE(SUBSTR(?label, 1, 5)), "") AS ?sort)
    BIND(COALESCE(CONCAT(?sort, ?number), STR(?node)) AS ?key)"""
_PRINTED_TITLE = """kag:containsAsHeader ?at . ?at kag:fullText ?said .
    FILTER NOT EXISTS { ?at kag:isSynthetic true } BIND(STR(?node) AS ?key)"""
THINGS = {
    "paper": "BIND(?paper AS ?node) BIND(?paper AS ?at) BIND(STR(?paper) AS ?key)",
    "reference": f"?node a deo:BibliographicReference . {_ITSELF}",
    "figure": _FLOAT % "doco:Figure",
    "table": _FLOAT % "doco:Table",
    "formula": "?node a doco:Formula . OPTIONAL { ?node kag:floatNumber ?number } "
    "FILTER(BOUND(?number) || NOT EXISTS { ?other a doco:Formula ; kag:floatNumber ?some }) "
    "BIND(?node AS ?at) BIND(COALESCE(?number, STR(?node)) AS ?key)",
    "section": f"?node a doco:Section ; {_PRINTED_TITLE}",
    "paragraph": f"?node a doco:Paragraph ; kag:fullText ?said . "
    f"FILTER NOT EXISTS {{ ?node kag:continues ?earlier }} {_ITSELF}",
    "mention": f"?host kag:hasMention ?node . {_ITSELF}",
}


def works_of(paper: str, node: str, work: str = "work") -> str:
    """The pattern of entries with the one name that the corpus has for the work each leads to."""
    return (
        f"GRAPH {paper} {{ {node} a deo:BibliographicReference ; biro:references ?raw }} "
        f"OPTIONAL {{ GRAPH {term(GRAPH)} {{ ?raw owl:sameAs ?main }} }} BIND(COALESCE(?main, ?raw) AS ?{work})"
    )


def bounded(pattern: str) -> str:
    """A regular expression that only matches whole words."""
    return rf"(^|[^\p{{L}}\p{{N}}])({pattern})([^\p{{L}}\p{{N}}]|$)"


def matching(variable: str, pattern: str) -> str:
    """A filter by a regular expression, without regard to case."""
    return f'FILTER(REGEX(?{variable}, {literal(pattern)}, "i"))'


def dated(node: str, one: Filter, tag: str) -> str:
    """The years of a paper or an entry; as texts, so that a graph whose years have no type is read as well."""
    low = f"STR(?year{tag}) >= {literal(f'{one.low:04}')}" if one.low else ""
    high = f"STR(?year{tag}) <= {literal(f'{one.high:04}')}" if one.high < LATEST else ""
    return f"{node} fabio:hasPublicationYear ?year{tag} . FILTER({' && '.join(filter(None, (low, high)))})"


def person(name: str) -> tuple[str, str]:
    """The patterns of a family name and of the first letter of a given one, empty where none is said."""
    words = name.split()
    at = next((n for n, word in enumerate(words[:-1]) if word.islower()), len(words) - 1)
    return phrase_pattern(" ".join(words[at:])), phrase_pattern(words[0][:1]) if at else ""


def in_list(node: str, one: Filter, tag: str) -> str:
    """An author of an entry, whose list is "Family, Given; Family, Given"; only the first one where `low` is set."""
    family, initial = person(one.words)
    start = "^" if one.low else r"(^|;\s*)"
    given = rf"\s*,\s*{initial}" if initial else r"\s*(,|;|$)"
    whole = rf"|{start}{phrase_pattern(one.words)}\s*(,|;|$)"
    return f"{node} kag:authorList ?list{tag} . {matching(f'list{tag}', f'{start}{family}{given}{whole}')}"


def venue(node: str, words: str, tag: str) -> str:
    """A journal by its whole name."""
    pattern = rf"^\W*(the\s+)?{phrase_pattern(words.removeprefix('the '))}\W*$"
    return f"{node} prism:publicationName ?venue{tag} . {matching(f'venue{tag}', pattern)}"


def titled(node: str, words: str, tag: str) -> str:
    """Words in a title."""
    return f"{node} dcterms:title ?title{tag} . {matching(f'title{tag}', bounded(_pattern(words)))}"


def _pattern(words: str) -> str:
    found = phrase_pattern(words)
    if not found:
        raise Ambiguous(words)
    return found


def is_one_of(node: str, works: Works, tag: str) -> str:
    """An entry that leads to one of some works, or is one of some entries."""
    parts = []
    if works.works:
        parts.append(f"{{ {values(f'work{tag}', works.works)} {node} biro:references ?work{tag} }}")
    if works.entries:
        parts.append(f"{{ {values(node[1:], works.entries)} {node} a deo:BibliographicReference }}")
    return " UNION ".join(parts)


def role(types_of: str, node: str) -> str:
    """Sections of the types that a usual title names."""
    types = title_types(types_of)
    if not types:
        raise Ambiguous(types_of)
    return f"{node} a doco:Section . " + " ".join(f"{node} a {term(str(one))} ." for one in types)


class Conditions:
    """Filters as patterns for one target; `shown` are the variables that lead to more evidence of a row."""

    def __init__(self, names: Names, target: str) -> None:
        self._names, self._target = names, target
        self.shown: list[str] = []
        self._count = 0
        self.stated: list[str] = []  # properties of papers that filters rest on
        self.empty = ""  # what a question names that the corpus does not cite

    def pattern(self, one: Filter) -> str:
        """The pattern of a filter; raises `Ambiguous` when it cannot be told what its words mean."""
        self._count += 1
        tag = str(self._count)
        made: str = getattr(self, f"_{one.kind}")(one, tag)
        return f"FILTER NOT EXISTS {{ {made} }}" if one.negated else made

    def cited(self, node: str, filters: Sequence[Filter], tag: str) -> str:
        """What filters ask of an entry; "" when they name a work that nobody cites."""
        parts = [f"{node} a deo:BibliographicReference ."]
        for number, one in enumerate(filters):
            if one.kind in ("mark", "phrase"):
                parts.append(self._named(node, one, f"{tag}_{number}"))
                if not parts[-1]:
                    return ""
            elif one.kind == "author":
                parts.append(in_list(node, one, f"{tag}_{number}"))
            elif one.kind == "year":
                parts.append(dated(node, one, f"{tag}_{number}"))
            else:
                parts.append(venue(node, self._names.words(one.words), f"{tag}_{number}"))
        return " ".join(parts)

    def _named(self, node: str, one: Filter, tag: str) -> str:
        try:
            works = self._names.works(one.words)
        except Ambiguous:
            if one.kind == "mark" or not one.words[:1].isupper() or len(one.words.split()) > 3:
                raise
            found = in_list(node, Filter("author", one.words), tag)
            if not self._names.run(_ANY % found).rows:
                raise
            return found
        if not works:
            self.empty = self._names.words(one.words)
        return is_one_of(node, works, tag)

    def _cites(self, one: Filter, tag: str) -> str:
        ref, call = f"?ref{tag}", f"?call{tag}"
        found = [
            made for filters in one.inside if (made := self.cited(ref, filters, tag + str(one.inside.index(filters))))
        ]
        made = " UNION ".join(f"{{ {part} }}" for part in found) if len(found) > 1 else "".join(found)
        self._show(one, ref if self._target == "paper" else call)
        hosts = {
            "section": f"?node kag:contains ?host{tag} . ?host{tag} kag:hasMention {call} . {call} c4o:denotes {ref} .",
            "paragraph": f"?node kag:hasMention {call} . {call} c4o:denotes {ref} .",
            "mention": f"?node c4o:denotes {ref} .",
        }
        return f"{made} {hosts.get(self._target, '')}" if made else ""

    def _show(self, one: Filter, variable: str) -> None:
        if not one.negated and self._target != "mention":
            self.shown.append(variable)

    def _author(self, one: Filter, tag: str) -> str:
        if self._target != "paper":
            return in_list("?node", one, tag)
        self._rests("dcterms:creator")
        family, initial = person(one.words)
        self._show(one, f"?by{tag}")
        given = matching(f"creator{tag}", f"^{initial}") if initial else ""
        named = matching(f"creator{tag}", rf"(^|[\s.]){family}$")
        return (
            f"?paper dcterms:creator ?creator{tag} . {named} {given} "
            f"OPTIONAL {{ ?by{tag} a doco:ListOfAuthors ; kag:fullText ?names{tag} . "
            f"{matching(f'names{tag}', family)} }}"
        )

    def _year(self, one: Filter, tag: str) -> str:
        self._rests("fabio:hasPublicationYear")
        return dated(self._subject, one, tag)

    def _venue(self, one: Filter, tag: str) -> str:
        self._rests("prism:publicationName")
        return venue(self._subject, self._names.words(one.words), tag)

    def _title(self, one: Filter, tag: str) -> str:
        return titled(self._subject, self._names.words(one.words), tag)

    def _keyword(self, one: Filter, tag: str) -> str:
        self._rests("prism:keyword")
        pattern = bounded(_pattern(self._names.words(one.words)))
        return f"?paper prism:keyword ?word{tag} . {matching(f'word{tag}', pattern)}"

    def _caption(self, one: Filter, tag: str) -> str:
        pattern = bounded(_pattern(self._names.words(one.words)))
        if self._target != "paper":
            return f"?at a deo:Caption . {matching('said', pattern)}"
        self._show(one, f"?caption{tag}")
        return f"?caption{tag} a deo:Caption ; kag:fullText ?said{tag} . {matching(f'said{tag}', pattern)}"

    def _role(self, one: Filter, tag: str) -> str:
        section = f"?section{tag}"
        made = role(self._names.words(one.words), "?node" if self._target == "section" else section)
        if self._target == "paper":
            self._show(one, f"?head{tag}")
            printed = f"FILTER NOT EXISTS {{ ?head{tag} kag:isSynthetic true }}"
            return f"{made} {section} kag:containsAsHeader ?head{tag} . {printed}"
        if self._target == "section":
            return made
        self._show(one, f"?call{tag}")
        call = f"?host{tag} kag:hasMention ?call{tag} . ?call{tag} c4o:denotes ?node ."
        return f"{made} {section} kag:contains+ ?host{tag} . {call}"

    def _paper(self, one: Filter, tag: str) -> str:
        return values("paper", [self._names.paper(one.words).iri])

    def _rests(self, property_: str) -> None:
        if self._target == "paper":
            self.stated.append(property_)

    @property
    def _subject(self) -> str:
        return "?paper" if self._target == "paper" else "?node"


_ANY = "PREFIX kag: <http://la3d.local/kag#> SELECT ?ref WHERE { GRAPH ?paper { %s } } LIMIT 1"
