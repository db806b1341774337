// Services that the page grants to a service: objects for its program, with a function for each method. The process at the other end
// decides what the holder of this connection may do.

import { isRecord, readAccompanied, readJson, renderCanonicalJson } from "../../../lib/policy/index.ts";
import type { HeldService } from "../../../lib/wire/generated/service.ts";
import type { CallResult, Connection } from "../../../lib/wire/index.ts";

/** Takes arguments and resolves with the result; rejects with a sentence if there is no result. */
type HeldMethodCall = (args?: object) => Promise<object>;

/** Methods by the name of the service, then of the method. */
export type Held = Readonly<Record<string, Readonly<Record<string, HeldMethodCall>>>>;

/**
 * Returns the granted services that a program may use while it answers one call. If that call is cancelled, the calls
 * that the program has made are cancelled too.
 */
export function createHeld(
  services: readonly HeldService[],
  connectionOf: (name: string) => Connection,
  signal: AbortSignal,
): Held {
  return Object.fromEntries(
    services.map((service) => {
      const call =
        (method: HeldService["methods"][number]) =>
        (args: object = {}) =>
          ask({ service, method }, connectionOf(service.name), args, signal);
      return [service.name, Object.fromEntries(service.methods.map((method) => [method.name, call(method)]))];
    }),
  );
}

/** A method of a service that a program holds. */
interface HeldMethod {
  readonly service: HeldService;
  readonly method: HeldService["methods"][number];
}

async function ask(
  { service: { name, interfaceId }, method }: HeldMethod,
  connection: Connection,
  args: object,
  signal: AbortSignal,
): Promise<object> {
  const reply = await connection.callTool(interfaceId, method.ordinal, JSON.stringify(args), { signal });
  if (!reply.ok) throw new Error(`${name}.${method.name}: ${describeRan(reply.ran)}${reply.reason}`);
  const result = readJson(reply.value);
  // The call ran, so report its answer to the caller, although it does not fit the interface.
  if (result.ok && typeof result.value === "string") throw new Error(`${name}.${method.name}: ${result.value}`);
  const accompanied = result.ok ? readAccompanied(result.value) : undefined;
  if (!result.ok || (accompanied === undefined && !isRecord(result.value))) {
    throw new Error(
      `${name}.${method.name}: it ran, and its answer cannot be read: ${result.ok ? "it is not an object" : result.reason}`,
    );
  }
  // Parse the JSON again, as for arguments, to give the program ordinary objects.
  return JSON.parse(accompanied === undefined ? reply.value : renderCanonicalJson(accompanied.record));
}

/** Returns words that say whether a failed call has run. A program must know this before it repeats the call. */
function describeRan(ran: CallResult | undefined): string {
  if (ran === undefined) return "";
  return ran.is === "answered" ? "it ran, and " : "it was sent and may have run: ";
}
