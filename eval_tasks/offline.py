"""lighteval's own command line without network: `python -m eval_tasks.offline custom gold ...`.

lighteval 0.13 imports all its tasks at start-up; one of them (tinyBenchmarks) downloads a file at
import and stops without network, another asks nltk for data. Neither is needed here, and both are
kept from it before lighteval is loaded.
"""

import importlib
import importlib.util
import os
import sys
from collections.abc import Mapping
from types import ModuleType

from eval_tasks.parent import end_with_named_parent

ENVIRONMENT: Mapping[str, str] = {
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "GIT_PYTHON_REFRESH": "quiet",
    "TOKENIZERS_PARALLELISM": "false",
}
"""What keeps lighteval's libraries from the network."""
NO_LIGHTEVAL = (
    "lighteval is not installed; install the extra eval: in a checkout "
    "`pip install -c constraints.txt -e '.[eval]'`, beside an unpacked release what its README names"
)
_DOWNLOADING_TASK = "lighteval.tasks.tasks.tiny_benchmarks"


def keep_offline() -> None:
    """Keep lighteval and its libraries from the network. To be called before they are imported."""
    os.environ.update(ENVIRONMENT)
    empty = ModuleType(_DOWNLOADING_TASK)
    vars(empty)["TASKS_TABLE"] = []
    sys.modules[_DOWNLOADING_TASK] = empty
    vars(importlib.import_module("nltk"))["download"] = _no_download


def _no_download(*_: object, **__: object) -> bool:
    return False


def main() -> None:
    """Run lighteval's command line with this process's arguments."""
    end_with_named_parent()
    if importlib.util.find_spec("lighteval") is None:
        sys.exit(f"error: {NO_LIGHTEVAL}")
    keep_offline()
    importlib.import_module("lighteval.__main__").app()


if __name__ == "__main__":
    main()
