"""One small paper in every form that a file may have: what the forms have in common is what all sources must give."""

from __future__ import annotations

import json
from typing import Any

from tests.printed_pdf import Printed, pdf_of

TITLE = "Sensors under river ice"
AUTHORS = "Ana Lima, Jon Berg"
ABSTRACT = "River ice hides sensors from the sky."
INTRODUCTION = "Sensors fail under ice [1, 2], as Table 1 and Fig. 1 show."
SITES = "Twelve sites were chosen along the river."
FIGURE = "Fig. 1. Sensors lost in each month."
TABLE = "Table 1. Losses by site."
CELLS = (("Site", "Lost"), ("Upper", "3"), ("Lower", "4"))
FORMULA = "n = a + b"
ENTRIES = ("[1] Poe E. Ice on rivers. Rivers. 1999;3:1-9.", "[2] Roe E. Snow on rivers. Rivers. 2000;4:10-19.")
HEAD = "Journal of Ice 4"
HEADINGS = ("Abstract", "1 Introduction", "2 Methods", "2.1 Sites", "References")
LEVELS = {"Abstract": 1, "1 Introduction": 1, "2 Methods": 1, "2.1 Sites": 2, "References": 1}

WIDE, HIGH = 600.0, 800.0
BOXES = {  # in thousandths: left, top, right, bottom
    TITLE: (100, 60, 900, 100), AUTHORS: (100, 110, 900, 130), "Abstract": (100, 150, 300, 170),
    ABSTRACT: (100, 180, 900, 260), "1 Introduction": (100, 280, 300, 300), INTRODUCTION: (100, 310, 900, 400),
    "figure": (100, 420, 500, 600), FIGURE: (100, 610, 500, 640), HEAD: (100, 960, 500, 975),
    "2 Methods": (100, 130, 300, 150), "2.1 Sites": (100, 160, 300, 180), SITES: (100, 190, 900, 250),
    TABLE: (100, 260, 900, 280), "table": (100, 290, 900, 400), FORMULA: (100, 410, 900, 440),
    "References": (100, 460, 300, 480), ENTRIES[0]: (100, 490, 900, 520), ENTRIES[1]: (100, 530, 900, 600),
}  # fmt: skip
PAGES = (
    (
        ("title", TITLE), ("text", AUTHORS), ("heading", "Abstract"), ("text", ABSTRACT),
        ("heading", "1 Introduction"), ("text", INTRODUCTION), ("figure", "figure"), ("head", HEAD),
    ),
    (
        ("heading", "2 Methods"), ("heading", "2.1 Sites"), ("text", SITES), ("table", "table"),
        ("formula", FORMULA), ("heading", "References"), ("entry", ENTRIES[0]), ("entry", ENTRIES[1]),
    ),
)  # fmt: skip
_HTML = "<table>" + "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in CELLS) + "</table>"


def _points(name: str) -> list[float]:
    x0, y0, x1, y1 = BOXES[name]
    return [x0 * WIDE / 1000, y0 * HIGH / 1000, x1 * WIDE / 1000, y1 * HIGH / 1000]


def _jats() -> str:
    cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in CELLS)
    entries = "".join(
        f'<ref id="b{n}"><label>[{n}]</label><mixed-citation>{entry[4:]}</mixed-citation></ref>'
        for n, entry in enumerate(ENTRIES, 1)
    )
    cites = '[<xref ref-type="bibr" rid="b1">1</xref>, <xref ref-type="bibr" rid="b2">2</xref>]'
    text = INTRODUCTION.replace("[1, 2]", cites).replace("Fig. 1", '<xref ref-type="fig" rid="f1">Fig. 1</xref>')
    return f"""<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS" "JATS-archivearticle1.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" xml:lang="en"><front><journal-meta><journal-title-group>
<journal-title>{HEAD}</journal-title></journal-title-group></journal-meta><article-meta>
<article-id pub-id-type="doi">10.1234/ice.4</article-id>
<title-group><article-title>{TITLE}</article-title></title-group>
<contrib-group>
<contrib contrib-type="author"><name><surname>Lima</surname><given-names>Ana</given-names></name></contrib>
<contrib contrib-type="author"><name><surname>Berg</surname><given-names>Jon</given-names></name></contrib>
</contrib-group><pub-date><year>2020</year></pub-date><abstract><p>{ABSTRACT}</p></abstract></article-meta></front>
<body><sec id="s1"><label>1</label><title>Introduction</title><p>{text}</p>
<fig id="f1"><label>Fig. 1</label><caption><p>Sensors lost in each month.</p></caption><graphic xlink:href="f1.jpg"/>
</fig></sec>
<sec><label>2</label><title>Methods</title><sec><label>2.1</label><title>Sites</title><p>{SITES}</p>
<table-wrap id="t1"><label>Table 1</label><caption><p>Losses by site.</p></caption><table>{cells}</table></table-wrap>
<disp-formula><mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML"><mml:mi>n</mml:mi><mml:mo> = </mml:mo>
<mml:mi>a</mml:mi><mml:mo>+</mml:mo><mml:mi>b</mml:mi></mml:math></disp-formula></sec></sec></body>
<back><ref-list>{entries}</ref-list></back></article>"""


