"""`verify`: re-check an answer against the graphs it quotes, whoever wrote it.

Two statements are made. A piece of evidence is *quoted*: its text, node, page, boxes, span and hash hold. A claim is
*supported*, *contradicted* or *undecided* by a checker that is named, or not judged (`kag.qa.checking.claim_check`).
An exact answer of one paper is asked again: its claims are supported by the graph if the graph still gives them. The
verdict of a model cannot be repeated here; it is reported as the file states it.

Each issue names the claim (`claims[2].evidence[0]`), the rule it breaks, and how to put it right. The rules:
paper, node, machine, page, boxes, span, quote, hash for each evidence; no_evidence, twice, count, scrap, contradicted,
undecided, verdict for each claim; passage for each passage; text, found, value, papers and searches for the answer.
What a judge left undecided is no Violation, but for the strict. What cannot be proven is `UNCHECKED`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kag.core.evidence import EXACT, NOT_FOUND, Answer, Checker, Claim, Shown, Verdict
from kag.core.report import Issue, Report
from kag.qa.checking.claim_check import MACHINE, evidence_issues, issue, judged
from kag.qa.checking.quoted import singular
from kag.qa.exact.compose import GRAPH, LABEL, look_up
from kag.qa.paper import PaperGraph
from kag.qa.questions.file import Question
from kag.text.plain import plain

UNCHECKED = ("id", "question", "mode", "label", "verdicts of models", "dropped", "searches", "usage", "stopped")
"""What no graph can prove: who was asked what and how, what a model judged, what was not found."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking an answer: how many quotes hold, and the verdict on each claim, None if nobody judged it.

    `report` has all issues; it conforms where nothing is broken or contradicted, nor, for the strict, undecided or not
    judged.
    """

    report: Report
    quotes: int
    quoted: int
    verdicts: tuple[Verdict | None, ...]

    def count(self, status: str) -> int:
        """Count the claims with a verdict."""
        return sum(verdict is not None and verdict.status == status for verdict in self.verdicts)


def verify(
    answer: Answer,
    papers: Mapping[str, PaperGraph],
    shown: Shown | None = None,
    *,
    checker: Checker | None = None,
    strict: bool = False,
) -> Report:
    """Return the issues of an answer. `shown` are its file's further fields, to be compared with the claims."""
    return checked(answer, papers, shown, checker=checker, strict=strict).report


def checked(
    answer: Answer,
    papers: Mapping[str, PaperGraph],
    shown: Shown | None = None,
    *,
    checker: Checker | None = None,
    strict: bool = False,
) -> Checked:
    """Check an answer: each quote, then each claim, then what is displayed of them."""
    issues = [*_answer_issues(answer, shown), *_passage_issues(answer, papers)]
    repeated = _exact_claims(answer, papers)
    quoted, verdicts = 0, list[Verdict | None]()
    for number, claim in enumerate(answer.claims):
        where = f"claims[{number}]"
        found, verdict = judged(claim, papers, answer.question, where, checker)
        if claim in repeated and not any(".evidence[" in one.focus for one in found):
            found, verdict = [], GRAPH
            if claim.verdict is None and answer.label == LABEL and (shown is None or shown.verdicts):
                found = [issue(where, "verdict", "an exact answer states the verdict of the graph", "Ask again.")]
        broken = {one.focus for one in found if ".evidence[" in one.focus}
        quoted += len(claim.evidence) - len(broken)
        if not broken:
            found += _stated_issues(claim, verdict, where)
            verdict = verdict or claim.verdict
        verdicts.append(verdict)
        if strict and verdict is None and not found:
            found = [issue(where, "not_judged", "nobody has judged this claim", "Answer with a judge.")]
        issues += [replace(one, severity="Violation") if strict else one for one in found]
    if answer.reason:
        issues += judged(answer.reason, papers, answer.question, "reason", checker)[0]
    quotes = sum(len(claim.evidence) for claim in answer.claims)
    return Checked(Report.of(issues), quotes, quoted, tuple(verdicts))


