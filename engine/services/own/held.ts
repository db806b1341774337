// Services that the page grants a service: for its program, objects with a function for each method. What they may do is what the
// process on the other side lets the holder of this connection do.

import { isRecord, readJson } from "../../policy/index.ts";
import type { HeldService } from "../../wire/generated/service.ts";
import type { Connection } from "../../wire/index.ts";

/** Takes arguments, gives the result; throws with one sentence where there is none. */
export type HeldMethodCall = (args?: object) => Promise<object>;

/** By name of the service, then of the method. */
export type Held = Readonly<Record<string, Readonly<Record<string, HeldMethodCall>>>>;

/** For one call: what is asked of others is given up with it. */
export function heldFor(
  services: readonly HeldService[],
  connectionOf: (name: string) => Connection,
  signal: AbortSignal,
): Held {
  return Object.fromEntries(
    services.map((service) => {
      const call =
        (method: HeldService["methods"][number]) =>
        (args: object = {}) =>
          ask(service, method, connectionOf(service.name), args, signal);
      return [service.name, Object.fromEntries(service.methods.map((method) => [method.name, call(method)]))];
    }),
  );
}

async function ask(
  { name, interfaceId }: HeldService,
  method: HeldService["methods"][number],
  connection: Connection,
  args: object,
  signal: AbortSignal,
): Promise<object> {
  const reply = await connection.callTool(interfaceId, method.ordinal, JSON.stringify(args), { signal });
  if (!reply.ok) throw new Error(`${name}.${method.name}: ${reply.reason}`);
  const result = readJson(reply.value);
  // It ran; whoever called it learns what it answered, which is not what its interface says.
  if (result.ok && typeof result.value === "string") throw new Error(`${name}.${method.name}: ${result.value}`);
  if (!result.ok || !isRecord(result.value)) throw new Error(`${name}.${method.name}: the answer cannot be read`);
  // Parsed again, as arguments are: ordinary objects.
  return JSON.parse(reply.value);
}
