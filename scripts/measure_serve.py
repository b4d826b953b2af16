"""Measures a server: start, first paint, page weight, 50 readers beside 5 uploads, 3,000 papers, a graph of 500 nodes.

    python scripts/measure_serve.py [PAPERS]

Prints Markdown. It needs the extras `serve` and `dev` and a Chromium; 3,000 small papers are made for the library.
"""

from __future__ import annotations

import concurrent.futures
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import httpx

import kag
from kag.corpus.transaction import open_writer
from kag.indexing.pipeline import index_paper
from kag.indexing.run import write_run
from tests.serving import PDF, ROOT, Served

FLAGS = ["--no-sandbox", "--disable-gpu"]
PAGES = {"library": "/", "paper": "/papers/reservoir_sensors", "graph": "/papers/reservoir_sensors/graph"}
PAGES |= {"search": "/search?query=sensors", "ask": "/ask?question=What+does+Table+1+show%3F&paper=reservoir_sensors"}
TIMES = 5
WORDS = ("river", "lake", "sensor", "model", "field", "energy", "station", "depth", "tracer", "ice", "plan", "cost")


def quantiles(values: list[float]) -> str:
    """Median, 95th percentile and greatest, in milliseconds."""
    ordered = sorted(values)
    late = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return f"{1000 * statistics.median(ordered):.0f} / {1000 * late:.0f} / {1000 * ordered[-1]:.0f} ms"


@contextmanager
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield launched
        launched.close()


def bundled(folder: Path) -> Path:
    """A library with the bundled papers that have pages to show."""
    with kag.Corpus(folder / "bundled") as corpus:
        corpus.add(ROOT / "test_data" / "reservoir_sensors", ROOT / "test_data" / "urban_pollinators")
        corpus.index(graph=True)
    return folder / "bundled"


def large(folder: Path, papers: int) -> Path:
    """A library of many small papers; some of them cite one another's titles."""
    root, runs = folder / "large", []
    for number in range(papers):
        file = folder / "texts" / f"paper{number:05d}.md"
        file.parent.mkdir(exist_ok=True)
        mine = [WORDS[(number * 7 + step * (1 + number % 5)) % len(WORDS)] for step in range(40)]
        text = f"# On {' '.join(mine[:6])} {number}\n\n## Introduction\n\nWe study {' '.join(mine[6:30])}.\n\n"
        file.write_text(f"{text}## Results\n\nThe {mine[30]} was {number % 97} units of {mine[31]}.\n")
        runs.append(write_run(folder / "runs", file.stem, index_paper(file, paper_id=file.stem).files))
    with open_writer(root, create=True) as writer:
        for _ in writer.put(runs):
            pass
    kag.Corpus(root).index()
    return root


def started(root: Path) -> tuple[Served, float]:
    began = time.perf_counter()
    server = Served(root)
    return server, time.perf_counter() - began


