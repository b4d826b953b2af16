"""Small trained models of the layers: how they are read, run and written; each file has its card beside it."""
