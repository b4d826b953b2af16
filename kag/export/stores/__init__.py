"""Papers put into stores of graphs."""
