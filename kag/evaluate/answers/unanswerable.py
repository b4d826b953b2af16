"""Questions that have no answer, made from any set of questions and its papers; the same each time.

Of another paper: a question that names something its own paper prints and the other does not. Of things that are not
there: floats, references, sections, rows, a figure's number asked of tables. Of false premises: a number of floats
that is wrong, a sentence of the paper with another number in it. Of modifiers: "before 1900" on a list that has nothing
as old, where the question without it has an answer. Right is to say that the paper does not say, or
"no", or none.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kag.evaluate.answers.gold import Asked, even
from kag.evaluate.answers.score import Ask, Maker, interval, paired
from kag.evaluate.spread import in_order
from kag.questions.file import Question
from kag.rdf.namespaces import FABIO
from kag.read.checking.verify import verify
from kag.read.exact.labels import bare
from kag.read.extract.asking import parts_of
from kag.read.paper import CITES, PaperGraph
from kag.safety.workers import Executor
from kag.text.search_text import tokens
from kag.values.evidence import Answer

NOWHERE = 99  # the number of a float that is not there
BEYOND = 5  # how far behind the last reference
INVENTED = "Keeping of lantern moths"  # a title, or a row, where no other paper has one to lend
_QUOTED = re.compile(r"[\"“]([^\"“”]{3,200})[\"”]")
_NAMED = re.compile(r"(?<=[\w,;)] )[A-Z][\w-]+")  # not at the beginning of a sentence
_PARTS = frozenset(["figure", "fig", "table", "scheme", "chart", "plate", "box", "section", "reference", "ref", "doi"])
_SENTENCE = re.compile(r"[A-Z][^.?!<>\\$\[\]]{40,200}\.(?=\s|$)")
_NUMBER = re.compile(r"(?<![\w.,-])\d{2,3}(?![\w.,-])")
_NOTHING = {"0", "no", "none"}


@dataclass(frozen=True, slots=True)
class Item:
    """A question that has no answer in a paper; `planted` is what it takes to be there, "" where no word says it."""

    question: Question
    kind: str
    planted: str = ""


@dataclass(frozen=True, slots=True)
class Silence:
    """An answer marked: `right` says that there is nothing, `repeated` has what was planted in its claims."""

    question: str
    kind: str
    paper: str
    text: str
    right: bool
    repeated: bool
    found: bool
    issues: int
    value: object


def unanswerable(golds: Iterable[Asked], papers: Mapping[str, PaperGraph]) -> tuple[Item, ...]:
    """The items for all papers that questions are about, by kind and paper; none of the other kind with one paper."""
    pairs = [(question, paper) for question, _, paper in paired(golds, papers)]
    names = list(dict.fromkeys(paper for _, paper in pairs))
    found = list(_foreign(pairs, {name: _Printed.of(papers[name]) for name in names}))
    for place, name in enumerate(names):
        lender = papers[names[(place + 1) % len(names)]] if len(names) > 1 else None
        found += _missing(papers[name], lender)
        found += _false(papers[name])
        found += _modified(papers[name])
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Printed:
    """What a paper prints: its text evened out, and the stems of the longer words in its headings."""

    text: str
    heads: frozenset[str]

    @classmethod
    def of(cls, paper: PaperGraph) -> _Printed:
        text = even(" ".join(node.text for node in paper.nodes.values()))
        return cls(text, _stems(" ".join(section.title for section in paper.sections.values())))

    def lacks(self, term: str) -> bool:
        """Whether something named is nowhere in the paper, nor anything in its headings like it."""
        return even(term) not in self.text and self.heads.isdisjoint(_stems(term))


def _foreign(pairs: Sequence[tuple[Question, str]], printed: Mapping[str, _Printed]) -> Iterator[Item]:
    """Each question put to one other paper, drawn by its words, that lacks what the question names."""
    for question, own in pairs:
        others = [name for name in printed if name.split("__")[0] != own.split("__")[0]]
        terms = [term for term in _terms(question.text) if even(term) in printed[own].text]
        if not others or not terms or len(parts_of(question.text)) > 1:
            continue
        other = others[_hash(question.text) % len(others)]
        lacking = [term for term in terms if printed[other].lacks(term)]
        if lacking:
            yield _item("another paper", other, question.text, lacking[0], question.id)


def _terms(text: str) -> list[str]:
    """What a question names: in quotation marks, or with a capital letter; kinds of parts are no names."""
    named = (term for term in _NAMED.findall(_QUOTED.sub(" ", text)) if term.lower().rstrip("s") not in _PARTS)
    return [*_QUOTED.findall(text), *named]


def _missing(paper: PaperGraph, lender: PaperGraph | None) -> Iterator[Item]:
    """Questions on floats, references, sections and rows that a paper does not have."""
    figures, tables = ({node.number for node in paper.of_kind(kind)} - {""} for kind in ("Figure", "Table"))
    last = max([NOWHERE - 1, *(int(number) for number in figures | tables if number.isdigit())])
    yield _item("float", paper.id, f"What does Figure {last + 1} show?", str(last + 1))
    yield _item("float", paper.id, f"Which sections refer to Table {last + 1}?", str(last + 1))
    for kind, here, there in (("Table", tables, figures), ("Figure", figures, tables)):
        if other := sorted(there - here):
            yield _item("float of the other kind", paper.id, f"What does {kind} {other[-1]} show?", "")
    if count := len(paper.of_kind("BibliographicReference")):
        number = str(count + BEYOND)
        yield _item("reference", paper.id, f"What is the title of reference {number}?", number)
        yield _item("reference", paper.id, f"Which sections cite reference [{number}]?", number)
    title = _lent(paper, _titles(lender) if lender else [])
    yield _item("section", paper.id, f'Which subsections does the section "{title}" have?', title)
    yield _item("section", paper.id, f'Which references are cited in the section "{title}"?', title)
    if tables:
        row = _lent(paper, _rows(lender) if lender else [])
        table = min(tables, key=lambda number: (len(number), number))
        yield _item("row", paper.id, f'In Table {table}, what is given for "{row}"?', row)


def _false(paper: PaperGraph) -> Iterator[Item]:
    """Questions that take a number for true that is not."""
    for kind in ("figure", "table"):
        false = str(len(paper.of_kind(kind.title())) + 3)
        yield _item("false count", paper.id, f"Are there {false} {kind}s in this paper?", "")
    printed = " ".join(node.plain for node in paper.of_kind("Paragraph"))
    taken = set(_NUMBER.findall(printed))
    whole = [match[0] for match in _SENTENCE.finditer(printed) if len(_NUMBER.findall(match[0])) == 1]
    for sentence in sorted(whole, key=_hash)[:2]:
        number = _NUMBER.search(sentence)
        other = next((str(n) for n in range(int(number[0]) + 7, 10_000) if str(n) not in taken), "") if number else ""
        if number and other:
            said = sentence[: number.start()] + other + sentence[number.end() :]
            yield _item("false number", paper.id, f"Is it right that {said[0].lower()}{said[1:].rstrip('.')}?", other)


def _modified(paper: PaperGraph) -> Iterator[Item]:
    """Questions of which a modifier leaves nothing, and that without it have an answer: who passes it over gives it."""
    entries = paper.of_kind("BibliographicReference")
    years = [year for entry in entries if (year := paper.graph.value(entry.iri, str(FABIO.hasPublicationYear)))]
    cited = any(paper.targets(iri, CITES) for iri in paper.nodes)
    if not cited or len(years) < len(entries) or not all(year.isdecimal() for year in years):
        return
    first, last, many = min(map(int, years)), max(map(int, years)), len(entries)
    for text in (
        f"Which references from before {first} are cited in the text?",
        f"Which references published after {last} are cited?",
        f"Which sections cite more than {many} references?",
        f"How many references are from before {first}?",
        f"Which section has more than {len(paper.nodes)} figures?",
        f"What is the title of the reference after reference {many}?",
    ):
        yield _item("modifier", paper.id, text, "")


def _lent(paper: PaperGraph, titles: Iterable[str]) -> str:
    """The first title that shares no longer word with anything this paper prints in headings and tables."""
    own = " ".join([*(one.title for one in paper.sections.values()), *(one.text for one in paper.of_kind("Table"))])
    known = _stems(own)
    for title in titles:
        words = _stems(title)
        if len(words) > 1 and not words & known and '"' not in title and len(title) < 100:
            return title
    return INVENTED


def _titles(paper: PaperGraph) -> list[str]:
    """The titles of sections that are not of a kind that other papers have under another name."""
    return [bare(section.title) for section in paper.sections.values() if not section.types and not section.synthetic]


def _rows(paper: PaperGraph) -> list[str]:
    """The first cells of a paper's table rows."""
    cells = r"<tr[^>]*>\s*<t[dh][^>]*>([^<]{3,80})<"
    return [one.strip() for node in paper.of_kind("Table") for one in re.findall(cells, node.text)]


