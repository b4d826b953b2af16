"""What the labeller is trained on: labels on the right characters, other styles that keep them, the same weights."""

from kag.indexing.references.labeller import labeller
from scripts.benchmarks.train_references import calibrated, steps, train

TEXT = "[3] Poe, E., Roe, F. Ice on lakes ,J .Ice 12 ,45 -67( 2001 ). doi:10.1234/ice"
FIELDS = {
    "author": ["Poe, E., Roe, F."], "title": ["Ice on lakes"], "journal": ["J .Ice"], "volume": ["12"],
    "pages": ["45 -67"], "date": ["2001"], "doi": ["10.1234/ice"],
}  # fmt: skip


def test_the_same_strings_make_the_same_weights():
    rows = [{"text": TEXT.replace("12", str(n)), "fields": FIELDS | {"volume": [str(n)]}} for n in range(10, 40)]
    one, other = train(rows), train(rows)
    assert (one.labels, one.rows) == (other.labels, other.rows)
    assert (one.weights == other.weights).all()
    assert (one.follow == other.follow).all()


def test_steps_of_calibration_never_fall():
    values = [(n / 1000, n % 10 < n / 100) for n in range(1000)]
    found = steps(values)
    assert [share for _, share in found] == sorted(share for _, share in found)
    assert found[0][1] < 0.3
    assert found[-1][1] > 0.8
    assert calibrated([])["title"] == []
    assert labeller().share("place", 0.5) <= labeller().share("place", 0.99)
