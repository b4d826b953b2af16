"""A printed reference without the blanks that scans lose and invent."""

from __future__ import annotations

import re

_LOST_ACCENT = re.compile(r"(?<=[^\W\d_])\s?[˜´¨ˆ`¸˚]\s?(?=[^\W\d_])")
_BLANKS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<=\d)\s\.\s?(?=\d)"), "."),  # "2 .76": a decimal point
    (re.compile(r"(?<=[^\s.])\s([.,;:])\s?(?=[^\s.])"), r"\1 "),  # "Phys .Rev .B": a blank on the wrong side
    (re.compile(r"(?<=[^\s.])\s([.,;:])(?=\s|$)"), r"\1"),
)
_IN_BRACKETS = re.compile(r"(?<=[(\[])\s|\s(?=[)\]])")
_NO_BLANK = re.compile(  # a mark, with the letter it is glued to behind it
    r"[.,)?](?=[^\W\d_])(?:(?<=(?<![^\W_])[A-Z]\.)(?=[A-Z][a-z]{2})|(?<=\))(?=[A-Z][a-z])|(?<=[^\W\d_]{2}\.)(?=[A-Z])"
    r"|(?<=[^\W\d_],)|(?<=[)\]],)(?=[A-Z])|(?<=[\d?],)(?=[A-Z][a-z]{2})|(?<=[a-z]\?)(?=[A-Z]))"
)
_NOTE_MARK = re.compile(r"[*†‡§¶](?<=[^\W\d_].)[*†‡§¶]*(?=\s?,)")  # behind a name
_NUMBER = re.compile(r"^\s*(?:\[(?:\w{1,6}|[^\W\d_][^\[\]]{1,40}\d\d[a-z]?)\s?\],?|\(\w{1,3}\))\s*(?=\S)")
_REPEATED = re.compile(r"^\s*(?:(?:—|(?:[-–—_]\s?){2,})\s?[,.:]\s?(?:(?:and|&)\s)?)+|^\s*[,.]\s(?=\S)")
"""A dash for the names of the entry before; a rule in its place is drawn, and no text."""
_MARKS = re.compile(r"\[([JMCDRNPS]|[A-Z]{1,2}/OL)\]\s?\.?")  # kinds of work in Chinese lists
_MEDIUM = re.compile(  # and in the styles of APA and Vancouver
    r"(?<=\w)\s?\[((?:computer |mobile )?(?:software|program|app|game)|data ?sets?|video|film|web ?(?:page|site)"
    r"|(?:short |conference |working |unpublished )?(?:paper|poster|presentation|manuscript|abstract)|blog post"
    r"|(?:doctoral |master['’]?s |ph\.?d\.? )?(?:thesis|dissertation)|internet|review|correction|letter|editorial)"
    r"\b[^\[\]]{0,40}\]",
    re.IGNORECASE,
)


def tidy(text: str) -> str:
    """The text on one line, with blanks behind marks instead of before them, without number and marks of its list.

    >>> tidy("[3] Lee, S. On ice ,Phys .Rev .B61 , 53( 2000 ).")
    'Lee, S. On ice, Phys. Rev. B61, 53(2000).'
    """
    words = _REPEATED.sub("", _NUMBER.sub("", " ".join(text.split())))
    words = _LOST_ACCENT.sub("", words)
    for pattern, by in _BLANKS:
        words = pattern.sub(by, words)
    words = _IN_BRACKETS.sub("", words)
    return _NOTE_MARK.sub("", _NO_BLANK.sub(r"\g<0> ", words)).strip()


def repeats_names(text: str) -> bool:
    """Whether a dash stands for the names of the entry before.

    >>> repeats_names("———. Ice. 2001."), repeats_names("[3] —. 2001, Ice"), repeats_names("Lee S. Ice.")
    (True, True, False)
    """
    return bool(_REPEATED.match(_NUMBER.sub("", text)))


def without_marks(text: str) -> tuple[str, str]:
    """The text with its mark of kind ("[J]", "[Computer software]") made a point, and that mark."""
    found = _MARKS.search(text) or _MEDIUM.search(text)
    return (
        (text, "")
        if not found
        else (f"{text[: found.start()].rstrip()}. {text[found.end() :].lstrip(' .,')}", found[1])
    )
