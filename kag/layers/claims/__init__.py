"""The claim layer: sentences with their role, negation and hedging, and the entities they are about."""