def _exact_claims(answer: Answer, papers: Mapping[str, PaperGraph]) -> Sequence[Claim]:
    """The claims that the graph gives when the question of an exact answer is asked again."""
    asked = [papers[name] for name in answer.papers if name in papers]
    if answer.mode != EXACT or len(asked) != 1 or not answer.claims:
        return ()
    again = look_up(Question(answer.id, answer.question), asked[0])
    return again.claims if again else ()


def _stated_issues(claim: Claim, verdict: Verdict | None, where: str) -> Iterator[Issue]:
    """Return the issues of a stated verdict: a machine's verdict has to be reproducible."""
    stated = claim.verdict
    if stated is None:
        return
    is_other = verdict is None or (verdict.status, verdict.checker) != (stated.status, stated.checker)
    if stated.checker in MACHINE or stated.checker == GRAPH.checker:
        wrong = is_other
    else:
        wrong = verdict is not None and verdict.status != "supported" and stated.status == "supported"
    if wrong:
        now = f"{verdict.status} by {verdict.checker}" if verdict else "not judged"
        message = f"the file says that it is {stated.status} by {stated.checker}, and it is {now}"
        yield issue(where, "verdict", message, "Answer again.")
    elif stated.status == "contradicted":
        yield issue(where, "contradicted", f"{stated.checker} contradicts it", "Leave the claim out.")


def _passage_issues(answer: Answer, papers: Mapping[str, PaperGraph]) -> Iterator[Issue]:
    """Return the issues of an answer's passages."""
    for number, passage in enumerate(answer.passages):
        where = f"passages[{number}]"
        for place, evidence in enumerate(passage.evidence):
            yield from evidence_issues(evidence, papers, f"{where}.evidence[{place}]")
        paper = papers.get(passage.paper)
        nodes = [paper.nodes[iri] for iri in passage.nodes if paper and iri in paper.nodes]
        printed = " ".join(word for node in nodes for word in node.text.split())
        if len(nodes) < max(1, len(passage.nodes)) or all(node.page != passage.page for node in nodes):
            yield issue(where, "passage", "its nodes or its page are not the paper's", "Ask again.")
        elif not all(" ".join(line.split()) in printed for line in passage.text.split("\n")):
            yield issue(where, "passage", "its text is not what its nodes print", "Ask again.")


def _answer_issues(answer: Answer, shown: Shown | None) -> Iterator[Issue]:
    if shown is not None and shown.text != answer.text:
        yield issue("answer", "text", "the text is not what the claims say", "Write the claims and nothing else.")
    if shown is not None and shown.found != answer.found:
        yield issue(
            "found", "found", f"found is {shown.found}, and there are {len(answer.claims)} claims", "Correct it."
        )
    if len(set(_with_names(answer.claims))) < len(answer.claims):
        yield issue("claims", "twice", "a claim is made twice", "Make each once.")
    for problem in value_problems(answer):
        yield issue("value", "value", problem, "Take the value from the claims.")
    claims = (*answer.claims, *((answer.reason,) if answer.reason else ()))
    quoted = {one.paper for claim in claims for one in claim.evidence}
    if quoted and sorted(answer.papers) != sorted(quoted):
        yield issue(
            "papers", "papers", "the papers are not those that are quoted", f"Name {', '.join(sorted(quoted))}."
        )
    if not answer.claims and not answer.searches:
        yield issue("searches", "searches", f"{NOT_FOUND!r} needs the searches that were tried", "List them.")


def _with_names(claims: Sequence[Claim]) -> Iterator[tuple[Claim | None, Claim]]:
    """Claims, each that counts with the one right before it that says of what: two sections may cite the very same."""
    before: Claim | None = None
    for claim in claims:
        yield before if claim.count is not None else None, claim
        before = claim if claim.count is None else before


_SEPARATOR = re.compile(r"[;,] ")
_TITLE_NUMBER = re.compile(r"(?:[\dIVXivx]+(?:\.\d+)*|[A-Za-z](?:\.\d+)*(?=[.):]))[.):]* ")
_ENTRY = re.compile(r"^\[\d+\] ")
_NUMBERS = re.compile(r"\d+(?:, \d+)+")
_END = re.compile(r"[.?!]?")


