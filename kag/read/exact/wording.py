"""The words by which questions ask: for what, how much of it, and how it stands to something else."""

from __future__ import annotations

import re
import unicodedata

SUBJECTS = (
    ("subsection", r"sub-?sections?|sub-?headings?|sub-?titles?|sub-?chapters?|child sections?|children"
        "|sections? under"),
    ("section", r"sections?|headings?|chapters?|headlines?|outline|table of contents|structure of the paper"
        "|parts?|places?"),
    ("figure", r"figures?|figs?|illustrations?|images?|diagrams?|pictures?"),
    ("table", r"tables?"),
    ("equation", r"equations?|formula[se]?|formulae"),
    ("paragraph", r"paragraphs?|passages?|sentences?"),
    ("doi", r"dois?|digital object identifiers?"),
    ("year", r"years?|publication dates?|publication years?|when|how old"),
    ("journal", r"journals?|periodicals?|venues?|magazines?|proceedings"),
    ("volume", r"volumes?"),
    ("pages", r"page range|page numbers|pages"),
    ("page", r"page"),
    ("author", r"authors?|writers?|who|whom|whose|wrote|written by"),
    ("column", r"columns?|column headers?"),
    ("row", r"rows?|row headers?"),
    ("caption", r"captions?|legends?"),
    ("title", r"titles?|titled|entitled|called|(?<=\w )name|heading of"),
    ("reference", r"references?|refs?|bibliography|bibliographic (?:entries|items?|records?)|reference lists?|works?"
                  r"|sources?|items?|entry|entries|citations?|publications?|papers|articles|studies|literature"
                  r"|cited works"),
)  # fmt: skip
SUBJECT_PATTERNS = tuple((name, re.compile(rf"\b(?:{words})\b")) for name, words in SUBJECTS)
NOISE = re.compile(
    r"\b(?:of|in|within|throughout|across|for|by)?\s*(?:this|the|present|whole|entire|full|given|current)\s+"
    r"(?:whole\s+|entire\s+|full\s+|given\s+|present\s+|current\s+)?(?:paper|article|study|document|manuscript"
    r"|text|publication|preprint)(?:'s)?\b(?! cited)"
    r"|\bthe authors (?=discuss|mention|refer|cite|describe|call|point|draw|rely|use|show|present|report|go "
    r"into|talk)"
    r"|\b(?:do|does|did) (?:the )?authors? (?=\w)|\bin order\b|\bby (?:number|name)\b|\btake place\b|\bin place\b"
    r"|\btable of contents\b(?=.*\bsections?\b)|\bplease\b"
)
PAREN = re.compile(r"\([^()]{0,200}\)")
COUNT = re.compile(
    r"\bhow many\b|\b(?:total |overall )?(?:number|count|amount|quantity|tally|size) of\b|\bcounts?\b|\bhow "
    r"(?:long|large|big|extensive) is\b|\blength of\b"
)
WHERE = re.compile(r"\b(?:where|whereabouts)\b|\bin (?:which|what) (?:places?|spots?)\b")
CITES = re.compile(
    r"\b(?:cit(?:e|es|ed|ing|ation|ations)|referenced|quot(?:e|es|ed)|rel(?:y|ies|ied) (?:up)?on|draws? "
    r"(?:up)?on|draw from"
    r"|calls? (?:up)?on|called (?:up)?on|invok(?:e|es|ed)|appeals? to|credit(?:s|ed)?|bibliographic)\b"
)
REFERS = re.compile(
    r"\b(?:refer(?:s|red|ring|enced|ences|ence)?|mention(?:s|ed|ing)?|points? (?:to|at|out)|pointed|pointing"
    r"|discuss(?:es|ed|ing)?"
    r"|call(?:s|ed)? (?:out|up|on)|allud(?:e|es|ed)|invok(?:e|es|ed)|talks? about|dealt with|deals? with"
    r"|describ(?:e|es|ed)|cit(?:e|es|ed|ing)"
    r"|comment(?:s|ed)? on|explain(?:s|ed)?|used|uses|speaks? of|brings? up|brought up|draws? on|relies on"
    r"|cross-referenc\w+|linked?|links|touch(?:es)? on"
    r"|interpret(?:s|ed)?|analy[sz]e[sd]?|consider(?:s|ed)?)\b"
)
CONTAINS = re.compile(
    r"\b(?:contain(?:s|ed|ing)?|hold(?:s)?|includ(?:e|es|ed)|printed|placed|located|situated|sit(?:s)?"
    r"|stand(?:s)?|appear(?:s|ed)?|belong(?:s)?"
    r"|has|have|is in|are in|found|shown|fall(?:s)?|parent|made up|consist(?:s)?|live(?:s)?|part of)\b"
)
DEEP = re.compile(r"\b(?:and (?:all )?(?:its|their|the|of its) sub-?sections?|with (?:its|their|all) "
    r"sub-?sections?|including (?:its |their |all |the )*sub-?sections?|sub-?sections included|(?:its |their "
    r")?sub-?sections? (?:as well|too|included)|at any depth|all levels|every level|nested|sub-?sections into "
    r"account|everything (?:under|below|beneath|in) it|counting (?:its |their |all |the )*sub-?sections|(?:all "
    r")?sections and sub-?sections|sections or sub-?sections)\b")  # fmt: skip