def _tei(*, coords: bool) -> str:
    def at(name: str, page: int = 2) -> str:
        x0, y0, x1, y1 = _points(name)
        return f' coords="{page},{x0},{y0},{x1 - x0},{y1 - y0}"' if coords else ""

    surfaces = "".join(f'<surface n="{n}" ulx="0.0" uly="0.0" lrx="{WIDE}" lry="{HIGH}"/>' for n in (1, 2))
    rows = "".join(f"<row>{''.join(f'<cell>{cell}</cell>' for cell in row)}</row>" for row in CELLS)
    entries = "".join(
        f'<biblStruct xml:id="b{n}"{at(entry)}><note type="raw_reference">{entry}</note></biblStruct>'
        for n, entry in enumerate(ENTRIES)
    )
    text = INTRODUCTION.replace("[1, 2]", '<ref type="bibr" target="#b0">[1, 2]</ref>')
    return f"""<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt>
<title level="a" type="main"{at(TITLE, 1)}>{TITLE}</title></titleStmt><publicationStmt><p>{HEAD}</p></publicationStmt>
<sourceDesc><biblStruct><analytic><author><persName><forename>Ana</forename><surname>Lima</surname></persName></author>
<author><persName><forename>Jon</forename><surname>Berg</surname></persName></author></analytic>
</biblStruct></sourceDesc>
</fileDesc><profileDesc><abstract><p{at(ABSTRACT, 1)}>{ABSTRACT}</p></abstract></profileDesc></teiHeader>
<facsimile>{surfaces}</facsimile><text><body><div><head n="1"{at("1 Introduction", 1)}>Introduction</head>
<p{at(INTRODUCTION, 1)}>{text}</p><figure xml:id="f0"{at("figure", 1)}><head>Fig. 1.</head>
<figDesc>Sensors lost in each month.</figDesc></figure></div>
<div><head n="2"{at("2 Methods")}>Methods</head><div><head n="2.1"{at("2.1 Sites")}>Sites</head>
<p{at(SITES)}>{SITES}</p><figure type="table" xml:id="t0"{at("table")}><head>Table 1.</head>
<figDesc>Losses by site.</figDesc><table>{rows}</table></figure><formula{at(FORMULA)}>{FORMULA}</formula></div></div>
</body><back><div type="references"><listBibl>{entries}</listBibl></div></back></text></TEI>"""


def _markdown() -> str:
    rows = ["| " + " | ".join(row) + " |" for row in CELLS]
    table = "\n".join([rows[0], "|---|---|", *rows[1:]])
    pieces = []
    for kind, name in (block for page in PAGES for block in page):
        hashes = "#" * (LEVELS.get(name, 0) + 1)
        made = {
            "title": f"# {name}", "heading": f"{hashes} {name}", "figure": f"![{FIGURE}](f1.png)",
            "table": f"{TABLE}\n\n{table}", "formula": f"$${name}$$", "head": "",
        }  # fmt: skip
        pieces.append(made.get(kind, f"* {name}" if kind == "entry" else name))
    return "\n\n".join(filter(None, pieces)) + "\n"


