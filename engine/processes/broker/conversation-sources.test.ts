// Tests the storage of conversations' sources for gates: limits, damage, and crashes between any two steps.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  ConversationSources,
  MARK_BYTES,
  MAX_CHUNK_BYTES,
  MAX_MEMORY_BYTES,
  MAX_SESSION_BYTES,
  MAX_SOURCES_BYTES,
  readRecords,
} from "./conversation-sources.ts";
import { openDirectoryDisk, STEPS, type Steps } from "./disk/disk.ts";
import { MemoryDisk } from "./disk/testing/memory-disk.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-broker-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const bytes = (text: string) => Buffer.from(text);

/** Returns all stored bytes of a conversation, or the reason of the refusal. */
function readAll(sources: ConversationSources, conversation = "a"): string {
  const read = sources.read(conversation, 0n);
  return read.ok ? Buffer.from(read.value.chunk).toString() : read.reason;
}

test("returns the added bytes from any position, also after a restart", () => {
  const disk = new MemoryDisk();
  const sources = new ConversationSources("operator", disk);
  expect(sources.keep("a", 0n, bytes("one"))).toEqual({ ok: true, value: 3n });
  expect(sources.keep("a", 3n, bytes("two"))).toEqual({ ok: true, value: 6n });
  const later = new ConversationSources("operator", disk);
  for (const one of [sources, later]) {
    expect(one.read("a", 4n)).toMatchObject({ ok: true, value: { chunk: bytes("wo"), size: 6n } });
    expect(one.read("a", 7n)).toMatchObject({ ok: false });
    expect([readAll(one), readAll(one, "b")]).toEqual(["onetwo", ""]);
  }
  expect(readAll(new ConversationSources("visitor", disk))).toBe("");
  expect(later.keep("a", 6n, bytes("!"))).toEqual({ ok: true, value: 7n });
});

test("refuses an addition that is not at the end of the stored bytes, including a repeated addition", () => {
  const sources = new ConversationSources("operator", new MemoryDisk());
  sources.keep("a", 0n, bytes("one"));
  for (const after of [0n, 1n, 4n, 2n ** 60n])
    expect(sources.keep("a", after, bytes("one"))).toEqual({
      ok: false,
      reason: `3 bytes of the sources are kept, and not ${after}`,
    });
  expect(readAll(sources)).toBe("one");
});

test("an addition has at least one byte and a maximum size", () => {
  const sources = new ConversationSources("operator", new MemoryDisk());
  for (const size of [0, MAX_CHUNK_BYTES + 1])
    expect(sources.keep("a", 0n, new Uint8Array(size))).toMatchObject({ ok: false });
  expect(sources.keep("a", 0n, new Uint8Array(MAX_CHUNK_BYTES))).toMatchObject({ ok: true });
});

test("a full conversation accepts a short mark that says that later words are missing, and refuses other additions", () => {
  const sources = new ConversationSources("operator", new MemoryDisk());
  const mark = new Uint8Array(MARK_BYTES);
  let size = 0n;
  for (;;) {
    const kept = sources.keep("a", size, new Uint8Array(MAX_CHUNK_BYTES / 3));
    if (!kept.ok) {
      expect(kept.reason).toBe("the sources of a conversation have 2097152 bytes at most");
      break;
    }
    size = kept.value;
  }
  expect(size).toBeGreaterThan(MAX_SOURCES_BYTES - MAX_CHUNK_BYTES);
  expect(sources.keep("a", size, mark)).toMatchObject({ ok: true });
});

test.each([
  ["on a disk", true, MAX_SESSION_BYTES],
  ["in memory", false, MAX_MEMORY_BYTES],
])("each session has its own space limit %s for sources, and forgetting frees space", (_where, isOnDisk, most) => {
  const disk = isOnDisk ? new MemoryDisk() : undefined;
  const sources = new ConversationSources("operator", disk);
  const large = new Uint8Array(MAX_CHUNK_BYTES - 4096);
  const names = Array.from({ length: Math.ceil(most / MAX_CHUNK_BYTES) + 1 }, (_, index) => `c${index}`);
  const refused = names.map((name) => sources.keep(name, 0n, large)).flatMap((kept) => (kept.ok ? [] : kept.reason));
  expect(refused.at(-1)).toBe(
    `the sources of all conversations of the session have ${most} bytes at most; /forget makes room`,
  );
  expect(sources.keep("c0", BigInt(large.length), new Uint8Array(MARK_BYTES))).toMatchObject({ ok: true });
  expect(new ConversationSources("visitor", disk).keep("x", 0n, large)).toMatchObject({ ok: true });
  for (const name of ["c0", "c1"]) expect(sources.forget(name)).toBeUndefined();
  expect(sources.keep("new", 0n, large)).toMatchObject({ ok: true });
});

test("counts small files by the blocks that they take", () => {
  const sources = new ConversationSources("operator");
  const kept = Array.from({ length: 1100 }, (_, index) => sources.keep(String(index), 0n, bytes("x")).ok);
  expect(kept.filter((isKept) => isKept).length).toBe(MAX_MEMORY_BYTES / 4096);
});

