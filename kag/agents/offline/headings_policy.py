"""Step 3: headings and how they nest: by their numbers, else by the standard parts of a paper."""

import re
from typing import Any

Block = dict[str, Any]

HEADINGS = ["sub_title", "section_header", "paragraph_title", "heading", "section_title", "title"]
NUMBER = re.compile(
    r"^(?:section\s+|appendix\s+|chapter\s+)?((?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,4})[.):]?\s+(?=\S)", re.I
)
ROMAN = re.compile(r"^((?:X{0,3})(?:IX|IV|V?I{0,3}))[.):]\s+(?=\S)")
PARTS = (
    "|abstract|summary|author summary|authors summary|executive summary|plain language summary|lay summary"
    "|elife digest|digest|editors summary|highlights|graphical abstract|significance statement|article info|keywords"
    "|introduction|background|materials and methods|material and methods|methods and materials|methods|method"
    "|methodology|patients and methods|subjects and methods|participants and methods|experimental"
    "|experimental section|experimental procedures|online methods|star methods|results|findings"
    "|results and discussion|results and discussions|discussion|discussion and conclusion|discussion and conclusions"
    "|discussion and outlook|general discussion|conclusion|conclusions|concluding remarks|conclusions and outlook"
    "|conclusion and outlook|conclusions and future work|conclusion and future work|related work|future work"
    "|limitations|statement of need|references|references and notes|notes and references|literature cited"
    "|bibliography|works cited|literature|acknowledgments|acknowledgements|acknowledgment|acknowledgement"
    "|supporting information|supplementary material|supplementary materials|supplementary information"
    "|supplementary data|supplemental information|supplemental material|supplemental data"
    "|electronic supplementary material|additional information|additional files"
    "|additional information and declarations|associated content|supplement|funding|funding information"
    "|funding statement|financial support|author contributions|authors contributions|contributors|contributions"
    "|credit authorship contribution statement|author information|competing interests|competing interest"
    "|conflict of interest|conflicts of interest|conflict of interest statement|conflict of interests"
    "|declaration of interests|declaration of interest|declaration of competing interest|disclosures|disclosure"
    "|declarations|ethics declarations|data availability|data availability statement|data and code availability"
    "|code availability|availability of data and materials|abbreviations|nomenclature|glossary|notes|footnotes"
    "|disclaimer|peer review|"
)
ABSTRACTS = "|abstract|summary|author summary|authors summary|editors summary|executive summary|"
ABSTRACT_LABELS = (
    "|background|context|introduction|purpose|objective|objectives|aim|aims|motivation|importance|rationale|design"
    "|setting|participants|patients|methods|method|methods and findings|methodology|methodology principal findings"
    "|materials and methods|principal findings|results|findings|main results|main outcome measures|outcomes|conclusion"
    "|conclusions|significance|conclusions significance|conclusions and significance|interpretation|implications"
    "|trial registration|registration|discussion|funding|additional information|availability and implementation"
    "|availability|contact|limitations|"
)


def is_heading(block: Block) -> bool:
    """Whether a block is set as a heading and its words could be one; letters may be spaced."""
    if not (block["label"] in HEADINGS or (block["level"] and block["label"] == "text")) or block["table"]:
        return False
    return block["chars"] <= 300 and bool(re.search(r"[^\W\d_]{2}|(?:\b[^\W\d_]\s){3}", block["text"]))


def printed_number(title: str) -> str:
    """The number printed before a heading: "2.1", "A.3", "IV"."""
    found = NUMBER.match(title)
    if found and (found[1][0].isdigit() or "." in found[1] or title[found.end(1)] in ".):"):
        return found[1]
    roman = ROMAN.match(title)
    return roman[1] if roman else ""


def letters(title: str) -> str:
    """The title in plain lower-case words, without its number and a remark in brackets."""
    text = re.sub(r"\([^()]*\)\s*$", "", title[len(printed_number(title)) :])
    text = text.lower().replace("'", "").replace("’", "").replace("&", " and ")
    text = re.sub(r"[^a-z]+", " ", text).strip()
    return text.replace(" ", "") if re.fullmatch(r"(?:[a-z] ){3,}[a-z]", text) else text


def is_one_of(words: str, titles: str) -> bool:
    """Whether words are one of the titles of a list."""
    return bool(words) and f"|{words}|" in titles


def is_part(title: str) -> bool:
    """Whether a title names a standard part of a paper."""
    return is_one_of(letters(title), PARTS) or bool(re.match(r"appendi(?:x|ces)\b", letters(title)))


def is_abstract_label(title: str) -> bool:
    """Whether a title is one of those that part a structured abstract."""
    return is_one_of(letters(title), ABSTRACT_LABELS) or title.rstrip().endswith("?")


