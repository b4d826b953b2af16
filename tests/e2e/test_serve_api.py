"""The API of a real server: the same values as Python gives, pages of lists, tags, keys, problems, jobs, streams."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kag
from tests.conftest import BUNDLED
from tests.serving import PDF, Served, served

pytest.importorskip("starlette", reason="the extra serve is not installed")
httpx = pytest.importorskip("httpx")

from kag.serve.pages.routes import PAGES  # noqa: E402

PAPER = "zirconium_tracers"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("api") / "library"
    with kag.Corpus(folder) as corpus:
        corpus.add(BUNDLED / "reservoir_sensors", BUNDLED / "urban_pollinators")
    return folder


@pytest.fixture(scope="module")
def server(library: Path) -> Iterator[Served]:
    with served(library) as running:
        yield running


@pytest.fixture(scope="module")
def client(server: Served) -> Iterator[Any]:
    from kag.serve.client import Client

    with Client(server.address) as made:
        made.wait(made.upload(PDF))
        yield made


def get(server: Served, path: str, **given: Any) -> Any:
    return httpx.get(f"{server.address}/api/v1{path}", timeout=60, **given)


def test_papers_and_parts_are_those_of_python(client: Any, library: Path) -> None:
    corpus = kag.Corpus(library)
    assert [one.id for one in client.papers()] == list(corpus)
    paper = corpus[PAPER]
    assert client.paper(PAPER).title == paper.title
    for kind in ("sections", "figures", "tables", "references", "citations"):
        wanted = json.loads(json.dumps([one.as_dict() for one in getattr(paper, kind)]))
        assert list(client.parts(PAPER, kind)) == wanted, kind
    assert client.export(PAPER, "bibtex") == paper.export("bibtex")
    assert client.view(PAPER, "g_search", query="tracer")["total"] > 0
    assert client.view(PAPER, "overview")["sections"]


def test_answers_are_those_of_python_and_verify(client: Any, library: Path) -> None:
    question = "What does Table 1 show?"
    answer = client.ask(question, paper=PAPER)
    assert answer.claims == kag.Corpus(library)[PAPER].ask(question).claims
    assert client.verify(answer)["conforms"]
    assert kag.verify(answer, kag.Corpus(library)).conforms
    wrong = type(answer.claims[0])("There are 99 of them.", answer.claims[0].evidence)
    told = client.verify(replace(answer, claims=(wrong,)))
    assert not told["conforms"]
    assert told["quoted"] == told["quotes"] == 1


def test_a_search_gives_places_and_facets(client: Any, server: Served) -> None:
    places = client.search("sensors in a reservoir", 5)
    assert len(places) == 5
    assert places[0].evidence.quote == places[0].text
    whole = get(server, "/search?query=sensors").json()
    facets = whole["facets"]
    assert facets["paper"]["reservoir_sensors"] > 0
    kind = next(iter(facets["kind"]))
    narrowed = get(server, f"/search?query=sensors&kind={kind}").json()
    assert narrowed["total"] == facets["kind"][kind]
    assert narrowed["facets"]["kind"] == facets["kind"]  # a facet does not count itself out
    assert {one["kind"] for one in narrowed["items"]} == {kind}
    section = next(iter(facets["section"]))
    assert get(server, f"/search?query=sensors&section={section}").json()["total"] == facets["section"][section]
    assert get(server, "/search?query=sensors&from_year=2999").status_code == 400


def test_a_search_says_how_far_it_expands(client: Any, server: Served) -> None:
    asked = "query=LEAP in Arden&plan=entity&k=2&k_prime=3&hops=2"
    found = get(server, f"/search?{asked}").json()
    assert (found["plan"], found["total"]) == ("entity", 5)
    assert [one.chunk for one in client.search("LEAP in Arden", 2, plan="entity", k_prime=3, hops=2)] == [
        one["chunk"] for one in found["items"]
    ]
    page = httpx.get(f"{server.address}/search?{asked}").text
    assert "5 hits, ranked by entity" in page
    assert 'name="k_prime" value="3"' in page
    assert get(server, "/search?query=sensors&hops=4").status_code == 400


def test_a_search_is_narrowed_down_by_what_layers_say(server: Served, client: Any) -> None:
    def search(**given: Any) -> Any:
        return get(server, "/search", params={"query": "tumours", **given})

    refused = search(role="result")
    assert refused.headers["content-type"] == "application/problem+json"
    assert (refused.status_code, "--layers entity,claim" in refused.json()["hint"]) == (400, True)
    assert "--layers entity,claim" in search().json()["facet_notes"][0]
    client.wait(client.populate(layers=True))
    whole = search().json()
    assert whole["facet_notes"] == []
    assert whole["facets"]["entity"] == kag.Corpus(server.corpus).facets("tumours")["entity"]
    narrowed = search(entity="DFO", role=["result", "conclusion"]).json()
    assert narrowed["chosen"] == {"entity": ["chemical:desferrioxamine"], "role": ["result", "conclusion"]}
    assert 0 < narrowed["total"] < whole["facets"]["entity"]["chemical:desferrioxamine"]
    assert [one.chunk for one in client.search("tumours", 100, entity="DFO", role=["result", "conclusion"])] == [
        one["chunk"] for one in search(entity="DFO", role=["result", "conclusion"], limit=100).json()["items"]
    ]
    for wrong in ({"entiy": "DFO"}, {"role": "results"}, {"entity_kind": "beast"}, {"entity": ""}, {"paper": "nobody"}):
        found = search(**wrong)
        assert (found.status_code, found.headers["content-type"]) == (400, "application/problem+json"), wrong
        assert found.json()["hint"]
    told = {
        one["name"]: one for one in get(server, "/openapi.json").json()["paths"]["/api/v1/search"]["get"]["parameters"]
    }
    assert {"paper", "year", "kind", "section", "entity_kind", "entity", "role"} <= told.keys()
    assert "future work" in told["role"]["schema"]["items"]["enum"]


def test_papers_that_come_in_have_the_layers_of_the_library(server: Served, client: Any, tmp_path: Path) -> None:
    wanted = kag.Corpus(server.corpus).facets("tumours")["role"]
    copied = tmp_path / "again.pdf"
    copied.write_bytes(PDF.read_bytes())
    job = client.wait(client.upload(copied))
    found = kag.Corpus(server.corpus).facets("tumours", {"paper": job.paper})["role"]
    assert found.keys() == wanted.keys(), "counts differ where another test corrected the first copy"
    client.wait(client.remove(job.paper))


def test_the_settings_are_those_of_a_search_by_names(server: Served, client: Any) -> None:
    def change(**body: Any) -> Any:
        return httpx.put(f"{server.address}/api/v1/settings", json=body)

    for wrong in (
        {"graph_expansion_hops": 4},
        {"graph_min_entities_threshold": 4},
        {"graph_max_synonyms_per_entity": 6},
    ):
        assert change(**wrong).status_code == 400
    assert change(evil=1).status_code == 422
    assert change(plan="entity", graph_expansion_hops=2, hits=3).json()["plan"] == "entity"
    found = get(server, "/search?query=LEAP in Arden").json()
    assert found["plan"] == "entity"
    assert len(found["items"]) == 3
    assert change(plan="", graph_expansion_hops=1, hits=10).json()["hits"] == 10


def test_a_stream_tells_claims_after_they_were_checked(client: Any) -> None:
    events = list(client.ask_events("What does Table 1 show?", paper=PAPER))
    names = [one.name for one in events]
    assert names[0] == "asked"
    assert names[-1] == "answer"
    assert names.index("passage") < names.index("claim")
    claims = [one.data["text"] for one in events if one.name == "claim"]
    assert claims == [one["text"] for one in events[-1].data["claims"]]
    kept = client._read("GET", f"answers/{events[-1].data['id']}")
    assert kept == events[-1].data


def test_a_stream_tells_passages_where_nothing_answers_for_certain(client: Any) -> None:
    events = list(client.ask_events("How was intact tracer measured?"))
    names = [one.name for one in events]
    assert names.index("search") < names.index("passage")
    assert "claim" not in names
    quotes = [one.data["quote"] for one in events if one.name == "passage"]
    assert quotes == [one["quote"] for passage in events[-1].data["passages"] for one in passage["evidence"]]


def test_lists_come_in_pages(server: Served, client: Any) -> None:
    path, found = f"/papers/{PAPER}/nodes?limit=30", []
    cursor = ""
    while True:
        page = get(server, f"{path}&cursor={cursor}").json()
        found += [one["node"] for one in page["items"]]
        assert len(page["items"]) <= 30
        cursor = page["cursor"]
        if not cursor:
            break
    assert len(found) == len(set(found)) == page["total"]
    assert get(server, f"{path}&cursor=99999").status_code == 400


def test_what_a_reader_has_is_not_sent_again(server: Served, client: Any) -> None:
    first = get(server, f"/papers/{PAPER}")
    again = get(server, f"/papers/{PAPER}", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    assert not again.content
    assert get(server, f"/papers/{PAPER}", headers={"If-None-Match": '"else"'}).status_code == 200


def test_the_same_key_makes_one_job(client: Any, server: Served) -> None:
    first = client.upload(PDF, key="one-key")
    assert client.upload(PDF, key="one-key").id == first.id
    assert client.upload(PDF, key="another-key").id != first.id
    for job in client.jobs():
        if job.state in ("queued", "running"):
            client.wait(job)
    assert client.job(first.id).result["states"] == ["unchanged"]
    assert [one.id for one in client.papers()].count(PAPER) == 1


def test_problems_say_how_to_put_it_right(server: Served, client: Any) -> None:
    from kag.serve.client import Refused

    found = get(server, "/papers/nope")
    assert found.headers["content-type"] == "application/problem+json"
    assert found.json() == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "there is no paper 'nope'",
        "hint": "Use an id from the list of papers.",
    }
    with pytest.raises(Refused) as refused:
        client.paper("nope")
    assert refused.value.status == 404
    with pytest.raises(Refused, match="mode agent"):
        client.ask("Why?", mode="agent")


def test_a_correction_is_a_job_that_can_be_taken_back(client: Any) -> None:
    rows = [row for row in client.parts(PAPER, "sections") if row["printed"] and row["depth"] == 1]
    one, other = rows[1], rows[0]
    client.wait(client.correct(PAPER, "heading", one["node"], other["node"], who="Ada"))
    depths = {row["node"]: row["depth"] for row in client.parts(PAPER, "sections")}
    assert depths[one["node"]] == 2
    (kept,) = client._read("GET", f"papers/{PAPER}/corrections")
    assert kept["who"] == "Ada"
    assert kept["calls"][0][0] == "op_set_single_iri_link"
    assert client.wait(client.upload(PDF)).result["states"] == ["unchanged"]  # replayed when it comes again
    client.wait(client.correct(PAPER, "undo", who="Ada"))
    assert {row["node"]: row["depth"] for row in client.parts(PAPER, "sections")}[one["node"]] == 1


def test_a_paper_of_the_same_name_does_not_take_anothers_place(client: Any, tmp_path: Path) -> None:
    other = tmp_path / f"{PAPER}.md"
    other.write_text("# Another paper\n\nIt says something else about ice.\n")
    job = client.wait(client.upload(other))
    assert job.paper.startswith(f"{PAPER}-")
    assert client.paper(PAPER).figures > 0
    assert client.wait(client.remove(job.paper)).state == "done"
    assert job.paper not in [one.id for one in client.papers()]


def test_what_is_only_kept_is_built_by_populating(client: Any, tmp_path: Path) -> None:
    from kag.serve.api.bodies import JobRow

    held = tmp_path / "kept.md"
    held.write_text("# A kept paper\n\nIt waits until somebody populates the graph.\n")
    client.wait(client.upload(held, hold=True))
    assert "kept" not in [one.id for one in client.papers()]
    client.wait(JobRow(**client._read("POST", "populate", json={})))
    assert client.paper("kept").title == "A kept paper"
    assert client._read("GET", "statistics")["edges"]


def test_a_question_can_be_a_job(client: Any) -> None:
    from kag.serve.api.bodies import JobRow

    row = client._read("POST", "ask", json={"question": "What does Table 1 show?", "paper": PAPER, "wait": False})
    done = client.wait(JobRow(**row))
    assert done.result["found"]
    assert client._read("GET", f"answers/{done.result['answer']}")["found"]
    assert client._read("GET", f"answers/{done.result['answer']}/trajectory")["total"] == 1


@pytest.mark.parametrize("wait", [True, False])
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_a_question_in_another_language_is_told_so(server: Served, accept: str, wait: bool) -> None:
    asked = {"question": "Wie viele Arten wurden gefunden?", "wait": wait}
    told = httpx.post(f"{server.address}/api/v1/ask", json=asked, headers={"accept": accept}, timeout=60)
    assert told.status_code == 400
    assert "the question is in German" in told.text
    page = httpx.get(f"{server.address}/ask", params=asked, timeout=60)
    assert "the question is in German" in page.text


def test_the_document_of_the_api_is_valid_and_covers_it(server: Served) -> None:
    validator = pytest.importorskip("openapi_spec_validator")
    document = get(server, "/openapi.json").json()
    validator.validate(document)
    assert len(document["paths"]) >= 25
    assert document["components"]["schemas"]["Answer"]["properties"]["claims"]


def test_a_graph_is_never_larger_than_asked(client: Any) -> None:
    found = client._read("GET", f"papers/{PAPER}/neighbours", params={"hops": 3, "most": 40})
    assert len(found["nodes"]) == 40
    assert found["left"] > 0
    names = {one["id"] for one in found["nodes"]}
    assert all(edge["source"] in names and edge["target"] in names for edge in found["edges"])


def test_whatever_its_document_allows_gets_an_answer_that_it_allows(server: Served, client: Any) -> None:
    pytest.importorskip("schemathesis", reason="schemathesis, of the dev extra, is not installed")
    command = [str(Path(sys.executable).parent / "schemathesis"), "run", f"{server.address}/api/v1/openapi.json"]
    command += ["--max-examples", "3", "--phases", "coverage,fuzzing", "--seed", "1", "--request-timeout", "60"]
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    command += ["--checks", checks, "--suppress-health-check", "all", "--no-color"]
    for name in ("remove_paper", "repeat_job", "watch_job", "populate", "upload_papers"):  # what changes the others
        command += ["--exclude-operation-id", name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stdout[-3000:]


FIELDS = ("words", "year", "order", "from", "query", "question", "paper", "node", "kind", "role", "token")
OF_PAGES = (200, 303, 304, 400, 401, 403, 404, 405, 413, 421, 429, 503)


def document_of_pages() -> dict[str, Any]:
    """The pages as an API of their own, for who asks whatever a document allows."""
    text = {"type": "string"}
    fields = [{"name": name, "in": "query", "schema": text} for name in FIELDS]
    told = {str(code): {"description": "", "content": {"text/html": {"schema": text}}} for code in OF_PAGES}
    paths = {}
    for page in PAGES:
        names = [
            {"name": n, "in": "path", "required": True, "schema": text}
            for n in ("paper", "answer")
            if f"{{{n}}}" in page.path
        ]
        paths[page.path] = {"get": {"parameters": [*names, *fields], "responses": told}}
    return {"openapi": "3.1.0", "info": {"title": "pages", "version": "1"}, "paths": paths}


def test_pages_end_in_a_status_that_is_documented_whatever_is_asked(
    server: Served, client: Any, tmp_path: Path
) -> None:
    pytest.importorskip("schemathesis", reason="schemathesis, of the dev extra, is not installed")
    document = tmp_path / "pages.json"
    document.write_text(json.dumps(document_of_pages()))
    command = [str(Path(sys.executable).parent / "schemathesis"), "run", str(document), "--url", server.address]
    command += ["--max-examples", "10", "--phases", "coverage,fuzzing", "--seed", "1", "--request-timeout", "60"]
    command += [
        "--checks",
        "not_a_server_error,status_code_conformance",
        "--suppress-health-check",
        "all",
        "--no-color",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.parametrize("options", [("--token", "short"), ("--host", "192.0.2.77"), ("--port", "taken")])
def test_what_cannot_be_served_is_told(server: Served, tmp_path: Path, options: tuple[str, str]) -> None:
    given = [one if one != "taken" else str(server.port) for one in options]
    command = [sys.executable, "-m", "kag", "serve", str(tmp_path / "library"), *given]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert not done.stdout


@pytest.mark.parametrize("path", [page.path for page in PAGES if "{" in page.path])
def test_a_page_of_what_is_not_there_says_so(server: Served, path: str) -> None:
    found = httpx.get(server.address + path.format(paper="nobody", answer="nobody"), timeout=60)
    assert found.status_code == 404
    assert "nobody" in found.text
