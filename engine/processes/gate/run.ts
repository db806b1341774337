import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { readTables } from "../../lib/policy/index.ts";
import { RESERVED_NAMES } from "../../lib/roles/index.ts";
import { Worker } from "../../lib/wire/generated/ledger.ts";
import { PlanGate } from "../../lib/wire/generated/service.ts";
import { ToolProxy } from "../../lib/wire/generated/wire.ts";
import type { Program } from "../../lib/wire/program.ts";
import { Archive } from "./archive.ts";
import { Gate } from "./gate.ts";
import { Models } from "./models.ts";
import { Parking } from "./parking.ts";
import { Plans } from "./plans.ts";
import { watchProviders } from "./providers.ts";
import { connectPerson, heedInterrupts, serveGate, servePlans, serveWorker } from "./serve.ts";
import { createAbsentPerson, openWork } from "./work.ts";

const text = { type: "string", default: "" } as const;
const several = { type: "string", multiple: true, default: [] as string[] } as const;
/**
 * Options of the process: `backend` lists the backends of the session, and `model` lists their models' ids for the audit,
 * in the same order. `ingress` names the ingress whose tasks the gate runs; without it the gate serves people.
 */
const OPTIONS = { session: text, ingress: { type: "string" }, model: several, backend: several } as const;
const NANOSECONDS_PER_MS = 1_000_000n;
/** Node's clock is the kernel's CLOCK_MONOTONIC, which setting the time of day does not change. */
const readMonotonicMs = () => Number(process.hrtime.bigint() / NANOSECONDS_PER_MS);
/**
 * Returns whether a capability of a gate is a service of its session. All names are names of services except the names
 * of parts of the image, which no service can have.
 */
const isService = (name: string) => !RESERVED_NAMES.has(name) && !name.startsWith("model.");

/** A gate that cannot start gives up, and init shuts down the machine. */
export const runGate: Program = async (capset, { words, giveUp }) => {
  const { session, ingress, model, backend } = parseArgs({ args: [...words], options: OPTIONS }).values;
  const bytes = capset.file("tables");
  const tables = readTables(bytes);
  if (!tables.ok) return giveUp(tables.reason);
  const services = [...capset.held.keys()].filter(isService);
  const person =
    ingress === undefined
      ? connectPerson("console", capset.connection("console"))
      : createAbsentPerson(`ingress ${ingress}`);
  const models = new Map(
    backend.map((name, index) => {
      return [name, { id: model[index] ?? "", meter: capset.connection(`model.${name}`) }] as const;
    }),
  );
  const supervisor = capset.connection("supervisor");
  const archive = capset.held.has("conversations")
    ? new Archive({ store: capset.connection("conversations"), supervisor })
    : undefined;
  const known = {
    tables: tables.value,
    policyDigest: createHash("sha256").update(bytes).digest(),
    session,
    ingress,
    person,
    broker: capset.connection("broker"),
    audit: capset.connection("audit"),
    parking: new Parking(readMonotonicMs),
  };
  const recalled = archive && ((conversation: string) => archive.takeRecalled(conversation));
  const providers = new Map(services.map((name) => [name, capset.connection(name)]));
  const gate = Gate.open({ ...known, providers, models: new Models({ ...known, models, recalled }) });
  if (gate === undefined) return giveUp(`no conversation of ${ingress ?? session} can begin under these tables`);
  // A worker begins a conversation with each task.
  const first = ingress === undefined ? await archive?.beginFirst() : undefined;
  if (first?.ok === true) gate.nameAs(first.value);
  const work = ingress === undefined ? undefined : openWork(gate, archive, capset);
  if (work?.ok === false) return giveUp(work.reason);
  const parts = { gate, held: capset.held, supervisor, archive };
  const plans = new Plans(gate, readMonotonicMs);
  capset.onGrant(({ stream, interfaceId }) => {
    if (interfaceId === PlanGate.id) servePlans(stream, plans);
    else if (work?.ok === true && interfaceId === Worker.id) serveWorker(stream, work.value, gate);
    // No person gives commands to a worker, so its gate serves nothing else than its loop.
    else if (work === undefined || interfaceId === ToolProxy.id) serveGate(stream, interfaceId, parts);
    else stream.destroy();
  });
  watchProviders(services, { onEnd: capset.onEnd, supervisor, note: (event, detail) => gate.note(event, detail) });
  void heedInterrupts(person, gate);
  capset.onStop(() => gate.stop());
  capset.ready();
};
