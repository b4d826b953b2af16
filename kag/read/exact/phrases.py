"""Fixed ways to ask for one thing: the section behind another, the keywords, the highest value, whether there is one.

Each row says of what kind of thing it asks ("" for the paper as such), by which words, and what that means. Beside
these words a question may have only names of kinds and glue, unless the row takes the words that follow (`what`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kag.read.exact import naming, wording

_MARK = re.compile(r"@[a-z]+\d+")
_PARTS = (
    r"(?P<what>(?:supplementary |supporting )?(?:appendix|appendices|tables?|figures?|equations?|formulas?|footnotes?"
    rf"|keywords?|reference list|bibliography|references|subsections?|{naming.ROLE}))(?: section| part)?s?"
)
_HAVE = r"(?:have|has|contain|include|come with|end with|provide|give)"
_ASK = r"^(?:and )?(?:is|are|was|were|does|do|did|has|have)\b"
_CITED = (
    r"(?:cit(?:e|es|ed)|referenced|quoted|mention(?:s|ed)?|refer(?:s|red)?(?: to)?|used?|discuss(?:es|ed)?|list(?:ed)?)"
)
_MOST_CITED = (
    r"\bmost (?:often |frequently |commonly |heavily |widely )?(?:cited|quoted|referenced)\b"
    r"|\b(?:cited|quoted|referenced) (?:the )?(?:most|more than any)(?: often| frequently| times)?(?: other)?\b"
)
_PLACES = r"(?:institut(?:ion|e)s?|universit(?:y|ies)|organi[sz]ations?|employers?|laborator(?:y|ies)|departments?)"
_SIGN = r"(?P<sign>highest|largest|greatest|biggest|maximum|maximal|most|lowest|smallest|least|minimum|minimal|fewest)"

_ROWS = (
    ("section", r"\b(?:comes? |is |stands? |printed |right |directly |immediately |next )*(?:after|behind) @section\d+"
        r"|\b(?:follow(?:s|ing)|succeeds?) @section\d+|@section\d+ (?:is |are )?followed(?: by)?",
        "get", "neighbour", "after"),
    ("section", r"\b(?:comes? |is |stands? |printed |right |directly |immediately |just )*(?:before|ahead of|prior to) "
        r"@section\d+|\b(?:precedes?|preceding) @section\d+|@section\d+ (?:is |are )?preceded by",
        "get", "neighbour", "before"),
    ("section", rf"{_ASK}.*\b(?:there|{_HAVE}) (?:an? |any )?@section\d+", "whether", "part", ""),
    ("", r"\b(?:longest|largest|biggest)\b(?=.*\bsection)|\bsection (?:is|has) (?:the )?(?:longest|largest|biggest)\b"
        r"|\b(?:most|largest amount of) (?:text|words|paragraphs)\b(?!.*\bparagraph\b)", "get", "extent", "longest"),
    ("", r"\b(?:shortest|briefest)\b(?=.*\bsection)|\bsection (?:is|has) (?:the )?(?:shortest|briefest)\b"
        r"|\bfewest (?:words|paragraphs)\b",
        "get", "extent", "shortest"),
    ("", rf"{_ASK} there (?:an? |any )?{_PARTS}$|{_ASK}.*\b{_HAVE} (?:an? |any )?{_PARTS.replace('<what>', '<part>')}$",
        "whether", "part", ""),
    ("", _MOST_CITED, "get", "popular", "cites"),
    ("", r"\bkey ?-?words?\b|\bindex terms\b", "list", "front keywords", ""),
    ("", r"^where (?:are |is |do |does )?(?:the |all |its )?(?:authors? )?(?:work|based|employed|come from|from)$"
        r"|\baffiliat(?:ions?|ed)\b(?: with| to)?"
        rf"|\b{_PLACES}(?=.*\bauthors?\b)|\b{_PLACES} (?:belong(?: to)?|work(?: at| for| in)?|come from)"
        rf"|\bauthors?\b.{{0,30}}\b{_PLACES}", "list", "front affiliations", ""),
    ("", r"\b(?:when|date)\b.*\b(?:received|submitted|submission|handed in)\b"
        r"|\b(?:received|submission|submitted) date\b"
        r"|\b(?:received|submitted) by (?:the )?journal\b", "get", "front submitted", ""),
    ("", r"\b(?:when|date)\b.*\b(?:accepted|acceptance)\b|\bacceptance date\b", "get", "front accepted", ""),
    ("", r"\b(?:when|date)\b.*\b(?:revised|revision)\b", "get", "front revised", ""),
    ("", r"\bpublication date\b|^(?:what|which) is (?:the )?date$"
        r"|\bdate of publication\b|\b(?:date|day)\b.*\bpublished\b|\bpublished online\b",
        "get", "front published", ""),
    ("", r"\blicen[cs](?:es?|ed)\b(?: under)?|\bterms of use\b", "get", "front licence", ""),
    ("", r"\be-?mails?\b(?: address(?:es)?)?(?: of (?:the )?(?:corresponding|contact) authors?)?"
        r"|\bcontact address\b", "list", "front emails", ""),
    ("", r"\b(?:corresponding|contact) authors?\b|\bauthors? (?:is|are) (?:the )?corresponding\b"
        r"|(?:\bshould )?\bcorrespondence (?:be )?(?:addressed|sent|go)\b(?: to)?", "get", "front correspondence", ""),
    ("work", r"\bcited (?:together|along|jointly|side by side) with @work\d+|\b(?:co-?cited|appear together|cited"
        r" alongside)(?: with)? @work\d+|\b(?:together|along|jointly) with @work\d+", "list", "companion", "cites"),
    ("work", rf"{_ASK} @work\d+ (?:ever |anywhere )*{_CITED}(?: anywhere| at all| in (?:the )?(?:text|body))?$"
        rf"|{_ASK}(?: anyone| it| they)? (?:ever )?{_CITED} @work\d+$", "whether", "link", "cites"),
    ("float", rf"{_ASK} @float\d+ (?:ever |anywhere )*{_CITED}(?: anywhere| at all| in (?:the )?(?:text|body))?$"
        rf"|{_ASK}(?: anyone| it| they)? (?:ever )?{_CITED} @float\d+$", "whether", "link", "refers"),
    ("float", r"^which (?:figure|table) is @float\d+ named$", "get", "name", ""),
    ("float", rf"\b{_SIGN} (?P<what>[^@]{{2,60}}?)(?= (?:in|of|from|according to) @float|$)", "get", "extreme", ""),
    ("float", r"\bunits? (?:of|for|is|are|used for) (?P<what>[^@]{2,60}?)(?= (?:in|of|from|given|used|measured) |$)"
        r"|\bunits? (?:is|are) (?P<part>[^@]{2,60}?) (?:given|measured|reported|expressed)", "get", "unit", ""),
    ("", r"^(?:what|which) (?:is|are) (?:the )?units? (?:of|for) (?P<what>[^@]{2,60})$"
        r"|^(?:in )?(?:what|which) units? (?:is|are|was|were) (?P<part>[^@]{2,60}?)"
        r" (?:given|measured|reported|expressed)(?: in)?$", "get", "unit", ""),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Phrase:
    """What a fixed way to ask means; `words` are those it takes: the part, the column, and "highest" or the like."""

    ask: str
    subject: str
    relation: str
    words: tuple[str, ...] = ()


_PHRASES = tuple((kind, re.compile(words), Phrase(ask, what, how)) for kind, words, ask, what, how in _ROWS)


def find_phrase(words: str, kind: str) -> Phrase | None:
    """The first phrase in a question on a thing of this kind.

    >>> find_phrase("what comes after @section0", "section")
    Phrase(ask='get', subject='neighbour', relation='after', words=())
    """
    for of, pattern, phrase in _PHRASES:
        match = pattern.search(words) if of == kind else None
        if match is None:
            continue
        named = match.groupdict()
        taken = tuple(value.strip() for name in ("sign", "what", "part") if (value := named.get(name)))
        rest = f"{words[: match.start()]} {words[match.end() :]}"
        if taken or wording.is_plain(_MARK.sub(" ", rest)):
            return Phrase(phrase.ask, phrase.subject, phrase.relation, taken)
    return None
