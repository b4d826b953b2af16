"""Rules that see roles: what a claim says of whom, beside what its quotes say of whom. No model takes part."""
