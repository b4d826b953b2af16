"""Sentences turned wrong, or told in other words, by rules that know which of the two they do."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from random import Random

_SIDES = """increased/decreased increases/decreases increase/decrease increasing/decreasing higher/lower highest/lowest
greater/smaller more/less more/fewer larger/smaller largest/smallest elevated/reduced rose/fell gained/lost
promotes/inhibits promoted/inhibited enhances/reduces enhanced/impaired activates/suppresses
activated/suppressed activation/inhibition induces/prevents induced/blocked upregulated/downregulated
up-regulated/down-regulated positive/negative positively/negatively before/after earlier/later early/late
longer/shorter faster/slower stronger/weaker better/worse improved/worsened improves/worsens
improvement/deterioration high/low presence/absence present/absent common/rare frequently/rarely
sufficient/insufficient required/dispensable necessary/unnecessary essential/dispensable similar/different
same/different older/younger maximum/minimum majority/minority strong/weak gain/loss protective/harmful
benefit/harm successful/unsuccessful effective/ineffective active/inactive sensitive/resistant stable/unstable
significant/insignificant dependent/independent above/below acute/chronic male/female males/females men/women
upper/lower inner/outer anterior/posterior proximal/distal left/right first/last northern/southern winter/summer
all/some most/few always/sometimes adults/children patients/controls treated/untreated wild-type/mutant"""
OPPOSITES = [tuple(pair.split("/")) for pair in _SIDES.split()]
TURN = {one: other for pair in OPPOSITES for one, other in (pair, pair[::-1])}
_ALIKE = """increased/rose increased/grew decreased/fell decreased/declined reduced/lowered shows/demonstrates
showed/revealed showed/demonstrated showed/found found/observed significantly/markedly important/crucial
required/needed require/need requires/needs use/employ used/employed using/employing children/paediatric
tumour/cancer tumor/cancer about/approximately nearly/almost large/big began/started start/begin
enhances/promotes enhanced/promoted inhibits/suppresses inhibited/suppressed prevents/blocks leads/contributes
induced/caused induces/causes identified/found identify/find method/approach method/technique illness/disease
disorder/disease drug/medication help/aid helps/aids participants/subjects individuals/people obtained/got
higher/greater lower/smaller similar/comparable rapidly/quickly rapid/fast associated/linked association/link
correlated/associated majority/most frequent/common often/frequently mice/animals mean/average
evaluated/assessed examined/studied investigated/studied essential/necessary essential/required
improves/enhances improved/enhanced role/function regulates/controls regulated/controlled mediates/drives
expression/levels additionally/also furthermore/moreover"""
_SYNONYM: dict[str, list[str]] = {}
for _one, _other in (pair.split("/") for pair in _ALIKE.split()):
    _SYNONYM.setdefault(_one, []).append(_other)
    _SYNONYM.setdefault(_other, []).append(_one)
_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER = re.compile(r"(?<![\w.,-])\d+(?:\.\d+)?(?![\w.]*\w)")
_HEDGED = re.compile(r"\b(?:may|might|could) (be|\w+)\b")
_HEDGES = re.compile(r"\b(?:possibly|probably|perhaps|potentially|likely|presumably) ", re.I)
_SUGGESTED = re.compile(r"^.{0,60}\b(?:suggest|suggests|suggesting|hypothesi[sz]ed?|speculate|propose) that ", re.I)
_BE = re.compile(r"\b(is|are|was|were|has|have|had|can|could|did|does|do|will|would|should|must)\b(?! not)")
_NOT = re.compile(r"\b(is|are|was|were|has|have|had|can|could|did|does|do) not\b|\bno (?=\w)|\bcannot\b|\bwithout\b")
_SHOW = r"(?:show|find|found|report|indicate|demonstrate)"
_LEAD = re.compile(
    r"^(?:However|Moreover|Furthermore|In addition|Additionally|In conclusion|Thus|Therefore|Importantly|Interestingly"
    rf"|(?:Here,? )?[Ww]e {_SHOW} that|(?:Our|These) (?:results|findings|data) {_SHOW} that"
    r"|Notably|Overall|Finally|CONCLUSIONS?|RESULTS|FINDINGS|INTERPRETATION)[,:]? ",
)
_BRACKETS = re.compile(r" ?\([^()]*\)| ?\[[^\[\]]*\]")
_TAIL = re.compile(r",? (?:which|who|whereas|while|although|because|suggesting|indicating|but)\b.*$|; .*$")
_NAME = re.compile(r"\b(?=\w*[A-Z0-9])(?=\w*[A-Za-z])[\w-]*(?:[A-Z][\w-]*[A-Z0-9]|\d)[\w-]*\b")
_DOING = (
    "(?:induces?|inhibits?|promotes?|activates?|regulates?|suppresses|causes?|binds?|mediates?|reduces?|increases?|prevents?"
    "|controls?|affects?|predicts?)"
)
_FEWEST = 5  # words that are left where a sentence is shortened


def turned(text: str, random: Random) -> str:
    """One word in its opposite."""
    return one_word(text, random, lambda low: TURN.get(low, ""))


def denied(text: str, random: Random) -> str:
    """A denial put in, or taken out where there is one."""
    if found := _NOT.search(text):
        left = {"cannot": "can", "without": "with"}.get(found[0], found[1] or "")
        return f"{text[: found.start()]}{left}{text[found.end() :]}".replace("  ", " ")
    places = list(_BE.finditer(text))
    if not places:
        return ""
    place = random.choice(places[:2])
    return f"{text[: place.end()]} not{text[place.end() :]}"


def renumbered(text: str, random: Random) -> str:
    """One number in another one."""
    places = list(_NUMBER.finditer(text))
    if not places:
        return ""
    place = random.choice(places)
    value = place[0]
    digits = [at for at, char in enumerate(value) if char.isdigit()]
    at = random.choice(digits[:2])
    other = random.choice([digit for digit in "123456789" if digit != value[at]])
    return text[: place.start()] + value[:at] + other + value[at + 1 :] + text[place.end() :]


def numbers_exchanged(text: str, random: Random) -> str:
    """Two numbers in each other's place."""
    places = [place for place in _NUMBER.finditer(text) if not re.fullmatch(r"(?:19|20)\d\d", place[0])]
    pairs = [(one, other) for one, other in pairwise(places) if one[0] != other[0]]
    return _exchanged(text, [(one.span(), other.span()) for one, other in pairs], random)


