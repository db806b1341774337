import type { Duplex } from "node:stream";
import { type Answer, failure, type Serving, serve } from "../../wire/index.ts";
import { bytesBelow } from "../files/walk.ts";
import { answerOwn, type OwnMethod } from "./program.ts";

/** A program with what its line of the page gives it. */
export interface OwnService {
  readonly interfaceId: bigint;
  readonly interfaceName: string;
  readonly methods: ReadonlyMap<number, OwnMethod>;
  /** Absent without state. */
  readonly directory: string | undefined;
  /** What all its files together may hold. */
  readonly stateBytes: number;
}

/** Serves one holder. */
export function serveOwn(stream: Duplex, service: OwnService): Serving {
  const { interfaceId, interfaceName, methods, directory } = service;
  return serve(stream, [interfaceId], async ({ method, payload, signal }): Promise<Answer> => {
    if (payload.which !== "json") return failure("malformed", `${interfaceName} takes its arguments as JSON`);
    const own = methods.get(method);
    if (own === undefined) return failure("unknownMethod", `${interfaceName} has no method ${method}`);
    const full = own.method.readOnly ? undefined : await overfull(service);
    if (full !== undefined) return failure("failed", full);
    const result = await answerOwn(own, payload.json, { directory, signal });
    if (result.ok) return { ok: true, payload: { which: "json", json: result.value } };
    return failure(signal.aborted ? "cancelled" : "failed", result.reason);
  });
}

/**
 * A program writes its files itself, so that one call can go beyond the limit; the next one that changes anything is then
 * refused. The disk as a whole is what the file system holds.
 */
async function overfull({ directory, stateBytes }: OwnService): Promise<string | undefined> {
  if (directory === undefined) return undefined;
  const used = await bytesBelow(directory);
  if (used === undefined) return "the service has more files than can be counted";
  return used > stateBytes ? `the service has used up its state: ${used} of ${stateBytes} bytes` : undefined;
}
