"""A Hub on 127.0.0.1 that speaks what huggingface_hub 1.33 and datasets 5.2 speak.

`HF_ENDPOINT` points to it. It keeps everything in memory, wants a token for writing, refuses Xet as
a server without it does, and fails where and how a test asks it to.
"""

import base64
import json
import re
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import yaml

from tests.hub.stored import DATE, MAIN, Blob, Commit, Repository

WRITER = "hf_writer_of_the_stand_in"
READER = "hf_reader_of_the_stand_in"
_KINDS = {"dataset": "datasets/", "model": ""}


@dataclass(slots=True, kw_only=True)
class Fault:
    """Something that goes wrong with requests.

    Attributes:
        method: HTTP method of the requests.
        path: Regular expression found in their path.
        status: Status that is answered; None where the connection is cut.
        done: Whether the request is carried out before.
        headers: Headers of the answer.
        skip: Requests that go well before the first one fails.
        times: Requests that fail.
    """

    method: str
    path: str
    status: int | None = None
    done: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    skip: int = 0
    times: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request without its body's transport."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes

    @property
    def token(self) -> str | None:
        return self.headers.get("Authorization", "").removeprefix("Bearer ") or None

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


def as_json(value: object, status: int = 200) -> Answer:
    return Answer(
        status=status, headers={"Content-Type": "application/json"}, body=json.dumps(value).encode()
    )


def refusal(status: int, message: str, code: str = "") -> Answer:
    """Return an error as the Hub words it."""
    answer = as_json({"error": message}, status)
    named = {"X-Error-Message": message, **({"X-Error-Code": code} if code else {})}
    return Answer(status=status, headers={**answer.headers, **named}, body=answer.body)


class StandIn:
    """The Hub's state, its faults, and a log of what was asked."""

    def __init__(self) -> None:
        self.repositories: dict[tuple[str, str], Repository] = {}
        self.large: dict[str, bytes] = {}
        self.faults: list[Fault] = []
        self.log: list[str] = []
        self.url = ""
        self._lock = threading.RLock()

    def create(self, kind: str, name: str) -> Repository:
        """Make an empty repository."""
        return self.repositories.setdefault((kind, name), Repository(kind=kind, name=name))

    def dataset(self, name: str) -> Repository:
        return self.repositories["dataset", name]

    def model(self, name: str) -> Repository:
        return self.repositories["model", name]

    def asked(self, pattern: str) -> int:
        """Return how many requests matched a pattern, as in `PUT /lfs/`."""
        return sum(re.search(pattern, line) is not None for line in self.log)

    def fault(self, method: str, path: str) -> Fault | None:
        """Return what goes wrong with a request."""
        with self._lock:
            self.log.append(f"{method} {path}")
            for fault in self.faults:
                if fault.method == method and re.search(fault.path, path) and fault.times:
                    if fault.skip:
                        fault.skip -= 1
                        continue
                    fault.times -= 1
                    return fault
        return None

    def answer(self, request: Request) -> Answer:
        """Carry a request out."""
        with self._lock:
            for method, pattern, respond in _ROUTES:
                found = re.fullmatch(pattern, request.path)
                if found and method == request.method:
                    parts = {name: unquote(part or "") for name, part in found.groupdict().items()}
                    return self._allowed(request) or respond(self, request, parts)
        return refusal(404, f"Cannot {request.method} {request.path}")

    def _allowed(self, request: Request) -> Answer | None:
        if request.token not in (None, WRITER, READER):
            return refusal(401, "Invalid credentials in Authorization header")
        reading = request.method in ("GET", "HEAD") or re.search(
            "/paths-info/|/validate-yaml", request.path
        )
        if reading or request.path.startswith("/lfs/") or request.token == WRITER:
            return None
        if request.token is None:
            return refusal(401, "Invalid username or password.")
        return refusal(403, "Forbidden: you must use a write token.")


Parts = Mapping[str, str]
Respond = Callable[[StandIn, Request, Parts], Answer]


def _of_repository(respond: Callable[[Repository, StandIn, Request, Parts], Answer]) -> Respond:
    """Return what answers requests about a repository, 404 where there is none."""

    def answer(hub: StandIn, request: Request, parts: Parts) -> Answer:
        kind = "dataset" if parts["kind"].startswith("dataset") else "model"
        repository = hub.repositories.get((kind, parts["name"]))
        if repository is None:
            return refusal(404, "Repository not found", "RepoNotFound")
        return respond(repository, hub, request, parts)

    return answer


