"""PDFs of strangers: damaged, locked, made to harm, or scanned; each is read as far as it goes, or refused clearly."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import pytest

import kag
from kag.core.errors import SourceError
from kag.core.types import Metadata
from kag.core.workers import Limits
from kag.indexing import isolated_reader as apart
from kag.indexing.batch import Job, index_all
from kag.sources.draft import Parsed
from kag.sources.pdf.file.opening import open_pdf
from kag.sources.pdf.file.pdf_metadata import read_metadata
from kag.sources.pdf.file.render import open_pages
from kag.sources.pdf.read import read_pdf
from kag.sources.pdf.scans import tesseract
from kag.sources.pdf.scans.scanned import is_garbled
from kag.sources.reading import Reading
from tests.hostile_pdf import HOSTILE, PASSWORD, locked, page, paper, stream
from tests.printed_pdf import Printed, write_pdf

pytestmark = pytest.mark.slow

BUNDLED = Path(__file__).resolve().parents[5] / "test_data" / "zirconium_tracers.pdf"
SENTENCE = "River ice hides sensors from the sky in winter."
TIGHT = Limits(seconds=20, megabytes=700)


def read(path: Path, data: bytes, reading: Reading | None = None) -> Parsed:
    path.write_bytes(data)
    return read_pdf(path, reading or Reading())


@pytest.mark.parametrize("name", [name for name, hostile in HOSTILE.items() if not hostile.bomb])
def test_a_damaged_file_is_read_or_refused_in_words(name: str, tmp_path: Path) -> None:
    hostile, path = HOSTILE[name], tmp_path / "ice.pdf"
    if hostile.refused:
        with pytest.raises(SourceError, match=hostile.refused) as refused:
            read(path, hostile.make())
        assert "ice.pdf" in refused.value.message
        assert refused.value.hint
        return
    parsed = read(path, hostile.make())
    assert SENTENCE in {draft.text for draft in parsed.drafts}
    assert not hostile.told or any(hostile.told in repair.problem for repair in parsed.repairs)
    assert hostile.told or not parsed.repairs


@pytest.mark.parametrize("name", [name for name, hostile in HOSTILE.items() if hostile.bomb])
def test_a_bomb_costs_its_own_process_alone(name: str, tmp_path: Path) -> None:
    (tmp_path / "bomb.pdf").write_bytes(HOSTILE[name].make())
    write_pdf(tmp_path / "ice.pdf", [Printed([(40, 60, 12, SENTENCE)])])
    jobs = [Job(tmp_path / f"{name}.pdf", name, tmp_path / "runs", kind="pdf") for name in ("bomb", "ice")]
    done = {outcome.job.name: outcome for outcome in index_all(jobs, limits=TIGHT)}
    assert done["ice"].state == "indexed"
    assert done["bomb"].state == "indexed" or ("bomb.pdf" in done["bomb"].message and done["bomb"].hint)
    assert done["bomb"].exit_code in (0, 2)


def test_one_bad_page_costs_itself(tmp_path: Path) -> None:
    pages = b"/Kids [3 0 R 6 0 R 7 0 R] /Count 3"
    parsed = read(tmp_path / "ice.pdf", paper(pages=pages, rest=[page(box=b"0 0 1 1"), b"(no page)"]))
    assert [draft.text for draft in parsed.drafts] == [SENTENCE]
    assert [(repair.page, repair.problem, repair.action) for repair in parsed.repairs] == [
        (2, "a page of 1 x 1 points", "page left out"),
        (3, "a page that cannot be read", "page left out"),
    ]
    assert (parsed.pages, parsed.page_sizes) == (3, ((400.0, 600.0), (612.0, 792.0), (612.0, 792.0)))


def test_a_crop_box_that_reaches_beyond_the_sheet_moves_nothing(tmp_path: Path) -> None:
    (plain,) = read(tmp_path / "ice.pdf", paper()).drafts
    wide = page().replace(b"/MediaBox", b"/CropBox [-400 -600 800 1200] /MediaBox")
    assert read(tmp_path / "wide.pdf", paper(first=wide)).drafts[0].boxes == plain.boxes


def test_a_locked_paper_opens_with_its_password_which_is_shown_to_nobody(tmp_path: Path) -> None:
    reading = Reading(password=PASSWORD)
    assert [draft.text for draft in read(tmp_path / "ice.pdf", locked(), reading).drafts] == [SENTENCE]
    assert PASSWORD not in repr(reading)
    with pytest.raises(SourceError, match=r"ice\.pdf is not opened by the password") as wrong:
        read(tmp_path / "ice.pdf", locked(), Reading(password="another one"))
    assert "another one" not in wrong.value.message + wrong.value.hint
    assert "--password" in wrong.value.hint
    assert read(tmp_path / "free.pdf", locked(user="")).drafts, "one that anybody may read needs none"


def test_a_password_is_in_no_file_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "ice.pdf").write_bytes(locked())
    indexed = kag.index(tmp_path / "ice.pdf", tmp_path / "runs", password=PASSWORD)
    assert indexed.path is not None
    written = [path for path in (tmp_path / "runs").rglob("*") if path.is_file()]
    assert len(written) > 5
    assert not [path for path in written if PASSWORD.encode() in path.read_bytes()]
    with pytest.raises(SourceError, match="needs a password"):
        kag.index(tmp_path / "ice.pdf")


def test_a_file_beyond_the_limit_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "ice.pdf"
    path.write_bytes(b"%PDF-1.7\n")
    os.truncate(path, 513 * 1024 * 1024)
    with pytest.raises(SourceError, match=r"ice\.pdf has .* bytes"):
        read_pdf(path)


# the process of its own -----------------------------------------------------------------------


def test_python_reads_a_pdf_in_a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bomb would end this process."""
    monkeypatch.setattr(apart, "LIMITS", Limits(seconds=30, megabytes=400))
    (tmp_path / "ice.pdf").write_bytes(HOSTILE["forms of forms"].make())
    with pytest.raises(SourceError, match=r"ice\.pdf: (its process died|needs more memory|took more)"):
        kag.index(tmp_path / "ice.pdf")


