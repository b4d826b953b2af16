"""Papers of a grammar: the words, labels, numbers, tables and boxes of real pages in every combination, and broken.

A case is well when kag makes a graph of it that conforms and is conserved, with nothing rescued, or says that the
folder is no paper (`SourceError`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from scripts.attacks import page_words as words
from scripts.attacks.case import Case

KIND = "papers of a grammar"
CASES = 2000


class Grammar:
    """Draws the parts of a page; what it draws depends on `random` alone."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.kept: list[str] = []  # blocks drawn before, some of which are printed again

    def pick(self, listed: Sequence[str]) -> str:
        return self.random.choice(listed)

    def number(self) -> str:
        return self.pick(words.NUMBERS) if self.random.random() < 0.4 else str(self.random.randrange(1, 12))

    def some_words(self, most: int = 12) -> str:
        return " ".join(self.pick(words.WORDS) for _ in range(self.random.randrange(1, most)))

    def filled(self, form: str) -> str:
        """A form of print with numbers, a year, a kind of float, words and a heading in their places."""
        year, kind, heading = self.random.randrange(1890, 2030), self.pick(words.KINDS), self.pick(words.HEADINGS)
        return form.format(n=self.number(), m=self.number(), y=year, k=kind, w=self.some_words(8), h=heading)

    def callout(self) -> str:
        return self.filled(self.pick(words.CALLOUTS))

    def prose(self) -> str:
        parts = (
            self.pick((self.some_words(), self.callout(), self.number())) for _ in range(self.random.randrange(1, 12))
        )
        return self.pick(words.STARTS) + " ".join(parts) + self.pick(("", ".", "-", ":", "\n"))

    def heading(self) -> str:
        number = f"{self.number()}{self.pick(('', '.', ')', ':'))} " if self.random.random() < 0.5 else ""
        title = self.pick(words.HEADINGS) if self.random.random() < 0.7 else self.some_words(5)
        return "#" * self.random.randrange(0, 8) + self.pick(("", " ")) + number + title

    def caption(self) -> str:
        return f"{self.pick(words.KINDS)} {self.number()}{self.pick(words.STOPS)}" + self.pick(
            ("", self.some_words(), self.prose())
        )

    def reference(self) -> str:
        return self.filled(self.pick(words.REFERENCES))

    def references(self) -> str:
        return self.pick(("\n", " ", "\n\n")).join(self.reference() for _ in range(self.random.randrange(1, 6)))

    def formula(self) -> str:
        return self.pick(words.FORMULAS) + self.pick(("", f" ({self.number()})", self.some_words(3)))

    def cell(self) -> str:
        span = self.pick(
            ("", "", "", " colspan=2", " rowspan=3", " rowspan=0", " colspan=1000000", ' rowspan="-1"', " colspan=²")
        )
        inside = self.pick(
            (self.number(), self.some_words(3), "", "—", "<td>", self.formula(), "<br/>", self.callout())
        )
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
        rows = ["|".join(self.some_words(3) for _ in range(self.random.randrange(1, 6))) for _ in range(3)]
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
            return self.pick(words.BROKEN_BOXES)
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
            label, text = self.pick(words.LABELS), self.text()
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
                ("header", self.some_words(4)),
                ("sub_title", "## References"),
            )
        )

    def pages(self, most: int = 4, blocks: int = 13) -> list[str]:
        """At most so many pages of at most so many blocks."""
        return [
            "\n\n".join(self.block() for _ in range(self.random.randrange(0, blocks + 1)))
            for _ in range(self.random.randrange(1, most + 1))
        ]


def write(pages: Sequence[str], folder: Path) -> Path:
    """The pages as a paper's folder, which is made."""
    folder.mkdir()
    for number, page in enumerate(pages, start=1):
        (folder / f"page_{number:03d}.md").write_bytes(page.encode("utf-8", "surrogatepass"))
    return folder


def fault(folder: Path) -> str:
    """What is wrong with what kag makes of a folder; empty when nothing is."""
    from kag.core.errors import SourceError
    from kag.indexing.audit import audit
    from kag.indexing.pipeline import document_validator, index_document
    from kag.indexing.run import load_run, write_run
    from kag.sources.survey import read_paper

    try:
        document = read_paper(folder)
        indexed = index_document(document)
    except SourceError:
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:200]
    run = load_run(write_run(folder.parent / "runs", folder.name, indexed.files))
    if "rescued" in run.summary:
        return f"rescued: {run.summary['rescued'][0]}"
    issues = (*document_validator().full(run.graph).issues, *audit(run, document).issues)
    return str(issues[0])[:200] if issues else ""


def attack(random: Random, cases: int, work: Path) -> Iterator[Case]:
    """Index so many papers drawn from the grammar."""
    for number in range(cases):
        seed = random.getrandbits(64)
        folder = write(Grammar(Random(seed)).pages(), work / f"paper{number}")
        yield Case(f"seed {seed}", fault(folder))
