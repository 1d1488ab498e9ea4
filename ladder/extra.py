"""What is said when a command needs an extra that was not installed: which one, and how to get it from a checkout."""


def missing_extra(what: str, extra: str) -> str:
    """Return one line: `what` needs `extra`, and the commands for it, as each shell takes them."""
    return (
        f'{what} needs the extra `{extra}`; in a checkout of ladder: `pip install ".[{extra}]"` in the environment '
        f'that ladder runs in, or `pipx install --force ".[{extra}]"`'
    )
