"""Made-up stores of notes: any number of notes, the same bytes on every machine.

A note has what rules of the product look for: a head, sections, dated entries, commands and code words, lines that
lead to something, front matter, other languages, scripts without spaces, CRLF. All follows from the note's number.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Subject and the folder that its notes lie in.
SUBJECTS = (
    ("relay", "ops"), ("kiln", "plant"), ("canary", "deploy"), ("ledger", "pay"), ("orchard", "plant"),
    ("gateway", "ops"), ("beacon", "ops"), ("harvester", "plant"), ("invoice", "pay"), ("turnstile", "gates"),
    ("warehouse", "plant"), ("scheduler", "jobs"), ("mailer", "jobs"), ("thermostat", "plant"), ("archive", "jobs"),
    ("billing", "pay"), ("conveyor", "plant"), ("dashboard", "web"), ("elevator", "gates"), ("firmware", "dev"),
    ("glossary", "web"), ("importer", "jobs"), ("kiosk", "web"), ("locker", "gates"), ("manifest", "deploy"),
    ("notifier", "jobs"), ("onboarding", "team"), ("payroll", "pay"), ("quota", "ops"), ("registry", "deploy"),
)  # fmt: skip
#: Aspect, and words that its notes use.
ASPECTS = (
    ("rollout", "stage percentage captain approval"), ("backup", "snapshot restore retention offsite"),
    ("alerts", "pager threshold silence escalation"), ("limits", "ceiling burst throttle window"),
    ("keys", "rotation vault expiry signature"), ("costs", "budget euro forecast invoice"),
    ("calibration", "sensor drift offset thermocouple"), ("incidents", "outage cause timeline remedy"),
    ("schema", "column migration index nullable"), ("oncall", "shift handover weekend phone"),
    ("network", "port subnet firewall latency"), ("testing", "fixture flaky coverage staging"),
    ("cache", "eviction warmup stale prefix"), ("audit", "trail reviewer quarter evidence"),
    ("decisions", "option rejected tradeoff reason"), ("upgrade", "version deprecated compatibility freeze"),
)  # fmt: skip
_PEOPLE = ("Ines", "Jonas", "Mara", "Tomasz", "Yuki", "Beatriz", "Olu", "Sven")
_CAUSES = (
    "the probe waited for a header that was never sent", "two workers took the same lease",
    "the disk of the second zone was full", "a certificate had expired over night",
    "the clock of one host was ninety seconds behind", "a retry loop had no upper limit",
    "the feature flag was read before it was loaded", "an old client sent dates without a zone",
)  # fmt: skip
_REMEDIES = (
    "the lease is now renewed every twenty seconds", "a second volume was mounted",
    "the check runs before the switch", "the limit is five attempts", "the flag has a default",
    "the certificate is renewed by a job", "hosts are synchronised against the same source",
)  # fmt: skip
#: In other languages: a head, a section's title and its text, with the subject in the braces.
_LANGUAGES = (
    ("Die {0}-Anlage wird jeden Morgen geprüft; zuständig ist das Werkstattteam.", "Wartung",
     "Die Wartung der {0}-Anlage dauert {1} Minuten. Vorher muss der Hauptschalter ausgeschaltet werden."),
    ("Le service {0} est vérifié chaque matin par l'équipe de garde.", "Entretien",
     "L'entretien du service {0} prend {1} minutes. Il faut d'abord couper l'alimentation."),
    ("El servicio {0} se revisa cada mañana; el equipo de guardia responde.", "Mantenimiento",
     "El mantenimiento de {0} dura {1} minutos. Antes hay que cerrar la válvula principal."),
    ("{0} は毎朝点検します。担当は夜勤の班です。", "保守手順",
     "{0} の保守は {1} 分かかります。作業の前に主電源を切ってください。温度計の校正も行います。"),
    ("{0} 每天早上检查，由值班小组负责。", "维护步骤",  # noqa: RUF001 (as it is written there)
     "{0} 的维护需要 {1} 分钟。操作前请关闭主电源，并校准温度传感器。"),  # noqa: RUF001 (as above)
)  # fmt: skip

_Item = TypeVar("_Item")


class Made(NamedTuple):
    """A made-up note and what messages about it can say."""

    name: str
    """Name relative to the notes' folder, without `.md`."""
    subject: str
    aspect: str
    command: str
    """A shell command that stands in it."""
    code: str
    """A word of code that stands in it."""
    words: tuple[str, ...]
    """Words that its text uses."""
    day: str
    """ISO day of its last entry."""
    cause: str
    """What its last entry says."""
    language: int
    """Number of the language of a section that it has; -1 for none."""
    text: bytes
    age: int
    """Seconds before the fixed day at which its file was changed."""


def number(*key: object) -> int:
    """A whole number that follows from the key, of 48 bits."""
    return int.from_bytes(blake2b(repr(key).encode("utf-8"), digest_size=6).digest(), "big")


def pick(items: Sequence[_Item], *key: object) -> _Item:
    """The one of the items that the key stands for."""
    return items[number(*key) % len(items)]


def made_store(count: int) -> list[Made]:
    """`count` notes, in the order of their numbers; a larger store begins with the notes of a smaller one."""
    return [_made(i) for i in range(count)]


