import { expect, test } from "vitest";
import { CATEGORY, row, tables, tool } from "../../lib/policy/testing/sample.ts";
import { PolicyTables, type Quota } from "../../lib/wire/generated/policy.ts";
import { encodeMessage } from "../../lib/wire/index.ts";
import { openDesks } from "./broker.ts";
import { quota, TestWorld } from "./quotas/testing/quota-ledgers.ts";
import { softKey } from "./sshsig/testing/soft-key.ts";
import { BOOT_ID, desksOf, type Page, tablesBytes } from "./testing/brokers.ts";

function reasonOf(bytes: Uint8Array, bootId = BOOT_ID): string {
  const opened = openDesks(bytes, bootId, new TestWorld());
  return opened.ok ? "" : opened.reason;
}

const key = softKey("ssh-ed25519").line;
const UNKEPT: Quota = { ...quota("5 calls per login"), scope: "day" };

const REFUSED: Record<string, readonly [Page, string]> = {
  "a quota of money": [
    { quotas: [{ ...UNKEPT, unit: "money", name: "EUR", scope: "turn" }] },
    "session operator: quota 0.000005 EUR per turn: no backend is paid in EUR",
  ],
  "a backend's quota of money": [
    { backendQuotas: [{ ...UNKEPT, unit: "money", name: "EUR" }] },
    "quota 0.000005 EUR per day: no backend is paid in EUR",
  ],
  "a key that cannot be verified": [
    { alice: ["ssh-rsa AAAA"] },
    "session operator: principal alice: a public key is neither ssh-ed25519 nor sk-ssh-ed25519@openssh.com",
  ],
  "a key of two principals": [
    { alice: [key], bob: [key] },
    "session operator: principals alice and bob have the same key",
  ],
};
for (const [what, [page, reason]] of Object.entries(REFUSED)) {
  test(`refuses tables with ${what} before it serves a session`, () => {
    expect(reasonOf(tablesBytes(page))).toBe(reason);
  });
}

test("refuses malformed tables and a boot without an identity", () => {
  expect(reasonOf(new Uint8Array(7))).toMatch(/policy tables cannot be read/);
  expect(reasonOf(tablesBytes(), "")).toBe("CAPOS_BOOT_ID is not 32 hex digits");
  expect(reasonOf(tablesBytes(), BOOT_ID.toUpperCase())).toBe("CAPOS_BOOT_ID is not 32 hex digits");
});

test("refuses a session that consists only of tasks, because no row would have its quotas", () => {
  const one = tool("notes.read", { category: CATEGORY.readOnly });
  const bytes = encodeMessage(PolicyTables, tables({ tools: [one], rows: [row("s", [2], { task: "t" })] }));
  expect(reasonOf(bytes)).toBe("session s: it has tasks or workers and no row of its own");
});

test("in each session, the broker finds only the tools of that session", () => {
  const { desks, desk } = desksOf();
  expect([...desks.keys()]).toEqual(["operator", "visitor"]);
  const own = (session: string) => desk(session).row("", "") ?? row("", []);
  const known = (session: string) =>
    ["notes.delete", "notes.read", "notes.suppressed", "notes.uncovered", "toString"].filter(
      (name) => desk(session).tool(own(session), name)?.name === name,
    );
  expect(known("operator")).toEqual(["notes.delete", "notes.read"]);
  expect(known("visitor")).toEqual(["notes.delete", "notes.read", "notes.suppressed", "notes.uncovered"]);
});

test("refuses a money quota in the row of a task if no backend is paid in its currency", () => {
  const bytes = encodeMessage(
    PolicyTables,
    tables({
      rows: [row("s", [2]), row("s", [2], { task: "t", quotas: [{ ...UNKEPT, unit: "money", name: "EUR" }] })],
    }),
  );
  expect(reasonOf(bytes)).toBe("session s: quota 0.000005 EUR per day: no backend is paid in EUR");
});
