"""What other programs made of a PDF: their files read as they are, a module for each program."""
