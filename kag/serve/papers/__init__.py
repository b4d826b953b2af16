"""The server's work on the papers of its corpus."""
