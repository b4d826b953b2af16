"""Settings: which there are, the files and variables they come from, and the command that shows them."""
