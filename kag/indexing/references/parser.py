"""Fields of one printed reference: rules for identifiers, years and names, a trained labeller for where each field is.

Identifiers are cut out first, the rest is labelled token by token, and each run of one label is read by the rule of its
field. A field that is not clearly there stays empty. `tidy` undoes what scans do to blanks before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kag.indexing.references.assembly import Fields, gather
from kag.indexing.references.identifiers import Identifiers, cut_identifiers, find_dois
from kag.indexing.references.labeller import Labeller, labeller
from kag.indexing.references.names import Name

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
    """Whether a dash repeats the names of the entry before.

    >>> repeats_names("———. Ice. 2001."), repeats_names("[3] —. 2001, Ice"), repeats_names("Lee S. Ice.")
    (True, True, False)
    """
    return bool(_REPEATED.match(_NUMBER.sub("", text)))


def without_marks(text: str) -> tuple[str, str]:
    """The text with its mark of kind ("[J]", "[Computer software]") made a point, and that mark."""
    match = _MARKS.search(text) or _MEDIUM.search(text)
    return (
        (text, "")
        if not match
        else (f"{text[: match.start()].rstrip()}. {text[match.end() :].lstrip(' .,')}", match[1])
    )


__all__ = ["Reference", "cleaned", "find_dois", "parse_reference", "parse_references"]

_LEAST_INVERTED, _SHARE_INVERTED = 5, 0.8  # entries, and their share, from which a list prints family names first
_LETTERS = 4  # of marks such as "[EB/OL]": longer ones are words
_LONGEST = 4000  # characters; what an entry prints behind them is no field
_UNSETTLED = re.compile(
    r"[,.;\s(\[]{1,3}(?:(?:private|personal)\scommunication|these\sproceedings|(?:manuscript\s)?in\spreparation|unpublished"
    r"|to\sbe\s(?:published|submitted|publ\b)|to\sappear(?:\s(?:in|on)(?![a-z]))?|submitted\sto|accepted\sfor\spublication)\b[)\].,]{0,2}"
)
_ORDER = ("authors", "title", "year", "container", "volume", "issue", "pages", "publisher", "place", "editors",
          "edition", "kind", "doi", "arxiv", "pmid", "pmcid", "url")  # fmt: skip
_HELD = {"pages": "first_page"}
_BY_RULE = {"edition": 0.9, "kind": 0.8, **dict.fromkeys(("doi", "arxiv", "pmid", "pmcid", "url"), 0.98)}


def parse_reference(text: str) -> Reference:
    """Read the fields of one entry, printed without its number.

    >>> found = parse_reference("Coffelt SB, de Visser KE. A title. Trends Immunol. 2015;36:198–216.")
    >>> found.title, found.container, found.year, found.volume, found.first_page, found.last_page
    ('A title', 'Trends Immunol', '2015', '36', '198', '216')
    """
    return parse_references([text])[0]


def parse_references(texts: Sequence[str]) -> list[Reference]:
    """`parse_reference` of each entry of a list, labelled all at once; a list prints names in one order."""
    model = labeller()
    parts = [cleaned(text) for text in texts]
    labelled = model.label([words for _, words, _ in parts])
    references = [
        _reference(ids, words, mark, gather(words, found, titled=len(mark) > _LETTERS), model)
        for (ids, words, mark), found in zip(parts, labelled, strict=True)
    ]
    return _in_one_order(references, [words for _, words, _ in parts])


def _in_one_order(references: Sequence[Reference], texts: Sequence[str]) -> list[Reference]:
    """In a list that prints family names first, an author alone in the other order is an organisation: "IMS Health"."""
    direct = [_is_direct(reference, text) for reference, text in zip(references, texts, strict=True)]
    inverted = direct.count(False)
    if inverted < _LEAST_INVERTED or inverted < _SHARE_INVERTED * (len(direct) - direct.count(None)):
        return list(references)
    return [
        replace(reference, authors=(Name(f"{reference.authors[0].given} {reference.authors[0].family}"),))
        if is_direct and len(reference.authors) == 1 and not reference.more_authors
        else reference
        for reference, is_direct in zip(references, direct, strict=True)
    ]


def _is_direct(reference: Reference, text: str) -> bool | None:
    """Whether the first author is printed with the given name first; None without a given name in the text."""
    first = reference.authors[0] if reference.authors else Name("")
    if not first.given or not text.startswith((first.given, first.family)):
        return None
    return text.startswith(f"{first.given} {first.family}")


def cleaned(text: str) -> tuple[Identifiers, str, str]:
    """Return the text to label of an entry: its identifiers, the other words on one line, and its mark of kind."""
    known = text[:_LONGEST].encode("utf-8", "replace").decode("utf-8")  # half a character is none
    ids = cut_identifiers(" ".join(known.split()))
    words, mark = without_marks(_UNSETTLED.sub(". ", tidy(ids.rest)).strip(" ,;"))
    return ids, words, mark


def _reference(ids: Identifiers, words: str, mark: str, found: Fields, model: Labeller) -> Reference:
    fields = (
        found.authors.people, found.authors.more, found.title, found.year, found.suffix, ids.doi, found.container,
        found.volume, found.first_page, found.last_page, found.issue, found.editors, ids.arxiv, ids.pmid, ids.pmcid,
        ids.url, found.publisher, found.place, found.edition,
    )  # fmt: skip
    bare = Reference(*fields)
    shares = {field: model.share(field, sure) for field, sure in found.sure} | _BY_RULE
    held = (field for field in _ORDER if field == "kind" or getattr(bare, _HELD.get(field, field)))
    return Reference(
        *fields, kind_of(words, bare, mark, in_book=found.in_book), tuple((field, shares[field]) for field in held)
    )


# What was read from one printed reference, and which kind of work it names -------------------


@dataclass(frozen=True, slots=True)
class Reference:
    """A parsed reference; fields that were not found are empty.

    `year` has its letter ("2010a") in `suffix`; `more_authors` says "et al."; `kind` is one of the names in
    `kag.indexing.references.record.KINDS`; `confidence` holds pairs of a field's name and a share in [0, 1].
    """

    authors: tuple[Name, ...] = ()
    more_authors: bool = False
    title: str = ""
    year: str = ""
    suffix: str = ""
    doi: str = ""
    container: str = ""
    volume: str = ""
    first_page: str = ""
    last_page: str = ""
    issue: str = ""
    editors: tuple[Name, ...] = ()
    arxiv: str = ""
    pmid: str = ""
    pmcid: str = ""
    url: str = ""
    publisher: str = ""
    place: str = ""
    edition: str = ""
    kind: str = ""
    confidence: tuple[tuple[str, float], ...] = ()


KINDS = ("article", "chapter", "book", "conference", "thesis", "preprint", "report", "webpage", "software", "dataset",
         "patent", "other")  # fmt: skip

_MARKED = {"J": "article", "M": "book", "C": "conference", "D": "thesis", "P": "patent", "R": "report", "N": "article"}
_WORDS = {  # what is printed of each kind
    "thesis": (
        r"\b(?:(?:Ph\.?\s?D|Dr|[Dd]octoral|[Mm]aster(?:['’]?s)?|M\.?Sc|[Dd]iploma|[Bb]achelor)\.?,?"
        r"\s(?:[Tt]hesis|[Dd]issertation|[Tt]hèse)|[Tt]hesis\b|[Dd]issertation\b|[Hh]abilitation|[Dd]iplomarbeit"
        r"|[Tt]hèse\b|[Tt]esis\b)"
    ),
    "patent": (
        r"\b(?:[Pp]atents?\s(?:[Nn]o|[Aa]pplication|US|EP|WO|\d)|(?:US|EP|WO|JP|DE|GB|FR)\s?[Pp]atent\b"
        r"|(?:U\.S\.|European|German)\s[Pp]at|(?:WO|EP|US)\s?\d{2,4}[/,]\d{3,6})"
    ),
    "report": (
        r"\b(?:[Tt]echnical\s[Rr]eport|[Tt]ech\.\s?[Rr]ep|[Rr]eport\s[Nn]o|[Ww]orking\s[Pp]aper|[Ww]hite\s[Pp]aper"
        r"|[Dd]iscussion\s[Pp]aper|3GPP\sT[RS]|ETSI\s|RFC\s?\d|NASA[\s-](?:TM|CR|TN|TP)|[Rr]esearch\s[Rr]eport)"
    ),
    "dataset": r"\b(?:[Dd]ata\s?set|[Dd]ata\s[Ff]rom|Dryad|Figshare|PANGAEA)\b",
    "software": (
        r"\b(?:R\s[Pp]ackage|[Cc]omputer\s[Pp]rogram|[Cc]omputer\s[Ss]oftware|[Ss]oftware\s[Vv]ersion|GitHub|PyPI|CRAN"
        r"|github\.com)\b"
    ),
}
_KIND_PATTERNS = {kind: re.compile(words) for kind, words in _WORDS.items()}
_PREPRINT = re.compile(
    r"\b(?:arXiv|bioRxiv|medRxiv|chemRxiv|SSRN|[Pp]reprint|e-prints?|PsyArXiv|Research Square)\b", re.IGNORECASE
)
_MEETING = re.compile(
    r"\b(?:Conf(?:erence|\.)|Symp(?:osium|osia|\.)|Workshop|Congress|Colloqu(?:ium|e)|Meeting|Proc(?:eedings|\.)?\s(?:of\s)?(?:the\s)?(?:\d|[A-Z]\w*\s"
    r"(?:Int|Ann|Conf|Symp|Work))|Tagung|Congreso|Congrès)"
)
_PROCEEDINGS = re.compile(r"\b(?:Proc(?:eedings|\.)?)\b")


def kind_of(text: str, reference: Reference, mark: str = "", *, in_book: bool = False) -> str:
    """Return one of `KINDS` for a reference's words and fields; `mark` is the text in "[J]", `in_book` means "In:"."""
    if mark[:1] in _MARKED and (len(mark) == 1 or mark.endswith("/OL")):
        return _MARKED[mark[:1]]
    if reference.volume and reference.container and not _MEETING.search(reference.container):
        return "chapter" if in_book and (reference.publisher or reference.editors) else "article"
    stated_kind = next((kind for kind, words in _KIND_PATTERNS.items() if words.search(f"{text} {mark}")), "")
    if stated_kind:
        return stated_kind
    if _MEETING.search(reference.container) or (_PROCEEDINGS.search(reference.container) and not reference.volume):
        return "conference"
    if in_book:
        return "chapter"
    if _PREPRINT.search(reference.container) or (reference.arxiv and not reference.container):
        return "preprint"
    return _by_fields(reference)


def _by_fields(reference: Reference) -> str:
    if reference.publisher:
        return "chapter" if reference.container and reference.first_page else "book"
    if reference.container and (reference.first_page or reference.doi or reference.pmid or reference.volume):
        return "article"
    if reference.url and not reference.doi:
        return "webpage"
    return "article" if reference.doi and reference.container else "other"
