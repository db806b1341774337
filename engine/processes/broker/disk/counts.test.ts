// Tests counts that outlast a run, with crashes at every step, clocks that jump and disks that fail.
import fc from "fast-check";
import { expect, test } from "vitest";
import { ledgerWith, quota, TestWorld } from "../quotas/testing/quota-ledgers.ts";
import { Counts, DAY_MINUTES, parseWritten } from "./counts.ts";
import { type Disk, openDirectoryDisk } from "./disk.ts";
import { seal, unseal } from "./sealed.ts";
import { MemoryDisk } from "./testing/memory-disk.ts";

const DAY_MS = DAY_MINUTES * 60_000;

/** Opens a quota ledger, as a start of the machine does. The wall clock, which may be wrong, shows `wallMs`. */
function started(disk: Disk, wallMs: number, words: readonly string[]) {
  const world = new TestWorld();
  world.wallMs = wallMs;
  return ledgerWith(words.map(quota), world, disk);
}

const NOW = 1_800_000_000_000;

test("counters per day and per principal survive a restart", () => {
  for (const words of ["2 calls per day", "2 calls per principal"]) {
    const disk = new MemoryDisk();
    expect(started(disk, NOW, [words]).reserve()).toHaveProperty("lease");
    expect(started(disk, NOW + 1, [words]).reserve()).toHaveProperty("lease");
    expect(started(disk, NOW + 2, [words]).reserve()).toHaveProperty("exhausted");
  }
});

test("changing the amount of a quota does not reset its counter", () => {
  const disk = new MemoryDisk();
  started(disk, NOW, ["1 calls per day"]).reserve();
  const more = started(disk, NOW, ["2 calls per day"]);
  expect(more.standings("c", 1)).toMatchObject([{ spent: 1n }]);
});

test("a day is any period of 1440 minutes, and units return at most a minute late", () => {
  const { world, reserve } = started(new MemoryDisk(), NOW, ["1 calls per day"]);
  expect(reserve()).toHaveProperty("lease");
  world.ms = DAY_MS;
  expect(reserve()).toHaveProperty("exhausted");
  world.ms = DAY_MS + 60_000;
  expect(reserve()).toHaveProperty("lease");
});

test("if the clock is set back or missing, no units return and the day continues", () => {
  for (const wall of [NOW - 40 * DAY_MS, 0, -1, NOW]) {
    const disk = new MemoryDisk();
    started(disk, NOW, ["1 calls per day"]).reserve();
    const later = started(disk, wall, ["1 calls per day"]);
    expect(later.reserve()).toHaveProperty("exhausted");
    later.world.ms = DAY_MS;
    expect(later.reserve()).toHaveProperty("exhausted");
    later.world.ms = DAY_MS + 60_000;
    expect(later.reserve()).toHaveProperty("lease");
  }
});

test("a jump of the wall clock returns no units of a quota per day if the boot clock shows that no day has passed", () => {
  const { world, reserve } = started(new MemoryDisk(), NOW, ["1 calls per day"]);
  reserve();
  world.wallMs = NOW + 10 * DAY_MS;
  expect(reserve()).toHaveProperty("exhausted");
});

test("charges no units and runs no call if the counters cannot be written", () => {
  const disk = new MemoryDisk();
  disk.fails = 0;
  const { reserve, standings } = started(disk, NOW, ["2 calls per day", "9 calls per turn"]);
  expect(reserve()).toEqual({
    exhausted: "2 calls per day: what was spent cannot be kept on the data disk: no space left",
  });
  expect(standings("c", 1).map(({ spent }) => spent)).toEqual([0n, 0n]);
});

test("refuses quotas that need the disk if the disk is missing or damaged, and keeps the other quotas", () => {
  const bare = ledgerWith([quota("2 calls per day"), quota("9 prompts per turn")]);
  expect(bare.reserve()).toEqual({ exhausted: "2 calls per day: no disk" });
  expect(bare.reserve({ tool: undefined, prompts: 1 })).toHaveProperty("lease");
  const disk = new MemoryDisk();
  started(disk, NOW, ["2 calls per day"]).reserve();
  const file = Uint8Array.from(disk.files.get("spent") ?? []);
  file[40] = (file[40] ?? 0) ^ 1;
  disk.files.set("spent", file);
  const reason = "2 calls per day: what was spent is damaged on the data disk: its digest is another";
  expect(started(disk, NOW, ["2 calls per day"]).reserve()).toEqual({ exhausted: reason });
});

test("writes refunded units to the disk too", () => {
  const disk = new MemoryDisk();
  const first = started(disk, NOW, ["1 calls per principal"]);
  const reserved = first.reserve();
  first.ledger.settle("lease" in reserved ? reserved.lease : new Uint8Array(), "notRun");
  expect(started(disk, NOW, ["1 calls per principal"]).reserve()).toHaveProperty("lease");
});

/** Returns the counts that the disk stores, with an account for each key. */
function kept(disk: MemoryDisk) {
  const body = unseal(disk.files.get("spent") ?? new Uint8Array());
  const written = body.ok ? parseWritten(Buffer.from(body.value).toString()) : body;
  if (!written.ok) throw new Error(written.reason);
  return written.value.accounts;
}

