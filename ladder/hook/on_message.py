"""At a message: what the notes say to it, within the token budget; or nothing.

The steps of `answer_prompt` are the order in which it is decided to stay silent: nobody spoke, there are no notes,
nothing is worth it, all of it has been shown.
"""

from __future__ import annotations

from ladder.hook.hand_over import hand_over
from ladder.query.query import Context, query
from ladder.query.speaker import spoken
from ladder.speaking.by_meaning import worth_looking
from ladder.speaking.gate import threshold_of
from ladder.speaking.verdict import decide_as_files_are, decide_by_meaning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ladder.hook.event import Moment
    from ladder.query.tail import Tail


def answer_prompt(moment: Moment) -> None:
    """Put the block for a message into the reply."""
    prompt = moment.text("prompt")
    if not prompt.strip():
        moment.silent("no message")
        return
    if not spoken(prompt):
        moment.silent("written by a machine")
        return
    index = moment.index_to_speak_from()
    if index is None:
        return
    if not moment.on("message"):
        moment.silent("off")
        return
    context, tail = heard_so_far(moment, prompt)
    asked = query(context)
    decision = decide_as_files_are(index, asked, moment.learned(), threshold_of(moment.setting("gate")))
    if not decision.speaks and worth_looking(index, asked):
        from ladder.hook.meaning import near_in_hook  # noqa: PLC0415 (mostly words decide)

        learned = moment.learned()
        decision = decide_by_meaning(index, asked, learned, near_in_hook(moment, index, asked.message))
        decision.meant = [n for n in decision.meant or [] if index.check(n)]
    if not decision.speaks:
        moment.silent("nothing worth it")
        return
    from ladder.hook.shown import take_over  # noqa: PLC0415 (most messages come no further)

    if moment.state.fresh and (tail is None or not tail.turns):
        take_over(moment)
    text = hand_over(moment, index, decision, tail, "" if decision.is_command else spoken(prompt))
    if text:
        moment.reply.say(moment.name, text)


def heard_so_far(moment: Moment, prompt: str) -> tuple[Context, Tail | None]:
    """Return the message with the conversation before it, and the end of the log that holds it."""
    if form := moment.text("log_form"):
        from ladder.query.log_tail import context_of  # noqa: PLC0415 (not every client has this log)
        from ladder.query.other_tails import tail_in  # noqa: PLC0415 (as above)

        whole = moment.event.get("told_whole") is not False
        found = tail_in(form, moment.log, moment.event.get("told"), told_whole=whole)
        if found is not None:
            return context_of(found, prompt, cwd=moment.cwd, now=moment.now), found
        return Context(prompt, cwd=moment.cwd, now=moment.now), None
    if not moment.log:
        return Context(prompt, cwd=moment.cwd, now=moment.now), None
    from ladder.query.log_tail import context_of, read_tail  # noqa: PLC0415 (there need not be a log)

    tail = read_tail(moment.log)
    return context_of(tail, prompt, cwd=moment.cwd, now=moment.now), tail