def _item(kind: str, paper: str, text: str, planted: str, source: str = "") -> Item:
    name = f"{kind.replace(' ', '_')}_{source or paper}_{_hash(text) % 10**8:08d}"
    return Item(Question(name, text, paper, kind), kind, planted)


def put(items: Iterable[Item], papers: Mapping[str, PaperGraph], ask: Ask) -> tuple[Silence, ...]:
    """Answer and mark all items."""
    return tuple(judged(item, papers[item.question.paper], ask) for item in items)


def put_spread(
    items: Iterable[Item], papers: Mapping[str, PaperGraph], maker: Maker, executor: Executor | None = None
) -> tuple[Silence, ...]:
    """`put`, a paper at a time by whoever the executor has."""
    return tuple(in_order(partial(_put, papers, maker), items, executor, lambda _, item: item.question.paper))


def _put(papers: Mapping[str, PaperGraph], maker: Maker, items: Iterable[Item]) -> tuple[Silence, ...]:
    return put(items, papers, maker())


def judged(item: Item, paper: PaperGraph, ask: Ask) -> Silence:
    """One item answered and marked."""
    question = item.question
    given = ask(question, paper)
    return Silence(
        question=question.id,
        kind=item.kind,
        paper=question.paper,
        text=question.text,
        right=says_nothing(given),
        repeated=bool(item.planted) and _repeats(given, item.planted),
        found=given.found,
        issues=len(verify(given, {paper.id: paper}).issues),
        value=given.value,
    )


