"""The claims of a paper, each with what it is about, what supports it, what is denied in it."""

from __future__ import annotations

from kag.layers.claims.find import find_claims
from kag.layers.values import Entity, Measurement, Mention, Passage
from kag.text.quantities.parsing import Quantity

RESULT = "Lakes are wet. We found that salt did not melt the ice of Lake Arden (Figs. 1–3, Table 1)."
PASSAGES = (
    Passage("a1", "Lakes freeze. These results suggest that salt may melt ice.", "abstract", "Abstract"),
    Passage("p1", RESULT, "paragraph", "Results"),
    Passage("c1", "Figure 1. The lakes.", "caption", "Results"),
    Passage("c3", "Fig. 3: The ice.", "caption", "Results"),
    Passage("t1", "Table 1. Depths.", "caption", "Results"),
)


def mention(node: str, words: str, text: str, kind: str = "place") -> Mention:
    at = text.index(words)
    return Mention(node, at, at + len(words), words, kind, 1.0, "test")


def test_a_claim_has_its_words_role_and_denial() -> None:
    (claim,) = find_claims(PASSAGES[1:])
    assert RESULT[claim.sentence.start : claim.sentence.end] == claim.sentence.text
    assert claim.sentence.text.startswith("We found")
    assert (claim.role, claim.polarity, claim.certainty) == ("result", "negative", "certain")
    assert [scope.cue.text for scope in claim.scopes] == ["not"]
    for scope in claim.scopes:
        assert RESULT[scope.cue.start : scope.cue.end] == scope.cue.text
        assert claim.sentence.start <= scope.start < scope.end <= claim.sentence.end


def test_callouts_of_the_graph_support_it() -> None:
    at = RESULT.index("(Figs")
    (claim,) = find_claims(
        PASSAGES[1:2], callouts={"p1": [(at, at + 5, "ref7"), (0, 5, "ref8")], "other": [(0, 1, "x")]}
    )
    assert claim.support == ("ref7",)


def test_it_is_about_the_entities_and_measurements_in_it() -> None:
    lake = mention("p1", "Lake Arden", RESULT)
    wet = mention("p1", "wet", RESULT)
    ice = mention("p1", "ice", RESULT, "material")
    measured = Measurement(lake, Quantity("Lake Arden", 0, 1), measured=ice)
    (claim,) = find_claims(PASSAGES[1:], (Entity("Lake Arden", "place", (lake, wet)),), (measured,))
    assert claim.about == (ice, lake)


def test_an_abstracts_conclusion_is_hedged() -> None:
    (claim,) = find_claims(PASSAGES[:1])
    assert (claim.role, claim.certainty, claim.polarity) == ("conclusion", "hedged", "positive")


def test_sentences_end_behind_raised_callouts() -> None:
    text = "We found that salt melts ice.¹² We also found that sand does not."
    assert [one.sentence.text for one in find_claims([Passage("p", text, section="Results")])] == [
        "We found that salt melts ice.¹²",
        "We also found that sand does not.",
    ]


def test_captions_titles_and_odd_texts_claim_nothing() -> None:
    texts = (
        "",
        "   ",
        "?" * 5000,
        "\ud800",
        "We found that " + "x " * 2000,
        "图 1 显示冰。",
        "<script>We found it.</script>",
    )
    assert (
        find_claims([Passage("c", "We found that salt melts ice.", "caption"), Passage("t", "We found ice", "title")])
        == ()
    )
    for text in texts:
        for kind in ("abstract", "paragraph", "footnote"):
            for claim in find_claims([Passage("n", text, kind, "Results")]):
                assert text[claim.sentence.start : claim.sentence.end] == claim.sentence.text


def test_the_same_passages_give_the_same_claims() -> None:
    assert find_claims(PASSAGES) == find_claims(list(PASSAGES))
