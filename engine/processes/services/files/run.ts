import { parseArgs } from "node:util";
import type { Program } from "../../../lib/wire/program.ts";
import { Directory } from "./directory.ts";
import { readWithin } from "./folder-scope.ts";
import { Scratch } from "./scratch.ts";
import { serveFiles, serveScratch } from "./serve.ts";

const OPTIONS = {
  "state-bytes": { type: "string", default: "0" },
  within: { type: "string", multiple: true, default: [] as string[] },
  scratch: { type: "boolean", default: false },
} as const;

export const runFiles: Program = async (capset, { words, giveUp }) => {
  const { values } = parseArgs({ args: [...words], options: OPTIONS });
  const stateBytes = Number(values["state-bytes"]);
  const within = readWithin(values.within);
  // A limit that cannot be read must not count as no limit.
  if (!Number.isSafeInteger(stateBytes)) return giveUp("--state-bytes is not a whole number");
  if (within === undefined) return giveUp("--within cannot be read");
  const root = capset.directory("data");
  if (values.scratch) {
    const scratch = new Scratch(root, stateBytes);
    await scratch.clear();
    capset.onGrant(({ stream, holder }) => serveScratch(stream, { directory: scratch.getDirectory(holder) }));
  } else {
    const directory = new Directory(root, stateBytes, giveUp);
    const failed = await directory.tidy().then(
      () => undefined,
      (error) => (error instanceof Error ? error.message : String(error)),
    );
    if (failed !== undefined) return giveUp(failed);
    capset.onGrant(({ stream, interfaceId, holder }) =>
      serveFiles(stream, interfaceId, { directory, folders: within.get(holder) }),
    );
  }
  capset.ready();
};
