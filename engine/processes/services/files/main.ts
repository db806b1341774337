import { parseArgs } from "node:util";
import { openCapset } from "../../../lib/wire/capset.ts";
import { Directory } from "./directory.ts";
import { readWithin } from "./folder-scope.ts";
import { Scratch } from "./scratch.ts";
import { serveFiles, serveScratch } from "./serve.ts";

/** Prints the reason and ends: init shows it to the person, and restarts the process. */
function end(why: string): void {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

const { values } = parseArgs({
  options: {
    "state-bytes": { type: "string", default: "0" },
    within: { type: "string", multiple: true, default: [] },
    scratch: { type: "boolean", default: false },
  },
});
const stateBytes = Number(values["state-bytes"]);
const within = readWithin(values.within);
// An unreadable limit must not count as no limit.
if (!Number.isSafeInteger(stateBytes)) end("--state-bytes is not a whole number");
else if (within === undefined) end("--within cannot be read");
else {
  const capset = openCapset();
  const root = capset.directory("data");
  if (values.scratch) {
    const scratch = new Scratch(root, stateBytes);
    await scratch.clear();
    capset.onGrant(({ stream, holder }) => serveScratch(stream, { directory: scratch.getDirectory(holder) }));
  } else {
    const directory = new Directory(root, stateBytes, end);
    await directory.tidy().catch((error) => end(error instanceof Error ? error.message : String(error)));
    capset.onGrant(({ stream, interfaceId, holder }) =>
      serveFiles(stream, interfaceId, { directory, folders: within.get(holder) }),
    );
  }
  capset.ready();
}
