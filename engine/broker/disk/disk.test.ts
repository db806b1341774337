import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Kept } from "../kept.ts";
import { directoryDisk } from "./disk.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-broker-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a file is replaced whole, and what a crash left beside it is written over", () => {
  const disk = directoryDisk(folder);
  expect(disk.read("spent")).toBeUndefined();
  writeFileSync(join(folder, "spent.new"), "half of somet");
  disk.replace("spent", Buffer.from("one"));
  disk.replace("spent", Buffer.from("two"));
  expect(Buffer.from(disk.read("spent") ?? []).toString()).toBe("two");
  expect(readdirSync(folder)).toEqual(["spent"]);
});

test("what cannot be read is not taken to be missing", () => {
  expect(() => directoryDisk(join(folder, "a\0b")).read("spent")).toThrow();
  expect(() => directoryDisk(folder).replace("no/such", new Uint8Array())).toThrow();
});

test("where a conversation stands outlasts the run, for its own session alone", () => {
  const disk = directoryDisk(folder);
  expect(new Kept("operator", disk).keep("a1", Buffer.from("secret"))).toBeUndefined();
  expect(Buffer.from(new Kept("operator", disk).of("a1")).toString()).toBe("secret");
  expect(new Kept("visitor", disk).of("a1").length).toBe(0);
  expect(new Kept("operator").of("a1").length).toBe(0);
  const [file = ""] = readdirSync(folder);
  writeFileSync(join(folder, file), "spoiled");
  expect(new Kept("operator", disk).of("a1").length).toBe(0);
});

test("what cannot be kept on the disk is not kept, and it says why", () => {
  const kept = new Kept("operator", directoryDisk(join(folder, "gone")));
  expect(kept.keep("a1", Buffer.from("secret"))).toMatch(/^it cannot be kept on the data disk: ENOENT/);
  expect(kept.of("a1").length).toBe(0);
});
