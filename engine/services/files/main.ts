import { parseArgs } from "node:util";
import { openCapset } from "../../wire/capset.ts";
import { Directory } from "./directory.ts";
import { Scratch } from "./scratch.ts";
import { serveFiles, serveScratch } from "./serve.ts";

const { values } = parseArgs({
  options: { "state-bytes": { type: "string", default: "0" }, scratch: { type: "boolean", default: false } },
});
const stateBytes = Number(values["state-bytes"]);
if (Number.isSafeInteger(stateBytes)) {
  const capset = openCapset();
  const root = capset.directory("data");
  if (values.scratch) {
    const scratch = new Scratch(root, stateBytes);
    await scratch.clear();
    capset.onGrant(({ stream, holder }) => serveScratch(stream, scratch.of(holder)));
  } else {
    const directory = new Directory(root, stateBytes);
    await directory.tidy();
    capset.onGrant(({ stream }) => serveFiles(stream, directory));
  }
  capset.ready();
} else {
  // A limit that cannot be read must not become no limit.
  process.stderr.write("--state-bytes is not a whole number\n");
  process.exitCode = 1;
}
