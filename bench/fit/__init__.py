"""Fits the weights of the ranking's two tables to questions whose answering line is known: `python -m bench.fit`.

What is fitted is **evidence delivered for the tokens**: the share of questions whose answering line is among the
passages that come first, within 300, 600 and 1,000 tokens, the mean of the three, each set of questions counting the
same. The next note, and the rank of the right one, are means to that end and are printed, not fitted.

Each question is put to the product once; the value of every feature of every candidate and passage is kept, and the
search goes over these: one weight after the other is multiplied by each of FACTORS, and the best is kept where it gains
at least LEAST on the tuned half. So the candidates themselves stay those of the weights before. Which half decides
nothing: of the held half the figures before and after are printed, with the paired interval.

    python -m bench.fit --set plain --set locomo            only these sets; without --data the sample alone
    python -m bench.fit --write                             also writes the fitted values into ranking/weights.py
"""
