"""Answer files that were changed: `kag verify --strict` has to refuse each, and `kag verify` to pass each as it was.

True answers of the bundled papers, of every form (lists, counts, counts by name, tables, sentences, passages), are
changed in one or two places: a quote, a span, a number, a name, a type, a key, the value, the order, the file itself.
What no graph can prove, such as who was asked, may be changed: `kag verify` says that it did not look at it. A claim in
other words than its quote is not judged without a model, which only the strict refuse.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from click.testing import CliRunner

from kag.cli.qa import verify as command
from kag.core.errors import EvidenceError, KagError
from kag.core.evidence import Answer, Claim, read_answer
from kag.corpus.exact import answer_by_schema
from kag.corpus.store import Corpus, open_corpus
from kag.corpus.transaction import open_writer
from kag.indexing.batch import find_papers, index_all
from kag.qa.answering import answer
from kag.qa.checking.verify import verify
from kag.qa.library import Library
from kag.qa.questions.file import Question
from kag.qa.quote import evidence
from kag.text.plain import plain
from kag.text.sentences import sentences
from scripts.attacks.answer_changes import changed
from scripts.attacks.case import Case

KIND = "changed answers"
CASES = 2_000

_PAPERS = Path(__file__).parents[2] / "test_data"
_ASKED = """What are the sections of the paper?
Which subsections does the Methods section have?
How many sections does the paper have?
How many figures and how many tables does the paper have?
How many figures, tables and equations are there?
How many paragraphs does the Introduction have?
How many references are there?
How many authors does the paper have?
Who are the authors?
List the references.
Which references does the Introduction cite?
How often is reference 3 cited?
In which sections is reference 3 cited?
In which paragraphs is reference 3 cited?
Which references are cited together with reference 3?
Which reference is cited most often?
What is the title of reference 5?
What is the DOI of reference 5?
Who are the authors of reference 5?
Is reference 3 cited in the Introduction?
What does Figure 1 show?
On which page is Figure 2?
Which columns does Table 1 have?
How many rows does Table 1 have?
Where is Table 1 referred to?
What is Figure 44?
What is the melting point of tungsten?
What comes after the Introduction?
What are the keywords?"""
_ASKED_OF_ALL = """How many references does each paper have?
How many tables does each paper have?
Which papers have at least 2 tables?
How many papers are there?
Which paper has the most references?
Which papers cite "Nobody wrote this"?"""
_SENTENCES = 40  # of each paper, each as an answer of its own; more for many cases, so that a fifth of them is true
_LONG = 40  # characters of a text that says something


def attack(random: Random, cases: int, work: Path) -> Iterator[Case]:
    """True answers as they are, up to a fifth of the cases, then changed ones."""
    with open_writer(work / "corpus", create=True) as writer:
        runs = [outcome.run for outcome in index_all(find_papers([_PAPERS], work / "runs"), workers=1)]
        list(writer.put([Path(run) for run in runs if run]))
    corpus = open_corpus(work / "corpus")
    library = corpus.library()
    true = [
        one
        for one in (*_answers(library), *_said(library, random, max(_SENTENCES, cases // 10)), *_of_all(corpus))
        if one.claims or one.searches
    ]
    random.shuffle(true)
    alike = [(f"as it was: {one.question}", one.to_json().encode(), True) for one in true[: cases // 5]]
    for number, (name, data, holds) in enumerate([*alike, *islice(changed(true, library, random), cases - len(alike))]):
        file = work / "answer.json"
        file.write_bytes(data)
        failed = _judged(file, library, holds) or (number % 40 == 0 and _commanded(file, work / "corpus", holds)) or ""
        yield Case(f"{number} {name}", failed)


def _judged(file: Path, library: Library, holds: bool) -> str:
    """What is wrong with how an answer file is judged; "" when it passes where it `holds` and is refused else."""
    try:
        given, shown = read_answer(file)
        issues = [
            f"{issue.component} {issue.message}" for issue in verify(given, library, shown, strict=not holds).issues
        ]
    except EvidenceError as error:
        issues = [error.message]
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if holds:
        return "; ".join(issues)
    return "" if issues else "verified"


def _commanded(file: Path, root: Path, holds: bool) -> str:
    """What is wrong with how the command ends: 0 where the answer holds, else 1, or an error that tells a person."""
    result = CliRunner().invoke(command, [str(file), "--corpus", str(root), *([] if holds else ["--strict"])])
    if isinstance(result.exception, KagError):
        return "" if not holds and result.exception.exit_code == 2 else f"refused: {result.exception.message}"
    if result.exit_code != (0 if holds else 1) or not isinstance(result.exception, SystemExit | None):
        return f"exit code {result.exit_code}, {result.exception!r}"
    return "" if result.stdout.splitlines()[-1].startswith("not checked: ") else "does not say what was not checked"


# true answers -----------------------------------------------------------------------------------


def _answers(library: Library) -> Iterator[Answer]:
    """What is answered without a model to questions of all kinds on each paper."""
    for paper in library.values():
        for number, asked in enumerate(_ASKED.splitlines()):
            yield answer(Question(f"q{number}", asked, paper.id), paper)


def _said(library: Library, random: Random, many: int) -> Iterator[Answer]:
    """Sentences of the papers, each as an answer; `many` of each."""
    for paper in library.values():
        texts = [node for node in paper.of_kind("Paragraph", "Caption") if len(node.text) > _LONG]
        for node in random.choices(texts, k=many):
            one = evidence(paper, node.iri, *random.choice(sentences(node.text)))
            if len(one.quote) > _LONG:
                claim = Claim(plain(one.quote), (one,))
                yield Answer("said", "What is said?", "agent", "a model", (claim,), papers=(paper.id,))


def _of_all(corpus: Corpus) -> Iterator[Answer]:
    """What the graphs of all papers together answer."""
    found = (answer_by_schema(Question("all", asked), corpus) for asked in _ASKED_OF_ALL.splitlines())
    yield from (one for one in found if one is not None)
