"""Kinds of things as graph patterns: what binds a thing's identity, the node that is printed for it, and its paper.

Most things are nodes of one graph. A figure printed in several pictures is one figure; a work, a journal, an author and
a keyword are the same in all papers that have them: of these the identity is not the node. The words of a question get
into a query as escaped terms, never as text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from kag.core.errors import BadValue
from kag.corpus.shared_works import GRAPH
from kag.corpus.sparql.query import Table
from kag.qa.questions.structured_query import Kind

Run = Callable[[str], Table]
"""Puts a query to a corpus, read-only and bounded; raises `QueryError`."""

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_NOT_IN_IRI = re.compile(r"[\x00-\x20<>\"{}|^`\\]")
_WORD = re.compile(r"[^\W_]+")
_GAP = r"[^\p{L}\p{N}]+"
_MOST_WORDS = 8  # of a phrase that a pattern looks for; what it finds is compared in full


def literal(text: str) -> str:
    """A text as a SPARQL string, whatever it holds.

    >>> print(literal('a "b" c'))
    "a \\"b\\" c"
    """
    return '"' + "".join(_ESCAPES.get(char, char) for char in text if char >= " " or char in "\n\r\t") + '"'


def term(iri: str) -> str:
    """An IRI as a SPARQL term; raises `BadValue` on characters that no IRI has."""
    if _NOT_IN_IRI.search(iri):
        raise BadValue(f"{iri[:80]!r} is not an IRI", hint="Give the IRI of a node of the corpus.")
    return f"<{iri}>"


def values(variable: str, iris: Iterable[str]) -> str:
    """A VALUES block over nodes."""
    return f"VALUES ?{variable} {{ {' '.join(term(iri) for iri in iris)} }}"


def phrase_pattern(words: str) -> str:
    """A regular expression for words that follow each other, whatever marks and accents they are printed with.

    Only letters and digits of the words get into it. Empty when there are none.
    """
    found = _WORD.findall(unicodedata.normalize("NFKC", words))[:_MOST_WORDS]
    return _GAP.join("".join(map(_letter, word)) for word in found)


def _letter(char: str) -> str:
    plain = unicodedata.normalize("NFKD", char)[0].lower()
    return f"[{plain}{_ACCENTED[plain]}]" if plain in _ACCENTED else plain


def _accented() -> dict[str, str]:
    found: dict[str, str] = {}
    for code in range(0xC0, 0x180):
        base = unicodedata.normalize("NFKD", chr(code).lower())[0]
        if base.isascii() and base.isalpha() and chr(code).islower():
            found[base] = found.get(base, "") + chr(code)
    return found


_ACCENTED = _accented()


SHARED = ("work", "journal", "author", "keyword")
"""Kinds that are the same thing in several papers."""
FLOATS = ("figure", "table", "formula", "float")
LITERALS = ("figure", "table", "formula", "float", "journal", "author", "keyword", "page")
"""Kinds whose identity is a text, not an IRI."""
_FRONT = 20  # nodes at the beginning of a paper, where it names its keywords
_SUPPLEMENT = r"supplement|(^|\\W)box\\b"


class Unfit(Exception):
    """A query that the graphs of a library have nothing for: a kind, relation or property that they do not state."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The variables of a thing in a query: its identity, its node, and the graph of its paper.

    `papers` restricts the graph to some (a VALUES block). `deep` is for sections: what stands below one counts as its.
    """

    kind: Kind
    tag: str
    id: str
    node: str
    graph: str
    papers: str = ""
    deep: bool = False

    def says(self, pattern: str) -> str:
        """A pattern in the graph of the paper."""
        return f"GRAPH {self.graph} {{ {self.papers} {pattern} }}"

    @property
    def is_node(self) -> bool:
        """Whether the thing is identified by its node."""
        return self.id == self.node


def slot(kind: Kind, tag: str, beside: Slot | None = None) -> Slot:
    """Variables for a thing of a kind, of any paper or of the same one as another thing.

    >>> slot("paper", "1", slot("section", "0")).id
    '?g0'
    """
    graph, papers = (beside.graph, beside.papers) if beside else (f"?g{tag}", "")
    if kind == "paper":
        return Slot(kind, tag, graph, graph, graph, papers)
    name = f"?k{tag}" if kind in LITERALS or kind in SHARED else f"?n{tag}"
    return Slot(kind, tag, name, f"?n{tag}", graph, papers)


def thing(one: Slot) -> str:
    """The pattern of all things of a kind; raises `Unfit` for a kind that the graphs do not have."""
    if one.kind not in _KINDS:
        raise Unfit(one.kind)
    return _KINDS[one.kind](one)


def position(one: Slot, first: str, second: str) -> str:
    """The pattern of where a thing is printed in its paper: in reading order, and within what stands at one place."""
    node, tag = one.node, f"{one.tag}p"
    made = {
        "section": f"{node} kag:containsAsHeader ?h{tag} . ?h{tag} kag:order {first}",
        "mention": f"?h{tag} kag:hasMention {node} ; kag:order {first} . {node} kag:startOffset {second}",
        "reference": f"{node} kag:order {first} . OPTIONAL {{ {node} kag:citationNumber {second} }}",
        "page": f"{node} kag:pageNumber {first}",
    }
    if one.kind == "author":
        line, name = f"LCASE(?l{tag})", f"LCASE({one.id})"
        printed = one.says(f"?h{tag} a doco:ListOfAuthors ; kag:fullText ?l{tag}")
        place = f"IF(CONTAINS({line}, {name}), STRLEN(STRBEFORE({line}, {name})), 1/0)"
        return f"OPTIONAL {{ {printed} }} BIND({place} AS {first})"
    if one.kind in (*SHARED, "paper"):
        return ""
    return f"OPTIONAL {{ {one.says(made.get(one.kind, f'{node} kag:order {first}'))} }}"


def same_work(raw: str, work: str) -> str:
    """The one name that the corpus has for a work."""
    main = f"{work}m"
    return f"OPTIONAL {{ GRAPH {term(GRAPH)} {{ {raw} owl:sameAs {main} }} }} BIND(COALESCE({main}, {raw}) AS {work})"


def _paper(one: Slot) -> str:
    return one.says(f"{one.node} a fabio:ResearchPaper")


def _section(one: Slot) -> str:
    head = f"?h{one.tag}"
    return one.says(
        f"{one.node} a doco:Section ; kag:containsAsHeader {head} . {head} kag:fullText ?t{one.tag} . "
        f"FILTER NOT EXISTS {{ {head} kag:isSynthetic true }}"
    )


def _paragraph(one: Slot) -> str:
    later = f"FILTER NOT EXISTS {{ {one.node} kag:continues ?e{one.tag} }}"
    return one.says(f"{one.node} a doco:Paragraph ; kag:fullText ?t{one.tag} . {later}")


def _captioned(class_: str) -> Callable[[Slot], str]:
    """Figures or tables with a caption, or with a text and a number of their own; those of a supplement are none."""

    def made(one: Slot) -> str:
        tag, node = one.tag, one.node
        found = one.says(
            f"{node} a {class_} . OPTIONAL {{ {node} kag:floatNumber ?f{tag} }} "
            f"OPTIONAL {{ {node} kag:floatLabel ?l{tag} }} OPTIONAL {{ {node} kag:fullText ?t{tag} }} "
            f"OPTIONAL {{ ?c{tag} kag:describes {node} ; kag:fullText ?s{tag} "
            f"OPTIONAL {{ ?c{tag} kag:floatLabel ?d{tag} }} }} "
            f"FILTER(BOUND(?s{tag}) || (BOUND(?t{tag}) && BOUND(?f{tag}))) "
            f'FILTER(!REGEX(CONCAT(COALESCE(?l{tag}, ""), " ", COALESCE(?d{tag}, "")), "{_SUPPLEMENT}", "i"))'
        )
        sort = (
            f'BIND(IF(REGEX(COALESCE(?l{tag}, ""), "^(scheme|chart|plate)", "i"), '
            f'LCASE(SUBSTR(?l{tag}, 1, 5)), "{class_[5:]}") AS ?q{tag})'
        )
        return f"{found} {sort} {_key(one, f'CONCAT(?q{tag}, ?f{tag})')}"

    return made


def _formula(one: Slot) -> str:
    """Displayed formulas; where a paper numbers some, those without a number are none."""
    tag = one.tag
    named = f'CONCAT("Formula ", ?f{tag})'
    found = one.says(
        f"{one.node} a doco:Formula . OPTIONAL {{ {one.node} kag:floatNumber ?f{tag} }} "
        f"FILTER(BOUND(?f{tag}) || NOT EXISTS {{ ?o{tag} a doco:Formula ; kag:floatNumber ?s{tag} }})"
    )
    return f"{found} {_key(one, named)}"


def _key(one: Slot, number: str) -> str:
    """Return the key of a float: its number in its paper, if it has one."""
    return f'BIND(COALESCE(CONCAT(STR({one.graph}), " ", {number}), STR({one.node})) AS {one.id})'


def _float(one: Slot) -> str:
    return " UNION ".join(f"{{ {_KINDS[kind](one)} }}" for kind in ("figure", "table", "formula"))


def _reference(one: Slot) -> str:
    return one.says(f"{one.node} a deo:BibliographicReference")


def _work(one: Slot) -> str:
    """Works by the entries that lead to them; an entry that leads to none is all that is known of its work."""
    raw, led = f"?w{one.tag}", f"?v{one.tag}"
    entry = one.says(f"{one.node} a deo:BibliographicReference . OPTIONAL {{ {one.node} biro:references {led} }}")
    return f"{entry} BIND(COALESCE({led}, {one.node}) AS {raw}) {same_work(raw, one.id)}"


def _journal(one: Slot) -> str:
    return one.says(f"{one.node} a deo:BibliographicReference ; prism:publicationName {one.id}")


def _mention(one: Slot) -> str:
    return one.says(f"?o{one.tag} kag:hasMention {one.node} . {one.node} a c4o:InTextReferencePointer")


def _author(one: Slot) -> str:
    """The authors of a paper; the node is the line that names them."""
    line = f"OPTIONAL {{ ?b{one.tag} a doco:ListOfAuthors }}"
    named = one.says(f"{one.graph} dcterms:creator {one.id} . {line}")
    return f"{named} BIND(COALESCE(?b{one.tag}, {one.graph}) AS {one.node})"


def _keyword(one: Slot) -> str:
    """The keywords of a paper; the node is what has them among the first that are printed."""
    tag = one.tag
    has = f"FILTER(?o{tag} <= {_FRONT} && CONTAINS(LCASE(?t{tag}), LCASE({one.id})))"
    line = f"OPTIONAL {{ ?b{tag} kag:fullText ?t{tag} ; kag:order ?o{tag} . {has} }}"
    named = one.says(f"{one.graph} prism:keyword {one.id} . {line}")
    return f"{named} BIND(COALESCE(?b{tag}, {one.graph}) AS {one.node})"


def _page(one: Slot) -> str:
    number = f"?t{one.tag}"
    key = f'BIND(CONCAT(STR({one.graph}), " page ", STR({number})) AS {one.id})'
    return f"{one.says(f'{one.node} kag:pageNumber {number}')} {key}"


_KINDS: Mapping[str, Callable[[Slot], str]] = {
    "paper": _paper,
    "section": _section,
    "paragraph": _paragraph,
    "figure": _captioned("doco:Figure"),
    "table": _captioned("doco:Table"),
    "formula": _formula,
    "float": _float,
    "reference": _reference,
    "work": _work,
    "journal": _journal,
    "mention": _mention,
    "author": _author,
    "keyword": _keyword,
    "page": _page,
}
