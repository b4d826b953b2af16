"""Output of PDF converters, read as it is: one module for each program."""
