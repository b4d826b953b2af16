"""Labels of OCR engines. A label not listed here is read as text."""

from __future__ import annotations

PICTURES = frozenset({"image", "figure", "chart", "picture", "figure_image"})
LOGOS = PICTURES | {"icon", "logo"}
TABLES = frozenset({"table", "table_body"})
CAPTIONS = frozenset(
    {"figure_title", "table_title", "chart_title", "figure_caption", "table_caption", "image_caption", "caption"}
)
HEADINGS = frozenset({"title", "sub_title", "section_header", "paragraph_title", "heading", "section_title"})
FORMULAS = frozenset({"equation", "formula", "isolate_formula", "equation_block"})
NOTES = frozenset({"footnote", "page_footnote", "table_footnote"})
FURNITURE = frozenset(
    {"header", "footer", "page_header", "page_footer", "page_number", "number", "aside_text", "watermark", "seal"}
)
REFERENCES = frozenset({"reference"})  # one entry of the reference list each; "ref_text" may hold several
FRONT_MATTER = frozenset({"author", "affiliation", "contact", "abstract", "keywords"})
"""Parts of the front matter, where a source tells them apart; "author" may hold several names."""
FRONT_NOTES = frozenset({"author", "affiliation", "contact", "front_note"})
"""Parts of the front matter that are no abstract, wherever they are printed: "front_note" is a date, a licence, ..."""
NO_TEXT = {
    "metadata": "data about the paper",
    "other_article": "of another article in the same file",
    "figure_text": "printed inside of a picture",
    "line_number": "line numbers",
    "hidden_text": "hidden text",
    "contents": "printed table of contents",
}
"""What a file says beside the text of the paper, and why such a block is left out."""

CONTINUED = r"continued|continuation|cont['’]?d|cont|continuación|continua(?:ção|zione)|conclusão|fortsetzung|suite"
"""The words, as a pattern, with which a caption says that a table or a figure goes on from a page before."""

FIGURES_ELSEWHERE = r"[图圖図]|그림|рис(?:унок)?|الشكل|شكل"
"""How captions of figures begin in other scripts, as a pattern: Chinese, Japanese, Korean, Russian, Arabic."""

TABLES_ELSEWHERE = r"表|표|табл(?:ица)?|الجدول|جدول"
"""The same for tables."""
