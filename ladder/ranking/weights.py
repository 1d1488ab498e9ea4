"""Every tuned number of the ranking: what each feature, part of a conversation and scale of a passage counts.

Plain constants, grouped by the table that uses them; `python -m bench.fit` fits the two tables of features and writes
them here. Behind each stands what it is and, in brackets, the figure in docs/figures that it was fitted or chosen on.
Limits that only bound time stay where they are used. Imports nothing: every step before and after ranking reads it.
"""

from __future__ import annotations

# --- features of notes (ranking/features.py): what a value of 1 adds to a note's score -------------------------------

WORDS = 1.0  # BM25 of the whole note, of the largest [F-052]
LABELS = 0.3  # BM25 of what it says of itself, of the largest [F-052]
NAMED = 4.5  # the message names it [F-015]
WITHIN = 5.5  # the message names its folder; of a folder of many notes the root of their share [F-015]
NAME = 31.2  # share of its name that every part of the conversation has said, see PART_WEIGHTS [F-052]
FOLDER = 17.0  # beside a note that was read, by how many are [F-052]
NEXT = 16.0  # next in line after the note read last [F-052]
WORDS_LED = 60.0  # share of such words' sightings that led there [F-056]
COMMAND_LED = 30.0  # share of this command's uses that led there [F-056]
OFTEN = 3.69  # logarithm of how often it was opened lately, of that of OFTEN_FULL [F-056]
CHANGED = 3.0  # changed today and its words fit best [F-090]
SECTION = 1.0  # best section, of the best candidate's [F-065]
WINDOW = 1.0  # best window, as above [F-065]
HEADING = 0.6  # best heading, as above [F-065]
PARAGRAPH = 0.25  # best paragraph, as above [F-092]
DATED = 0.8  # best window in an entry of a day that the message names, as above [F-097]
MEANING = 8.0  # cosine of its nearest piece beyond the mean [F-160]
MEANING_UNCLEAR = 60.0  # the same, times how little of the message the words of any passage hold [F-160]

# --- features of passages (ranking/passages.py): what a value of 1 adds to a passage's promise ------------------------

OWN_SHARE = 1.0  # the paragraph itself, of the best [F-064]
WINDOW_SHARE = 0.6  # its window, of the best [F-064]
SECTION_SHARE = 0.75  # its section, of the best [F-064]
HEADING_SHARE = 0.5  # its section's heading, of the best [F-064]
NOTE_BARE = 0.5  # its note's score, of the best [F-068]
NOTE_LATER = 0.5  # more where something was said before [F-068]
NOTE_AT_WORK = 1.0  # and more once the agent has said what it is about to do [F-068]
HEAD_SHARE = 0.5  # its note's score, where it is of the head and the agent at work [F-015]
HELD_SHARE = 1.0  # it holds the whole query; nothing below HELD_FROM of it [F-092]
HELD_FROM = 0.75  # share of the query's weight [F-092]
DATE_SHARE = 0.7  # of a day that the message names [F-064]
MEANING_SHARE = 2.0  # cosine of its piece beyond the mean [F-160]
MEANING_UNCLEAR_SHARE = 300.0  # the same, times how little of the message the words of any passage hold [F-160]
CLEAR = 0.6  # share of the message's weight in one passage from which on the words are clear [F-160]
CLEAR_TERMS = 3  # distinct terms of it there, from which on they are, too [F-160]
#: What tokens cost: a promise is divided by (cost + DEAR_FROM) ** DEARNESS [F-064].
DEARNESS = 0.2
DEAR_FROM = 30  # tokens
#: A paragraph of fewer tokens ("The main commands are:") leads to something: (cost / TINY) ** TINY_POWER [F-064].
TINY = 25  # tokens
TINY_POWER = 0.5

# --- scales of a note's text (ranking/granularity.py) ----------------------------------------------------------------

PARAGRAPH_B = 0.5  # length normalisation of paragraphs: less than of notes, their length says little [F-064]
WINDOW_REACH = 2  # paragraphs to each side that a window takes in, within the section [F-064]

# --- which notes are looked into (ranking/candidates.py) -------------------------------------------------------------

#: For every TOGETHER_EACH candidates one more note is added because most of the message stands together in it: a long
#: note, or one of many subjects, scores low as a whole; and the share of the message's weight that must stand together
#: [F-092].
TOGETHER_EACH = 2
TOGETHER_SHARE = 0.4

# --- where the session is (ranking/session.py), what was learned (learning/model.py, ranking/learned.py) --------------

READ_FADING = 0.7  # what remains of a note read for the next older one [F-052]
NEXT_STEPS = (1.0, 0.5)  # the next in line, the one behind it [F-052]
NEXT_GOING = 2.0  # times that, where the two notes read last follow one another so [F-052]
CHANGED_DAYS = 3.0  # days in which a change's weight falls to 1 / e [F-052]
CHANGED_BARE = 1 / 3  # what a change counts for a message without a conversation [F-090]
#: Parts of a query whose terms are learned, with weights: what was asked, what the agent is about to do [F-056].
LEARNED_PARTS = (("message", 1.0), ("last words", 1.0), ("last step", 1.0), ("branch", 0.5))
OFTEN_FULL = 100  # openings that count in full; what is learned fades by half each month [F-056]
DOUBT = 0.5  # added to how often a feature was seen: what was seen once or twice proves little [F-056]
NEED_LEAST = 1.5  # turns in which a feature must have stood before it says anything about need [F-053]
HABIT_AT_WORK = 0.3  # what `often` counts once the agent has said what it is about to do [F-056]
#: What is learned counts the share of the conversation to this power, and at least LEARNED_HEARD: a message that says
#: itself what it is about means that, whatever was opened before [F-096].
LEARNED_POWER = 3
LEARNED_HEARD = 0.02

# --- days (ranking/dates.py) -----------------------------------------------------------------------------------------

LATE_DAYS = 3  # days behind a range in which what happened may have been written down [F-065]
LATE = 0.4  # what such an entry counts of one inside [F-065]

# --- the message and the conversation (query) ------------------------------------------------------------------------

#: Part -> what remains of a text's weight for each newer one, and what the part counts against the text of a note and
#: against its name [F-015, F-052].
PART_WEIGHTS = {
    "message": (1.0, 1.0, 0.1),
    "last words": (1.0, 0.5, 1.2),
    "last paragraph": (1.0, 0.5, 1.2),
    "agent": (0.6, 1.0, 0.5),
    "user": (0.7, 1.0, 0.0),
    "files": (0.9, 1.5, 0.0),
    "last step": (1.0, 0.0, 0.2),
    "results": (0.8, 1.5, 0.0),
    "branch": (1.0, 0.2, 0.7),
    "task": (1.0, 0.5, 0.0),
}
QUOTED = 2.0  # what a term counts that the message has in quotes or backticks: it was copied, not chosen [F-015]
FREQUENCY_POWER = 0.5  # a term counts its frequency in a text to this power [F-015]
FAINT = 0.05  # a text that counts less is left out [F-015]
#: The conversation counts whole up to so much idf of the message's words, in words that a single note holds, and half
#: at twice as much; up to more where the message points back; a share below HEARD_LEAST is none [F-094].
HEARD_WORDS = 0.3
HEARD_POINTING = 1.0
HEARD_LEAST = 0.1
