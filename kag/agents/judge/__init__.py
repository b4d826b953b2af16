"""Models that judge whether quotes bear a claim: one that is asked for its reasons, and one made for that alone."""
