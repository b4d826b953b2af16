"""Sentences told in other words that say the same, or a part of it: as a true claim may stand beside its quote."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

from scripts.checker.alter import capital, one_word, reworded, shortened, small

Reword = Callable[[str, Random], str]
_FRONT = re.compile(
    r"(In|Among|During|After|Before|At|For|Using|With|By|From|On|Under|Within) ([^,]{4,70}), (.{20,})\."
)
_BACK = re.compile(r"(.{20,}?) (in|among|during|after|before|at|under|within) ([^,.;]{4,60})\.")
_MORE = """higher/lower greater/smaller more/less larger/smaller longer/shorter faster/slower stronger/weaker
better/worse earlier/later older/younger increased/decreased elevated/reduced"""
_LESS = {one: other for pair in _MORE.split() for a, b in [pair.split("/")] for one, other in ((a, b), (b, a))}
_DEGREE = "|".join(_LESS)
_GROUPS = re.compile(
    rf"\b({_DEGREE})\b([\w %-]{{0,40}}?) (in|for|with|among|at) ((?:the )?[\w-]+(?: [\w-]+){{0,3}})"
    r" than (?:in|for|with|among|at|that in|those in)"
    r" ((?:the )?[\w-]+(?: [\w-]+){0,3}?)(?=\.|,| \(|;)"
)
_THAN = re.compile(
    rf"([\w -]{{3,60}}?) (was|were|is|are) ((?:significantly |much |slightly |markedly )?)"
    rf"({_DEGREE})((?: \w+)?) than ([\w -]{{3,50}})\."
)
_SAME = (
    (r"\bfailed to (\w+)\b", r"did not \1"),
    (r"\bdid not (differ|change)\b", r"stayed similar"),
    (r"\b(was|were|is|are) not different\b", r"\1 similar"),
    (r"\bno (?:significant )?differences? (?:was|were) (?:found|observed|seen|detected)\b", "the groups were similar"),
    (r"\b(was|were|is|are) not present\b", r"\1 absent"),
    (r"\b(was|were|is|are) absent\b", r"\1 not present"),
    (r"\bunable to\b", "not able to"),
    (r"\b(?:did|does|do) not have\b", "lacked"),
    (r"\blacks\b", "does not have"),
    (r"\blacking\b", "without"),
    (r"\b(was|were|is|are) not required\b", r"\1 dispensable"),
    (r"\b(was|were|is|are) dispensable\b", r"\1 not needed"),
    (r"\bremained unchanged\b", "did not change"),
    (r"\bassociated with\b", "linked to"),
    (r"\bis able to\b", "can"),
    (r"\bin order to\b", "to"),
    (r"\bas well as\b", "and"),
    (r"\bboth ([\w-]+) and\b", r"\1 and"),
    (r"\ba number of\b", "several"),
    (r"\bresulted in\b", "led to"),
    (r"\bled to\b", "resulted in"),
    (r"\bdue to\b", "because of"),
    (r"\bplays? an? (?:\w+ )?role in\b", "is involved in"),
    (r"\bcompared (?:to|with)\b", "relative to"),
    (r"\bprior to\b", "before"),
    (r"\bgreater than\b", "above"),
    (r"\bmore than\b", "over"),
    (r"\bless than\b", "under"),
    (r"\bapproximately\b", "about"),
    (r"\bper cent\b", "%"),
    (r"\b50 ?%", "half"),
    (r"\b25 ?%", "a quarter"),
    (r"\b([2-9])-fold\b", r"\1 times"),
    (r"\b24 h(?:ours)?\b", "one day"),
    (r"\b60 min(?:utes)?\b", "one hour"),
    (r"\b12 months\b", "one year"),
    (r"\b(\d) h\b", r"\1 hours"),
    (r"\b(\d+) min\b", r"\1 minutes"),
    (r"\b(\d+) wk\b", r"\1 weeks"),
    (r"\b(\d) hours\b", r"\1 h"),
    (r"\bknockdown\b", "silencing"),
    (r"\bpatients suffering from\b", "patients with"),
    (r"\bthe majority of\b", "most"),
    (r"\bmost of the\b", "the majority of the"),
    (r"\bmice\b", "animals"),
    (r"\bwas performed\b", "was carried out"),
    (r"\bwere performed\b", "were carried out"),
    (r"\bcontributes? to\b", "helps to bring about"),
    (r"\bgives rise to\b", "produces"),
    (r"\bhas been shown to\b", "is known to"),
    (r"\bhave been shown to\b", "are known to"),
)
_COMPOUND = re.compile(
    r"\b(expression|activation|inhibition|loss|deletion|levels?|concentrations?|activity|phosphorylation|mutations?|deficiency"
    r"|incidence|prevalence|survival|production|secretion|function|growth|size|rate|risk|number) of"
    r" (?:the )?([\w-]+)(?= (?:was|were|is|are|in|by|and|after|with)\b|[.,])"
)
_WITH = re.compile(
    r"\b(treatment|infection|therapy|stimulation) with (?:the )?([\w-]+)(?= (?:was|were|is|are|in|by|and)\b|[.,])"
)
_BY = re.compile(
    r"((?:[\w-]+ ){0,5}[\w-]+) (?:is|are|was|were)"
    r" (induced|inhibited|promoted|activated|regulated|caused|reduced|increased|mediated|controlled)"
    r" by ((?:[\w-]+ ){0,4}[\w-]+)\."
)
_WE = re.compile(r"\b([Ww]e|[Oo]ur)\b")
_WE_DID = re.compile(
    r"We ((?:\w+ly )?\w+ed) ((?:the |a |an )?[\w -]{4,70}?)( (?:in|by|using|with|from|for|to|on|at) .*)?\."
)
_TWO = re.compile(r"(.{25,}?)(?:,? (?:and|but|whereas|while|although)|;) ((?:the |these |this |no |in )?.{25,})\.")
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|did|does|may|might|will|\w{3,}ed|shows?|increases?|reduces?)\b"
)
_DENIES = re.compile(
    r"\b(?:not|no|never|without|neither|nor|only|all|every|each|few|fewer|none|lack|unless|if|most)\b", re.I
)
_LAST = re.compile(r"(.{30,}?),? (?:in|by|using|during|via|through|with|from|at|for|under|within|as|to) [^,;]{8,70}\.")
_BYNUM = re.compile(
    r" (?:by|from) (?:about |approximately )?\d[\d., %±-]*(?:to \d[\d., %±-]*)?(?:fold|times|percent)?(?= |\.|,)"
)
_DECIMAL = re.compile(r"(?<![\w.,-])(\d{1,3}\.\d+)( ?%| years| days| mm| cm| kg| hours)")
_OTHER_WORD = 0.4  # how often a word is told by another one of WordNet
_LEFT = 4  # words, at least, that a claim has


def fronted(text: str, random: Random) -> str:
    """ "In X, Y." as "Y in X." and the other way round."""
    if found := _FRONT.fullmatch(text):
        return f"{capital(found[3])} {found[1].lower()} {found[2]}."
    if (found := _BACK.fullmatch(text)) and not _DENIES.search(found[1]):
        return f"{capital(found[2])} {found[3]}, {small(found[1])}."
    return ""


def than_turned(text: str, random: Random) -> str:
    """ "More in A than in B" as "less in B than in A"."""
    if found := _GROUPS.search(text):
        said = f"{_LESS[found[1]]}{found[2]} {found[3]} {found[5]} than {found[3]} {found[4]}"
        return text[: found.start()] + said + text[found.end() :]
    if found := _THAN.fullmatch(text):
        return f"{capital(found[6])} {found[2]} {found[3]}{_LESS[found[4]]}{found[5]} than {small(found[1])}."
    return ""


def same(text: str, random: Random) -> str:
    """A turn of phrase in another one."""
    fit = [(pattern, other) for pattern, other in _SAME if re.search(pattern, text)]
    return re.sub(*random.choice(fit), text, count=1) if fit else ""


def compounded(text: str, random: Random) -> str:
    """ "Expression of X" as "X expression"."""
    return _COMPOUND.sub(r"\2 \1", _WITH.sub(r"\2 \1", text))


def active(text: str, random: Random) -> str:
    """ "A is induced by B" as "B induces A"."""
    found = _BY.fullmatch(text)
    if not found or _DENIES.search(text):
        return ""
    verb = re.sub(r"([^e])d$", r"\1", found[2])[:-1] if found[2].endswith("ied") else found[2][:-1]
    if found[2] in ("inhibited",):
        verb = "inhibit"
    return f"{capital(found[3])} {verb}s {small(found[1])}."


def unpersonal(text: str, random: Random) -> str:
    """ "We measured X" as "X was measured", or told of the authors."""
    if found := _WE_DID.fullmatch(text):
        be = "were" if found[2].endswith("s") else "was"
        return f"{capital(found[2])} {be} {found[1]}{found[3] or ''}."
    return _WE.sub(lambda one: {"W": "The authors", "w": "the authors", "O": "Their", "o": "their"}[one[0][0]], text)


def one_side(text: str, random: Random) -> str:
    """One of two clauses."""
    found = _TWO.fullmatch(text)
    if not found or not _VERB.search(found[1]) or not _VERB.search(" ".join(found[2].split()[1:6])):
        return ""
    return capital(found[random.choice((1, 2))]) + "."


def less(text: str, random: Random) -> str:
    """Without the last phrase, or without by how much: what is so of the whole, where nothing is denied."""
    if _DENIES.search(text):
        return ""
    if (changed := _BYNUM.sub("", text, count=1)) != text:
        return changed
    found = _LAST.fullmatch(text)
    return f"{found[1]}." if found and _VERB.search(found[1]) else ""


def rounded(text: str, random: Random) -> str:
    """A number with decimals as about the next whole one, or as more than what is below it."""
    found = _DECIMAL.search(text)
    if not found or float(found[1]) < 3:
        return ""
    value = float(found[1])
    said = random.choice(
        [
            f"about {value:.0f}",
            f"more than {int(value)}" if value > int(value) else f"about {value:.0f}",
            f"under {int(value) + 1}",
        ]
    )
    return text[: found.start()] + said + text[found.end(1) :]


def now(text: str, random: Random) -> str:
    """In the present."""
    return re.sub(r"\bwere\b", "are", re.sub(r"\bwas\b", "is", text))


CHANGES: tuple[tuple[Reword, float], ...] = (
    (one_side, 0.5),
    (less, 0.25),
    (unpersonal, 0.7),
    (than_turned, 0.5),
    (active, 0.6),
    (compounded, 0.6),
    (same, 0.6),
    (same, 0.4),
    (rounded, 0.5),
    (fronted, 0.4),
    (now, 0.2),
)


def told_otherwise(text: str, random: Random, alike: Mapping[str, list[str]], short: Mapping[str, str]) -> str:
    """A sentence shortened and told in other words, by as many changes as chance has it."""
    said = shortened(text, random)
    for change, share in CHANGES:
        if random.random() < share:
            other = change(said, random)
            said = other if len(other.split()) >= _LEFT else said
    said = reworded(said, random) if random.random() < 0.6 else said
    if random.random() < _OTHER_WORD:
        said = one_word(said, random, lambda low: random.choice(alike[low]) if low in alike else "") or said
    for one, other in short.items():
        if random.random() < 0.5:
            said = re.sub(rf"(?<![\w-]){re.escape(one)}(?![\w-])", lambda _, other=other: other, said)
    return capital(said)