test("reports a changed record as damage, and ignores an incomplete last record", () => {
  const disk = new MemoryDisk();
  const sources = new ConversationSources("operator", disk);
  for (const [after, text] of ["one", "two"].entries()) sources.keep("a", BigInt(after * 3), bytes(text));
  const [name = ""] = [...disk.files.keys()];
  const whole = Buffer.from(disk.files.get(name) ?? []);
  for (let at = 0; at < whole.length; at += 1) {
    const spoiled = Buffer.from(whole);
    spoiled.writeUInt8(spoiled.readUInt8(at) ^ 0x80, at);
    disk.files.set(name, spoiled);
    expect(readAll(new ConversationSources("operator", disk))).toBe("the sources that were kept are damaged");
  }
  for (let end = 0; end < whole.length; end += 1) {
    disk.files.set(name, whole.subarray(0, end));
    const later = new ConversationSources("operator", disk);
    const kept = end < whole.length / 2 ? "" : "one";
    expect(readAll(later)).toBe(kept);
    expect(later.keep("a", BigInt(kept.length), bytes("new"))).toMatchObject({ ok: true });
    expect(readAll(new ConversationSources("operator", disk))).toBe(`${kept}new`);
  }
});

test("reads any bytes as records or as damage", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (file) => {
      expect(typeof readRecords(file).ok).toBe("boolean");
    }),
  );
});

const step = fc.record({ text: fc.string({ minLength: 1, maxLength: 9 }), fails: fc.boolean(), tears: fc.boolean() });

test("keeps exactly the acknowledged bytes, in order, even if a write fails or is torn", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const disk = new MemoryDisk();
      let sources = new ConversationSources("operator", disk);
      let acknowledged = "";
      for (const { text, fails, tears } of steps) {
        disk.fails = fails ? 0 : Number.POSITIVE_INFINITY;
        disk.tears = tears;
        const kept = sources.keep("a", BigInt(Buffer.byteLength(acknowledged)), bytes(text));
        if (kept.ok) acknowledged += text;
        // After a failure of the disk the machine restarts: the sources are opened again from the same disk.
        if (fails) sources = new ConversationSources("operator", disk);
        expect(readAll(sources)).toBe(acknowledged);
      }
    }),
  );
});

test("an addition that is interrupted between two steps keeps the acknowledged bytes, and the next addition continues after them", () => {
  for (const stop of ["cut", "extend", "torn", "syncDirectory"] as const) {
    const name = `stops at ${stop}`;
    expect(new ConversationSources(name, openDirectoryDisk(folder)).keep("a", 0n, bytes("one"))).toMatchObject({
      ok: true,
    });
    const halting: Partial<Steps> = {
      ...(stop === "torn"
        ? {
            extend: (path: string, size: number, added: Uint8Array) =>
              halt(() => STEPS.extend(path, size, added.subarray(0, 47))),
          }
        : { [stop]: () => halt(() => {}) }),
    };
    const halted = new ConversationSources(name, openDirectoryDisk(folder, halting));
    expect(halted.keep("a", 3n, bytes("lost words"))).toEqual({
      ok: false,
      reason: "the sources cannot be kept on the data disk: the power went",
    });
    const later = new ConversationSources(name, openDirectoryDisk(folder));
    const there = stop === "syncDirectory" ? "onelost words" : "one";
    expect(readAll(later)).toBe(there);
    expect(later.keep("a", BigInt(there.length), bytes("two"))).toMatchObject({ ok: true });
    expect(readAll(new ConversationSources(name, openDirectoryDisk(folder)))).toBe(`${there}two`);
  }
});

function halt(step: () => void): never {
  step();
  throw new Error("the power went");
}

test("forgetting erases a conversation from the disk, and leaves other conversations unchanged", () => {
  const sources = new ConversationSources("operator", openDirectoryDisk(folder));
  for (const name of ["a", "b"]) sources.keep(name, 0n, bytes(name));
  expect([sources.forget("a"), sources.forget("never")]).toEqual([undefined, undefined]);
  expect([readAll(sources), readAll(sources, "b")]).toEqual(["", "b"]);
  expect(readFileSync(join(folder, "removed")).length).toBe(0);
  expect(readdirSync(folder).length).toBe(2);
  expect(sources.keep("a", 0n, bytes("new"))).toMatchObject({ ok: true });
});

test("neither reads nor writes a file that is not its own, and follows no link", () => {
  const disk = openDirectoryDisk(folder);
  new ConversationSources("operator", disk).keep("a", 0n, bytes("one"));
  const [name = ""] = readdirSync(folder);
  rmSync(join(folder, name));
  writeFileSync(join(folder, "target"), "theirs");
  symlinkSync("target", join(folder, name));
  const sources = new ConversationSources("operator", disk);
  expect(sources.keep("a", 0n, bytes("one"))).toMatchObject({ ok: false });
  expect(() => disk.append(name, 0, bytes("one"))).toThrow();
  expect(readFileSync(join(folder, "target"), "utf8")).toBe("theirs");
  rmSync(join(folder, name));
  mkdirSync(join(folder, name));
  expect(sources.read("a", 0n)).toMatchObject({ ok: false });
  expect(() => openDirectoryDisk(join(folder, "gone")).measure("sources-")).toThrow();
});
