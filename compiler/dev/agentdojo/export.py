"""Writes the traces of AgentDojo's suites `banking` and `slack` as JSON: for each benign task the calls of its ground truth with their
results, and for each attack on it the calls up to the first result that holds planted text, then the attack's own calls.

    python export.py FOLDER      needs agentdojo==0.1.35 (PyPI); no model is asked, nothing is reached
"""

import json
import pathlib
import sys

from agentdojo.agent_pipeline.ground_truth_pipeline import GroundTruthPipeline
from agentdojo.attacks.baseline_attacks import DirectAttack
from agentdojo.functions_runtime import FunctionsRuntime
from agentdojo.task_suite.load_suites import get_suite
from pydantic import BaseModel

VERSION = "v1.2.2"


def plain(value):
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)


def play(suite, environment, calls, stop=None):
    """Runs calls in an environment; ends after the first result that holds `stop`. Returns the steps, and whether it was seen."""
    runtime = FunctionsRuntime(suite.tools)
    steps = []
    for call in calls:
        result, error = runtime.run_function(environment, call.function, call.args)
        step = {"tool": call.function, "arguments": plain(call.args)}
        step |= {"error": error} if error is not None else {"result": plain(result)}
        steps.append(step)
        if stop is not None and stop in json.dumps(step, ensure_ascii=False):
            return steps, True
    return steps, False


def export(name):
    suite = get_suite(VERSION, name)
    pipeline = GroundTruthPipeline(None)
    pipeline.name = "local"
    attack = DirectAttack(suite, pipeline)
    defaults = suite.get_injection_vector_defaults()
    benign, attacks, unseen = [], [], []
    for identifier, task in suite.user_tasks.items():
        environment = task.init_environment(suite.load_and_inject_default_environment({}))
        steps, _ = play(suite, environment, task.ground_truth(environment.model_copy(deep=True)))
        benign.append({"task": identifier, "prompt": task.PROMPT, "steps": steps})
        candidates = attack.get_injection_candidates(task)
        for other, injection in suite.injection_tasks.items():
            planted = attack.attack(task, injection)
            environment = task.init_environment(suite.load_and_inject_default_environment(planted))
            wanted = json.dumps(injection.GOAL, ensure_ascii=False)[1:-1]
            before, seen = play(suite, environment, task.ground_truth(environment.model_copy(deep=True)), wanted)
            if not seen:
                unseen.append([identifier, other, candidates])
                continue
            after, _ = play(suite, environment, injection.ground_truth(environment.model_copy(deep=True)))
            attacks.append({"task": identifier, "attack": other, "before": before, "calls": after})
    tools = [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.parameters.model_json_schema()}
        for tool in suite.tools
    ]
    goals = {identifier: task.GOAL for identifier, task in suite.injection_tasks.items()}
    return {"suite": name, "version": VERSION, "tools": tools, "goals": goals, "benign": benign, "attacks": attacks}, unseen


folder = pathlib.Path(sys.argv[1])
for name in ("banking", "slack"):
    suite, unseen = export(name)
    (folder / f"{name}.json").write_text(json.dumps(suite, indent=1, ensure_ascii=False, sort_keys=False) + "\n")
    print(name, len(suite["benign"]), "benign tasks,", len(suite["attacks"]), "attacks; planted text never read:", unseen)
