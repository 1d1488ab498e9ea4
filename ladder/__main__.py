"""`python -m ladder` is the command `ladder`."""

from ladder.entry import main

main()
