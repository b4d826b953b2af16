"""What is read from a page: words as set, from the operators that print them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kag.sources.pdf.file import characters
from kag.sources.pdf.file.content import Font, PageContent, Rect, Word
from kag.sources.pdf.file.opening import is_right_to_left, read_page
from kag.sources.pdf.file.render import open_pages
from tests.printed_pdf import Printed, pdf_file, write_pdf
from tests.unit.sources.pdf import typeset


def page(tmp_path: Path, printed: Printed) -> PageContent:
    with open_pages(write_pdf(tmp_path / "a.pdf", [printed]), "") as pdf, pdf.page(1) as opened:
        return read_page(opened, 1)


def drawn(tmp_path: Path, operators: str) -> tuple[Word, ...]:
    """The words that some operators print at 100, 100 from the top left of a page of 400 by 600 points."""
    return page(tmp_path, Printed(drawn=f"BT 100 500 Td {operators} ET")).words


def texts(words: tuple[Word, ...]) -> list[tuple[str, bool]]:
    return [(word.text, word.spaced) for word in words]


def test_a_word_has_its_place_its_type_and_the_edges_of_its_letters(tmp_path: Path) -> None:
    (word,) = drawn(tmp_path, "/M 10 Tf (ice) Tj")
    assert (word.text, word.base, word.size, word.font.name) == ("ice", 100, 10, "Courier")
    assert [round(x, 1) for x in (word.x0, word.x1)] == [100, 118]
    assert [round(x, 1) for x in word.edges] == [100, 106, 112]  # letters of Courier are 0.6 of its size
    assert 89 <= word.y0 < 95
    assert 100 < word.y1 <= 104


def test_blanks_and_gaps_part_words(tmp_path: Path) -> None:
    assert texts(drawn(tmp_path, "/F 10 Tf (two words) Tj")) == [("two", True), ("words", True)]
    kerned = drawn(tmp_path, "/F 10 Tf [(Wa) 90 (ter) -100 (y)] TJ")
    assert texts(kerned) == [("Watery", True)], "kerning parts no word"
    assert texts(drawn(tmp_path, "/F 10 Tf [(two) -300 (words)] TJ")) == [("two", True), ("words", True)]
    assert texts(drawn(tmp_path, "/F 10 Tf (two\\240words) Tj")) == [("two", True), ("words", True)]


@pytest.mark.parametrize(
    ("operators", "read"),
    [
        ("[(6) -125 (mm)] TJ", ["6", "mm"]),  # set with a thin blank
        ("[(ice) -120 (melts)] TJ", ["ice", "melts"]),
        ("[(table) -120 (1)] TJ", ["table", "1"]),
        ("[(p53) -20 (a)] TJ", ["p53a"]),
        ("[(i) -120 (c) -120 (e)] TJ", ["ice"]),  # all letters are spaced
        ("[(15) -120 (000)] TJ", ["15000"]),
        ("[(ICE) -120 (BERG)] TJ", ["ICEBERG"]),
        ("[(x) -120 (y)] TJ", ["xy"]),
    ],
)
def test_a_thin_gap_parts_a_unit_from_its_number_and_words_set_tight(
    tmp_path: Path, operators: str, read: list[str]
) -> None:
    assert texts(drawn(tmp_path, f"/F 10 Tf {operators}")) == [(word, True) for word in read]


def test_what_is_raised_behind_a_letter_is_not_parted_by_the_line_s_end_that_pdfium_sees(tmp_path: Path) -> None:
    found = drawn(tmp_path, "/F 10 Tf (mm) Tj /F 7 Tf 4.5 Ts (2) Tj 0 Ts /F 10 Tf (\\), and) Tj")
    assert texts(found) == [("mm", True), ("2", False), ("),", False), ("and", True)]


def coded(tmp_path: Path, codes: str, shown: str) -> list[str]:
    """Words in a font whose letters mean what a table of the file says: pairs of a byte and UTF-16, in hex."""
    pairs = codes.split()
    table = f"{len(pairs) // 2} beginbfchar {' '.join(f'<{one}>' for one in pairs)} endbfchar"
    cmap = f"begincmap 1 begincodespacerange <00> <FF> endcodespacerange {table} endcmap".encode()
    data = f"BT /F 10 Tf 100 500 Td ({shown}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] /Contents 6 0 R"
        b" /Resources << /Font << /F 4 0 R >> >> >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 5 0 R >>",
        *(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(one), one) for one in (cmap, data)),
    ]
    path = tmp_path / "coded.pdf"
    path.write_bytes(pdf_file(objects))
    with open_pages(path, "") as pdf, pdf.page(1) as opened:
        return [word.text for word in read_page(opened, 1).words]


def test_characters_beyond_sixteen_bits_are_one_and_slanted_letters_of_formulas_are_letters(tmp_path: Path) -> None:
    assert coded(tmp_path, "6D D835DF07", "5 mg") == ["5", "μg"]
    assert coded(tmp_path, "6D D83DDE00", "am b") == ["a\U0001f600", "b"]
    assert coded(tmp_path, "6D D835", "am b")[0][:1] == "a", "half a character is none"


def test_a_change_of_type_begins_a_word_without_a_blank(tmp_path: Path) -> None:
    found = drawn(tmp_path, "/F 10 Tf (See ) Tj /B 10 Tf (bold) Tj /I 10 Tf (ly,) Tj /M 10 Tf ( code) Tj")
    assert texts(found) == [("See", True), ("bold", True), ("ly,", False), ("code", True)]
    assert [(word.font.bold, word.font.italic, word.font.mono) for word in found] == [
        (False, False, False),
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ]


def test_a_raised_word_is_one_of_its_own_and_no_blank_is_before_it(tmp_path: Path) -> None:
    found = drawn(tmp_path, "/F 10 Tf (ice) Tj /F 7 Tf 3.6 Ts (12) Tj 0 Ts /F 10 Tf (, and) Tj")
    assert [(*one, word.size) for one, word in zip(texts(found), found, strict=True)] == [
        ("ice", True, 10),
        ("12", False, 7),
        (",", False, 10),
        ("and", True, 10),
    ]
    assert found[1].base == pytest.approx(100 - 3.6)


def test_the_letters_of_a_ligature_share_its_box_and_are_one_word(tmp_path: Path) -> None:
    (word,) = drawn(tmp_path, "/X 10 Tf (o3ng) Tj")
    assert word.text == "offing"
    assert word.edges[1] == word.edges[2] == word.edges[3] < word.edges[4]
    (word,) = drawn(tmp_path, "/X 10 Tf (2nal) Tj")
    assert (word.text, word.edges[0]) == ("final", word.edges[1])


@pytest.mark.parametrize(
    ("operators", "read"),
    [
        ("[(Kaf) (b) 388 (e)] TJ", "Kafé"),  # drawn, then back by the width of both
        ("[(na) (d) 300 (1) -40 (ve)] TJ", "naïve"),  # over an i without a dot
        ("[(lo) (c) 330 (n) (u)] TJ", "loņu"),
        ("(rue) Tj ET BT /X 10 Tf 109 503 Td (b) Tj ET BT /X 10 Tf 113 500 Td (s) Tj", "rués"),  # an object of its own
    ],
)
def test_an_accent_over_a_letter_is_one_character_with_it(tmp_path: Path, operators: str, read: str) -> None:
    found = drawn(tmp_path, f"/X 10 Tf {operators}")
    assert "".join(word.text for word in found) == read
    assert [word.spaced for word in found] == [True] + [False] * (len(found) - 1)


@pytest.mark.parametrize(
    ("operators", "read"),
    [
        ("(ub n) Tj", ["u´", "n"]),  # beside its letter
        ("[(n) (b) 388 (7)] TJ", ["n´7"]),  # over a number
        ("(b) Tj", ["´"]),
    ],
)
def test_an_accent_over_no_letter_stays(tmp_path: Path, operators: str, read: list[str]) -> None:
    assert [word.text for word in drawn(tmp_path, f"/X 10 Tf {operators}")] == read


def test_text_in_the_margin_that_runs_upwards_stands_apart(tmp_path: Path) -> None:
    stamp = "BT 0 1 -1 0 20 100 Tm /F 10 Tf (stamp) Tj ET"
    found = page(tmp_path, Printed([(100, 100, 10, "Upright words are more")], drawn=stamp))
    assert [word.text for word in found.words] == ["Upright", "words", "are", "more"]
    assert [word.text for word in found.turned] == ["stamp"]
    assert (found.quarter, found.sheet) == (0, (400, 600))


@pytest.mark.parametrize(
    ("matrix", "quarter", "sheet"), [("0 1 -1 0 200 100", 1, (190, 500)), ("0 -1 1 0 200 500", 3, (200, 100))]
)
def test_a_page_set_sideways_is_read_upright_and_has_its_places_on_the_sheet(
    tmp_path: Path, matrix: str, quarter: int, sheet: tuple[int, int]
) -> None:
    found = page(tmp_path, Printed(drawn=f"BT {matrix} Tm /M 10 Tf (ab cd) Tj ET"))
    assert ([word.text for word in found.words], found.turned) == (["ab", "cd"], ())
    assert (found.quarter, found.width, found.height, found.sheet) == (quarter, 600, 400, (400, 600))
    first = found.words[0]
    assert first.x0 == pytest.approx(100, abs=0.1)
    assert first.base == pytest.approx(200)
    place = found.on_sheet(Rect(first.x0, first.base - 10, first.x1, first.base))
    beside = 190 if quarter == 1 else 200
    top = 488 if quarter == 1 else 100
    assert place == pytest.approx((beside, top, beside + 10, top + 12), abs=0.1)


def test_a_page_that_is_turned_by_the_file_is_read_as_seen(tmp_path: Path) -> None:
    upright = drawn(tmp_path, "/M 10 Tf (ice) Tj")[0]
    for turned, matrix in ((90, "0 1 -1 0 100 100"), (180, "-1 0 0 -1 300 100"), (270, "0 -1 1 0 300 500")):
        found = page(tmp_path, Printed(turned=turned, drawn=f"BT {matrix} Tm /M 10 Tf (ice) Tj ET"))
        (word,) = found.words
        assert (word.x0, word.base, word.y0) == pytest.approx((100, 100, upright.y0), abs=0.1), turned
        assert (found.width, found.height) == ((400, 600) if turned == 180 else (600, 400))
        assert found.quarter == 0


def test_no_more_characters_are_read_than_a_page_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(characters, "MAX_GLYPHS", 6)
    found = page(tmp_path, Printed([(100, 100, 10, "three words more")]))
    assert ([word.text for word in found.words], found.glyphs) == (["three"], 16)


@pytest.mark.parametrize(
    ("name", "bold", "italic", "mono"),
    [
        ("CMBX12", True, False, False),
        ("CMR10", False, False, False),
        ("CMTI10", False, True, False),
        ("CMTT9", False, False, True),
        ("NimbusRomNo9L-Medi", True, False, False),
        ("NimbusRomNo9L-MediItal", True, True, False),
        ("NimbusRomNo9L-Regu", False, False, False),
        ("AdvOT8608a8d1.B", True, False, False),
        ("AdvOT8608a8d1.I", False, True, False),
        ("Arial,Bold", True, False, False),
        ("MinionPro-Semibold", True, False, False),
        ("MyriadPro-Light", False, False, False),
        ("Univers-Black", True, False, False),
        ("Sabon-Demi", True, False, False),
        ("TimesNewRomanPS-BoldItalicMT", True, True, False),
        ("GillSans-MediumObli", False, True, False),
    ],
)
def test_the_name_of_a_typeface_tells_how_it_looks(
    tmp_path: Path, name: str, bold: bool, italic: bool, mono: bool
) -> None:
    found = page(tmp_path, Printed(drawn="BT /M 10 Tf 100 500 Td (ice) Tj ET", face=f"ABCDEF+{name}"))
    assert found.words[0].font == Font(name, bold=bold, italic=italic, mono=mono)


def test_an_empty_page_and_one_whose_sheet_begins_elsewhere(tmp_path: Path) -> None:
    empty = page(tmp_path, Printed())
    assert (empty.words, empty.unmapped, empty.quarter, empty.glyphs) == ((), 0.0, 0, 0)
    assert PageContent(1, 400, 600, (), (), ()).glyphs == 0
    path = write_pdf(tmp_path / "a.pdf", [Printed([(100, 100, 10, "ice")])])
    path.write_bytes(path.read_bytes().replace(b"[0 0 400 600]", b"[9 5 409 605]"))
    with open_pages(path, "") as pdf, pdf.page(1) as opened:
        (word,) = read_page(opened, 1).words
    assert (word.x0, word.base) == pytest.approx((91, 105), abs=0.7)


@pytest.mark.parametrize(
    ("text", "expected"), [("שלום עולם ice", True), ("مرحبا", True), ("ice שלום snow river", False)]
)
def test_text_that_runs_from_right_to_left_is_noticed(text: str, expected: bool) -> None:
    assert is_right_to_left([typeset.page(typeset.words(50, 100, text))]) is expected
