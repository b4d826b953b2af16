"""What other packages log while a model is at work goes to standard error: without secrets, an error in one line."""

from __future__ import annotations

import logging
from typing import Any

from kag.agents.sandbox.marshalling import head_and_tail, words_of
from kag.core.secrets import hide_secrets

MAX_RECORD = 1_000  # characters

_make = logging.getLogRecordFactory()


def _record(*args: Any, **kwargs: Any) -> logging.LogRecord:
    record = _make(*args, **kwargs)
    try:
        words = record.getMessage()
    except Exception:  # the arguments do not fit the message
        words = str(record.msg)
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        words = f"{words} ({type(error).__name__}: {words_of(error)})"
    record.msg, record.args = head_and_tail(" ".join(hide_secrets(words).split()), MAX_RECORD), ()
    record.exc_info = record.exc_text = record.stack_info = None
    return record


def hide_in_logs() -> None:
    """From now on, in this process."""
    logging.setLogRecordFactory(_record)
