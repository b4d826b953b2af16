"""Pictures from strangers: what can be read is made small and clean, what cannot is a clear error."""

import io
import struct
import zlib

import pytest
from PIL import Image

from kag.core.errors import SourceError
from kag.sources.pictures import MAX_BYTES, MAX_SIDE, picture_path, read_picture


def saved(tmp_path, image, form="PNG", **options):
    path = tmp_path / f"fig.{form.lower()}"
    image.save(path, form, **options)
    return path


def opened(picture):
    image = Image.open(io.BytesIO(picture.data))
    assert image.get_format_mimetype() == picture.media_type
    assert image.mode == "RGB"
    return image


def test_a_large_picture_is_shrunk_and_keeps_its_own_size_on_paper(tmp_path):
    picture = read_picture(saved(tmp_path, Image.new("RGB", (4000, 1000), "red")))
    assert (picture.width, picture.height) == (4000, 1000)
    assert opened(picture).size == (MAX_SIDE, 392)


def test_noise_that_png_cannot_press_becomes_jpeg(tmp_path):
    noise = Image.merge("RGB", [Image.effect_noise((1200, 1200), 99) for _ in range(3)])
    picture = read_picture(saved(tmp_path, noise, compress_level=1))
    assert picture.media_type == "image/jpeg"
    assert len(picture.data) <= MAX_BYTES
    assert opened(picture).size == (1200, 1200)


def test_the_hash_is_of_the_file_and_the_bytes_are_the_same_each_time(tmp_path):
    path = saved(tmp_path, Image.new("RGB", (30, 20), "blue"))
    first, second = read_picture(path), read_picture(path)
    assert first == second
    path.write_bytes(path.read_bytes() + b"appended")
    assert read_picture(path).sha256 != first.sha256
    assert b"appended" not in read_picture(path).data


def test_what_a_camera_wrote_does_not_leave(tmp_path):
    exif = Image.Exif()
    exif[0x010E] = "secret place"
    exif[0x0112] = 6  # turned by a quarter
    image = Image.new("RGB", (40, 20), "white")
    image.paste("red", (0, 0, 20, 20))
    picture = read_picture(saved(tmp_path, image, "JPEG", exif=exif, quality=95))
    turned = opened(picture)
    assert (picture.width, picture.height) == turned.size == (20, 40)
    assert turned.getpixel((10, 5))[1] < 60 < 200 < turned.getpixel((10, 35))[1]
    assert b"secret" not in picture.data


def sixteen_bit(low, high):
    image = Image.new("I;16", (2, 1))
    image.putpixel((0, 0), low)
    image.putpixel((1, 0), high)
    return image


MODES = [
    (Image.new("CMYK", (9, 9), (0, 255, 255, 0)), "JPEG", (255, 0, 0)),
    (Image.new("L", (9, 9), 100), "PNG", (100, 100, 100)),
    (Image.new("1", (9, 9), 1), "PNG", (255, 255, 255)),
    (Image.new("LA", (9, 9), (0, 0)), "PNG", (255, 255, 255)),
    (Image.new("RGBA", (9, 9), (0, 0, 255, 0)), "PNG", (255, 255, 255)),
    (Image.new("RGBA", (9, 9), (0, 0, 255, 255)), "WEBP", (0, 0, 255)),
    (Image.new("RGB", (9, 9), (0, 128, 0)).quantize(), "PNG", (0, 128, 0)),
    (Image.new("RGB", (9, 9), (0, 128, 0)).quantize(), "GIF", (0, 128, 0)),
    (sixteen_bit(32768, 65535), "PNG", (128, 128, 128)),
    (sixteen_bit(0, 65535), "PNG", (0, 0, 0)),
]


@pytest.mark.parametrize(("image", "form", "colour"), MODES, ids=[f"{i.mode}-{f}" for i, f, _ in MODES])
def test_every_mode_becomes_the_colours_a_person_sees(tmp_path, image, form, colour):
    options = {"lossless": True} if form == "WEBP" else {"quality": 100} if form == "JPEG" else {}
    seen = opened(read_picture(saved(tmp_path, image, form, **options))).getpixel((0, 0))
    assert max(abs(a - b) for a, b in zip(seen, colour, strict=True)) <= 3


def test_a_transparent_palette_lies_on_white(tmp_path):
    image = Image.new("P", (9, 9), 0)
    image.putpalette([0, 0, 0, 255, 0, 0])
    assert opened(read_picture(saved(tmp_path, image, transparency=0))).getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize("form", ["GIF", "PNG", "WEBP"])
def test_an_animation_is_its_first_frame(tmp_path, form):
    frames = [Image.new("RGB", (9, 9), colour) for colour in ("red", "lime")]
    options = {"lossless": True} if form == "WEBP" else {}
    path = saved(tmp_path, frames[0], form, save_all=True, append_images=frames[1:], **options)
    assert Image.open(path).n_frames == 2
    assert opened(read_picture(path)).getpixel((4, 4)) == (255, 0, 0)


def png_of(width, height, rows=b""):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


WHOLE = png_of(64, 64, b"\0" + bytes(64) * 64 + bytes(63))
BAD = {
    "empty file": (b"", "not an image"),
    "text": (b"figure 1", "not an image"),
    "svg": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not an image"),
    "postscript": (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "not an image"),
    "cut short": (WHOLE[:50], "not an image"),
    "no pixels": (png_of(0, 5), "not an image|no pixels"),
    "bomb": (png_of(60_000, 60_000), "more than 64000000 pixels"),
    "wide bomb": (png_of(2**31 - 1, 1), "more than 64000000 pixels"),
    "just too large": (png_of(8001, 8000), "more than 64000000 pixels"),
    "bytes missing": (png_of(64, 64, bytes(100)), "not an image"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_picture_is_a_clear_error(tmp_path, name):
    data, message = BAD[name]
    path = tmp_path / "fig.png"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=message) as caught:
        read_picture(path)
    assert "fig.png" in caught.value.message
    assert caught.value.hint


def test_what_cannot_be_made_small_is_an_error(tmp_path):
    with pytest.raises(SourceError, match="smaller than 10 bytes"):
        read_picture(saved(tmp_path, Image.new("RGB", (9, 9))), max_bytes=10)


# places ---------------------------------------------------------------------------------------


@pytest.fixture
def paper(tmp_path):
    for place in ("papers/smith_ocr/images", "papers/smith_figures", "elsewhere"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "a.png").write_bytes(b"x")
    (tmp_path / "papers" / "secret.png").write_bytes(b"x")
    return tmp_path / "papers" / "smith_ocr"


@pytest.mark.parametrize("path", ["images/a.png", "../smith_figures/a.png", "images/../images/a.png"])
def test_files_of_the_paper_are_given_out(paper, path):
    assert picture_path(path, paper).read_bytes() == b"x"


@pytest.mark.parametrize(
    "path", ["../secret.png", "../../elsewhere/a.png", "/etc/passwd", "..", "../smith_figures_b/a"]
)
def test_files_outside_are_not(paper, path):
    with pytest.raises(SourceError, match="outside"):
        picture_path(path, paper)


def test_a_link_does_not_lead_out(paper):
    (paper / "link.png").symlink_to(paper.parent / "secret.png")
    with pytest.raises(SourceError, match="outside"):
        picture_path("link.png", paper)


def test_a_folder_of_figures_that_was_given(paper):
    elsewhere = paper.parents[1] / "elsewhere"
    assert picture_path("../../elsewhere/a.png", paper, elsewhere) == elsewhere / "a.png"
