"""Jobs on disk, and the processes that do them."""
