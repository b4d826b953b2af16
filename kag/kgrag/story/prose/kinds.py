"""Which names are of persons and which of places, by what stands beside them wherever they are printed.

What stands beside a name votes. A name that nothing speaks for is of the kind of those that it is listed with
(`Lapland, Siberia and Thule`), else of a person: stories name persons more often than all else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

from kag.kgrag.story.prose.names import Mention, Names
from kag.kgrag.story.prose.tokens import END, QUOTES, Token, titles, word_set

Kind = Literal["person", "place", ""]
Votes = dict[str, Counter[str]]
PLACE_ENDS = ("shire", "ville", "burg", "burgh", "minster", "stown", "bury", "mouth")
OTHER_ENDS = ("ish", "ese", "ness", "tion", "ism", "ian", "ians", "ic", "ed", "ing", "ly", "est", "ern", "als", "ity")
BEFORE = frozenset(
    {"of", "and", "by", "with", "to", "than", "as", "like", "for", "that", "but", "when", "if", "or", "from",
     "nor", "is", "was", "named", "called", "because", "where", "while", "against", "before", "after", "between",
     "about", "upon", "even", "except", "save", "unlike", "without", "among", "under", "only"}
)  # fmt: skip
"""What may stand before a name that is nobody's quality: no adjective, no article."""
SURE = 5
"""Votes that make a person even of a word that mostly is none: a man may be called Weary."""
THE_PLACE = frozenset({"to", "in", "into", "at", "near", "past", "through", "across", "from", "toward", "towards"})
SAINTS = frozenset({"St.", "St", "Saint", "San", "Santa"})
ASKS = frozenset({"did", "does", "will", "would", "can", "could", "should", "shall"})
"""What stands before one who is asked about, and before no object."""
BE = frozenset({"is", "was", "Is", "Was"})
ONE = frozenset({"he", "his", "him", "himself", "she", "her", "herself", "who", "whose"})
FEW = 7
"""Words behind a name in which a pronoun that means it is looked for."""
SELVES = frozenset({"me", "him", "her", "us", "them", "myself", "himself", "herself"})
LOOKS = frozenset({"looked", "look", "looking", "laughed", "laughing", "stared", "glanced", "smiled", "gazed", "angry"})


def kinds_of(names: Names) -> Mapping[str, Kind]:
    """The kind of each name that is printed; "" for what is neither."""
    votes: Votes = {}
    for mention in names.mentions:
        votes.setdefault(mention.name, Counter()).update(_votes(names.tokens, mention))
    _spread(votes)
    first = {name: _decided(name, found) for name, found in votes.items()}
    pairs = list(_listed(names))
    for one, other in (*pairs, *((other, one) for one, other in reversed(pairs))):
        if not first[other] and first[one]:
            votes[other][f"listed {first[one]}"] += 1
            first[other] = first[one]
    return {name: _decided(name, found) or _left(names, name, found) for name, found in votes.items()}


def _spread(votes: Votes) -> None:
    """Let the last word of a person's longer name, alone, be of a person, too."""
    for name in list(votes):
        parts = name.split()
        if len(parts) > 1 and _decided(name, votes[name]) == "person":
            for part in {parts[-1], parts[0]} - set(titles()):
                if part in votes:
                    votes[part]["person"] += votes[name]["person"] + 1


def _decided(name: str, votes: Counter[str]) -> Kind:
    """The kind that form and votes speak for."""
    parts = name.split()
    if parts[0] in titles() and len(parts) > 1 and parts[-1] not in word_set("places", "heads"):
        return "person"
    given = word_set("names", "man") | word_set("names", "woman")
    if "the" in parts and parts[0] in given:
        return "person"  # Edward the Second
    others = word_set("other", "words")
    if (all(part in others for part in parts) and votes["person"] < SURE) or "n't" in name or "n’t" in name:
        return ""
    if len(parts) > 1 and parts[-1] in others - word_set("places", "heads"):
        return ""
    if _is_place_by_form(parts) and not (parts[0] in given and votes["person"]):
        return "place"
    person = votes["person"] + 3 * (parts[0] in given or (parts[-1] in given and parts[0] not in SAINTS))
    place = votes["place"] + 4 * (name in word_set("places", "known"))
    if place > person:
        return "place"
    return "person" if person else ""


def _left(names: Names, name: str, votes: Counter[str]) -> Kind:
    """The kind of a name that nothing speaks for."""
    parts = name.split()
    if votes["listed place"] > votes["listed person"] or (len(parts) == 1 and name.endswith(PLACE_ENDS)):
        return "place"
    if votes["group"] and len(parts) == 1 and name.endswith("s") and names.inside[name[:-1]]:
        return "person"  # the Claytons, where a Clayton is named
    if votes["other"] or any(part in word_set("other", "words") or names.low[part.lower()] for part in parts):
        return ""
    if parts[-1].endswith(OTHER_ENDS) or parts[-1].endswith(("n't", "n’t")) or "-" in name or parts[-1].endswith("."):
        return ""
    return "person" if votes["free"] or votes["hint"] or votes["listed person"] or sum(votes.values()) > 1 else ""