def _docling() -> dict[str, Any]:
    labels = {
        "title": "title",
        "heading": "section_header",
        "head": "page_header",
        "entry": "list_item",
        "formula": "formula",
    }
    data: dict[str, Any] = {
        "schema_name": "DoclingDocument", "version": "1.10.0", "texts": [], "tables": [], "pictures": [], "groups": [],
        "body": {"self_ref": "#/body", "children": []},
        "pages": {str(n): {"page_no": n, "size": {"width": WIDE, "height": HIGH}} for n in (1, 2)},
    }  # fmt: skip

    def prov(name: str, page: int) -> list[dict[str, Any]]:
        x0, y0, x1, y1 = _points(name)
        box = {"l": x0, "t": HIGH - y0, "r": x1, "b": HIGH - y1, "coord_origin": "BOTTOMLEFT"}
        return [{"page_no": page, "bbox": box, "charspan": [0, 1]}]

    def text(label: str, name: str, page: int) -> dict[str, str]:
        ref = f"#/texts/{len(data['texts'])}"
        level = {"level": LEVELS[name]} if label == "section_header" else {}
        layer = "furniture" if label == "page_header" else "body"
        row = {
            "self_ref": ref,
            "label": label,
            "text": name,
            "orig": name,
            "prov": prov(name, page),
            "content_layer": layer,
        }
        data["texts"].append({**row, "children": [], **level})
        return {"$ref": ref}

    for page, blocks in enumerate(PAGES, start=1):
        for kind, name in blocks:
            if kind == "figure":
                made = {"label": "picture", "captions": [text("caption", FIGURE, page)], "prov": prov(name, page)}
                data["pictures"].append(made)
                data["body"]["children"].append({"$ref": f"#/pictures/{len(data['pictures']) - 1}"})
            elif kind == "table":
                cells = [
                    {"text": cell, "start_row_offset_idx": y, "start_col_offset_idx": x, "row_span": 1, "col_span": 1}
                    for y, row in enumerate(CELLS)
                    for x, cell in enumerate(row)
                ]
                caption = text("caption", TABLE, page)
                made = {
                    "label": "table",
                    "captions": [caption],
                    "prov": prov(name, page),
                    "data": {"table_cells": cells},
                }
                data["tables"].append(made)
                data["body"]["children"].append({"$ref": f"#/tables/{len(data['tables']) - 1}"})
            else:
                data["body"]["children"].append(text(labels.get(kind, "text"), name, page))
    return data


def _doctags() -> str:
    def loc(name: str) -> str:
        return "".join(f"<loc_{round(side / 2)}>" for side in BOXES[name])

    tags = {"title": "title", "text": "text", "head": "page_header", "entry": "list_item", "formula": "formula"}
    pieces = []
    for page in PAGES:
        for kind, name in page:
            tag = f"section_header_level_{LEVELS[name]}" if kind == "heading" else tags.get(kind, "")
            if kind == "figure":
                made = f"<picture>{loc(name)}<caption>{loc(FIGURE)}{FIGURE}</caption></picture>"
            elif kind == "table":
                rows = "".join("".join(f"<fcel>{cell}" for cell in row) + "<nl>" for row in CELLS)
                made = f"<otsl>{loc(name)}{rows}<caption>{loc(TABLE)}{TABLE}</caption></otsl>"
            else:
                made = f"<{tag}>{loc(name)}{name}</{tag}>"
            pieces.append(made)
        pieces.append("<page_break>")
    return "<doctag>" + "\n".join(pieces[:-1]) + "</doctag>"


def _mineru(kind: str, name: str) -> dict[str, Any]:
    """A block of a list of contents, without its place."""
    if kind in ("title", "heading"):
        return {"type": "text", "text": name, "text_level": LEVELS.get(name, 1)}
    if kind == "figure":
        return {"type": "image", "img_path": "", "image_caption": [FIGURE], "image_footnote": []}
    if kind == "table":
        return {"type": "table", "table_caption": [TABLE], "table_body": _HTML, "table_footnote": []}
    if kind == "formula":
        return {"type": "equation", "text": f"$$\n{name}\n$$", "text_format": "latex"}
    kinds = {"head": "header", "entry": "ref_text"}
    return {"type": kinds.get(kind, "text"), "text": name}


def _mineru_list() -> list[dict[str, Any]]:
    return [
        {**_mineru(kind, name), "bbox": list(BOXES[name]), "page_idx": page}
        for page, blocks in enumerate(PAGES)
        for kind, name in blocks
    ]


