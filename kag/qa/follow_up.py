"""`follow_up`: a follow-up question completed from the one before it.

    what was asked                                   what is said then           what is asked
    How many species were found in cemeteries?       and in parks?               How many species were found in parks?
    What does Table 1 show?                          what about Table 2?         What does Table 2 show?
    What is reference 7?                             its DOI?                    What is the DOI of reference 7?
    Did distance matter in Halvern?                  why?                        Why did distance matter in Halvern?

Rules alone, so the same talk gives the same questions. A question that leans on nothing is left as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_LEADS = re.compile(
    r"(?:(?:and|but|or|ok(?:ay)?|so|then|now|well)\b[\s,]*)*(?:(?:what|how)\s+about\b|same\s+(?:question\s+)?for\b|"
    r"likewise\s+for\b|also\b)?[\s,]*",
    re.I,
)
_LABEL = re.compile(
    r"\b(supplementary\s+)?(table|figure|fig\.?|scheme|equation|eq\.?|section|appendix|algorithm|reference|ref\.?)\s+"
    r"([A-Z]?\d[\w.]*\b|[A-Z]\b)",
    re.I,
)
_KINDS = {"fig": "figure", "eq": "equation", "ref": "reference"}
_PLACES = "in|at|on|for|with|without|by|of|after|before|during|from|between|among|under|over|to|until|since|within"
_PHRASE = re.compile(rf"\s+({_PLACES})\s+((?:(?!\b(?:{_PLACES})\b)[^?,;])+)(?=[?\s.]*$)", re.I)
_PLACED = re.compile(rf"({_PLACES})\s+(.+)", re.I)
_ASKING = re.compile(
    r"(?:how\s+(?:many|much|long|often|far|large|big|high|old)|what|which|who|whom|whose|when|where|why|how)\b", re.I
)
_BARE = re.compile(r"(?:how\s+(?:many|much|long|often|far)|when|where|who|how|why(?:\s+(?:not|so|is\s+that))?)", re.I)
_YES_NO = re.compile(r"(did|does|do|is|are|was|were|has|have|had|can|could|will|would|should)\s+(.+)", re.I | re.S)
_ITS = re.compile(r"\b(?:its|their|his|her)\s+(?!own\b)", re.I)
_IT = re.compile(
    r"\b(it|they|them|this one|that one)\b(?!\s+(?:(?:is|was|seems?|appears?)\s+)?"
    r"(?:true|known|clear|likely|possible|correct|right|said|that)\b)",
    re.I,
)
# What a paper has as a printed thing, in whatever talk "its" is said.
_OF_PAPER = re.compile(
    r"(?:first\s+|last\s+)?(?:doi|title|authors?|journal|year|publication\s+(?:date|year)|date|abstract|keywords?|"
    r"funding|funders?|code|data(?:\s+(?:and\s+code\s+)?availability)?|references?|reference\s+list|limitations?|"
    r"limits|conclusions?|summary|sections?|figures?|tables?|licen[cs]e|affiliations?)\b",
    re.I,
)
_NAME = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z])[A-Za-z0-9][\w-]*(?:[- ](?=[\w-]*[A-Z])[\w-]+)*")
_THE_NAME = re.compile(r"\bthe\s+[A-Z][\w-]*(?:\s+[A-Z][\w-]*)*")
_HELD = re.compile(r"(?:data|code|software|scripts?)(?:\s+and\s+(?:the\s+)?(?:data|code|software|scripts?))?", re.I)
_COMMON = set(re.findall(r"\w+", "what which who whom whose when where why how did does do is are was were i"))
_THIS = re.compile(r"\b(?:(?:this|the|that)\s+(?:paper|study|article|work|authors?)|they|their|here)\b", re.I)
_OF = re.compile(r"\bof\s+((?:the\s+)?[\w-]+(?:\s[\w-]+){0,2})[?\s.]*$", re.I)
_MOST_WORDS = 9  # of what leans on the question before; a longer one says what it is about


@dataclass(frozen=True, slots=True)
class Before:
    """The state of a conversation: the last question in full, its paper's id, and the referent of "it"."""

    question: str = ""
    paper: str = ""
    subject: str = ""


