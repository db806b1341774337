import type { Duplex } from "node:stream";
import { refuse } from "../../../lib/result/result.ts";
import type { Serving } from "../../../lib/wire/index.ts";
import { measureUsageBelow } from "../files/walk.ts";
import { serveJson } from "../serve-json.ts";
import type { Held } from "./held.ts";
import { answerOwn, type OwnMethod } from "./program.ts";

/** A program with the resources that the page gives it. */
export interface OwnService {
  readonly interfaceId: bigint;
  readonly interfaceName: string;
  readonly methods: ReadonlyMap<number, OwnMethod>;
  /** The directory of the service's state; absent if the page gives it none. */
  readonly directory: string | undefined;
  /** Maximum bytes of all files of the service together. */
  readonly stateBytes: number;
  readonly now: () => number;
  /**
   * Returns the services that the page grants to this program, for use while it answers one call; absent if there are
   * none.
   */
  readonly held?: (signal: AbortSignal) => Held;
}

/** Serves one holder. */
export function serveOwn(stream: Duplex, service: OwnService): Serving {
  const { interfaceId: id, interfaceName: name, methods, directory, stateBytes, now } = service;
  return serveJson(stream, { id, name }, async (method, json, signal) => {
    const own = methods.get(method);
    if (own === undefined) return undefined;
    const full = own.method.readOnly ? undefined : await checkOverfull(service);
    if (full !== undefined) return refuse(full);
    return answerOwn(own, json, { directory, stateBytes, signal, now, held: service.held?.(signal) ?? {} });
  });
}

/**
 * Returns why a call is refused if the directory exceeds its limit, otherwise `undefined`. A program writes its files itself, so one call can exceed the
 * limit; the next call that changes anything is then refused. The file system bounds the disk as a whole.
 */
async function checkOverfull({ directory, stateBytes }: OwnService): Promise<string | undefined> {
  if (directory === undefined) return undefined;
  const used = (await measureUsageBelow(directory))?.bytes;
  if (used === undefined) return "the service has more files than can be counted";
  return used > stateBytes ? `the service has used up its state: ${used} of ${stateBytes} bytes` : undefined;
}
