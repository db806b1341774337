import type { Duplex } from "node:stream";
import { Files, Scratch } from "../../wire/generated/tools.ts";
import { type Answer, failure, type InterfaceLayout, type Serving, serve } from "../../wire/index.ts";
import { answerCall } from "./calls.ts";
import type { Directory } from "./directory.ts";

/** Serves one holder. Every holder sees the same directory: a grant of Files is a grant of all of it. */
export function serveFiles(stream: Duplex, directory: Directory): Serving {
  return serveAs(Files, stream, directory);
}

/** Serves one holder, whose directory it is alone. Scratch has the methods of Files, in their order. */
export function serveScratch(stream: Duplex, directory: Directory): Serving {
  return serveAs(Scratch, stream, directory);
}

function serveAs({ id, name }: InterfaceLayout, stream: Duplex, directory: Directory): Serving {
  return serve(stream, [id], async ({ method, payload, signal }): Promise<Answer> => {
    if (payload.which !== "json") return failure("malformed", `${name} takes its arguments as JSON`);
    const result = await answerCall(directory, method, payload.json, signal);
    if (result === undefined) return failure("unknownMethod", `${name} has no method ${method}`);
    if (result.ok) return { ok: true, payload: { which: "json", json: result.value } };
    return failure(signal.aborted ? "cancelled" : "failed", result.reason);
  });
}
