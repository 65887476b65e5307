"""The one place that names versions."""

RELEASE_VERSION = "0.1.0"
"""Version of the release: Hub tag, manifest, package. See CONTRIBUTING.md for when it moves."""

PROMPT_VERSION = 3
"""Version of the prompts; moves whenever a rendered prompt changes."""
