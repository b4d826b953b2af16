"""Resolution of a name's words to printed things: sections, cited works, floats. Several if they cannot be
distinguished, none if nothing fits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import log

from kag.indexing.enrich.sections import title_types
from kag.qa.exact.facts import heading
from kag.qa.exact.labels import (
    bare,
    called,
    distinct,
    families,
    key,
    label,
    number_of,
    numbered,
    printed,
    unnumbered,
    year,
)
from kag.qa.exact.things import FLOATS, Thing, Things
from kag.qa.paper import Node, PaperGraph, Section
from kag.qa.questions.structured_query import Name
from kag.rdf.namespaces import DCTERMS, KAG, PRISM
from kag.text.dates import ROMANS, value_of
from kag.text.search_text import search_text
from kag.text.words import tokens

CLEAR = 0.4  # share of the weight of a subject's words that an entry must have
MARGIN = 0.75  # share of the best entry's weight that the next may have at most
_PARTICLES = "et al and the de la van von der den del du da dos das di le el ten ter af & for of zu zur"
_NAME_GLUE = frozenset(_PARTICLES.split())
_WORK_PROPERTIES = (
    "a an the of in on at to for from by with and or is are was were be been that this these those which who its it as "
    "about paper work study article describe describes described describing report reports reported introduce "
    "introduces introducing introduced present presents presented propose proposes proposed show shows showed deal "
    "deals concern concerns cover covers"
)
PLAIN = frozenset(_WORK_PROPERTIES.split())


def sections(paper: PaperGraph, name: Name) -> tuple[Section, ...]:
    """The sections that a name means, best reading first."""
    known = printed(paper)
    if name.way == "number":
        wanted = name.text.rstrip(".").casefold()
        return tuple(section for section in known if number_of(section).casefold() == wanted)
    wanted = key(name.text)
    exact = _uppermost(section for section in known if wanted in (key(section.title), key(unnumbered(section))))
    exact = exact or _uppermost(section for section in known if key(bare(section.title)) == key(bare(name.text)))
    exact = exact or _by_role(known, name.text)
    if not exact and name.text.casefold().startswith("append"):
        exact = tuple(section for section in known if re.match(r"(?i)\W*append", section.title))
    return exact or (_by_words(known, name.text) if name.way != "role" else ())


def _uppermost(found: Iterable[Section]) -> tuple[Section, ...]:
    """Of sections with one title those nearest to the top: the paper's Methods before those of its abstract."""
    listed = list(found)
    depth = min((section.depth for section in listed), default=0)
    return tuple(section for section in listed if section.depth == depth)


def _by_role(known: Iterable[Section], title: str) -> tuple[Section, ...]:
    """Sections of the type that a usual title names: "the methods" for "Experimental procedures"."""
    types = {str(cls).rpartition("/")[2] for cls in title_types(title)}
    return _uppermost(section for section in known if types and types <= set(section.types))


def _by_words(known: Iterable[Section], words: str) -> tuple[Section, ...]:
    wanted = _content(words)
    scored: dict[str, tuple[float, Section]] = {}
    for section in known:
        title = _content(bare(section.title))
        shared = wanted & title
        if shared and shared in (title, wanted):
            scored[section.iri] = (len(shared) / len(wanted | title), section)
    best = max((score for score, _ in scored.values()), default=0.0)
    return tuple(section for score, section in scored.values() if score == best)


def word_of(kind: str, name: Name) -> str:
    """Return the word of a float's name: "scheme" for Scheme 1, else the word for its kind."""
    word = name.text.split()[0].casefold().rstrip(".") if name.way == "label" and " " in name.text else ""
    return word if word in _PRINTED_AS else "equation" if kind == "formula" else kind


_PRINTED_AS = ("scheme", "chart", "plate", "box", "algorithm")


def floats(paper: PaperGraph, kind: str, name: Name) -> tuple[Node, ...]:
    """The figure, table or formula that a name means; several nodes when it is printed in parts."""
    sub = word_of(kind, name)
    cls = {"table": "Table", "formula": "Formula"}.get(kind, "Figure")
    nodes = [node for node in paper.of_kind(cls) if cls != "Figure" or _is_called(node, sub)]
    text = name.text.split()[-1] if name.way == "label" and name.text else name.text
    if name.way not in ("number", "label") or not re.match(r"[\w.\-]{1,9}$", text):
        return _by_caption(paper, nodes, name.text)
    wanted = text.upper().replace(" ", "")
    for candidate in dict.fromkeys((wanted, str(value_of(wanted) or wanted), re.sub(r"(?<=\d)[A-Z]$", "", wanted))):
        found = tuple(node for node in nodes if _float_number(node) in (candidate, _as_roman(candidate)))
        if found:
            return found
    return ()


