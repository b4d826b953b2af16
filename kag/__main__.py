"""`python -m kag`."""

from kag.cli import main

main()
