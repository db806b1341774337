import type { Duplex } from "node:stream";
import { FileEdits } from "../../../lib/wire/generated/service.ts";
import { Files, Scratch } from "../../../lib/wire/generated/tools.ts";
import type { InterfaceLayout, Serving } from "../../../lib/wire/index.ts";
import { serveJson } from "../serve-json.ts";
import { answerCall, answerEdits, type Reach } from "./calls.ts";

/** Serves one holder of Files, or of FileEdits if that was granted. */
export function serveFiles(stream: Duplex, interfaceId: bigint, reach: Reach): Serving {
  if (interfaceId !== FileEdits.id) return serveAs(Files, stream, reach);
  return serveJson(stream, FileEdits, (method, json, signal) => answerEdits(reach, method, json, signal));
}

/**
 * Serves Scratch to one holder; `reach` is the directory of this holder alone. Scratch has the methods of Files, in the
 * same order.
 */
export function serveScratch(stream: Duplex, reach: Reach): Serving {
  return serveAs(Scratch, stream, reach);
}

function serveAs(layout: InterfaceLayout, stream: Duplex, reach: Reach): Serving {
  return serveJson(stream, layout, (method, json, signal) => answerCall(reach, method, json, signal));
}
