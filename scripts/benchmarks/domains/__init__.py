"""How right readers, rules and slices of domains are."""
