"""Small trained models of the layers: how they are read, run and written."""
