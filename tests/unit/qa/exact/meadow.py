"""A small numbered paper with front matter, two tables, two figures and an appendix, for questions of many kinds."""

from __future__ import annotations

PAGES = (
    (
        ("title", "[[100, 60, 900, 100]]", "# Bees on mown and unmown meadows"),
        ("text", "[[100, 110, 900, 130]]", "Mira Holm \\( ^{1} \\), Tomas Vale \\( ^{2} \\)"),
        (
            "text",
            "[[100, 132, 900, 150]]",
            " \\( ^{1} \\) Institute of Meadows, Northtown\n \\( ^{2} \\) University of Southtown, Southtown",
        ),
        ("text", "[[100, 152, 900, 160]]", "Received 3 March 2019; accepted 14 June 2019; published 2 July 2019"),
        ("text", "[[100, 162, 900, 170]]", "Corresponding author: mira.holm@meadows.example"),
        ("sub_title", "[[100, 172, 300, 180]]", "## Abstract"),
        ("text", "[[100, 182, 900, 240]]", "Meadows feed bees. We counted bees on mown and unmown meadows."),
        ("text", "[[100, 242, 900, 250]]", "Keywords: bees; meadows; mowing"),
        ("sub_title", "[[100, 260, 300, 280]]", "## 1 Introduction"),
        (
            "text",
            "[[100, 290, 900, 400]]",
            "Bees need flowers [1, 2]. Mowing removes them [2], as earlier counts found [1]. Figure 1 draws the "
            "meadows.",
        ),
        ("image", "[[100, 420, 900, 600]]", ""),
        ("figure_title", "[[100, 610, 900, 640]]", "Fig. 1. Map of the meadows and their paths."),
        ("sub_title", "[[100, 660, 300, 680]]", "## 2 Methods"),
        ("sub_title", "[[100, 690, 300, 710]]", "## 2.1 Counting"),
        ("text", "[[100, 720, 900, 780]]", "We walked along each path and counted bees for an hour, as in [2, 4]."),
        ("sub_title", "[[100, 790, 300, 810]]", "## 2.2 Weather"),
        ("text", "[[100, 820, 900, 880]]", "Rain was noted by hand. No count was made in heavy rain."),
    ),
    (
        ("sub_title", "[[100, 80, 300, 100]]", "## 3 Results"),
        (
            "text",
            "[[100, 110, 900, 300]]",
            "Counts are listed in Table 1, heights in Table 2. Unmown meadows had most bees, and the difference was "
            "there in every month of the summer, on dry days and on wet days alike. Figure 2 draws the counts of each "
            "month. The river bank had most flowers of all places, and the road verge the fewest.",
        ),
        ("table_title", "[[100, 310, 900, 330]]", "Table 1. Flowers and bees by place."),
        (
            "table",
            "[[100, 340, 900, 420]]",
            "<table><tr><th>Place</th><th>Flower cover (%)</th><th>Bees</th></tr>"
            "<tr><td>Road verge</td><td>12.5</td><td>31</td></tr>"
            "<tr><td>River bank</td><td>48.0</td><td>77</td></tr>"
            "<tr><td>Orchard</td><td>22.0</td><td>85</td></tr></table>",
        ),
        ("table_title", "[[100, 430, 900, 450]]", "Table 2. Height of the grass."),
        (
            "table",
            "[[100, 460, 900, 520]]",
            "<table><tr><th>Month</th><th>Height (cm)</th></tr><tr><td>May</td><td>20</td></tr>"
            "<tr><td>June</td><td>35</td></tr></table>",
        ),
        ("image", "[[100, 540, 900, 640]]", ""),
        ("figure_title", "[[100, 650, 900, 670]]", "Fig. 2. Bees counted in each month."),
        ("sub_title", "[[100, 680, 300, 700]]", "## 4 Conclusions"),
        ("text", "[[100, 710, 900, 730]]", "Late mowing helps bees."),
        ("sub_title", "[[100, 740, 300, 760]]", "## Appendix"),
        ("text", "[[100, 770, 900, 790]]", "All paths are listed here."),
        ("sub_title", "[[100, 800, 300, 820]]", "## References"),
        ("text", "[[100, 830, 900, 850]]", "[1] Ash A. Bees in spring. Meadows. 2001;1:1-9."),
        ("text", "[[100, 852, 900, 870]]", "[2] Birch B. Mowing and bees. Meadows. 2005;5:10-19."),
        ("text", "[[100, 872, 900, 890]]", "[3] Cedar C. Soil of meadows. Soils. 2007;7:20-29."),
        ("text", "[[100, 892, 900, 910]]", "[4] Dogwood D. Walking and counting. Methods of Fields. 2009;9:30-39."),
    ),
)
