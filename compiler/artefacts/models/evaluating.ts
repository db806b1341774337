// Evaluates a model in a separate process. An engine reads the file there, so a malformed file can harm only that process.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Result } from "../../../engine/lib/result/result.ts";

const PROGRAM = fileURLToPath(new URL("../../../engine/processes/model/evaluation/main.ts", import.meta.url));

/**
 * Runs the project's tests of answer quality (engine/processes/model/evaluation) on a model, and returns what they
 * print. If `every` is n, only each n-th test case is used. Fails if capc runs from an npm package instead of a
 * checkout, or if the evaluation fails.
 */
export function evaluate(path: string, every: number, format: "json" | "text"): Result<string> {
  if (!existsSync(PROGRAM)) return { ok: false, reason: "models are evaluated in a checkout, and this is a package" };
  const words = [PROGRAM, "--weights", path, "--every", `${every}`, ...(format === "json" ? ["--json"] : [])];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status === 0) return { ok: true, value: stdout };
  const last = stderr.trim().split("\n").at(-1) ?? "";
  return { ok: false, reason: signal === null ? `the evaluation failed: ${last}` : `the engine ended by ${signal}` };
}
