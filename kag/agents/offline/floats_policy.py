"""Step 2: figures, tables and their captions. `blocks` in reading order, noise left out."""

import re
from typing import Any

Block = dict[str, Any]

IMAGES = ["image", "figure", "chart", "picture", "figure_image"]
TABLES = ["table", "table_body"]
CAPTIONS = ["figure_title", "table_title", "chart_title", "figure_caption", "table_caption", "image_caption", "caption"]
FIGURE_WORDS = r"fig(?:ure|s)?|scheme|chart|plate|photo|image|illustration|graph|map|video|movie|abbildung|abb"
TABLE_WORDS = r"table|tab|tabelle|box"
LABEL = re.compile(
    r"^\W*(?P<label>(?:supplementa(?:ry|l)|extended data|supporting|online)?\s*(?P<word>"
    + FIGURE_WORDS
    + "|"
    + TABLE_WORDS
    + r")\b\s*\.?\s*(?P<number>[A-Z]{0,2}\.?\s?\d{1,3}(?:[.-]\d{1,3})?|[IVXL]{1,6}(?![a-z])|[A-Z](?![A-Za-z]))"
    + r"(?:\s*[—–-]+\s*figure supplement\s+(?P<supplement>\d{1,2}))?)(?P<rest>.*)",
    re.I | re.S,
)
PANEL = re.compile(r"^\W*(?:[A-Za-z]|[ivx]{1,4})\W*$")


def float_label(text: str) -> dict[str, str] | None:
    """Kind, number, printed label and what follows it, of a caption that begins with one."""
    found = LABEL.match(text)
    if not found:
        return None
    kind = "table" if re.fullmatch(TABLE_WORDS, found["word"], re.I) else "figure"
    number = re.sub(r"\s", "", found["number"])
    if re.match(r"\s*suppl", found["label"], re.I) and not number.upper().startswith("S"):
        number = "S" + number
    if found["supplement"]:
        number += "-s" + found["supplement"]
    return {"kind": kind, "number": number, "label": found["label"].strip(), "rest": found["rest"]}


def is_panel_letter(block: Block) -> bool:
    """A letter printed beside a panel and set as a caption of its own."""
    return block["label"] in CAPTIONS and bool(PANEL.match(block["text"]))


def is_caption(block: Block) -> bool:
    """Whether a block is set as a caption, or worded as one: "Figure 2. Yields", never "Figure 2 shows"."""
    if block["label"] in CAPTIONS:
        return bool(block["text"]) and not PANEL.match(block["text"])
    if block["label"] not in ["text", "sub_title"]:
        return False
    label = float_label(block["text"])
    return bool(label and re.match(r"\s*[.:|]\s*(?:[A-Z(\d]|$)|\s*$", label["rest"]))


def find_captions(blocks: list[Block]) -> list[dict[str, Any]]:
    """Captions with kind, label and place; a bare label and the caption block behind it are one."""
    found: list[dict[str, Any]] = []
    for place, block in enumerate(blocks):
        if not is_caption(block):
            continue
        label = float_label(block["text"])
        last = found[-1] if found else None
        if last and label is None and last["bare"] and last["end"] == place - 1 and last["page"] == block["page"]:
            last["blocks"].append(block["id"])
            last["end"], last["bare"] = place, False
            continue
        kind = label["kind"] if label else "table" if block["label"].startswith("table") else ""
        bare = bool(label and not re.search(r"\w", label["rest"]))
        found.append({"blocks": [block["id"]], "label": label, "kind": kind, "bare": bare, "page": block["page"],
                      "start": place, "end": place})  # fmt: skip
    return found


def find_bodies(blocks: list[Block]) -> list[dict[str, Any]]:
    """Pictures and tables; pictures with nothing but panel letters between them are one figure."""
    bodies: list[dict[str, Any]] = []
    letters = 0
    for place, block in enumerate(blocks):
        body = {"blocks": [block["id"]], "page": block["page"], "start": place, "end": place, "caption": None}
        if block["label"] in IMAGES and block["boxes"] and not block["table"]:
            last = bodies[-1] if bodies else None
            near = last and last["kind"] == "figure" and last["page"] == block["page"]
            if last and near and last["end"] + letters + 1 == place:
                last["blocks"].append(block["id"])
                last["end"] = place
            else:
                bodies.append({**body, "kind": "figure", "start": place - letters})
            letters = 0
        elif block["label"] in TABLES or (block["table"] and block["label"] not in CAPTIONS):
            bodies.append({**body, "kind": "table"})
            letters = 0
        else:
            letters = letters + 1 if is_panel_letter(block) else 0
    return bodies


def match_beside(caption: dict[str, Any], bodies: list[dict[str, Any]], gap: int, usual: bool) -> bool:
    """Match with a free float at most `gap` blocks away: below figures and above tables, or else the other side."""
    for body in bodies:
        if body["caption"] or (caption["kind"] or body["kind"]) != body["kind"] or body["page"] != caption["page"]:
            continue
        below = 0 < caption["start"] - body["end"] <= gap
        above = 0 < body["start"] - caption["end"] <= gap
        if below if (body["kind"] == "figure") == usual else above:
            body["caption"] = caption
            return True
    return False


def match_near(caption: dict[str, Any], bodies: list[dict[str, Any]]) -> None:
    """Match with the nearest free float of the kind, on the page or on one beside it."""
    best = None
    for body in bodies:
        pages = abs(body["page"] - caption["page"])
        if body["caption"] is None and (caption["kind"] or body["kind"]) == body["kind"] and pages <= 1:
            distance = pages * 10000 + abs(body["start"] - caption["start"])
            if best is None or distance < best[0]:
                best = (distance, body)
    if best:
        best[1]["caption"] = caption


def find_floats(blocks: list[Block]) -> list[dict[str, Any]]:
    """Figures and tables: kind, block ids, and the caption with its block ids and label, if any."""
    free, bodies = find_captions(blocks), find_bodies(blocks)
    for gap in [1, 3]:
        for usual in [True, False]:
            free = [caption for caption in free if not match_beside(caption, bodies, gap, usual)]
    for caption in free:
        match_near(caption, bodies)
    return bodies
