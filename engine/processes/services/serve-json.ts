import type { Duplex } from "node:stream";
import type { Result } from "../../lib/result/result.ts";
import {
  type Answer,
  type InterfaceLayout,
  MAX_TOOL_WORDS_LENGTH,
  makeFailure,
  type Serving,
  serve,
} from "../../lib/wire/index.ts";

/** Returns the result of one call as JSON text, or why it failed; `undefined` if the interface has no such method. */
type JsonHandler = (method: number, json: string, signal: AbortSignal) => Promise<Result<string> | undefined>;

/** Serves one holder of an interface whose arguments and results are JSON. */
export function serveJson(
  stream: Duplex,
  { id, name }: Pick<InterfaceLayout, "id" | "name">,
  handle: JsonHandler,
): Serving {
  return serve(stream, [id], async ({ method, payload, signal }): Promise<Answer> => {
    if (payload.which !== "json") return makeFailure("malformed", `${name} takes its arguments as JSON`);
    const result = await handle(method, payload.json, signal);
    if (result === undefined) return makeFailure("unknownMethod", `${name} has no method ${method}`);
    if (result.ok) return { ok: true, payload: { which: "json", json: result.value } };
    return makeFailure(signal.aborted ? "cancelled" : "failed", result.reason, MAX_TOOL_WORDS_LENGTH);
  });
}