def value_problems(answer: Answer) -> Iterator[str]:
    """Return the issues of an answer's value; none if it agrees with the claims."""
    value, claims = answer.value, answer.claims
    if value is None:
        if any(claim.count is not None for claim in claims) and not answer.dropped:
            yield "a claim counts, and there is no value"
    elif not claims:
        if not _is_nothing(value):
            yield "there is a value but no claim"
    elif isinstance(value, dict) and value:
        yield from _untold_counts(value, answer)
    elif not _is_stated(value, claims):
        yield f"{str(value)[:60]!r} is not what the claims state: all of it, in their order, and nothing else"


def _is_stated(value: object, claims: Sequence[Claim]) -> bool:
    if isinstance(value, list):
        items = [_even(item) for item in value]
        printed = (one.quote for claim in claims for one in claim.evidence)
        quotes = [_even(words) for quote in printed for words in (quote, plain(quote))]
        if not items or not all(item and _is_one(item, quotes) for item in items):
            return False
        return _is_listed(items, claims) or _are_stated_in_turn(items, claims)
    if isinstance(value, str):
        return any(_stands(value, claim) for claim in claims)
    return _is_number_of(value, claims)


def _is_nothing(value: object) -> bool:
    """Whether a value means that there is nothing of the kind."""
    if isinstance(value, dict):
        return bool(value) and not any(value.values())
    return value == [] or value == "no" or (value == 0 and isinstance(value, int))


def _even(text: str) -> str:
    return " ".join(text.split())


def _is_number_of(value: object, claims: Sequence[Claim]) -> bool:
    counted = next((claim.count for claim in claims if claim.count is not None), None)
    pages = (one.page for claim in claims for one in claim.evidence if re.search(rf"\bpage {one.page}\b", claim.text))
    return isinstance(value, int) and (value == counted or value in pages)


def _stands(value: str, claim: Claim) -> bool:
    """Whether a claim contains a text as whole words and numbers; "yes" if the claim states that."""
    text, wanted = _even(claim.text), _even(value)
    if wanted in ("yes", "no"):
        return text.endswith(f": {wanted}.")
    return bool(wanted) and _place(wanted, text) >= 0


def _place(wanted: str, text: str, start: int = 0) -> int:
    """Return the position of words in a text as whole words; -1 if absent."""
    first = r"(?<![^\W_])(?<!\d[.,])" if wanted[0].isalnum() else ""
    last = r"(?![^\W_])(?![.,]\d)" if wanted[-1].isalnum() else ""
    match = re.compile(first + re.escape(wanted) + last).search(text, start)
    return match.start() if match else -1


# lists ----------------------------------------------------------------------------------------


def _is_one(item: str, quotes: Sequence[str]) -> bool:
    """Whether an item is one and not several: with a separator inside it has to be printed so."""
    if _NUMBERS.fullmatch(item):
        return False
    return "; " not in item or any(_ENTRY.sub("", item) in quote for quote in quotes)


def _is_listed(items: list[str], claims: Sequence[Claim]) -> bool:
    """Whether one claim lists these items and nothing else behind its first words, and none beside it goes on."""
    texts = [_even(claim.text) for claim in claims]
    for place, line in enumerate(texts):
        lead = _lead_of_list(line, items)
        if lead and not any(_form(text).startswith(_form(lead)) for text in (*texts[:place], *texts[place + 1 :])):
            return True
    return False


def _lead_of_list(text: str, items: list[str]) -> str:
    """Return a claim's text before these items, which end it; "" if it does not list exactly them.

    They come in their order; repeated ones count once.
    """
    at = text.find(items[0])
    while at >= 0:
        lead = text[: at - _numbered_before(text, at)]
        if not _SEPARATOR.fullmatch(lead[-2:]) and _tells_from(text, at, items):
            return lead
        at = text.find(items[0], at + 1)
    return ""


