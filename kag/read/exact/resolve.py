"""From what a question names to what the paper has: sections, cited works, floats. Nothing or several is said so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

from kag.rdf.namespaces import FABIO, KAG
from kag.read.exact import naming
from kag.read.exact.anchors import Anchor
from kag.read.paper import Node, Paper, Section
from kag.text.plain import plain
from kag.text.search_text import search_text, tokens
from kag.write.enrich.sections import title_types

CLEAR = 0.4  # share of the weight of a subject's words that an entry must have
MARGIN = 0.75  # share of the best entry's weight that the next may have at most
_LEADING = re.compile(
    r"(?:(?:section|chapter)\s+)?(?:"
    r"\d{1,2}(?:\.\d{1,2})*(?:[.):]\s+|[.):](?=[^\W\d_])|\s+(?=[^\W\d_]))"
    r"|[ivx]{1,5}[.)]\s+|[a-h](?:\.\d{1,2})*[.):]\s+|appendix\s+[a-h\d]\s*[.:]\s*)",
    re.I,
)
_ORDINALS = {word: place for place, word in enumerate(naming.ORDINALS)}
_ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "X": 10}
_LABEL = re.compile(r"(?P<names>[^\W\d_][^\d;]{1,80}?),? (?P<year>(?:1[5-9]|20)\d\d[a-z]?|n\.d\.[a-z]?)")
_NAME_GLUE = frozenset({"et", "al", "and", "the", *naming.PARTICLES})
_SAID_OF_WORKS = (
    "a an the of in on at to for from by with and or is are was were be been that this these those which who its it as "
    "about paper work study article describe describes described describing report reports reported introduce "
    "introduces introducing introduced present presents presented propose proposes proposed show shows showed deal "
    "deals concern concerns cover covers"
)
_PLAIN = frozenset(_SAID_OF_WORKS.split())


def bare(title: str) -> str:
    """A heading without its number; without both where it is numbered twice.

    >>> bare("3.2. Energy")
    'Energy'
    """
    while match := _LEADING.match(title):
        title = title[match.end() :]
    return title.strip()


def unnumbered(section: Section) -> str:
    """A section's title without the number it was read with."""
    rest = section.title.removeprefix(section.number) if section.number else section.title
    return rest.lstrip(".):\u00a0 ") if rest[:1] in tuple(".):\u00a0 ") and rest.strip(".): ") else section.title


def key(text: str) -> str:
    """Letters and digits in small letters: the same for two spellings of a title."""
    return re.sub(r"[\W_]+", "", search_text(text).text)


def printed(paper: Paper) -> tuple[Section, ...]:
    """The sections whose heading stands on a page, in reading order."""
    return tuple(section for section in paper.sections.values() if not section.synthetic and section.title)


def sections(paper: Paper, anchor: Anchor) -> tuple[Section, ...]:
    """The sections an anchor names, best reading first: several only when they cannot be told apart."""
    known = printed(paper)
    if anchor.sub == "number":
        wanted = anchor.text.rstrip(".").casefold()
        return tuple(section for section in known if _number(section).casefold() == wanted)
    if anchor.sub == "ordinal":
        return _ordinal(known, anchor.text)
    wanted = key(anchor.text)
    exact = _uppermost(section for section in known if wanted in (key(section.title), key(unnumbered(section))))
    exact = exact or _uppermost(section for section in known if key(bare(section.title)) == key(bare(anchor.text)))
    return exact or _by_role(known, anchor.text) or (_by_words(known, anchor.text) if anchor.sub != "role" else ())


def _uppermost(found: Iterable[Section]) -> tuple[Section, ...]:
    """Of sections with one title those nearest to the top: the paper's Methods before those of its abstract."""
    listed = list(found)
    depth = min((section.depth for section in listed), default=0)
    return tuple(section for section in listed if section.depth == depth)


def _number(section: Section) -> str:
    stated = section.number or (match[0] if (match := _LEADING.match(section.title)) else "")
    return stated.strip().rstrip(".):").strip()


def _ordinal(known: tuple[Section, ...], word: str) -> tuple[Section, ...]:
    tops = [section for section in known if section.depth == 1]
    if word in ("last", "final"):
        return tuple(tops[-1:])
    return tuple(tops[_ORDINALS[word] :][:1]) if word in _ORDINALS else ()


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


def floats(paper: Paper, anchor: Anchor) -> tuple[Node, ...]:
    """The figure, table or equation an anchor names; several nodes when it is printed in parts."""
    sub = anchor.sub.split()[0]
    kind = {"table": "Table", "equation": "Formula"}.get(sub, "Figure")
    nodes = [node for node in paper.of_kind(kind) if (sub in ("table", "equation")) or _is_called(node, sub)]
    if anchor.sub.endswith("ordinal"):
        return _in_order(nodes, anchor.text)
    if anchor.sub.endswith("words") or not re.match(r"[\w.\-]{1,9}$", anchor.text):
        return _by_caption(paper, nodes, anchor.text)
    wanted = anchor.text.upper().replace(" ", "")
    for candidate in dict.fromkeys((wanted, str(_ROMAN.get(wanted, wanted)), re.sub(r"(?<=\d)[A-Z]$", "", wanted))):
        found = tuple(node for node in nodes if _float_number(node) in (candidate, _as_roman(candidate)))
        if found:
            return found
    return ()


