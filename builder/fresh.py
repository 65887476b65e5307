"""Fresh tests: private splits of the shape of a release, and the seals that are published of them.

Code, quotas and version are public, so a fresh test is as secret as its seed, and whatever follows
from the seed alone lets others try seeds. Two things keep it:

- The seed is drawn from 2**40 to 2**53 - 1. Smaller ones are refused: all of them could be built,
  and a model trained on the result, without any hash to compare with.
- Of the rows no digest is published, only `release_sha256`. It covers the folder's file `SALT`, 256
  random bits: a commitment that hides what it commits to as long as the salt stays in the folder,
  even from someone who can build the right rows, and that binds as SHA-256 does.

Seed and salt must be unpredictable, so they come from the operating system and not from
`generators.streams`; the seed is kept in the manifest, and no row depends on the salt.
"""

import secrets
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError

from builder.errors import BuildError
from builder.manifest import Manifest
from builder.release_config import HIGHEST_SEED
from builder.schema import Config, Split

SALT_NAME = "SALT"
LOWEST_SEED = 2**40
PRIVATE_TEXT = """The rows in this folder are a fresh test of HealthLoopQA that was never published. Do not push,
publish or share this folder before you reveal the test; LICENSE-DATA does not apply until then. Once
its prompts went to a model on another machine, count it as shown to whoever runs that machine.
"""
NO_RECORDINGS = (
    "a fresh test holds no recordings: people cannot be drawn anew, their records are published"
)
"""Why the config real_world is absent."""
_SALT_BYTES = 32


class Seal(BaseModel):
    """What is published of a fresh test before it is used.

    Attributes:
        name: Name of the benchmark.
        version: Release version whose code builds the rows.
        release_sha256: The manifest's digest, which covers the salt.
        rows: Number of rows by config and split.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    version: str
    release_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    rows: Mapping[Config, Mapping[Split, PositiveInt]]


def draw_seed() -> int:
    """Return a seed that nobody can guess, from `LOWEST_SEED` to `HIGHEST_SEED`."""
    return LOWEST_SEED + secrets.randbelow(HIGHEST_SEED - LOWEST_SEED + 1)


def draw_salt() -> str:
    """Return 256 random bits as a line of hexadecimal digits."""
    return secrets.token_hex(_SALT_BYTES) + "\n"


def check_seed(seed: int) -> None:
    """Refuse a seed that others could find by trying.

    Raises:
        BuildError: It lies below `LOWEST_SEED`.
    """
    if seed < LOWEST_SEED:
        raise BuildError(
            f"the seed {seed} of a private test can be guessed; leave --seed out to have one drawn, "
            f"or give a random one from {LOWEST_SEED} to {HIGHEST_SEED}"
        )


def seal_path(folder: Path) -> Path:
    """Return where the seal of a fresh test is written: beside its folder."""
    place = folder.resolve()
    return place.with_name(f"{place.name}.seal.json")


def check_seal_place(folder: Path, *, overwrite: bool) -> None:
    """Refuse to replace a seal, which may be published, unless its test is replaced too.

    Raises:
        BuildError: A seal stands there.
    """
    path = seal_path(folder)
    if path.exists() and not overwrite:
        raise BuildError(f"{path} exists; give another --output, or --overwrite to replace it")


def seal_of(manifest: Manifest) -> Seal:
    """Return the seal that belongs to a manifest."""
    return Seal(
        name=manifest.name,
        version=manifest.version,
        release_sha256=manifest.release_sha256,
        rows={
            config: {split: part.rows for split, part in entry.splits.items()}
            for config, entry in manifest.configs.items()
        },
    )


def write_seal(folder: Path, manifest: Manifest) -> Path:
    """Write the seal beside the folder of a fresh test and return its path."""
    path = seal_path(folder)
    path.write_text(seal_of(manifest).model_dump_json(indent=2) + "\n", encoding="utf-8")
    return path


def seal_problems(manifest: Manifest, seal: Path) -> list[str]:
    """Return where a manifest is not the sealed one, a line each; [] where it is.

    That the folder holds what its manifest lists is for `builder.validate` to check.

    Raises:
        BuildError: The file is no seal.
    """
    try:
        sealed = Seal.model_validate_json(seal.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise BuildError(f"{seal} is no seal: {str(error).splitlines()[0]}") from error
    found = seal_of(manifest)
    return [
        f"{name} is {getattr(found, name)}, {seal} says {getattr(sealed, name)}"
        for name in Seal.model_fields
        if getattr(found, name) != getattr(sealed, name)
    ]
