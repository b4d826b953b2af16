"""The evidence viewer: one HTML page that shows a run, its answers and where each claim is printed.

    run folder, answers, pictures -> page_data (plain values) -> render (one self-contained file)

What papers and answers say is data from strangers: it travels as JSON and is shown letter by letter.
"""

from kag.qa.page.whole_page import build_page

__all__ = ["build_page"]
