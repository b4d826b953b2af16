"""Checks of a question before it is read: it has words, is not too long, and is in English.

`foreign` knows other languages by their script or their small words. A word list has only words that English lacks
(no "die", "in", "was"), and one of them must ask or stand for "is": "de la Torre 2003" is a name.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

from kag.core.errors import BadValue

ONLY = "other languages are not supported"
SCRIPTS = {
    "CYRILLIC": "Cyrillic letters",
    "CJK": "Chinese or Japanese",
    "HIRAGANA": "Chinese or Japanese",
    "KATAKANA": "Chinese or Japanese",
    "HANGUL": "Korean",
    "ARABIC": "Arabic letters",
    "HEBREW": "Hebrew",
    "GREEK": "Greek",
    "DEVANAGARI": "Devanagari letters",
    "BENGALI": "Bengali",
    "TAMIL": "Tamil",
    "THAI": "Thai",
    "GEORGIAN": "Georgian",
    "ARMENIAN": "Armenian",
}
DENSE = {
    "Chinese or Japanese",
    "Korean",
}  # where two signs may be a question; of others a formula may have five letters


@dataclass(frozen=True, slots=True)
class _Tongue:
    """A language with its own words: those that ask or state, and others."""

    name: str
    asking: frozenset[str]
    others: frozenset[str]


def _tongue(name: str, asking: str, others: str) -> _Tongue:
    return _Tongue(name, frozenset(asking.split()), frozenset(others.split()))


TONGUES = (
    _tongue(
        "German",
        "wie warum wer welche welcher welches welchen wo wann wieviele weshalb ist sind wurde wurden wird hat "
        "haben zeigt zeigen",
        "gibt der das den dem des ein eine einen einer und oder nicht mit von für auf bei aus nach zu zur zum im viele "
        "es sich wir sie ihre dieser diese dieses über unter zwischen tabelle abbildung",
    ),
    _tongue(
        "French",
        "quel quelle quels quelles combien comment pourquoi où quand qui quoi est sont était ont fut montre montrent",
        "le la les des du de un une et ou dans sur avec par pour ce cette ces que qu au aux leur ne pas il elle y "
        "tableau",
    ),
    _tongue(
        "Spanish",
        "cuál cuáles cuántos cuántas cuánto cómo qué quién dónde cuándo cual cuantos cuantas es son fue fueron "
        "hay muestra muestran",
        "está el la los las de del un una y o en con por para que se su sus al no este esta estos tabla",
    ),
    _tongue(
        "Italian",
        "quale quali quanti quante quanto perché perche chi dove quando cosa è sono stato stati ha hanno mostra "
        "mostrano",
        "il lo la gli le di del della dei delle degli un una e o nel nella con per che si al alla non questo "
        "questa tabella",
    ),
    _tongue(
        "Portuguese",
        "qual quais quantos quantas quanto quem onde quando porque são foi foram há está mostra mostram",
        "os as um uma de do da dos das e ou em no na nos nas com por para que se ao não este esta tabela",
    ),
    _tongue(
        "Dutch",
        "hoe hoeveel waarom welke welk wie waar wanneer wat zijn werd werden wordt heeft hebben",
        "het een van en of met voor op bij uit naar niet er deze dit zij hun tussen de",
    ),
    _tongue(
        "Polish",
        "jak jaki jaka jakie ile dlaczego kto gdzie kiedy czy jest są był była były",
        "w z na do od dla nie się i oraz przez przy tego tym",
    ),
    _tongue(
        "Swedish",
        "hur varför vilken vilket vilka vem när är var fanns användes",
        "och i en ett på av för med som till det den inte om från många",
    ),
    _tongue("Turkish", "nasıl neden hangi kaç kim nerede nedir mi mı midir", "ve bir bu için ile olan da de"),
    _tongue(
        "Indonesian",
        "apa apakah berapa bagaimana mengapa siapa kapan adalah",
        "yang di dan dari dengan untuk pada ini itu ke",
    ),
)
_ENGLISH = frozenset(
    re.findall(
        r"\w+",
        "what which who whom whose when where why how is are was were do does did has have had can could should would "
        "will the of and or in on at by for with from to that this these those there it its they their not any many "
        "much between than as be been paper table figure",
    )
)
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


def foreign(text: str) -> str:
    """The language of a question that is not read, as a name for people; "" for English, and where it is not clear.

    >>> foreign("Wie viele Bienenarten wurden gefunden?"), foreign("What did de la Torre et al. find?")
    ('German', '')
    """
    words = [word.casefold() for word in _WORD.findall(unicodedata.normalize("NFC", text))]
    script = _script(text)
    if script:
        return script
    english = sum(word in _ENGLISH for word in words)
    best, most = "", english
    for tongue in TONGUES:
        asks = sum(word in tongue.asking for word in words)
        others = sum(word in tongue.others for word in words)
        if asks and asks + others >= max(2, most + 1):
            best, most = tongue.name, asks + others
    return best


def require_english(text: str) -> None:
    """Raise `BadValue` for a question in a language that is not read.

    >>> require_english("How many species of bees were found?")
    """
    language = foreign(text)
    if language:
        raise BadValue(f"the question is in {language}", hint=f"Ask in English; {ONLY}.")


def _script(text: str) -> str:
    """The script that most letters are of, where that is not the Latin one."""
    kinds = (unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha())
    letters = Counter(SCRIPTS.get(kind, "") for kind in kinds)
    if not letters:
        return ""
    name, many = letters.most_common(1)[0]
    return name if many >= (2 if name in DENSE else 6) and 2 * many > letters.total() else ""


def require_question(text: str, longest: int, how: str = "Ask in") -> None:
    """Raise `BadValue` for no text, and for one of more than `longest` characters.

    >>> require_question("Which bees?", 100)
    """
    hint = f"{how} 1 to {longest} characters."
    if len(text) > longest:
        raise BadValue(f"the question is too long: it has {len(text)} characters", hint=hint)
    if not text.strip():
        raise BadValue("a question is needed", hint=hint)