def follow_up(question: str, before: Before) -> tuple[str, Before]:
    """Complete a follow-up question; return it in full with the new state of the conversation.

    >>> talk = Before("How many species were found in cemeteries?", "bees")
    >>> follow_up("and in parks?", talk)[0]
    'How many species were found in parks?'
    >>> follow_up("Who funded the work?", talk)[0]
    'Who funded the work?'
    """
    text = " ".join(question.split())
    full = _full(text, before) if before.question else text
    return full, replace(before, question=full, subject=_subject(full) or before.subject)


def of_this_paper(text: str) -> bool:
    """Whether a question is about the current paper without naming it.

    >>> of_this_paper("What do the authors conclude?"), of_this_paper("Which papers cite Smith?")
    (True, False)
    """
    return bool(_THIS.search(text))


def _full(text: str, before: Before) -> str:
    lead = _LEADS.match(text)
    rest = text[lead.end() if lead else 0 :].strip(" ,?.!")
    led = bool(lead and lead.end()) and bool(rest)
    for rule in (_bare, _its):
        found = rule(rest, before)
        if found:
            return _as_question(found)
    if led and len(rest.split()) <= _MOST_WORDS and not _ASKING.search(rest) and not _YES_NO.match(rest):
        return _as_question(_changed(rest, before))
    if (
        not led
        and len(rest.split()) <= _MOST_WORDS
        and not _ASKING.search(rest)
        and (_PLACED.fullmatch(rest) or _LABEL.fullmatch(rest))
    ):
        return _as_question(_changed(rest, before))
    return _it(_capital(rest) + "?" if led else text, before)


def _bare(rest: str, before: Before) -> str:
    """A question word alone asks that of what was asked before."""
    if not _BARE.fullmatch(rest):
        return ""
    last = before.question.rstrip(" ?.!")
    asked = _YES_NO.match(last)
    if asked:
        return f"{_capital(rest.split()[0] if rest.lower().startswith('why') else rest)} {_small(last)}"
    word = _ASKING.match(last)
    return f"{_capital(rest)} {last[word.end() :].strip()}" if word else f"{_capital(rest)}: {last}"


def _its(rest: str, before: Before) -> str:
    """`its DOI` and the like, alone or in a question."""
    match = _ITS.search(rest)
    if not match:
        return ""
    thing, label = rest[match.end() :], _LABEL.search(before.question)
    of_paper = _OF_PAPER.match(thing)
    if label and not (of_paper and _kind(label) not in ("reference",)):
        owner = label[0]
    else:
        owner = "the paper" if of_paper or not before.subject else before.subject
    placed = re.search(rf"\s(?:{_PLACES})\s", thing, re.I)
    end = of_paper.end() if of_paper else placed.start() if placed else len(thing)
    named = f"the {thing[:end].strip()} of {owner}{thing[end:]}"
    before_it = rest[: match.start()].strip()
    if not before_it and of_paper and owner == "the paper" and end == len(thing):
        return _of_paper(thing)
    return f"{before_it or _asking(thing[:end])} {named}"


def _of_paper(thing: str) -> str:
    """A question for what a paper has."""
    if _HELD.fullmatch(thing):
        return f"Where can the {thing} be found"
    if thing.lower() in ("funding", "funders"):
        return "Who funded the work"
    return f"{_asking(thing)} the {_small(thing)} of the paper"


def _asking(thing: str) -> str:
    return "Who are" if re.match("authors", thing, re.I) else "What are" if re.search(r"[^s]s$", thing) else "What is"


