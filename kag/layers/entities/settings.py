"""How sure the finder of entities has to be; a graph is harmed more by a wrong node than by a missing one."""

LEAST = 0.5
"""The least mean marginal of a span that a trained model found."""

NARROW = {"materials": 0.8}
"""A higher least for models that were trained on a narrow field."""
ALONE = 0.7
"""The least score of the only mention of a thing."""
FOREIGN = 0.8
"""The least score of chemicals that the model of life science finds in papers of another field."""
