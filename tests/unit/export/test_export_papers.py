"""The reference lists of whole papers, written and read back."""

import json
from pathlib import Path

import bibtexparser
import pytest
import rispy
from click.testing import CliRunner

from kag.cli.main import cli
from kag.core.content import ContentStore
from kag.core.errors import RunError
from kag.export.references import bibliography, to_bibtex, to_csl_json, to_ris
from kag.indexing.pipeline import index_paper
from kag.indexing.run import write_run
from kag.rdf.published import PublishedGraph

ROOT = Path(__file__).resolve().parents[3]
BUNDLED = sorted(path.parent for path in (ROOT / "test_data").glob("*/gold.json"))
GOLD = ROOT.parent / "shared" / "data" / "jats_gold"


def read_back(folder):
    """The records of a paper, and what three parsers read of what was written."""
    files = index_paper(folder).files
    graph = PublishedGraph.parse(files["knowledge_graph.ttl"])
    records = bibliography(graph, ContentStore.from_jsonl(files["content_store.jsonl"]))
    library = bibtexparser.parse_string(to_bibtex(records))
    assert not library.failed_blocks
    return records, library.entries, rispy.loads(to_ris(records)), json.loads(to_csl_json(records))


def check(folder):
    records, bibtex, ris, csl = read_back(folder)
    assert records
    keys = [record.key for record in records]
    assert len(set(keys)) == len(keys)
    assert keys == [entry.key for entry in bibtex] == [entry["id"] for entry in ris] == [item["id"] for item in csl]
    for record, entry, tagged, item in zip(records, bibtex, ris, csl, strict=True):
        assert tagged.get("title", "") == item.get("title", "") == record.title
        assert tagged.get("year", "") == record.year
        assert {field.key: field.value for field in entry.fields}.get("doi", "") == item.get("DOI", "") == record.doi
        assert len(tagged.get("authors", ())) == len(record.authors)


@pytest.mark.parametrize("folder", BUNDLED, ids=lambda path: path.name)
def test_bundled_papers(folder):
    check(folder)


def test_gold_papers():
    if not GOLD.is_dir():
        pytest.skip("../shared/data/jats_gold is not there")
    for folder in sorted(path.parent for path in GOLD.glob("*/gold.json"))[:3]:
        check(folder)


def test_the_command_writes_the_list(tmp_path):
    run = write_run(tmp_path, "paper", index_paper(BUNDLED[0]).files)
    out = tmp_path / "list.bib"
    runner = CliRunner()
    assert runner.invoke(cli, ["export", str(run), "--format", "bibtex", "--out", str(out)]).exit_code == 0
    printed = runner.invoke(cli, ["export", str(run), "--format", "bibtex"]).stdout
    assert out.read_text(encoding="utf-8") == printed
    assert printed.startswith("@")


def test_no_run_folder_is_bad_input(tmp_path):
    result = CliRunner().invoke(cli, ["export", str(tmp_path), "--format", "ris"])
    assert isinstance(result.exception, RunError)
    assert result.exception.exit_code == 2