def _is_called(node: Node, sub: str) -> bool:
    """Whether a picture is printed under this name: Scheme 1 is not Figure 1."""
    name = re.match(r"\W*([a-z]+)", node.label.lower())
    printed_as = "figure" if not name or name[1].startswith("fig") else name[1].rstrip("s")
    return printed_as == sub or (sub == "figure" and printed_as not in ("scheme", "chart", "plate", "box", "table"))


def _float_number(node: Node) -> str:
    return node.number.upper().replace(" ", "")


def _as_roman(number: str) -> str:
    return ROMANS[int(number)] if number.isdecimal() and 0 < int(number) < len(ROMANS) else number


def _by_caption(paper: PaperGraph, nodes: Iterable[Node], words: str) -> tuple[Node, ...]:
    named = {}
    for node in nodes:
        caption = paper.caption_of(node.iri)
        named[node.iri] = (node, f"{node.label} {caption.plain if caption else ''}")
    starts = tuple(
        node for node, text in named.values() if key(text).startswith(key(words)) or key(node.label) == key(words)
    )
    if starts:
        return starts
    best = _closest(words, {iri: text for iri, (_, text) in named.items()})
    return tuple(named[iri][0] for iri in best)


def works(paper: PaperGraph, name: Name) -> tuple[Node, ...]:
    """The entries of the reference list that a name may mean."""
    if name.way == "number":
        return tuple(node for number, node in paper.references.items() if str(number) == name.text)
    if name.way == "label":
        return _by_label(paper, name.text) or _by_author(paper, name.text)
    if name.way == "title":
        titles = {node.iri: key(paper.graph.value(node.iri, str(DCTERMS.title))) for node in paper.references.values()}
        exact = tuple(paper.nodes[iri] for iri, title in titles.items() if title == key(name.text))
        if exact:
            return exact
    entries = {node.iri: _entry_text(paper, node) for node in paper.references.values()}
    return tuple(paper.nodes[iri] for iri in _closest(name.text, entries))


def _by_author(paper: PaperGraph, text: str) -> tuple[Node, ...]:
    """The entries of a first author who is named without a year: "Kay et al."."""
    wanted = _label_key(text)
    if any(char.isdigit() for char in text):
        return ()
    return tuple(node for node in paper.references.values() if key((families(paper, node) or [""])[0]) == wanted)


def _by_label(paper: PaperGraph, text: str) -> tuple[Node, ...]:
    if text.startswith("["):
        return tuple(node for node in paper.references.values() if node.text.startswith(text))
    asked = _label_key(text)
    exact = [node for node in paper.references.values() if _label_key(label(paper, node)) == asked]
    if len(exact) == 1:
        return tuple(exact)
    pointed = _by_call_out(paper, asked)
    if pointed and (not exact or {node.iri for node in pointed} <= {node.iri for node in exact}):
        return pointed
    return tuple(exact) or _by_names(paper, text)


def _label_key(text: str) -> str:
    words = search_text(text.replace("&", " and ")).text
    return key(re.sub(r"\b(?:et al\b\.?|and)|[(),.]", " ", words))


def _by_call_out(paper: PaperGraph, asked: str) -> tuple[Node, ...]:
    """Return the targets of citations with the same characters."""
    found: Counter[str] = Counter()
    for mentions in paper.mentions.values():
        for mention in mentions:
            if len(mention.targets) == 1 and _label_key(mention.surface) == asked:
                found[mention.targets[0]] += 1
    return tuple(paper.nodes[iri] for iri in sorted(found) if iri in paper.nodes)


def _by_names(paper: PaperGraph, text: str) -> tuple[Node, ...]:
    """Entries of the year whose first author is named first, or who have all the names; initials do not count."""
    match = re.search(r"((?:1[5-9]|20)\d\d)([a-z]?)\s*$", text.strip())
    if not match:
        return ()
    head = text[: match.start()].replace("&", " and ")
    names = [key(word) for word in re.findall(r"[^\W\d_][\w’'\-]+", head) if word.lower() not in _NAME_GLUE]
    nodes = []
    for node in paper.references.values():
        if year(paper, node) in (match[0].strip(), match[1]) and names:
            first = key(" ".join(families(paper, node)[:1])) or key(node.text[:80])
            if first.endswith(names[0]) or names[0] == first or first.startswith("".join(names)):
                nodes.append(node)
    several = [node for node in nodes if len(names) > 1 and _has_all(paper, node, names)]
    return tuple(several or nodes)


def _has_all(paper: PaperGraph, node: Node, names: list[str]) -> bool:
    listed = "".join(key(family) for family in families(paper, node))
    return all(name in listed for name in names)


def _entry_text(paper: PaperGraph, node: Node) -> str:
    return " ".join((node.plain, paper.graph.value(node.iri, str(KAG.authorList))))