def _mineru_two() -> list[list[dict[str, Any]]]:
    def block(kind: str, name: str) -> dict[str, Any]:
        runs = [{"type": "text", "content": name}]
        made = {
            "title": ("title", {"title_content": runs, "level": 1}),
            "heading": ("title", {"title_content": runs, "level": LEVELS.get(name, 1)}),
            "figure": ("image", {"image_source": {"path": ""}, "image_caption": [{"type": "text", "content": FIGURE}]}),
            "table": ("table", {"html": _HTML, "table_caption": [{"type": "text", "content": TABLE}]}),
            "formula": ("equation_interline", {"math_content": name, "math_type": "latex"}),
            "head": ("page_header", {"page_header_content": runs}),
            "entry": ("list", {"list_items": [{"item_type": "text", "item_content": runs}]}),
        }.get(kind, ("paragraph", {"paragraph_content": runs}))
        return {"type": made[0], "content": made[1], "bbox": list(BOXES[name])}

    return [[block(kind, name) for kind, name in page] for page in PAGES]


def _nested(unit: str) -> list[list[dict[str, Any]]]:
    """Blocks of lines of spans, places in points or in shares of 1."""

    def place(name: str) -> list[float]:
        return _points(name) if unit == "points" else [side / 1000 for side in BOXES[name]]

    def row(kind: str, name: str, words: str, **more: str) -> dict[str, Any]:
        span = {"type": "text", "content": words, "bbox": place(name), **more}
        return {"type": kind, "bbox": place(name), "lines": [{"bbox": place(name), "spans": [span]}]}

    def block(kind: str, name: str) -> dict[str, Any]:
        if kind == "figure":
            parts = [row("image_body", name, ""), row("image_caption", FIGURE, FIGURE)]
            return {"type": "image", "bbox": place(name), "blocks": parts}
        if kind == "table":
            parts = [row("table_caption", TABLE, TABLE), row("table_body", name, "", html=_HTML)]
            return {"type": "table", "bbox": place(name), "blocks": parts}
        level = {"level": LEVELS.get(name, 1)} if kind == "heading" else {}
        kinds = {
            "title": "doc_title",
            "heading": "title",
            "formula": "interline_equation",
            "head": "header",
            "entry": "ref_text",
        }
        return {**row(kinds.get(kind, "text"), name, name), **level}

    return [[block(kind, name) for kind, name in page] for page in PAGES]


def _middle() -> dict[str, Any]:
    pages = [
        {
            "page_idx": n,
            "page_size": [WIDE, HIGH],
            "para_blocks": [row for row in rows if row["type"] != "header"],
            "discarded_blocks": [row for row in rows if row["type"] == "header"],
        }
        for n, rows in enumerate(_nested("points"))
    ]
    return {"pdf_info": pages, "_backend": "pipeline"}


def _docvortex() -> dict[str, Any]:
    return {
        "schema": "docvortex.middle",
        "pages": [{"page_idx": n, "blocks": rows} for n, rows in enumerate(_nested("ones"))],
    }


def _marker(*, chunks: bool) -> dict[str, Any]:
    def block(kind: str, name: str, page: int) -> dict[str, Any]:
        made = {
            "title": ("SectionHeader", f"<h1>{name}</h1>"),
            "heading": ("SectionHeader", f"<h{LEVELS.get(name, 0) + 1}>{name}</h{LEVELS.get(name, 0) + 1}>"),
            "head": ("PageHeader", name), "entry": ("ListItem", f"<li>{name}</li>"),
            "formula": ("Equation", f'<math display="block">{name}</math>'),
            "figure": ("Figure", ""), "table": ("Table", _HTML), "caption": ("Caption", f"<p>{name}</p>"),
        }.get(kind, ("Text", f"<p>{name}</p>"))  # fmt: skip
        own = {"id": f"/page/{page}/{name}", "block_type": made[0], "html": made[1], "bbox": _points(name)}
        return {**own, "page": page} if chunks else {**own, "children": None}

    def group(kind: str, parts: list[dict[str, Any]], name: str, page: int) -> dict[str, Any]:
        return {
            "id": f"/g/{name}",
            "block_type": kind,
            "html": "",
            "bbox": _points(name),
            "children": parts,
            "page": page,
        }

    pages = []
    for page, blocks in enumerate(PAGES):
        rows = []
        for kind, name in blocks:
            row = block(kind, name, page)
            if kind == "figure":
                row = group("FigureGroup", [row, block("caption", FIGURE, page)], name, page)
            elif kind == "table":
                row = group("TableGroup", [block("caption", TABLE, page), row], name, page)
            rows.append(row)
        pages.append(rows)
    if chunks:
        info = {str(n): {"bbox": [0, 0, WIDE, HIGH]} for n in (0, 1)}
        return {"blocks": [row for rows in pages for row in rows], "page_info": info}
    made = [{"block_type": "Page", "id": f"/page/{n}", "html": "", "bbox": [0, 0, WIDE, HIGH], "children": rows}
            for n, rows in enumerate(pages)]  # fmt: skip
    return {"block_type": "Document", "children": made}


