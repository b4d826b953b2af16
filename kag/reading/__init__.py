"""The read side's eyes: a published graph as a paper that can be looked at, searched and quoted."""