def _numbered_before(text: str, at: int) -> int:
    """Return the length of the number printed before a title, which its item leaves out."""
    last = text.rfind(" ", 0, max(at - 1, 0)) + 1
    return at - last if last < at and _TITLE_NUMBER.fullmatch(text, last, at) else 0


def _tells_from(text: str, at: int, items: list[str]) -> bool:
    count = 0
    while item := _item_at(text, at, items, count):
        count += count < len(items) and item == items[count]
        at += len(item)
        if _END.fullmatch(text, at):
            return count == len(items)
        at += len("; ")
        number = _TITLE_NUMBER.match(text, at)
        if number and not _item_at(text, at, items, count):
            at = number.end()
    return False


def _item_at(text: str, at: int, items: list[str], count: int) -> str:
    """The item that stands here as a whole: the next one, or one that was told before; "" where there is none."""
    known = (*items[count : count + 1], *sorted(set(items[:count]), key=len, reverse=True))
    ends = ((item, at + len(item)) for item in known if text.startswith(item, at))
    return next((item for item, end in ends if _END.fullmatch(text, end) or _SEPARATOR.match(text, end)), "")


def _are_stated_in_turn(items: list[str], claims: Sequence[Claim]) -> bool:
    """Whether claims one after another tell these items, and none beside them is of their form."""
    stating = [_even(claim.text) for claim in claims if claim.count is None]
    for first in range(len(stating) - len(items) + 1):
        run = stating[first : first + len(items)]
        leads = {_lead_of_item(line, item) for line, item in zip(run, items, strict=True)}
        beside = stating[:first][-1:] + stating[first + len(items) :][:1]
        if None not in leads and not any(_form(text).startswith(lead or "") for text in beside for lead in leads):
            return True
    return False


def _lead_of_item(text: str, item: str) -> str | None:
    """The form of what a claim says before an item that it begins with or, behind a colon, ends with; else None."""
    if text.startswith(item) and (_END.fullmatch(text, len(item)) or text.startswith(": ", len(item))):
        return ""
    match = re.search(rf": {re.escape(item)}[.?!]?$", text)
    return _form(text[: match.start()]) if match else None


def _form(text: str) -> str:
    return re.sub(r"\bpage \d+", "page", text)


# counts by name -------------------------------------------------------------------------------


def _untold_counts(value: dict[str, int], answer: Answer) -> Iterator[str]:
    """Return the issues of counts by name: each count is stated with its name, and none is missing."""
    claims, at, used, silent = answer.claims, 0, 0, 0
    for name, number in value.items():
        place = next((n for n in range(at, len(claims)) if _names(claims[n], name, answer)), None)
        if place is None:
            silent += 1  # of what there is nothing of only the searches speak
            if number or silent > len(answer.searches):
                yield f"{name[:60]!r} is in no claim"
            continue
        counted = _counted_at(claims, place, number)
        if counted != number:
            yield f"{name[:60]!r} is {number} in the value and {counted} in the claims"
        at, used = place + 1, used + (number > 0)
    stated = sum(claim.count is not None for claim in claims)
    if stated != used:
        yield f"{stated} claims count, and {used} of the value's numbers are theirs"


def _counted_at(claims: Sequence[Claim], place: int, number: int) -> int:
    """Return the claim that states a named count, or else the one behind it; zero has no such claim."""
    named, behind = claims[place], claims[place + 1 : place + 2]
    counting = [named] if named.count is not None or not number else behind
    return next((claim.count for claim in counting if claim.count is not None), 0)


def _names(claim: Claim, name: str, answer: Answer) -> bool:
    return _called(name, claim.text) or any(
        _called(name.removesuffix(f" ({paper})"), claim.text) for paper in answer.papers
    )


def _called(name: str, text: str) -> bool:
    """Whether a text has a name, as one or as many: "tables" for "1 table"."""
    words, wanted = _even(plain(text)), _even(name)
    return bool(wanted) and (_place(wanted, words) >= 0 or _place(singular(wanted), words) >= 0)
