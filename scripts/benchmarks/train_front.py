#!/usr/bin/env python3
"""Train the labeller of front matter from PDFs with gold, and judge it by families left out.

    python -m scripts.benchmarks.train_front GOLD_ROOT [GOLD_ROOT ...] [--write] [--left-out]

GOLD_ROOT holds a folder per paper with `paper.pdf` and `gold.json` (see the README of latex_gold for its fields). A
line of the first pages is labelled by the gold text that it prints. Where the gold has no affiliations, lines that name
an organization are taken for some. `--left-out` trains without each twelfth of the families (the gold's `layout`) in
turn and prints how many lines of these are labelled right. `--write` trains on all and writes the model and its card.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kag.sources.pdf.file.opening import open_pdf
from kag.sources.pdf.file.render import open_pages
from kag.sources.pdf.read import lay_out
from kag.sources.pdf.text import front
from kag.sources.pdf.text.front_features import ORGANIZATION, FrontLine, base_text, front_features
from kag.text.crf import FINE, Crf
from scripts.benchmarks.models import crf_training

SETTINGS = {"c1": 0.5, "c2": 0.5, "max_iterations": 150, "feature.possible_transitions": True, "feature.minfreq": 2}
CONTACT = re.compile(r"\S@\S|^\W{0,3}(?:e-?mail|correspond|orcid)|orcid\.org|corresponding author", re.I)
FOLDS = 12
OTHER = re.compile(r"doi|©|licen|receiv|publish|journal", re.I)
KEYWORDS = re.compile(r"^\W*(?:key\s?-?words?|index terms|additional key|palabras|schl)", re.I)


NO_NAMES = frozenset(("and", "und", "md", "phd", "msc", "bsc", "mph", "dr", "prof", "ieee", "member", "student", "id"))


def words(text: str) -> list[str]:
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()
    return re.findall(r"[^\W_]+", plain.replace("ł", "l").replace("ß", "ss"))


def runs(texts: Sequence[str], n: int = 3) -> set[tuple[str, ...]]:
    return {tuple(own[k : k + n]) for text in texts for own in [words(text)] for k in range(len(own) - n + 1)}


def share(line: Sequence[str], known: set[str]) -> float:
    return sum(word in known for word in line) / len(line) if line else 0.0


def in_runs(line: Sequence[str], known: set[tuple[str, ...]]) -> float:
    own = [tuple(line[k : k + 3]) for k in range(len(line) - 2)]
    return sum(run in known for run in own) / len(own) if own else 0.0


class Gold:
    """The words of a paper's parts, by which lines are labelled."""

    def __init__(self, row: dict[str, Any]) -> None:
        front_row = row.get("front") or {}
        people = front_row.get("authors") or row.get("authors") or []
        texts = [(paragraph.get("kind"), paragraph["text"]) for paragraph in row["paragraphs"]]
        self.title = "".join(words(front_row.get("title") or row.get("title") or ""))
        self.names = {word for one in people for word in words(f"{one.get('given', '')} {one.get('family', '')}")}
        self.families = {word for one in people for word in words(one.get("family", ""))}
        self.places = {word for one in people for place in one.get("affiliations", ()) for word in words(place)}
        self.abstract = runs([text for kind, text in texts if kind == "abstract"] + [front_row.get("abstract") or ""])
        self.body = runs([text for kind, text in texts if kind != "abstract"])
        titles = [name for section in row["sections"] for name in (section.get("shown"), section["title"]) if name]
        self.headings = {"".join(words(title)) for title in titles}
        self.keys = {word for key in front_row.get("keywords") or [] for word in words(key)}

    def label(self, lines: Sequence[FrontLine], n: int, before: str) -> str:
        """The label of a line behind one that is labelled."""
        text = lines[n].line.text
        own = words(text)
        if CONTACT.search(text) and max(in_runs(own, self.body), in_runs(own, self.abstract)) <= 0.5:
            return "contact"
        tail = words(lines[n - 1].line.text)[-4:] + own if n else own
        if in_runs(own, self.abstract) > 0.4 or (
            before == "abstract" and len(own) < 6 and in_runs(tail, self.abstract) > 0.5
        ):
            return "abstract"
        if KEYWORDS.match(text) or (before == "keywords" and self.keys and share(_longer(own), self.keys) > 0.7):
            return "keywords"
        if in_runs(own, self.body) > 0.4:
            return "body"
        if "".join(own) in self.headings and len(own) < 25:
            return "heading"
        goes_on = before and lines[n - 1].line.size == lines[n].line.size
        return self._people(lines[n], own, before if goes_on else "") or (
            "body" if goes_on and before == "body" else "other"
        )

    def _people(self, one: FrontLine, own: Sequence[str], before: str) -> str:
        named = [word for word in words(base_text(one.line)) if len(word) > 1 and word not in NO_NAMES]
        is_named = share(named, self.names) >= 0.65
        if (is_named and set(named) & self.families) or (
            self.places and set(own[:4]) & self.families and share(own, self.places | self.names) > 0.8 and len(own) > 4
        ):
            return "author"
        if self.places:
            return "affiliation" if _longer(own) and share(_longer(own), self.places) >= 0.7 and not is_named else ""
        likely = ORGANIZATION.search(one.line.text) or before == "affiliation"
        in_text = OTHER.search(one.line.text) or in_runs(own, self.body) or len(own) >= 30
        return "affiliation" if likely and not in_text else ""


