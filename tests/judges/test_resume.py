"""A judge that is killed halfway goes on where it was."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

from endpoints.loopback import LoopbackEndpoint, Request, Scripted
from tests.judges.longevity_material import honest

PROGRAM = """
import sys
from pathlib import Path
from endpoints.cache import ReplyCache
from endpoints.chat import Client, Endpoint
from judges.asking import Judge
from judges.canaries import reference_answer
from judges.longevity import Plan, judge_longevity
from tests.judges.longevity_material import cases, silent

url, folder = sys.argv[1], Path(sys.argv[2])
answers = [(case, reference_answer(case, case.answer)) for case in cases()[:3]]
endpoint = Endpoint(base_url=url, model="judge", timeout_s=60)
with Client(endpoint) as client, ReplyCache(folder / "replies.sqlite") as cache:
    for verdict in judge_longevity(Judge(client, cache, workers=1), answers, Plan(), silent):
        print(verdict.model_dump_json())
"""
KILLED_AT = 12


def test_killed_halfway_and_started_again_nothing_is_asked_twice(tmp_path: Path) -> None:
    answered: list[tuple[str, str]] = []
    reached, dead = Event(), Event()

    def script(request: Request) -> Scripted:
        if len(answered) == KILLED_AT and not dead.is_set():
            reached.set()
            dead.wait(30)
            return Scripted(text="too late", status=400)
        answered.append((request.system, request.user))
        return honest(request)

    with LoopbackEndpoint(script) as server:
        arguments = [sys.executable, "-c", PROGRAM, server.url, str(tmp_path / "killed")]
        first = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        assert reached.wait(60)
        os.kill(first.pid, signal.SIGKILL)
        first.communicate()
        dead.set()
        assert len(answered) == KILLED_AT
        resumed = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
        assert len(answered) == len(set(answered)) == 30
        arguments[-1] = str(tmp_path / "whole")
        whole = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    assert resumed == whole
    assert resumed.count('"passed":true') == 15
