"""How well plans find what questions need."""
