"""Messages to a made-up store: some for each rule by which the product reads a message or the conversation round it.

A row of MESSAGES is a kind, the settings that it is asked in, and the message. What stands in braces is of one of the
store's notes; each row is asked of several notes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bench.golden.product import NOW_ISO
from bench.golden.stores import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.golden.stores import Made

#: Kind, settings (see `_context`), message.
MESSAGES: tuple[tuple[str, str, str], ...] = (
    # questions and orders in plain words
    ("question", "alone", "why did the {subject} stop, was it that {cause}?"),
    ("question", "alone", "who decides on the {word1} of the {subject}?"),
    ("question", "later", "which port does the {subject} use for its {word0}?"),
    ("question", "talk", "below how many percent must the {word0} of the {subject} stay?"),
    ("question", "alone learned", "how often is the {word2} of the {subject} checked"),
    ("order", "alone", "please lower the {word1} of the {subject} when the {word3} rises"),
    ("order", "later", "run the {subject} procedure, stop the intake first, then drain the {word3}"),
    ("order", "alone", "the {subject} stopped because {cause}, write that down"),
    ("two questions", "alone", "I dumped it. What is the {word1} of the {subject}? And who noted it! Then go on."),
    ("two questions", "later", "Can you look? The {word3} rises; who lowers the {word1} of the {subject}? Thanks."),
    ("unrelated", "alone", "write me a limerick about a cat that sits on a train"),
    ("unrelated", "later", "thanks, that looks fine to me"),
    ("unrelated", "talk", "commit that with a short message and push it"),
    # the conversation: what points back, what goes on, what leans on it
    ("pointing back", "talk", "and how long is that valid?"),
    ("pointing back", "talk", "why does it wait for {word0} then?"),
    ("pointing back", "later", "do the same for the {subject}"),
    ("pointing back", "talk", "what does the {subject} {word0} do when the {word1} of it rises"),
    ("going on", "talk", "ok, then the {word2} next"),
    ("going on", "talk learned", "yes, go on with what you proposed"),
    ("going on", "later", "now the {aspect}"),
    ("pointing back, German", "talk", "und wie lange dauert das bei der {subject}-Anlage?"),
    ("pointing back, French", "talk", "et pourquoi cela dure autant ?"),
    ("pointing back, Spanish", "talk", "¿y eso cuánto dura?"),
    ("rare words only", "talk", "{code} {command}"),
    ("one known word", "talk", "{subject}"),
    # before a tool call: the agent has spoken
    ("at work", "work", "look into the {subject} {word1}"),
    ("at work", "work learned", "fix the {aspect} of the {subject}"),
    ("at work", "work", "/fix {subject}"),
    ("at work, only commands", "bare work", "check it"),
    ("branch", "branch", "what is left to do here?"),
    ("branch", "branch learned", "/continue"),
    # slash commands
    ("slash", "alone", "/{subject}"),
    ("slash", "alone learned", "/{aspect} {subject} {word0}"),
    ("slash", "branch", "/review the {word0} of the {subject}?"),
    ("slash", "talk learned", "/{aspect}"),
    ("path, no command", "alone", "/var/{subject}/{word0}.log is full, what now?"),
    ("path, no command", "alone", "/var, is it full on the {subject}?"),
    ("path, no command", "later", "/1{subject} is down"),
    ("own command", "alone", "/commands:{subject}"),
    # names
    ("name", "alone", "what does {name} say?"),
    ("name", "later", "please check notes/{name}.md is described here"),
    ("name", "alone", "see {base} for the {word2}"),
    ("name", "talk", "see [[{base}]] and [[{base}#procedure|how]]"),
    ("name with section", "alone", "read {base}.md#history and tell me when the {word0} failed"),
    ("name's words", "alone", "{subject} {aspect}"),
    ("name's words", "search", "{subject} {aspect}"),
    ("name's words", "talk", "what about the {aspect} of the {subject}"),
    ("name, whole message", "search", "{base}"),
    ("alias", "alone", "what is the {aspect} of the {subject} again?"),
    ("@", "alone", "why did it stop, see @notes/{name}.md?"),
    ("@", "talk", "(@notes/{name}.md) who found that {cause}?"),
    ("@ and another", "alone", "compare @notes/{name}.md with {other}"),
    ("folder", "alone", "what stands in docs/adr/ about the {subject}?"),
    ("folder", "later", "which notes are in projects/{subject}/?"),
    ("folder", "alone", "look through notes/{folder}/ for {word3}"),
    # where the session is
    ("notes read", "read", "and the next one"),
    ("notes read", "read", "what else is there on the {aspect}?"),
    ("notes read", "read learned", "who decides on the {word1}?"),
    ("notes read", "read in turn", "next please"),
    ("habit", "alone learned", "anything on {word0}?"),
    ("habit", "later learned", "good morning, what is first today"),
    # days
    ("day", "alone", "what happened on {day}?"),
    ("day", "alone", "why did the {subject} stop on {day}?"),
    ("day, English", "later", "what stopped the {subject} on {english}?"),
    ("day, English", "alone", "what did we do yesterday?"),
    ("day, English", "alone", "what broke in the {subject} in {month}?"),
    ("day, English", "search", "last week"),
    ("day, German", "alone", "Warum stand die {subject}-Anlage am {german} still?"),
    ("day, German", "alone", "Was war vorgestern mit {subject}?"),
    ("day, French", "alone", "pourquoi {subject} s'est arrêté le {french} ?"),
    ("day, French", "talk", "qu'avons-nous fait la semaine dernière ?"),
    ("day, Spanish", "alone", "¿qué pasó con {subject} hace {months} meses?"),
    ("day, Italian", "alone", "cosa è successo a {subject} ieri?"),
    ("day, Dutch", "alone", "wat gebeurde er met {subject} op {dutch}?"),
    ("day, Portuguese", "alone", "o que aconteceu com {subject} anteontem?"),
    ("day, Japanese", "alone", "{kanji} に {subject} はなぜ止まりましたか"),
    ("day, Chinese", "alone", "昨天 {subject} 发生了什么？"),  # noqa: RUF001 (as it is written there)
    ("day, relative", "alone", "which {word0} failed {weeks} weeks ago at the {subject}?"),
    # how words are written
    ("slip of the pen", "alone", "why did the {swapped} stop?"),
    ("slip of the pen", "alone", "who decides on the {missing} of the {subject}?"),
    ("slip of the pen", "later", "{doubled} {aspect} {swapped}?"),
    ("quotes", "alone", 'where does "{word0} of the {subject}" stand?'),
    ("quotes", "alone", "find „{word2} of the {subject}“ and «{word3}»"),
    ("backticks", "talk", "what does `{command}` change?"),
    ("code", "alone", "{code}.scan() returns None"),
    ("code", "alone", "{command}"),
    ("code", "later", "where is src/{subject}/{aspect}.py described, https://example.org/?q={subject} says nothing"),
    ("code", "alone", "export {upper}_{word0upper} is not set?"),
    ("function words", "alone", "what is it and who was there?"),
    ("function words, German", "alone", "wie lange dauert die Wartung der {subject} und was muss vorher aus sein?"),
    ("function words, French", "alone", "combien de temps prend l'entretien du service {subject} ?"),
    ("function words, Spanish", "alone", "cuánto dura el mantenimiento de {subject} y qué hay que cerrar antes?"),
    ("Japanese", "alone", "{subject}の保守は何分かかりますか。"),
    ("Japanese", "talk", "温度計の校正"),
    ("Chinese", "alone", "{subject}的维护需要多少分钟吗"),
    ("Arabic question mark", "alone", "{subject} {word0} {word1}؟"),
    ("upper case", "alone", "WHO DECIDES ON THE {upper} {word0upper}"),
    ("pasted", "alone", "{pasted}"),
    ("pasted", "talk", "what is wrong here?\n\n{pasted}"),
    ("plurals", "alone", "{subject}s {word0}s {word1}ing"),
    ("numbers", "alone", "what is on port {number} of the {subject}"),
    ("empty", "talk", "   "),
    ("machine", "alone", "<task-notification>{subject} {word0}</task-notification>"),
    # a passage that says nearly all of the message; one whose words stand together
    ("held", "alone", "The {word0} of the {subject} must stay below percent"),
    ("held", "talk", "A {word2} that was forgotten is found with {code}.scan(); nothing else finds it."),
    ("together", "alone", "{cause} {word0} failed minutes remedy"),
    ("together", "alone", "Observations in week of the {subject}: who noted that {cause}?"),
    # what was taught of the very note: a command that led to it, words of the message and of the turn before
    ("taught command", "alone taught learned", "/{aspect}"),
    ("taught command", "talk taught learned", "/{aspect} again"),
    ("taught words", "talk taught learned", "how is the {word0} of the {subject}"),
    ("taught words", "work taught learned", "how is the {word0} of the {subject}"),
    # texts that fade: several results of tools, more turns than are heard
    ("several results", "long", "what went wrong there?"),
    ("several results", "long learned", "so is it the {word0}?"),
)  # fmt: skip
_MONTHS = {
    "english": "January February March April May June July August September October November December",
    "german": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "french": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "dutch": "januari februari maart april mei juni juli augustus september oktober november december",
}


class Message(NamedTuple):
    """A message with the conversation round it."""

    id: str
    context: dict[str, Any]
    """The keys of the product's context."""
    learned: bool
    """Whether what earlier sessions taught is used."""


