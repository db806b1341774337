import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConversationStates } from "../conversation-states.ts";
import { openDirectoryDisk } from "./disk.ts";
import { MAX_FILE_BYTES } from "./sealed.ts";
import { MemoryDisk } from "./testing/memory-disk.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-broker-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("replaces a file as a whole, and overwrites what a crash left beside it", () => {
  const disk = openDirectoryDisk(folder);
  expect(disk.read("spent")).toBeUndefined();
  writeFileSync(join(folder, "spent.new"), "half of somet");
  disk.replace("spent", Buffer.from("one"));
  disk.replace("spent", Buffer.from("two"));
  expect(Buffer.from(disk.read("spent") ?? []).toString()).toBe("two");
  expect(readdirSync(folder)).toEqual(["spent"]);
});

test("refuses to read a link, a folder, a pipe or a file that is too large", () => {
  const disk = openDirectoryDisk(folder);
  writeFileSync(join(folder, "huge"), "");
  truncateSync(join(folder, "huge"), MAX_FILE_BYTES + 1);
  symlinkSync("huge", join(folder, "elsewhere"));
  mkdirSync(join(folder, "folder"));
  // Opening a pipe without a writer would block forever, so the file's type is checked first.
  execFileSync("mkfifo", [join(folder, "pipe")]);
  for (const name of ["huge", "elsewhere", "folder", "pipe"]) expect(() => disk.read(name)).toThrow();
});

test("does not treat an unreadable file as a missing file", () => {
  expect(() => openDirectoryDisk(join(folder, "a\0b")).read("spent")).toThrow();
  expect(() => openDirectoryDisk(folder).replace("no/such", new Uint8Array())).toThrow();
});

test("a conversation's state survives a restart, for its own session only", () => {
  const disk = openDirectoryDisk(folder);
  expect(new ConversationStates("operator", disk).keep("a1", Buffer.from("secret"))).toBeUndefined();
  expect(Buffer.from(new ConversationStates("operator", disk).getState("a1")).toString()).toBe("secret");
  expect(new ConversationStates("visitor", disk).getState("a1").length).toBe(0);
  expect(new ConversationStates("operator").getState("a1").length).toBe(0);
  const [file = ""] = readdirSync(folder);
  writeFileSync(join(folder, file), "spoiled");
  expect(new ConversationStates("operator", disk).getState("a1").length).toBe(0);
});

test("does not keep a state that the disk refuses, and gives the reason", () => {
  const kept = new ConversationStates("operator", openDirectoryDisk(join(folder, "gone")));
  expect(kept.keep("a1", Buffer.from("secret"))).toMatch(/^it cannot be kept on the data disk: ENOENT/);
  expect(kept.getState("a1").length).toBe(0);
});

test("forgetting erases a conversation's state from the disk, and leaves other states unchanged", () => {
  const kept = new ConversationStates("operator", openDirectoryDisk(folder));
  for (const name of ["a1", "a2", "a3"]) kept.keep(name, Buffer.from("secret"));
  expect([kept.forget("a1"), kept.forget("a2"), kept.forget("never")]).toEqual([undefined, undefined, undefined]);
  const later = new ConversationStates("operator", openDirectoryDisk(folder));
  for (const one of [kept, later])
    expect(["a1", "a2", "a3"].map((name) => one.getState(name).length)).toEqual([0, 0, 6]);
  expect(readdirSync(folder).length).toBe(2);
  expect(readFileSync(join(folder, "removed")).length).toBe(0);
});

test("keeps a state that cannot be removed from the disk, and gives the reason", () => {
  const disk = new MemoryDisk();
  const kept = new ConversationStates("operator", disk);
  kept.keep("a1", Buffer.from("secret"));
  disk.fails = 0;
  expect(kept.forget("a1")).toBe("it cannot be taken from the data disk: no space left");
  expect(kept.getState("a1").length).toBe(6);
});

test("a removal that stops at any step removes the whole file or none of it", () => {
  for (const [stop, left] of [
    ["rename", 1],
    ["syncDirectory", 0],
    ["write", 0],
  ] as const) {
    const real = openDirectoryDisk(folder);
    real.replace("state", Buffer.from("label"));
    const halting = (name: typeof stop, step: () => void) => () => {
      if (name === stop) throw new Error("the power went");
      step();
    };
    const halted = openDirectoryDisk(folder, {
      write: halting("write", () => {}),
      rename: halting("rename", () => renameSync(join(folder, "state"), join(folder, "removed"))),
      syncDirectory: halting("syncDirectory", () => {}),
    });
    expect(() => halted.remove("state")).toThrow("the power went");
    expect(real.read("state")?.length ?? 0).toBe(left * 5);
  }
});
