"""What a visitor typed, and what is wrong with it."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

LONGEST_NAME = 40
LONGEST_MESSAGE = 500


@dataclass(frozen=True)
class Form:
    name: str = ""
    message: str = ""
    errors: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, fields: Mapping[str, str]) -> "Form":
        name = " ".join(printable(fields.get("name", "")).split())
        message = printable(fields.get("message", "").replace("\r\n", "\n")).strip()
        errors = {
            key: error
            for key, error in (
                ("name", complaint("Your name", name, LONGEST_NAME)),
                ("message", complaint("Your message", message, LONGEST_MESSAGE)),
            )
            if error
        }
        return cls(name, message, errors)


def printable(text: str) -> str:
    """Without control characters and lone surrogates, which no page can show; lines stay."""
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs"))


def complaint(what: str, text: str, longest: int) -> str | None:
    if not text:
        return f"{what} is missing."
    if len(text) > longest:
        return f"{what} is {len(text)} characters long; {longest} fit."
    return None
