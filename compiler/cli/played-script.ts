// Reads the script that --script names, and prints its verdicts, for `capc run` and `capc try`.

import { dirname, resolve } from "node:path";
import { accept, type Result, refuse } from "../../engine/lib/result/result.ts";
import { readText } from "../host/files.ts";
import type { ExitStatus, World } from "../host/world.ts";
import { readScript } from "../machine/chat/script.ts";
import type { Verdict } from "../machine/chat/verdict.ts";

type ReadScript = ReturnType<typeof readScript>;

/** Reads a script with the files that it names, relative to its folder. Fails if the script's file cannot be read. */
export function readScriptFile(path: string): Result<ReadScript> {
  const source = readText(path);
  if (!source.ok) return refuse(source.reason);
  const open = (name: string): string | undefined => {
    const named = readText(resolve(dirname(path), name));
    return named.ok ? named.value : undefined;
  };
  return accept(readScript(source.value, open));
}

/** Verdicts on the script `name`. */
interface Played {
  readonly name: string;
  readonly verdicts: readonly Verdict[];
  /** Lines to print before the counts. */
  readonly lines?: readonly string[];
  /** Additional fields of the JSON value. */
  readonly fields?: Readonly<Record<string, number>>;
}

/** Prints the failed verdicts and the counts. Returns 1 if a verdict failed, otherwise 0. */
export function tellVerdicts(
  { name, verdicts, lines = [], fields = {} }: Played,
  format: "json" | "text",
  world: World,
): ExitStatus {
  const failed = verdicts.filter((verdict) => !verdict.passed);
  const passed = verdicts.length - failed.length;
  for (const { line, words } of failed) world.report(`${name}${line > 0 ? `:${line}` : ""}: failed: ${words}\n`);
  if (format === "json") world.print(`${JSON.stringify({ passed, failed: failed.length, ...fields, verdicts })}\n`);
  else for (const line of [...lines, `${passed} passed, ${failed.length} failed`]) world.print(`${line}\n`);
  return failed.length === 0 ? 0 : 1;
}
