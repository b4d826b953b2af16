"""Templates as HTML, in which every value is shown letter by letter, and the filters that they have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from kag.serve.jobs.journal import duration

_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")  # signs that turn the direction of what follows


def render(template: str, values: Mapping[str, Any]) -> str:
    """A page as HTML; every value is shown letter by letter."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("kag.serve", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=legible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["counted"] = counted
    made.filters["duration"] = duration
    return made


def legible(value: Any) -> Any:
    """Return a value for a page: characters that change the direction of text are made visible.

    >>> legible("a\\u202eb")
    'a\ufffdb'
    """
    return _TURNS.sub("\ufffd", value) if isinstance(value, str) and not isinstance(value, Markup) else value


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "page"), counted(1200, "entry", "entries")
    ('1 page', '1,200 entries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def as_html(report: str) -> Markup:
    """Render a report's Markdown as HTML, without raw HTML, links, pictures, and its title.

    >>> as_html("# run\\n\\n## Steps\\n\\n<b>x</b>")
    Markup('<h2>Steps</h2>\\n<p>&lt;b&gt;x&lt;/b&gt;</p>\\n')
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "image", "autolink"])
    tokens = reader.parse(str(legible(report)))
    title = [at for at, token in enumerate(tokens) if token.tag == "h1"]
    kept = [token for at, token in enumerate(tokens) if not title[:1] or not title[0] <= at <= title[0] + 2]
    for opening, inline, closing in zip(kept, kept[1:], kept[2:], strict=False):
        if opening.type == "th_open" and not inline.content:  # a head of nothing is no head
            opening.tag = closing.tag = "td"
    return Markup(reader.renderer.render(list(_without_empty_heads(kept)), reader.options, {}))


def _without_empty_heads(tokens: Sequence[Token]) -> Iterator[Token]:
    """Leave out the head of a table whose cells are all empty."""
    at = 0
    while at < len(tokens):
        if tokens[at].type == "thead_open":
            end = next(n for n in range(at, len(tokens)) if tokens[n].type == "thead_close")
            if not any(token.content for token in tokens[at:end]):
                at = end + 1
                continue
        yield tokens[at]
        at += 1
