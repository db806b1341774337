// One desk per session: quotas and presence. The desks share nothing but the tables; what one session spends or signs is
// not to be seen from another. What the tables ask for and this broker cannot keep ends it before it serves anyone.

import { createHash } from "node:crypto";
import { accept, type Checked, refuse } from "../policy/checked.ts";
import { type IndexedTables, readTables, UNCOVERED } from "../policy/index.ts";
import type { Quota, Row, Tool } from "../wire/generated/policy.ts";
import { Consents } from "./consents/consents.ts";
import { Kept } from "./kept.ts";
import { Ledger, quotaWords, unkept } from "./ledger/index.ts";
import { keyRing } from "./step-up/principals.ts";
import { StepUp } from "./step-up/step-up.ts";
import type { World } from "./world.ts";

export interface Desk {
  readonly ledger: Ledger;
  readonly stepUp: StepUp;
  readonly consents: Consents;
  readonly kept: Kept;
  /** The session's own row, or that of a phase of one of its tasks. */
  readonly row: (task: string, phase: string) => Row | undefined;
  /** A tool that a row has, by the name that the model uses. */
  readonly tool: (row: Row, name: string) => Tool | undefined;
}

/** Desks by name of their session. */
export type Desks = ReadonlyMap<string, Desk>;

/** `tables`: the raw tables.bin. `bootId`: 32 hex digits. */
export function openDesks(tables: Uint8Array, bootId: string, world: World): Checked<Desks> {
  if (!/^[0-9a-f]{32}$/.test(bootId)) return refuse("CAPOS_BOOT_ID is not 32 hex digits");
  const read = readTables(tables);
  if (!read.ok) return read;
  const boot: Boot = { bootId, policyDigest: createHash("sha256").update(tables).digest("hex"), world };
  const desks = new Map<string, Desk>();
  for (const session of new Set(read.value.rows.map((row) => row.session))) {
    const desk = openDesk(read.value, session, boot);
    if (!desk.ok) return refuse(`session ${session}: ${desk.reason}`);
    desks.set(session, desk.value);
  }
  return accept(desks);
}

interface Boot {
  readonly bootId: string;
  readonly policyDigest: string;
  readonly world: World;
}

function openDesk(tables: IndexedTables, session: string, { world, ...boot }: Boot): Checked<Desk> {
  const rows = tables.rows.filter((row) => row.session === session && row.worker === "");
  const own = rows.find(({ task }) => task === "");
  if (own === undefined) return refuse("it has tasks or workers and no row of its own");
  const fault = faultOfQuotas(rows.flatMap(({ quotas }) => quotas));
  if (fault !== undefined) return refuse(fault);
  const ring = keyRing(tables, own);
  if (!ring.ok) return ring;
  const setting = { ...boot, systemId: tables.systemId, session };
  return accept({
    ledger: new Ledger(tables, world),
    stepUp: new StepUp(setting, ring.value, world),
    consents: new Consents(tables, world),
    kept: new Kept(),
    row: (task, phase) => rows.find((row) => row.task === task && row.phase === phase),
    tool: (row, name) => toolOf(tables, row, name),
  });
}

function faultOfQuotas(quotas: readonly Quota[]): string | undefined {
  for (const quota of quotas) {
    const reason = unkept(quota);
    if (reason !== undefined) return `quota ${quotaWords(quota)}: ${reason}`;
  }
  return undefined;
}

function toolOf(tables: IndexedTables, row: Row, name: string): Tool | undefined {
  const index = tables.toolIndex.get(name);
  if (index === undefined || (row.cells[index] ?? UNCOVERED) <= UNCOVERED) return undefined;
  return tables.tools[index];
}
