"""What a note is: zones, sections, entries; and the only code that writes one."""

from notes.files.address import address_parts, resolve
from notes.files.find import NoteFile, find_notes, note_roots
from notes.files.project import client_folder, client_memory, client_name, main_root, project_root
from notes.files.settings import Settings, SettingsError, folder_settings, load_settings
from notes.markdown.model import Entry, Note, Paragraph, Section, Span, Zone
from notes.markdown.parse import parse
from notes.tokens import estimate

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
    "client_name",
    "estimate",
    "find_notes",
    "folder_settings",
    "load_settings",
    "main_root",
    "note_roots",
    "parse",
    "project_root",
    "resolve",
]
