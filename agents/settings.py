"""How an agent run is set up, as read from a YAML file or the environment."""

import hashlib
import os
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field

from agents.errors import SettingsError
from agents.sandbox import Limits
from endpoints.chat import KEY_VARIABLE, URL_VARIABLE, Endpoint, Price

SETTINGS_VARIABLE = "HEALTHLOOPQA_AGENT"
"""Environment variable that names the YAML file with the settings."""
AGENT_VERSION = 1
"""Moves when the agent's prompts or steps change; traces of other versions are not reused."""


class AgentSettings(BaseModel):
    """Budgets of a row, the endpoint, and where traces go."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str = Field(min_length=1, description="Address up to and with /v1")
    traces: Path = Field(default=Path("agent_traces.jsonl"), description="JSONL, appended to")
    max_steps: int = Field(default=8, ge=1)
    row_seconds: float = Field(default=600.0, gt=0)
    row_tokens: int = Field(default=100_000, ge=1, description="Read and written, of all calls")
    reply_tokens: int = Field(default=4096, ge=1, description="Written, of one call")
    call_seconds: float = Field(default=120.0, gt=0)
    retries: int = Field(default=4, ge=0)
    temperature: float = Field(default=0.0, ge=0)
    workers: int = Field(default=4, ge=1)
    snippet_seconds: float = Field(default=20.0, gt=0)
    snippet_memory_mib: int = Field(default=1024, ge=64)
    snippet_characters: int = Field(default=20_000, ge=100)
    unsafe: bool = False
    price_input: float | None = Field(default=None, ge=0, description="Of a million tokens")
    price_output: float | None = Field(default=None, ge=0)

    def endpoint(self, model: str) -> Endpoint:
        """Return the endpoint; its key comes from the environment and is never written down."""
        return Endpoint(
            base_url=self.base_url,
            model=model,
            api_key=os.environ.get(KEY_VARIABLE, ""),
            timeout_s=self.call_seconds,
            retries=self.retries,
        )

    def limits(self) -> Limits:
        """Return the limits of a snippet."""
        return Limits(
            seconds=self.snippet_seconds,
            memory_bytes=self.snippet_memory_mib << 20,
            output_characters=self.snippet_characters,
        )

    def price(self) -> Price:
        """Return what tokens cost."""
        return Price(input_per_million=self.price_input, output_per_million=self.price_output)

    def fingerprint(self, model: str) -> str:
        """Return a hash of all that can change an answer: not paths, workers or prices."""
        kept = self.model_dump_json(
            exclude={"traces", "workers", "retries", "price_input", "price_output"}
        )
        return hashlib.sha256(f"{AGENT_VERSION}\n{model}\n{kept}".encode()).hexdigest()


def load_settings() -> AgentSettings:
    """Return the settings that the environment names.

    Raises:
        SettingsError: Neither a settings file nor an endpoint is named, or the file is wrong.
    """
    named = os.environ.get(SETTINGS_VARIABLE)
    if named is None and URL_VARIABLE not in os.environ:
        raise SettingsError(
            f"no endpoint: set {URL_VARIABLE}, or {SETTINGS_VARIABLE} to a YAML file with base_url"
        )
    if named is None:
        return AgentSettings(base_url=os.environ[URL_VARIABLE])
    try:
        text = Path(named).read_text(encoding="utf-8")
        return AgentSettings.model_validate(yaml.safe_load(text))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        first = str(error).replace("\n", " ")[:300]
        raise SettingsError(f"{named}: not the settings of an agent: {first}") from error
