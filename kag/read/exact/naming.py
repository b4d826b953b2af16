"""Quotation marks in questions: what stands between them is a name, word for word."""

from __future__ import annotations

import re

LONGEST = 2_000  # characters of a question that is read
QUOTE = re.compile(
    r"\"(?P<a>[^\"]{1,400})\"|“(?P<b>[^“”]{1,400})”|«(?P<c>[^«»]{1,400})»|(?<!\w)‘(?P<d>[^‘’]{1,400})’(?!\w)"
    r"|(?<![\w'])'(?P<e>[^']{2,400})'(?!\w)|`(?P<f>[^`]{1,400})`"
)
