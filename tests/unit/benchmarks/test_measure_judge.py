"""The trial of a judge counts false claims that it accepts and true ones that it refuses or is silent about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts.benchmarks.measure_judge import judge_claims, print_figures, read_claims
from tests.unit.agents.readings import Replies
from tests.unit.agents.test_jury import facts, jury

QUOTE = {"text": "Brunn | 1.6", "kind": "row", "headers": ["Site", "Area (km²)"], "cells": ["Brunn", "1.6"]}
ROWS = [
    {"id": "a", "claim": "Brunn has 1.6 km².", "label": "supported", "quotes": [QUOTE]},
    {"id": "b", "claim": "Brunn has 2.6 km².", "label": "not supported", "quotes": [QUOTE], "change": "number"},
    {"id": "c", "claim": "Brunn is as large as that.", "label": "supported", "quotes": [QUOTE]},
    {"id": "d", "claim": "Brunn is a lake.", "label": "not supported", "quotes": [QUOTE], "change": "entity"},
]


def claims_file(folder: Path, rows: list[dict[str, object]]) -> Path:
    path = folder / "claims.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_both_errors_are_counted_and_each_wrong_verdict_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = read_claims(claims_file(tmp_path, ROWS))
    first = {"claims": [facts(("1.6 km²", "supported", "Brunn 1.6")), facts(("2.6 km²", "not stated", ""), claim=1)]}
    second = {"claims": [facts(("a lake", "supported", "Brunn"), claim=1)]}
    engine = Replies(json.dumps(first), json.dumps(second))
    verdicts = judge_claims(jury(engine), claims, batch=2)
    print_figures(claims, verdicts)
    printed = capsys.readouterr().out
    assert "Area (km²)" in engine.prompt(0)
    assert "false claims accepted: 1 of 2 (0.500)" in printed
    assert "true claims refused: 1 of 2 (0.500), of these 0 as contradicted" in printed
    assert "claims without a verdict: 1" in printed
    assert "accepted by kind of fault: entity 1/1, number 0/1" in printed
    assert "  d, gold not supported: Brunn is a lake." in printed
    assert "  c, gold supported: Brunn is as large as that. -> no verdict" in printed
    assert "number check alone: stops 1 of 2 (0.500) false, 0 of 2 (0.000) true" in printed


def test_an_unknown_label_is_an_error_that_names_file_and_line(tmp_path: Path) -> None:
    path = claims_file(tmp_path, [{**ROWS[0], "label": "yes"}])
    with pytest.raises(ValueError, match=r"claims\.jsonl:1: the label is 'yes'"):
        read_claims(path)