def messages(store: Sequence[Made], each: int) -> list[Message]:
    """Every row of MESSAGES, asked of `each` notes of the store."""
    found = []
    for row, (kind, setting, text) in enumerate(MESSAGES):
        for turn in range(each):
            note = store[number("asked", row, turn) % len(store)]
            if "taught" in setting:  # the notes that `cases.turns_of` teaches a command of
                note = store[number("asked", row, turn) % min(10, len(store) // 12) * 12]
            other = store[number("other", row, turn) % len(store)]
            message = text.format(**_slots(note, other))
            context = _context(setting, message, note, other, store)
            found.append(Message(f"{row:03} {kind}, {setting}: {note.name}", context, "learned" in setting))
    return found


def _slots(note: Made, other: Made) -> dict[str, object]:
    """What a message can say of a note."""
    year, month, day = (int(part) for part in note.day.split("-"))
    months = {language: names.split()[month - 1] for language, names in _MONTHS.items()}
    subject, words = note.subject, note.words
    lines = [f"2024-05-14T0{i}:1{i} WARN {note.code}[{i}] {words[i % 4]} of {subject} {note.cause}" for i in range(9)]
    return {
        "subject": subject, "aspect": note.aspect, "name": note.name, "base": note.name.rpartition("/")[2],
        "folder": note.name.rpartition("/")[0], "other": other.name, "command": note.command, "code": note.code,
        "cause": note.cause, "day": note.day, **{f"word{i}": word for i, word in enumerate(words)},
        "english": f"{day} {months['english']} {year}", "german": f"{day}. {months['german']} {year}",
        "french": f"{day} {months['french']} {year}", "dutch": f"{day} {months['dutch']} {year}",
        "month": f"{months['english']} {year}", "kanji": f"{year}年{month}月{day}日",
        "months": number(note.name, "months") % 5 + 1, "weeks": number(note.name, "weeks") % 6 + 2,
        "swapped": subject[:-3] + subject[-2] + subject[-3] + subject[-1], "missing": words[1][:-3] + words[1][-2:],
        "doubled": subject[:2] + subject[1:], "upper": subject.upper(), "word0upper": words[0].upper(),
        "number": 1024 + number(note.name, "number") % 9000, "pasted": "\n".join(lines),
    }  # fmt: skip


def _context(setting: str, message: str, note: Made, other: Made, store: Sequence[Made]) -> dict[str, Any]:
    """The context of a setting: alone, later, talk, long, work, bare work, branch, read, read in turn, search."""
    found: dict[str, Any] = {"message": message, "now": NOW_ISO, "cwd": "/home/mara/works"}
    where = setting.removesuffix(" learned").removesuffix(" taught")
    later = [
        ["user", f"please restart the {other.subject} and look at its {other.words[1]}"],
        ["agent", f"I ran `{other.command}`. The {other.subject} is up, its {other.words[2]} is checked."],
    ]
    talk = [
        ["user", f"what about the {note.subject}, its {note.words[0]} is too high"],
        [
            "agent",
            f"The {note.words[0]} of the {note.subject} rose.\n\nNext: the {note.words[1]}, then `{note.command}`.",
        ],
    ]
    if where == "search":
        found["search"] = True
    elif where == "later":
        found |= {"said": later, "commands": [other.command], "results": [f"{other.subject} ok"]}
    elif where == "talk":
        found |= {
            "said": [*later, *talk], "touched": [f"src/{note.subject}/{note.aspect}.py"],
            "commands": ["git status", note.command], "branch": f"{note.subject}-{note.words[3]}",
            "results": [f"{note.code}: {note.cause}"], "opened": [f"/home/mara/works/notes/{other.name}.md"],
        }  # fmt: skip
    elif where == "long":
        said = [
            [role, f"{word} {each.subject}"] for each in store[:9] for role, word in (("user", "see"), ("agent", "saw"))
        ]
        found |= {
            "said": [*said, *talk], "begun": True,
            "results": [f"{each.code}: {each.cause}" for each in (other, *store[:3], note)],
            "commands": [each.command for each in store[:6]],
        }  # fmt: skip
    elif where == "work":
        said = [
            *later,
            ["agent", f"The {note.subject} has no {note.words[3]}.\n\nI look up how its {note.words[0]} is set."],
        ]
        found |= {
            "said": said, "begun": True, "touched": ["README.md", f"src/{note.subject}/{note.words[0]}.py"],
            "commands": [f"grep -rn {note.code} src"], "results": [f"src/{note.subject}: {note.code}()"],
            "branch": f"fix/{note.subject}-{note.aspect}",
        }  # fmt: skip
    elif where == "bare work":
        found |= {"begun": True, "commands": [note.command], "touched": [f"src/{note.subject}/{note.aspect}.py"]}
    elif where == "branch":
        found |= {"branch": f"feature/{note.subject}-{note.aspect}-{note.words[0]}"}
    elif where in ("read", "read in turn"):
        at = store.index(note)
        behind = sorted(each.name for each in store if each.name.rpartition("/")[0] == note.name.rpartition("/")[0])
        place = behind.index(note.name)
        names = behind[max(0, place - 2) : place + 1] if where == "read in turn" else [store[at - 1].name, note.name]
        found |= {
            "said": later, "opened": [f"/home/mara/works/notes/{name}.md" for name in names],
            "results": [note.cause],
        }  # fmt: skip
    return found