def _opendataloader() -> dict[str, Any]:
    kinds = {"title": "heading", "heading": "heading", "text": "paragraph", "head": "header", "entry": "list item"}
    kids: list[dict[str, Any]] = []

    def kid(kind: str, name: str, page: int, **more: Any) -> int:
        x0, y0, x1, y1 = _points(name)
        row = {"type": kind, "id": len(kids) + 1, "page number": page, "bounding box": [x0, HIGH - y1, x1, HIGH - y0]}
        kids.append({**row, **more})
        return len(kids)

    for page, blocks in enumerate(PAGES, start=1):
        for kind, name in blocks:
            if kind == "figure":
                kid("caption", FIGURE, page, content=FIGURE, **{"linked content id": kid("image", name, page)})
            elif kind == "table":
                rows = [
                    {"cells": [{"kids": [{"type": "paragraph", "content": cell}]} for cell in row]} for row in CELLS
                ]
                kid("caption", TABLE, page, content=TABLE, **{"linked content id": kid("table", name, page, rows=rows)})
            else:
                level = {"heading level": LEVELS.get(name, 1)} if kind in ("title", "heading") else {}
                kid(kinds.get(kind, "formula"), name, page, content=name, **level)
    return {"file name": "ice.pdf", "pages": [{"width": WIDE, "height": HIGH}] * 2, "kids": kids}


def _mistral(*, blocks: bool) -> dict[str, Any]:
    corners = ("top_left_x", "top_left_y", "bottom_right_x", "bottom_right_y")

    def row(kind: str, name: str, content: str) -> dict[str, Any]:
        return {"type": kind, "content": content, **dict(zip(corners, map(round, _points(name)), strict=True))}

    def rows(kind: str, name: str) -> list[dict[str, Any]]:
        if kind == "figure":
            return [row("image", name, ""), row("caption", FIGURE, FIGURE)]
        if kind == "table":
            return [row("caption", TABLE, TABLE), row("table", name, _HTML)]
        kinds = {"head": "header", "entry": "references", "formula": "equation", "heading": "title", "title": "title"}
        hashes = "#" * LEVELS.get(name, 1) + " " if kind in ("title", "heading") else ""
        return [row(kinds.get(kind, "text"), name, hashes + name)]

    texts = _markdown().split("## 2 Methods")
    pages = []
    for n, page in enumerate(PAGES):
        made = {"index": n, "markdown": texts[n] if n == 0 else "## 2 Methods" + texts[n], "images": []}
        made["dimensions"] = {"dpi": 72, "width": WIDE, "height": HIGH}
        pages.append({**made, "blocks": [one for kind, name in page for one in rows(kind, name)]} if blocks else made)
    return {"pages": pages, "model": "ocr"}


def _olmocr() -> str:
    text = _markdown()
    cut = text.index("## 2 Methods")
    spans = [[0, cut, 1], [cut, len(text), 2]]
    row = {"id": "1", "text": text, "source": "olmocr", "attributes": {"pdf_page_numbers": spans}}
    return json.dumps(row) + "\n"


def _dump(value: object) -> str:
    return json.dumps(value, indent=1)