def _longer(own: Sequence[str]) -> list[str]:
    return [word for word in own if len(word) > 1 and not word.isdigit() and word not in ("and", "und", "the")]


def labels_of(lines: Sequence[FrontLine], row: dict[str, Any]) -> list[str]:
    gold = Gold(row)
    titled = _title_lines(lines, gold.title)
    found: list[str] = []
    for n in range(len(lines)):
        found.append("title" if n in titled else gold.label(lines, n, found[-1] if found else ""))
    return _first_authors(lines, found, gold.families)


def _first_authors(lines: Sequence[FrontLine], labels: list[str], families: set[str]) -> list[str]:
    """The labels, where lines that print names again (running heads, "cite as") are no authors."""
    seen: set[str] = set()
    found = []
    for one, label in zip(lines, labels, strict=True):
        own = set(words(base_text(one.line))) & families
        again = label == "author" and own <= seen
        if label == "author":
            seen |= own
        found.append("other" if again else label)
    return found


def _title_lines(lines: Sequence[FrontLine], whole: str) -> set[int]:
    """The run of lines that prints most of the title, in the largest type."""
    best = (0.0, 0.0, range(0))
    for start in range(len(lines)):
        text = ""
        for end in range(start + 1, min(start + 9, len(lines)) + 1):
            text += "".join(words(lines[end - 1].line.text))
            if not text or text not in whole:
                break
            best = max(
                best, (len(text) / max(len(whole), 1), lines[start].line.size, range(start, end)), key=lambda b: b[:2]
            )
    return set(best[2]) if best[0] > 0.4 else set()


def examples(roots: Sequence[Path]) -> Iterator[tuple[str, str, list[list[str]], list[str], list[str]]]:
    for root in roots:
        for path in sorted(root.glob("*/gold.json")):
            gold = json.loads(path.read_text(encoding="utf-8"))
            with open_pages(path.parent / "paper.pdf", "") as pdf:
                opened = open_pdf(pdf, "")
                laid = lay_out(opened, lambda *_: front.NO_FRONT)
            lines = front.front_lines(laid.columns, laid.pages)
            sheet = (laid.pages[0].width, laid.pages[0].height)
            features = front_features(lines, sheet, laid.body, opened.metadata)
            family = gold.get("layout") or gold.get("kind")
            yield path.parent.name, family, features, labels_of(lines, gold), [one.line.text for one in lines]


def train(some: Sequence[tuple[list[list[str]], list[str]]]) -> Crf:
    return crf_training.train([(features, labels) for features, labels in some if features], SETTINGS, least=0.0)


def left_out(data: Sequence[Any], models: Path | None, *, show: bool) -> None:
    """Train without each twelfth of the families in turn, and print how many of its lines are labelled right."""
    families = sorted({family for _, family, *_ in data})
    fold = {family: n % FOLDS for n, family in enumerate(families)}
    right, of_gold, made = Counter[str](), Counter[str](), Counter[str]()
    for k in range(FOLDS):
        model = train([(features, labels) for _, own, features, labels, _ in data if fold[own] != k])
        if models:
            crf_training.write(model, models / f"{k}.crf", {}, FINE)
            (models / f"{k}.txt").write_text("".join(f"{name}\n" for name, own, *_ in data if fold[own] == k))
        for name, own, features, labels, texts in data:
            if fold[own] != k or not features:
                continue
            guesses = [model.labels[place] for place in model.best(model.scores(features))]
            for label, guess, text in zip(labels, guesses, texts, strict=True):
                of_gold[label] += 1
                made[guess] += 1
                right[label] += label == guess
                if show and label != guess:
                    print(f"{name:14} {label:12} {guess:12} {text[:90]}")
    for label, n in of_gold.items():
        print(f"{label:12} {n:5} recall {right[label] / n:.3f} precision {right[label] / max(made[label], 1):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roots", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true", help="train on all papers and write the model")
    parser.add_argument("--left-out", action="store_true", help="judge by families left out")
    parser.add_argument("--models", type=Path, help="folder in which --left-out keeps its models")
    parser.add_argument("--show", action="store_true", help="print the lines that --left-out labels wrongly")
    asked = parser.parse_args()
    data = list(examples(asked.roots))
    counts = Counter(label for row in data for label in row[3])
    print(len(data), "papers", counts.total(), "lines", dict(counts))
    if asked.left_out:
        left_out(data, asked.models, show=asked.show)
    if asked.write:
        card = {
            "about": "labels the lines of a paper's first pages; linear-chain CRF (CRFsuite), layout features",
            "trained on": [root.resolve().name for root in asked.roots],
            "families": len({row[1] for row in data}),
            "papers": len(data),
            "lines": dict(sorted(counts.items())),
            "settings": SETTINGS,
        }
        model = train([(features, labels) for _, _, features, labels, _ in data])
        crf_training.write(model, front.MODEL, card, FINE)
        print(front.MODEL.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
