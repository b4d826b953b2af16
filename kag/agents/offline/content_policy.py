"""Step 4: what stands in a section: front matter, notes, reference entries, paragraphs cut in two.

`read` gives the whole text of a block by its id.
"""

import re
from typing import Any

Block = dict[str, Any]

FORMULAS = ["equation", "formula", "isolate_formula", "equation_block"]
NOTES = ["footnote", "page_footnote", "table_footnote"]
ORGANIZATION = re.compile(
    r"\b(?:universit|institut|department|school of|college|laborator|hospital|centre|center|faculty|academy|inc\.|ltd|"
    r"company|gmbh|clinic|ministry|council|museum|foundation|division of|corporation)",
    re.I,
)
SENTENCES = re.compile(r"[a-z]{3,}[.] [A-Z][a-z]+ [a-z]+")
NOTE_MARK = re.compile(
    r"^\s*(?:\^\S|[*†‡§¶#‖⁎∗]|[a-z]\s(?=[A-Z])|[⁰¹²³⁴-⁹ᵃᵇᶜᵈᵉ]|notes?\b\s*[.:]|abbreviations?\s*[.:]|source\s*:)", re.I
)
EXPLAINS = re.compile(
    r"^(?:[A-Z][A-Za-z\d-]{1,9}\s?[:=]\s+|[A-Z]{2,8},\s|n,\s|Bold,\s)[a-z][\w -]{3,80}[;,.]"
    r"|^(?:[Vv]alues|[Dd]ata|[Nn]umbers|[Pp]ercentages|[Mm]eans|[Rr]esults|[Uu]nits|[Bb]old\w*(?:\s\w+)?)\s"
    r"(?:are|were|is|represent|indicate|shows?|shown)\b"
)
ENDS = re.compile(r"[.!?:;][\"'”’)\]]*\s*(?:[⁰¹²³⁴-⁹,–-]|\[[\d,–\s-]{1,30}\])*\s*$")
GOES_ON = re.compile(r"^[\"'“‘(\[]*[^\W\d_A-Z]|^[,;)\]]")
REFERENCES = (
    "|reference|references|bibliography|literature cited|works cited|references cited|cited literature"
    "|cited references|reference list|list of references|literature|literature references|references and notes"
    "|notes and references|references and further reading|further reading|supplementary references"
    "|additional references|methods references|literaturverzeichnis|referencias|bibliografia|"
)
MARK = re.compile(r"(?<!\S)(?:\[(\d{1,4})\]|\((\d{1,4})\)|(\d{1,3})\.|(\d{1,3}))(?=\s)")
FIRST_NUMBER = re.compile(
    r"\s*(?:\[\d{1,4}\]|\(\d{1,4}\)|\d{1,3}\.(?=\s+\S|[^\s\d])|\d{1,3}(?=\s+(?:[^\s\d:;,.)–-]|\.?$))|[⁰¹²³⁴-⁹]{1,3})"
)
CLOSED = re.compile(r"(?:[.\])>/]|\d|doi:\S*|https?://\S+)\s*$")
YEAR_FIRST = re.compile(r"[^()\n]{2,300}\((?:1[5-9]\d\d|20\d\d|n\.d\.|in press|forthcoming)[a-z]?\)?(?!\w)")
VERB = re.compile(r"\b(?:was|were|been|has|have|had|(?:is|are)(?! with\b))\b")
PERSON = re.compile(
    r"(?:[a-z]{1,4}[ '’]){0,2}(?:[A-Z][\w'’‐-]+(?: [A-Z]?[\w'’-]+){0,2},? ?[A-Z](?:[A-Z]{0,3}\b|\.)"
    r"|[A-Z]\.(?:[ -]?[A-Z]\.){0,3} ?[A-Z][\w'’-]+)"
)
INSIDE = re.compile(r"^[\W_]*[a-z]|^\d{1,4}[–:-]\d|^(?:doi|https?)\b")


def looks_like_names(text: str) -> bool:
    """Mostly capitalised words, and no "Keywords:" before them."""
    words = re.findall(r"[^\W\d_]{2,}", text)
    if len(words) < 2 or re.match(r"^\W*\w+(?: \w+)?\s*:", text):
        return False
    small = ["and", "van", "de", "von", "der", "la", "del"]
    return len([word for word in words if word[0].isupper() or word in small]) >= 0.7 * len(words)


def is_prose(block: Block, text: str) -> bool:
    """Whether a block is running text: long and in sentences, with a verb, or for the most part in small letters."""
    if block["chars"] > 600 and len(SENTENCES.findall(text)) >= 2:
        return True
    words = re.findall(r"[^\W\d_]{4,}", text)
    small = len([word for word in words if word[0].islower()])
    return len(words) >= 12 and (small >= 0.7 * len(words) or bool(VERB.search(text)))


def front_classes(blocks: list[Block], read: Any) -> dict[str, str]:
    """The class of each block printed before the first heading."""
    classes: dict[str, str] = {}
    titled = listed = False
    for block in blocks:
        text = read(block["id"]) if block["chars"] > 160 else block["text"]
        if block["label"] == "title" and not titled:
            classes[block["id"]], titled = "doco:Title", True
        elif is_prose(block, text):
            classes[block["id"]] = "doco:Paragraph"
        elif titled and not listed and looks_like_names(text):
            classes[block["id"]], listed = "doco:ListOfAuthors", True
        elif ORGANIZATION.search(text):
            classes[block["id"]] = "doco:ListOfOrganizations"
        else:
            classes[block["id"]] = "doco:Paragraph"
    return classes


