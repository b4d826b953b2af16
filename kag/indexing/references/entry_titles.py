"""Boundary between a title and the name of the journal or book.

Every point, comma and "In:" between names and numbers is a candidate, scored by what stands on its two sides; the
distance to the second best is the confidence. A title in quotation marks (`quoted_title`) needs none of that.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from kag.indexing.references.names import LOWER, UPPER
from kag.indexing.references.place import YEAR

_STOP = re.compile(
    r"(?P<mark>[.?!]+)(?P<close>[\"”’')\]]*)\.?\s+(?=\S)|(?P<in>\s)(?=(?:In|in)\s?:\s)|(?P<cjk>[.。,，]\s?)(?=[⺀-鿿가-힣])"
)
_DATED = re.compile(rf"\s{YEAR}\s(?=[{UPPER}])")  # "A title 1999 A Journal 8 12"
_COMMA = re.compile(r",\s+(?=\S)")
_BEYOND_COMMAS = 5.5  # a reading with this score is better by 3 than any that is cut at a comma or blank
_IN = re.compile(
    r"[\s.,]*\b(?:(?:[Ii]n|Dans|IN|En)\s?:\s?|(?:[Ii]n|Dans)\s?(?=[Pp]roceedings|Proc\b)|(?:[Ii]n|Dans)\s+(?=[A-Z\"“]|\d{1,4}(?:st|nd|rd|th)?\s[A-Z]|(?:[Tt]he\s)?\d|the\s[A-Z]))(?=\S)"
)
_SHORT = frozenset(
    "sp spp vs v var rel subsp ssp cf al e.g i.e st dr mr no vol fig ca approx pv str gen n u.s ver eds ed int'l nat'l"  # noqa: SIM905
    .split()
)  # fmt: skip
_SMALL = frozenset(
    "of the and for in on – - & et de la le les du des der die das und für fur a an at to with from by y del della di e en"  # noqa: E501, SIM905
    " zur zum von i per sur".split()
)
_JOINS = frozenset(("and", "&", "of", "the", "for", "und", "der", "die", "et", "des"))  # no title ends with them
_PERIODICAL = re.compile(
    r"\b(?=[A-Z])(?:J|Journal|Jour|Proc|Proceedings|Trans|Transactions|Rev|Review|Reviews|Lett|Letters|Ann|Annals|Annales|Annual|Bull|Bulletin"
    r"|Acta|Arch|Archives|Archiv|Int|International|Phys|Chem|Biol|Med|Math|Sci|Science|Sciences|Nature|Soc|Society|Am|Amer|Eur"
    r"|Lecture Notes|Conference|Conf|Symposium|Workshop|Zeitschrift|Z|Revue|Revista|Cahiers|Quarterly|Magazine"
    r"|Advances|Adv|Nucl|Astron"
    r"|Astrophys|Comm|Commun|Communications|Appl|Res|Research|Handbook|Encyclopedia|Cell|Lancet|Blood|Brain|PLoS|PLOS|IEEE|ACM"
    r"|Studies|Papers|Reports|Rep|Mon|Monthly|Notices|Ber|Berichte|Monatsh|Comptes|C\. R|Ap ?J|JHEP|JCAP|MNRAS"
    r"|PNAS|BMC|BMJ|JAMA)\b"
)
_ABBREVIATED = re.compile(rf"(?![IVX]+$)(?:[{UPPER}][^\W\d_]{{0,12}}(?:-[^\W\d_]{{1,12}})?)")
_STOPPED = re.compile(rf"[{UPPER}][^\W\d_]{{0,9}}\.")
_PART = re.compile(r"(?:Part\s)?(?=[IVX])[IVX]{1,5}(?:[.:]\s|\s?[–—]\s?)")
_ONE_WORD = re.compile(rf"[?!][.]?\s[{UPPER}][^\W\d_]{{0,12}}$")  # a last sentence of one word
_STOPPED_BEFORE = re.compile(rf"(?<!\S)[{UPPER}][^\W\d_]{{0,9}}\.\s\S+$")
_COMMA_NAME = re.compile(rf",\s(?:[{UPPER}][^\s,]*\s?|(?:and|of|the|de)\s){{1,5}}$")
_LOWER = re.compile(rf"(?<![^\s(\[“])[{LOWER}][{LOWER}'’-]{{0,30}}(?![\w.])")
_LONG_LOWER = re.compile(rf"(?<!\S)[{LOWER}]{{4}}")
_END = re.compile(rf"[.?!]\s(?=[{UPPER}])")
_LAST_WORD = re.compile(rf"^[{LOWER}]{{4,}}$|(?:\w{{10}}|\d\d)$")  # of a sentence, not of an abbreviation
_EASTERN_END = re.compile(r"[⺀-鿿가-힣][)）]?[.,，。]\s?(?=[⺀-鿿가-힣])")
_IN_WITHIN = re.compile(r"[.,?]\s(?:[Ii]n\s?:\s|In\s[A-Z\d]|in\s(?:[Pp]roc|[A-Z]))")
_RUN_IN = re.compile(
    rf"(?<=[{LOWER}]{{3}}\s)(?:(?:[{UPPER}][^\s,;:]{{0,30}}|&|of|the|and|for|in)\s){{0,7}}[{UPPER}][^\s,;:]{{0,30}}$"
)
_MOST_CUTS = 40
_CUT_TAILS = re.compile(
    r"\b(?:[Ee]ds?\.|[Ee]dited\b|[Ee]ditors?\b|ed\s?by\b|Hrsg\b|[ÉEé]diteurs?\b|ISBN\b|ISSN\b)[^\n]*$"
)
_MEETING = re.compile(r"\b(?:Conf|Symp|Workshop|Congress|Meeting|Proceedings\sof)")
_HELD = re.compile(  # where and when a meeting took place
    rf"(?:,\s(?!(?:and|on|of|for)\b)[{UPPER}][^\s,()]*(?:\s[{UPPER}][^\s,()]*)?){{1,3}}(?:,\s(?:[{UPPER}][a-z]{{2,8}}\.?\s?)?[\d–-]*)?$"
    rf"|\s\([{UPPER}][^()]*,[^()]*\)?$"
)
_LABELS = re.compile(
    r"[,.;(]?\s*\(?\b(?:[Vv]ol(?:ume)?|pp?|[Nn]o|[Bb]d|[Tt]ome|[Ii]ssue|pages?|S)\.?\s*$|[\s,;]*[(\[]$"
)
_DATED_TITLE = re.compile(rf"\(\s?{YEAR}[a-z]?\s?\)$")
_FILL = re.compile(rf"[,.]?\s\(?{YEAR}\)?$")


@dataclass(frozen=True, slots=True)
class Titled:
    """Title and container; `how` names the evidence, `margin` how far the second best reading was behind."""

    title: str
    container: str
    how: str
    margin: float = 0.0


def container_behind(text: str) -> Titled:
    """The container behind a quoted title."""
    book = _IN.match(text)
    return Titled("", text[book.end() :] if book else text, "in" if book else "quoted", 9.0)


def read_titles(head: str, *, comma_style: bool, placed: bool, bare: bool) -> Titled:
    """Split the text between names and numbers.

    `comma_style`: the names end with a comma, so the title may end with one too, or be missing. `placed`: numbers
    follow, so that a container is to be expected. `bare`: the container may stand there alone.
    """
    book = _IN.match(head)
    if book:
        return Titled("", head[book.end() :], "in", 4.0)
    body = head.strip(" ,;:")
    body = body if body.startswith("..") else body.removeprefix(".").lstrip()
    body = body if bare else body.removesuffix(".")
    if not body:
        return Titled("", "", "nothing")
    facts = _facts(body)
    scored = [(_score(cut, facts, comma_style, placed), cut) for cut in _cuts(body)]
    if not bare:
        scored[1] = (scored[1][0] - 4.0, scored[1][1])
    if comma_style or max(score for score, _ in scored) < _BEYOND_COMMAS:
        scored += [(_score(cut, facts, comma_style, placed), cut) for cut in _weak_cuts(body, facts)]
    scored.sort(key=lambda reading: (-reading[0], len(reading[1].title)))
    best = scored[0][1]
    margin = scored[0][0] - scored[1][0]
    title = _DATED_TITLE.sub("", best.title.strip(" ,.;:")).strip(" ,.;:")
    return Titled(title, best.container, best.mark, margin)


@dataclass(frozen=True, slots=True)
class _Cut:
    title: str
    container: str
    mark: str
    first: bool = False  # no other end of a sentence is before it


@dataclass(frozen=True, slots=True)
class _Facts:
    """Offsets of the words that count for or against a boundary; computed once for all candidates."""

    length: int
    lower: tuple[int, ...]  # starts of the words in lower case that names of journals do not have
    periodical: int  # start of the last word that names of journals have
    sentence: int  # start of the last word that ends a sentence
    long_lower: int  # end of the first long word in lower case
    book: int  # end of the first "In:"


def _facts(body: str) -> _Facts:
    lower = tuple(match.start() for match in _LOWER.finditer(body) if match.group() not in _SMALL)
    long_lower, book = _LONG_LOWER.search(body), _IN_WITHIN.search(body)
    far = len(body) + 1
    return _Facts(len(body), lower, _last(_PERIODICAL, body), _last_sentence(body),
                  long_lower.end() if long_lower else far, book.end() if book else far)  # fmt: skip


def _last(pattern: re.Pattern[str], text: str) -> int:
    """Return the start of the last match; -1 without one."""
    return max((match.start() for match in pattern.finditer(text)), default=-1)


def _last_sentence(body: str) -> int:
    """Return the start of the last word that ends a sentence before another one; -1 without one."""
    last = -1 if body.isascii() else _last(_EASTERN_END, body)
    for end in _END.finditer(body):
        start = body.rfind(" ", 0, end.start()) + 1
        if _LAST_WORD.search(body[start : end.start()]):
            last = max(last, start)
    return last


def _cuts(body: str) -> Iterator[_Cut]:
    """The readings of the body as all title, as all container, and cut at the end of a sentence or at "In:"."""
    yield _Cut(body, "", "whole")
    yield _Cut("", body, "no title")
    stops = 0
    for end in islice(_STOP.finditer(body), _MOST_CUTS):
        asked = end["mark"] is not None and end["mark"][0] != "."
        title, rest = body[: end.start("close") if asked else end.start()], body[end.end() :]
        if _is_open(title, rest):
            continue
        book = _IN.match(rest)
        mark = "in" if book else end["mark"] or "cjk"
        hard = mark != "in" and _ends_sentence(title, end["mark"] or "")
        yield _Cut(title, rest[book.end() :] if book else rest, mark, hard and not stops)
        stops += hard


def _weak_cuts(body: str, facts: _Facts) -> Iterator[_Cut]:
    """The readings of the body cut at a comma, or where a name in capitals runs on behind the title."""
    for end in islice(_COMMA.finditer(body), _MOST_CUTS):
        title, rest = body[: end.start()], body[end.end() :]
        if not rest.startswith(("and ", "& ", "or ")) and not _is_open(title, rest):
            book = _IN.match(rest)
            yield _Cut(title, rest[book.end() :] if book else rest, "in" if book else ",")
    for dated in islice(_DATED.finditer(body), _MOST_CUTS):
        yield _Cut(body[: dated.start()], body[dated.end() :], "year")
    run_in = _RUN_IN.search(body) if facts.sentence < 0 else None
    if run_in:
        yield _Cut(body[: run_in.start()].rstrip(), run_in.group(), "blank")


def _is_open(title: str, rest: str) -> bool:
    return "(" in title and ")" in rest and title.count("(") > title.count(")")


def _ends_sentence(title: str, mark: str) -> bool:
    """True for an end that is not the point of an abbreviation."""
    last = title.rpartition(" ")[2].lstrip("([“\"'").casefold()
    return mark != "." or not (last in _SHORT or (len(last) == 1 and last.isalpha()))


def _score(cut: _Cut, facts: _Facts, comma_style: bool, placed: bool) -> float:
    return (
        _mark_score(cut, comma_style, placed)
        + _container_score(cut, facts, placed)
        + _title_score(cut, facts, comma_style, placed)
    )


def _mark_score(cut: _Cut, comma_style: bool, placed: bool) -> float:
    if cut.mark == "whole":
        return -3.5 if placed else 0.5
    if cut.mark == "no title":
        return (1.0 if comma_style else -0.5) if placed else -4.0
    if cut.mark == ",":
        return (1.0 if comma_style else -2.0) - (0.0 if placed else 2.0)
    if cut.mark == "year":
        return 2.5 if placed else -4.0
    if cut.mark == "blank":
        return (-1.0 if comma_style else -2.0) if placed else -4.0
    if cut.mark == "in":
        return 5.0
    return (1.5 if cut.mark[0] in "?!" else 2.5) + (1.0 if cut.first and not placed else 0.0)


def _container_score(cut: _Cut, facts: _Facts, placed: bool) -> float:
    name = cut.container
    if not name or cut.mark == "in":
        return 0.0
    if _PART.match(name):
        return -6.0
    start = facts.length - len(name)
    words = name.count(" ") + 1
    lower = len(facts.lower) - bisect_left(facts.lower, start)
    score = 1.5 if not lower else -0.9 * min(lower, 4)
    score += 1.5 if facts.periodical >= start else 0.0
    score += 0.5 if _STOPPED.match(name) and words > 1 else 0.0
    score -= (
        0.15 * max(0, words - 8)
        + 1.4 * name.count(", ")
        + 0.3 * name.count(". ")
        + (2.0 if facts.sentence >= start else 0.0)
    )
    score -= 2.5 if _LOWER.match(name) else 0.0
    if placed:
        return max(score, -3.0) if cut.first else score
    return max(score, -2.0) - 0.5


def _title_score(cut: _Cut, facts: _Facts, comma_style: bool, placed: bool) -> float:
    title = cut.title
    if not title or (cut.mark == "whole" and not placed):
        return 0.0
    words = title.count(" ") + 1
    score = 1.0 if facts.long_lower <= len(title) else -0.5
    if words < 3 and cut.mark != "in":
        score -= 3.0 if words == 1 and placed and cut.mark[0] == "." and cut.container else 1.5
    score -= 4.0 if facts.book <= len(title) else 0.0
    last = title.rpartition(" ")[2].lstrip("([“\"':")
    if cut.mark[0] != ".":
        return score - (8.0 if last in _JOINS and cut.container else 0.0)
    if last.casefold() in _SHORT:
        return score - 3.5
    if _STOPPED_BEFORE.search(title) and _ABBREVIATED.fullmatch(last):
        return score - 4.5
    if len(last) == 1 and last.isalpha():
        return score - (4.5 if last == "J" or comma_style or words < 5 else 2.0)
    if cut.container and _ONE_WORD.search(title):
        score -= 3.0
    abbreviated = len(last) < 10 and bool(_ABBREVIATED.fullmatch(last))
    if abbreviated and len(last) < 8 and _STOPPED.match(cut.container):
        score -= 4.5 if _PERIODICAL.fullmatch(last) else 2.5
    elif abbreviated:
        score -= (1.5 if len(last) < 5 else 0.0) + (2.0 if _PERIODICAL.fullmatch(last) else 0.0)
    score -= 2.5 if abbreviated and _joins(cut, last, comma_style) and _COMMA_NAME.search(title) else 0.0
    return score


def _joins(cut: _Cut, last: str, comma_style: bool) -> bool:
    """True where the word before a point is likely a part of the container's name."""
    return comma_style or bool(_PERIODICAL.fullmatch(last) or _STOPPED.match(cut.container))