def _changed(rest: str, before: Before) -> str:
    """Return the previous question with the part replaced that matches the new words."""
    last = before.question.rstrip(" ?.!")
    label = _LABEL.fullmatch(rest)
    if label:
        return _other_label(label, last)
    phrase, placed = _PHRASE.search(last), _PLACED.fullmatch(rest)
    if placed:
        same = _last_with(placed[1], last)
        return _put(last, same, rest) if same else f"{last} {rest}"
    thing = re.sub(r"(?:the|its|their)\s+", "", rest, flags=re.I)
    if _OF_PAPER.fullmatch(thing) or _HELD.fullmatch(thing):
        return _of_paper(thing)
    matches = [*_THE_NAME.finditer(last)] if _THE_NAME.fullmatch(rest) else []
    if matches:
        return last[: matches[-1].start()] + rest + last[matches[-1].end() :]
    if re.match(r"(?:the|its|their)\s", rest, re.I):  # another thing of the same group
        return f"What is {_small(rest)}{phrase[0] if phrase and phrase[1].lower() != 'of' else ''}"
    name = _name_like(rest, last)
    if name:
        return last[: name.start()] + rest + last[name.end() :]
    return _put(last, phrase, f"{phrase[1]} {rest}") if phrase else f"{last} for {rest}"


def _other_label(label: re.Match[str], last: str) -> str:
    """The question before of another table, figure, section or reference; what it shows, where there was none."""
    for old in _LABEL.finditer(last):
        if _kind(old) == _kind(label):
            return last[: old.start()] + label[0] + last[old.end() :]
    verb = {"reference": "What is", "section": "What is", "appendix": "What is"}.get(_kind(label))
    if _kind(label) in ("section", "appendix"):
        return f"{verb} {label[0]} about"
    return f"{verb} {label[0]}" if verb else f"What does {label[0]} show"


def _kind(label: re.Match[str]) -> str:
    word = label[2].lower().rstrip(".")
    return _KINDS.get(word, word)


def _last_with(preposition: str, last: str) -> re.Match[str] | None:
    """Return the last phrase of a question with this preposition, or one of place if that is also one."""
    alike = {
        "in": "in|at|on|for|of|during|after",
        "at": "at|in|after|on",
        "on": "on|in|at",
        "after": "after|at|before|in",
    }
    words = alike.get(preposition.lower(), f"{preposition}|in")
    for choice in (preposition, words):
        matches = list(re.finditer(rf"\s({choice})\s+((?:(?!\b(?:{_PLACES})\b)[^?,;])+)", last, re.I))
        if matches:
            return matches[-1]
    return None


def _put(last: str, old: re.Match[str] | None, new: str) -> str:
    if old is None:
        return f"{last} {new}"
    tail = last[old.end() :]
    return f"{last[: old.start()]} {new}{' ' if tail.strip() and not tail.startswith(' ') else ''}{tail}"


def _name_like(rest: str, last: str) -> re.Match[str] | None:
    """Return the last name in a question, if the new words are a name, too."""
    if not _NAME.fullmatch(rest):
        return None
    matches = [match for match in _NAME.finditer(last) if match.start() > 0 and match[0].lower() not in _COMMON]
    return matches[-1] if matches else None


def _it(text: str, before: Before) -> str:
    """Replace `it` and `they` by the topic; unchanged if the question has a name of its own."""
    if not before.subject or _subject(text):
        return text
    return _IT.sub(before.subject, text, count=1)


def _subject(question: str) -> str:
    """Return the subject of a question: a table or figure it names, else its first name."""
    label = _LABEL.search(question)
    if label:
        return label[0]
    names = (match[0] for match in _NAME.finditer(question) if match.start() > 0)
    name = next((name for name in names if name.lower() not in _COMMON), "")
    thing = _OF.search(question)
    return name or (thing[1] if thing else "")


def _as_question(text: str) -> str:
    return _capital(" ".join(text.split())).rstrip(" ?.!") + "?"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small(text: str) -> str:
    """Return the text without a leading capital, unless it begins with a name."""
    first = text.split()[0] if text.split() else ""
    return text[:1].lower() + text[1:] if first[1:].islower() or len(first) == 1 else text
