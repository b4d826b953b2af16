"""Totals count each call once, and money only where it was paid."""

from __future__ import annotations

from kag.agents.model.budget import Call, Ledger


def test_replayed_calls_cost_nothing_and_keep_what_they_cost() -> None:
    ledger = Ledger()
    for replayed in (False, True, True):
        ledger.add(Call("main", "m", tokens_in=100, tokens_out=10, usd=0.1, replayed=replayed))
    summary = ledger.summary()
    assert (summary["usd"], summary["usd_replayed"]) == (0.1, 0.2)
    assert (summary["calls"], summary["replayed"], summary["tokens_in"]) == (3, 2, 300)


def test_totals_are_given_by_role_and_model_and_add_up() -> None:
    ledger = Ledger()
    ledger.add(Call("main", "big", tokens_in=10, usd=0.3))
    ledger.add(Call("vision", "eye", tokens_in=1, cache_read=1, usd=None, priced=False))
    ledger.add(Call("sub", "big", error="timeout", attempts=4))
    summary = ledger.summary()
    assert list(summary["by_role"]) == ["main", "sub", "vision"]
    assert summary["by_model"]["big"]["failed"] == 1
    assert summary["by_role"]["vision"]["unpriced"] == summary["unpriced"] == 1
    for name in ("calls", "tokens_in", "usd", "failed"):
        assert sum(part[name] for part in summary["by_model"].values()) == summary[name]
