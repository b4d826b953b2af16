"""Papers made of triples, for tests of the read side that need no index run."""

from __future__ import annotations

import json

from kag.core.content import ContentStore
from kag.qa.paper import PaperGraph
from kag.rdf.namespaces import C4O, CITO, DCTERMS, DEO, DOCO, FABIO, KAG, PRISM, RDF
from kag.rdf.published import PublishedGraph

BASE = "http://la3d.local/kag/doc/ice/"
SPACES = {"kag": KAG, "doco": DOCO, "deo": DEO, "cito": CITO, "c4o": C4O, "dcterms": DCTERMS, "fabio": FABIO}
SPACES |= {"prism": PRISM, "rdf": RDF}


class Maker:
    """Writes a paper's graph: `add(name, class, text, ...)` appends a printed node in reading order."""

    def __init__(self) -> None:
        self.subjects: dict[str, dict[str, list[str]]] = {}
        self.order = 0
        self.put("document", "rdf:type", str(DOCO.Document))

    def put(self, name: str, term: str, *values: str) -> None:
        prefix, _, local = term.partition(":")
        self.subjects.setdefault(BASE + name, {}).setdefault(str(SPACES[prefix][local]), []).extend(values)

    def link(self, name: str, term: str, *targets: str) -> None:
        self.put(name, term, *(BASE + target for target in targets))

    def add(self, name: str, cls: str, text: str, section: str = "", page: int = 1, **more: str) -> str:
        self.order += 1
        prefix, _, local = cls.partition(":")
        self.put(name, "rdf:type", str(SPACES[prefix][local]))
        self.put(name, "kag:pageNumber", str(page))
        self.put(name, "kag:order", str(self.order))
        self.put(name, "kag:hasBBox", json.dumps([[100, 10 * self.order, 900, 10 * self.order + 8]]))
        if text:
            self.put(name, "kag:fullText", text)
            self.put(name, "kag:mainText", text[:200])
        for key, value in more.items():
            self.put(name, f"kag:{key}", value)
        if section:
            self.link(section, "kag:contains", name)
        return name

    def section(
        self, name: str, title: str, parent: str = "document", page: int = 1, types: str = "", number: str = ""
    ):
        header = self.add(f"{name}_title", "doco:SectionTitle", title, page=page)
        self.put(name, "rdf:type", str(DOCO.Section), *((str(DEO[types]),) if types else ()))
        self.put(name, "kag:pageNumber", str(page))
        if number:
            self.put(name, "kag:sectionNumber", number)
        self.link(name, "kag:containsAsHeader", header)
        self.link(parent, "kag:contains", name)
        return name

    def mention(self, host: str, name: str, surface: str, *targets: str, cites: bool = True) -> None:
        start = self.subjects[BASE + host][str(KAG.fullText)][0].index(surface)
        self.link(host, "kag:hasMention", name)
        self.put(name, "c4o:hasContent", surface)
        self.put(name, "kag:startOffset", str(start))
        self.put(name, "kag:endOffset", str(start + len(surface)))
        self.link(name, "c4o:denotes" if cites else "kag:refersTo", *targets)
        self.link(host, "cito:cites" if cites else "kag:refersTo", *targets)

    def paper(self, content: ContentStore | None = None) -> PaperGraph:
        subjects = {
            subject: {name: tuple(sorted(set(values))) for name, values in properties.items()}
            for subject, properties in self.subjects.items()
        }
        links = {
            name
            for properties in subjects.values()
            for name, values in properties.items()
            if all(value.startswith("http://") for value in values)
        }
        return PaperGraph(PublishedGraph(subjects, frozenset(links)), content or ContentStore())


def ice() -> PaperGraph:
    """A small paper: three sections, a continued paragraph, a figure, a table, two references."""
    make = Maker()
    make.put("document", "dcterms:title", "Sensors under river ice")
    make.put("document", "dcterms:creator", "Ana Lima", "Jon Berg")
    make.put("document", "fabio:hasPublicationYear", "2021")
    make.section("s_intro", "1 Introduction", types="Introduction", number="1")
    make.add("b_1", "doco:Paragraph", "The half-life of  \\( ^{89} \\) Zr is 78 h [1]. Sensors fail as", "s_intro")
    make.add("b_2", "doco:Figure", "", "s_intro", floatNumber="1", floatLabel="Fig. 1")
    make.add("b_3", "deo:Caption", "Fig. 1. (a) Losses. (b) Depth of the ice.", "s_intro")
    make.add("b_4", "doco:Paragraph", "was shown before [2, 1].", "s_intro", page=2)
    make.section("s_methods", "2 Materials and Methods", types="Methods", number="2", page=2)
    make.section("s_sites", "2.1 Sites", "s_methods", number="2.1", page=2)
    make.add(
        "b_5", "doco:Paragraph", "Twelve sites were studied (Fig. 1). Studies of snow were left out.", "s_sites", page=2
    )
    make.add(
        "b_6", "doco:Table", "Site | Lost\nUpper | 3\nLower | 14", "s_sites", 2, floatNumber="1", floatLabel="Table 1"
    )
    make.add("b_7", "deo:Caption", "Table 1. Losses by site.", "s_sites", page=2)
    make.section("s_refs", "References", page=3)
    make.add("b_8", "deo:BibliographicReference", "[1] Poe E. Ice on rivers. 1999.", "s_refs", 3, citationNumber="1")
    make.add("b_9", "deo:BibliographicReference", "[2] Roe E. Snow on rivers. 2000.", "s_refs", 3, citationNumber="2")
    make.link("b_3", "kag:describes", "b_2")
    make.link("b_7", "kag:describes", "b_6")
    make.link("b_4", "kag:continues", "b_1")
    make.mention("b_1", "b_1-m", "[1]", "b_8")
    make.mention("b_4", "b_4-m", "[2, 1]", "b_8", "b_9")
    make.mention("b_5", "b_5-m", "Fig. 1", "b_2", cites=False)
    return make.paper()
