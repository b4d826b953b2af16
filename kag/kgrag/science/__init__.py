"""The science domain: genes, proteins, chemicals, diseases, pathways and the papers that report on them."""
