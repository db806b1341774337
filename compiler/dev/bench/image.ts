// Builds the image of the example, and the same image with empty programs in place of the programs from `engine`.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { NODE_ROLES } from "../../../engine/lib/roles/index.ts";
import { makeProducts } from "../../artefacts/products/make.ts";
import { compile } from "../../compile.ts";
import { createDiskHost } from "../../phases/source/index.ts";

/**
 * Programs of the two roles whose work is measured: the loop asks for a line, and the gate answers a command. All other
 * roles run an empty program.
 */
const PROGRAMS: Readonly<Record<string, string>> = {
  loop: "compiler/dev/bench/prompt-program.ts",
  gate: "compiler/dev/bench/answer-program.ts",
};

/** Returns the path of an image of `page` in which every role except those in `PROGRAMS` runs an empty program. */
export async function buildEmptyImage(page: string, scratch: string): Promise<string> {
  const { policy, origins } = await compile(createDiskHost(), page);
  if (policy === undefined || origins === undefined) throw new Error(`${page} has findings; run capc check`);
  mkdirSync(scratch, { recursive: true });
  const roles = NODE_ROLES.map(({ name }) => ({
    name,
    entry: PROGRAMS[name] ?? "compiler/dev/bench/empty-program.ts",
  }));
  const made = await makeProducts({
    policy,
    origins,
    emit: new Set(["iso"]),
    scratch,
    sourceDateEpoch: 0,
    progress: { step: () => {}, done: () => {} },
    roles,
  });
  if (!made.ok) throw new Error(made.reason);
  return join(scratch, "image.iso");
}
