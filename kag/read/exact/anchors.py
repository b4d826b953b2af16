"""What a question names: a figure by its number, a work by number, label or subject, a section, a quoted phrase.

Each is taken out of the question and a mark (`@float`, `@work`, `@section`, `@quote`) is left in its place, so that
the words that remain say what is asked about it. Nothing here knows a paper; only titles of sections, when given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kag.read.exact import naming

LONGEST = 2_000  # characters of a question that are read


@dataclass(frozen=True, slots=True)
class Anchor:
    """A thing named in a question.

    `kind` is float, work, section or quote; `text` the number, label, title or words; `sub` says which kind of
    float ("figure"), or how a work or section is named: number, label, words, ordinal, role.
    """

    kind: str
    text: str
    sub: str = ""


def find_anchors(question: str, titles: Iterable[str] = ()) -> tuple[str, tuple[Anchor, ...]]:
    """The question with marks for the things it names, and these: quotes, floats, works, sections, in that order.

    `titles` are the paper's section titles: one that stands in the question word for word is a section.

    >>> find_anchors("Which sections refer to Fig. 2?")
    ('Which sections refer to @float0 ?', (Anchor(kind='float', text='2', sub='figure'),))
    """
    reader = _Reader(question[:LONGEST].replace("@", " "))  # "@" is the sign of a mark
    reader.quotes()
    reader.floats()
    reader.works()
    reader.sections(titles)
    return reader.text, tuple(reader.found)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Anchor] = []

    def _mark(self, anchor: Anchor) -> str:
        self.found.append(anchor)
        return f" @{anchor.kind}{len(self.found) - 1} "

    def _replace(self, pattern: re.Pattern[str], make: Callable[[re.Match[str]], Anchor | None]) -> None:
        def put(match: re.Match[str]) -> str:
            anchor = make(match)
            return match[0] if anchor is None else self._mark(anchor)

        self.text = " ".join(pattern.sub(put, self.text).split())

    def quotes(self) -> None:
        self._replace(naming.QUOTE, lambda match: Anchor("quote", next(filter(None, match.groups())).strip()))
        self._replace(naming.NAMED_TABLE, lambda match: Anchor("float", match["name"].strip(), "table"))
        self.text = re.sub(r"(?i)\btable (?=@float)", "", self.text)

    def floats(self) -> None:
        def make(match: re.Match[str]) -> Anchor | None:
            number = match["number"]
            if number.islower():  # "table a", "figure i": the article and the pronoun
                return None
            more = match["more"] or ""
            return Anchor("float", number + more, naming.FLOATS[match["name"].lower()])

        self._replace(naming.FLOAT, make)
        self._replace(
            naming.FLOAT_ORDINAL,
            lambda m: Anchor("float", m["n"].lower(), f"{naming.FLOATS[m['name'].lower()]} ordinal"),
        )
        showing = naming.FLOAT_SHOWING.match(self.text)
        if showing and not any(anchor.kind == "float" for anchor in self.found):
            kind = naming.FLOATS[showing["name"].lower()]
            self.text = (
                f"which {kind} is {self._mark(Anchor('float', showing['words'].strip(), f'{kind} words'))} named"
            )
        if not any(anchor.kind == "float" for anchor in self.found):
            self._replace(
                naming.FLOAT_ABOUT,
                lambda m: Anchor("float", m["words"].strip(), f"{naming.FLOATS[m['name'].lower()]} words"),
            )

    def works(self) -> None:
        self._cited_as()
        self._numbered()
        self._labelled()
        self._subject()

    def _cited_as(self) -> None:
        def make(match: re.Match[str]) -> Anchor:
            return Anchor("work", match["label"].strip(" ,("), "label")

        pattern = re.compile(
            r"\b(?:the\s+)?(?:works?|papers?|reference|source|article|study|entry|publication)?\s*(?:that is\s+"
            r"|which is\s+)?"
            r"(?:cited|referenced|quoted|labell?ed|abbreviated)\s+as\s+[\"“]?(?P<label>(?!@)[^?\"“”;@]{2,80}?"
            r"[,(\s]\s?(?:\d{4}[a-z]?\b|n\.\s?d\.|in press))\)?[\"”]?",
            re.I,
        )
        self._replace(pattern, make)
        quoted = re.compile(
            r"\b(?:the\s+)?(?:\w+\s+)?(?:cited|referenced|quoted|labell?ed)\s+as\s+@quote(?P<n>\d+)", re.I
        )
        self._replace(quoted, lambda match: Anchor("work", self.found[int(match["n"])].text, "label"))

    def _numbered(self) -> None:
        def make(match: re.Match[str]) -> Anchor | None:
            number = next(filter(None, match.groups()))
            rest = naming.MORE_NUMBERS.match(self.text, match.end())
            return Anchor("work", number + (rest[0] if rest else ""), "number")

        self._replace(naming.NUMBERED, make)
        self.text = re.sub(r"(@work\d+) (?:,|and|&|to|or|–|-)\s*\[?\d{1,4}\b\]?", r"\1", self.text)

    def _labelled(self) -> None:
        """ "Smith et al. (2010)": the words before a year, as far back as they can be names."""
        match = next((m for m in naming.YEAR.finditer(self.text) if self._name_start(m.start()) is not None), None)
        if match is None:
            self._et_al()
            return
        start = self._name_start(match.start())
        assert start is not None
        label = f"{self.text[start : match.start()].strip(' ,')} {match['year']}"
        self.text = f"{self.text[:start]}{self._mark(Anchor('work', label, 'label'))}{self.text[match.end() :]}"

    def _et_al(self) -> None:
        pattern = re.compile(
            r"\b(?P<name>[A-Z][\w’'-]+(?:\s+[A-Z][\w’'-]+)?)(?:’s|'s)?\s+(?:et al\b\.?|and (?:co-workers"
            r"|colleagues|coworkers))"
        )
        self._replace(pattern, lambda match: Anchor("work", match["name"], "author"))

    def _name_start(self, end: int) -> int | None:
        """Where the names that end at `end` begin; None when what stands there is no name."""
        start, named = None, False
        for place, word in enumerate(reversed(list(re.finditer(r"\S+", self.text[max(0, end - 120) : end])))):
            text = word[0].strip("(),;")
            bare = re.sub(r"(?:’s|'s)$", "", text).rstrip(".")
            if bare in naming.OPENING or bare in naming.MONTHS or text.startswith("@"):
                break
            if bare[:1].isupper() and not bare.isdigit():
                named = True
                start = word.start()
            elif bare.lower() not in naming.PARTICLES or (not place and bare != "al"):
                break
        return None if start is None or not named else start + max(0, end - 120)

    def _subject(self) -> None:
        if any(anchor.kind == "work" for anchor in self.found):
            return

        def make(match: re.Match[str]) -> Anchor | None:
            words = naming.CUT.sub("", match["words"]).strip()
            words = naming.CALLED.sub("", words)
            if re.match(
                r"(?i)(?:of|by) (?:the |this |its |their |all )?(?:sub-?)?(?:sections?|papers?|articles?"
                r"|authors?|(?:reference )?lists?|bibliography)\b|called$",
                words,
            ):
                return None
            return self._work_words(words)

        match = naming.SUBJECT.search(self.text)
        anchor = make(match) if match else None
        if match and anchor:
            words = naming.CUT.sub("", match["words"])
            end = match.start("words") + len(words)
            self.text = f"{self.text[: match.start()]}{self._mark(anchor)}{self.text[end:]}"

    def _work_words(self, words: str) -> Anchor | None:
        quoted = re.search(r"@quote(\d+)", words)
        if quoted:
            return Anchor("work", self.found[int(quoted[1])].text, "words")
        if "@" in words or not re.search(r"\w{3}", words):
            return None
        return Anchor("work", words, "words")

    def sections(self, titles: Iterable[str]) -> None:
        self._replace(naming.SECTION_NUMBER, lambda match: Anchor("section", match["a"] or match["b"], "number"))
        self._replace(naming.SECTION_QUOTED, self._quoted_section)
        self._titled(titles)
        self._replace(naming.SECTION_ORDINAL, lambda match: Anchor("section", match["n"].lower(), "ordinal"))
        self._replace(naming.SECTION_WORDS, self._worded_section)
        self._replace(naming.SECTION_ROLE, lambda match: self._role(match))

    def _quoted_section(self, match: re.Match[str]) -> Anchor | None:
        return Anchor("section", self.found[int(match["a"] or match["b"])].text, "title")

    def _worded_section(self, match: re.Match[str]) -> Anchor | None:
        words = (match["a"] or match["b"] or match["c"]).strip()
        if re.fullmatch(rf"(?:the\s+)?(?:{naming.ROLE})", words, re.I):
            return Anchor("section", words.removeprefix("the "), "role")
        return Anchor("section", words, "words")

    def _role(self, match: re.Match[str]) -> Anchor | None:
        """A usual title is a section when it is written like one: capital, article or "section" beside it."""
        role = match["role"]
        marked = match["after"] or role[:1].isupper() or re.match(r"(?i)(?:the|its|their)\b", match[0])
        if match.start() == 0 and not match["after"] and match[0][:1].isupper() and " " not in match[0].strip():
            marked = None if match.string[match.end() : match.end() + 1] != ":" else marked
        return Anchor("section", role, "role") if marked else None

    def _titled(self, titles: Iterable[str]) -> None:
        """Titles of two words or more that stand in the question as they are printed, longest first."""
        for title in sorted(set(titles), key=lambda title: (-len(title), title)):
            if title.count(" ") < 1 or len(title) > 300:
                continue
            pattern = re.compile(
                rf"\b(?:the\s+)?(?:{naming.SECTION_WORD}\s+)?(?<![\w@]){re.escape(title)}(?!\w)(?:\s+{naming.SECTION_WORD}\b)?",
                re.I,
            )
            self._replace(pattern, lambda match, title=title: Anchor("section", title, "title"))  # type: ignore[misc]