def _create(hub: StandIn, request: Request, _parts: Parts) -> Answer:
    asked = request.json()
    kind = asked.get("type", "model")
    name = f"{asked.get('organization') or 'me'}/{asked['name']}"
    url = f"{hub.url}/{_KINDS[kind]}{name}"
    if (kind, name) in hub.repositories:
        return as_json({"error": "You already created this repo", "url": url}, 409)
    hub.create(kind, name)
    return as_json({"url": url, "name": name, "id": name})


def _validate_yaml(_hub: StandIn, request: Request, _parts: Parts) -> Answer:
    text = request.json()["content"]
    block = re.match(r"---\n(.*?)\n---", text, re.DOTALL)
    if block is not None and not isinstance(yaml.safe_load(block[1]), dict):
        return as_json({"errors": [{"message": "YAML is no mapping"}], "warnings": []}, 400)
    return as_json({"errors": [], "warnings": []})


def _info(repository: Repository, _hub: StandIn, _request: Request, parts: Parts) -> Answer:
    commit = repository.find(parts.get("revision") or MAIN)
    if commit is None:
        return refusal(404, "Invalid rev id", "RevisionNotFound")
    return as_json(
        {
            "_id": "0",
            "id": repository.name,
            "author": repository.name.split("/")[0],
            "sha": commit,
            "siblings": [{"rfilename": path} for path in sorted(repository.files(commit))],
            "private": False,
            "gated": False,
            "disabled": False,
            "tags": [],
            "downloads": 0,
            "likes": 0,
            "lastModified": DATE,
            "createdAt": DATE,
        }
    )


def _refs(repository: Repository, _hub: StandIn, request: Request, _parts: Parts) -> Answer:
    branches = [
        {"name": name, "ref": f"refs/heads/{name}", "targetCommit": commit}
        for name, commit in repository.branches.items()
        if not name.startswith("refs/")
    ]
    tags = [
        {"name": name, "ref": f"refs/tags/{name}", "targetCommit": commit}
        for name, commit in repository.tags.items()
    ]
    requests = [
        {"name": r.number, "ref": r.branch, "targetCommit": repository.branches[r.branch]}
        for r in repository.pull_requests
    ]
    shown = {"branches": branches, "tags": tags, "converts": []}
    return as_json({**shown, "pullRequests": requests} if "include_prs" in request.query else shown)


def _commits(repository: Repository, _hub: StandIn, _request: Request, parts: Parts) -> Answer:
    return as_json(
        [
            {"id": oid, "title": c.title, "message": "", "authors": [{"user": "me"}], "date": DATE}
            for oid, c in repository.history(parts["revision"])
        ]
    )


def _tree(repository: Repository, _hub: StandIn, request: Request, parts: Parts) -> Answer:
    if repository.find(parts["revision"]) is None:
        return refusal(404, "Invalid rev id", "RevisionNotFound")
    folder = parts["path"].strip("/")
    start = f"{folder}/" if folder else ""
    deep = request.query.get("recursive", ["false"])[0].lower() in ("true", "1")
    entries = _entries(repository.files(parts["revision"]), start)
    if start and not entries:
        return refusal(404, f"{folder} does not exist", "EntryNotFound")
    return as_json(
        [entry for path, entry in entries.items() if deep or "/" not in path[len(start) :]]
    )


def _entries(files: Mapping[str, Blob], start: str) -> dict[str, dict[str, object]]:
    """Return files and folders below a path, by path."""
    entries: dict[str, dict[str, object]] = {}
    for path, blob in sorted(files.items()):
        if path.startswith(start):
            steps = path[len(start) :].split("/")
            for depth in range(1, len(steps)):
                name = start + "/".join(steps[:depth])
                entries[name] = {"type": "directory", "path": name, "size": 0, "oid": "0" * 40}
            entries[path] = blob.entry(path)
    return entries


def _paths_info(repository: Repository, _hub: StandIn, request: Request, parts: Parts) -> Answer:
    try:
        paths = request.json()["paths"]
    except ValueError:
        paths = parse_qs(request.body.decode())["paths"]
    files = repository.files(parts["revision"])
    return as_json([files[path].entry(path) for path in paths if path in files])


def _preupload(repository: Repository, _hub: StandIn, request: Request, parts: Parts) -> Answer:
    held = repository.files(parts["revision"])
    return as_json(
        {
            "files": [
                {
                    "path": file["path"],
                    "uploadMode": "lfs" if file["path"].endswith(".parquet") else "regular",
                    "shouldIgnore": False,
                    **({"oid": held[file["path"]].oid} if file["path"] in held else {}),
                }
                for file in request.json()["files"]
            ]
        }
    )


