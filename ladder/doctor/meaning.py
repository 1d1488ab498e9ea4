"""What `ladder doctor` looks at of the search by meaning: packages, model, vectors, and whether the hook gets there."""

from pathlib import Path

from ladder.doctor.finding import Finding, fine, wrong
from ladder.extra import missing_extra
from ladder.index.format import IndexBroken
from ladder.index.reader import open_index
from ladder.install.record import meaning_trouble, remembered
from ladder.lean.paths import index_file
from ladder.meaning.use import OFF, missing, named_model


def meaning(root: Path) -> list[Finding]:
    """Look at all that it takes to find a note by other words; without the extra say what it would bring."""
    try:
        index = open_index(index_file(str(root)))
    except IndexBroken:
        return []  # said elsewhere
    with index:
        named = named_model(index)
        if named == OFF:
            return [fine('notes are found by their words alone: meaning = "off"')]
        if missing():
            return [fine("notes are found by their words alone", missing_extra("search by meaning", "meaning"))]
        from ladder.meaning.model import NoModel, NoneInstalled, find_model, mark_of  # noqa: PLC0415 (needs the extra)
        from ladder.meaning.update import up_to_date  # noqa: PLC0415 (as above)

        try:
            folder = find_model(named)
            current = up_to_date(index, mark_of(folder))
        except NoneInstalled as error:
            return [fine(f"notes are found by their words alone: {error}", missing_extra("the model", "meaning"))]
        except (NoModel, OSError) as error:
            return [wrong(f"notes are found by their words alone: {error}", missing_extra("the model", "meaning"))]
        found = [
            fine(f"notes are found by their meaning too, with the model in {folder}")
            if current
            else wrong("some notes cannot be found by their meaning yet", "ladder index")
        ]
    if remembered() and (trouble := meaning_trouble()):
        found.append(wrong(f"the hook cannot ask for meaning: {trouble}", "ladder install claude-code"))
    return found
