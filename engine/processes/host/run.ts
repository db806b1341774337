import { readTables } from "../../lib/policy/index.ts";
import { Terminal } from "../../lib/wire/generated/wire.ts";
import type { Program } from "../../lib/wire/program.ts";
import { Host } from "./host.ts";
import { serveLoop } from "./serve.ts";
import { listTimers } from "./timers.ts";
import { Worker } from "./worker.ts";

/** Prefix of the capabilities with which the host reaches the gates of workers; the ingress follows. */
const WORKER = "worker.";

/** A host that cannot read the tables gives up; then no task is submitted and none is begun. */
export const runHost: Program = (capset, { log, giveUp }) => {
  const bytes = capset.file("tables");
  const tables = readTables(bytes);
  if (!tables.ok) return giveUp(tables.reason);
  const timers = listTimers(bytes, tables.value);
  if (!timers.ok) return giveUp(timers.reason);
  const workers = new Map(
    timers.value.map(({ name, session }) => {
      return [name, new Worker(`gate.${session}.${name}`, capset.connection(`${WORKER}${name}`))] as const;
    }),
  );
  const loops = new Map([...workers.values()].map((worker) => [worker.gate.replace(/^gate\./, "loop."), worker]));
  capset.onGrant(({ stream, holder, interfaceId }) => {
    const worker = interfaceId === Terminal.id ? loops.get(holder) : undefined;
    if (worker !== undefined) return void serveLoop(stream, worker);
    stream.destroy();
    log(`${holder} was cut off: it is no loop of a worker`);
  });
  let wake = () => {};
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, ms);
    });
  const host = new Host({ ledger: capset.connection("ledger"), timers: timers.value, workers, world: { wait, log } });
  capset.onStop(async () => {
    host.stop();
    wake();
  });
  capset.ready();
  return host.run();
};
