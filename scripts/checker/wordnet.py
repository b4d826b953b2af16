"""Words that say the same and words that say the opposite, of WordNet 3.0 (Princeton; free for any use).

Other words are taken for those with one sense alone: a word of many senses has no safe other word.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_KINDS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_ENDS = {"v": ("s", "ed", "ing"), "n": ("s",), "a": (), "r": ()}


class WordNet:
    """`alike[word]` and `opposite[word]` for lower-case words in any of their regular forms."""

    def __init__(self, folder: Path) -> None:
        self.alike: dict[str, list[str]] = {}
        self.opposite: dict[str, list[str]] = {}
        senses = {word: tuple(found) for word, *found in _index(folder)}
        for kind, letter in _KINDS.items():
            for words, opposites in _groups(folder / f"data.{kind}"):
                known = [word for word in words if _is_plain(word)]
                for word in known:
                    if senses.get((word, letter), (9,))[0] <= 1:
                        others = [
                            other for other in known if other != word and senses.get((other, letter), (9,))[0] <= 3
                        ]
                        self._add(self.alike, word, others, letter)
                for word, other in opposites:
                    if _is_plain(word) and _is_plain(other) and senses.get((word, letter), (9,))[0] <= 6:
                        self._add(self.opposite, word, [other], letter)

    def _add(self, table: dict[str, list[str]], word: str, others: list[str], letter: str) -> None:
        if not others:
            return
        table.setdefault(word, []).extend(others)
        for end in _ENDS[letter]:
            table.setdefault(_with(word, end), []).extend(_with(other, end) for other in others)


def _is_plain(word: str) -> bool:
    return word.isalpha() and word.islower() and len(word) > 3


def _with(word: str, end: str) -> str:
    if end in ("ed", "ing") and word.endswith("e"):
        return word[:-1] + end
    if word.endswith("y") and word[-2] not in "aeiou" and end in ("s", "ed"):
        return word[:-1] + ("ies" if end == "s" else "ied")
    if end == "s" and word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word + end


def _index(folder: Path) -> Iterator[tuple[tuple[str, str], int]]:
    for kind, letter in _KINDS.items():
        for line in (folder / f"index.{kind}").read_text(encoding="utf-8").splitlines():
            if not line.startswith(" "):
                parts = line.split()
                yield (parts[0], letter), int(parts[2])


def _groups(path: Path) -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """Words of each group of synonyms, and pairs of a word of it and its opposite (looked up by place in the file)."""
    lines = {
        line.split(" ", 1)[0]: line for line in path.read_text(encoding="utf-8").splitlines() if line[:1].isdigit()
    }

    def words(line: str) -> list[str]:
        parts = line.split()
        return [parts[4 + 2 * at].split("(")[0] for at in range(int(parts[3], 16))]

    for line in lines.values():
        own, parts = words(line), line.split(" | ")[0].split()
        begin = 4 + 2 * int(parts[3], 16)
        opposites = []
        for at in range(int(parts[begin])):
            sign, place, _, which = parts[begin + 1 + 4 * at : begin + 5 + 4 * at]
            if sign == "!" and place in lines and which != "0000":
                opposites.append((own[int(which[:2], 16) - 1], words(lines[place])[int(which[2:], 16) - 1]))
        yield own, opposites
