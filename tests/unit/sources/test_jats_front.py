"""Front matter of JATS: affiliations however they are marked up."""

import pytest

from kag.sources.jats.read import read_jats
from kag.sources.reading import AS_IT_IS


@pytest.mark.parametrize(
    ("aff", "words"),
    [
        ("Institute of Ice, Aberdeen", "Institute of Ice, Aberdeen"),
        ("<label>1</label>Institute of Ice, Aberdeen", "1 Institute of Ice, Aberdeen"),
        ("<label>1</label><institution>Institute of Ice</institution><country>UK</country>", "1 Institute of Ice, UK"),
    ],
)
def test_an_affiliation_is_read_whole(aff, words, tmp_path):
    path = tmp_path / "paper.xml"
    path.write_text(
        "<article><front><article-meta><title-group><article-title>Ice</article-title></title-group>"
        f"<aff id='a1'>{aff}</aff></article-meta></front><body><p>Words.</p></body></article>"
    )
    texts = [(draft.label, " ".join(draft.text.split())) for draft in read_jats(path, AS_IT_IS).drafts]
    assert ("text", words) in texts
