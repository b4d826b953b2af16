"""`read_apart`: an untrusted PDF is parsed in a process of its own, with limits of time and memory.

A parser in C that is fed by strangers may hang or die; it then takes nothing down but the reading of this file.
"""

from __future__ import annotations

from contextlib import closing
from multiprocessing import current_process
from pathlib import Path

from kag.core.errors import KagError, SourceError
from kag.core.files import shown
from kag.core.types import Document
from kag.core.workers import Ended, Limits, apart
from kag.sources.reader_registry import is_pdf
from kag.sources.reading import AS_IT_IS, Reading
from kag.sources.survey import read_paper, survey
from kag.sources.text_alignment import pdf_beside

LIMITS = Limits(seconds=600, megabytes=4096)
"""What a paper may take where nobody asks a model: the largest of our evaluation papers takes 2 s and 80 MB."""


def read_apart(path: Path, reading: Reading = AS_IT_IS) -> Document:
    """Run `read_paper`; for a PDF in a process of its own, unless this is one already. Raises what `read_paper` raises.

    So is a paper in another form beside which there is its PDF, since that is opened, too.
    """
    forms = [paper.form for paper in survey(path, reading.source).papers]
    if current_process().daemon or not any(is_pdf(form.kind) or pdf_beside(form.path) for form in forms):
        return read_paper(path, reading)
    with closing(apart(_read, [(path, reading)], 1, LIMITS)) as done:
        _, result = next(done)
    if isinstance(result, KagError):
        raise result
    if isinstance(result, Ended):
        raise ended(path, result, LIMITS)
    return result


def ended(path: Path, why: Ended, limits: Limits, more: str = "Look at what is on its pages.") -> SourceError:
    """Return the error for a paper whose process was stopped or died; `more` says how to raise the limits."""
    messages = {
        "time": f"took more than {limits.seconds} s and was stopped",
        "memory": f"needs more memory than {f'{limits.megabytes} MB' if limits.megabytes else 'there is'}",
        "died": f"its process died ({why.how})",
    }[why.why]
    return SourceError(f"{shown(path)}: {messages}", hint=more)


def _read(given: tuple[Path, Reading]) -> Document | KagError:
    try:
        return read_paper(*given)
    except KagError as error:
        return error
