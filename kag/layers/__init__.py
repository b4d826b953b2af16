"""The layers of a paper: its entities, its measurements, and its claims."""
