"""The claim layer of a paper as a graph: sentences that state something, what they are about, what supports them."""

from __future__ import annotations

from dataclasses import replace

from kag.layers.entity_graph import Places, numbers_of
from kag.layers.names import entity_name, span_name, value_names
from kag.layers.sheet import Sheet
from kag.layers.values import Citation, Claim, Mention, Said, Scope
from kag.rdf.layer_profiles import CLAIM, INTENTS, IS_ABOUT, IS_SUPPORTED_BY, ROLE_CLASSES, STATEMENT
from kag.rdf.namespaces import CITO, SAID
from kag.rdf.ntriples import TextTriple


def claim_graph(paper_id: str, said: Said) -> list[TextTriple]:
    """The triples of the claim layer; they link to the nodes of the entity layer that was made of the same `said`."""
    sheet = Sheet(paper_id, CLAIM)
    places = Places(said.entities)
    values: dict[str, list[tuple[str, Mention]]] = {}
    for name, one in value_names(said.measurements):
        if numbers_of(one.value):
            values.setdefault(one.mention.node, []).append((name, one.mention))
    for claim in said.claims:
        _claim(sheet, places, values.get(claim.sentence.node, []), claim)
    for citation in said.citations:
        _citation(sheet, citation)
    return sheet.triples


def _claim(sheet: Sheet, places: Places, values: list[tuple[str, Mention]], claim: Claim) -> None:
    node, fresh = sheet.span(span_name("c", claim.sentence), SAID.Claim, replace(claim.sentence, score=claim.score))
    if not fresh:
        return
    sheet.begin(node, ROLE_CLASSES.get(claim.role, STATEMENT))
    told = ((SAID.role, claim.role), (SAID.polarity, claim.polarity), (SAID.certainty, claim.certainty))
    for property_, value in (*told, (SAID.direction, claim.direction)):
        sheet.tell(node, property_, value)
    for words in claim.about:
        entity = places.entity(words)
        if entity is not None:
            sheet.join(node, IS_ABOUT, sheet.node(entity_name(entity.kind, entity.name)))
    for name, words in values:
        if claim.sentence.start <= words.start and words.end <= claim.sentence.end:
            sheet.join(node, SAID.statesValue, sheet.node(name))
    for support in claim.support:
        if support.startswith(sheet.base):
            sheet.link(node, IS_SUPPORTED_BY, support)
    for scope in claim.scopes:
        sheet.join(node, SAID.hasScope, _scope(sheet, claim.sentence, scope))


def _scope(sheet: Sheet, sentence: Mention, scope: Scope) -> str:
    """The words that a cue rules; its name tells cue and span, as two cues may rule the same words."""
    start, end = scope.start - sentence.start, scope.end - sentence.start
    words = Mention(
        sentence.node, scope.start, scope.end, sentence.text[start:end], scope.kind, scope.cue.score, scope.cue.rule
    )
    node, fresh = sheet.span(span_name(f"s{scope.cue.start}", words), SAID.Scope, words)
    if fresh:
        sheet.tell(node, SAID.kind, scope.kind)
        sheet.join(node, SAID.cue, sheet.mention(scope.cue))
    return node


def _citation(sheet: Sheet, citation: Citation) -> None:
    """Why a sentence cites; one that is not known by a property of the profile cites for information."""
    cited = [one for one in citation.cited if one.startswith(sheet.base)]
    if cited:
        node, _ = sheet.span(span_name("w", citation.sentence), CITO.Citation, citation.sentence)
        intent = next((one for one in INTENTS if str(one).endswith(f"/{citation.intent}")), CITO.citesForInformation)
        sheet.link(node, CITO.hasCitationCharacterization, intent)
        for one in cited:
            sheet.link(node, CITO.hasCitedEntity, one)
