"""Questions in other languages are told apart from English ones, names and fragments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kag.core.errors import BadValue
from kag.text.language import foreign, require_english

DATA = Path(__file__).resolve().parents[3] / "test_data"


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wie viele Bienenarten wurden gefunden?", "German"),
        ("Warum hat der Versuch nicht funktioniert?", "German"),
        ("Was zeigt Tabelle 1?", "German"),
        ("Que montre le tableau 1 ?", "French"),
        ("¿Qué muestra la tabla 2?", "Spanish"),
        ("Cosa mostra la tabella 1?", "Italian"),
        ("O que mostra a tabela 1?", "Portuguese"),
        ("Quelle est la demi-vie du zirconium 89 ?", "French"),
        ("Pourquoi les auteurs ont-ils choisi ce site ?", "French"),
        ("¿Cuántas especies de abejas se registraron?", "Spanish"),
        ("Quali limiti ha lo studio?", "Italian"),
        ("Quantas espécies de abelhas foram registradas?", "Portuguese"),
        ("Hoeveel bijensoorten zijn er gevonden?", "Dutch"),
        ("Dlaczego nie użyto paneli słonecznych i co z tego wynika?", "Polish"),
        ("Hur många biarter fanns?", "Swedish"),
        ("Berapa spesies lebah yang ditemukan?", "Indonesian"),
        ("Сколько видов пчёл было найдено?", "Cyrillic letters"),
        ("有多少种蜜蜂？", "Chinese or Japanese"),
        ("ハチは何種いますか", "Chinese or Japanese"),
        ("몇 종의 벌이 있나요?", "Korean"),
        ("ما هو عمر النصف؟", "Arabic letters"),
        ("Πόσα είδη μελισσών βρέθηκαν;", "Greek"),
    ],
)
def test_other_languages_are_told(question: str, language: str) -> None:
    assert foreign(question) == language


@pytest.mark.parametrize(
    "question",
    [
        "",
        "???",
        "funding",
        "β-diversity",
        "αβγδ T cells",
        "de la Torre 2003",
        "What did de la Torre et al. find?",
        "Which es cells are used, and in which son?",
        "qui tam cases in die Presse",
        "Who wrote 'Wie man Bienen zählt'?",
        "is κ larger than λ in Table 2",
        "Σ π θ",
        "DOI",
        "Which software, Tableau or Excel, drew the figure?",
        "What does Tableau show?",
        "in vivo vs in vitro",
        "what does der p 1 do",
    ],
)
def test_english_names_and_fragments_are_left_alone(question: str) -> None:
    assert foreign(question) == ""


def test_no_question_of_our_sets_is_taken_for_another_language() -> None:
    for path in sorted(DATA.glob("natural_questions*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert foreign(json.loads(line)["question"]) == ""


def test_a_question_that_is_not_read_is_refused_with_what_to_do() -> None:
    with pytest.raises(BadValue, match="the question is in German") as refused:
        require_english("Wie viele Arten wurden gefunden?")
    assert refused.value.hint == "Ask in English; other languages are not supported."
