"""The title that a reference prints in quotation marks."""

from __future__ import annotations

import re

from kag.indexing.references.names import LOWER

_QUOTED = re.compile(
    r"[\s,.:;]*(?:(?:“([^”]{3,500})”|\"([^\"]{3,500})\"|``([^`']{3,500}(?:'(?!')[^`']{1,200}){0,4})''|„([^“”]{3,500})[“”]"
    r"|«([^»]{3,500})»|「([^」]{2,300})」)(?!\s?[:–—-]|\s(?!in\s)[a-z])"
    r"|[‘'`](.{3,400}?)(?:[,.?!][’']|[’'](?=\s?[,.]|$|\s(?:[A-Z(\[]|in\s|[^\x00-\x7f]))))"
)
_QUOTED_LATER = re.compile(r"[^\"“”]{1,80}[\s:,.](?:“([^”]{8,500})”|\"([^\"]{8,500})\")")
_QUOTED_BEHIND_NAMES = re.compile(
    r"(?P<names>[^\"“”‘']{1,160}[,:]\s?)(?:“([^”]{8,500})[,.?!]\s?”|\"([^\"]{8,500})[,.?!]\s?\"|['‘]([^'’]{8,500})(?:[,.?!]['’]|['’],))"
)
_RUNNING = re.compile(rf"(?<!\S)[{LOWER}]{{4}}")  # a word of a title, not of a name


def quoted_title(body: str, *, named: bool) -> tuple[str, int] | None:
    """The title in quotation marks that a text starts with, and where the text goes on.

    Where no names were read (`named` is false), some words may stand before it.
    """
    found = _QUOTED.match(body)
    if not found and not named:
        found = _QUOTED_LATER.match(body)
    if not found:
        found = _QUOTED_BEHIND_NAMES.match(body)
        if not found or _RUNNING.search(found["names"]):
            return None
        return next(group for group in found.groups()[1:] if group).strip(" ,."), found.end()
    return next(group for group in found.groups() if group).strip(" ,."), found.end()