def paints(opened: Any, server: Served, pages: dict[str, str]) -> Iterator[str]:
    """First contentful paint and bytes over the wire of pages, without pictures of pages, in fresh profiles."""
    for name, path in pages.items():
        times, weights, scripts = [], [], []
        for _ in range(TIMES):
            context = opened.new_context(viewport={"width": 1280, "height": 800})
            page = context.new_page()
            page.goto(server.address + path)
            page.wait_for_load_state("networkidle")
            paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"
            times.append(page.evaluate(paint) / 1000)
            sizes = """[...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]
                .filter((one) => !one.name.includes('/pictures/')).map((one) => one.transferSize)"""
            weights.append(sum(page.evaluate(sizes)) / 1000)
            scripts.append(len(page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")))
            context.close()
        yield f"| {name} | {quantiles(times)} | {max(weights):.0f} kB | {max(scripts)} |"


def timed(ask: Callable[[], httpx.Response]) -> tuple[float, int]:
    began = time.perf_counter()
    code = ask().status_code
    return time.perf_counter() - began, code


def crowd(
    server: Served, readers: int, uploads: int, rounds: int
) -> tuple[list[float], dict[int, int], float, list[str]]:
    """Readers that go from page to page while papers come in; latencies, statuses, seconds, states of the jobs."""
    paths = ("/", "/papers/reservoir_sensors", "/papers/reservoir_sensors/references", "/api/v1/papers")
    paths += ("/search?query=sensors", "/api/v1/papers/reservoir_sensors/nodes", "/api/v1/papers/urban_pollinators")

    def read(number: int) -> list[tuple[float, int]]:
        with httpx.Client(base_url=server.address, timeout=120) as client:
            return [timed(lambda step=step: client.get(paths[(number + step) % len(paths)])) for step in range(rounds)]

    def upload(number: int) -> str:
        sent = {"file": (f"paper{number}.pdf", PDF.read_bytes())}
        with httpx.Client(base_url=server.address, timeout=120) as client:
            job = client.post("/api/v1/papers", files=sent).json()[0]["id"]
            while (state := client.get(f"/api/v1/jobs/{job}").json()["state"]) in ("queued", "running"):
                time.sleep(0.5)
        return str(state)

    began = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(readers + uploads) as pool:
        jobs = [pool.submit(upload, n) for n in range(uploads)]
        found = [one for future in [pool.submit(read, n) for n in range(readers)] for one in future.result()]
        reading = time.perf_counter() - began
        states = [job.result() for job in jobs]
    codes: dict[int, int] = {}
    for _, code in found:
        codes[code] = codes.get(code, 0) + 1
    return [seconds for seconds, _ in found], codes, reading, states


def drawn(nodes: int) -> dict[str, Any]:
    """A graph as the API gives one: a tree of sections and paragraphs, and call-outs across it."""
    rows = [{"id": f"ex:n{n}", "kind": "Paragraph", "page": 1, "text": f"Node {n}", "degree": 2} for n in range(nodes)]
    tree = [{"source": f"ex:n{n // 12}", "target": f"ex:n{n}", "label": "contains"} for n in range(1, nodes)]
    across = [{"source": f"ex:n{n}", "target": f"ex:n{n * 7 % nodes}", "label": "cites"} for n in range(0, nodes, 3)]
    return {"centre": "ex:n0", "nodes": rows, "edges": tree + across, "left": 0}


def graph_of(opened: Any, server: Served, nodes: int) -> str:
    """How long a graph takes to be laid out, and the longest time that the page did not answer meanwhile."""
    context = opened.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    watch = "window.longest = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) "
    watch += "window.longest = Math.max(window.longest, one.duration); }).observe({ entryTypes: ['longtask'] });"
    page.add_init_script(watch)
    page.route("**/neighbours?*", lambda route: route.fulfill(json=drawn(nodes)))
    page.goto(f"{server.address}/papers/reservoir_sensors/graph")
    page.locator("#graph[data-arranged]").wait_for(timeout=120_000)
    shown = page.locator("#graph-status").inner_text()
    took, longest = page.locator("#graph").get_attribute("data-arranged"), page.evaluate("window.longest")
    context.close()
    return f"{shown} Laid out in {took} ms; the longest task {longest:.0f} ms."


def main() -> None:
    papers = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    with tempfile.TemporaryDirectory() as temporary, browser() as opened:
        folder = Path(temporary)
        server, seconds = started(bundled(folder))
        print(f"Machine: {os.cpu_count()} cores. Started in {seconds:.1f} s.\n")
        print("| page | first contentful paint (median / 95 % / most) | over the wire | requests |\n|---|---|---|---|")
        for line in paints(opened, server, PAGES):
            print(line)
        for nodes in (100, 500):
            print(f"\nGraph: {graph_of(opened, server, nodes)}")
        for readers, uploads in ((50, 0), (50, 5)):
            times, codes, took, states = crowd(server, readers, uploads, 20)
            rate = len(times) / took
            print(
                f"\n{readers} readers, {uploads} uploads: {len(times)} requests in {took:.1f} s ({rate:.0f} a second), "
                f"{quantiles(times)}; statuses {codes}; jobs {states}"
            )
        server.end()
        began = time.perf_counter()
        root = large(folder, papers)
        print(f"\n{papers} papers made in {time.perf_counter() - began:.0f} s")
        server, seconds = started(root)
        print(f"Started in {seconds:.1f} s.\n\n| page | first contentful paint | over the wire | requests |")
        print("|---|---|---|---|")
        for line in paints(
            opened,
            server,
            {"library": "/", "words": "/?words=lake", "search": "/search?query=river+ice", "graph": "/graph"},
        ):
            print(line)
        with httpx.Client(base_url=server.address, timeout=60) as client:
            asks = [timed(lambda: client.get("/api/v1/papers?limit=100&cursor=2000"))[0] for _ in range(20)]
            print(f"\nA page of the list by API: {quantiles(asks)}")
        server.end()


if __name__ == "__main__":
    main()