TOP = re.compile(
    r"\b(?:top[- ]level|main|major|first-level|highest[- ]level|level[- ]one|primary|top|uppermost|principal)\b"
)
DIRECT = re.compile(r"\b(?:direct(?:ly)?|immediate(?:ly)?|one level)\b")
DIVIDED = re.compile(
    r"\b(?:divid(?:e|es|ed)|split|splits|subdivided|subdivide|broken (?:down|up|into)|organi[sz]ed|structured"
    r"|partitioned|break down|separated into|made up of|composed of|consist of|laid out|arranged)\b"
)
SHOW = re.compile(
    r"\b(?:show(?:s|n|ing)?|depict(?:s|ed)?|illustrat(?:e|es|ed)|plot(?:s|ted)?|display(?:s|ed)?|present(?:s"
    r"|ed)?|about|represent(?:s|ed)?"
    r"|portray(?:s|ed)?|seen|see|visuali[sz]e[sd]?|contain(?:s)?|describe[sd]?|summari[sz]e[sd]?|list(?:s|ed)?"
    r"|report(?:s|ed)?|captioned|drawn|given|deal(?:s)? with|say|says|compare[sd]?|tell|subject)\b"
)
LIMIT = re.compile(r"\bfirst (\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)\b|\btop (\d{1,3}) (?=ref|entr)")
SMALL = dict(zip(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], range(2, 11), strict=True))
MOST = re.compile(r"\b(?:most (?:often|frequently)|most|more than any|highest number|largest number)\b")
NEGATED = re.compile(
    r"\b(?:never|nowhere|neither|nor|un(?:cited|referenced|mentioned|used)|cannot|no (?=[a-z@])"
    r"|(?:do|does|did|is|are|was|were|has|have|had|can|could) not"
    r"|not (?:(?:be|been|being|ever|even|also) )?(?:cit|refer|mention|point|discuss|quot|rel[yi]|us(?:e|ing)|show"
    r"|list))|n['’]t\b"
)
PLACES = frozenset({"section", "subsection", "paragraph"})
FLOATS = frozenset({"figure", "table", "equation"})
PROPERTIES = frozenset({"title", "year", "doi", "journal", "volume", "pages", "author"})
BREAK = re.compile(
    r"(?<=[?;])\s+|(?<=[a-z0-9)\"”])\.\s+(?=[A-Z])"
    r"|(?:,\s*(?:and\s+)?|\s+and\s+)(?=(?:what|which|how many|where|who|list|name|in which|on which|give|when"
    r"|tell|also)\b(?! is\b.{0,10}$))",
    re.I,
)
ASKING = re.compile(
    r"\?|\b(?:what|which|how|where|who|whose|when|why|whether|list|name|give|show|tell|find|count|state"
    r"|identify|enumerate|provide|is|are|"
    r"does|do|did|was|were|can|could|print|return|report|locate|look|quote|say|point|determine|retrieve|specify"
    r"|mention|describe|extract)\b",
    re.I,
)
BACK = re.compile(
    r"\b(?:it|its|they|their|them|these|those|this one|that one|the figure|the table|the section|there|the work"
    r"|the paper)\b",
    re.I,
)
# Words that may stand beside the name of a kind in a question about the paper as such.
_GLUE_WORDS = (
    "a an the this that these those of in on to for from by with and or do does did is are was were be been has "
    "have had there it its they their what which who whose when where how many much list name give me us tell "
    "show state provide enumerate count number total find identify return print all every each any only just "
    "together altogether overall please can could you would i want need know like get see say order reading into "
    "as appear appears appearing contain contains contained include includes included comprise made up s come "
    "comes go whole entire full complete paper article study document manuscript publication text first last two "
    "three four five six seven eight nine ten top-level main major top level first-level highest primary numbered "
    "listed cited cite cites used present presented exist exists long large big extensive wrote written authored "
    "published appeared under names called titled headed own at display displayed printed different most often "
    "frequently times more than other divided structured organised organized split arranged laid out broken down "
    "principal line bibliographic citing separate distinct length structure sequence ordered appearance size "
    "counts look terms including various end back beginning section-level highest-level so write supply it's "
    "how's what's report reports amount quantity given draw draws matter along title titles heading headings not "
    "counted counting lead leading senior supplement supplements excluding excluded without "
)
_PRINTED = re.compile(
    r"\b(?:references?|bibliography|figures?|tables?|equations?|(?:sub-?)?sections?|authors?|dois?|journals?|titles?"
    r"|pages?|captions?|abstract)\b|^(?:when|in (?:which|what) year) (?:was|is) (?:it )?published$"
)
_LIST_OF_REFERENCES = re.compile(r"^(?:how many|which|what) (?:of (?:the|its) )?(?:other )?references\b")
_PRINTED_WORDS = (
    "after before since until between both oldest newest latest earliest recent corresponding contact words abstract "
    "don doesn isn aren wasn weren didn referred"
)
_ALSO_PRINTED = frozenset(_PRINTED_WORDS.split())
LISTED = re.compile(r"\b(?:references?|refs?|bibliograph\w+|citations?|cit(?:e|es|ed)|listed|lists?)\b")
_AUTHOR_PLACE = re.compile(
    r"\b(?P<place>first|lead(?:ing)?|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|final|senior)"
    r"[- ](?:named |listed )?authors?\b"
)
WRITTEN = re.compile(r"\b(?:authors?|wrote|written|writers?)\b")
SEVERAL = re.compile(r"\b(?:figures|figs|illustrations|images|diagrams|pictures|tables|equations|formulas|formulae)\b")
GLUE = frozenset(_GLUE_WORDS.split())


