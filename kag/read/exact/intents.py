"""What a question asks for: a small grammar over its words once the things it names are taken out.

ask        list, count, get (one property), whether (yes or no)
subject    what is asked for: section, figure, table, equation, reference, paragraph, or a property (title, year, doi)
relation   how it stands to the thing named: cites, refers, contains, beside
scope      top (top-level only), direct (one level), deep (with subsections), all

A question that the grammar does not cover has no intent: it is asked of the text. Nothing here knows a paper.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace

from kag.read.exact import wording
from kag.read.exact.anchors import Anchor, find_anchors
from kag.read.exact.phrases import find_phrase


@dataclass(frozen=True, slots=True)
class Intent:
    """One thing a question asks; `limit` bounds a list, 0 for all; `words` are those of the question's part.

    `quotes` are the words it names things by (cells, a column); `other` is the section that a yes or no is about.
    """

    ask: str
    subject: str
    anchor: Anchor | None = None
    relation: str = ""
    scope: str = ""
    limit: int = 0
    quotes: tuple[str, ...] = ()
    words: str = ""
    other: Anchor | None = None


def parse(question: str, titles: Iterable[str] = ()) -> tuple[Intent | None, ...]:
    """What each part of a question asks, in order; None for a part that the grammar does not cover.

    >>> [(part.ask, part.subject, part.relation) for part in parse("Which sections cite reference 7?")]
    [('list', 'section', 'cites')]
    """
    text, anchors = find_anchors(unicodedata.normalize("NFC", question), titles)
    found: list[Intent | None] = []
    for part in _parts(text):
        intent = _part(part, anchors, found[-1] if found else None)
        if intent is None or not found or found[-1] is None or replace(intent, words=found[-1].words) != found[-1]:
            found.append(intent)
    return tuple(found)


def _parts(text: str) -> list[str]:
    """The questions in a question; "In Table 1," is the beginning of what follows it."""
    parts: list[str] = []
    open_start = False
    for piece in (piece.strip() for piece in wording.BREAK.split(text)):
        if not re.search(r"\w{2}", piece):
            continue
        if open_start:
            parts[-1] += f" {piece}"
        else:
            parts.append(piece)
        open_start = not wording.ASKING.search(parts[-1])
    return parts


def _part(part: str, anchors: tuple[Anchor, ...], before: Intent | None) -> Intent | None:
    """The intent of one part; what it only points back to ("its title") is taken from the part before."""
    named = [anchors[int(number)] for number in re.findall(r"@[a-z]+(\d+)", part)]
    things = [anchor for anchor in named if anchor.kind != "quote"]
    quotes = tuple(anchor.text for anchor in named if anchor.kind == "quote")
    if len(things) > 1:
        return _whether(part, things)
    anchor = things[0] if things else None
    if (
        anchor is not None
        and anchor.kind == "float"
        and re.search(r",|&|–| and | or | to ", anchor.text)
        and anchor.sub != "table"
        and not anchor.sub.endswith("words")
    ):
        return None
    if anchor is None and before and (wording.BACK.search(part) or _elliptic(part)):
        anchor = before.anchor
    intent = _read(wording.even(part), anchor, quotes)
    pointing = before is not None and not named and (wording.BACK.search(part) or _elliptic(part))
    if (
        before
        and pointing
        and (intent is None or intent.subject.startswith("paper "))
        and before.ask in ("list", "count")
    ):
        limit = wording.limit_of(wording.even(part))
        listing = _elliptic(part) or re.search(r"(?i)\b(?:titles|names|called|numbers|titled)\b", part)
        intent = replace(before, ask="list", limit=limit) if listing else intent
    return replace(intent, words=part) if intent else None


def _whether(part: str, things: list[Anchor]) -> Intent | None:
    """Whether a work or float is pointed to in a section; what else is said of two things is beyond this grammar."""
    sections = [anchor for anchor in things if anchor.kind == "section"]
    others = [anchor for anchor in things if anchor.kind in ("work", "float")]
    asks = re.match(r"(?i)(?:is|are|was|were|do|does|did)\b", part)
    if len(things) != 2 or len(sections) != 1 or len(others) != 1 or not asks:
        return None
    words = wording.even(part)
    links = wording.CITES.search(words) or wording.REFERS.search(words)
    relation = "cites" if others[0].kind == "work" else "refers" if links else "contains"
    known = links or wording.CONTAINS.search(words)
    return Intent("whether", "link", others[0], relation, words=part, other=sections[0]) if known else None


def _elliptic(part: str) -> bool:
    """ "List the first 5.": a part that names nothing of its own."""
    return bool(re.match(r"(?i)(?:and\s+)?(?:list|name|give|what are|tell|also|enumerate|show)\b", part))


def _read(words: str, anchor: Anchor | None, quotes: tuple[str, ...]) -> Intent | None:
    if wording.NEGATED.search(words):
        return None  # without the "not" the answer would be the opposite
    subjects = wording.subjects_of(words)
    if anchor is None and quotes:
        anchor, quotes = _quoted(quotes, subjects, words)
    phrase = find_phrase(words, anchor.kind if anchor else "")
    if phrase:
        return Intent(phrase.ask, phrase.subject, anchor, phrase.relation, quotes=phrase.words or quotes)
    readers = {"work": _about_work, "float": _about_float, "section": _about_section}
    read = readers[anchor.kind] if anchor else _about_paper
    intent = read(words, subjects, quotes)
    return replace(intent, anchor=anchor) if intent else None


def _quoted(quotes: tuple[str, ...], subjects: list[str], words: str) -> tuple[Anchor | None, tuple[str, ...]]:
    """A phrase in quotation marks and nothing else: the title of a work or of a section."""
    if len(quotes) != 1:
        return None, quotes
    if subjects[:1] in (["doi"], ["year"], ["journal"], ["volume"], ["pages"], ["author"]) or (
        subjects[:1] in (["section"], ["paragraph"], []) and wording.CITES.search(words)
    ):
        return Anchor("work", quotes[0], "words"), ()
    if subjects[:1] in (["reference"], ["subsection"], ["section"], ["figure"], ["table"], ["page"], ["paragraph"]) or (
        wording.DIVIDED.search(words)
    ):
        return Anchor("section", quotes[0], "title"), ()
    return None, quotes


def _about_work(words: str, subjects: list[str], quotes: tuple[str, ...]) -> Intent | None:
    """Of a cited work: where it is cited, or what its entry says."""
    ask = wording.ask_of(words)
    cited = wording.CITES.search(words) or wording.REFERS.search(words)
    places = [subject for subject in subjects if subject in wording.PLACES]
    if places and (cited or wording.CONTAINS.search(words) or re.search(r"\buse\b", words)):
        return Intent(ask if ask == "count" else "list", places[0].replace("sub", ""), relation="cites")
    if ask == "where" and not (subjects and subjects[0] in ("journal", "year")):
        published = re.search(r"\bpublished|\bprinted|\bcome out|\bappear\b(?!.*\bcited)", words)
        if published and not wording.CITES.search(words):
            return Intent("get", "journal")
        return Intent("list", "section", relation="cites")
    if (ask == "count" and cited and re.search(r"\btimes\b|\boften\b", words)) or re.search(r"\bhow often\b", words):
        return Intent("count", "mention", relation="cites")
    asked = [subject for subject in subjects if subject in wording.PROPERTIES]
    if asked and not (asked == ["title"] and "reference" in subjects and ask == "count"):
        ask = "count" if ask == "count" and asked[0] == "author" else "get"
        return Intent(ask if len(asked) == 1 or asked[0] != "title" else "get", asked[0])
    if re.search(r"\b(?:published|appear(?:ed)?|come out|came out)\b", words):
        return Intent("get", "year" if "when" in words else "journal")
    entry = re.fullmatch(
        r"(?:and )?(?:(?:what|which)(?: work| paper| article| source)? (?:is|does|was)|show(?: me)?|give(?: "
        r"me)?|print|quote|list|state|"
        r"write out|cite|spell out|look up|identify|what)? ?(?:the )?(?:full )?(?:text|entry|citation|reference"
        r"|work)?(?: of| for| behind)? ?(?:the )?@work\d+"
        r"(?: in full| say| stand for| point to| refer to| in (?:the )?(?:reference list|bibliography))?",
        words,
    )
    return Intent("get", "entry") if entry else None


def _about_float(words: str, subjects: list[str], quotes: tuple[str, ...]) -> Intent | None:
    """Of a figure, table or equation: who refers to it, where it is, what it shows, what a cell says."""
    ask = wording.ask_of(words)
    places = [subject for subject in subjects if subject in wording.PLACES]
    table = re.search(r"\b(?:rows?|columns?|cells?|value|entry|under|given|for)\b", words)
    if quotes and (table or not places):
        return Intent("get", "cell", quotes=quotes)
    if places:
        subject = places[0].replace("sub", "")
        refers = wording.REFERS.search(words) or "text that" in words
        inside = wording.CONTAINS.search(words) and not refers
        return Intent(ask if ask == "count" else "list", subject, relation="contains" if inside else "refers")
    if ask == "where" or re.search(r"\bwhat page\b|\bwhich page\b", words):
        if "page" in subjects:
            return Intent("get", "page")
        return Intent("list", "section", relation="refers" if wording.REFERS.search(words) else "contains")
    if subjects[:1] in (["page"], ["pages"]):
        return Intent("get", "page")
    cites = "reference" in subjects and wording.CITES.search(words.replace("reference", ""))
    if cites or subjects[:1] == ["reference"]:
        return Intent(ask if ask == "count" else "list", "reference", relation="cites")
    if subjects[:1] in (["column"], ["row"]):
        return Intent("count" if ask == "count" else "list", subjects[0])
    if re.search(
        r"\b(?:mean|why|conclu\w+|differ\w*|higher|lower|highest|lowest|value of|trend|suggest"
        r"|significan\w+)\b",
        words,
    ):
        return None
    if (
        "caption" in subjects
        or "title" in subjects
        or wording.SHOW.search(words)
        or re.search(r"what is (?:in |on )?@|what s |describe|^@float\d+$", words)
    ):
        return Intent("get", "caption")
    return None


def _about_section(words: str, subjects: list[str], quotes: tuple[str, ...]) -> Intent | None:
    """Of a section: what it cites and refers to, how it is divided, where it is."""
    ask = "count" if wording.ask_of(words) == "count" else "list"
    scope = "deep" if wording.DEEP.search(words) else "direct" if wording.DIRECT.search(words) else ""
    asked = [subject for subject in subjects if subject not in ("title", "author")]
    trimmed = wording.DEEP.sub(" ", words)
    asked = [subject for subject in asked if subject in wording.subjects_of(trimmed)] or asked
    first = asked[0] if asked else ""
    if (
        re.search(
            r"\b(?:parent|belong(?:s)? to|part of|under which|contains @section|inside which|within which)\b", words
        )
        and first == "section"
    ):
        return Intent("get", "parent")
    if first in ("subsection", "section") or wording.DIVIDED.search(words):
        return Intent(ask, "subsection", relation="contains", scope=scope or "direct")
    if first in wording.FLOATS:
        inside = re.search(
            r"\b(?:contain\w*|printed|placed|located|appear\w*|in @section\d+|there in|inside|have|has|hold\w*)\b",
            words,
        )
        refers = re.search(
            r"\b(?:refer\w*|mention\w*|point\w*|discuss\w*|cit\w+|call\w*|describ\w*|draw\w*|rel(?:y|ies)"
            r"|cross-refer\w*|use[sd]?)\b",
            words,
        )
        return Intent(ask, first, relation="refers" if refers or not inside else "contains", scope=scope)
    if first == "reference" or (wording.CITES.search(words) and first in ("", "author", "year", "paragraph")):
        if re.search(r"\b(?:say|argue|claim|conclude|state)\b", words):
            return None
        return Intent(ask, "reference", relation="cites", scope=scope, limit=wording.limit_of(words))
    if first == "paragraph" and (ask == "count"):
        return Intent("count", "paragraph", relation="contains", scope=scope)
    if first in ("page", "pages") or re.search(r"\bwhere (?:does|is)\b", words):
        return Intent("get", "page")
    return None


def _about_paper(words: str, subjects: list[str], quotes: tuple[str, ...]) -> Intent | None:
    """Of the paper as a whole: its sections, floats, references, title and authors."""
    ask = "count" if wording.ask_of(words) == "count" else "list"
    floats = sorted(subject for subject in subjects if subject in wording.FLOATS)
    kinds = [subject for subject in subjects if subject in ("section", "subsection", "reference", "paragraph")]
    if not wording.is_plain(words):
        return None
    if floats and ask == "list" and not wording.SEVERAL.search(words):
        return None  # "the table": nobody says which one
    if floats and not ({"section", "paragraph"} & set(kinds[:1])):
        return Intent(ask, "+".join(floats)) if ask == "count" or len(floats) == 1 else Intent("list", floats[0])
    if kinds:
        return _of_paper(kinds, words, ask)
    if wording.DIVIDED.search(words) and re.search(r"\bhow\b|\bwhat\b|\binto\b", words):
        return Intent("list", "section", scope="top")
    for subject in subjects:
        if subject == "author" and not wording.WRITTEN.search(words):
            continue  # "who" alone may be anybody
        if subject in ("title", "author", "doi", "year", "journal"):
            return Intent("count" if ask == "count" else "get", f"paper {subject}")
    if {"page", "pages"} & set(subjects) and ask == "count":
        return Intent("count", "page")
    return None


def _of_paper(kinds: list[str], words: str, ask: str) -> Intent | None:
    if kinds[0] == "reference":
        if wording.MOST.search(words) or not wording.LISTED.search(words):
            return None
        return Intent(ask, "reference", limit=wording.limit_of(words))
    if kinds[0] == "paragraph":
        return Intent("count", "paragraph") if ask == "count" else None
    if wording.MOST.search(words) and wording.CITES.search(words):
        return None
    both = "subsection" in kinds and "section" in kinds
    top = wording.TOP.search(words) or wording.DIVIDED.search(words)
    scope = "deep" if both or wording.DEEP.search(words) else "top" if top else ""
    subject = "subsection" if kinds[0] == "subsection" and not both else "section"
    return Intent(ask, subject, scope=scope, limit=wording.limit_of(words))
