import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duplexPair } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Scratch as Face, Files } from "../../../lib/wire/generated/tools.ts";
import { type Connection, connect } from "../../../lib/wire/index.ts";
import { Scratch } from "./scratch.ts";
import { serveScratch } from "./serve.ts";

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "capos-scratch-"));
});

afterEach(() => rmSync(root, { recursive: true }));

function heldBy(scratch: Scratch, holder: string): Connection {
  const [here, there] = duplexPair();
  serveScratch(there, { directory: scratch.getDirectory(holder) });
  return connect(here);
}

function call(held: Connection, method: keyof typeof Face.methods, args: object) {
  return held.callTool(Face.id, Face.methods[method].ordinal, JSON.stringify(args));
}

test("Scratch has the methods of Files, in the order in which Files has them", () => {
  const order = (methods: Readonly<Record<string, { readonly ordinal: number }>>) =>
    Object.entries(methods).map(([name, { ordinal }]) => [name, ordinal]);
  expect(order(Face.methods)).toEqual(order(Files.methods));
  expect(Face.id).not.toBe(Files.id);
});

test("each holder has files of its own, and shares them between its own connections", async () => {
  const scratch = new Scratch(root, 1024);
  const [operator, again, visitor] = ["gate.operator", "gate.operator", "gate.visitor"].map((one) =>
    heldBy(scratch, one),
  );
  if (operator === undefined || again === undefined || visitor === undefined) throw new Error("three hold it");
  expect(await call(operator, "write", { path: "a", content: "secret" })).toMatchObject({ ok: true });
  expect(await call(again, "read", { path: "a" })).toEqual({ ok: true, value: '{"content":"secret"}' });
  expect(await call(visitor, "list", { path: "" })).toEqual({ ok: true, value: '{"entries":[]}' });
  expect(await call(visitor, "read", { path: "../gate.operator/a" })).toMatchObject({ ok: false });
});

test("each holder has a size limit of its own", async () => {
  const scratch = new Scratch(root, 10);
  const [one, other] = [heldBy(scratch, "gate.a"), heldBy(scratch, "gate.b")];
  expect(await call(one, "write", { path: "a", content: "12345678" })).toMatchObject({ ok: true });
  expect(await call(one, "write", { path: "b", content: "12345678" })).toMatchObject({ ok: false });
  expect(await call(other, "write", { path: "b", content: "12345678" })).toMatchObject({ ok: true });
});

test("a start removes all scratch files", async () => {
  mkdirSync(join(root, "gate.operator/deep"), { recursive: true });
  writeFileSync(join(root, "gate.operator/deep/a"), "old");
  await new Scratch(root, 10).clear();
  expect(readdirSync(root)).toEqual([]);
});
