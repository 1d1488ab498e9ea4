"""The command line: each file of this folder adds its commands to one typer app; nothing outside imports it."""

from ladder.cli.app import run

__all__ = ["run"]
