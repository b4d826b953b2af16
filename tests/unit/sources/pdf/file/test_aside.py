"""Pictures that wait on disk."""

from __future__ import annotations

import pickle

from kag.sources.pdf.floats.crops import Aside


def test_what_is_laid_aside_comes_back_also_from_a_pickle():
    aside = Aside()
    for name, data in (("a", b"ice"), ("b", b""), ("c", bytes(range(256)))):
        aside.put(name, data)
    assert dict(aside) == {"a": b"ice", "b": b"", "c": bytes(range(256))}
    back = pickle.loads(pickle.dumps(aside))
    assert isinstance(back, Aside)
    assert back == aside
    assert len(Aside()) == 0