def says_nothing(answer: Answer) -> bool:
    """Whether an answer says that there is no such thing: not found, no, none, or an empty list."""
    value = answer.value
    return not answer.found or value in ([], {}) or (value is not None and str(value).lower() in _NOTHING)


def _repeats(answer: Answer, planted: str) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(planted)}(?!\w)", claim.text) for claim in answer.claims)


def rows(found: Iterable[Silence]) -> list[dict[str, Any]]:
    """One row a kind, and all: asked, right with its 95 % interval over papers, what was planted repeated, verified."""
    found = tuple(found)
    kinds = dict.fromkeys(one.kind for one in found)
    groups = {kind: [one for one in found if one.kind == kind] for kind in kinds} | {"all": list(found)}
    return [_row(kind, group) for kind, group in groups.items() if group]


def _row(kind: str, group: Sequence[Silence]) -> dict[str, Any]:
    low, high = interval((one.paper, one.right) for one in group)
    answered = [one for one in group if one.found]
    return {
        "nothing there of": kind,
        "asked": len(group),
        "papers": len({one.paper for one in group}),
        "right": sum(one.right for one in group) / len(group),
        "low": low,
        "high": high,
        "premise repeated": sum(one.repeated for one in group) / len(group),
        "verified": sum(not one.issues for one in answered) / len(answered) if answered else None,
    }


def _stems(text: str) -> frozenset[str]:
    return frozenset(one.text for one in tokens(text, stem=True, wholes=False) if len(one.text) > 3)


def _hash(text: str) -> int:
    return int(hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(), 16)
