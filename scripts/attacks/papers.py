"""Papers of a grammar: the words, labels, numbers, tables and boxes of real pages in every combination, and broken.

A case is well when kag makes a graph of it that conforms and is conserved, with nothing rescued, or says that the
folder is no paper (`SourceError`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from scripts.attacks.case import Case

KIND = "papers of a grammar"
CASES = 2000

_LABELS = (
    "text", "title", "sub_title", "image", "figure", "chart", "icon", "table", "table_body", "figure_title",
    "table_title", "image_caption", "table_caption", "caption", "equation", "formula", "footnote", "table_footnote",
    "header", "footer", "page_number", "aside_text", "section_header", "list", "code", "algorithm", "reference",
    "unheard_of", "",
)  # fmt: skip
_NUMBERS = (
    "1", "2", "3", "12", "1.1", "1.2.3", "0", "00", "99999", "S1", "A", "A.1", "B", "IV", "XVI", "i", "²", "¹⁰", "٣", "३",
    "①", "½", "9" * 400, "1e400", "-5", "1,200", "3–5", "2a–c", "10^{-9}", "[7]", "(8)", "9" * 5000, "∞", "x",
)  # fmt: skip
_WORDS = (
    "ice", "river", "Sensors", "fail", "under", "winter.", "(see", "Smith", "et al.", "van der Berg,", "2010", "2010a",
    "and", "of", "the", "Müller", "naïve", "北京", "سلام", "שלום", "Ελλάδα", "Кино", "𝔘𝔫𝔦", "e\u0301", "a\u200bb",
    "\u202eabc", "\U0001f9ca", "ﬁne", "İstanbul", "straße", "ſee", "K", "\ufeff", "\u2028", "\u0085", "<b>bold</b>",
    "*so*", "`x`", "|", "||", "\\", "\\(", "\\)", "$", "$$", "^", "_", "{", "}}", "<", ">", "&amp;", "&#0;", "--", "---",
    "12 mg", "3.4 ± 0.2 kg m^{-2}", "p < 0.05", "10.1000/x%<>\"{}|", "https://a.b/c[d]?e=\\f", "doi:10.1/(a)b", "a@b.c",
)  # fmt: skip
_HEADINGS = (
    "Abstract", "ABSTRACT", "A B S T R A C T", "Introduction", "Materials and Methods", "Results", "Discussion",
    "References", "REFERENCES", "Literature Cited", "Appendix A", "Front matter", "Text", "Experiment 1", "Case 2: Lakes",
    "Keywords", "Supplementary Information", "Acknowledgements", "Box 1. Ice", "Theorem 1.", "", "#", "?",
)  # fmt: skip
_KINDS = (
    "Figure", "Fig.", "FIG", "Table", "TABLE", "Tab.", "Scheme", "Chart", "Plate", "Box", "Extended Data Fig.", "Eq.",
    "Supplementary Table", "Supporting Fig", "Appendix", "Section", "Tableau", "Abb.", "Video",
)  # fmt: skip
_STOPS = (". ", ": ", " ", " | ", ".", " (continued). ", " (cont'd)", "—figure supplement 2. ", "\n")
_REFERENCES = (
    "[{n}] Smith J, Roe A. {w}. J Ice. 2010;{n}:1–9. doi:10.1000/{n}", "{n}. Smith, J. & Roe, A. ({y}). {w}. Ice, 4(2), 1-9.",
    "{n} J. Smith, A. Roe, Phys. Rev. D{n}, 1 ({y}).", "Smith, J., {y}a. {w}. In: Roe, A. (Ed.), Ice. Press, Oslo.",
    "[Smith{n}] {w}, https://a.b/{w}", "\\( ^{{{n}}} \\) Smith J. {w} arXiv:2010.00001", "({n}) WHO. {w}. Geneva, {y}",
    "{w} {n}", "{n}", "van Dam N. {w}. n.d.", "⁴ Roe A. {w} {y}", "- [{n}] {w}.",
)  # fmt: skip
_CALLOUTS = (
    "[{n}]", "[{n}–{m}]", "[1-99999]", "({n}, {m})", "\\( ^{{{n},{m}}} \\)", "⁵", "(Smith et al., {y}a–c; {n})", "Smith ({y})",
    "ref. {n}", "refs. {n}-{m}", "[Smith{n}]", "{k} {n}", "{k} {n}–{m} and S{n}", "{k}s. {n}a,b", "see {h}", "{n} section",
    "S{n}–S{m} {k}s", "Eq. ({n}a)", "§§ {n}", "{k} {n} in S1 Text",
)  # fmt: skip
_FORMULAS = (
    "\\[ a = \\frac{b}{c} \\quad (3) \\]", "\\[ x \\tag{4} \\]", "(5)", "[6]", "\\( {{{{ \\)", "$$ x $$", "\\[", "\\]",
    "\\begin{array}{cc} 1 & 2 \\\\ 3 \\end{array}", "\\frac" * 50, "{" * 300 + "}" * 300, "\\sqrt" * 2000, "^" * 500,
)  # fmt: skip
_STARTS = (
    "", "", "", "## ", "#", "- ", "• ", "(1) ", "2. ", "a) ", "> ", "```", "**Proof.** ", "Theorem 2. ", "Note: ", "* ",
    "a Values are means. ", "Keywords: ice; ", "Received 31 May 2010; ", "© 2010 ", "CC BY 4.0 ", "Abstract. ", "where ",
)  # fmt: skip


class Grammar:
    """Draws the parts of a page; what it draws depends on `random` alone."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.kept: list[str] = []  # blocks drawn before, some of which are printed again

    def pick(self, listed: Sequence[str]) -> str:
        return self.random.choice(listed)

    def number(self) -> str:
        return self.pick(_NUMBERS) if self.random.random() < 0.4 else str(self.random.randrange(1, 12))

    def words(self, most: int = 12) -> str:
        return " ".join(self.pick(_WORDS) for _ in range(self.random.randrange(1, most)))

    def filled(self, form: str) -> str:
        values = {"n": self.number(), "m": self.number(), "y": str(self.random.randrange(1890, 2030)), "k": self.pick(_KINDS),
                  "w": self.words(8), "h": self.pick(_HEADINGS)}  # fmt: skip
        return form.format(**values)

    def callout(self) -> str:
        return self.filled(self.pick(_CALLOUTS))

    def prose(self) -> str:
        parts = (self.pick((self.words(), self.callout(), self.number())) for _ in range(self.random.randrange(1, 12)))
        return self.pick(_STARTS) + " ".join(parts) + self.pick(("", ".", "-", ":", "\n"))

    def heading(self) -> str:
        number = f"{self.number()}{self.pick(('', '.', ')', ':'))} " if self.random.random() < 0.5 else ""
        title = self.pick(_HEADINGS) if self.random.random() < 0.7 else self.words(5)
        return "#" * self.random.randrange(0, 8) + self.pick(("", " ")) + number + title

    def caption(self) -> str:
        return f"{self.pick(_KINDS)} {self.number()}{self.pick(_STOPS)}" + self.pick(("", self.words(), self.prose()))

    def reference(self) -> str:
        return self.filled(self.pick(_REFERENCES))

    def references(self) -> str:
        return self.pick(("\n", " ", "\n\n")).join(self.reference() for _ in range(self.random.randrange(1, 6)))

    def formula(self) -> str:
        return self.pick(_FORMULAS) + self.pick(("", f" ({self.number()})", self.words(3)))

    def cell(self) -> str:
        span = self.pick(
            ("", "", "", " colspan=2", " rowspan=3", " rowspan=0", " colspan=1000000", ' rowspan="-1"', " colspan=²")
        )
        inside = self.pick((self.number(), self.words(3), "", "—", "<td>", self.formula(), "<br/>", self.callout()))
        name = self.pick(("td", "td", "td", "th"))
        return f"<{name}{span}>{inside}{self.pick((f'</{name}>', f'</{name}>', '', '</tr>'))}"

    def table(self, depth: int = 2) -> str:
        rows = []
        for _ in range(self.random.randrange(0, 6)):
            cells = "".join(self.cell() for _ in range(self.random.randrange(0, 5)))
            nested = self.table(depth - 1) if depth and self.random.random() < 0.1 else ""
            rows.append(f"<tr>{cells}{nested}{self.pick(('</tr>', '</tr>', ''))}")
        head = self.pick(("", "", "<thead>", f"<caption>{self.caption()}</caption>"))
        return (
            self.pick(("<table>", "<TABLE border=1>", "<table><table>"))
            + head
            + "".join(rows)
            + self.pick(("</table>", "", "</table></table>"))
        )

    def pipes(self) -> str:
        width = self.random.randrange(1, 5)
        rows = ["|".join(self.words(3) for _ in range(self.random.randrange(1, 6))) for _ in range(3)]
        return "\n".join([rows[0], "|".join(["---"] * width), *rows[1:]])

    def text(self) -> str:
        """What one block prints: one kind of content, or several."""
        kinds: tuple[Callable[[], str], ...] = (
            self.prose, self.prose, self.prose, self.heading, self.caption, self.references, self.formula, self.table,
            self.pipes, self.number, lambda: "", lambda: "a", lambda: " ",
        )  # fmt: skip
        parts = [
            self.random.choice(kinds)() for _ in range(1 if self.random.random() < 0.7 else self.random.randrange(2, 5))
        ]
        return self.pick(("\n", " ", "\n\n", "")).join(parts)

    def boxes(self) -> str:
        if self.random.random() < 0.15:
            return self.pick(("[]", "[[]]", "[[1,2,3]]", "[[nan,1,2,3]]", "[[1e999,0,5,5]]", "[[9,9,1,1]]", "[[-5,0,4000,10]]", "x",
                              "[[" + "9" * 5000 + ",0,1,1]]", "[" * 3000, '[["1",2,3,4]]', "[[100,200,300,400"))  # fmt: skip
        rows = [
            sorted(self.random.randrange(0, 1000) for _ in range(4)) for _ in range(self.random.choice((1, 1, 1, 2)))
        ]
        return json.dumps([[a, b, c, d] if self.random.random() < 0.5 else [a, c, b, d] for a, b, c, d in rows])

    def block(self) -> str:
        """A block with its tag, or without, or one that was printed before."""
        draw = self.random.random()
        if self.kept and draw < 0.08:
            return self.pick(self.kept)
        if draw < 0.12:
            return self.text()
        if draw < 0.6:
            label, text = self._fitting()
        else:
            label, text = self.pick(_LABELS), self.text()
        block = f"<|ref|>{label}<|/ref|><|det|>{self.boxes()}<|/det|>\n{text}"
        self.kept.append(block)
        return block

    def _fitting(self) -> tuple[str, str]:
        """A label with text of its kind, so that papers have parts that belong together."""
        return self.random.choice(
            (
                ("text", self.prose()),
                ("text", self.reference()),
                ("sub_title", self.heading()),
                ("title", self.heading()),
                ("image", ""),
                ("figure_title", self.caption()),
                ("table_title", self.caption()),
                ("table", self.table()),
                ("text", f"{self.caption()}{self.table()}"),
                ("equation", self.formula()),
                ("text", f"({self.number()})"),
                ("figure_title", self.pick(("a", "(b)", "iv"))),
                ("footnote", self.prose()),
                ("header", self.words(4)),
                ("sub_title", "## References"),
            )
        )

    def pages(self) -> list[str]:
        return [
            "\n\n".join(self.block() for _ in range(self.random.randrange(0, 14)))
            for _ in range(self.random.randrange(1, 5))
        ]


