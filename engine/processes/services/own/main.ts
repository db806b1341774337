import { parseArgs } from "node:util";
import { openCapset } from "../../../lib/wire/capset.ts";
import { giveUp } from "../../../lib/wire/exit-failed.ts";
import { ServiceMethods } from "../../../lib/wire/generated/service.ts";
import { decodeMessage } from "../../../lib/wire/index.ts";
import { createHeld } from "./held.ts";
import { startServer } from "./mcp/server.ts";
import { loadProgram } from "./program.ts";
import { serveOwn } from "./serve.ts";

const SCHEMA_VERSION = 1;

/** Starts a module with functions, or an MCP server. When the server ends, so does this process, and init restarts both. */
async function startProgram(methods: ServiceMethods, directory: string | undefined): ReturnType<typeof loadProgram> {
  const source = capset.file("program");
  if (methods.toolList.length === 0) return loadProgram(source, methods);
  const running = await startServer(source, methods, directory);
  if (!running.ok) return running;
  void running.value.ended.then(giveUp);
  return { ok: true, value: running.value.methods };
}

const { values } = parseArgs({ options: { "state-bytes": { type: "string", default: "0" } } });
const stateBytes = Number(values["state-bytes"]);
const capset = openCapset();
const methods = decodeMessage(ServiceMethods, capset.file("methods"));
if (!Number.isSafeInteger(stateBytes)) giveUp("--state-bytes is not a whole number");
else if (!methods.ok) giveUp(`the methods cannot be read: ${methods.reason}`);
else if (methods.value.schemaVersion !== SCHEMA_VERSION) {
  giveUp(`the methods are of version ${methods.value.schemaVersion}; this program reads ${SCHEMA_VERSION}`);
} else {
  const { interfaceId, interfaceName } = methods.value;
  const directory = stateBytes === 0 ? undefined : capset.directory("data");
  const program = await startProgram(methods.value, directory);
  if (program.ok) {
    const makeHeld = (signal: AbortSignal) => createHeld(methods.value.held, capset.connection, signal);
    const service = {
      interfaceId,
      interfaceName,
      methods: program.value,
      directory,
      stateBytes,
      now: Date.now,
      held: makeHeld,
    };
    capset.onGrant(({ stream }) => serveOwn(stream, service));
    capset.ready();
  } else giveUp(`the program of this service does not serve ${interfaceName}: ${program.reason}`);
}