def test_one_paper_without_limits_has_a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ice.pdf").write_bytes(paper())
    ours = os.getpid()
    monkeypatch.setattr("kag.core.workers.forks", lambda: True)  # else, beside threads of other tests, it starts anew
    monkeypatch.setattr(
        "kag.sources.pdf.file.render.PdfPages.__init__", lambda *given: os._exit(7 if os.getpid() != ours else 1)
    )
    (done,) = index_all([Job(tmp_path / "ice.pdf", "ice", tmp_path / "runs", kind="pdf")])
    assert (done.state, "its process died (exit code 7)" in done.message) == ("failed", True)


def test_beside_other_threads_a_process_starts_anew_and_does_not_run_the_script_again() -> None:
    waiting = threading.Event()
    thread = threading.Thread(target=waiting.wait)
    thread.start()
    try:
        assert apart.read_apart(BUNDLED).pages == 5
    finally:
        waiting.set()
        thread.join()


# what the file says of its paper --------------------------------------------------------------


def test_metadata_of_the_bundled_paper() -> None:
    with open_pages(BUNDLED) as pdf:
        told = read_metadata(pdf)
    assert told == Metadata(
        title="A macrocyclic tetrahydroxamate for rapid 89Zr labelling of a shark single-domain antibody: kinetics, "
        "stability and tumour imaging in mice",
        authors=(
            "Maja L. Vestergren",
            "Daniel Okonjo",
            "Riina Tamm",
            "Jordi Castellví",
            "Ida M. Brandvold",
            "Peter Haldane",
        ),
        doi="10.5555/kag.test.1",
        journal="Tracer Chemistry Letters",
        language="en",
    )


XMP = (
    "<?xpacket begin='' id='x'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>"
    "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description xmlns:dc='http://purl.org/dc/"
    "elements/1.1/' xmlns:prism='http://prism.invalid/'{attribute}>{inside}</rdf:Description></rdf:RDF></x:xmpmeta>"
)


def told(tmp_path: Path, *packets: str, info: bytes = b"") -> Metadata:
    packed = [stream(packet.encode(), b"/Type /Metadata /Subtype /XML") for packet in packets]
    path = tmp_path / "ice.pdf"
    path.write_bytes(paper(rest=[b"<< %s >>" % info, *packed], trailer=b"/Info 6 0 R"))
    with open_pages(path) as pdf:
        return read_metadata(pdf)


def test_what_packets_say_differently_is_not_believed(tmp_path: Path) -> None:
    one = XMP.format(attribute=" prism:doi='10.5555/ICE.1'", inside="<dc:title>River ice</dc:title>")
    other = XMP.format(attribute="", inside="<prism:doi>10.5555/snow.2</prism:doi>")
    assert (told(tmp_path, one).doi, told(tmp_path, one).title) == ("10.5555/ice.1", "River ice")
    assert told(tmp_path, one, other).doi == ""
    assert told(tmp_path, other, info=b"/Title (ice_final2.docx) /Author (admin)") == Metadata(doi="10.5555/snow.2")


