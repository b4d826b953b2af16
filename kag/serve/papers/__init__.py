"""What a server does with the papers of its corpus."""
