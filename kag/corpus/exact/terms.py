"""The words in which questions on a library name things, times and people, as patterns; names are told by capitals."""

from __future__ import annotations

import re

PAPERS = r"(?:papers?|articles?|stud(?:y|ies)|publications?|documents?|manuscripts?|preprints?)"
WORKS = rf"(?:(?:cited |referenced )?(?:works?|references?|sources?|citations?|entry|entries|books?|{PAPERS}))"
TARGETS = (  # what is asked for, the more telling name first
    ("section", r"(?:sub)?sections?|headings?"),
    ("figure", r"figures?|figs?|illustrations?"),
    ("table", r"tables?"),
    ("formula", r"equations?|formulas?|formulae"),
    ("paragraph", r"paragraphs?|passages?"),
    ("journal", r"journals?|periodicals?|venues?"),
    ("reference", r"references?|bibliograph(?:y|ies)|bibliograph\w+ (?:entries|items|records)|reference"
        r" lists?|entries"
                  r"|citations?|cited (?:works?|papers?|articles?|studies|publications?)|works?|sources?|books?"),
    ("paper", PAPERS + r"|who|anyone|anybody|everything|anything"),
)  # fmt: skip
TARGET = re.compile("|".join(rf"(?P<{name}>\b(?:{words})\b)" for name, words in TARGETS), re.I)

_CAPITAL = r"[^\W\d_a-zà-öø-ÿ]"
_PARTICLE = r"(?:(?:van|von|de|der|den|del|della|la|le|du|di|da|dos|ter|ten|al|el)\s+)"
_SURNAME = rf"{_PARTICLE}{{0,3}}{_CAPITAL}\w*+(?:['’](?!s\b)\w++)*+(?:[-‐–]\w++)*+"
_GIVEN = rf"(?:{_CAPITAL}[\w.’']*+(?:[-‐–][\w.’']++)*+\s+){{0,4}}"  # possessive: no name is read twice
PERSON = rf"(?<!\w){_GIVEN}{_SURNAME}"
PEOPLE = (
    rf"(?P<who>{PERSON}(?:\s*(?:,|and|&)\s+{PERSON}){{0,5}})"
    rf"(?P<rest>\s+et\s+al\b\.?|\s+and\s+(?:colleagues|co-?workers|others))?"
)
YEAR = r"(?:1[5-9]|20)\d\d"
WHEN = re.compile(
    rf"(?:\b(?:that|which|who|and|were|was|is|are|been|have|has|dated|published|printed|written|appeared|appearing"
    rf"|released|out)\s+){{0,4}}(?:"
    rf"\b(?:in|from|of|dated|during)\s+(?:the\s+)?(?:year\s+)?(?P<in>{YEAR})(?:\s*(?:-|–|to|until"
    rf"|through)\s*(?P<to>{YEAR}))?(?P<on>\s+(?:or|and)\s+(?:later|after|newer|onwards?))?(?P<off>\s+(?:or"
    rf"|and)\s+(?:earlier|before|older))?"
    rf"|\b(?:after|later than|newer than|more recent than)\s+(?P<after>{YEAR})"
    rf"|\b(?:since|from)\s+(?P<since>{YEAR})\s+on(?:wards?)?|\bsince\s+(?P<since2>{YEAR})"
    rf"|\b(?:before|earlier than|older than|prior to)\s+(?P<before>{YEAR})"
    rf"|\b(?:until|up to|not later than)\s+(?P<until>{YEAR})"
    rf"|\bbetween\s+(?P<low>{YEAR})\s+and\s+(?P<high>{YEAR})"
    rf"|\bin the (?P<decade>{YEAR})s"
    rf"|[(\[](?P<year>{YEAR})[a-z]?[)\]])(?![\w-])",
    re.I,
)
LATEST = 2999


def years(match: re.Match[str]) -> tuple[int, int]:
    """The first and last year that a match of `WHEN` means."""
    found = {name: int(value) for name, value in match.groupdict().items() if value and value.isdigit()}
    if "in" in found:
        low = found["in"] if not match["off"] else 0
        return low, found.get("to", LATEST if match["on"] else found["in"])
    if "after" in found:
        return found["after"] + 1, LATEST
    if "since" in found or "since2" in found:
        return found.get("since", found.get("since2", 0)), LATEST
    if "before" in found:
        return 0, found["before"] - 1
    if "until" in found:
        return 0, found["until"]
    if "decade" in found:
        return found["decade"], found["decade"] + 9
    return (found["low"], found["high"]) if "low" in found else (found["year"], found["year"])


_NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
NUMBER = rf"(?P<number>\d{{1,4}}|{'|'.join(_NUMBERS)}|a single|an?)"
BOUND = re.compile(
    rf"(?:(?P<bound>more than|over|at least|no fewer than|no less than|fewer than|less than|under|at most|no"
    rf" more than|up to"
    rf"|exactly|precisely)?\s*\b{NUMBER}\b(?P<plus>\s+or\s+more|\+)?(?P<minus>\s+or\s+(?:fewer|less))?"
    rf"|(?P<none>\bno|\bany|\bnot any)\b|(?P<some>\bseveral|\bmultiple)\b)",
    re.I,
)


def bounds(match: re.Match[str]) -> tuple[int, int]:
    """The least and greatest number that a match of `BOUND` means."""
    if match["none"]:
        return 0, 0
    if match["some"]:
        return 2, LATEST
    word = match["number"].lower()
    if word in ("a", "an") and not match["bound"] and not match["minus"]:
        return 1, LATEST  # "have a table": some table, however many
    number = int(word) if word.isdigit() else _NUMBERS.index(word) + 1 if word in _NUMBERS else 1
    bound = (match["bound"] or "").lower()
    if bound in ("more than", "over"):
        return number + 1, LATEST
    if bound in ("at least", "no fewer than", "no less than") or match["plus"]:
        return number, LATEST
    if bound in ("fewer than", "less than", "under"):
        return 0, number - 1
    return (0, number) if bound in ("at most", "no more than", "up to") or match["minus"] else (number, number)


_GLUE_WORDS = (
    "a an the all any every each of in on at to for from by with within among across and or do does did is are "
    "was were be been has have had having there it its they them their this that these those which what who whom "
    "how many much list name give me us tell show find identify return print enumerate please can could you i "
    "want need know like get see count number total overall altogether together different distinct unique "
    "separate various our my your whole entire full complete corpus corpora collection library libraries database "
    "archive set paper papers article articles publication publications study studies work works we here exist "
    "exists contain contains contained include includes included present appear appears cite cites cited citing "
    "list lists listed held holds hold stored available reference references bibliography into as well also do's "
    "provide state report titles called where place places say says whose s anywhere some one ones out time times "
    "often documents own actually exactly being made up manuscripts preprints document manuscript retrieve look "
    "up search "
)
GLUE = frozenset(_GLUE_WORDS.split())
"""Words that may stand in a question on a library beside what it asks."""