def names_exchanged(text: str, random: Random) -> str:
    """Two names, or the two sides of "than", in each other's place."""
    if found := re.search(
        r"\b(?:in|for|with|of) ((?:the )?[\w-]+(?: [\w-]+)?) than (?:in|for|with|of) ((?:the )?[\w-]+(?: [\w-]+)?)",
        text,
    ):
        return _exchanged(text, [(found.span(1), found.span(2))], random)
    names = list(_NAME.finditer(text))
    pairs = [(one, other) for one in names for other in names if one.start() < other.start() and one[0] != other[0]]
    return _exchanged(text, [(one.span(), other.span()) for one, other in pairs], random)


def sides_exchanged(text: str, random: Random) -> str:
    """What stands before a verb of doing and what stands behind it in each other's place."""
    found = re.fullmatch(rf"((?:[\w-]+ ){{1,4}})({_DOING}) ((?:[\w-]+ ?){{1,5}})(.*)", text.rstrip("."))
    if not found or not found[3].strip():
        return ""
    return f"{found[3].strip()} {found[2]} {found[1].strip()}{found[4]}."


def unhedged(text: str, random: Random) -> str:
    """A guess told as a fact."""
    if found := _SUGGESTED.search(text):
        text = capital(text[found.end() :])
        return _HEDGES.sub("", _HEDGED.sub(_plain_verb, text))
    changed = _HEDGES.sub("", _HEDGED.sub(_plain_verb, text))
    return changed if changed != text else ""


def overstated(text: str, random: Random) -> str:
    """ "All", "only" or "always" put in."""
    changed = re.sub(r"\b(?:some|several|many|most|a few|few)\b(?! of)", "all", text, count=1, flags=re.I)
    if changed != text:
        return changed
    found = _BE.search(text)
    return (
        f"{text[: found.end()]} {random.choice(['always', 'only', 'exclusively'])}{text[found.end() :]}"
        if found
        else ""
    )


def renamed(text: str, random: Random, names: list[str]) -> str:
    """A name in another one of the same paper."""
    places = list(_NAME.finditer(text))
    others = [name for name in names if name not in text]
    if not places or not others:
        return ""
    old, new = random.choice(places)[0], random.choice(others)
    return re.sub(rf"\b{re.escape(old)}\b", new, text)


def shortened(text: str, random: Random) -> str:
    """Without what stands in brackets, leads in, or is added behind."""
    changed = _BRACKETS.sub("", _LEAD.sub("", text))
    if random.random() < 0.5:
        changed = _TAIL.sub("", changed.rstrip(".")) + "."
    changed = capital(changed.strip())
    return changed if len(changed.split()) >= _FEWEST else text


def reworded(text: str, random: Random) -> str:
    """One to three words in others that say the same; small numbers in words or digits."""
    for _ in range(random.randint(1, 3)):
        text = one_word(text, random, lambda low: random.choice(_SYNONYM[low]) if low in _SYNONYM else "") or text
    for at, word in enumerate(_COUNTS, start=2):
        if random.random() < 0.5:
            text = re.sub(rf"(?<![\w.,%-]){at}(?= [a-z])", word, text)
        else:
            text = re.sub(rf"\b{word}\b(?= [a-z])", str(at), text)
    if random.random() < 0.3:
        text = re.sub(r"(\d) ?%", r"\1 percent", text)
    return text


def names_of(text: str) -> list[str]:
    """The names in a text, each once."""
    return list(dict.fromkeys(_NAME.findall(text)))


def one_word(text: str, random: Random, other: Callable[[str], str]) -> str:
    """One of the words that have another one in that one; nothing where there is none."""
    places = [place for place in re.finditer(r"[A-Za-z-]+", text) if other(place[0].lower())]
    if not places:
        return ""
    place = random.choice(places)
    new = other(place[0].lower())
    return text[: place.start()] + (capital(new) if place[0][0].isupper() else new) + text[place.end() :]


def _exchanged(text: str, pairs: list[tuple[tuple[int, int], tuple[int, int]]], random: Random) -> str:
    if not pairs:
        return ""
    (a, b), (c, d) = random.choice(pairs)
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def _plain_verb(found: re.Match[str]) -> str:
    verb = found[1]
    return "is" if verb == "be" else "has" if verb == "have" else verb if verb.endswith("s") else f"{verb}s"


def capital(text: str) -> str:
    """With a capital in front."""
    return text[:1].upper() + text[1:]


def small(text: str) -> str:
    """Without a capital in front, but for names."""
    return text if len(text) > 1 and text[1].isupper() else text[:1].lower() + text[1:]
