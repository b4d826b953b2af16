"""PDF files: characters to words, lines, columns and blocks; what the file knows of links and outline."""
