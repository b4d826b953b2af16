"""What the papers of a grammar are made of: labels, words, numbers and forms of print, sound ones and others."""

from __future__ import annotations

LABELS = (
    "text", "title", "sub_title", "image", "figure", "chart", "icon", "table", "table_body", "figure_title",
    "table_title", "image_caption", "table_caption", "caption", "equation", "formula", "footnote", "table_footnote",
    "header", "footer", "page_number", "aside_text", "section_header", "list", "code", "algorithm", "reference",
    "unheard_of", "",
)  # fmt: skip
NUMBERS = (
    "1", "2", "3", "12", "1.1", "1.2.3", "0", "00", "99999", "S1", "A", "A.1", "B", "IV", "XVI", "i", "²", "¹⁰", "٣",
    "३", "①", "½", "9" * 400, "1e400", "-5", "1,200", "3–5", "2a–c", "10^{-9}", "[7]", "(8)", "9" * 5000, "∞", "x",
)  # fmt: skip
WORDS = (
    "ice", "river", "Sensors", "fail", "under", "winter.", "(see", "Smith", "et al.", "van der Berg,", "2010", "2010a",
    "and", "of", "the", "Müller", "naïve", "北京", "سلام", "שלום", "Ελλάδα", "Кино", "𝔘𝔫𝔦", "e\u0301", "a\u200bb",
    "\u202eabc", "\U0001f9ca", "ﬁne", "İstanbul", "straße", "ſee", "K", "\ufeff", "\u2028", "\u0085", "<b>bold</b>",
    "*so*", "`x`", "|", "||", "\\", "\\(", "\\)", "$", "$$", "^", "_", "{", "}}", "<", ">", "&amp;", "&#0;", "--",
    "---", "12 mg", "3.4 ± 0.2 kg m^{-2}", "p < 0.05", "10.1000/x%<>\"{}|", "https://a.b/c[d]?e=\\f", "doi:10.1/(a)b",
    "a@b.c",
)  # fmt: skip
HEADINGS = (
    "Abstract", "ABSTRACT", "A B S T R A C T", "Introduction", "Materials and Methods", "Results", "Discussion",
    "References", "REFERENCES", "Literature Cited", "Appendix A", "Front matter", "Text", "Experiment 1",
    "Case 2: Lakes", "Keywords", "Supplementary Information", "Acknowledgements", "Box 1. Ice", "Theorem 1.", "", "#",
    "?",
)  # fmt: skip
KINDS = (
    "Figure", "Fig.", "FIG", "Table", "TABLE", "Tab.", "Scheme", "Chart", "Plate", "Box", "Extended Data Fig.", "Eq.",
    "Supplementary Table", "Supporting Fig", "Appendix", "Section", "Tableau", "Abb.", "Video",
)  # fmt: skip
STOPS = (". ", ": ", " ", " | ", ".", " (continued). ", " (cont'd)", "—figure supplement 2. ", "\n")
REFERENCES = (
    "[{n}] Smith J, Roe A. {w}. J Ice. 2010;{n}:1–9. doi:10.1000/{n}",
    "{n}. Smith, J. & Roe, A. ({y}). {w}. Ice, 4(2), 1-9.", "{n} J. Smith, A. Roe, Phys. Rev. D{n}, 1 ({y}).",
    "Smith, J., {y}a. {w}. In: Roe, A. (Ed.), Ice. Press, Oslo.", "[Smith{n}] {w}, https://a.b/{w}",
    "\\( ^{{{n}}} \\) Smith J. {w} arXiv:2010.00001", "({n}) WHO. {w}. Geneva, {y}", "{w} {n}", "{n}",
    "van Dam N. {w}. n.d.", "⁴ Roe A. {w} {y}", "- [{n}] {w}.",
)  # fmt: skip
CALLOUTS = (
    "[{n}]", "[{n}–{m}]", "[1-99999]", "({n}, {m})", "\\( ^{{{n},{m}}} \\)", "⁵", "(Smith et al., {y}a–c; {n})",
    "Smith ({y})", "ref. {n}", "refs. {n}-{m}", "[Smith{n}]", "{k} {n}", "{k} {n}–{m} and S{n}", "{k}s. {n}a,b",
    "see {h}", "{n} section", "S{n}–S{m} {k}s", "Eq. ({n}a)", "§§ {n}", "{k} {n} in S1 Text",
)  # fmt: skip
FORMULAS = (
    "\\[ a = \\frac{b}{c} \\quad (3) \\]", "\\[ x \\tag{4} \\]", "(5)", "[6]", "\\( {{{{ \\)", "$$ x $$", "\\[", "\\]",
    "\\begin{array}{cc} 1 & 2 \\\\ 3 \\end{array}", "\\frac" * 50, "{" * 300 + "}" * 300, "\\sqrt" * 2000, "^" * 500,
)  # fmt: skip
STARTS = (
    "", "", "", "## ", "#", "- ", "• ", "(1) ", "2. ", "a) ", "> ", "```", "**Proof.** ", "Theorem 2. ", "Note: ",
    "* ", "a Values are means. ", "Keywords: ice; ", "Received 31 May 2010; ", "© 2010 ", "CC BY 4.0 ", "Abstract. ",
    "where ",
)  # fmt: skip
BROKEN_BOXES = (
    "[]", "[[]]", "[[1,2,3]]", "[[nan,1,2,3]]", "[[1e999,0,5,5]]", "[[9,9,1,1]]", "[[-5,0,4000,10]]", "x", "[" * 3000,
    '[["1",2,3,4]]', "[[100,200,300,400", f"[[{'9' * 5000},0,1,1]]",
)  # fmt: skip