def even(part: str) -> str:
    """The part in small letters, marks kept, without blanks of no use, parentheses, and the paper itself."""
    text = unicodedata.normalize("NFKC", part).lower()
    text = re.sub(r"[^\w@'’.\-()]+", " ", PAREN.sub(" ", text))
    text = re.sub(r"\.(?!\w)", " ", re.sub(r"\b(what|who|where|how|when)['’]s\b", r"\1 is", text))
    return " ".join(NOISE.sub(" ", f" {' '.join(text.split())} ").split())


def subjects_of(words: str) -> list[str]:
    """The kinds of thing the words name, in the order they stand; a longer name hides a shorter one in it."""
    taken: list[tuple[int, int, str]] = []
    for name, pattern in SUBJECT_PATTERNS:
        for match in pattern.finditer(words):
            if not any(start < match.end() and match.start() < end for start, end, _ in taken):
                taken.append((match.start(), match.end(), name))
    return list(dict.fromkeys(name for _, _, name in sorted(taken)))


def ask_of(words: str) -> str:
    """Whether a number, a place or a list is asked for."""
    return "count" if COUNT.search(words) else "where" if WHERE.search(words) else "list"


def limit_of(words: str) -> int:
    """How many of a list are asked for, 0 for all."""
    match = LIMIT.search(words)
    if not match:
        return 0
    number = match[1] or match[2]
    return int(number) if number.isdigit() else SMALL[number]


def place_of_author(words: str) -> str:
    """Which author is asked for: "first" to "tenth", or "last"; "" for all of them.

    >>> place_of_author("Who is the senior author?")
    'last'
    """
    match = _AUTHOR_PLACE.search(words.lower())
    place = match["place"] if match else ""
    return "last" if place in ("final", "senior") else "first" if place.startswith("lead") else place


def is_plain(words: str) -> bool:
    """Whether the words ask about the paper as such: nothing but names of kinds and glue."""
    rest = DEEP.sub(" ", words)
    for _, pattern in SUBJECT_PATTERNS:
        rest = pattern.sub(" ", rest)
    return all(word in GLUE or len(word) < 2 or word.isdigit() for word in re.findall(r"[\w'’\-]+", rest))


def is_of_the_print(words: str) -> bool:
    """Whether a question is on the paper as a printed thing, so that no sentence of its text can answer it.

    >>> is_of_the_print("how many references are from before 2000"), is_of_the_print("how many studies were included")
    (True, False)
    """
    rest = " ".join(word for word in NEGATED.sub(" ", words).split() if word not in _ALSO_PRINTED)
    return bool(_LIST_OF_REFERENCES.match(words) or (_PRINTED.search(words) and is_plain(rest)))