def _made(i: int) -> Made:
    pair = i % (len(SUBJECTS) * len(ASPECTS))
    series = i // (len(SUBJECTS) * len(ASPECTS))
    # Strides without a common divisor: neighbours differ in both.
    subject, folder = SUBJECTS[pair * 7 % len(SUBJECTS)]
    aspect, said = ASPECTS[(pair * 5 + pair // len(SUBJECTS)) % len(ASPECTS)]
    words = tuple(said.split())
    name = f"{folder}/{subject}-{aspect}" + (f"-{series + 1}" if series else "")
    if i % 23 == 4:
        name = f"docs/adr/{i:04}-{subject}-{aspect}"
    elif i % 31 == 7:
        name = f"projects/{subject}/{aspect}" + (f"-{i}" if series else "")
    command = f"{subject}ctl {pick(('drain', 'reload', 'verify', 'rotate'), i, 'verb')} --{words[1]} {i % 90 + 10}"
    code = f"{subject}{words[0].capitalize()}{pick(('Limit', 'Store', 'Client', 'Queue'), i, 'code')}"
    year, month, at = 2022 + i % 3, 1 + number(i, "month") % (4 if i % 3 == 2 else 12), 1 + number(i, "day") % 28
    day = f"{year}-{month:02}-{at:02}"
    cause = pick(_CAUSES, i, "cause")
    language = i % 6 // 2 + number(i, "language") % 3 if i % 6 in (1, 3) else -1
    text = _text(i, subject, aspect, words, command, code, day, cause, language)
    data = (text.replace("\n", "\r\n") if i % 17 == 5 else text).encode("utf-8")
    age = number(i, "age") % (40 * 86_400) if i % 9 == 0 else (60 + i) * 86_400
    return Made(name, subject, aspect, command, code, words, day, cause, language, data, age)


def _text(
    i: int,
    subject: str,
    aspect: str,
    words: tuple[str, ...],
    command: str,
    code: str,
    day: str,
    cause: str,
    language: int,
) -> str:
    who, other = pick(_PEOPLE, i, "who"), pick(_PEOPLE, i, "other")
    port, minutes = 1024 + number(i, "port") % 9000, 5 + i % 50
    title = f"{subject.capitalize()} {aspect}"
    parts = []
    if i % 5 == 2:
        parts.append(
            f"---\ntitle: {title}\naliases: [{subject[:4]}{i % 7}, {aspect} of the {subject}]\n"
            f"tags: [{words[2]}, {subject}]\ndescription: What holds for {words[0]} and {words[3]} of the {subject}\n"
            f"read_when: before the {subject} is changed\n---"
        )
    parts.append(f"# {title}")
    parts.append(
        f"The {subject} keeps its {words[0]} at {port}; {who} decides on the {words[1]}. "
        f"Its {words[2]} is checked every {minutes} minutes."
    )
    if i % 4 == 0:
        parts.append("The main commands are:")
        parts.append(
            f"- `{command}` before a {words[3]}\n- `{subject}ctl status` afterwards\n- ask {other} when in doubt"
        )
    parts.append(
        f"## Procedure\n\nStop the intake first, then run `{command}`. "
        f"It changes `{code}` in `src/{subject}/{aspect}.py`."
    )
    if i % 3 == 0:
        parts.append(f"```sh\nexport {subject.upper()}_{words[0].upper()}={port}\n{command}\n```")
    parts.append(
        f"## {words[0].capitalize()} and {words[3]}\n\n"
        f"The {words[0]} of the {subject} must stay below {port % 97} percent. "
        f"When the {words[3]} rises, {other} lowers the {words[1]} by {i % 9 + 2}.\n\n"
        f"A {words[2]} that was forgotten is found with `{code}.scan()`; nothing else finds it."
    )
    if i % 7 == 3:
        parts.append(
            f"| {words[0]} | {words[1]} | owner |\n|---|---|---|\n"
            f"| {port} | {minutes} | {who} |\n| {port + 1} | {i} | {other} |"
        )
    if language >= 0:
        head, section, body = _LANGUAGES[language]
        parts.append(f"## {section}\n\n{head.format(subject)}\n\n{body.format(subject, minutes)}")
    if i % 11 == 6:
        sentences = [
            f"In week {week} the {pick(words, i, week)} of the {subject} was {number(i, week) % 100}, and "
            f"{pick(_PEOPLE, i, week)} noted that {pick(_CAUSES, i, week)}."
            for week in range(1, 13)
        ]
        parts.append("## Observations\n\n" + " ".join(sentences))
    earlier = f"{int(day[:4]) - 1}{day[4:]}"
    if i % 2:
        parts.append(
            f"## History\n\n### {day} {words[0].capitalize()} failed\n\nThe {subject} stopped because {cause}. "
            f"{who} found it after {minutes} minutes; {pick(_REMEDIES, i, 'remedy')}.\n\n"
            f"### {earlier} First {aspect}\n\nThe {subject} got its {aspect}; {other} wrote this note."
        )
    else:
        parts.append(
            f"## History\n\n- {day}: the {subject} stopped because {cause}; {pick(_REMEDIES, i, 'remedy')}\n"
            f"- {earlier}: first {aspect} of the {subject}, by {other}"
        )
    return "\n\n".join(parts) + "\n"
