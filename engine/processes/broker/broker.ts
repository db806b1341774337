// Opens the broker's desks: one for each session, and one for the worker of each timer. A desk has quotas, challenges,
// the login, consents and stored conversations. Desks share the tables, the data disk, the verifiers of passphrases,
// and the counts of backends. A session cannot see the quotas or signatures of another session. If the tables require
// something that this broker cannot do, the broker ends before it serves a gate.

import { createHash } from "node:crypto";
import { type IndexedTables, readTables, UNCOVERED } from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { nameSeat } from "../../lib/roles/names.ts";
import type { Backend, Quota, Row, Tool } from "../../lib/wire/generated/policy.ts";
import { Consents } from "./consents/consents.ts";
import { ConversationSources } from "./conversation-sources.ts";
import { ConversationStates } from "./conversation-states.ts";
import { Counts } from "./disk/counts.ts";
import type { Disk } from "./disk/disk.ts";
import { type Door, KeyDoor } from "./login/door.ts";
import { Login } from "./login/login.ts";
import { type Holder, PassphraseDoor } from "./login/passphrase-door.ts";
import { Passphrases } from "./login/passphrases.ts";
import {
  Answers,
  type CountedQuota,
  describeQuota,
  explainUnkept,
  type LastingCountsOptions,
  type Price,
  QuotaLedger,
  type QuotaStatus,
} from "./quotas/index.ts";
import { buildKeyRing, getPrincipals } from "./step-up/principals.ts";
import { NAMESPACES, SignedLines } from "./step-up/signed-line.ts";
import { StepUp } from "./step-up/step-up.ts";
import type { World } from "./world.ts";

/** A backend that may answer for a row, and the state of its own quotas. */
interface DesksBackend {
  readonly name: string;
  readonly standings: (conversation: string, turn: number) => readonly QuotaStatus[];
}

export interface Desk {
  readonly ledger: QuotaLedger;
  readonly answers: Answers;
  /**
   * Returns the quotas that count an answer of this backend, with the backend's price and the size of its context.
   * Returns `undefined` if the backend does not answer for the row; fails if the turn is over.
   */
  readonly countedFor: (
    row: Row,
    backend: string,
    conversation: string,
    turn: number,
  ) =>
    | Result<{ readonly counted: readonly CountedQuota[]; readonly price: Price; readonly contextTokens: number }>
    | undefined;
  readonly backendsOf: (row: Row) => readonly DesksBackend[];
  readonly stepUp: StepUp;
  readonly login: Login;
  readonly consents: Consents;
  readonly kept: ConversationStates;
  readonly sources: ConversationSources;
  /** Returns the row of a phase of a task; if both names are empty, the session's own row. */
  readonly row: (task: string, phase: string) => Row | undefined;
  /** Returns a tool of a row, by the name that the model uses. */
  readonly tool: (row: Row, name: string) => Tool | undefined;
}

/** Desks by the name of their session, or by `SESSION.INGRESS` for the worker of a timer. */
export type Desks = ReadonlyMap<string, Desk>;

/**
 * Opens the desks of all sessions. `tables`: the raw tables.bin. `bootId`: 32 hex digits. `disk`: absent if the machine has no data disk.
 */
export function openDesks(tables: Uint8Array, bootId: string, world: World, disk?: Disk): Result<Desks> {
  if (!/^[0-9a-f]{32}$/.test(bootId)) return refuse("CAPOS_BOOT_ID is not 32 hex digits");
  const read = readTables(tables);
  if (!read.ok) return read;
  const faults = read.value.backends.flatMap((backend) => findQuotaFault(backend.quotas, [backend]) ?? []);
  if (faults[0] !== undefined) return refuse(faults[0]);
  const counts = disk && Counts.open(world, disk);
  const lasting = counts?.ok === true ? { counts: counts.value } : { missing: counts?.reason ?? NO_DISK };
  const backends = read.value.backends.map(
    ({ name }) => new QuotaLedger(read.value, world, { ...lasting, name: `backend ${name}`, people: [] }),
  );
  const boot: Boot = {
    bootId,
    policyDigest: createHash("sha256").update(tables).digest("hex"),
    world,
    backends,
    lasting,
    disk,
    passphrases: Passphrases.open(world, disk),
  };
  const desks = new Map<string, Desk>();
  for (const session of new Set(read.value.rows.map((row) => row.session))) {
    const desk = openDesk(read.value, session, boot);
    if (!desk.ok) return refuse(`session ${session}: ${desk.reason}`);
    desks.set(session, desk.value);
  }
  for (const { source, name, row } of read.value.ingresses) {
    const session = read.value.rows[row]?.session;
    if (source !== "timer" || session === undefined) continue;
    const desk = openDesk(read.value, session, boot, name);
    if (!desk.ok) return refuse(`ingress ${name}: ${desk.reason}`);
    desks.set(nameSeat(session, name), desk.value);
  }
  return accept(desks);
}

interface Boot {
  readonly bootId: string;
  readonly policyDigest: string;
  readonly world: World;
  /**
   * Quota ledgers of the backends, in the order in which the policy tables list the backends. Each ledger counts the
   * use of its backend by all sessions together; each session has a further ledger for its own quotas.
   */
  readonly backends: readonly QuotaLedger[];
  readonly lasting: Pick<LastingCountsOptions, "counts" | "missing">;
  readonly disk: Disk | undefined;
  /** Passphrases of all sessions; a person with access to several sessions has one passphrase for all of them. */
  readonly passphrases: Result<Passphrases>;
}

const NO_DISK = "there is no data disk to count on";

/**
 * Opens the desk of a session or, with `ingress`, of the worker of this timer. Nobody logs in to a worker. It counts
 * its conversations itself, and shares the counts of days and principals with its session.
 */
