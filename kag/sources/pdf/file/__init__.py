"""The content of a PDF, page by page: characters, pictures, lines, links, and metadata."""
