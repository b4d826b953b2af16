"""`Markup`: elements and words as a tree, written out as XML or HTML: what a paper says is never read as a tag.

Characters that XML cannot hold are replaced by U+FFFD.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from xml.etree.ElementTree import Element, TreeBuilder, tostring

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Markup:
    """A tree that is written from its beginning to its end."""

    def __init__(self) -> None:
        self._builder = TreeBuilder()

    @contextmanager
    def tag(self, name: str, /, **attributes: str) -> Iterator[None]:
        """An element around what is written meanwhile; attributes that are empty are left out.

        A name may end in "_" where Python keeps it to itself, and has "__" for ":" and "_" for "-".
        """
        self._builder.start(name, {_attribute(key): sound(value) for key, value in attributes.items() if value})
        yield
        self._builder.end(name)

    @contextmanager
    def block(self, name: str, /, **attributes: str) -> Iterator[None]:
        """An element that is followed by the end of a line."""
        with self.tag(name, **attributes):
            yield
        self._builder.data("\n")

    def line(self, name: str, words: str, /, **attributes: str) -> None:
        """An element of words alone, followed by the end of a line; nothing where there are none."""
        if words:
            with self.block(name, **attributes):
                self.say(words)

    def empty(self, name: str, /, **attributes: str) -> None:
        """An element with nothing in it."""
        with self.tag(name, **attributes):
            pass

    def say(self, words: str) -> None:
        """Words, as they are."""
        self._builder.data(sound(words))

    def root(self) -> Element:
        """The whole tree."""
        return self._builder.close()

    def xml(self) -> str:
        """The tree as XML."""
        return tostring(self.root(), encoding="unicode")

    def html(self) -> str:
        """The tree as HTML."""
        return tostring(self.root(), encoding="unicode", method="html")


def sound(text: str) -> str:
    """A text without characters that XML cannot hold."""
    return _ILLEGAL.sub("\ufffd", text)


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("__", ":").replace("_", "-")
