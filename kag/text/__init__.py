"""Text as people read it: plain words, LaTeX, sentences, words to search by, quantities, table cells."""