def _is_place_by_form(parts: Sequence[str]) -> bool:
    """Whether a name has the form of a place's: Temple Bar, Lake Leman, Lincoln's Inn Hall."""
    if len(parts) < 2:
        return False
    heads, before = word_set("places", "heads"), word_set("places", "before")
    if parts[-1] in heads or (parts[0] in heads and "of" in parts):
        return True
    return parts[0] in before and parts[0] not in titles()


def _votes(tokens: Sequence[Token], mention: Mention) -> Counter[str]:
    """What stands beside a name speaks for."""
    before, follows = _text(tokens, mention.first - 1), _text(tokens, mention.after)
    if before in QUOTES and _text(tokens, mention.first - 2).lower() in ("the", "a", "an"):
        before = "the"  # the “Trois Couronnes”
    second = _text(tokens, mention.after + 1)
    if follows in ("'s", "’s"):
        owner = before.lower() not in ("the", "a", "an", "at", "in")
        return Counter(person=2 if second in word_set("speech", "owned") else int(owner))
    found: Counter[str] = Counter()
    speech = word_set("speech", "verbs")
    if follows in speech or (before in speech and before not in ("called", "read")) or _is_told(tokens, mention.first):
        found["person"] += 2
    elif follows in word_set("speech", "acts") or follows in word_set("speech", "present"):
        found["person"] += before.lower() != "the"  # the Fuwalda was
    found["person"] += (before in ASKS or (before in BE and follows.endswith("ing"))) and follows.islower()
    found["hint"] += _is_one(tokens, mention)
    found["person"] += before in word_set("speech", "kin") or (follows == "and" and second in titles())
    found["person"] += before == "," and follows in (",", "!", "?", ".") and _called(tokens, mention)
    found["place"] += _led_to(tokens, mention.first, before.lower())
    if before == "of" and _owns_land(tokens, mention.first - 2):
        found["place"] += 2
    found["place"] += 2 * (before in ("river", "village", "town", "city", "mount", "lake"))
    if before in ("to", "from") and not found["person"]:
        found["place"] += 1
    if before == "the" and len(mention.words) > 1 and not found["person"]:
        found["place"] += _text(tokens, mention.first - 2).lower() in THE_PLACE
    found["free"] += _is_free(before, follows)
    found["group"] += before.lower() == "the"
    found["other"] += before in ("the", "The", "a", "an") and not found["person"] + found["place"]
    return found


def _is_free(before: str, follows: str) -> bool:
    """Whether a name stands for itself: neither with an adjective or article, nor as one before a noun."""
    begins = not before[:1].isalnum() and before not in ("'s", "’s")
    alone = begins or before in BEFORE or before in word_set("speech", "acts")
    return alone and (
        not follows[:1].isalpha() or follows in BEFORE or follows.endswith("ed") or follows in ("who", "had")
    )


def _is_one(tokens: Sequence[Token], mention: Mention) -> bool:
    """Whether a name without article or quality is meant by a pronoun for a person behind it in the sentence."""
    before = _text(tokens, mention.first - 1)
    if before[:1].isalpha() and before not in BEFORE:
        return False
    behind = tokens[mention.after : mention.after + FEW]
    for token in behind:
        if token.sentence != tokens[mention.first].sentence or token.capital:
            return False
        if token.text in ONE:
            return True
    return False


def _is_told(tokens: Sequence[Token], first: int) -> bool:
    """Whether a name is told, or looked at, as a person's: call me Ishmael, my name is Hans, look at Anna."""
    before, earlier = _text(tokens, first - 1).lower(), _text(tokens, first - 2).lower()
    if before == "at":
        return earlier in LOOKS
    return (before in SELVES and earlier.startswith("call")) or (before in ("is", "was") and earlier == "name")


def _owns_land(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word before `of` is a kind of place, or a squire's title: Charles Berg, Esq. of Lindow."""
    word = _text(tokens, at)
    return word.lower() in word_set("places", "kinds") or word == "Esq."


def _led_to(tokens: Sequence[Token], first: int, before: str) -> int:
    """How strongly a word before a name says that it is a place."""
    if before not in word_set("places", "prepositions") or _text(tokens, first - 2).lower() in LOOKS:
        return 0
    return 2 if before in ("in", "at", "near", "into") else 1


def _listed(names: Names) -> Iterator[tuple[str, str]]:
    """Names of which one follows the other in a list."""
    for one, other in pairwise(names.mentions):
        between = [token.text for token in names.tokens[one.after : other.first]]
        if between and len(between) < 3 and all(word in (",", "and", "or") for word in between):
            yield one.name, other.name


def _called(tokens: Sequence[Token], mention: Mention) -> bool:
    """Whether a name between commas is called out: inside of a speech, and not one of a list."""
    if _capital(tokens, mention.first - 2) and _capital(tokens, mention.after + 1):
        return False
    at, count = mention.first - 1, 0
    while at >= 0 and tokens[at].sentence == tokens[mention.first].sentence:
        count += tokens[at].text in QUOTES
        at -= 1
    return count % 2 == 1 or (count == 0 and _text(tokens, mention.after) in END)


def _capital(tokens: Sequence[Token], at: int) -> bool:
    return 0 <= at < len(tokens) and tokens[at].capital


def _text(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].text if 0 <= at < len(tokens) else ""
