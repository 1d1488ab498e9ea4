"""What a message stands on: what came right before it in the log, something earlier, or something taken back."""

from collections.abc import Collection
from typing import Any


class Standing:
    """The records that the next message may stand on, as far as they are known."""

    def __init__(self, abandoned: Collection[str] = ()) -> None:
        """`abandoned` are the messages that are no part of the conversation (`branches`)."""
        self._abandoned = frozenset(abandoned)
        self._here: set[str] | None = None
        self._before: set[str] = set()
        self.aside = False
        """What is read follows an abandoned message."""
        self.forked = False
        """A message does not stand on what came right before it: `branches` tells what was left behind."""

    def begun(self) -> None:
        """Go on in the middle of a log: what stood before is not known, so who stands on it is looked up."""
        self._here = set()

    def came(self, uuid: str) -> None:
        """Take in a record that is no message."""
        if self._here is not None and not self.aside:
            self._here.add(uuid)

    def message(self, data: dict[str, Any], short: str, *, unanswered: bool) -> None:
        """Take in a message; `short` is its key, `unanswered` whether nothing came after the message before it."""
        self.aside = short in self._abandoned  # with all of it, up to the next message that is not
        if self.aside:
            return
        parent = data.get("parentUuid")
        if self._here is None:
            self._here = set()
        elif isinstance(parent, str) and parent and parent not in self._here:
            if parent not in self._before or not unanswered:
                self.forked = True
            self._here = self._before  # what nothing answered is taken back without a second look
        self._before, self._here = self._here, {data["uuid"]}