FORMS: dict[str, tuple[str, str, str]] = {  # name -> kind, file, text
    "jats": ("jats", "ice.xml", _jats()),
    "docling": ("docling", "ice.json", _dump(_docling())),
    "mineru-2": ("mineru-2", "ice_content_list_v2.json", _dump(_mineru_two())),
    "mineru": ("mineru", "ice_content_list.json", _dump(_mineru_list())),
    "mineru-4": ("mineru-4", "ice/middle_json.json", _dump(_docvortex())),
    "mineru-middle": ("mineru-middle", "ice_middle.json", _dump(_middle())),
    "marker": ("marker", "ice.json", _dump(_marker(chunks=False))),
    "marker-chunks": ("marker", "ice_chunks.json", _dump(_marker(chunks=True))),
    "opendataloader": ("opendataloader", "ice.json", _dump(_opendataloader())),
    "mistral": ("mistral", "ice.json", _dump(_mistral(blocks=True))),
    "doctags": ("doctags", "ice.doctags.txt", _doctags()),
    "tei": ("tei", "ice.tei.xml", _tei(coords=True)),
    "mistral-pages": ("mistral-pages", "ice.json", _dump(_mistral(blocks=False))),
    "tei-plain": ("tei-plain", "ice.tei.xml", _tei(coords=False)),
    "olmocr": ("olmocr", "ice.jsonl", _olmocr()),
    "markdown": ("markdown", "ice.md", _markdown()),
}
WITHOUT_BOXES = frozenset({"jats", "mistral-pages", "tei-plain", "olmocr", "markdown"})
WITHOUT_FURNITURE = frozenset({"mistral-pages", "olmocr", "markdown"})


def _pages_of_ocr() -> dict[str, bytes]:
    """A folder as DeepSeek-OCR writes it: a file for each page, a tag before each block."""
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in CELLS)
    files = {}
    for number, page in enumerate(PAGES, start=1):
        blocks = []
        for kind, name in page:
            label = {"title": "title", "heading": "sub_title", "figure": "image", "table": "table"}.get(kind, "text")
            label = {"head": "page_header", "formula": "equation", "entry": "text"}.get(kind, label)
            text = {"title": f"# {name}", "heading": f"{'#' * (LEVELS.get(name, 0) + 1)} {name}", "figure": ""}.get(
                kind, name
            )
            text = {"table": f"<table>{rows}</table>", "formula": f"\\[ {name} \\]"}.get(kind, text)
            beside = {"figure": ("figure_title", FIGURE), "table": ("table_title", TABLE)}.get(kind)
            tagged = [(label, name, text), *([(beside[0], beside[1], beside[1])] if beside else [])]
            blocks += [f"<|ref|>{one}<|/ref|><|det|>[{list(BOXES[at])}]<|/det|>\n{said}" for one, at, said in tagged]
        files[f"ice/page_{number:03d}.md"] = ("\n\n".join(blocks) + "\n").encode()
    return files


def _printed() -> bytes:
    """A PDF without an outline or links: what is a title is told by its size alone."""
    sizes = {"title": 18, "heading": 13, "head": 8}
    pages = []
    for page in PAGES:
        lines, bars = [(60, 30, 8, HEAD)], []
        for kind, name in page:
            x0, y0, _, y1 = map(round, _points(name))
            if kind == "figure":
                bars.append((x0, y0, 240, y1 - y0))
                lines.append((x0, y1 + 14, 9, FIGURE))
            elif kind == "table":
                lines.append((x0, y0 - 12, 9, TABLE))
                bars += [(x0, y0 + 20 * n, 200, 1) for n in (0, 1, 3)]
                lines += [
                    (x0 + 100 * c, y0 + 14 + 20 * r, 10, cell)
                    for r, row in enumerate(CELLS)
                    for c, cell in enumerate(row)
                ]
            elif kind != "head":
                size = sizes.get(kind, 10)
                lines.append((x0 + 120 * (kind == "formula"), y0 + size, size, name))
        pages.append(Printed(lines, bars, (int(WIDE), int(HIGH))))
    return pdf_of(pages)


FILES: dict[str, tuple[str, str, dict[str, bytes]]] = {  # name -> kind, what is read, its files
    **{name: (kind, file, {file: text.encode()}) for name, (kind, file, text) in FORMS.items()},
    "ocr": ("ocr", "ice", _pages_of_ocr()),
    "pdf": ("pdf", "ice.pdf", {"ice.pdf": _printed()}),
}
