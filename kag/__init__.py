"""kag: scientific papers become knowledge graphs that validate, trace and answer.

>>> import kag
>>> paper = kag.index("test_data/urban_pollinators")  # or a PDF, or JATS; kag.open("runs/...") reads a run
>>> answer = paper.ask("How many tables are there?")
>>> print(answer.text)
The paper has 2 tables.
>>> kag.verify(answer, paper).conforms
True

`index` and `open` give a `Paper`, `Corpus` is many of them; `docs/python.md` shows what they do. Nothing is imported
before it is used. The rooms behind these names are read beginning with `kag/indexing/pipeline.py` and
`kag/core/types.py`.
"""

from importlib import import_module as _import_module

TYPE_CHECKING = False  # as `typing` has it, whose import would take longer than all the rest
__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Citation",
    "Corpus",
    "Figure",
    "KagError",
    "Paper",
    "Place",
    "Reference",
    "Section",
    "Table",
    "answer_all",
    "errors",
    "index",
    "index_all",
    "open",
    "verify",
]

_HOMES = {
    "kag.export.parts": ("Citation", "Figure", "Reference", "Section", "Table"),
    "kag.build": ("index", "index_all"),
    "kag.library": ("Corpus", "answer_all"),
    "kag.paper": ("Paper", "open", "verify"),
    "kag.qa.found_place": ("Place",),
    "kag.core.errors": ("KagError",),
    "kag.core.evidence": ("Answer",),
}

if TYPE_CHECKING:
    from kag.build import index, index_all
    from kag.core import errors
    from kag.core.errors import KagError
    from kag.core.evidence import Answer
    from kag.export.parts import Citation, Figure, Reference, Section, Table
    from kag.library import Corpus, answer_all
    from kag.paper import Paper, open, verify
    from kag.qa.found_place import Place
else:  # a checker would take any name for one of ours

    def __getattr__(name: str) -> object:
        """A public name, imported when it is first asked for (PEP 562)."""
        home = next((home for home, names in _HOMES.items() if name in names), None)
        if home:
            found = getattr(_import_module(home), name)
        elif name == "errors":
            found = _import_module("kag.core.errors")
        else:
            raise AttributeError(f"module 'kag' has no attribute {name!r}")
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
