"""Replies on disk, so that a run that was killed goes on without asking anything twice."""

import hashlib
import json
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from threading import Lock

from endpoints.chat import Call, Endpoint, Reply


def call_key(endpoint: Endpoint, call: Call, about: Mapping[str, object]) -> str:
    """Return the key of a call: whatever could change the reply is in it.

    Args:
        endpoint: Its address and model count; its key and patience do not.
        call: Prompt and parameters.
        about: What else tells this call from an equal one: judge version, replicate, judged text.
    """
    parts = {
        "base_url": endpoint.base_url.rstrip("/"),
        "body": call.body(endpoint.model),
        "about": dict(about),
    }
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


class ReplyCache:
    """Replies by key in one SQLite file; safe against kills and for several threads."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = Lock()
        self._base = sqlite3.connect(path, check_same_thread=False, timeout=30.0)
        with self._base:
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute(
                "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT)"
            )

    def __enter__(self) -> "ReplyCache":
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    def get(self, key: str) -> Reply | None:
        """Return the reply kept under a key."""
        with self._lock:
            found = self._base.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        return Reply(**json.loads(found[0])) if found else None

    def put(self, key: str, reply: Reply) -> None:
        """Keep a reply; it is on disk when this returns."""
        with self._lock, self._base:
            self._base.execute(
                "INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, json.dumps(asdict(reply)))
            )
