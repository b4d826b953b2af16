#!/usr/bin/env python3
"""Train the labeller of front matter from PDFs with gold, and judge it by families left out.

    train_front.py GOLD_ROOT [GOLD_ROOT ...] [--write] [--left-out]

GOLD_ROOT holds a folder per paper with `paper.pdf` and `gold.json` (see the README of latex_gold for the fields). A line
of the first pages is labelled by the gold text that it prints. Where the gold has no affiliations, lines that name an
organization are taken for some. `--left-out` trains without each family (the gold's `layout`) in turn and prints how many
lines of that family are labelled right, by label. `--write` trains on all and writes `front.crfsuite` and `front.json`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pycrfsuite

from kag.sources.pdf.file.opening import open_pdf
from kag.sources.pdf.file.render import open_pages
from kag.sources.pdf.read import lay_out
from kag.sources.pdf.text import front
from kag.sources.pdf.text.front_features import ORGANIZATION, FrontLine, base_text, front_features

SETTINGS = {"c1": 0.5, "c2": 0.5, "max_iterations": 150, "feature.possible_transitions": True, "feature.minfreq": 2}
CONTACT = re.compile(r"\S@\S|^\W{0,3}(?:e-?mail|correspond|orcid)|orcid\.org|corresponding author", re.I)
FOLDS = 12
KEYWORDS = re.compile(r"^\W*(?:key\s?-?words?|index terms|additional key|palabras|schl)", re.I)


NO_NAMES = frozenset(["and", "und", "md", "phd", "msc", "bsc", "mph", "dr", "prof", "ieee", "member", "student", "senior", "id", "orcid"])


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


def labels_of(lines: Sequence[FrontLine], gold: dict[str, Any]) -> list[str]:
    front_gold = gold.get("front") or {}
    title = words(front_gold.get("title") or gold.get("title") or "")
    authors = front_gold.get("authors") or gold.get("authors") or []
    names = {word for a in authors for word in words(f"{a.get('given', '')} {a.get('family', '')}")}
    families = {word for a in authors for word in words(a.get("family", ""))}
    places = {word for a in authors for place in a.get("affiliations", ()) for word in words(place)}
    paragraphs = [(p.get("kind"), p["text"]) for p in gold["paragraphs"]]
    abstract = runs([text for kind, text in paragraphs if kind == "abstract"] + [front_gold.get("abstract") or ""])
    body = runs([text for kind, text in paragraphs if kind != "abstract"])
    heads = {"".join(words(s.get("shown") or s["title"])) for s in gold["sections"]}
    heads |= {"".join(words(s["title"])) for s in gold["sections"]}
    keys = {word for key in front_gold.get("keywords") or [] for word in words(key)}
    titled = _title_lines(lines, title)
    found: list[str] = []
    for n, one in enumerate(lines):
        text, own = one.line.text, words(one.line.text)
        before = found[-1] if found else ""
        base = words(base_text(one.line))
        named = [word for word in base if len(word) > 1 and word not in NO_NAMES]
        long = [word for word in own if len(word) > 1 and not word.isdigit() and word not in ("and", "und", "the")]
        if n in titled:
            label = "title"
        elif CONTACT.search(text) and not in_runs(own, body) > 0.5 and not in_runs(own, abstract) > 0.5:
            label = "contact"
        elif in_runs(own, abstract) > 0.4 or (
            before == "abstract" and len(own) < 6 and in_runs(words(lines[n - 1].line.text)[-4:] + own, abstract) > 0.5
        ):
            label = "abstract"
        elif KEYWORDS.match(text) or (before == "keywords" and keys and share(long, keys) > 0.7):
            label = "keywords"
        elif in_runs(own, body) > 0.4:
            label = "body"
        elif "".join(own) in heads and len(own) < 25:
            label = "heading"
        elif (named and share(named, names) >= 0.65 and set(named) & families) or (places and set(own[:4]) & families and share(own, places | names) > 0.8 and len(own) > 4):
            label = "author"
        elif (places and long and share(long, places) >= 0.7 and share(named, names) < 0.65) or (
            not places
            and (
                ORGANIZATION.search(text)
                or (
                    before == "affiliation"
                    and lines[n - 1].column == one.column
                    and lines[n - 1].line.size == one.line.size
                )
            )
            and not re.search(r"doi|©|licen|receiv|publish|journal", text, re.I)
            and in_runs(own, body) == 0
            and len(own) < 30
        ):
            label = "affiliation"
        elif before in ("body",) and one.line.size == lines[n - 1].line.size:
            label = "body"
        else:
            label = "other"
        found.append(label)
    return _first_authors(lines, found, families)


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


def _title_lines(lines: Sequence[FrontLine], title: Sequence[str]) -> set[int]:
    """The run of lines that prints most of the title, in the largest type."""
    whole, best = "".join(title), (0.0, 0.0, range(0))
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
            lines = front.front_lines(laid.columns)
            sheet = (laid.pages[0].width, laid.pages[0].height)
            features = front_features(lines, sheet, laid.body, opened.metadata)
            family = gold.get("layout") or gold.get("kind")
            yield path.parent.name, family, features, labels_of(lines, gold), [one.line.text for one in lines]


def train(some: Sequence[tuple[list[list[str]], list[str]]]) -> bytes:
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.set_params(SETTINGS)
    for features, labels in some:
        if features:
            trainer.append(features, labels)
    with tempfile.NamedTemporaryFile(suffix=".crfsuite") as file:
        trainer.train(file.name)
        return Path(file.name).read_bytes()


def left_out(data: Sequence[Any], models: Path | None, *, show: bool) -> None:
    """Train without each twelfth of the families in turn, and print how many of its lines are labelled right."""
    families = sorted({family for _, family, *_ in data})
    fold = {family: n % FOLDS for n, family in enumerate(families)}
    right, of_gold, made = Counter[str](), Counter[str](), Counter[str]()
    for k in range(FOLDS):
        weights = train([(features, labels) for _, own, features, labels, _ in data if fold[own] != k])
        if models:
            (models / f"{k}.crfsuite").write_bytes(weights)
            (models / f"{k}.txt").write_text("".join(f"{name}\n" for name, own, *_ in data if fold[own] == k))
        tagger = pycrfsuite.Tagger()
        tagger.open_inmemory(weights)
        for name, own, features, labels, texts in data:
            if fold[own] != k or not features:
                continue
            for label, guess, text in zip(labels, tagger.tag(features), texts, strict=True):
                of_gold[label] += 1
                made[guess] += 1
                right[label] += label == guess
                if show and label != guess:
                    print(f"{name:14} {label:12} {guess:12} {text[:90]}")
    for label, n in of_gold.items():
        print(f"{label:12} {n:5} recall {right[label] / n:.3f} precision {right[label] / max(made[label], 1):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("roots", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--left-out", action="store_true")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    data = list(examples(asked.roots))
    print(len(data), "papers", sum(len(f) for _, _, f, *_ in data), "lines", Counter(l for d in data for l in d[3]))
    if asked.left_out:
        left_out(data, asked.models, show=asked.show)
    if asked.write:
        weights = train([(f, l) for _, _, f, l, _ in data])
        (front.FOLDER / "front.crfsuite").write_bytes(weights)
        card = json.loads((front.FOLDER / "front.json").read_text()) if (front.FOLDER / "front.json").exists() else {}
        card |= {
            "sha256": hashlib.sha256(weights).hexdigest(),
            "papers": len(data),
            "lines": sum(len(f) for _, _, f, *_ in data),
            "settings": SETTINGS,
        }
        (front.FOLDER / "front.json").write_text(json.dumps(card, indent=1, sort_keys=True) + "\n")
        print(len(weights), "bytes")


if __name__ == "__main__":
    main()
