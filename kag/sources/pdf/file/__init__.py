"""What a PDF holds, page by page: characters, pictures, lines, links, and what it says of itself."""
