"""The benchmark as lighteval tasks: `lighteval ... --custom-tasks eval_tasks/tasks.py`.

Needs lighteval 0.13 only, and runs from a checkout as well as from an unpacked release. There is a
task `healthloopqa[_<split>][_<style>_<days>d]:<config>` for every config of the release that has
questions. `healthloopqa:<config>` asks over the split `test` and shows whole records in the
structured style; other splits and forms are named, as in `healthloopqa_timelined_7d:simulated` or
`healthloopqa_full_structured_1d:simulated`. What stands before the colon selects all its configs.
HEALTHLOOPQA_RELEASE names the release's folder or Hub
repository where it is not the one around or beside this file. lighteval itself downloads a file
when it starts; `python -m eval_tasks.offline` is the same command line without network.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from eval_tasks.lighteval_adapter import task_table
from eval_tasks.release import find_release

TASKS_TABLE = task_table(find_release())
