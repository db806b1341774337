// Runs the ledger in a separate process, with its file on a disk. For each connection it submits a task,
// assigns it to a gate, and serves the record of the task as it would serve it to this gate. For each message of the
// parent process it responds with its CPU time so far.

import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { TaskRecord } from "../../../engine/lib/wire/generated/ledger.ts";
import { readAnew } from "../../../engine/lib/wire/reused-buffer.ts";
import { Assignments } from "../../../engine/processes/ledger/assignments.ts";
import { openLedger } from "../../../engine/processes/ledger/opening.ts";
import { serveLedger } from "../../../engine/processes/ledger/serve.ts";
import { submitTask } from "../../../engine/processes/ledger/tasks.ts";
import { bug } from "../../../lang/diagnostics/index.ts";

const [, , directory = "", path = ""] = process.argv;
const opened = openLedger(directory, { now: Date.now, random: randomBytes, later: setImmediate });
if (!opened.ok) bug(opened.reason);
const ledger = opened.value;
const submission = {
  session: "operator",
  name: "mend",
  request: "mend the tests",
  requester: "alice",
  ingress: "console",
  policy: new Uint8Array(32),
  label: new Uint8Array(8),
  model: "local",
  harness: "1",
  deadline: BigInt(Date.now() + 86_400_000),
};
createServer(async (socket) => {
  const stream = readAnew(socket);
  const submitted = await ledger.decide(submitTask(submission));
  if (!submitted.ok) bug(submitted.reason);
  const assignments = new Assignments();
  const assigned = await ledger.decide(assignments.assign("gate.operator.console", submitted.value.id));
  if (!assigned.ok) bug(assigned.reason);
  const grant = { stream, holder: "gate.operator.console", interfaceId: TaskRecord.id, mayRead: () => true };
  serveLedger(grant, ledger, assignments);
}).listen(path, () => process.send?.("listening"));
process.on("message", () => process.send?.(process.cpuUsage()));
process.on("disconnect", () => process.exit(0));
