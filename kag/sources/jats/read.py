"""`read_jats`: a publisher's XML becomes what a `Document` is made of, one block for each thing that it marks up.

There are no pages and no boxes in it: all is on page 1. Headings that a style sheet prints by itself (Abstract,
Acknowledgments, References) are written out, since sections begin with them. What another article in the same file
says (a letter of decision, an answer) is kept as left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path

from kag.core.errors import SourceError
from kag.core.files import shown
from kag.sources.draft import Draft, Parsed
from kag.sources.flow import table_draft
from kag.sources.jats.citations import entry_words
from kag.sources.jats.front import front_drafts, metadata_of
from kag.sources.jats.inline import Flow, Words, formula_of, table_of, words_in, write, write_part
from kag.sources.loading import digest
from kag.sources.reading import Reading
from kag.sources.tables import stack
from kag.sources.xml import Element, attribute, child, children, load_xml, words_of

_FLOATS = frozenset({"fig", "fig-group", "table-wrap", "table-wrap-group"})
_APART = _FLOATS | {
    "disp-formula", "disp-formula-group", "list", "def-list", "boxed-text", "disp-quote", "preformat",
    "supplementary-material", "statement", "verse-group", "speech", "array", "p", "fn-group", "ref-list",
}  # fmt: skip
_OF_FLOATS = frozenset({"label", "caption", "attrib", "table", "table-wrap-foot", "fn-group", "disp-formula"})
_UNSAID = {"abstract": "Abstract", "ack": "Acknowledgments", "ref-list": "References", "glossary": "Glossary"}
_OTHERS = ("sub-article", "response")


def read_jats(path: Path, reading: Reading) -> Parsed:
    """The article of a JATS file, the first where there are several; raises `SourceError`."""
    root, data = load_xml(path)
    article = root if root.tag == "article" else next(iter(root.iter("article")), None)
    if article is None:
        raise SourceError(f"{shown(path)} holds no <article>", hint="Give a JATS file as a publisher or PMC gives it.")
    drafts = list(_Article(article).drafts())
    others = (one for one in root.iter("article") if one is not article)
    drafts += (draft for other in others for draft in _left_out(other))
    return Parsed(drafts, 1, digest([b"jats", data]), "jats", metadata=metadata_of(article))


class _Article:
    """State of reading one article; separate floats are put behind the text that first mentions them."""

    def __init__(self, article: Element) -> None:
        self._article = article
        self._numbers = count(1)
        group = child(article, "floats-group")
        self._apart = {attribute(one, "id"): one for one in (() if group is None else group)}
        self._walks: dict[str, Callable[[Element, int], Iterator[Draft]]] = {
            "sec": self._section, "app": self._section, "ack": self._section, "ref-list": self._section,
            "ref": self._entry,
            "glossary": self._section, "notes": self._section, "app-group": self._parts, "sec-meta": self._parts,
            "p": self._paragraph, "fig": self._figure, "fig-group": self._group, "table-wrap": self._table,
            "table-wrap-group": self._group, "disp-formula": self._formula, "disp-formula-group": self._parts,
            "list": self._list, "def-list": self._definitions, "fn-group": self._section, "fn": self._note,
            "boxed-text": self._section, "statement": self._section, "disp-quote": self._parts, "speech": self._parts,
            "list-item": self._parts, "supplementary-material": self._supplement, "verse-group": self._parts,
            "array": self._table, "caption": self._head,
        }  # fmt: skip

    def drafts(self) -> Iterator[Draft]:
        """All blocks in the order in which they are read."""
        article = self._article
        front = child(article, "front")
        yield from front_drafts(front)
        for abstract in children(child(front, "article-meta"), "abstract", "trans-abstract"):
            yield from self._section(abstract, 1)
        yield from self._parts(child(article, "body"), 1)
        for name in list(self._apart):
            yield from self._float(name)
        yield from self._parts(child(article, "back"), 1)
        for other in children(article, *_OTHERS):
            yield from _left_out(other)

    def _parts(self, element: Element | None, level: int) -> Iterator[Draft]:
        """Yield the parts of an element in order, including bare text."""
        if element is None:
            return
        yield from self._bare(element.text)
        for part in element:
            yield from self._walks.get(part.tag, self._other)(part, level)
            yield from self._bare(part.tail)

    def _bare(self, text: str | None) -> Iterator[Draft]:
        words = " ".join((text or "").split())
        if words:
            yield Draft(1, "text", words, plain=words)

    def _section(self, section: Element, level: int) -> Iterator[Draft]:
        """A heading and what is below it; a section that has none goes on with the one around it."""
        title = child(section, "title")
        if title is None:
            title = child(section, "caption", "title")
        label = child(section, "label")
        unsaid = _UNSAID.get(section.tag, "")
        if title is not None and words_of(title):
            words = _labelled(label, words_in(title))
        elif unsaid and not section.get("abstract-type"):
            words, level = Words(unsaid, unsaid), 1
        else:
            words = _labelled(label, Words())
        if words.text:
            yield Draft(1, "sub_title", words.text, plain=words.plain, level=level, ground="markup",
                        key=attribute(section, "id"), marks=words.marks, targets=words.targets)  # fmt: skip
        skipped = {title, label}
        yield from self._bare(section.text)
        for part in section:
            if part not in skipped:
                yield from self._walks.get(part.tag, self._other)(part, level + bool(words.text))
            yield from self._bare(part.tail)

    def _head(self, caption: Element, level: int) -> Iterator[Draft]:
        """The caption of a box: its title is the heading, unless the box has another."""
        own = child(caption.getparent(), "title")
        for part in caption:
            if part.tag != "title" or own is not None:
                yield from self._walks.get(part.tag, self._other)(part, level)

    def _paragraph(self, paragraph: Element, level: int) -> Iterator[Draft]:
        """Write a paragraph; display elements inside cut it, floats follow it."""
        floats: list[Element] = []
        flow, key, last = Flow(), attribute(paragraph, "id"), ""
        flow.write(paragraph.text or "")
        named: list[str] = []
        for part in paragraph:
            if part.tag in _FLOATS:
                floats.append(part)
            elif part.tag in _APART:
                for draft in self._text(flow, key if not last else "", last):
                    last = draft.key
                    named += (target.key for target in draft.targets)
                    yield draft
                yield from self._walks.get(part.tag, self._other)(part, level)
                flow = Flow()
            else:
                write_part(part, flow)
            flow.write(part.tail or "")
        for draft in self._text(flow, key if not last else "", last):
            named += (target.key for target in draft.targets)
            yield draft
        for float_ in floats:
            yield from self._walks[float_.tag](float_, level)
        for name in named:
            yield from self._float(name)

    def _text(self, flow: Flow, key: str, continues: str) -> Iterator[Draft]:
        words = flow.done()
        if words.text:
            yield _draft("text", words, key or self._key(), continues=continues)

    def _float(self, name: str) -> Iterator[Draft]:
        """Write a separate float at its first mention."""
        element = self._apart.pop(name, None)
        if element is not None:
            yield from self._walks.get(element.tag, self._other)(element, 1)

    def _figure(self, figure: Element, level: int) -> Iterator[Draft]:
        key = attribute(figure, "id") or self._key()
        yield Draft(1, "image", "", key=key)
        yield from self._caption(figure, key, "figure_caption")
        yield from self._beside(figure, level)

    def _table(self, wrap: Element, level: int) -> Iterator[Draft]:
        key = attribute(wrap, "id") or self._key()
        yield from self._caption(wrap, key, "table_caption")
        table = stack(table_of(one) for one in wrap.iter("table"))
        yield table_draft(1, table, key=key)
        for foot in children(wrap, "table-wrap-foot", "fn-group"):
            for note in foot:
                words = words_in(note)
                if words.text:
                    yield _draft("table_footnote", words, attribute(note, "id"))
        yield from self._beside(wrap, level)

    def _beside(self, element: Element, level: int) -> Iterator[Draft]:
        """Return a float's content besides its caption and itself: further floats, and alternative text."""
        for part in element:
            if part.tag in _OF_FLOATS:
                continue
            if part.tag in self._walks:
                yield from self._walks[part.tag](part, level)
            elif words := words_of(part):
                yield Draft(1, "metadata", words, plain=words)

    def _caption(self, element: Element, key: str, label: str) -> Iterator[Draft]:
        """Label, title and words of a caption as one text."""
        number = words_of(child(element, "label"))
        flow = Flow()
        if number:
            flow.write(number if number.endswith((".", ":")) else f"{number}.")
        for caption in children(element, "caption", "attrib"):
            flow.write(" ")
            write(caption, flow, lambda part: part.tag not in _FLOATS)
        words = flow.done()
        if words.text:
            yield _draft(label, words, f"{key}.caption", caption_of=key)

    def _group(self, group: Element, level: int) -> Iterator[Draft]:
        words = words_in(caption) if (caption := child(group, "caption")) is not None else Words()
        if words.text:
            yield _draft("text", words, attribute(group, "id"))
        for part in group:
            if part.tag != "caption":
                yield from self._walks.get(part.tag, self._other)(part, level)

    def _formula(self, formula: Element, level: int) -> Iterator[Draft]:
        latex = formula_of(formula)
        number = words_of(child(formula, "label")).strip("()[] ")
        if latex:
            tag = rf" \tag{{{number}}}" if number else ""
            yield Draft(1, "equation", f"\\[ {latex}{tag} \\]", key=attribute(formula, "id") or self._key())

    def _list(self, element: Element, level: int) -> Iterator[Draft]:
        """Write a text for each item, behind its label; display elements inside an item are separate."""
        title = words_in(one) if (one := child(element, "title")) is not None else Words()
        if title.text:
            yield _draft("text", title, "")
        for item in children(element, "list-item"):
            label = words_of(child(item, "label"))
            for part in item:
                if part.tag == "label":
                    continue
                for draft in self._walks.get(part.tag, self._other)(part, level):
                    words = Words(draft.text, draft.plain or "", draft.marks, draft.targets)
                    listed = label and draft.label == "text"
                    yield _draft("text", words.behind(label), draft.key, continues=draft.continues) if listed else draft
                    label = ""

    def _definitions(self, element: Element, level: int) -> Iterator[Draft]:
        for part in element:
            words = words_in(part)
            if words.text:
                yield _draft("text", words, attribute(part, "id"))

    def _note(self, note: Element, level: int) -> Iterator[Draft]:
        words = words_in(note)
        if words.text:
            yield _draft("footnote", words, attribute(note, "id"))

    def _supplement(self, element: Element, level: int) -> Iterator[Draft]:
        label = child(element, "label")
        words = _labelled(label, words_in(element, frozenset({"label"})))
        if words.text:
            yield _draft("text", words, attribute(element, "id"))

    def _entry(self, ref: Element, level: int) -> Iterator[Draft]:
        words = entry_words(ref)
        if words.text:
            yield _draft("reference", words, attribute(ref, "id"))

    def _other(self, element: Element, level: int) -> Iterator[Draft]:
        """Read an unknown element as text, so that nothing is lost."""
        words = words_in(element)
        if words.text:
            yield _draft("text", words, attribute(element, "id"))

    def _key(self) -> str:
        return f" {next(self._numbers)}"  # no id in XML has a blank


def _draft(label: str, words: Words, key: str, *, continues: str = "", caption_of: str = "") -> Draft:
    return Draft(1, label, words.text, plain=words.plain, key=key, continues=continues, caption_of=caption_of,
                 marks=words.marks, targets=words.targets)  # fmt: skip


def _labelled(label: Element | None, words: Words) -> Words:
    return words.behind(words_of(label)) if label is not None else words


def _left_out(element: Element) -> Iterator[Draft]:
    """The text of another article in the same file, block by block."""
    for part in element:
        inner: Iterable[Element] = part if part.tag in ("body", "back", "front", "front-stub") else (part,)
        for one in inner:
            words = words_of(one)
            if words:
                yield Draft(1, "other_article", words, plain=words)