def abstract_parts(heads: list[Block], adjacent: list[bool]) -> list[bool]:
    """Which headings are parts of a structured abstract: each label once, the first right under "Abstract"."""
    found: list[bool] = []
    seen: list[str] | None = None
    for n, head in enumerate(heads):
        label = letters(head["text"])
        opens = n > 0 and adjacent[n] and is_one_of(letters(heads[n - 1]["text"]), ABSTRACTS)
        if opens and is_abstract_label(head["text"]):
            seen = [label]
        elif seen is not None and label not in seen and label != "introduction" and is_abstract_label(head["text"]):
            seen.append(label)
        else:
            seen = None
        found.append(seen is not None)
    return found


def depths_by_number(heads: list[Block], inner: list[bool]) -> list[int]:
    """Depth is the number of parts of the number; standard parts without one are top-level."""
    numbers = [printed_number(head["text"]) for head in heads]
    last = max(n for n, number in enumerate(numbers) if number)
    depths: list[int] = []
    inside = 0
    for n, head in enumerate(heads):
        if numbers[n]:
            depth = numbers[n].count(".") + 1
            inside = depth + 1
        elif inner[n]:
            depth = 2
        elif is_part(head["text"]) or n > last or not inside:
            depth = 1
        else:
            depth = inside
        depths.append(depth)
    return depths


def line_height(block: Block) -> float:
    """Height of a printed line; more lines where the words need them."""
    box = block["boxes"][0]
    lines = max(1, round(block["chars"] * 9 / max(box[2] - box[0], 1)))
    height: float = (box[3] - box[1]) / lines
    return height


def others_are_below(heads: list[Block], parts: list[bool]) -> bool:
    """Whether headings that are no standard parts are subsections."""
    standard = [head for head, part in zip(heads, parts, strict=True) if part]
    others = [head for head, part in zip(heads, parts, strict=True) if not part]
    if not standard or not others:
        return False
    if all(h["text"].upper() == h["text"] for h in standard) and not any(
        h["text"].upper() == h["text"] for h in others
    ):
        return True
    words = [word for head in standard for word in letters(head["text"]).split()]
    if "results" in words or "methods" in words or "discussion" in words:
        return True
    big = [line_height(head) for head in standard if head["boxes"]]
    small = [line_height(head) for head in others if head["boxes"]]
    return bool(big and small) and sum(small) / len(small) < sum(big) / len(big) - 2.5


def depths_by_part(heads: list[Block], adjacent: list[bool], inner: list[bool]) -> list[int]:
    """Standard parts are top-level; where a paper has the usual ones, all other headings lie below."""
    parts = [is_part(head["text"]) for head in heads]
    usual = 2 if others_are_below(heads, parts) else 1
    depths: list[int] = []
    lowest = usual  # one deeper behind a heading that another is printed right under
    for n in range(len(heads)):
        opens = n + 1 < len(heads) and adjacent[n + 1] and not parts[n + 1]
        if inner[n]:
            depth = 2
        elif parts[n] or n == 0:
            depth, lowest = 1, usual
        elif opens:
            depth, lowest = usual, usual + 1
        else:
            depth = lowest
        depths.append(depth)
    return depths


def find_sections(blocks: list[Block], taken: list[str]) -> list[dict[str, Any]]:
    """Sections in reading order: heading (None before the first), number, depth, parent (an index), blocks.

    `taken` are the ids of blocks that cannot be headings: floats, captions, the paper's title.
    """
    heads = [block for block in blocks if is_heading(block) and block["id"] not in taken]
    place = {block["id"]: n for n, block in enumerate(blocks)}
    adjacent = [n > 0 and place[h["id"]] == place[heads[n - 1]["id"]] + 1 for n, h in enumerate(heads)]
    inner = abstract_parts(heads, adjacent)
    numbered = [head for head in heads if printed_number(head["text"])]
    by_number = len(numbered) >= 2 and len(numbered) * 3 >= len(heads)
    depths = depths_by_number(heads, inner) if by_number else depths_by_part(heads, adjacent, inner)
    rank = {head["id"]: depth for head, depth in zip(heads, depths, strict=True)}
    sections: list[dict[str, Any]] = []
    path: list[int] = []
    for block in blocks:
        if block["id"] not in rank:
            if not sections:
                title = "Front matter" if heads else "Text"
                sections.append(
                    {"heading": None, "title": title, "number": "", "depth": 1, "parent": None, "blocks": []}
                )
            sections[-1]["blocks"].append(block)
            continue
        while path and sections[path[-1]]["depth"] >= rank[block["id"]]:
            path.pop()
        parent = path[-1] if path else None
        depth = sections[parent]["depth"] + 1 if parent is not None else 1
        path.append(len(sections))
        number = printed_number(block["text"]) if by_number else ""
        sections.append({"heading": block, "title": block["text"], "number": number, "depth": depth,
                         "parent": parent, "blocks": []})  # fmt: skip
    return sections
