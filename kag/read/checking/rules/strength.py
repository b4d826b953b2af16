"""How strongly a thing is said: a guess or plan told as fact, and "all", "only" or "most" that nobody wrote."""

from __future__ import annotations

from collections.abc import Iterator

from kag.read.checking.rules.figures import is_whole
from kag.read.checking.rules.finding import Finding
from kag.read.checking.rules.lexicon import lexicon
from kag.read.checking.rules.number import printed_numbers
from kag.read.checking.rules.parts import Part, Sides
from kag.read.checking.rules.words import Word, has_near, phrases_at

_BORDERS = frozenset(
    (";", ":", ".", "?", "!", "|", "but", "whereas", "while", "although", "though", "however", "because", "which")
)
_NEARLY = frozenset(("almost", "nearly", "practically", "virtually"))
_HALF, _NEARLY_ALL = 50.0, 85.0  # percent from which on it is most, and nearly all
_PLANS = frozenset(("will", "shall", "plan", "plans", "planned", "intend", "intends", "upcoming"))
_STRONGER = {
    "all": ("all",),
    "only": ("only",),
    "most": ("most", "nearly", "all"),
    "nearly": ("nearly", "all"),
}  # what bears a word of the claim


def hedge_findings(sides: Sides) -> Iterator[Finding]:
    """A claim without hedge or plan whose own words are hedged, or planned, wherever the quotes have them."""
    if planned := _planned(sides):
        yield Finding("hedge", f"the claim tells it as a plan ({planned!r}), the quotes as a fact")
    if any(_hedges(sides.claim)) or has_near(sides.claim, lexicon().near["hedge"]):
        return
    facts = [told for told, hedged in _clauses(sides) if not hedged]
    fact, known = max(map(len, facts), default=0), frozenset[str]().union(*facts)
    for told, hedged in _clauses(sides):
        if hedged and len(told) > fact and 2 * len(told) >= len(sides.known) and 3 * len(told - known) >= len(told):
            kind = "guess" if hedged[0] == "guess" else "plan"
            yield Finding("hedge", f"the quotes tell it as a {kind} ({hedged[1]!r}), the claim as a fact")
            return


def _planned(sides: Sides) -> str:
    """The word of the claim that puts off what the quotes tell without any such word; "" where there is none."""
    said = next((word.text for word in sides.claim if word.text.lower() in _PLANS), "")
    texts = (*(part.all for part in sides.quoted), sides.around)
    told = any(any(_hedges(text)) or has_near(text, lexicon().near["hedge"]) for text in texts)
    return "" if told or not sides.quoted else said


def quantity_findings(sides: Sides) -> Iterator[Finding]:
    """Quantities of the claim that are stronger than those of the quotes."""
    if all(part.is_cell for part in sides.quoted):  # what is true of all rows no row says
        return
    shown = {name for part in sides.quoted for name, _ in _quantities(part.words)}
    if "all" in shown and "only" not in shown:
        for name, text in _quantities(sides.claim):
            if name == "only":
                yield Finding("quantity", f"the quotes say of all what the claim says of {text!r} some")
    for name in _STRONGER:
        if any(has_near(part.words, lexicon().near[name]) for part in sides.quoted):
            shown.add(name)
    shown |= set(_by_share(sides))
    for name, text in _quantities(sides.claim):
        if name in _STRONGER and not shown & set(_STRONGER[name]):
            weaker = name == "all" and bool(shown & {"most", "some"})
            yield Finding("quantity", f"the quotes do not say {text!r}", contradicts=weaker)


def _by_share(sides: Sides) -> Iterator[str]:
    """The quantities that a share stands for which is printed of most of the claim's words, or told in the claim."""
    printed = [one for one in printed_numbers(sides) if one.word.unit == "%"]
    told = {word.printed for word in sides.claim if word.unit == "%"}
    shares = [one.word.printed for one in printed if 4 * len(one.zone & sides.known) >= 3 * len(sides.known)]
    for share in (*shares, *told, *_by_count(sides)):
        if share > _HALF:
            yield "most"
        if share >= _NEARLY_ALL:
            yield "nearly"


def _by_count(sides: Sides) -> Iterator[float]:
    """The percent that counts of a whole come to: 67 for "two of the three cities"."""
    for part in sides.quoted:
        for at, word in enumerate(part.words):
            whole = next((other for other in part.words[at + 1 : at + 4] if other.is_number), None)
            if word.is_number and whole and is_whole(part.words, part.words.index(whole, at + 1)) and whole.value:
                yield 100 * (word.value or 0.0) / whole.value


def _quantities(text: tuple[Word, ...]) -> Iterator[tuple[str, str]]:
    table = lexicon().quantifiers
    for at in range(len(text)):
        found = phrases_at(text, at, table, stems=False)
        part = at > 0 and text[at - 1].text.lower() in ("of", "at")  # "10 % of all slides", "not at all"
        counts = table.get(found) == "only" and text[at + 1 : at + 2] and text[at + 1].is_number  # "only twice"
        part |= [word.text.lower() for word in text[at + 1 : at + 2]] == ["but"]  # "all but one"
        if found and not counts and not _is_degree(text, at) and not (table[found] == "all" and part):
            nearly = table[found] == "all" and at > 0 and text[at - 1].text.lower() in _NEARLY
            yield "nearly" if nearly else table[found], text[at].text


def _is_degree(text: tuple[Word, ...], at: int) -> bool:
    """Whether "most" makes a superlative: "the most bees", "cited most often"."""
    behind = text[at + 1].text.lower() if at + 1 < len(text) else ""
    before = text[at - 1].text.lower() if at else ""
    return text[at].text.lower() == "most" and (
        before in ("the", "has", "have", "at") or behind in ("", ".", "often") or behind.endswith("ly")
    )


def _hedges(text: tuple[Word, ...]) -> Iterator[tuple[str, str]]:
    table = lexicon().hedges
    for at in range(len(text)):
        if (found := phrases_at(text, at, table, stems=False)) and not _is_month(text, at):
            yield table[found], " ".join(found)


def _is_month(text: tuple[Word, ...], at: int) -> bool:
    """May, which is a month where it has a capital inside of a sentence, or a number behind it."""
    return text[at].text == "May" and (at > 0 or any(word.is_number for word in text[1:2]))


def _clauses(sides: Sides) -> Iterator[tuple[frozenset[str], tuple[str, str] | None]]:
    """The claim's words in each clause of the quotes, and the hedge of the clause, if it has one."""
    for part in sides.quoted:
        for clause in _split(part):
            yield sides.told(clause) & sides.said, next(_hedges(clause), None)


def _split(part: Part) -> Iterator[tuple[Word, ...]]:
    start = 0
    for at, word in enumerate(part.words):
        if word.text.lower() in _BORDERS or (at and word.text.lower() == "as" and part.words[at - 1].text == ","):
            yield part.words[start:at]
            start = at + 1
    yield part.words[start:]
