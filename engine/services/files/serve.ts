import type { Duplex } from "node:stream";
import { Files, Scratch } from "../../wire/generated/tools.ts";
import type { InterfaceLayout, Serving } from "../../wire/index.ts";
import { serveJson } from "../serve-json.ts";
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

function serveAs(layout: InterfaceLayout, stream: Duplex, directory: Directory): Serving {
  return serveJson(stream, layout, (method, json, signal) => answerCall(directory, method, json, signal));
}