def _batch(hub: StandIn, request: Request, _parts: Parts) -> Answer:
    def planned(asked: Mapping[str, Any]) -> dict[str, object]:
        told = {"oid": asked["oid"], "size": asked["size"]}
        if asked["oid"] in hub.large:
            return told
        href = f"{hub.url}/lfs/{asked['oid']}"
        return {**told, "actions": {"upload": {"href": href}, "verify": {"href": f"{href}/verify"}}}

    objects = [planned(asked) for asked in request.json()["objects"]]
    return as_json({"transfer": "basic", "objects": objects})


def _upload(hub: StandIn, request: Request, parts: Parts) -> Answer:
    blob = Blob(data=request.body, large=True)
    if blob.sha256 != parts["oid"]:
        return refusal(400, "the body's hash is another")
    hub.large[blob.sha256] = request.body
    return Answer()


def _verify(hub: StandIn, request: Request, parts: Parts) -> Answer:
    asked = request.json()
    if asked["oid"] != parts["oid"] or len(hub.large.get(parts["oid"], b"")) != asked["size"]:
        return refusal(404, "no such object")
    return Answer()


def _no_xet(_hub: StandIn, _request: Request, _parts: Parts) -> Answer:
    return refusal(404, "Xet is not served here")


def _commit(repository: Repository, hub: StandIn, request: Request, parts: Parts) -> Answer:
    lines = [json.loads(line) for line in request.body.splitlines()]
    header = next(line["value"] for line in lines if line["key"] == "header")
    proposed = "create_pr" in request.query
    parent = repository.find(parts["revision"])
    if not proposed and header.get("parentCommit") not in (None, parent):
        return refusal(412, "A commit has happened since. Please refresh and try again.")
    files = dict(repository.files(parts["revision"]))
    try:
        for line in lines:
            _apply(hub, files, line["key"], line["value"])
    except KeyError as error:
        return refusal(400, f"no such file or object: {error}")
    commit = Commit(parent=parent, title=header["summary"], files=files)
    told: dict[str, object] = {"success": True, "hookOutput": ""}
    if proposed:
        number = repository.propose(commit, header["summary"]).number
        place = f"{hub.url}/{_KINDS[repository.kind]}{repository.name}/discussions/{number}"
        told["pullRequestUrl"] = place
        oid = repository.branches[f"refs/pr/{number}"]
    else:
        oid = repository.add(commit, parts["revision"])
    url = f"{hub.url}/{_KINDS[repository.kind]}{repository.name}/commit/{oid}"
    return as_json({**told, "commitOid": oid, "commitUrl": url})


def _apply(hub: StandIn, files: dict[str, Blob], key: str, value: Mapping[str, Any]) -> None:
    match key:
        case "file":
            files[value["path"]] = Blob(data=base64.b64decode(value["content"]), large=False)
        case "lfsFile":
            files[value["path"]] = Blob(data=hub.large[value["oid"]], large=True)
        case "deletedFile":
            del files[value["path"]]
        case "deletedFolder":
            for path in [path for path in files if path.startswith(value["path"])]:
                del files[path]
        case _:
            return


def _tag(repository: Repository, _hub: StandIn, request: Request, parts: Parts) -> Answer:
    name, commit = request.json()["tag"], repository.find(parts["revision"])
    if commit is None:
        return refusal(404, "Invalid rev id", "RevisionNotFound")
    if name in repository.tags:
        return refusal(409, f"Reference refs/tags/{name} already exists")
    repository.tags[name] = commit
    return as_json({})


def _discussions(repository: Repository, _hub: StandIn, _request: Request, _parts: Parts) -> Answer:
    listed = [
        {
            "num": request.number,
            "title": request.title,
            "author": {"name": "me"},
            "createdAt": DATE,
            "status": "open",
            "isPullRequest": True,
            "repo": {"name": repository.name, "type": repository.kind},
        }
        for request in repository.pull_requests
    ]
    return as_json({"discussions": listed, "count": len(listed), "start": 0})


