"""What the tests have in common."""

FACTS = {"when": "2026-01-02", "weir": "weir 0", "machine": "1 core"}
