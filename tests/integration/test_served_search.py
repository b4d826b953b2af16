"""The search of a server: how far its plans expand, and the steps that a model does where the settings name one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from click.testing import CliRunner

from kag.cli.main import cli
from kag.serve.home import Home, Settings
from kag.serve.papers.reading import Reader, SearchPage, Wanted, find
from tests.integration.provider_servers import anthropic, anthropic_error, serve
from tests.unit.corpus.runs import make_run, put

CLAUDE = "anthropic/claude-sonnet-4-5"
ASKED = "Which lake had ice on it?"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    root = tmp_path_factory.mktemp("served")
    put(root / "corpus", make_run(root, "fog", words="At Mjosa water"), make_run(root, "ice"))
    done = CliRunner().invoke(cli, ["corpus", "index", "--corpus", str(root / "corpus"), "--graph"])
    assert done.exit_code == 0, done.output
    return Reader(Home(root / "corpus"))


def chunks(found: SearchPage) -> list[str]:
    return [place.chunk for place in found.items]


def test_k_prime_hits_stand_behind_k_seeds(reader: Reader) -> None:
    flat = find(reader, Wanted("sites along the river", "sage", k=2), Settings(), count=100)
    assert flat.total == 2
    more = find(reader, Wanted("sites along the river", "sage", k=2, k_prime=3), Settings(), count=100)
    assert more.total == 5
    assert len(set(chunks(more))) == 5
    assert all(place.via == "seed" for place in more.items[:2])
    assert all(" from " in place.via for place in more.items[2:])
    by_settings = find(reader, Wanted("sites along the river"), Settings(plan="sage", hits=2, k_prime=3), count=100)
    assert chunks(by_settings) == chunks(more)


def test_a_plan_walks_as_far_as_a_search_asks(reader: Reader) -> None:
    near, far = (
        find(reader, Wanted("sites along the river", "sage", k=1, k_prime=100, hops=hops), Settings(), count=100)
        for hops in (1, 3)
    )
    assert set(chunks(near)) < set(chunks(far))


def test_the_model_of_the_settings_finds_the_names_once(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-of-the-test")
    settings, wanted = Settings(model=CLAUDE), Wanted(ASKED, "entity", k=3)
    rules = chunks(find(reader, wanted, Settings()))
    with serve(anthropic('["lake"]'), anthropic('["Mjosa"]')) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        found = find(reader, wanted, settings)
        assert ASKED in server.asked[0].body.decode()
        assert len(server.asked) == 2
        assert chunks(find(reader, wanted, settings)) == chunks(found)
        find(reader, Wanted("lake", "sage"), settings)
        assert len(server.asked) == 2, "what the model said is known, and the plan sage has no step for one"
        find(reader, wanted, replace(settings, graph_max_synonyms_per_entity=2))
        assert len(server.asked) == 3
    assert any("Mjosa" in place.text for place in found.items), found.items
    assert not any("Mjosa" in place.text for place in find(reader, wanted, Settings()).items)
    with serve(anthropic_error(401, "authentication_error", "invalid x-api-key")) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        again = find(Reader(reader.home), wanted, settings)
    assert chunks(again) == rules, "where it cannot be asked, rules stand in"
