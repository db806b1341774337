// Desks over small tables: `operator` has principals, quotas and a task of two phases; `visitor` has none of these.
import { backend, CATEGORY, PUBLIC, row, tables, tool } from "../../../lib/policy/testing/sample.ts";
import { PolicyTables, type Quota, type Row } from "../../../lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../lib/wire/index.ts";
import { type Desk, openDesks } from "../broker.ts";
import type { Disk } from "../disk/disk.ts";
import { numbered, quota, TestWorld } from "../quotas/testing/quota-ledgers.ts";

export const BOOT_ID = "00112233445566778899aabbccddeeff";

const BACKENDS = [
  { name: "canned", mode: "auto" },
  { name: "gated", mode: "consent" },
  { name: "closed", mode: "forbidden" },
] as const;

export interface Page {
  readonly alice?: readonly string[];
  readonly bob?: readonly string[];
  /** Names of the passphrases of alice and bob. */
  readonly passphrases?: readonly string[];
  readonly quotas?: readonly Quota[];
  readonly remember?: Row["remember"];
  /** Login of `operator`, in all rows of the session. */
  readonly login?: Row["login"];
  /** Quotas of `canned`, which answers in both sessions. */
  readonly backendQuotas?: readonly Quota[];
  /** Whether `operator` has the timer `nightly`. */
  readonly hasTimer?: boolean;
}

/** Timer of the session `operator`. */
const NIGHTLY = {
  name: "nightly",
  source: "timer",
  address: "0 3 * * *",
  row: 0,
  label: PUBLIC,
  zone: "UTC",
  missed: "once",
  says: "Sum up.",
} as const;

/** Returns tables.bin of a page with alice and bob as principals of `operator`. */
export function tablesBytes({
  alice = [],
  bob = [],
  passphrases = [],
  quotas: given = [quota("2 calls per turn")],
  remember = "none",
  login = "none",
  backendQuotas = [],
  hasTimer = false,
}: Page = {}): Uint8Array {
  const lines = numbered([...given, quota("1 prompts per task"), ...backendQuotas]);
  const inTask = lines.quotas.slice(0, given.length + 1);
  const quotas = lines.quotas.slice(0, given.length);
  const backends = BACKENDS.map(({ mode }, backend) => ({ backend, mode }));
  const operator = row("operator", [2, 2, 0, 1], { quotas, principals: [0, 1], remember, login, backends });
  const triage = { ...operator, task: "triage", quotas: inTask };
  const look = { ...triage, phase: "look", cells: [0, 2, 0, 0] };
  const mend = { ...triage, phase: "mend", phaseIndex: 1, entry: "consent" as const };
  return encodeMessage(
    PolicyTables,
    tables({
      tools: [
        tool("notes.delete", { category: CATEGORY.destructive }),
        tool("notes.read", { category: CATEGORY.readOnly, readOnly: true }),
        tool("notes.suppressed"),
        tool("notes.uncovered"),
      ],
      principals: [
        { name: "alice", keys: alice, passphrase: passphrases[0] ?? "" },
        { name: "bob", keys: bob, passphrase: passphrases[1] ?? "" },
      ],
      rules: lines.rules,
      rows: [operator, look, mend, row("visitor", [2, 2, 2, 2], { backends })],
      backends: BACKENDS.map(({ name }) => {
        const counted = name === "canned" ? lines.quotas.slice(given.length + 1) : [];
        return backend(name, { quotas: counted });
      }),
      ingresses: hasTimer ? [NIGHTLY] : [],
    }),
  );
}

export function desksOf(page: Page = {}, bootId = BOOT_ID, disk?: Disk) {
  const world = new TestWorld();
  const opened = openDesks(tablesBytes(page), bootId, world, disk);
  if (!opened.ok) throw new Error(opened.reason);
  const desk = (session: string): Desk => {
    const found = opened.value.get(session);
    if (found === undefined) throw new Error(`there is no desk for ${session}`);
    return found;
  };
  return { desks: opened.value, desk, world };
}
