"""References printed in many styles, with the label of each character: what a publisher's template does to a record.

A template is text with fields in braces; what stands between ⟦ and ⟧ is left out where one of its fields is missing.
Words such as "vol." and "pp." stand in it as <V>, <N>, <P>, <IN>, <ED> and are drawn from those of one language.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

Labelled = list[tuple[str, str]]  # characters with their labels
Person = tuple[str, str]  # family and given names

ARTICLES = (
    "{author}. {title}. {journal}. {date}⟦;{volume}⟧⟦({issue})⟧⟦:{pages}⟧.",
    "{author}. {title}. {journal} {date}⟦;{volume}⟧⟦({issue})⟧⟦:{pages}⟧",
    "{author} ({date}) {title}. {journal} ⟦{volume}⟧⟦({issue})⟧⟦: {pages}⟧.",
    "{author} ({date}) {title}. {journal}⟦ {volume}⟧⟦:{pages}⟧",
    "{author} ({date}). {title}. {journal}⟦, {volume}⟧⟦({issue})⟧⟦, {pages}⟧.",
    "{author}, {date}. {title}. {journal}⟦ {volume}⟧⟦ ({issue})⟧⟦, {pages}⟧.",
    "{author}. {date}. {title}. {journal}⟦ {volume}⟧⟦({issue})⟧⟦: {pages}⟧.",
    "{author}, “{title},” {journal}⟦, <V> {volume}⟧⟦, <N> {issue}⟧⟦, <P> {pages}⟧, {date}.",
    "{author}, \"{title},\" {journal}⟦, <V> {volume}⟧⟦, <N> {issue}⟧⟦, <P> {pages}⟧, {date}.",
    "{author} ({date}) '{title}', {journal}⟦, {volume}⟧⟦({issue})⟧⟦, <P> {pages}⟧.",
    "{author}. “{title}.” {journal}⟦ {volume}⟧⟦, no. {issue}⟧ ({date})⟦: {pages}⟧.",
    "{author}, {title}, {journal}⟦ {volume}⟧ ({date})⟦ {pages}⟧.",
    "{author}, {title}, {journal}⟦ {volume}⟧⟦ ({issue})⟧ ({date})⟦, {pages}⟧.",
    "{author}: {title}. {journal}⟦ {volume}⟧⟦({issue})⟧⟦, {pages}⟧ ({date})",
    "{author}: {title}. {journal} {date}⟦, {volume}⟧⟦:{pages}⟧.",
    "{author}. {title}. {journal}⟦ {volume}⟧⟦, {pages}⟧ ({date}).",
    "{author}, {journal}⟦ {volume}⟧⟦, {pages}⟧ ({date}).",
    "{author}, {journal}, {date}⟦, {volume}⟧⟦, {pages}⟧.",
    "{author}. {journal}⟦ {volume}⟧⟦, {pages}⟧ ({date}).",
    "{author} {date}, {journal}⟦, {volume}⟧⟦, {pages}⟧",
    "{author} {date} {journal}⟦ {volume}⟧⟦ {pages}⟧",
    "{author} {date} {title} {journal}⟦ {volume}⟧⟦ {pages}⟧",
    "{author}; {journal} {date}⟦, {volume}⟧⟦ ({issue})⟧⟦, {pages}⟧.",
    "{author}, {date}: {title}. {journal}⟦, {volume}⟧⟦, {pages}⟧.",
    "{author} — {title}, {journal}⟦, <V> {volume}⟧⟦, <N> {issue}⟧, {date}⟦, <P> {pages}⟧.",
    "{author}, {title}, in: {journal}⟦ {volume}⟧⟦, <N> {issue}⟧, {date}⟦, <P> {pages}⟧.",
    "{author}, « {title} », {journal}⟦, <V> {volume}⟧⟦, <N> {issue}⟧, {date}⟦, <P> {pages}⟧.",
    "{author}: „{title}“. {journal}⟦ {volume}⟧ ({date})⟦, <P> {pages}⟧.",
    "{author}, “{title},” {journal}⟦ {volume}⟧⟦, {pages}⟧ ({date}).",
    '{author}, "{title}," {journal}⟦ {volume}⟧ ({date})⟦ {pages}⟧.',
    '{author}. "{title}". {journal}⟦ {volume}⟧⟦({issue})⟧⟦:{pages}⟧, {date}.',
    "{author}, “{title}”, {journal}, {date}⟦, {volume}⟧⟦, {pages}⟧.",
    "{author}; {title}. {journal}⟦ {volume}⟧⟦, {pages}⟧; {date}.",
    "{author}. {title}. {journal}⟦. {volume}⟧⟦. {pages}⟧. {date}.",
    "{title}. {author}. {journal}⟦, <V> {volume}⟧⟦, <N> {issue}⟧⟦, <P> {pages}⟧, {date}.",
    "{author}. {title}[J]. {journal}, {date}⟦, {volume}⟧⟦({issue})⟧⟦: {pages}⟧.",
    "{author}. {title} // {journal}. {date}. ⟦<V> {volume}⟧⟦, <N> {issue}⟧⟦. <P> {pages}⟧.",
    "{author}, '{title},' {journal}⟦, <V> {volume}⟧⟦, <N> {issue}⟧⟦, <P> {pages}⟧, {date}.",
)  # fmt: skip
BOOKS = (
    "{author}. {book}⟦. {note}⟧. ⟦{place}: ⟧{publisher}; {date}.",
    "{author} ({date}) {book}⟦, {note}⟧. {publisher}⟦, {place}⟧",
    "{author} ({date}). {book}⟦ ({note})⟧. ⟦{place}: ⟧{publisher}.",
    "{author}, {book}⟦, {note}⟧ ({publisher}⟦, {place}⟧, {date})⟦, <P> {pages}⟧.",
    "{author}, {book}⟦, {note}⟧, {publisher}⟦, {place}⟧, {date}.",
    "{author}. {book}⟦, {note}⟧. {publisher}⟦, {place}⟧, {date}⟦, <P> {pages}⟧.",
    "{author}: {book}⟦, {note}⟧. {publisher}⟦, {place}⟧ ({date})",
    "{author}. {date}. {book}⟦. {note}⟧. {publisher}⟦, {place}⟧.",
    "{author}, {date}. {book}. ⟦{place}: ⟧{publisher}.",
    "{author}, {book}, ⟦{place}, ⟧{publisher}, {date}⟦, <P> {pages}⟧.",
    "{author} {date}, {book}⟦, {note}⟧ (⟦{place}: ⟧{publisher})",
    "{author}. {book}. ⟦{place}: ⟧{publisher}, {date}.",
)
CHAPTERS = (
    "{author}. {title}. <IN>: ⟦{editor}, <ED>. ⟧{book}⟦. {note}⟧. ⟦{place}: ⟧⟦{publisher}; ⟧{date}⟦. p. {pages}⟧.",
    "{author} ({date}) {title}. <IN>: ⟦{editor} (<ED>) ⟧{book}⟦. {publisher}⟧⟦, {place}⟧⟦, <P> {pages}⟧",
    "{author} ({date}). {title}. <IN> ⟦{editor} (<ED>.), ⟧{book}⟦ (<P> {pages})⟧⟦. ⟦{place}: ⟧{publisher}⟧.",
    "{author}, “{title},” in {book}⟦, <ED>. {editor}⟧⟦. {publisher}⟧, {date}⟦, <P> {pages}⟧.",
    "{author}. {title}. In ⟦{editor}, <ED>, ⟧{book}⟦, <P> {pages}⟧⟦. {publisher}⟧⟦, {place}⟧, {date}.",
    "{author}, {title}, in: ⟦{editor} (<ED>.), ⟧{book}⟦, {publisher}⟧⟦, {place}⟧, {date}⟦, <P> {pages}⟧.",
    "{author}: {title}. <IN>: {book}⟦, <P> {pages}⟧⟦. {publisher}⟧⟦, {place}⟧ ({date})",
    "{author}, in {book}⟦, edited by {editor}⟧ (⟦{publisher}, ⟧⟦{place}, ⟧{date})⟦, p. {pages}⟧.",
    "{author}. {title}. {book}, {date}⟦, <P> {pages}⟧.",
)
THESES = (
    "{author}. {book}. PhD thesis, {publisher}⟦, {place}⟧, {date}.",
    "{author} ({date}). {book} (Doctoral dissertation). {publisher}⟦, {place}⟧.",
    "{author}, {book}, Ph.D. thesis, {publisher} ({date}).",
    "{author}: {book}. Dissertation, {publisher} {date}.",
    "{author}. “{book}”. MSc thesis. {publisher}, {date}.",
    "{author}, Ph.D. thesis, {publisher} ({date}).",
    "{author} : {book}, thèse de doctorat, {publisher}, {date}.",
)
_WORDS: tuple[Mapping[str, tuple[str, ...]], ...] = (
    {"V": ("vol.", "Vol.", "vol"), "N": ("no.", "No.", "iss."), "P": ("pp.", "pages", "p."),
     "IN": ("In",), "ED": ("eds", "editors", "Ed")},
    {"V": ("Bd.", "Band", "Jg."), "N": ("Nr.", "H.", "Heft"), "P": ("S.", "Seiten"),
     "IN": ("In", "in"), "ED": ("Hrsg.", "Hg")},
    {"V": ("vol.", "t.", "tome"), "N": ("n°", "no"), "P": ("p.", "pp."),
     "IN": ("Dans", "In"), "ED": ("éds", "dir.")},
    {"V": ("vol.", "tomo"), "N": ("núm.", "n."), "P": ("págs.", "pp.", "p."),
     "IN": ("En", "In"), "ED": ("eds.", "coord.", "a cura di")},
    {"V": ("Т.", "Vol."), "N": ("№",), "P": ("С.", "P."), "IN": ("В кн.", "In"), "ED": ("под ред.", "eds")},
)  # fmt: skip
EASTERN = (
    "{author}. {title}[J]. {journal}, {date}, {volume}({issue}): {pages}.",
    "{author}, '{title},' {journal}, 제{volume}권, 제{issue}호, pp.{pages}, {date}.",
    "{author} ({date}). {title}. {journal}. {volume}({issue}), {pages}.",
    "{author}, {date}, {title}, {journal}, {volume}권 {issue}호, {pages}쪽.",
    "{author}：《{title}》，《{journal}》{date}年第{issue}期，第{pages}页。",
    "{author}, {title}, {journal}, 第{volume}巻, 第{issue}号, {pages}頁, {date}年.",
    "{author}, “{title}”, {journal}, Vol.{volume}, No.{issue}, pp.{pages}, {date}.",
    "{author}. {title}. {journal}. {date};{volume}({issue}):{pages}.",
    "{author}, 『{book}』, {publisher}, {date}.",
    "{author}. {book}[M]. {place}: {publisher}, {date}.",
    "{author}. {date}. {book}. {publisher}.",
)  # fmt: skip
LEFT_OUT = 0.08  # of the fields that a style may print
_OPTIONAL = re.compile(r"⟦([^⟦⟧]*)⟧")
_FIELD = re.compile(r"\{(\w+)\}")


def render(record: Mapping[str, str], people: Sequence[Person], draw: random.Random) -> Labelled:
    """A record printed in a style that is drawn; empty where no template has what is needed."""
    if not people and "author" not in record:
        return []
    fields, template = dict(record), draw.choice(_templates(record))
    if draw.random() < 0.08:
        fields, template = in_eastern_script(record, draw)
    words = draw.choice(_WORDS) if draw.random() < 0.35 else _WORDS[0]
    if people and template not in EASTERN:
        fields["author"] = names(people, draw)
    if "title" in fields and draw.random() < 0.1:
        fields["title"] = fields["title"].title()

    def kept(part: re.Match[str]) -> str:
        return part[1] if _has(part[1], fields) and draw.random() > LEFT_OUT else ""

    while _OPTIONAL.search(template):
        template = _OPTIONAL.sub(kept, template)
    if not _has(template, fields):
        return []
    template = re.sub(r"<(\w+)>", lambda word: draw.choice(words[word[1]]), template)
    printed: Labelled = []
    for piece in re.split(r"(\{\w+\})", template):
        field = _FIELD.fullmatch(piece)
        text = fields[field[1]] if field else piece
        if not field and printed and printed[-1][0] == text[:1] == ".":
            text = text[1:]
        printed += [(char, field[1] if field else "O") for char in text]
    return printed


_SCRIPTS = ((0x4E00, 0x9FA5, ""), (0xAC00, 0xD7A3, " "), (0x3042, 0x3093, ""))


def in_eastern_script(record: Mapping[str, str], draw: random.Random) -> tuple[dict[str, str], str]:
    """A record with made-up words of a script without capitals in place of its own, and a template for it.

    The words mean nothing: the labeller learns from them by order, length and marks alone.
    """
    low, high, blank = draw.choice(_SCRIPTS)

    def word(least: int, most: int) -> str:
        return "".join(chr(draw.randint(low, high)) for _ in range(draw.randint(least, most)))

    made = {
        "author": draw.choice((", ", "·", ".", "、", ", ")).join(word(2, 4) for _ in range(draw.randint(1, 4))),
        "title": blank.join(word(2, 7) for _ in range(draw.randint(3, 9))),
        "journal": blank.join(word(2, 7) for _ in range(draw.choice((1, 1, 2)))),
        "book": blank.join(word(2, 6) for _ in range(draw.randint(2, 6))),
        "publisher": word(3, 7),
        "place": word(2, 2),
    }
    numbers = {name: text for name, text in record.items() if name in ("date", "volume", "issue", "pages")}
    drawn = {"issue": str(draw.randint(1, 12)), "volume": str(draw.randint(1, 60)), "pages": "12-34"}
    return {**drawn, **made, **numbers}, draw.choice(EASTERN)


def _templates(record: Mapping[str, str]) -> Sequence[str]:
    if "journal" in record:
        return ARTICLES if "title" in record else ARTICLES[16:23]
    if "thesis" in record:
        return THESES
    return CHAPTERS if "title" in record else BOOKS


def _has(template: str, fields: Mapping[str, str]) -> bool:
    return all(fields.get(name) for name in _FIELD.findall(template))


def names(people: Sequence[Person], draw: random.Random) -> str:
    """A list of names in one of the usual forms."""
    most = draw.choice((2, 3, 6, 20))
    shown, cut = list(people[:most]), len(people) > most
    form = draw.randrange(8)
    printed = [_name(family, given, form, n) for n, (family, given) in enumerate(shown)]
    if cut:
        return ", ".join(printed) + draw.choice((" et al.", ", et al.", ", et al", " et al"))
    if len(printed) == 1:
        return printed[0]
    last = draw.choice((", ", " and ", ", and ", " & ", ", & ", "; ", " et ", " und "))
    between = "; " if last == "; " else ", "
    return between.join(printed[:-1]) + last + printed[-1]


def _name(family: str, given: str, form: int, position: int) -> str:
    letters = [part[0] for part in re.split(r"[\s.-]+", given) if part]
    if not letters:
        return family
    pointed = " ".join(f"{letter}." for letter in letters)
    bare = "".join(letters)
    full = given if len(given) > 2 and not given.isupper() else pointed
    return (
        f"{family} {bare}", f"{family}, {pointed}", f"{pointed} {family}", f"{family}, {bare}", f"{full} {family}",
        f"{family}, {full}" if not position else f"{full} {family}", f"{family} {pointed}",
        f"{family.upper()}, {pointed}",
    )[form]  # fmt: skip


_ALIKE = {"l": "1", "1": "l", "O": "0", "0": "O", "e": "c", "i": "í", "S": "5", "–": "-", "-": "–", ",": ".", ".": ","}


def damaged(printed: Labelled, draw: random.Random) -> Labelled:
    """What scans and converters do to print: blanks lost, invented and moved, letters read as others, marks lost."""
    kind = draw.random()
    blanks, moved, letters = (0.03, 0.0, 0.01) if kind < 0.4 else (0.12, 0.3, 0.0) if kind < 0.75 else (0.3, 0.0, 0.02)
    result: Labelled = []
    for char, label in printed:
        chance = draw.random()
        if char == " " and chance < blanks:
            continue
        if char in ".,;:()" and chance < moved:
            result += [(" ", "O"), (char, label)]
            continue
        if char in _ALIKE and chance < letters:
            char = _ALIKE[char]
        result.append((char, label))
    return result


def without_field(printed: Labelled, draw: random.Random) -> Labelled:
    """The same without one of its fields, and without the mark behind it."""
    there = sorted({label for _, label in printed} - {"O", "author"})
    if not there:
        return printed
    gone = draw.choice(there)
    result: Labelled = []
    just = False
    for char, label in printed:
        if label == gone:
            just = True
        elif just and label == "O" and not char.isalnum():
            just = char in ".,;:"
        else:
            just = False
            result.append((char, label))
    return result
