// Starts a process that endlessly stores and forgets sayings, and dies by SIGKILL at a statement or after an acknowledgement.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export interface Death {
  /** The process dies just before the n-th statement that changes anything, or just after the n-th acknowledgement. */
  readonly call: "acknowledged" | "statement";
  readonly count: number;
}

/** A conversation, as far as the store had acknowledged it before the process died: its name and number of sayings. */
interface Told {
  readonly name: string;
  readonly sayings: number;
  /** Whether a request to forget the conversation was sent; it may have been acknowledged. */
  readonly isForgotten: boolean;
}

export async function bundleWriter(folder: string): Promise<void> {
  const entryPoints = [fileURLToPath(new URL("./writer.fixture.ts", import.meta.url))];
  const outfile = join(folder, "writer.mjs");
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
}

/** Starts the process, and resolves when it has died. */
export async function startWriter(
  folder: string,
  where: string,
  bootId: string,
  when: Death,
): Promise<readonly Told[]> {
  const child = spawn(process.execPath, [join(folder, "writer.mjs"), where, bootId, JSON.stringify(when)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pieces: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (piece: string) => pieces.push(piece));
  const signal = await new Promise((resolve) => child.once("close", (_, by) => resolve(by)));
  if (signal !== "SIGKILL") throw new Error(`the writer was not killed: ${String(signal)}`);
  const told = new Map<string, Told>();
  for (const line of pieces.join("").split("\n")) {
    const [what, name = ""] = line.split(" ");
    const before = told.get(name) ?? { name, sayings: 0, isForgotten: false };
    if (what === "said") told.set(name, { ...before, sayings: before.sayings + 1 });
    if (what === "forgets") told.set(name, { ...before, isForgotten: true });
  }
  return [...told.values()];
}