def is_note(block: Block, before: list[Block]) -> bool:
    """Whether a text begins with a note's mark and follows a table, or a note of one."""
    if not begins_as_note(block):
        return False
    for earlier in reversed(before):
        if earlier["label"] in ["table", "table_body"] or earlier["table"]:
            return bool(earlier["page"] == block["page"])
        if not begins_as_note(earlier):
            return False
    return False


def begins_as_note(block: Block) -> bool:
    """Whether a text begins with a note's mark, or by saying what a sign stands for or what a table shows."""
    return block["label"] == "text" and bool(NOTE_MARK.match(block["text"]) or EXPLAINS.match(block["text"]))


def text_class(block: Block, before: list[Block]) -> str:
    """The class of a block that belongs to no float and no reference list."""
    if block["label"] in FORMULAS:
        return "doco:Formula"
    if block["label"].endswith(("_title", "caption")) and re.match(r"^\W*(?:[A-Za-z]|[ivx]{1,4})\W*$", block["text"]):
        return "doco:FigureLabel"
    if block["label"] in NOTES or is_note(block, before):
        return "doco:Footnote"
    return "doco:Paragraph"


def right_below(earlier: Block, later: Block) -> bool:
    """Whether the later block is printed right below the earlier: two paragraphs, not one."""
    if earlier["page"] != later["page"] or not earlier["boxes"] or not later["boxes"]:
        return False
    end, start = earlier["boxes"][-1], later["boxes"][0]
    return bool(min(end[2], start[2]) > max(end[0], start[0]) and 0 <= start[1] - end[3] < 40)


def goes_on(earlier: Block, later: Block) -> bool:
    """Whether the later block goes on where the earlier stops: no end of sentence, or a beginning in lower case."""
    if not earlier["text"] or not later["text"]:
        return False
    if re.match(r"[a-z]{2,}\s", later["text"]):
        return True
    begins = GOES_ON.match(later["text"]) or re.search(r"[^\W\d_]-$", earlier["end"])
    return not ENDS.search(earlier["end"]) and bool(begins)


def is_person(text: str) -> bool:
    """Whether a text begins with a person's name as reference lists print it."""
    return bool(PERSON.match(text.lstrip()))


def numbered_starts(text: str) -> list[int]:
    """Where entries begin whose numbers follow each other in one form of print."""
    starts: list[int] = []
    expected = form = -1
    for mark in MARK.finditer(text):
        kind = next(n for n in [1, 2, 3, 4] if mark[n] is not None)
        number, before = int(mark[kind]), text[max(0, mark.start() - 80) : mark.start()].rstrip(" \t")
        named = kind == 1 or is_person(text[mark.end() : mark.end() + 300])
        if not starts:
            ok = (not before.strip() and mark.start() <= 80) or (
                before.endswith("\n") and bool(CLOSED.search(before)) and named
            )
        else:
            ok = (number, kind) == (expected, form) and (
                before.endswith("\n") or (bool(CLOSED.search(before)) and named)
            )
        if ok:
            starts.append(mark.start())
            expected, form = number + 1, kind
    return starts


def line_starts(text: str) -> list[int]:
    """Where lines begin an unnumbered entry."""
    starts = [0]
    dated = YEAR_FIRST.match(text)
    for line in re.finditer(r"\n[ \t]*(?=\S)", text):
        rest = text[line.end() : line.end() + 400]
        begins = YEAR_FIRST.match(rest) if dated else is_person(rest)
        if begins and CLOSED.search(text[max(0, line.start() - 80) : line.start()]):
            starts.append(line.end())
    return starts


def find_entries(blocks: list[Block], read: Any) -> list[dict[str, Any]]:
    """Reference entries: block ids, start and end in the block when it holds several, and `tail` for the end of one."""
    numbers = [bool(FIRST_NUMBER.match(block["text"])) for block in blocks]
    numbered = sum(numbers) > len(blocks) / 2
    entries: list[dict[str, Any]] = []
    for block, has_number in zip(blocks, numbers, strict=True):
        text = read(block["id"])
        starts = numbered_starts(text) or line_starts(text)
        edges = [0] + [start for start in starts[:] if text[:start].strip()] + [len(text)]
        before = entries[-1] if entries else None
        if not before:
            tail = False
        elif numbered:
            tail = not has_number
        else:
            tail = not before["closed"] and not is_person(block["text"]) and bool(INSIDE.match(text))
        closed = text.rstrip().endswith(".")
        if len(edges) > 2:
            for n in range(len(edges) - 1):
                entries.append({"blocks": [block["id"]], "start": edges[n], "end": edges[n + 1],
                                "tail": tail and n == 0, "closed": closed})  # fmt: skip
        elif before and tail and before["start"] is None:
            before["blocks"].append(block["id"])
            before["closed"] = closed
        else:
            entries.append({"blocks": [block["id"]], "start": None, "end": None, "tail": tail, "closed": closed})
    return entries
