"""English words of questions that say nothing about a topic: they hold a sentence together, or fit any paper."""

from __future__ import annotations

from functools import lru_cache

from kag.text.search_text import tokens

_FUNCTION_WORDS = """
    a an the this that these those there here it its they their them themselves he she his her him we our us you
    your i my me mine of in on at to for from by with and or but as than then so if while into over under between
    among during about per via within without upon onto through after before since until against around along is are
    was were be been being am has have had having do does did done doing can could may might will would shall should
    must what which who whom whose when where why how much many not no nor also any some all each every both such
    more most less least other another very only just even still yet et al s t re ve ll d m vs versus pls plz please
    tell give gave up out off whether come comes came get gets got either neither across ok okay sure hi hello hey
    thanks thank btw eg ie actually exactly really basically quickly simply maybe perhaps kind sort bit lot lots
    stuff thing things something anything somebody anyone one ones want wanted need let lets like
"""
_GENERAL_WORDS = """
    study studies paper papers article articles author authors research use used uses using show shows shown report
    reported reports find finds found describe describes described given main different important type types kinds
    role example examples term name called result results purpose reason reasons way ways following mention
    mentioned discuss discussed according happen happened known based consider considered conclude concluded
    conclusion cause causes caused effect effects see seen think say says said state stated number numbers count
    total overall value values amount amounts mean means work works look know explain compare compared
"""
FUNCTION_WORDS, GENERAL_WORDS = frozenset(_FUNCTION_WORDS.split()), frozenset(_GENERAL_WORDS.split())


@lru_cache(maxsize=4096)
def content_words(text: str) -> tuple[str, ...]:
    """The words of a text that say what it is about, in order, each once, as `search_text` folds them.

    >>> content_words("How does the RNN compare vs. the CNN, pls?")
    ('rnn', 'cnn')
    """
    words = dict.fromkeys(token.text for token in tokens(text, wholes=False))
    return tuple(word for word in words if word not in FUNCTION_WORDS and word not in GENERAL_WORDS)
