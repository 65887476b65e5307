"""Which instances of the split `full` make up the paper-sized split `test`."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

import pyarrow as pa

from eval_tasks.baselines import options_key
from generators.streams import Stream

NONE_SHARE = 0.1
"""Most instances of a list task whose answer is empty, as a share."""


def stratified(
    answers: Mapping[str, str],
    quota: int,
    stream: Stream,
    *,
    kind: str,
    offered: Mapping[str, str] | None = None,
) -> list[str]:
    """Choose instances of one task so that their answers are spread, none dominates.

    Categories, days: as many of each answer as there are, in turn. Where rows offer different
    options, each of them as often as the others of its set, as far as there are so many, so that
    the options on offer do not tell the answer. Lists: at most one in ten empty. Numbers: one from each of `quota` equal parts of the sorted different answers, or as many
    of each as there are, in turn, where fewer differ.

    Args:
        answers: Gold answers (JSON text) by instance id.
        quota: How many to choose; fewer are chosen where fewer exist.
        stream: Decides between equals.
        kind: Answer type.
        offered: What the rows offer, by instance id; None where all offer the same.

    Returns:
        The chosen ids.
    """
    order = stream.shuffled(sorted(answers))
    if len(order) <= quota:
        return order
    if kind in ("intervals", "day_list", "hour_list", "pair_list"):
        return _few_empty(order, answers, quota)
    if kind == "category" and offered and len(set(offered.values())) > 1:
        return _evenly(order, answers, offered, stream)[:quota]
    if kind in ("category", "day") or len(set(answers.values())) < quota:
        return _in_turn(order, answers, stream)[:quota]
    return _spread(order, answers, quota, stream)


def cut_to_total(quotas: Mapping[str, int], total: int, stream: Stream) -> dict[str, int]:
    """Return quotas that add up to a total at most: some tasks, by key, lose one instance.

    Args:
        quotas: Instances per task.
        total: What they may add up to.
        stream: Decides which tasks lose one.
    """
    order = stream.shuffled(sorted(quotas))
    surplus = max(0, sum(quotas.values()) - total)
    cut = dict(quotas)
    for place in range(surplus):
        cut[order[place % len(order)]] -= 1
    return cut


def choose_test(full: pa.Table, quotas: Mapping[str, int], seed: int) -> list[int]:
    """Return the rows of `full` that make up `test`, in the order of `full`.

    Args:
        full: Rows of a config, at least the columns instance_id, task_id, answer, answer_type, options.
        quotas: Instances per task.
        seed: Release seed.
    """
    by_task: dict[str, dict[str, str]] = defaultdict(dict)
    offered: dict[str, dict[str, str]] = defaultdict(dict)
    kinds: dict[str, str] = {}
    names = ["instance_id", "task_id", "answer", "answer_type", "options"]
    columns = full.select(names).to_pylist()
    for row in columns:
        by_task[row["task_id"]][row["instance_id"]] = row["answer"]
        offered[row["task_id"]][row["instance_id"]] = options_key(row["options"])
        kinds[row["task_id"]] = row["answer_type"]
    chosen = {
        instance
        for task_id, answers in by_task.items()
        for instance in stratified(
            answers,
            quotas[task_id],
            Stream(seed, "test split", task_id),
            kind=kinds[task_id],
            offered=offered[task_id],
        )
    }
    return [place for place, row in enumerate(columns) if row["instance_id"] in chosen]


def _in_turn(order: Sequence[str], answers: Mapping[str, str], stream: Stream) -> list[str]:
    groups: dict[str, list[str]] = defaultdict(list)
    for instance in order:
        groups[answers[instance]].append(instance)
    turn = stream.shuffled(sorted(groups))
    longest = max(len(group) for group in groups.values())
    return [groups[a][place] for place in range(longest) for a in turn if place < len(groups[a])]


def _evenly(
    order: Sequence[str], answers: Mapping[str, str], offered: Mapping[str, str], stream: Stream
) -> list[str]:
    """Order instances: from each set of options one with each answer, in turn, then the others.

    Of the others the one with the answer that stands least often in the list comes next.
    """
    rounds: list[list[list[str]]] = []
    for options in stream.shuffled(sorted(set(offered.values()))):
        groups: dict[str, list[str]] = defaultdict(list)
        for instance in order:
            if offered[instance] == options:
                groups[answers[instance]].append(instance)
        whole = min(map(len, groups.values())) if len(groups) > 1 else 0
        rounds.append([[group[place] for group in groups.values()] for place in range(whole)])
    longest = max(map(len, rounds))
    chosen = [
        instance
        for place in range(longest)
        for of_set in rounds
        if place < len(of_set)
        for instance in of_set[place]
    ]
    return chosen + _rarest_first(order, answers, chosen)


def _rarest_first(
    order: Sequence[str], answers: Mapping[str, str], chosen: Sequence[str]
) -> list[str]:
    counts = Counter(answers[instance] for instance in chosen)
    rest = [instance for instance in order if instance not in chosen]
    added: list[str] = []
    while rest:
        rarest = min(rest, key=lambda instance: counts[answers[instance]])
        counts[answers[rarest]] += 1
        rest.remove(rarest)
        added.append(rarest)
    return added


def _few_empty(order: Sequence[str], answers: Mapping[str, str], quota: int) -> list[str]:
    empty = [instance for instance in order if not json.loads(answers[instance])]
    filled = [instance for instance in order if json.loads(answers[instance])]
    most_empty = min(len(empty), int(NONE_SHARE * quota))
    chosen = empty[:most_empty] + filled[: quota - most_empty]
    return chosen + empty[most_empty : most_empty + quota - len(chosen)]


def _spread(
    order: Sequence[str], answers: Mapping[str, str], quota: int, stream: Stream
) -> list[str]:
    one_of_each = {answers[instance]: instance for instance in order}
    by_size = sorted(one_of_each, key=lambda answer: float(json.loads(answer)))
    edges = [len(by_size) * part // quota for part in range(quota + 1)]
    return [one_of_each[by_size[stream.integer(low, high - 1)]] for low, high in pairwise(edges)]
