"""What a note is: zones, sections, entries; and the only code that writes one."""

from notes.address import address_parts, resolve
from notes.find import NoteFile, find_notes, note_roots
from notes.model import Entry, Note, Paragraph, Section, Span, Zone
from notes.parse import estimate, parse
from notes.project import client_folder, client_memory, project_root
from notes.settings import Settings, SettingsError, folder_settings, load_settings

__all__ = [
    "Entry",
    "Note",
    "NoteFile",
    "Paragraph",
    "Section",
    "Settings",
    "SettingsError",
    "Span",
    "Zone",
    "address_parts",
    "client_folder",
    "client_memory",
    "estimate",
    "find_notes",
    "folder_settings",
    "load_settings",
    "note_roots",
    "parse",
    "project_root",
    "resolve",
]
