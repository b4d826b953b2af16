"""What figures of appendices and boxes are called, and what their captions say behind that name."""

from __future__ import annotations

from pathlib import Path

import kag
from kag.qa.exact.labels import called, captions, without_label

PAPER = """<article><body><sec><title>Ice</title><p>Text.</p>
<fig id="f1"><label>Figure 1.</label><caption><p>Sensors.</p></caption></fig>
<fig id="f2"><label>Box 1—figure 1.</label><caption><p>Snow.</p></caption></fig></sec></body>
<back><app><title>Appendix 1</title>
<fig id="f3"><label>Appendix 1—Figure 1.</label><caption><p>Floes.</p></caption></fig>
<fig id="f4"><label>Appendix 1—Figure 1—figure supplement 2.</label><caption><p>Drift.</p></caption></fig>
</app></back></article>
"""


def test_names_of_figures_in_parts(tmp_path: Path) -> None:
    (tmp_path / "ice.xml").write_text(PAPER, encoding="utf-8")
    paper = kag.index(tmp_path / "ice.xml")
    (graph,) = paper.graphs.values()
    figures = graph.of_kind("Figure")
    assert [(called(graph, one), without_label(*captions(graph, one))) for one in figures] == [
        ("Figure 1", "Sensors."),
        ("Box 1—figure 1", "Snow."),
        ("Appendix 1—Figure 1", "Floes."),
        ("Appendix 1—Figure 1—figure supplement 2", "Drift."),
    ]
    assert paper.ask("List the figures.").text == "The figures are: Figure 1; Appendix 1—Figure 1."
