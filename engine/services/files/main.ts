import { parseArgs } from "node:util";
import { openCapset } from "../../wire/capset.ts";
import { Directory } from "./directory.ts";
import { serveFiles } from "./serve.ts";

const { values } = parseArgs({ options: { "state-bytes": { type: "string", default: "0" } } });
const stateBytes = Number(values["state-bytes"]);
if (Number.isSafeInteger(stateBytes)) {
  const capset = openCapset();
  const directory = new Directory(capset.directory("data"), stateBytes);
  await directory.tidy();
  capset.onGrant(({ stream }) => serveFiles(stream, directory));
  capset.ready();
} else {
  // A limit that cannot be read must not become no limit.
  process.stderr.write("--state-bytes is not a whole number\n");
  process.exitCode = 1;
}