def clean_container(text: str) -> str:
    """A container's name without the marks around it, the last point among them."""
    tail = _CUT_TAILS.search(text)
    name = text[: tail.start()].rstrip(" ,(") if tail else text
    if _MEETING.search(name):
        name = _HELD.sub("", name.rstrip(" ,.("))
    name = _LABELS.sub("", name).strip(' ,;:“”"')
    return _FILL.sub("", name).strip(' ,;:“”"').rstrip(".")


_QUOTED = re.compile(
    r"[\s,.:;]*(?:(?:“([^”]{3,500})”|\"([^\"]{3,500})\"|``([^`']{3,500}(?:'(?!')[^`']{1,200}){0,4})''|„([^“”]{3,500})[“”]"
    r"|«([^»]{3,500})»|「([^」]{2,300})」)(?!\s?[:–—-]|\s(?!in\s)[a-z])"
    r"|[‘'`](.{3,400}?)(?:[,.?!][’']|[’'](?=\s?[,.]|$|\s(?:[A-Z(\[]|in\s|[^\x00-\x7f]))))"
)
_QUOTED_LATER = re.compile(r"[^\"“”]{1,80}[\s:,.](?:“([^”]{8,500})”|\"([^\"]{8,500})\")")
_QUOTED_BEHIND_NAMES = re.compile(
    r"(?P<names>[^\"“”‘']{1,160}[,:]\s?)(?:“([^”]{8,500})[,.?!]\s?”|\"([^\"]{8,500})[,.?!]\s?\"|['‘]([^'’]{8,500})(?:[,.?!]['’]|['’],))"
)
_RUNNING = re.compile(rf"(?<!\S)[{LOWER}]{{4}}")  # a word of a title, not of a name


def quoted_title(body: str, *, named: bool) -> tuple[str, int] | None:
    """The title in quotation marks that a text starts with, and where the text goes on.

    Where no names were read (`named` is false), some words may stand before it.
    """
    found = _QUOTED.match(body)
    if not found and not named:
        found = _QUOTED_LATER.match(body)
    if not found:
        found = _QUOTED_BEHIND_NAMES.match(body)
        if not found or _RUNNING.search(found["names"]):
            return None
        return next(group for group in found.groups()[1:] if group).strip(" ,."), found.end()
    return next(group for group in found.groups() if group).strip(" ,."), found.end()
