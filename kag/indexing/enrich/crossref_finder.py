"""Call-outs to the numbered parts of a paper: "Figs. 2b–d and 4", "Eqs. (1)–(3)", "Sect. 2.1", "S1–S3 Movies".

Each kind is a word and the grammar of its numbers; lists and ranges are read the same way for all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kag.text.dates import ROMANS, value_of


@dataclass(frozen=True, slots=True)
class CrossRef:
    """One call-out. `numbers` are what it names, ranges filled in; `panels` the parts of them ("A", "b–d").

    `kind` is figure, table, scheme, chart, plate, box, equation, section, appendix, algorithm or supplement.
    `text[start:end] == surface`.
    """

    kind: str
    numbers: tuple[str, ...]
    start: int
    end: int
    surface: str
    panels: tuple[str, ...] = ()


_FILE = (
    r"iles?|ata(?:sets?)?|exts?|otes?|ovies?|ideos?|udio|nimations?|odes?|oftware|ethods?|aterials?|nformation|rotocols?"
    r"|iscussion|ocuments?"
)
# First letters and rests apart, and a separator in front: so the search can skip to the beginnings of words.
_WORD = (
    r"(?P<word>[FfTtSsCcPpBbEeÉéGgAaDdKkNnMmVvIiQq§](?:ig(?:ure|ura)?s?|IG(?:URE)?S?|ab(?:le|la|ela)?s?|abell[ae]|AB(?:LE)?S?|(?<=[CcQq])uadros?|chemes?|CHEMES?|ch(?=\.)"
    r"|harts?|lates?|ox(?:es)?|q(?:uation|n)?s?|Q(?:UATION)?S?|(?:ub-?s)?ect(?:ion)?s?|ecs?(?=\.)|ECTIONS?|(?<=§)§?|ppendi(?:x|ces)"
    r"|c(?=\.)|cuaci(?:[oó]n|ones)|qua(?:ç[aã]o|ções)|ecci(?:[oó]n|ones)|ec?(?:ç[aã]o|ções)"
    r"|bb(?:\.(?=\s)|ildung(?:en)?)|abellen?|ableaux?|leichung(?:en)?|bschnitte?s?|apiteln?|nhang|nnexe?s?"
    rf"|PPENDI(?:X|CES)|lgorithms?|LGORITHMS?|(?P<file>{_FILE})))"
    r"[.,]?'?s?(?:[\s~]{0,2}|(?P<joint>[-–]))(?:\\\(\s?)?(?=[(\[]?(?:[A-Z][A-Za-z]?\.?\s?)?\d|\(?[ivxIVX]+\b|[A-H]\b)"
)
_ELSEWHERE_WORD = re.compile(  # in scripts whose words have no capitals or no blanks between them
    r"(?P<word>[图圖図]|(?<!代)表|그림|표|\b[Рр]ис(?:ун(?:ок|к[аеиуо]м?))?(?![^\W\d_])|\b[Тт]абл(?:иц(?:а|е|ы|у|ах))?(?![^\W\d_])"
    r"|(?:ال)?(?:شكل|جدول))(?P<file>(?!))?\.?\s?(?=\d)"
)
_ELSEWHERE_SCRIPT = re.compile(r"[\u0400-\u04ff\u0600-\u06ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_KEYWORD = re.compile(rf"[\s(\[{{,;:.…/–—\-\"“”'‘’*>~)\]]{_WORD}")
_FIRST = re.compile(_WORD)
_KINDS = {"fi": "figure", "ta": "table", "sc": "scheme", "ch": "chart", "pl": "plate", "bo": "box", "eq": "equation",
          "se": "section", "su": "section", "ka": "section", "§": "section", "§§": "section", "ap": "appendix",
          "al": "algorithm", "ec": "equation", "cu": "table", "qu": "table",
          "abb": "figure", "abs": "section", "an": "appendix", "gl": "equation", "éq": "equation",
          **dict.fromkeys(("图", "圖", "図", "그림", "рис", "شكل", "الش"), "figure"),
          **dict.fromkeys(("表", "표", "таб", "جدو", "الج"), "table")}  # fmt: skip
_BEFORE = re.compile(
    r"(?<!\w)(?:(?:supplementa(?:ry|l)|supporting(?:\s+information)?|suppl?\.?|additional|(?P<extended>extended\s+data)"
    r"|electronic\s+supplementary)\s+|(?P<parent>(?:box|ap{1,2}endix)(?:\s\w{1,2})?)(?:\s?[—–-]\s?|\s))$",
    re.I,
)
_PANEL = r"[A-Za-z]['′]?(?![A-Za-z\d])"
_PANEL_LIST = rf"{_PANEL}(?:(?:\s?,\s?(?:and\s)?|\s?[-–—]\s?|\s?(?:and|&)\s){_PANEL}){{0,11}}"
_PANEL_WORD = re.compile(r"^\spanels?\s")
_ITEM = re.compile(
    r"(?P<number>(?:[A-Z]\.?\s?)?\d{1,3}(?!\d)(?:\.\d{1,2}(?!\d))?|[IVX]{1,5}(?![A-Za-z]))"
    rf"(?:(?P<panels>\s?\({_PANEL_LIST}\)|{_PANEL_LIST}|\s[A-Z](?:(?:\s?,\s?|[-–—])[A-Z])*(?=[),.;:\]]|\sand\s[A-Z\d]))"
    rf"|(?P<loose>\s(?:panels?\s){_PANEL_LIST}))?"
)
_SUPPLEMENT = re.compile(
    r"\s?(?:[—–]|--?)\s?(?P<what>(?:figure|fig\.?|table|video|source|animation)?\s?"
    r"(?:supplements?|data|code|video|figures?|files?)|videos?|animations?)\s+(?=\d)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    r"\s?(?:(?P<range>[–—‐−-]{1,2}|\bto\b|\bthrough\b)|,\s?(?:and|or|&)\s|,|;|/|[、和与與及]|\b(?:and|or|und|et|y|e|и)\b|&|\bversus\b|\bvs\b\.?)\s?"
)
_ENDS = re.compile(r"\s?(?:[,;.:)\]/]|$|(?:and|or)\b|&|[–—-]\s?\d|\((?!\d))")
_EQUATION_ITEM = re.compile(
    r"(?:[(\[](?:\\\(\s?)?)?\s?(?P<number>(?:[A-Z][A-Za-z]?\.?)?\d{1,3}(?!\d)(?:\.\d{1,3}){0,2}|(?<=\()[ivx]{1,5}(?=\)))"
    r"(?P<panels>[a-z](?![a-z\d])(?:\s?[,–-]\s?[a-z](?![a-z\d]))*)?(?P<loose>['′]{1,2})?(?:\s?[)\]])?"
)
_SECTION_ITEM = re.compile(
    r"(?P<number>(?:[A-Z]\.?)?\d{1,2}(?!\d)(?:\.\d{1,2}(?!\d)){0,4}|[IVX]{1,5}(?:[.-][A-Z](?!\w))?|[A-H](?:\.\d{1,2}){0,3})"
    r"(?![\w%°])(?P<panels>)(?P<loose>)"
)
_GRAMMARS = {"equation": _EQUATION_ITEM, "section": _SECTION_ITEM, "appendix": _SECTION_ITEM}
_COUNTS = re.compile(r"\s?(?:[µμnmkc]?m\b|%|°|[µμ]?[lL]\b|h\b|mg\b|[×x]\s?\d)")
_OF_SUPPLEMENT = re.compile(r"S\d+")  # "Figs. 4, S1", but not "Figs. 4, I saw"
_PARENT = re.compile(r"\s?[—–-]\s?(?:[Ff]ig|[Tt]able|[Vv]ideo|[Ee]q)")
_S = r"S\d{1,3}[A-Z]?(?:[_.]\d+)*"
_TRAILING = re.compile(
    rf"(?P<list>{_S}(?:(?:\s?[,–-]\s?|,?\s(?:and|or)\s){_S}){{0,9}})(?![\w.])\s(?P<kind>Fig(?:ure)?|Table|Text|Data(?:set)?|File"
    r"|Movie|Video|Audio|Appendix|Protocol|Checklist|Code|Alignment|Model|Information)s?\b"
)
_LETTERED = re.compile(
    r"(?P<word>Fig(?:ure)?|Table|Text)s?\.?\s(?P<list>[A-Z]{1,3}(?:(?:[,–-]|,?\sand)\s?[A-Z]{1,3}){0,6})"
    r"(?=\s+in\s+(?:the\s)?(?P<where>S\d{1,2})\b)"
)
_ELSEWHERE = re.compile(
    r"\s?,?\s?(?:of|in|from|by)\s(?:the\s)?(?:refs?\b|references?\b|\[|\\\(\s?\^|another\s(?:article|paper|study)"
    r"|(?:previous|original|companion)\s(?:article|paper|study|work)|(?:their|his|her)\s(?:article|paper|study|work)"
    r"|[A-Z][\w’'-]+(?:,?\s(?:et\sal|and\s[A-Z]|&)|\s\(\d{4}))"
)
_OTHERS_BEFORE = re.compile(r"(?:\[\d{1,3}|\b[Rr]efs?\.?\s\d{1,3}),\s$|\b(?:their|his|her)\s$")
_LONGEST_RANGE = 30


def find_crossrefs(text: str) -> list[CrossRef]:
    """The call-outs of a text, in order and none in another, without those that name parts of other works.

    >>> [(c.kind, c.numbers, c.panels) for c in find_crossrefs("see Figs. 2b–d and 4 and Table S1")]
    [('figure', ('2', '4'), ('b–d',)), ('table', ('S1',), ())]
    """
    cross_refs = _lettered(text) + _trailing(text)
    taken = [(crossref.start, crossref.end) for crossref in cross_refs]
    end = 0
    first = _FIRST.match(text)
    keywords = ((first,) if first else ()) + tuple(_KEYWORD.finditer(text))
    if _ELSEWHERE_SCRIPT.search(text):
        keywords = tuple(sorted((*keywords, *_ELSEWHERE_WORD.finditer(text)), key=lambda found: found.start("word")))
    for keyword in keywords:
        at = keyword.start("word")
        if at < end or any(start <= at < stop for start, stop in taken):
            continue
        crossref = _read(text, keyword)
        if crossref and keyword.groupdict().get("joint") and crossref.kind not in ("figure", "table"):
            continue  # "Figure-3", but "a T-box-2 factor"
        if crossref and not _is_of_another_work(text, crossref):
            cross_refs.append(crossref)
            end = crossref.end
    return _apart(sorted(cross_refs, key=lambda crossref: (crossref.start, -crossref.end)))


def _apart(cross_refs: list[CrossRef]) -> list[CrossRef]:
    """Those that begin behind the end of the one before: of "Box 4" and "Box 4 Table 5" the longer."""
    apart: list[CrossRef] = []
    for crossref in cross_refs:
        if not apart or crossref.start >= apart[-1].end:
            apart.append(crossref)
    return apart


def _is_of_another_work(text: str, crossref: CrossRef) -> bool:
    """True for "Fig. 3A of [12]", "[12, Fig. 3]", "their Fig. 3"."""
    before = text[max(0, crossref.start - 12) : crossref.start]
    return bool(_ELSEWHERE.match(text, crossref.end) or _OTHERS_BEFORE.search(before))


def _trailing(text: str) -> list[CrossRef]:
    """Call-outs that name the kind last: "S1 Fig", "S1–S3 Movies"."""
    cross_refs = []
    for trailing in _TRAILING.finditer(text) if "S" in text else ():
        if text[trailing.start() - 1 : trailing.start()].isalnum():
            continue
        kind = {"Tab": "table", "Fig": "figure"}.get(trailing["kind"][:3], "supplement")
        numbers = _filled(re.sub(r"(?<=\d)(?:[A-Z]|[_.]\d+)+", "", trailing["list"]))
        cross_refs.append(CrossRef(kind, numbers, *trailing.span(), trailing.group()))
    return cross_refs


def _lettered(text: str) -> list[CrossRef]:
    """Call-outs to parts of a supplement: "Figs C and D in S1 Text"."""
    cross_refs = []
    for lettered in _LETTERED.finditer(text) if " in S" in text or "\nin S" in text or "in the S" in text else ():
        kind = {"Tab": "table", "Fig": "figure"}.get(lettered["word"][:3], "supplement")
        numbers = tuple(f"{lettered['where']}—{letter}" for letter in re.findall("[A-Z]+", lettered["list"]))
        cross_refs.append(CrossRef(kind, numbers, *lettered.span(), lettered.group()))
    return cross_refs


def _filled(listed: str) -> tuple[str, ...]:
    """The numbers of a list such as "S1–S3, S5", ranges filled in."""
    numbers: list[str] = []
    for joint, number in re.findall(r"([–-])?\s?(S\d{1,3})", listed):
        numbers += [*(between(numbers[-1], number) if joint and numbers else ()), number]
    return distinct(numbers)


def _kind(keyword: re.Match[str], before: re.Match[str] | None) -> str:
    """Return the kind that a keyword names; "" for words that need more context ("file", "section 3" in lower case)."""
    if not keyword["file"]:
        word = keyword["word"].casefold()
        return _KINDS.get(word[:3]) or _KINDS.get(word[:2], "")
    named = before and not before["parent"]
    capital = keyword["word"][0].isupper() and keyword["word"][:2] in ("Mo", "Vi")
    return "supplement" if named or capital or re.match(r"S\d", keyword.string[keyword.end() :][:2]) else ""


def _read(text: str, keyword: re.Match[str]) -> CrossRef | None:
    """The call-out that starts at a keyword."""
    at = keyword.start("word")
    before = _BEFORE.search(text[max(0, at - 32) : at])
    start = at - len(before.group() if before else "")
    kind = _kind(keyword, before)
    grammar = _GRAMMARS.get(kind, _ITEM)
    bracket = grammar is _ITEM and text.startswith("(", keyword.end())
    item = grammar.match(text, keyword.end() + bracket) if kind else None
    if not item or _COUNTS.match(text, item.end()) or (kind in ("appendix", "box") and _PARENT.match(text, item.end())):
        return None
    last = keyword.group().rstrip(" ~\n.,(\\-–")[-1]
    plural = last in "sS" or keyword["word"] == "§§" or keyword.re is _ELSEWHERE_WORD
    numbers, panels, end, supplement = _list(text, item, grammar, _prefix(kind, before), plural=plural)
    if supplement:
        return _supplement(text, start, kind, numbers, supplement)
    end += bracket and text.startswith(")", end)
    return CrossRef(kind, distinct(numbers), start, end, text[start:end], tuple(panels))


def _prefix(kind: str, before: re.Match[str] | None) -> str:
    """Return the prefix that the words before a keyword add to its numbers: "S" for supplementary, or the box or
    appendix around them."""
    if not before or kind == "supplement":
        return ""
    if before["parent"]:
        name, _, number = before["parent"].casefold().replace("apendix", "appendix").partition(" ")
        return f"{name} {number}—" if number else f"{name}—"
    return "ED" if before["extended"] else "S"


def _list(
    text: str, item: re.Match[str] | None, grammar: re.Pattern[str], prefix: str, *, plural: bool
) -> tuple[list[str], list[str], int, re.Match[str] | None]:
    """Numbers and panels from the first item on, the end of the list, and the mark of a supplement that ends it."""
    numbers: list[str] = []
    panels: list[str] = []
    end, square = 0, bool(item and item.group()[0] == "[")
    while item:
        numbers.append(_number(item, prefix))
        panels += [_PANEL_WORD.sub("", part).strip(" ()") for part in (item["panels"] or item["loose"],) if part]
        end = item.end()
        if grammar is _ITEM and (supplement := _SUPPLEMENT.match(text, end)):
            return numbers, panels, end, supplement
        separator = _SEPARATOR.match(text, end)
        item = grammar.match(text, separator.end()) if separator else None
        if item and text[end - 1] in ")]" and item.group()[0] not in "([" and grammar is _EQUATION_ITEM:
            item = None  # "Eq. (1); 3. Then"
        if item and item.group()[0] == "[" and not square:
            item = None  # "Eq. (1), [3]"
        if item and separator and not _goes_on(text, item, numbers[-1], plural=plural, ranged=bool(separator["range"])):
            item = None
        if item and separator and separator["range"]:
            numbers += between(numbers[-1], _number(item, prefix))
    return numbers, panels, end, None


def _number(item: re.Match[str], prefix: str) -> str:
    number = re.sub(r"(?<=[A-Za-z])\.?\s?(?=\d)", "", item["number"])
    return prefix + number if number[0].isdigit() or len(prefix) > 2 else number


def _goes_on(text: str, item: re.Match[str], before: str, *, plural: bool, ranged: bool) -> bool:
    """True for a further number of the list, not for one that counts something else ("Fig. 3, 12 mice")."""
    if item["panels"] or item.group()[0] in "([" or (item["number"][0].isalpha() and before[0].isalpha()):
        return True
    if item["number"][0].isalpha() and (ranged or not _OF_SUPPLEMENT.fullmatch(item["number"])):
        return False
    if re.match(r"\s?[%°]", text[item.end() : item.end() + 2]):
        return False
    if ranged and before.isdigit() and int(item["number"].split(".")[0]) <= int(before):
        return False
    return plural or bool(_ENDS.match(text, item.end()))


def between(first: str, last: str) -> list[str]:
    """The numbers strictly between two, letters kept: "S1", "S4" gives "S2", "S3"; "I", "III" gives "II"."""
    if value_of(first) and value_of(last):
        return list(ROMANS[value_of(first) + 1 : value_of(last)])
    low, high = re.fullmatch(r"(\D*)(\d+)", first), re.fullmatch(r"(\D*)(\d+)", last)
    if not low or not high or low[1] != high[1] or int(high[2]) - int(low[2]) > _LONGEST_RANGE:
        return []
    return [f"{low[1]}{n}" for n in range(int(low[2]) + 1, int(high[2]))]


def _supplement(text: str, start: int, kind: str, numbers: list[str], mark: re.Match[str]) -> CrossRef:
    """A supplement of a float: "Figure 3—figure supplements 1–2"; it names the supplements, not the float itself."""
    parent = numbers.pop()
    what = " ".join(mark["what"].casefold().replace("fig.", "figure").split())
    plural = what.endswith("s")
    what = what.removesuffix("s")
    first = _ITEM.match(text, mark.end())
    parts, _, end, _ = _list(text, first, _ITEM, "", plural=plural) if first else ([], [], mark.end(), None)
    names = [*numbers, *(f"{parent}—{what} {part}" for part in parts)]
    return CrossRef(kind, distinct(names), start, end, text[start:end])


def distinct(numbers: list[str]) -> tuple[str, ...]:
    """The numbers in order, each once."""
    return tuple(dict.fromkeys(numbers))
