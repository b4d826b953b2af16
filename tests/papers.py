"""A small paper in DeepSeek-OCR form, for tests that need a whole one."""

from __future__ import annotations

from pathlib import Path

PAGES = (
    (
        ("title", "[[100, 60, 900, 100]]", "# Sensors under river ice"),
        ("text", "[[100, 110, 900, 130]]", "Ana Lima \\( ^{1} \\), Jon Berg \\( ^{2} \\)"),
        ("sub_title", "[[100, 150, 300, 170]]", "## Abstract"),
        ("text", "[[100, 180, 900, 260]]", "River ice hides sensors from the sky. We measured how many of them fail."),
        ("sub_title", "[[100, 280, 300, 300]]", "## 1 Introduction"),
        (
            "text",
            "[[100, 310, 490, 500], [510, 310, 900, 400]]",
            "Sensors fail under ice [1, 2]. Losses are given in Table 1 and drawn in Fig. 1, as was",
        ),
        ("image", "[[510, 420, 900, 600]]", ""),
        ("figure_title", "[[510, 610, 900, 640]]", "Fig. 1. Sensors lost in each month."),
        ("text", "[[100, 960, 500, 975]]", "Journal of Ice 4 1"),
    ),
    (
        ("text", "[[100, 80, 900, 120]]", "expected from earlier winters [2]."),
        ("sub_title", "[[100, 130, 300, 150]]", "## 2 Methods"),
        ("sub_title", "[[100, 160, 300, 180]]", "## 2.1 Sites"),
        ("text", "[[100, 190, 900, 250]]", "Twelve sites were chosen along the river."),
        ("table_title", "[[100, 260, 900, 280]]", "Table 1. Losses by site."),
        (
            "table",
            "[[100, 290, 900, 400]]",
            "<table><tr><th>Site</th><th>Lost</th></tr><tr><td>Upper</td><td>3</td></tr></table>",
        ),
        ("equation", "[[100, 410, 900, 440]]", "\\[ n = \\frac{a}{b} \\]"),
        ("sub_title", "[[100, 460, 300, 480]]", "## References"),
        ("text", "[[100, 490, 900, 520]]", "[1] Poe E. Ice on rivers. Rivers. 1999;3:1-9."),
        (
            "text",
            "[[100, 530, 900, 600]]",
            "[2] Roe E. Snow on rivers. Rivers. 2000;4:10-19.\n[3] Doe J. Fog on rivers. Rivers. 2001;5:20-29.",
        ),
        ("text", "[[100, 960, 500, 975]]", "Journal of Ice 4 2"),
    ),
)


def write_paper(folder: Path, pages=PAGES) -> Path:
    """Write the paper's pages into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, blocks in enumerate(pages, start=1):
        text = "\n\n".join(f"<|ref|>{label}<|/ref|><|det|>{boxes}<|/det|>\n{words}" for label, boxes, words in blocks)
        (folder / f"page_{number:03d}.md").write_text(text + "\n", encoding="utf-8")
    return folder
