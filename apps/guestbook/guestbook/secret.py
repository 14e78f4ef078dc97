"""The key that signs session cookies: every worker process must have the same one."""

import os
import secrets
from pathlib import Path


def shared_secret(data: Path) -> str:
    """Reads the key beside the data; whoever comes first makes it."""
    path = data.with_name(data.name + ".secret")
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(32))
        try:
            os.link(draft, path)  # fails if another process was faster; never half written
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()
