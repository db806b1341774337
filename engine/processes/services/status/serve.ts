// Serves Status over one connection: init's counts, as JSON of the shape in stdlib/schema/tools.capnp.

import type { Duplex } from "node:stream";
import { canonicalizeArguments, type JsonRecord, renderCanonicalJson } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { Status } from "../../../lib/wire/generated/tools.ts";
import { Supervisor } from "../../../lib/wire/generated/wire.ts";
import type { Connection, Serving } from "../../../lib/wire/index.ts";
import { serveJson } from "../serve-json.ts";

export function serveStatus(stream: Duplex, supervisor: Connection): Serving {
  return serveJson(stream, Status, async (method, json, signal) => {
    const args = canonicalizeArguments(json);
    if (!args.ok) return args;
    if (method !== Status.methods.show.ordinal) return undefined;
    const facts = await show(supervisor, signal);
    return facts.ok ? accept(renderCanonicalJson(facts.value)) : facts;
  });
}

/**
 * Returns the uptime, the free memory, and the number of processes that have not ended. Fails if init does not answer,
 * or if JSON cannot represent a number exactly.
 */
async function show(supervisor: Connection, signal: AbortSignal): Promise<Result<JsonRecord>> {
  const reply = await supervisor.call(Supervisor.methods.facts, {}, { signal });
  if (!reply.ok) return refuse(`init does not tell: ${reply.reason}`);
  const { uptimeSeconds, memoryFreeBytes, processes } = reply.value;
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  if (uptimeSeconds > most || memoryFreeBytes > most)
    return refuse("init tells a number that JSON does not hold exactly");
  const alive = processes.filter((process) => process.alive).length;
  const numbers = { uptimeSeconds: Number(uptimeSeconds), memoryFreeBytes: Number(memoryFreeBytes), processes: alive };
  return accept(numbers);
}
