"""A PDF read page by page through a server on this machine, with all that such a server may do wrong."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from dspy.clients.base_lm import GLOBAL_HISTORY
from PIL import Image

from kag.agents.ocr.folder import CACHE, OcrOutcome, ocr_folder
from kag.agents.ocr.transcript import OcrOptions
from kag.cli.main import main
from kag.core.errors import BudgetExceeded, ModelError, SourceError
from kag.core.types import Box, Repair
from kag.sources.ocr.folder import read_document
from kag.sources.ocr_record import RECORD, recorded_repairs
from kag.sources.pdf.file.render import PagePicture, PdfPages
from tests.integration.provider_servers import ProviderServer, Reply, openai, openai_error, serve
from tests.printed_pdf import Printed, write_pdf

ROOT = Path(__file__).resolve().parent.parent.parent
KEY = "sk-test-0123456789abcdef"
FIRST = """<|ref|>title<|/ref|><|det|>[[100, 80, 800, 120]]<|/det|>
# Sensors under river ice

<|ref|>image<|/ref|><|det|>[[500, 500, 750, 600]]<|/det|>

<|ref|>figure_title<|/ref|><|det|>[[500, 610, 750, 630]]<|/det|>
Fig. 1. Losses."""
SECOND = """<|ref|>text<|/ref|><|det|>[[100, 80, 900, 120]]<|/det|>
Twelve sites were chosen along the river."""
PRINTED = "Twelve sites were chosen along the river in winter."
CIRCLES = "Sensors fail often under the ice of the river. " * 50


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.endswith(("_KEY", "_API_BASE", "_BASE_URL")):
            monkeypatch.delenv(name)


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """Two pages: a bar where the figure is, and a sentence."""
    first = Printed([(40, 60, 12, "Sensors under river ice, a title long enough")], bars=[(200, 300, 100, 60)])
    return write_pdf(tmp_path / "paper.pdf", [first, Printed([(40, 60, 12, PRINTED)])])


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    """A page without text."""
    return write_pdf(tmp_path / "scan.pdf", [Printed(bars=[(40, 60, 300, 300)])])


@pytest.fixture
def no_tesseract(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


def options(server: ProviderServer, **more: Any) -> OcrOptions:
    return OcrOptions(**{"url": server.url, "model": "seer", "concurrency": 1, "retries": 1, **more})


def read(pdf: Path, server: ProviderServer, **more: Any) -> OcrOutcome:
    return ocr_folder(pdf, pdf.with_name("paper_ocr"), options(server, **more))


def ways(outcome: OcrOutcome) -> list[str]:
    return [page.by for page in outcome.pages]


def body(server: ProviderServer, call: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(server.asked[call].body)
    return found


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# ---- what is asked, and what is written ----


def test_pages_become_a_folder_that_is_read_as_a_paper(paper: Path) -> None:
    with serve(openai(FIRST), openai(SECOND)) as server:
        outcome = read(paper, server)
    assert ways(outcome) == ["model", "model"]
    assert outcome.repairs == ()
    assert outcome.usage["calls"] == 2
    assert outcome.usage["by_role"].keys() == {"vision"}
    document = read_document(outcome.folder)
    assert [(block.page, block.label, block.plain) for block in document.blocks] == [
        (1, "title", "Sensors under river ice"),
        (1, "image", ""),
        (1, "figure_title", "Fig. 1. Losses."),
        (2, "text", "Twelve sites were chosen along the river."),
    ]
    (figure,) = document.figures
    assert (figure.path, figure.boxes) == ("fig_page001_01.png", (Box(500, 500, 750, 600),))
    with Image.open(outcome.folder / figure.path) as image:
        assert (image.size, image.convert("L").getextrema()) == ((200, 120), (0, 0)), "the bar, and no more"
    assert document.repairs == ()
    assert left(outcome.folder) == {
        *("page_001.md", "page_001.png", "page_002.md", "page_002.png"),
        *("fig_page001_01.png", "figures_metadata.json", RECORD),
    }


def test_the_request_is_what_such_servers_take(paper: Path) -> None:
    with serve(openai(FIRST), openai(SECOND)) as server:
        read(paper, server)
    asked = body(server, 0)
    (message,) = asked.pop("messages")
    picture, words = message["content"]
    head, _, data = picture["image_url"]["url"].partition(",")
    assert (server.asked[0].path, head) == ("/v1/chat/completions", "data:image/png;base64")
    assert Image.open(io.BytesIO(b64decode(data))).size == (800, 1200)
    assert words == {"type": "text", "text": "<|grounding|>Convert the document to markdown."}
    assert asked.pop("vllm_xargs")["ngram_size"] == 30
    assert not asked.pop("stream", False)
    assert asked == {"model": "seer", "max_tokens": 6000, "temperature": 0.0, "skip_special_tokens": False}
    assert "authorization" not in server.asked[0].headers or KEY not in server.asked[0].headers["authorization"]


def test_the_same_replies_give_the_same_bytes(paper: Path, tmp_path: Path) -> None:
    with serve(openai(FIRST), openai(SECOND)) as server:
        first = files(read(paper, server).folder)
        (tmp_path / CACHE).unlink()
    with serve(openai(FIRST), openai(SECOND)) as server:
        assert files(read(paper, server).folder) == first


def test_markdown_is_kept_and_its_placed_figures_are_cut(paper: Path) -> None:
    reply = "---\nprimary_language: en\nis_table: False\n---\n# Ice\n\n![A bar](page_300_450_150_90.png)\n\nIt *fails*."
    with serve(openai(reply), openai("Twelve sites.")) as server:
        outcome = read(paper, server, prompt="olmocr")
    text = (outcome.folder / "page_001.md").read_text()
    assert text == "# Ice\n\n![A bar](page_300_450_150_90.png)\n\nIt *fails*.\n"
    assert "skip_special_tokens" not in body(server, 0)
    (figure,) = read_document(outcome.folder).figures
    assert figure.boxes == (Box(500, 500, 750, 600),)
    with Image.open(outcome.folder / figure.path) as image:
        assert image.size == (150, 90)


def test_tags_that_a_server_stripped_of_their_marks_are_put_back(paper: Path) -> None:
    bare = FIRST.replace("<|ref|>", "").replace("<|/ref|>", "").replace("<|det|>", "").replace("<|/det|>", "")
    assert bare.startswith("title[[100, 80, 800, 120]]\n")
    with serve(openai(bare), openai(SECOND + "<｜end▁of▁sentence｜>")) as server:
        outcome = read(paper, server)
    assert (outcome.folder / "page_001.md").read_text() == FIRST + "\n"
    assert (outcome.folder / "page_002.md").read_text() == SECOND + "\n"


def test_a_blank_page_is_not_asked_about(tmp_path: Path) -> None:
    pdf = write_pdf(tmp_path / "paper.pdf", [Printed(), Printed([(40, 60, 12, PRINTED)])])
    with serve(openai(SECOND)) as server:
        outcome = read(pdf, server)
    assert ways(outcome) == ["blank", "model"]
    assert len(server.asked) == 1
    document = read_document(outcome.folder)
    assert (document.pages, document.blocks[0].page) == (2, 2)


def test_only_so_many_pages_are_asked_about_at_one_time(tmp_path: Path) -> None:
    lines = [Printed([(40, 60 + n, 12, PRINTED)]) for n in range(6)]
    pdf = write_pdf(tmp_path / "paper.pdf", lines)
    slow = openai(SECOND)
    with serve(Reply(slow.body, delay=0.4)) as server:
        began = time.monotonic()
        outcome = read(pdf, server, concurrency=3)
        took = time.monotonic() - began
    assert ways(outcome) == ["model"] * 6
    assert 0.8 <= took < 2.2, "two rounds of three"


# ---- what was read is not asked again ----


def test_what_was_read_is_not_asked_again(paper: Path) -> None:
    with serve(openai(FIRST), openai(SECOND), openai("Other words, asked in another way.")) as server:
        first = files(read(paper, server).folder)
        outcome = read(paper, server)
        assert (files(outcome.folder), outcome.usage["calls"], len(server.asked)) == (first, 0, 2)
        read(paper, server, prompt="markdown")
        assert len(server.asked) == 4
        read(paper, server, model="another")
        assert len(server.asked) == 6


def test_a_run_that_was_killed_goes_on_where_it_was(paper: Path, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from kag.agents.ocr.folder import ocr_folder\n"
        "from kag.agents.ocr.transcript import OcrOptions\n"
        "pdf = Path(sys.argv[1])\n"
        "ocr_folder(pdf, pdf.with_name('paper_ocr'), OcrOptions(url=sys.argv[2], model='seer', concurrency=1))\n"
    )
    with serve(openai(FIRST), Reply(openai(SECOND).body, delay=30), openai(SECOND)) as server:
        command = [sys.executable, "-c", program, str(paper), server.url]
        process = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(ROOT)})
        until = time.monotonic() + 60
        while len(server.asked) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert not (tmp_path / "paper_ocr").exists()
        outcome = read(paper, server)
        assert len(server.asked) == 3, "the first page is remembered"
    assert ways(outcome) == ["model", "model"]
    assert (outcome.folder / "page_001.md").read_text() == FIRST + "\n"
    assert left(tmp_path) == {"paper.pdf", "paper_ocr", CACHE}, "what the killed run left half-written is gone"


# ---- what goes wrong on the way ----


def test_a_passing_fault_costs_nothing(paper: Path) -> None:
    busy = openai_error(429, "rate_limit_exceeded", "slow down", retry_after="0")
    with serve(busy, openai(FIRST), openai(SECOND)) as server:
        outcome = read(paper, server)
    assert (ways(outcome), outcome.repairs, len(server.asked)) == (["model", "model"], (), 3)
    assert (outcome.folder / "page_001.md").read_text() == FIRST + "\n"


def test_a_reply_in_circles_is_asked_again_warmer(paper: Path) -> None:
    with serve(openai(CIRCLES, finish="length"), openai(FIRST), openai(SECOND)) as server:
        outcome = read(paper, server)
    assert ways(outcome) == ["model", "model"]
    assert [body(server, n)["temperature"] for n in range(3)] == [0.0, 0.3, 0.0]
    assert outcome.usage["calls"] == 3


def test_a_reply_cut_short_is_asked_again_without_our_limit(paper: Path) -> None:
    with serve(openai(FIRST[:60], finish="length"), openai(FIRST), openai(SECOND)) as server:
        outcome = read(paper, server)
    assert ways(outcome) == ["model", "model"]
    assert ["max_tokens" in body(server, n) for n in range(3)] == [True, False, True]
    assert (outcome.folder / "page_001.md").read_text() == FIRST + "\n"


@pytest.mark.parametrize(
    ("fault", "calls", "said"),
    [
        (openai(CIRCLES), 3, "the model repeated itself 3 times"),
        (openai(SECOND[:90], finish="length"), 3, "the model broke off before the end of the page 3 times"),
        (openai(""), 3, "the model gave no words 3 times"),
        (openai("no", finish="content_filter"), 1, "refuses"),
        (openai_error(500, "server_error", "crashed", retry_after="0"), 2, "server"),
    ],
    ids=["circles", "cut", "empty", "refusal", "500"],
)
def test_a_page_the_model_cannot_read_is_read_from_the_pdf(paper: Path, fault: Reply, calls: int, said: str) -> None:
    with serve(openai(FIRST), fault) as server:
        outcome = read(paper, server, timeout=60.0)
    assert len(server.asked) == 1 + calls
    assert ways(outcome) == ["model", "text layer"]
    (repair,) = outcome.repairs
    assert (repair.page, repair.action) == (2, "read from the PDF's own text")
    assert repair.problem.startswith("not read by the OCR model: hosted_vllm/seer")
    assert said in repair.problem
    document = read_document(outcome.folder)
    assert document.repairs == outcome.repairs, "whoever reads the folder is told the same"
    (block,) = [block for block in document.blocks if block.page == 2]
    assert (block.plain, len(block.boxes)) == (PRINTED, 1)


def test_a_page_that_failed_is_asked_again_the_next_time(paper: Path) -> None:
    with serve(openai(FIRST), *[openai(CIRCLES)] * 3, openai(SECOND)) as server:
        assert ways(read(paper, server)) == ["model", "text layer"]
        assert ways(read(paper, server)) == ["model", "model"]
        assert len(server.asked) == 5


@pytest.mark.usefixtures("no_tesseract")
def test_a_scan_that_nobody_reads_is_listed(scan: Path) -> None:
    with serve(openai("")) as server:
        outcome = read(scan, server)
    assert ways(outcome) == ["nothing"]
    (repair,) = outcome.repairs
    assert repair.action == "page left out"
    assert "gave no words 3 times; tesseract, which reads scanned pages, is not installed" in repair.problem
    assert left(outcome.folder) == {"page_001.png", RECORD}


@pytest.mark.usefixtures("no_tesseract")
def test_of_a_scan_at_least_half_a_reply_is_kept_and_told(scan: Path) -> None:
    with serve(openai(SECOND, finish="length")) as server:
        outcome = read(scan, server)
    assert ways(outcome) == ["part"]
    assert (outcome.folder / "page_001.md").read_text() == SECOND + "\n"
    assert [repair.action for repair in outcome.repairs] == ["kept as far as it goes"]


def test_a_server_that_fails_again_and_again_is_left_alone(tmp_path: Path) -> None:
    pdf = write_pdf(tmp_path / "paper.pdf", [Printed([(40, 60 + n, 12, PRINTED)]) for n in range(7)])
    with serve(openai(SECOND), openai_error(500, "server_error", "crashed", retry_after="0")) as server:
        outcome = read(pdf, server)
    assert ways(outcome) == ["model", *["text layer"] * 6]
    assert len(server.asked) == 1 + 3 * 2, "three pages, each asked about twice"


def test_a_page_that_cannot_be_drawn_costs_itself(paper: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = PdfPages.picture

    def picture(self: PdfPages, page: int, scale: float = 2.0, box: Box | None = None) -> PagePicture:
        if page == 2:
            raise SourceError("page 2 cannot be read", hint="Print it to a new PDF.")
        return draw(self, page, scale, box)

    monkeypatch.setattr(PdfPages, "picture", picture)
    with serve(openai(FIRST)) as server:
        outcome = read(paper, server)
    assert ways(outcome) == ["model", "text layer"]
    assert outcome.repairs[0].problem == "not read by the OCR model: page 2 cannot be read"
    assert "page_002.png" not in left(outcome.folder)


def test_no_picture_stays_in_memory(paper: Path) -> None:
    with serve(openai(FIRST), openai(SECOND)) as server:
        before = len(GLOBAL_HISTORY)
        read(paper, server)
        assert len(GLOBAL_HISTORY) == before


# ---- what ends a run ----


def test_a_wrong_key_ends_it_at_once(paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAG_OCR_KEY", KEY)
    with (
        serve(openai_error(401, "invalid_api_key", f"Incorrect key: {KEY}")) as server,
        pytest.raises(ModelError) as error,
    ):
        read(paper, server)
    assert len(server.asked) == 1
    assert KEY not in f"{error.value} {error.value.hint}"
    assert left(tmp_path) == {"paper.pdf"}


def test_no_server_ends_it_and_leaves_nothing(paper: Path, tmp_path: Path) -> None:
    with serve(openai(FIRST)) as server:
        pass
    with pytest.raises(ModelError) as error:
        read(paper, server, retries=0)
    assert error.value.exit_code == 3
    assert left(tmp_path) == {"paper.pdf"}


def test_a_limit_stops_it_cleanly_and_it_goes_on_with_more(paper: Path) -> None:
    with serve(openai(FIRST), openai(SECOND)) as server:
        outcome = read(paper, server, max_calls=1)
        assert ways(outcome) == ["model", "text layer"]
        assert "limit of 1 calls is reached" in outcome.repairs[0].problem
        assert ways(read(paper, server, max_calls=1)) == ["model", "model"]
        assert len(server.asked) == 2


@pytest.mark.parametrize("limit", [{"max_tokens": 1}, {"max_seconds": 0.0}])
def test_a_limit_that_allows_nothing_is_an_error(paper: Path, tmp_path: Path, limit: dict[str, Any]) -> None:
    with serve(openai(FIRST)) as server, pytest.raises(BudgetExceeded):
        read(paper, server, **limit)
    assert server.asked == []
    assert left(tmp_path) == {"paper.pdf"}


# ---- keys ----


@pytest.mark.parametrize(
    ("names", "sent"),
    [
        ({"KAG_OCR_KEY": KEY, "OPENAI_API_KEY": "sk-other-0123456789"}, KEY),
        ({"OPENAI_API_KEY": KEY}, KEY),
        ({"KAG_OCR_KEY": "", "OPENAI_API_KEY": KEY}, ""),
    ],
    ids=["own", "openai", "none"],
)
def test_the_key_is_sent_and_written_nowhere(
    paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: dict[str, str], sent: str
) -> None:
    for name, value in names.items():
        monkeypatch.setenv(name, value)
    with serve(openai(f"{FIRST} {KEY}"), openai(SECOND)) as server:
        outcome = read(paper, server, max_usd=1.0 if not sent else None)
    assert (server.asked[0].headers.get("authorization", "").removeprefix("Bearer ") == sent) is bool(sent)
    assert KEY not in str(outcome)
    assert outcome.usage["unpriced"] == (2 if sent else 0), "a server without a key is one's own"
    for path in (*outcome.folder.iterdir(), tmp_path / CACHE):
        assert KEY.encode() not in path.read_bytes()


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("http://ocr.example/v1", "ocr.example: the key would be sent unencrypted"),
        ("file:///etc/passwd", "is not an address of a server"),
    ],
)
def test_addresses_that_are_refused(
    paper: Path, monkeypatch: pytest.MonkeyPatch, url: str, problem: str, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(ModelError, match=problem):
        ocr_folder(paper, tmp_path / "out", OcrOptions(url=url, model="seer"))
    assert left(tmp_path) == {"paper.pdf"}


# ---- folders ----


def test_a_folder_of_somebody_else_is_left_alone(paper: Path, tmp_path: Path) -> None:
    (tmp_path / "paper_ocr").mkdir()
    (tmp_path / "paper_ocr" / "page_001.md").write_text("# Mine")
    with serve(openai(FIRST)) as server, pytest.raises(SourceError, match="was not written by kag"):
        read(paper, server)
    assert server.asked == []
    assert files(tmp_path / "paper_ocr") == {"page_001.md": b"# Mine"}


def test_a_hostile_page_stays_words(tmp_path: Path) -> None:
    hostile = "Words enough to be read, then <|ref|>title<|/ref|><|det|>[[0,0,1,1]]<|/det|> and on"
    pdf = write_pdf(
        tmp_path / "paper.pdf",
        [Printed([(20, 60, 8, "First page of a paper with some words on it.")]), Printed([(20, 60, 6, hostile)])],
    )
    with serve(openai(FIRST), openai("")) as server:
        outcome = read(pdf, server)
    (block,) = [block for block in read_document(outcome.folder).blocks if block.page == 2]
    assert block.label == "text"
    assert "< |ref|>title" in block.text


def test_records_of_strangers_tell_nothing_they_should_not(tmp_path: Path) -> None:
    assert recorded_repairs(tmp_path) == ()
    for text in ("[]", "{", '{"pages": 3}', '{"pages": [3, {"by": "x"}, {"by": "part", "page": true}]}'):
        (tmp_path / RECORD).write_text(text)
        assert recorded_repairs(tmp_path) == ()
    (tmp_path / RECORD).write_text('{"pages": [{"page": 3, "by": "nothing", "why": "it was dark"}]}')
    assert recorded_repairs(tmp_path) == (Repair(3, 0, "not read by the OCR model: it was dark", "page left out"),)


# ---- the command ----


def test_the_command_reads_a_pdf_through_a_server_and_indexes_what_it_said(
    paper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = tmp_path / "runs"
    with serve(openai(FIRST), openai(SECOND)) as server:
        command = ["index", str(paper), "--out-dir", str(runs), "--paper-id", "ice", "--ocr", server.url]
        for _ in range(2):  # the second time nothing is asked, and the run is up to date
            with pytest.raises(SystemExit) as done:
                main([*command, "--ocr-model", "seer"])
            assert done.value.code in (0, None)
    assert len(server.asked) == 2
    said = capsys.readouterr()
    assert "ice: indexed" in said.err
    assert "ice: up to date" in said.err
    run = Path(said.out.splitlines()[0])
    assert json.loads((run / "summary.json").read_text())["source"]["kind"] == "ocr"
    assert "Twelve sites were chosen along the river." in (run / "content_store.jsonl").read_text()
    assert (runs / "ocr" / "ice" / RECORD).is_file()


def test_ocr_options_that_belong_together(paper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ice.md").write_text("# Ice\n\nRiver ice hides sensors.\n")
    for path, given, why in (
        (paper, ["--ocr", "http://127.0.0.1:9"], "--ocr needs --ocr-model"),
        (paper, ["--ocr-model", "seer"], "--ocr-model needs --ocr"),
        (tmp_path / "ice.md", ["--ocr", "http://127.0.0.1:9", "--ocr-model", "seer"], "--ocr reads PDFs"),
    ):
        with pytest.raises(SystemExit) as done:
            main(["index", str(path), "--out-dir", str(tmp_path / "runs"), *given])
        assert done.value.code == 2
        assert why in capsys.readouterr().err
