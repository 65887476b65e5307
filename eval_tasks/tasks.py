"""The benchmark as lighteval tasks: `lighteval ... --custom-tasks eval_tasks/tasks.py`.

Needs lighteval 0.13 only, and runs from a checkout as well as from an unpacked release. There is a
task `healthloopqa:<config>` for every config of the release that has questions, over its split
`test`, and `healthloopqa_<split>:<config>` for every other split; where there are several configs,
`healthloopqa` selects all of them. HEALTHLOOPQA_RELEASE names the release's folder or Hub
repository where it is not the one around or beside this file. lighteval itself downloads a file
when it starts; `python -m eval_tasks.offline` is the same command line without network.

A private folder is shown only to models on this machine, unless HEALTHLOOPQA_ALLOW_EXTERNAL is 1.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from eval_tasks.lighteval_adapter import task_table
from eval_tasks.privacy import refuse_private_command
from eval_tasks.release import find_release

_RELEASE = find_release()
refuse_private_command(_RELEASE, sys.argv[1:])
TASKS_TABLE = task_table(_RELEASE)
