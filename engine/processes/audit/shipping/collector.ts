// Reaches the collector that the page names, through one endpoint of the process with the network.

import { once } from "node:events";
import { setTimeout as after } from "node:timers/promises";
import { canonicalizeArguments, renderCanonicalJson } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { SyslogExit } from "../../../lib/wire/generated/egress.ts";
import { HttpEndpoint } from "../../../lib/wire/generated/tools.ts";
import type { Connection } from "../../../lib/wire/index.ts";

/** Name of the grant in the manifest; no service has such a name. */
export const COLLECTOR = "audit.collector";

/** Timeout of a request in milliseconds, longer than the endpoint's own. */
const REQUEST_MS = 310_000;

/** Sends records in one request. Fails unless it is certain that the records arrived. */
export async function sendTo(
  connection: Pick<Connection, "callTool">,
  path: string,
  body: string,
  signal: AbortSignal,
): Promise<Result<void>> {
  const args = renderCanonicalJson({ path, contentType: "application/json", body });
  const { id, methods } = HttpEndpoint;
  const reply = await connection.callTool(id, methods.post.ordinal, args, { timeoutMs: REQUEST_MS, signal });
  if (!reply.ok) return refuse(reply.reason);
  const status = readStatus(reply.value);
  return status >= 200 && status < 300 ? accept(undefined) : refuse(`the collector answers with status ${status}`);
}

/** Sends syslog messages in one request. Fails unless it is certain that the messages arrived. */
export async function sendAsSyslog(
  connection: Pick<Connection, "call">,
  messages: readonly string[],
  signal: AbortSignal,
): Promise<Result<void>> {
  const reply = await connection.call(SyslogExit.methods.send, { messages }, { timeoutMs: REQUEST_MS, signal });
  return reply.ok ? accept(undefined) : refuse(reply.reason);
}

function readStatus(json: string): number {
  const read = canonicalizeArguments(json);
  const response = read.ok ? read.value.value["response"] : undefined;
  const fields = typeof response === "object" && response !== null ? Object.entries(response) : [];
  const [, status] = fields.find(([name]) => name === "status") ?? [];
  return typeof status === "number" ? status : 0;
}

/** Resolves after this many milliseconds, or when `signal` fires. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const over = new AbortController();
  await Promise.race([after(ms, undefined, { signal: over.signal }).catch(() => {}), once(signal, "abort", over)]);
  over.abort();
}
