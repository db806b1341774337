// Serves Services over one connection: names of running services, and the restart of one, as JSON of the shapes in
// stdlib/schema/tools.capnp.

import type { Duplex } from "node:stream";
import { canonicalizeArguments, type JsonRecord, renderCanonicalJson } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { listRoles } from "../../../lib/roles/index.ts";
import { Services } from "../../../lib/wire/generated/tools.ts";
import { Supervisor } from "../../../lib/wire/generated/wire.ts";
import type { Connection, Serving } from "../../../lib/wire/index.ts";
import { serveJson } from "../serve-json.ts";

/** Roles that serve tools; init has the same list, and itself decides about each restart (engine/image/init/src/supervise/request.rs). */
const TOOLS: ReadonlySet<string> = new Set(listRoles("service"));

export function serveServices(stream: Duplex, supervisor: Connection): Serving {
  return serveJson(stream, Services, async (method, json, signal) => {
    const args = canonicalizeArguments(json);
    if (!args.ok) return args;
    const result = await run(supervisor, method, args.value.value, signal);
    return result?.ok ? accept(renderCanonicalJson(result.value)) : result;
  });
}

/**
 * Runs one method; returns `undefined` if there is no such method. An absent name is empty, as everywhere in Cap'n Proto, and no process
 * has an empty name.
 */
function run(
  supervisor: Connection,
  method: number,
  { name = "" }: JsonRecord,
  signal: AbortSignal,
): Promise<Result<JsonRecord>> | undefined {
  switch (method) {
    case Services.methods.list.ordinal:
      return list(supervisor, signal);
    case Services.methods.restart.ordinal:
      return restart(supervisor, typeof name === "string" ? name : "", signal);
    default:
      return undefined;
  }
}

async function list(supervisor: Connection, signal: AbortSignal): Promise<Result<JsonRecord>> {
  const reply = await supervisor.call(Supervisor.methods.facts, {}, { signal });
  if (!reply.ok) return refuse(`init does not tell: ${reply.reason}`);
  const running = reply.value.processes.filter(({ role, alive }) => alive && TOOLS.has(role));
  return accept({ services: running.map(({ name }) => name).sort() });
}

async function restart(supervisor: Connection, name: string, signal: AbortSignal): Promise<Result<JsonRecord>> {
  const reply = await supervisor.call(Supervisor.methods.restart, { name }, { signal });
  return reply.ok ? accept({}) : refuse(reply.reason);
}
