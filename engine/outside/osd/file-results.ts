// Converts a gate's answers about a file to results of a plan's actions.

import { isRecord, readJson } from "../../lib/policy/index.ts";
import type { ReadAnswer, RefusalAnswer, WriteAnswer } from "./answer.ts";
import type { ReadFile, WriteFile } from "./plan.ts";

export type FileAct = ReadFile | WriteFile;

/** Returns the first bytes of the file: at most as many as the plan requested, and at most as many as the gate returned. */
export function readResult({ max_bytes: most }: ReadFile, told: string): ReadAnswer | RefusalAnswer {
  const whole = textOf(told);
  const text = whole ?? beginningOf(told);
  if (text === undefined) {
    const error = { code: "read_failed", message: "what came back is no file's text" } as const;
    return { type: "read_file", ok: false, error };
  }
  const bytes = Buffer.from(text);
  const truncated = whole === undefined || bytes.length > most;
  return { type: "read_file", ok: true, content_base64: bytes.subarray(0, most).toString("base64"), truncated };
}

/**
 * Returns the result of a write as the plan's client expects it. The result has no `bytes_before`, because this program
 * did not see the file before the write.
 */
export function writeResult({ path, content }: WriteFile): WriteAnswer {
  return { type: "write_file", ok: true, artifacts: [path], bytes_after: Buffer.byteLength(content) };
}

function textOf(json: string): string | undefined {
  const read = readJson(json);
  const content = read.ok && isRecord(read.value) ? read.value["content"] : undefined;
  return typeof content === "string" ? content : undefined;
}

/** Matches the gate's note at the place where the gate cut a result. */
const NOTE = / \[cut: \d+ more bytes\]$/;
/** Maximum characters of an escape in JSON: one escape has at most six, and a pair of escaped surrogates has twelve. */
const LONGEST_ESCAPE = 12;

function beginningOf(told: string): string | undefined {
  if (!NOTE.test(told)) return undefined;
  const cut = told.replace(NOTE, "");
  for (let less = 0; less <= LONGEST_ESCAPE; less += 1) {
    const text = textOf(`${cut.slice(0, cut.length - less)}"}`);
    if (text !== undefined) return text;
  }
  return undefined;
}
