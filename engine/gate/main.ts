import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { readTables } from "../policy/index.ts";
import { openCapset } from "../wire/capset.ts";
import { Archive } from "./archive.ts";
import { Gate } from "./gate.ts";
import { heedInterrupts, personBehind, serveGate } from "./serve.ts";

const text = { type: "string", default: "" } as const;
const { values } = parseArgs({ options: { session: text, model: text, backend: text } });
const capset = openCapset();
const bytes = capset.file("tables");
const tables = readTables(bytes);
/** Everything else that a gate holds is a service of its session. */
const NEIGHBOURS: readonly string[] = ["console", "conversations", "broker", "audit", "supervisor"];
const services = [...capset.held.keys()].filter((name) => !NEIGHBOURS.includes(name));
const person = personBehind(capset.connection("console"));
const gate = tables.ok
  ? Gate.open(
      {
        tables: tables.value,
        policyDigest: createHash("sha256").update(bytes).digest(),
        session: values.session,
        person,
        providers: new Map(services.map((name) => [name, capset.connection(name)])),
        broker: capset.connection("broker"),
        audit: capset.connection("audit"),
      },
      { id: values.model, backend: values.backend },
    )
  : undefined;

if (gate === undefined) {
  // Init shows what a process said last when it dies; a machine without its gate shuts down.
  process.stderr.write(`${tables.ok ? `the tables have no session ${values.session}` : tables.reason}\n`);
  process.exit(1);
}
const supervisor = capset.connection("supervisor");
const archive = capset.held.has("conversations")
  ? new Archive({ store: capset.connection("conversations"), supervisor })
  : undefined;
const first = await archive?.first();
if (first?.ok === true) gate.nameAs(first.value);
const parts = { gate, held: capset.held, supervisor, archive };
capset.onGrant(({ stream, interfaceId }) => serveGate(stream, interfaceId, parts));
void heedInterrupts(person, gate);
capset.onStop(() => gate.stop());
capset.ready();
