"""What the product says to some thousand questions and events, kept so that a change of it shows as a diff.

    python -m bench.golden write            writes tests/golden/
    python -m bench.golden check            compares; prints what differs; exit code 1 when anything does
    python -m bench.golden sensitivity      doubles each weight in turn and says which the golden files cannot notice

In reading order: `stores` and `messages` make up notes and questions, `product` asks (the one module here that imports
what is asked), `cases` and `hook_events` are the groups, `lines` is what is kept of a case, `compare` what is
printed when it differs, `weights` and `sensitivity` the proof that it can.
"""
