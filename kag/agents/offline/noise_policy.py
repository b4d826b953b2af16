"""Step 1: what is no part of the paper. `blocks` are the slim blocks of the prompt, in reading order."""

import re
from typing import Any

Block = dict[str, Any]

FURNITURE = [
    "header",
    "footer",
    "page_header",
    "page_footer",
    "page_number",
    "number",
    "aside_text",
    "watermark",
    "seal",
]
PICTURES = ["image", "figure", "chart", "picture", "figure_image", "icon", "logo"]
PAGE_NUMBER = re.compile(r"^\W*(?:page\s*|p\.\s*|s)?(?:\d{1,5}|[ivxlc]{1,7})(?:\s*(?:of|/)\s*\d{1,5})?\W*$", re.I)


def pattern(text: str) -> str:
    """What stays the same from page to page: the words without their numbers."""
    return re.sub(r"[\d\W]+", " ", text).strip().lower()


def in_margin(block: Block) -> bool:
    """Whether a short text lies wholly above or below the text area (thousandths of the page)."""
    if not block["boxes"] or block["chars"] > 200 or block["label"] in ["image", "figure", "table", "title"]:
        return False
    return all(box[3] <= 75 for box in block["boxes"]) or all(box[1] >= 930 for box in block["boxes"])


def same_words(one: Block, other: Block) -> bool:
    """Whether two blocks print the same, by three quarters of the words of their beginnings."""
    first = set(re.findall(r"[^\W\d_]{2,}", one["text"].lower()))
    second = set(re.findall(r"[^\W\d_]{2,}", other["text"].lower()))
    lengths = sorted([one["chars"], other["chars"]])
    return bool(first) and len(first & second) >= 0.75 * len(first | second) and lengths[0] >= 0.6 * lengths[1]


def running_heads(blocks: list[Block]) -> dict[str, str]:
    """Blocks labelled as page furniture, page numbers, and margin lines that repeat on other pages."""
    found = {}
    pages: dict[str, set[int]] = {}
    margin = [block for block in blocks if in_margin(block)]
    for block in margin:
        pages.setdefault(pattern(block["text"]), set()).add(block["page"])
    for block in blocks:
        if block["label"] in FURNITURE:
            found[block["id"]] = "page number" if PAGE_NUMBER.match(block["text"]) else "running head"
    for block in margin:
        if PAGE_NUMBER.match(block["text"]):
            found[block["id"]] = "page number"
        elif block["text"] and len(pages[pattern(block["text"])]) > 1:
            found[block["id"]] = "running head"
    return found


def blank(blocks: list[Block]) -> dict[str, str]:
    """Blocks that print nothing, and pictures too small to be figures."""
    found = {}
    for block in blocks:
        picture = block["label"] in PICTURES
        if not block["chars"] and not block["table"]:
            if not (picture and block["boxes"]):
                found[block["id"]] = "picture without a readable box" if picture else "empty"
            elif picture and all(box[2] - box[0] < 60 and box[3] - box[1] < 60 for box in block["boxes"]):
                found[block["id"]] = "logo"
    return found


def repeated_cover(blocks: list[Block]) -> dict[str, str]:
    """What a cover page printed and the paper prints again behind it."""
    titles = [block for block in blocks if block["label"] == "title" and block["page"] <= 3]
    again = [b["page"] for b in titles[1:] if b["page"] != titles[0]["page"] and same_words(b, titles[0])]
    found = {}
    for block in blocks:
        if block["page"] in again and block["text"]:
            earlier = [other for other in blocks if other["page"] < block["page"]]
            if any(same_words(block, other) for other in earlier):
                found[block["id"]] = "printed before on the cover"
    return found


def find_noise(blocks: list[Block]) -> dict[str, str]:
    """Block id -> why the block is left out."""
    return {**running_heads(blocks), **blank(blocks), **repeated_cover(blocks)}