@pytest.mark.parametrize(
    "packet",
    [
        XMP.format(attribute="", inside="<dc:title>&lol;</dc:title>"),
        XMP.format(attribute="", inside="<a>" * 5000),
        XMP.format(attribute="", inside="")[:-30],
        "<rdf:RDF" * 1000,
    ],
)
def test_a_broken_packet_costs_nothing_else(packet: str, tmp_path: Path) -> None:
    info = b"/Title (River ice) /arXivID (https://arxiv.org/abs/2101.01234v2) /Subject (Ice 7, doi:10.5555/ice.7.)"
    assert told(tmp_path, packet, info=info) == Metadata(title="River ice", doi="10.5555/ice.7", arxiv="2101.01234")


# scans ----------------------------------------------------------------------------------------

TEXTLESS = [Printed(bars=[(40, 60, 300, 400)]), Printed(bars=[(40, 60, 300, 400)])]


def test_without_tesseract_a_scan_is_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tesseract, "PROGRAM", "no-such-program")
    path = write_pdf(tmp_path / "scan.pdf", TEXTLESS)
    with pytest.raises(
        SourceError, match=r"scan\.pdf has no text on any of its pages \(pages 1-2: .*tesseract"
    ) as refused:
        read_pdf(path)
    assert "apt-get install tesseract-ocr" in refused.value.hint
    assert "--ocr" in refused.value.hint


def test_without_tesseract_one_scanned_page_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tesseract, "PROGRAM", "no-such-program")
    garbled = "7KLV SDSHU FRQWDLQV WKH UHVXOWV RI WKH VHFRQG \\HDU " * 2
    lines = [(20, 60 + 14 * n, 6, garbled) for n in range(6)]
    path = write_pdf(tmp_path / "ice.pdf", [Printed([(40, 60, 12, SENTENCE)]), Printed(lines)])
    (told,) = read_pdf(path).repairs
    assert (told.page, told.action) == (2, "page left as a picture")


@pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not installed")
def test_a_run_is_made_again_when_somebody_can_read_the_scans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_pdf(tmp_path / "ice.pdf", [Printed([(40, 60, 12, SENTENCE)]), *TEXTLESS])
    with monkeypatch.context() as without:
        without.setattr(tesseract, "PROGRAM", "no-such-program")
        before = read_pdf(path).sha256
    assert len({before, read_pdf(path).sha256, read_pdf(path, Reading(language="osd+eng")).sha256}) == 3
    plain = write_pdf(tmp_path / "plain.pdf", [Printed([(40, 60, 12, SENTENCE)])])
    assert read_pdf(plain).sha256 == read_pdf(plain, Reading(language="deu")).sha256


@pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not installed")
def test_a_page_whose_letters_are_drawn_is_read_where_tesseract_is(tmp_path: Path) -> None:
    """The bundled paper as pictures of its pages, which have no letters."""
    import pypdfium2 as pdfium

    scan = pdfium.PdfDocument.new()
    with open_pages(BUNDLED) as pdf:
        image = pdf.document[0].render(scale=2.5).to_pil().convert("L")
    picture = pdfium.PdfImage.new(scan)
    picture.set_bitmap(pdfium.PdfBitmap.from_pil(image))
    picture.set_matrix(pdfium.PdfMatrix().scale(595, 842))
    sheet = scan.new_page(595, 842)
    sheet.insert_obj(picture)
    sheet.gen_content()
    scan.save(tmp_path / "scan.pdf")
    parsed = read_pdf(tmp_path / "scan.pdf")
    assert [repair.problem for repair in parsed.repairs] == ["a page without text"]
    assert "Positron emission tomography with long-lived isotopes" in " ".join(draft.text for draft in parsed.drafts)
    with pytest.raises(SourceError, match="does not know the language 'zzz'"):
        read_pdf(tmp_path / "scan.pdf", Reading(language="zzz"))


ENGLISH = "We measured how many of the sensors fail in winter and why nobody sees them"
POLISH = "Zmierzyliśmy ile czujników zawodzi zimą pod lodem rzeki i dlaczego nikt ich nie widzi"


def test_words_of_no_language_are_told_from_all_that_are() -> None:
    english, polish = ENGLISH.split() * 8, POLISH.split() * 8
    shifted = ["".join(chr(ord(char) - 29) if char.isascii() else char for char in word) for word in english]
    assert [is_garbled(words) for words in (english, polish, shifted)] == [False, False, True]
    assert not is_garbled(["река", "под", "лёд"] * 200), "other scripts are not judged"
    assert not is_garbled(shifted[:20]), "nor are few letters"


def test_all_that_was_odd_is_told_in_the_order_of_the_pages(tmp_path: Path) -> None:
    path = tmp_path / "ice.pdf"
    path.write_bytes(HOSTILE["a file attached"].make()[:-8])
    with open_pages(path) as pdf:
        opened = open_pdf(pdf)
    assert [repair.action for repair in opened.repairs] == ["read as far as it goes", "left out"]
