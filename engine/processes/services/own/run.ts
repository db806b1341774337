import { parseArgs } from "node:util";
import type { Capset } from "../../../lib/wire/capset.ts";
import { ServiceMethods } from "../../../lib/wire/generated/service.ts";
import { decodeMessage } from "../../../lib/wire/index.ts";
import type { Program, Surroundings } from "../../../lib/wire/program.ts";
import { createHeld } from "./held.ts";
import { startServer } from "./mcp/server.ts";
import { loadProgram } from "./program.ts";
import { serveOwn } from "./serve.ts";

const SCHEMA_VERSION = 1;

export const runOwn: Program = async (capset, surroundings) => {
  const { words, giveUp } = surroundings;
  const { values } = parseArgs({ args: [...words], options: { "state-bytes": { type: "string", default: "0" } } });
  const stateBytes = Number(values["state-bytes"]);
  const methods = decodeMessage(ServiceMethods, capset.file("methods"));
  if (!Number.isSafeInteger(stateBytes)) return giveUp("--state-bytes is not a whole number");
  if (!methods.ok) return giveUp(`the methods cannot be read: ${methods.reason}`);
  const { schemaVersion, interfaceId, interfaceName, held } = methods.value;
  if (schemaVersion !== SCHEMA_VERSION)
    return giveUp(`the methods are of version ${schemaVersion}; this program reads ${SCHEMA_VERSION}`);
  const directory = stateBytes === 0 ? undefined : capset.directory("data");
  const program = await startProgram({ capset, surroundings }, methods.value, directory);
  if (!program.ok) return giveUp(`the program of this service does not serve ${interfaceName}: ${program.reason}`);
  const makeHeld = (signal: AbortSignal) => createHeld(held, capset.connection, signal);
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
};

/**
 * Starts a module with functions, or an MCP server. When the server ends, this process ends too, and init restarts
 * both.
 */
async function startProgram(
  { capset, surroundings }: { readonly capset: Capset; readonly surroundings: Surroundings },
  methods: ServiceMethods,
  directory: string | undefined,
): ReturnType<typeof loadProgram> {
  const source = capset.file("program");
  if (methods.toolList.length === 0) return loadProgram(source, methods);
  const running = await startServer(source, methods, directory);
  if (!running.ok) return running;
  let isStopping = false;
  capset.onStop(async () => {
    isStopping = true;
    await running.value.stop();
  });
  void running.value.ended.then((reason) => {
    if (!isStopping) surroundings.giveUp(reason);
  });
  return { ok: true, value: running.value.methods };
}
