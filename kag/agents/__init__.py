"""Everything that needs a model: the agent loop, its sandbox, models. Only this package imports dspy or a provider
SDK."""

from __future__ import annotations

import os

# Without it the first priced call asks a server for a price list: slow, and its prices change. dspy reads it at import.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "true")
