"""How questions name things: figures, works and sections, by number, label, title, place or subject."""

from __future__ import annotations

import re

FLOATS = {
    "fig": "figure", "figs": "figure", "figure": "figure", "figures": "figure", "scheme": "scheme",
    "schemes": "scheme", "chart": "chart", "charts": "chart", "plate": "plate", "tab": "table", "tables": "table",
    "table": "table", "equation": "equation", "equations": "equation", "eq": "equation", "eqs": "equation",
    "formula": "equation", "formulas": "equation", "eqn": "equation", "box": "box", "algorithm": "algorithm",
}  # fmt: skip
QUOTE = re.compile(
    r"\"(?P<a>[^\"]{1,400})\"|“(?P<b>[^“”]{1,400})”|«(?P<c>[^«»]{1,400})»|(?<!\w)‘(?P<d>[^‘’]{1,400})’(?!\w)"
    r"|(?<![\w'])'(?P<e>[^']{2,400})'(?!\w)|`(?P<f>[^`]{1,400})`"
)
FLOAT = re.compile(
    rf"\b(?P<name>{'|'.join(sorted(FLOATS, key=len, reverse=True))})\b\.?\s*(?:no\.|number|nr\.|\#)?\s*"
    r"[\[(]?(?P<number>(?:S|[A-H]\.?)?\d{1,3}(?:\.\d{1,3})*[A-Za-z]?|[IVXL]{1,6}|[A-H])\b[\])]?"
    r"(?P<more>\s*(?:,|and|&|to|or|–|-)\s*(?:(?:fig(?:ure)?s?|tables?)\b\.?\s*)?S?\d{1,3}[a-z]?\b)?",
    re.I,
)
FLOAT_ABOUT = re.compile(
    r"\b(?:the|which|what)\s+(?P<name>figure|fig|table|scheme|chart)\s+(?:on|about|of|for|that shows|showing"
    r"|depicting|with|comparing|listing|giving)\s+"
    r"(?P<words>[^?.;,@]{3,120}?)(?=\s+(?:show|shows|depict|depicts|illustrate|illustrates|present|presents|say"
    r"|says|contain|contains|tell|tells|"
    r"represent|represents|referred|mentioned|discussed|cited|is|are|placed|located|display|displays|plot|plots"
    r"|appear|appears|list|lists)\b|[?.;,]|$)",
    re.I,
)
FLOAT_ORDINAL = re.compile(
    r"\bthe\s+(?:very\s+)?(?P<n>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|final)\s+"
    r"(?P<name>figure|table|equation)\b(?!\s+(?:row|column|column|cell))",
    re.I,
)
FLOAT_SHOWING = re.compile(
    r"^\s*(?:in\s+)?(?:which|what)\s+(?P<name>figure|table)\s+(?:shows?|depicts?|illustrates?|presents?|displays?|plots?"
    r"|lists?|gives?|reports?|summari[sz]es|contains?|compares)\s+(?P<words>[^?;@]{3,120}?)\s*[?.]?\s*$",
    re.I,
)
NAMED_TABLE = re.compile(r"(?<=\b[Tt]able )(?P<name>[A-Z][^,?]{3,80}),")
REFERENCE = r"(?:references?|refs?|citations?|entry|entries|bibliography items?|items?|sources?|works?|publications?)"
NUMBERED = re.compile(
    rf"\b(?:{REFERENCE}\b\.?\s*)+(?:list\s+)?(?:entry|item)?\s*(?:no\.|nr\.|numbered|number|with (?:the )?number|\#)?"
    r"\s*[\[(\#]?(?P<a>\d{1,4})\b[\])]?(?!\s*(?:%|percent))"
    rf"|\b(?P<b>\d{{1,4}})(?:st|nd|rd|th)\s+(?:\w+\s+)?{REFERENCE}\b"
    r"|(?<!\w)\[(?P<c>\d{1,4})\]"
    r"|\bnumber\s+(?P<e>\d{1,4})\s+(?:in|of|on|from)\s+(?:the\s+)?(?:reference list|bibliography|list of references)",
    re.I,
)
MORE_NUMBERS = re.compile(r"\s*(?:,|and|&|to|or|–|-)\s*\[?\d{1,4}\b")
YEAR = re.compile(r"[,(\s]\s?(?P<year>(?:1[5-9]|20)\d\d[a-z]?|n\.\s?d\.|in press)(?![\w-])\)?", re.I)
_PARTICLES_WORDS = "de la van von der den del du da dos das di le el ten ter af al et and & for of the zu zur"
PARTICLES = frozenset(_PARTICLES_WORDS.split())
_MONTHS_WORDS = (
    "January February March April May June July August September October November December Spring Summer "
    "Autumn Winter Version"
)
MONTHS = frozenset(_MONTHS_WORDS.split())
_OPENING_WORDS = (
    "Between After Since During Until Before Besides Fiscal In Where Which What Who When How Does Do Did Is "
    "Are Was Were Give Name List State Tell Show Find The By For At On From Please Identify Provide Count Of "
    "Has Have And Into Under Report Say Quote Look Can Could You Me Title Authors Author Year Journal DOI "
    "Sections Section Paragraphs Works Work Reference References Paper Study Article Their Them Cited Cite "
    "Cites Mention Locate Return Retrieve Extract Specify It "
)
OPENING = frozenset(_OPENING_WORDS.split())
SUBJECT = re.compile(
    r"\b(?:the|a|an|which|what)\s+(?:cited\s+|referenced\s+)?"
    r"(?:works?|papers?|articles?|study|studies|publications?|references?|sources?|book|report|review|preprint|entry)"
    r"\s+(?:that\s+(?!it\b|they\b)|which\s+(?!are\b|is\b)|"
    r"(?=on\b|about\b|of\b|by\b|titled\b|entitled\b|called\b|describing\b|introducing\b"
    r"|dealing\b|concerning\b|reporting\b|named\b))(?P<words>[^?.;]{3,200})",
    re.I,
)
CALLED = re.compile(r"^(?:on|about|titled|entitled|called|named|with the title|concerning)\s+", re.I)
CUT = re.compile(
    r"\s+(?:(?:is|are|was|were|been|be|get|gets|being)\s+(?:\w+ly\s+)?(?:cited|published|quoted|mentioned|used|listed"
    r"|referenced|referred|discussed|appear|invoked|found|called)\b"
    r"|(?:cited|published|appear(?:s|ed)?|come out|came out|have|has|listed)\b|(?:in|within)\s+(?:this|the)\s+"
    r"(?:paper|article|reference|list|bibliography|text)).*$",
    re.I | re.S,
)
ROLE = (
    r"abstract|introduction|introductory|conclusions?|discussion|results? and discussions?|materials? and methods?"
    r"|methods? and materials?|methods?|methodology|results|experimental(?: section| part)?|background|related work"
    r"|acknowledge?ments?|appendix(?:\s+[A-H\d]\b)?|statement of need|future work|limitations|funding"
    r"|data availability|supplementary (?:material|information|data)|supporting information|author contributions"
    r"|summary|author summary"
)
_ORDINALS_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth"
ORDINALS = _ORDINALS_WORDS.split()
SECTION_WORD = r"(?:sub-?)?(?:section|chapter)(?:'s)?"
SECTION_NUMBER = re.compile(
    rf"\b(?:the\s+)?{SECTION_WORD}s?\s+(?:no\.|number(?:ed)?|§)?\s*(?P<a>\d{{1,2}}(?:\.\d{{1,2}})*|[IVX]{{1,5}}"
    rf"|[A-H](?:\.\d{{1,2}})*)(?![\w.]\w)\b"
    r"|§\s*(?P<b>\d{1,2}(?:\.\d{1,2})*)",
    re.I,
)
SECTION_QUOTED = re.compile(
    rf"\b(?:the\s+)?(?:{SECTION_WORD}|part|heading)\s+(?:(?:called|titled|named|entitled|headed|with the title)\s+)?"
    rf"@quote(?P<a>\d)\b|(?:\bthe\s+)?@quote(?P<b>\d)\s+(?:{SECTION_WORD}|part)\b",
    re.I,
)
SECTION_ROLE = re.compile(
    rf"\b(?:the\s+|their\s+|an?\s+|its\s+)?(?:{SECTION_WORD}\s+)?(?P<role>{ROLE})\b(?!\s+of\b)(?P<after>\s+(?:{SECTION_WORD}"
    rf"|part)\b)?",
    re.I,
)
SECTION_ORDINAL = re.compile(
    rf"\bthe\s+(?:very\s+)?(?P<n>{'|'.join(ORDINALS)}|last|final)\s+"
    rf"(?:top-level\s+|main\s+)?{SECTION_WORD}\b",
    re.I,
)
STOP = (
    r"(?=\s+(?:cite|cites|cited|have|has|contain|contains|divided|split|rely|relies|refer|refers|mention"
    r"|mentions|use|uses|draw|draws|point|points|begin|begins|start|starts|belong|call|calls|include|includes"
    r"|organi[sz]ed|structured|subdivided|broken|directly|according|and|consist|consists|appear|appears|list"
    r"|made|come|located|is|are|does|do)\b|[?,.;]|$)"
)
SECTION_WORDS = re.compile(
    rf"\b(?:the\s+)?(?:{SECTION_WORD}|part)\s+(?:on|about|called|titled|named|entitled|headed|describing"
    rf"|dealing with|that describes|that deals with|covering)\s+(?P<a>[^?,.;@]{{2,120}}?){STOP}"
    rf"|\b(?:the\s+)?(?:description|discussion|account|treatment)\s+of\s+(?P<b>(?:the\s+)?[^?,.;@]{{2,120}}?){STOP}"
    rf"|\b(?:the)\s+(?P<c>(?:(?!(?:sections?|chapters?|parts?|which|what|that|in|this|of|top-level|main|first|longest|shortest"
    rf"|same|entire|whole|any|direct|does|do|cited|reference|references"
    rf"|bibliography)\b)[^\s?,.;@]+\s+){{1,8}})(?:sub-?)?section\b",
    re.I,
)
