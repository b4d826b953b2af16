"""A model behind its budget, ledger and recorded replies; the one place that knows DSPy and the providers."""
