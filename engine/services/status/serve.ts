// Status over one connection: what init counts, as JSON of the shape that stdlib/schema/tools.capnp gives.

import type { Duplex } from "node:stream";
import { type Checked, canonicalArguments, canonicalText, type JsonRecord } from "../../policy/index.ts";
import { Status } from "../../wire/generated/tools.ts";
import { Supervisor } from "../../wire/generated/wire.ts";
import { type Answer, type Connection, failure, type Serving, serve } from "../../wire/index.ts";

export function serveStatus(stream: Duplex, supervisor: Connection): Serving {
  return serve(stream, [Status.id], async ({ method, payload, signal }): Promise<Answer> => {
    if (payload.which !== "json") return failure("malformed", "Status takes its arguments as JSON");
    const args = canonicalArguments(payload.json);
    if (!args.ok) return failure("failed", args.reason);
    if (method !== Status.methods.show.ordinal) return failure("unknownMethod", `Status has no method ${method}`);
    const facts = await show(supervisor, signal);
    if (facts.ok) return { ok: true, payload: { which: "json", json: canonicalText(facts.value) } };
    return failure(signal.aborted ? "cancelled" : "failed", facts.reason);
  });
}

/** Processes that have ended are not counted. */
async function show(supervisor: Connection, signal: AbortSignal): Promise<Checked<JsonRecord>> {
  const reply = await supervisor.call(Supervisor.methods.facts, {}, { signal });
  if (!reply.ok) return { ok: false, reason: `init does not tell: ${reply.reason}` };
  const { uptimeSeconds, memoryFreeBytes, processes } = reply.value;
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  if (uptimeSeconds > most || memoryFreeBytes > most)
    return { ok: false, reason: "init tells a number that JSON does not hold exactly" };
  const alive = processes.filter((process) => process.alive).length;
  const numbers = { uptimeSeconds: Number(uptimeSeconds), memoryFreeBytes: Number(memoryFreeBytes), processes: alive };
  return { ok: true, value: numbers };
}
