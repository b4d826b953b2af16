r"""What the first pages say about the paper."""

import json

import pytest

from kag.core.types import Document
from kag.indexing.enrich.front_record import (
    Author,
    affiliations,
    arxiv_stamp,
    authors,
    dates,
    front_record,
    keywords,
    licence,
    read_front,
)
from kag.rdf.namespaces import DCTERMS, DOCO, KAG, PRISM, RDF
from kag.rdf.workspace import Workspace
from tests.unit.indexing.structure.blocks import block


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Keywords: river ice; sensors; winter.", ("river ice", "sensors", "winter")),
        ("Key words — ice, snow (fresh), fog", ("ice", "snow (fresh)", "fog")),
        ("**Keywords:** ice · snow", ("ice", "snow")),
        ("Keywords:\nIce\nSnow\nIce", ("Ice", "Snow")),
        ("Index Terms: ice, snow", ("ice", "snow")),
        ("Keywords are words.", ()),
        ("The keywords: ice", ()),
    ],
)
def test_keywords(text: str, words: tuple[str, ...]) -> None:
    assert keywords(text) == words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Received 9 April 2017; accepted July 31, 2017", {"submitted": "2017-04-09", "accepted": "2017-07-31"}),
        (
            "Received: 2020-01-02 / Published online: 3rd Feb 2021",
            {"submitted": "2020-01-02", "published": "2021-02-03"},
        ),
        ("Accepted May 2019", {"accepted": "2019-05"}),
        ("Received in revised form 4 May 2018", {"revised": "2018-05-04"}),
        ("Samples were received in May.", {}),
        ("Accepted 2019", {}),
    ],
)
def test_dates(text: str, found: dict[str, str]) -> None:
    assert dates(text) == found


@pytest.mark.parametrize(
    ("text", "stamp"),
    [
        ("arXiv:2103.14781v2 [cs.LG] 9 March 2021", ("2103.14781", "2021-03-09")),
        ("arXiv:hep-th/9901001v1 1 Jan 1999", ("hep-th/9901001", "1999-01-01")),
        ("arXiv:2103.14781", ("2103.14781", "")),
        ("arXiv:2103.14781 is cited here, 9 March 2021", ("", "")),
    ],
)
def test_the_stamp_of_arxiv(text: str, stamp: tuple[str, str]) -> None:
    assert arxiv_stamp(["Ice", text]) == stamp


def test_licences() -> None:
    by = "https://creativecommons.org/licenses/by/4.0/"
    assert licence("under http://creativecommons.org/licenses/by/4.0/ terms") == by
    assert licence("open access (CC BY 4.0)") == by
    assert licence("CC BY-NC-ND 3.0") == "https://creativecommons.org/licenses/by-nc-nd/3.0/"
    assert licence("The work is CC0.") == "https://creativecommons.org/publicdomain/zero/1.0/"
    assert licence("All rights reserved. CC BY") == ""


def test_affiliations_lead_from_marks() -> None:
    printed = r" \( ^{1} \) Department of Ice, Tromso" + "\n" + r" \( ^{2} \) School of Snow, Oslo"
    assert affiliations(printed) == {"1": "Department of Ice, Tromso", "2": "School of Snow, Oslo"}
    assert affiliations("1 Department of Ice\n2 School of Snow") == {"1": "Department of Ice", "2": "School of Snow"}
    assert affiliations("Department of Ice\nSchool of Snow") == {"@1": "Department of Ice", "@2": "School of Snow"}


def test_authors_have_the_affiliations_of_their_marks() -> None:
    places = {"1": "Department of Ice", "2": "School of Snow"}
    assert authors(r"Ana Lima \( ^{1,2} \), Jon Berg and Bo Li \( ^{2,*} \)", places) == (
        Author("Ana Lima", ("1", "2"), ("Department of Ice", "School of Snow")),
        Author("Jon Berg"),
        Author("Bo Li", ("2", "*"), ("School of Snow",)),
    )
    assert authors("Ana Lima, Bo Li", {"@1": "School of Snow"})[1] == Author("Bo Li", (), ("School of Snow",))
    assert authors("Ana Lima, Bo Li", {"@1": "School of Snow", "@2": "Department"})[1] == Author("Bo Li")


def test_running_text_says_nothing_about_the_paper() -> None:
    words = "The letter was received 9 April 1917 and answered by a@b.org. " * 30
    assert read_front("", (), (words,)).to_json() == "{}"


def test_the_record_is_kept_and_told_once() -> None:
    texts = (
        "Ice",
        "Ana Lima \\( ^{1} \\)",
        "\\( ^{1} \\) School of Snow",
        "Keywords: ice; snow",
        "Received 9 April 2017",
    )
    blocks = tuple(block(f"1.{n}", text) for n, text in enumerate(texts, 1))
    workspace = Workspace(Document("p", blocks, (), (), 1, ""))
    for one, cls in zip(blocks, (DOCO.Title, DOCO.ListOfAuthors, DOCO.ListOfOrganizations), strict=False):
        node = workspace.node(one.id)
        workspace.add(node, RDF.type, cls)
        workspace.put(node, KAG.fullText, one.text)
        workspace.put(node, KAG.pageNumber, 1)
    assert front_record(workspace) == 4 + 10  # with the person, the role and the organization
    assert {str(word) for word in workspace.graph.objects(workspace.paper, PRISM.keyword)} == {"ice", "snow"}
    assert workspace.text(workspace.paper, DCTERMS.dateSubmitted) == "2017-04-09"
    record = json.loads(workspace.content[workspace.text(workspace.paper, KAG.hasContentRef)].text)
    assert record["authors"][0]["affiliations"] == ["School of Snow"]
    assert record["keywords"] == ["ice", "snow"]
    assert front_record(workspace) == 0