def _resolve(repository: Repository, _hub: StandIn, request: Request, parts: Parts) -> Answer:
    commit = repository.find(parts["revision"])
    if commit is None:
        return refusal(404, "Invalid rev id", "RevisionNotFound")
    blob = repository.files(commit).get(parts["path"])
    if blob is None:
        missing = refusal(404, "Entry not found", "EntryNotFound")
        named = {**missing.headers, "X-Repo-Commit": commit}
        return Answer(status=404, headers=named, body=missing.body)
    headers = {"ETag": f'"{blob.oid}"', "X-Repo-Commit": commit, "Accept-Ranges": "bytes"}
    if blob.large:
        headers |= {"X-Linked-ETag": f'"{blob.sha256}"', "X-Linked-Size": str(len(blob.data))}
    return _ranged(request, blob.data, headers)


def _ranged(request: Request, data: bytes, headers: Mapping[str, str]) -> Answer:
    wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("Range", ""))
    if wanted is None:
        return Answer(headers=headers, body=data)
    start, end = int(wanted[1]), min(int(wanted[2] or len(data)), len(data) - 1)
    told = {**headers, "Content-Range": f"bytes {start}-{end}/{len(data)}"}
    return Answer(status=206, headers=told, body=data[start : end + 1])


_API = r"/api/(?P<kind>models|datasets)/(?P<name>[^/]+/[^/]+)"
_PAGE = r"/(?P<kind>datasets/|)(?P<name>[^/]+/[^/]+)"
_REVISION = r"/(?P<revision>[^/]+)"
_ROUTES: tuple[tuple[str, str, Respond], ...] = (
    ("POST", "/api/repos/create", _create),
    ("POST", "/api/validate-yaml", _validate_yaml),
    ("GET", _API, _of_repository(_info)),
    ("GET", rf"{_API}/revision{_REVISION}", _of_repository(_info)),
    ("GET", rf"{_API}/refs", _of_repository(_refs)),
    ("GET", rf"{_API}/commits{_REVISION}", _of_repository(_commits)),
    ("GET", rf"{_API}/tree{_REVISION}(?P<path>/.*)?", _of_repository(_tree)),
    ("POST", rf"{_API}/paths-info{_REVISION}", _of_repository(_paths_info)),
    ("POST", rf"{_API}/preupload{_REVISION}", _of_repository(_preupload)),
    ("GET", rf"{_API}/xet-(read|write)-token{_REVISION}", _no_xet),
    ("POST", rf"{_API}/commit{_REVISION}", _of_repository(_commit)),
    ("POST", rf"{_API}/tag{_REVISION}", _of_repository(_tag)),
    ("GET", rf"{_API}/discussions", _of_repository(_discussions)),
    ("POST", rf"{_PAGE}\.git/info/lfs/objects/batch", _batch),
    ("PUT", r"/lfs/(?P<oid>\w+)", _upload),
    ("POST", r"/lfs/(?P<oid>\w+)/verify", _verify),
    ("GET", rf"{_PAGE}/resolve{_REVISION}/(?P<path>.+)", _of_repository(_resolve)),
    ("HEAD", rf"{_PAGE}/resolve{_REVISION}/(?P<path>.+)", _of_repository(_resolve)),
)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: StandIn

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""

    def _serve(self) -> None:
        url = urlsplit(self.path)
        fault = self.hub.fault(self.command, url.path)
        if fault is not None and fault.status is None and not fault.done:
            self._body(half=True)
            self._cut()
            return
        request = Request(
            method=self.command,
            path=url.path,
            query=parse_qs(url.query, keep_blank_values=True),
            headers={name.title(): value for name, value in self.headers.items()},
            body=self._body(),
        )
        if fault is None or fault.done:
            answer = self.hub.answer(request)
        if fault is not None and fault.status is None:
            self._cut()
            return
        if fault is not None and fault.status is not None:
            answer = refusal(fault.status, HTTPStatus(fault.status).phrase)
            answer = Answer(
                status=answer.status, headers={**answer.headers, **fault.headers}, body=answer.body
            )
        self._send(answer)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815

    def _body(self, *, half: bool = False) -> bytes:
        if self.headers.get("Transfer-Encoding") == "chunked":
            return b"".join(self._chunks(half=half))
        length = int(self.headers.get("Content-Length") or 0)
        return self.rfile.read(length // 2 if half else length)

    def _chunks(self, *, half: bool) -> Iterator[bytes]:
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size // 2 if half else size)
            if half:
                return
            self.rfile.readline()
        self.rfile.readline()

    def _cut(self) -> None:
        """Close the connection without an answer."""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is no error of the Hub."""


@contextmanager
def running() -> Iterator[StandIn]:
    """Serve an empty Hub."""
    hub = StandIn()
    handler = type("Handler", (_Handler,), {"hub": hub})
    server = _Server(("127.0.0.1", 0), handler)
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
