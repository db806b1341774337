// Desks share the disk and a backend's counts, but no state of a single session.
import { expect, test } from "vitest";
import type { Quota } from "../../lib/wire/generated/policy.ts";
import { openDesks } from "./broker.ts";
import { MemoryDisk } from "./disk/testing/memory-disk.ts";
import { quota, TestWorld } from "./quotas/testing/quota-ledgers.ts";
import { softKey } from "./sshsig/testing/soft-key.ts";
import { BOOT_ID, tablesBytes } from "./testing/brokers.ts";

const alice = softKey("ssh-ed25519").line;

/** Opens desks with these quotas. Returns a function that charges a call, and one that reserves an answer. */
function started(quotas: readonly Quota[], backendQuotas: readonly Quota[], disk?: MemoryDisk) {
  const bytes = tablesBytes({ alice: [alice], quotas, backendQuotas, hasTimer: true });
  const opened = openDesks(bytes, BOOT_ID, new TestWorld(), disk);
  if (!opened.ok) throw new Error(opened.reason);
  const deskOf = (session: string) => {
    const desk = opened.value.get(session);
    const row = desk?.row("", "");
    if (desk === undefined || row === undefined) throw new Error(`there is no desk for ${session}`);
    return { desk, row };
  };
  /** Requests a charge for one call; returns a lease, or which quota is exhausted. */
  const call = (session: string) => {
    const { desk, row } = deskOf(session);
    const tool = desk.tool(row, "notes.read");
    return desk.ledger.reserve({ conversation: "c", turn: 1, row, tool, prompts: 0, argumentBytes: 0 });
  };
  /**
   * Reserves one answer and does not settle it, so that all of its tokens count as used. Returns their number, or why
   * there is no answer.
   */
  const answer = (session: string, conversation = "c") => {
    const { desk, row } = deskOf(session);
    const counted = desk.countedFor(row, "canned", conversation, 1);
    if (counted?.ok !== true) return counted?.reason;
    const reserved = desk.answers.reserve(counted.value.counted, counted.value.price);
    return "lease" in reserved ? reserved.mostTokens : reserved.exhausted;
  };
  return { call, answer };
}

test("counters per day and per principal survive a restart, for sessions and backends", () => {
  const disk = new MemoryDisk();
  const quotas = [quota("1 calls per principal")];
  const backendQuotas = [quota("7 tokens per day")];
  const first = started(quotas, backendQuotas, disk);
  expect(first.call("operator")).toHaveProperty("lease");
  expect(first.answer("visitor")).toBe(7);
  const again = started(quotas, backendQuotas, disk);
  expect(again.call("operator")).toMatchObject({ exhausted: expect.stringMatching(/^1 calls per principal /) });
  for (const session of ["operator", "visitor"]) expect(again.answer(session)).toMatch(/^7 tokens per day /);
  expect(started(quotas, backendQuotas, new MemoryDisk()).call("operator")).toHaveProperty("lease");
});

test("the worker of a timer shares the counts of days and principals with its session, and no other counts", () => {
  const daily = started([quota("2 calls per day")], [], new MemoryDisk());
  for (const desk of ["operator", "operator.nightly"]) expect(daily.call(desk)).toHaveProperty("lease");
  for (const desk of ["operator", "operator.nightly"])
    expect(daily.call(desk)).toMatchObject({ exhausted: expect.stringMatching(/^2 calls per day /) });
  const turns = started([quota("1 calls per turn")], []);
  for (const desk of ["operator", "operator.nightly"]) expect(turns.call(desk)).toHaveProperty("lease");
});

test("the worker of a timer has no login, and its conversations are not those of its session", () => {
  const bytes = tablesBytes({ alice: [alice], login: "key", hasTimer: true });
  const opened = openDesks(bytes, BOOT_ID, new TestWorld(), new MemoryDisk());
  if (!opened.ok) throw new Error(opened.reason);
  const [session, worker] = ["operator", "operator.nightly"].map((name) => opened.value.get(name));
  expect([session?.login.isLocked, worker?.login.isLocked]).toEqual([true, false]);
  expect(worker?.kept.keep("c", new Uint8Array([1]))).toBeUndefined();
  expect([session?.kept.getState("c"), worker?.kept.getState("c")]).toEqual([new Uint8Array(), new Uint8Array([1])]);
});

test("refuses quotas that need the disk if the disk is missing or damaged, and names the quotas", () => {
  const [quotas, backendQuotas] = [[quota("1 calls per principal")], [quota("7 tokens per day")]];
  const spoiled = new MemoryDisk();
  spoiled.files.set("spent", Buffer.from("x"));
  for (const [disk, why] of [
    [undefined, "there is no data disk to count on"],
    [spoiled, "what was spent is damaged on the data disk: it has 1 bytes"],
  ] as const) {
    const { call, answer } = started(quotas, backendQuotas, disk);
    expect(call("operator")).toEqual({ exhausted: `1 calls per principal: ${why}` });
    expect(answer("visitor")).toBe(`7 tokens per day: ${why}`);
  }
});

test("a backend's quota per conversation counts the answers of each session separately, and no calls", () => {
  const { answer, call } = started([quota("1 calls per turn")], [quota("5 tokens per conversation")]);
  expect(call("operator")).toHaveProperty("lease");
  expect(["operator", "visitor"].map((session) => answer(session))).toEqual([5, 5]);
  expect(["operator", "visitor"].map((session) => answer(session))).toEqual([
    expect.stringMatching(/^5 tokens per conversation /),
    expect.stringMatching(/^5 tokens per conversation /),
  ]);
  expect(answer("operator", "d")).toBe(5);
});

test("a boot id has exactly 32 hex digits", () => {
  for (const bootId of [`0${BOOT_ID}`, `${BOOT_ID}0`, `${BOOT_ID.slice(1)}g`]) {
    expect(openDesks(tablesBytes(), bootId, new TestWorld())).toEqual({
      ok: false,
      reason: "CAPOS_BOOT_ID is not 32 hex digits",
    });
  }
});
