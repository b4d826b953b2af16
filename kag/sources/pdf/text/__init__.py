"""From words as set to lines, columns, paragraphs, headings and entries."""
