"""How right document graphs are, against annotations of what papers hold."""
