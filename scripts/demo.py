"""The main job on bundled papers: index, validate, audit, three SPARQL questions; and from a PDF to its evidence."""

import subprocess
import sys
from pathlib import Path

from rdflib import Graph

ROOT = Path(__file__).resolve().parent.parent
PAPER = ROOT / "test_data" / "zirconium_tracers"

PRINTED = ROOT / "test_data" / "zirconium_tracers.pdf"
ASKED = "Which references are cited only in the Introduction?"

PREFIXES = """
PREFIX cito: <http://purl.org/spar/cito/>
PREFIX dcterms: <http://purl.org/dc/terms/>
PREFIX deo: <http://purl.org/spar/deo/>
PREFIX doco: <http://purl.org/spar/doco/>
PREFIX kag: <http://la3d.local/kag#>
"""
QUESTIONS = {
    "Which sections does the paper have, and on which page does each begin?": """
        SELECT ?title ?page WHERE {
            ?section a doco:Section ; kag:containsAsHeader ?header ; kag:pageNumber ?page .
            ?header kag:mainText ?title ; kag:order ?order .
        } ORDER BY ?order""",
    "Which references does the introduction cite?": """
        SELECT DISTINCT ?number ?reference WHERE {
            ?section a deo:Introduction ; kag:contains ?paragraph .
            ?paragraph cito:cites ?entry .
            ?entry kag:citationNumber ?number ; kag:citationText ?reference .
        } ORDER BY ?number LIMIT 5""",
    "Which figures and tables are discussed where?": """
        SELECT DISTINCT ?label ?page ?words WHERE {
            ?paragraph a doco:Paragraph ; kag:refersTo ?float ; kag:pageNumber ?page ; kag:mainText ?words .
            ?float kag:floatLabel ?label .
        } ORDER BY ?label ?page LIMIT 6""",
}


def kag(*arguments: str) -> str:
    """Run the command line; its output ends the demo when it fails."""
    print(f"\n$ kag {' '.join(arguments)}", flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "kag", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
    )
    print(done.stdout, end="")
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout


def from_pdf() -> None:
    """A PDF, its graph, an answer, and the page that shows where its evidence is printed."""
    paper = str(PRINTED.relative_to(ROOT))
    run = kag("index", paper, "--paper-id", "zirconium_in_print", "--out-dir", "runs").strip()
    kag("audit", run, "--ocr-dir", paper)
    kag("qa", "--graph-dir", run, "--question", ASKED, "--out-dir", f"{run}/qa")
    kag("report", run)


def main() -> None:
    paper = str(PAPER.relative_to(ROOT))
    run = kag("index", paper, "--out-dir", "runs").strip()
    kag("validate", run)
    kag("audit", run, "--ocr-dir", paper)
    graph = Graph().parse(ROOT / run / "knowledge_graph.ttl")
    for question, query in QUESTIONS.items():
        print(f"\n{question}")
        for row in graph.query(PREFIXES + query):
            print("  " + " | ".join(str(value)[:90] for value in row))
    print(f"\nThe graph: {run}/knowledge_graph.ttl ({len(graph)} triples)")
    from_pdf()


if __name__ == "__main__":
    main()
