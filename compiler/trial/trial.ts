// Runs a page inside this program. The processes have the code of an image, and the tables and grants of the page, but
// no isolation.

import { randomBytes } from "node:crypto";
import { connect } from "../../engine/lib/wire/index.ts";
import { closePartition } from "../../engine/processes/audit/partition-file.ts";
import type { StandIn } from "../../engine/processes/egress/connection.ts";
import { listSessionNames } from "../../targets/manifest/session.ts";
import { type Front, TrialConsole } from "./console.ts";
import { HostInit } from "./init.ts";
import { planTrial, type TrialPage } from "./plan.ts";

export interface Trial {
  readonly console: TrialConsole;
  /** Names of the page's processes that cannot run here. */
  readonly absent: readonly string[];
  /** Ends all processes in order; the audit process is the last one. */
  readonly end: () => Promise<void>;
}

interface TrialOptions {
  readonly page: TrialPage;
  /** Path of a folder that replaces the data disk. */
  readonly disk: string;
  readonly front: Front;
  /** Addresses of name servers, separated by commas; without any, no name is resolved. */
  readonly resolvers: string;
  /** Answers requests in place of the network. */
  readonly standIn?: StandIn | undefined;
  /** Called if a process died that is never restarted. */
  readonly onBroken: (reason: string) => void;
}

const BOOT_ID_BYTES = 16;
const LONG_MS = 1 << 30;

/** Starts a page. Resolves when all of its processes are ready. */
export async function openTrial({ page, disk, front, resolvers, standIn, onBroken }: TrialOptions): Promise<Trial> {
  const planned = await planTrial(page, disk, standIn);
  // Open pairs of streams do not keep Node.js running, so this timer keeps it running until the trial ends.
  const alive = setInterval(() => {}, LONG_MS);
  const console = new TrialConsole(front);
  const init = new HostInit(planned, {
    bootId: randomBytes(BOOT_ID_BYTES).toString("hex"),
    resolvers,
    now: () => performance.now(),
    console,
    tell: (line) => console.tellOfInit(line),
    onBroken,
  });
  const running = new Set(planned.map(({ process }) => process.name));
  const sessions = listSessionNames(page.policy).map((name) => {
    return { name, connection: connect(init.connectConsole(name)), hasLoop: running.has(`loop.${name}`) };
  });
  console.connect(sessions, connect(init.connectSupervisor()));
  front.attach(console);
  await init.start();
  const absent = planned.flatMap(({ process, program }) => (program === undefined ? [process.name] : []));
  const end = async (): Promise<void> => {
    console.close();
    await init.end();
    for (const { handed } of planned) for (const file of handed.partitions.values()) closePartition(file);
    clearInterval(alive);
  };
  return { console, absent, end };
}
