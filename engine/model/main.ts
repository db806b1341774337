import { parseArgs } from "node:util";
import { openCapset } from "../wire/capset.ts";
import { Metering } from "../wire/generated/wire.ts";
import { SessionPermits, serveMetering } from "./metering.ts";
import { readReplies } from "./replies.ts";
import { serveModel, stubInfo } from "./serve.ts";

const { values } = parseArgs({ options: { id: { type: "string", default: "" } } });
const capset = openCapset();
const bytes = capset.file("replies");
const replies = readReplies(bytes);
if (replies.ok) {
  const sessions = new SessionPermits();
  const model = { replies: replies.value, info: stubInfo(values.id) };
  capset.onGrant(({ stream, holder, interfaceId }) => {
    const isGates = interfaceId === Metering.id;
    const permits = sessions.of(holder, isGates ? "gate" : "loop");
    // Nobody else holds a model: a manifest that says so is not ours.
    if (permits === undefined) stream.destroy();
    else if (isGates) serveMetering(stream, permits);
    else serveModel(stream, model, permits);
  });
  capset.ready();
} else {
  // Init shows what a process said last when it dies.
  process.stderr.write(`replies.json cannot be used: ${replies.reason}\n`);
  process.exitCode = 1;
  process.disconnect?.();
}