def _in_order(nodes: Sequence[Node], word: str) -> tuple[Node, ...]:
    """The nodes of the float that comes at a place among the numbered ones."""
    numbers = list(dict.fromkeys(_float_number(node) for node in nodes if node.number))
    wanted = numbers[-1:] if word in ("last", "final") else numbers[_ORDINALS[word] :][:1]
    return tuple(node for node in nodes if wanted and _float_number(node) == wanted[0])


def _is_called(node: Node, sub: str) -> bool:
    """Whether a picture is printed under this name: Scheme 1 is not Figure 1."""
    name = re.match(r"\W*([a-z]+)", node.label.lower())
    printed_as = "figure" if not name or name[1].startswith("fig") else name[1].rstrip("s")
    return printed_as == sub or (sub == "figure" and printed_as not in ("scheme", "chart", "plate", "box", "table"))


def _float_number(node: Node) -> str:
    return node.number.upper().replace(" ", "")


def _as_roman(number: str) -> str:
    return next((roman for roman, value in _ROMAN.items() if str(value) == number), number)


def _by_caption(paper: Paper, nodes: Iterable[Node], words: str) -> tuple[Node, ...]:
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


def works(paper: Paper, anchor: Anchor) -> tuple[Node, ...]:
    """The entries of the reference list that an anchor may mean."""
    if anchor.sub == "number":
        return tuple(node for number, node in paper.references.items() if str(number) == anchor.text)
    if anchor.sub == "label":
        return _by_label(paper, anchor.text)
    if anchor.sub == "author":
        wanted = key(anchor.text)
        return tuple(node for node in paper.references.values() if key((families(paper, node) or [""])[0]) == wanted)
    entries = {node.iri: _entry_text(paper, node) for node in paper.references.values()}
    return tuple(paper.nodes[iri] for iri in _closest(anchor.text, entries))


def families(paper: Paper, node: Node) -> list[str]:
    """The authors' family names of an entry."""
    listed = paper.graph.value(node.iri, str(KAG.authorList))
    return [author.split(",")[0].strip() for author in listed.split(";") if author.strip()]


def year(paper: Paper, node: Node) -> str:
    """The year of an entry, with the letter that tells two works of it apart."""
    stated = paper.graph.value(node.iri, str(FABIO.hasPublicationYear))
    lettered = re.search(rf"\b{re.escape(stated)}([a-z])\b", node.text) if stated else None
    return stated + (lettered[1] if lettered else "")


def label(paper: Paper, node: Node) -> str:
    """How the text names an entry, as its call-outs do most often; made of authors and year where none does.

    "Kay 1999", "Kay and Lee 1999", "Kay et al. 1999".
    """
    surfaces = Counter(
        cleaned
        for mentions in paper.mentions.values()
        for mention in mentions
        if mention.targets == (node.iri,) and (cleaned := _as_label(mention.surface))
    )
    names, when = families(paper, node), year(paper, node)
    if surfaces:
        said = max(surfaces, key=lambda surface: (surfaces[surface], surface))
        whole = f"{names[0]} {when}" if len(names) == 1 else said
        return whole if whole.endswith(f" {said}") else said  # "Core Team 2017" of the R Core Team
    if not names:
        return when
    return f"{' and '.join(names) if len(names) < 3 else names[0] + ' et al.'} {when}".strip()


def _as_label(surface: str) -> str:
    """A call-out of names and a year without the marks between them; empty when it is anything else."""
    words = " ".join(re.sub(r"[()\[\]]", " ", plain(surface)).replace("&", "and").split())
    match = _LABEL.fullmatch(words)
    return f"{match['names'].rstrip(' ,')} {match['year']}" if match else ""


def _by_label(paper: Paper, text: str) -> tuple[Node, ...]:
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


def _by_call_out(paper: Paper, asked: str) -> tuple[Node, ...]:
    """What call-outs with the same characters point to."""
    found: Counter[str] = Counter()
    for mentions in paper.mentions.values():
        for mention in mentions:
            if len(mention.targets) == 1 and _label_key(mention.surface) == asked:
                found[mention.targets[0]] += 1
    return tuple(paper.nodes[iri] for iri in sorted(found) if iri in paper.nodes)


def _by_names(paper: Paper, text: str) -> tuple[Node, ...]:
    """Entries of the year whose first author is named first, or who have all the names; initials do not count."""
    match = re.search(r"((?:1[5-9]|20)\d\d)([a-z]?)\s*$", text.strip())
    if not match:
        return ()
    head = text[: match.start()].replace("&", " and ")
    names = [key(word) for word in re.findall(r"[^\W\d_][\w’'\-]+", head) if word.lower() not in _NAME_GLUE]
    found = []
    for node in paper.references.values():
        if year(paper, node) in (match[0].strip(), match[1]) and names:
            first = key(" ".join(families(paper, node)[:1])) or key(node.text[:80])
            if first.endswith(names[0]) or names[0] == first or first.startswith("".join(names)):
                found.append(node)
    several = [node for node in found if len(names) > 1 and _has_all(paper, node, names)]
    return tuple(several or found)


def _has_all(paper: Paper, node: Node, names: list[str]) -> bool:
    listed = "".join(key(family) for family in families(paper, node))
    return all(name in listed for name in names)


def _entry_text(paper: Paper, node: Node) -> str:
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
    return frozenset(token.text for token in tokens(text, stem=True) if token.text not in _PLAIN)
