"""The benchmark as lighteval tasks: `lighteval ... --custom-tasks eval_tasks/tasks.py`.

Needs lighteval 0.13 only, and runs from a checkout as well as from an unpacked release. There is a
task `healthloopqa[_<split>][_<style>_<days>d]:<config>` for every config of the release that has
questions. `healthloopqa:<config>` asks over the split `test` and shows whole records in the
structured style; other splits and forms are named, as in `healthloopqa_timelined_7d:simulated` or
`healthloopqa_full_structured_1d:simulated`. What stands before the colon selects all its configs.
HEALTHLOOPQA_RELEASE names the release's folder or Hub
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
