import { parseArgs } from "node:util";
import { openCapset } from "../../wire/capset.ts";
import { serveFiles } from "./serve.ts";

const { values } = parseArgs({ options: { "state-bytes": { type: "string", default: "0" } } });
const stateBytes = Number(values["state-bytes"]);
if (Number.isSafeInteger(stateBytes)) {
  const capset = openCapset();
  capset.onGrant(({ stream }) => serveFiles(stream, { root: capset.directory("data"), stateBytes }));
  capset.ready();
} else {
  // A limit that cannot be read must not become no limit.
  process.stderr.write("--state-bytes is not a whole number\n");
  process.exitCode = 1;
}
