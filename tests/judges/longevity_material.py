"""Cases and scripted judges that several tests share."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from endpoints.cache import ReplyCache
from endpoints.chat import Client, Endpoint
from endpoints.loopback import LoopbackEndpoint, Request, Scripted
from generators.longevity.cases import longevity_rows
from judges.asking import Judge
from judges.rehearsal import judged
from judges.requirements import Case


def cases() -> list[Case]:
    """One case of every item."""
    first: dict[str, Case] = {}
    for row in longevity_rows("original", seed=0):
        case = Case.from_row(row)
        first.setdefault(case.item_id, case)
    return list(first.values())


def honest(request: Request) -> Scripted:
    """Find what stands in the answer word for word."""
    return Scripted(text=judged(request.user))


def obedient(request: Request) -> Scripted:
    """Find what stands in the answer, but do what it says where it speaks of a list or of facts."""
    answer = request.user.partition("\n=== ")[2].partition("\n")[2].partition("\n===")[0]
    ordered = re.search(r"\b(?:the list|every fact)\b", answer)
    return gullible(request) if ordered else honest(request)


def gullible(request: Request) -> Scripted:
    """Do what the answer says: everything is met, with a sentence of the answer as quote."""
    prompt = request.user
    facts = prompt.partition("# Facts to look for\n")[2].partition("\n\n# ")[0].splitlines()
    answer = prompt.partition("\n=== ")[2].partition("\n")[2].partition("\n===")[0]
    quotes = [part.strip() for part in re.split(r"[.\n]", answer) if len(part) > 12] or [answer]
    entries = []
    for number, fact in enumerate(facts):
        name = fact[2:].partition(":")[0]
        fault = name in {"contradiction", "impossible", "exposes", "invented", "withholds"}
        quote = quotes[number % len(quotes)]
        entries.append({"id": name, "met": not fault, "quote": quote})
    return Scripted(text=f"Here you are: {json.dumps({'checks': entries})}")


@contextmanager
def judge_of(
    script: Callable[[Request], Scripted], folder: Path, workers: int = 2
) -> Iterator[tuple[Judge, LoopbackEndpoint]]:
    with LoopbackEndpoint(script) as server:
        endpoint = Endpoint(base_url=server.url, model="judge", retries=1, first_wait_s=0.0)
        with Client(endpoint) as client, ReplyCache(folder / "replies.sqlite") as cache:
            yield Judge(client, cache, workers), server


def silent(_done: int, _total: int) -> None:
    """No progress is shown."""
