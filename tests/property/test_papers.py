"""Papers of a grammar: each becomes a graph that conforms and is conserved, or is refused as no paper."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scripts.attacks.papers import Grammar, fault, write


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.randoms(use_true_random=False))
def test_papers(random: Random) -> None:
    with tempfile.TemporaryDirectory() as work:
        assert fault(write(Grammar(random).pages(most=2, blocks=5), Path(work) / "paper")) == ""