def _closest(words: str, texts: Mapping[str, str]) -> tuple[str, ...]:
    """The text that has most of the rare words, and those that come near it; none when the best has too few."""
    wanted = _content(words)
    bags = {name: _content(text) for name, text in texts.items()}
    spread = Counter(word for bag in bags.values() for word in bag)
    weight = {word: log(1 + len(bags) / (1 + spread[word])) for word in wanted}
    total = sum(weight.values())
    scores = {name: sum(weight[word] for word in wanted & bag) for name, bag in bags.items()}
    ranked = sorted(scores, key=lambda name: -scores[name])
    if not ranked or not total or scores[ranked[0]] < CLEAR * total:
        return ()
    return tuple(name for name in ranked if scores[name] > MARGIN * scores[ranked[0]])


def _content(text: str) -> frozenset[str]:
    return frozenset(token.text for token in tokens(text, stem=True) if token.text not in PLAIN)


UNSURE = 0.5  # confidence where a name fits several things
LIKELY = 0.7  # where a caption has most of the words, and no other has


class Undecided(Exception):
    """A query that has no sure meaning for this paper."""


class Absent(Exception):
    """A named thing that is not in the paper; the message says what was searched for."""


@dataclass(frozen=True, slots=True)
class Named:
    """The things of a name, and how sure it is that these are meant."""

    things: tuple[Thing, ...]
    sure: float = 1.0


def named(things: Things, kind: str, name: Name) -> Named:
    """Resolve a name among the things of a kind; raises `Absent` or `Undecided`."""
    if name.way == "id":
        iri = things.paper.resolve(name.text)
        found = tuple(thing for thing in things.all(kind) if thing.iri == iri)
        return Named(found) if found else _absent(f"{kind} {name.text}")
    reader = _READERS.get(kind)
    if reader is None:
        return _by_name(things, kind, name)
    return reader(things, kind, name)


def _absent(searched: str) -> Named:
    raise Absent(searched)


def _section(things: Things, kind: str, name: Name) -> Named:
    found = [section for section in sections(things.paper, name) if heading(things.paper, section)]
    if not found:
        raise Undecided(name.text)
    return Named(tuple(Thing("section", section.iri) for section in found), 1.0 if len(found) == 1 else UNSURE)


def _float(things: Things, kind: str, name: Name) -> Named:
    kinds = FLOATS if kind == "float" else (kind,)
    nodes = [node for one in kinds for node in floats(things.paper, one, name)]
    sub = "equation" if kind == "formula" else word_of(kind, name)
    several = len({node.number for node in nodes}) > 1 or len(distinct(things.paper, (n.iri for n in nodes))) > 1
    if not nodes and name.way in ("number", "label"):
        raise Absent(f"{sub} {name.text.split()[-1]}")
    if not nodes or (several and name.way != "number"):
        raise Undecided(name.text)
    firsts = {called(things.paper, node): node for node in reversed(nodes)}
    exact = f"{sub} {name.text.split()[-1]}".casefold() if name.way in ("number", "label") else ""
    chosen = [node for word, node in firsts.items() if word.casefold() == exact] or list(firsts.values())
    kept = sorted((Thing(_kind(node), node.iri) for node in chosen), key=things.order)
    return Named(tuple(kept), 1.0 if len(kept) == 1 else UNSURE)


def _kind(node: Node) -> str:
    return {"Table": "table", "Formula": "formula"}.get(node.kind, "figure")


def _reference(things: Things, kind: str, name: Name) -> Named:
    if name.way == "doi":
        wanted = name.text.casefold()
        entries = [
            node for node in things.entries if things.paper.graph.value(node.iri, str(PRISM.doi)).casefold() == wanted
        ]
    else:
        entries = list(works(things.paper, name))
    if not entries and name.way in ("number", "label", "doi") and any(map(str.isdigit, name.text)):
        raise Absent(f"reference {name.text}")
    if len(entries) != 1:
        raise Undecided(name.text)
    sure = 1.0 if name.way != "number" or numbered(things.paper) else UNSURE
    return Named((Thing("reference", entries[0].iri),), sure)


def _page(things: Things, kind: str, name: Name) -> Named:
    found = tuple(thing for thing in things.all("page") if str(thing.part[0]) == name.text)
    return Named(found) if found else _absent(f"page {name.text}")


def _paper(things: Things, kind: str, name: Name) -> Named:
    alike = key(name.text) in (key(things.paper.title), key(things.paper.id))
    return Named(things.all("paper")) if alike else _absent(f"paper {name.text}")


def _by_name(things: Things, kind: str, name: Name) -> Named:
    """Return a thing that is only its words: a keyword, a journal, an author of the paper."""
    wanted = key(name.text)
    found = tuple(thing for thing in things.all(kind) if thing.words and key(thing.words) == wanted)
    return Named(found) if found else _absent(f"{kind} {name.text}")


_READERS: dict[str, Callable[[Things, str, Name], Named]] = {
    "section": _section,
    **dict.fromkeys((*FLOATS, "float"), _float),
    "reference": _reference,
    "work": _reference,
    "page": _page,
    "paper": _paper,
}
