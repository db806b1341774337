import { parseArgs } from "node:util";
import { readTables } from "../policy/index.ts";
import { openCapset } from "../wire/capset.ts";
import { Gate } from "./gate.ts";
import { personBehind, serveGate } from "./serve.ts";

const { values } = parseArgs({ options: { session: { type: "string", default: "" } } });
const capset = openCapset();
const bytes = capset.file("tables");
const tables = readTables(bytes);
const services = [...capset.held.keys()].filter((name) => name !== "console");
const gate = tables.ok
  ? Gate.open({
      tables: tables.value,
      session: values.session,
      person: personBehind(capset.connection("console")),
      providers: new Map(services.map((name) => [name, capset.connection(name)])),
    })
  : undefined;

if (gate === undefined) {
  // Init shows what a process said last when it dies; a machine without its gate shuts down.
  process.stderr.write(`${tables.ok ? `the tables have no session ${values.session}` : tables.reason}\n`);
  process.exit(1);
}
capset.onGrant(({ stream, interfaceId }) => serveGate(stream, interfaceId, { gate, tables: bytes, held: capset.held }));
capset.ready();