test("removes expired counters per day of removed rules from the disk, but keeps counters per principal", () => {
  const disk = new MemoryDisk();
  const all = ["9 calls per day", "9 calls per principal"];
  started(disk, NOW, all).reserve();
  const shown = () => [...kept(disk).values()].map(({ total, minutes }) => [total, minutes.size]);
  // Two people.
  const forGood = [
    [1n, 0],
    [1n, 0],
  ];
  expect(shown()).toEqual([[0n, 1], ...forGood]);
  started(disk, NOW + DAY_MS - 60_000, ["9 prompts per day"]).reserve({ tool: undefined, prompts: 1 });
  expect(shown()).toEqual([[0n, 1], ...forGood, [0n, 1]]);
  started(disk, NOW + 3 * DAY_MS, ["9 prompts per principal"]).reserve({ tool: undefined, prompts: 1 });
  expect(shown()).toEqual([...forGood, ...forGood]);
});

test("refuses to count if the file would be too large to read back, and keeps the old file", () => {
  const [disk, world] = [new MemoryDisk(), new TestWorld()];
  world.wallMs = NOW;
  const opened = Counts.open(world, disk);
  if (!opened.ok) throw new Error(opened.reason);
  const counts = opened.value;
  const keys = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  const charge = () => {
    for (const key of keys) counts.getDayTally(key).add(1n);
    return counts.save();
  };
  expect(charge()).toBeUndefined();
  for (let minute = 1; minute < DAY_MINUTES; minute += 1) {
    world.ms = minute * 60_000;
    for (const key of keys) counts.getDayTally(key).add(1n);
  }
  expect(charge()).toBe("what was spent cannot be kept on the data disk: it is more than is read again");
  expect(Counts.open(world, disk)).toMatchObject({ ok: true });
  world.ms = 3 * DAY_MS;
  expect(charge()).toBeUndefined();
});

const step = fc.oneof(
  fc.record({ act: fc.constant("call" as const), ran: fc.boolean(), settles: fc.boolean() }),
  fc.record({
    act: fc.constant("crash" as const),
    in: fc.nat(2),
    tears: fc.boolean(),
    jump: fc.integer({ min: -DAY_MS, max: 60_000 }),
  }),
);

test("allows no more calls per day than the page allows, despite crashes, torn writes and jumps of the clock", () => {
  fc.assert(
    fc.property(fc.nat(4), fc.array(step, { maxLength: 30 }), (amount, steps) => {
      const disk = new MemoryDisk();
      const words = [`${amount} calls per day`];
      let [machine, ran, wall] = [started(disk, NOW, words), 0, NOW];
      for (const one of steps) {
        if (one.act === "crash") {
          // The power fails at a later write, and the machine restarts with a clock that may be behind.
          disk.fails = one.in;
          disk.tears = one.tears;
          for (let write = 0; write <= one.in; write += 1) if ("lease" in machine.reserve()) ran += 1;
          disk.fails = Number.POSITIVE_INFINITY;
          wall = Math.max(0, wall + one.jump - 60_000);
          machine = started(disk, wall, words);
        } else {
          const reserved = machine.reserve();
          if (!("lease" in reserved)) continue;
          const isRun = one.ran || !one.settles;
          if (isRun) ran += 1;
          if (one.settles) machine.ledger.settle(reserved.lease, one.ran ? "ran" : "notRun");
        }
      }
      expect(ran).toBeLessThanOrEqual(amount);
    }),
  );
});

test("reads or refuses any text, and reads back what it wrote", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.constant('{"version":1,"seenMs":1,"accounts":[{}]}')), (text) => {
      expect(typeof parseWritten(text).ok).toBe("boolean");
    }),
  );
  for (const text of [
    '{"version":2}',
    '{"version":1,"seenMs":-1,"accounts":[]}',
    '{"version":1,"seenMs":1}',
    "[]",
    "{",
  ]) {
    expect(parseWritten(text)).toMatchObject({ ok: false });
  }
  const account = { key: "a", total: "5", minutes: [{ minute: 3, units: "-1" }] };
  expect(parseWritten(JSON.stringify({ version: 1, seenMs: 7, accounts: [account] }))).toMatchObject({ ok: true });
  for (const spoiled of [{ total: 5 }, { key: 1 }, { minutes: [{}] }, { minutes: [{ minute: 0.5, units: "1" }] }]) {
    const accounts = [{ ...account, ...spoiled }];
    expect(parseWritten(JSON.stringify({ version: 1, seenMs: 7, accounts }))).toMatchObject({ ok: false });
  }
});

test("refuses a file that is changed or cut", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.nat(), fc.integer({ min: 1, max: 255 }), (body, at, flip) => {
      const file = seal(body);
      expect(unseal(file)).toMatchObject({ ok: true });
      const changed = Uint8Array.from(file);
      changed[at % file.length] = (changed[at % file.length] ?? 0) ^ flip;
      expect(unseal(changed)).toMatchObject({ ok: false });
      expect(unseal(file.subarray(0, at % file.length))).toMatchObject({ ok: false });
    }),
  );
});

test("refuses quotas on a disk that cannot be read", () => {
  const unreadable: Pick<Disk, "read" | "replace"> = {
    read: () => {
      throw new Error("bad sector");
    },
    replace: () => {},
  };
  expect(Counts.open(new TestWorld(), unreadable)).toEqual({
    ok: false,
    reason: "what was spent cannot be read from the data disk",
  });
});

test("a replacement writes, renames and syncs in order, and stops at the first failure", () => {
  for (const stop of ["write", "rename", "syncDirectory"] as const) {
    const seen: string[] = [];
    const halted = (name: typeof stop) => () => {
      seen.push(name);
      if (name === stop) throw new Error("the power went");
    };
    const steps = { write: halted("write"), rename: halted("rename"), syncDirectory: halted("syncDirectory") };
    expect(() => openDirectoryDisk("/nowhere", steps).replace("spent", new Uint8Array())).toThrow("the power went");
    expect(seen).toEqual(["write", "rename", "syncDirectory"].slice(0, seen.length));
  }
});