def write(pages: Sequence[str], folder: Path) -> Path:
    """The pages as a paper's folder, which is made."""
    folder.mkdir()
    for number, page in enumerate(pages, start=1):
        (folder / f"page_{number:03d}.md").write_bytes(page.encode("utf-8", "surrogatepass"))
    return folder


def fault(folder: Path) -> str:
    """What is wrong with what kag makes of a folder; empty when nothing is."""
    from kag.audit import audit
    from kag.document.ocr import read_document
    from kag.errors import SourceError
    from kag.rdf.ontology import load_shapes
    from kag.rdf.profile import DOC
    from kag.rdf.shacl import Validator
    from kag.run import load_run, write_run
    from kag.write import index_document

    try:
        document = read_document(folder)
        indexed = index_document(document)
    except SourceError:
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:200]
    run = load_run(write_run(folder.parent / "runs", folder.name, indexed.files))
    if "rescued" in run.summary:
        return f"rescued: {run.summary['rescued'][0]}"
    issues = (*Validator(load_shapes(DOC)).full(run.graph).issues, *audit(run, document).issues)
    return str(issues[0])[:200] if issues else ""


def attack(random: Random, cases: int, work: Path) -> Iterator[Case]:
    """Index so many papers drawn from the grammar."""
    for number in range(cases):
        seed = random.getrandbits(64)
        folder = write(Grammar(Random(seed)).pages(), work / f"paper{number}")
        yield Case(f"seed {seed}", fault(folder))
