"""Every tuned number of speaking: what speaks for a block, how near a note must lie, what of a note is handed over.

Plain constants of the form of `ladder/ranking/weights.py`: behind each stands what it is and, in brackets, the figure
that it was fitted or chosen on. Limits that only bound time stay where they are used. Imports nothing.
"""

from __future__ import annotations

# --- a note will be opened (speaking/gate.py) -------------------------------------------------------------------------

GATE = 0.5  # probability below which nothing is said; the setting `gate` replaces it [F-053]
OPENED_BASE = -2.9  # log odds that one of the first three suggestions will be opened, with nothing below [F-053]
#: What speaks for it: log odds for a value of 1 [F-053].
OPENED = {
    "named": 4.0,
    "first message": 1.3,
    "command": 1.4,
    "needed before": 0.2,
    "name": 0.1,
}
NEED_USUAL = -1.5  # log odds that such a message needs a note, while nothing is learned [F-053]

# --- the notes answer it (speaking/coverage.py) -----------------------------------------------------------------------

ANSWERED_BASE = -5.5  # log odds that the notes answer a message, with nothing below [F-109]
#: What speaks for and against it: log odds for a value of 1, and the most that the value counts [F-109].
ANSWERED = {
    "share": (3.2, 1.0),  # of the sentence's weight, the most that one passage holds
    "terms": (0.75, 6.0),  # distinct terms of it that the passage holds
    "asks": (2.3, 1.0),
    "to agent": (-2.5, 1.0),
    "points": (-0.3, 2.0),  # words that point at what lies before both
    "leans": (-2.5, 0.6),  # how much of the conversation the search hears
    "around": (-1.0, 3.0),  # tens of words of the paragraph: a long one is an order
    "first": (0.7, 1.0),  # the session's first message
    "short": (0.5, 1.0),  # it asks in one or two words, pointing at nothing, and the passage holds them all
}
#: A message in a conversation that leans on it more than this is no question by itself (query/conversation.py) [F-053].
LEANING = 0.24
REACH = 2  # paragraphs to each side that count to a passage, within the section [F-109]

# --- a note lies near by its meaning (speaking/by_meaning.py) ---------------------------------------------------------

#: How much nearer than usual the nearest piece of a note must lie, in standard deviations over all pieces: a cosine by
#: itself says little, in notes on one subject every message lies near. First for a message that opens a session; those
#: in its midst are mostly about the work at hand, of which the notes tell as well [F-162].
NEAR_ENOUGH = 5.25
NEAR_ENOUGH_LATER = 6.0
LEAST_COSINE = 0.5  # and its cosine: where nothing is near, something still stands out [F-162]
BESIDE = 0.1  # how much less than the nearest note's another's cosine may be to be named beside it [F-162]

# --- what is handed over (speaking/handing.py) ------------------------------------------------------------------------

#: What counts beside a passage's promise (of the best one's): the share of the question that stands in it with its
#: heading and the note's title, and with the paragraphs beside it [F-109].
HANDED_HELD = 0.45
HANDED_NEAR = 0.6
#: A further passage must come to this share of the best one, and to more the more it costs: one of so many tokens to
#: all of it; at most so many passages [F-109].
HANDED_NEARLY = 0.85
FULL_COST = 300  # tokens
PIECES = 2
SMALL = 130  # tokens of a section that comes whole, when it is the first [F-109]
SMALL_NEXT = 60  # and when it is a further one [F-109]
LONG = 75  # tokens of a paragraph from which its lines are looked at, and of the lines that are shown then [F-109]
LONG_NEXT = 45  # as above, of a further section [F-109]
