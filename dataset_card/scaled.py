"""Renders the card of a scaled cohort from its manifest alone."""

from collections import Counter
from importlib.resources import files

from jinja2 import Environment, StrictUndefined

from builder.manifest import Manifest
from dataset_card.render import front_matter
from dataset_card.texts import CITATION, HOME


def render_scaled_card(manifest: Manifest) -> str:
    """Return the text of README.md: YAML for `load_dataset`, then the card.

    Args:
        manifest: The cohort's manifest; whether it lists the card itself makes no difference.
    """
    template = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    ).from_string((files("dataset_card") / "scaled.md.jinja").read_text(encoding="utf-8"))
    return front_matter(manifest) + template.render(
        manifest=manifest,
        home=HOME,
        citation=CITATION,
        left_out=Counter((left.config, left.task_id, left.reason) for left in manifest.left_out),
    )