function openDesk(
  tables: IndexedTables,
  session: string,
  { world, backends, lasting, disk, passphrases, ...boot }: Boot,
  ingress?: string,
): Result<Desk> {
  const rows = tables.rows.filter((row) => row.session === session && row.worker === "");
  const own = rows.find(({ task }) => task === "");
  if (own === undefined) return refuse("it has tasks or workers and no row of its own");
  const faults = rows.flatMap((row) => findQuotaFault(row.quotas, listAnsweringBackends(tables, row)) ?? []);
  if (faults[0] !== undefined) return refuse(faults[0]);
  const ring = buildKeyRing(tables, own);
  if (!ring.ok) return ring;
  const setting = { ...boot, systemId: tables.systemId, session };
  const stepUpFor = (namespace: (typeof NAMESPACES)[keyof typeof NAMESPACES]) =>
    new StepUp({ ...setting, namespace }, ring.value, world);
  const doorOf = (): Result<Door | undefined> => {
    switch (ingress === undefined ? own.login : "none") {
      case "none":
        return accept(undefined);
      case "key":
        if (ring.value.size === 0) return refuse("it is opened by a key, and no principal has one");
        return accept(new KeyDoor(session, stepUpFor(NAMESPACES.login), world));
      case "passphrase": {
        const held = findHolders(tables, own);
        if (!held.ok) return held;
        const lines = new SignedLines({ ...setting, namespace: NAMESPACES.login }, world);
        return accept(new PassphraseDoor({ session, holders: held.value, passphrases, lines }, world));
      }
    }
  };
  const door = doorOf();
  if (!door.ok) return door;
  const hasLogin = door.value !== undefined;
  const login = new Login(door.value);
  const everybody = own.principals.flatMap((index) => tables.principals[index]?.name ?? []);
  const ledger = new QuotaLedger(tables, world, {
    ...lasting,
    name: session,
    hasLogin,
    get people() {
      return hasLogin ? [login.principal] : everybody;
    },
  });
  // A backend's count per principal is one shared count for all sessions without a login.
  const getAskingPrincipals = () => (hasLogin ? [login.principal] : undefined);
  const listSharedBooks = (row: Row) =>
    row.backends.flatMap(({ backend, mode }): readonly Shared[] => {
      const [plan, book] = [tables.backends[backend], backends[backend]];
      return plan === undefined || book === undefined || mode === "forbidden" ? [] : [{ plan, book }];
    });
  // A backend's counts distinguish conversations of different sessions, even if the names are equal.
  const desk = nameSeat(session, ingress);
  const nameConversation = (conversation: string) => `${desk} ${conversation}`;
  return accept({
    ledger,
    answers: new Answers(tables, world, (counted) => ledger.keep(counted)),
    countedFor: (row, name, conversation, turn) => {
      const found = listSharedBooks(row).find(({ plan }) => plan.name === name);
      if (found === undefined) return undefined;
      const { plan } = found;
      const used = row.quotas.filter(
        ({ unit, name: named }) => unit === "tokens" || (unit === "money" && named === plan.currency),
      );
      const own = ledger.openCounted(conversation, turn, used);
      const theirs = found.book.openCounted(nameConversation(conversation), turn, plan.quotas, getAskingPrincipals());
      if (!own.ok) return own;
      if (!theirs.ok) return theirs;
      const { contextTokens } = plan;
      return accept({ counted: [...own.value, ...theirs.value], price: plan, contextTokens });
    },
    backendsOf: (row) =>
      listSharedBooks(row).map(({ plan, book }) => ({
        name: plan.name,
        standings: (conversation, turn) =>
          book.listStandings(nameConversation(conversation), turn, plan.quotas, getAskingPrincipals()),
      })),
    stepUp: stepUpFor(NAMESPACES.stepUp),
    login,
    consents: new Consents(tables, world),
    kept: new ConversationStates(desk, disk),
    sources: new ConversationSources(desk, disk),
    row: (task, phase) => rows.find((row) => row.task === task && row.phase === phase),
    tool: (row, name) => findTool(tables, row, name),
  });
}

/**
 * Returns the principals whose passphrases open a row's session. Fails if two principals have the same passphrase,
 * because it would be unclear which of them is present.
 */
function findHolders(tables: IndexedTables, row: Row): Result<readonly Holder[]> {
  const holders = getPrincipals(tables, row).flatMap(({ name: principal, passphrase: name }) =>
    name === "" ? [] : [{ principal, name }],
  );
  const shared = holders.find(({ name }, index) => holders.findIndex((one) => one.name === name) !== index);
  return shared === undefined ? accept(holders) : refuse(`two principals have the passphrase ${shared.name}`);
}

interface Shared {
  readonly plan: Backend;
  readonly book: QuotaLedger;
}

/** Returns the backends that may answer for a row. */
function listAnsweringBackends({ backends }: IndexedTables, row: Row): readonly Backend[] {
  return row.backends.flatMap(({ backend, mode }) => (mode === "forbidden" ? [] : (backends[backend] ?? [])));
}

function findQuotaFault(quotas: readonly Quota[], backends: readonly Backend[]): string | undefined {
  for (const quota of quotas) {
    const reason = explainUnkept(quota, backends);
    if (reason !== undefined) return `quota ${describeQuota(quota)}: ${reason}`;
  }
  return undefined;
}

function findTool(tables: IndexedTables, row: Row, name: string): Tool | undefined {
  const index = tables.toolIndex.get(name);
  if (index === undefined || (row.cells[index] ?? UNCOVERED) <= UNCOVERED) return undefined;
  return tables.tools[index];
}
