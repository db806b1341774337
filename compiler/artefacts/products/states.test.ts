// Tests the prefilled states that a build computes for the local models of a page.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readGguf } from "../../../engine/lib/weights/gguf.ts";
import { makeTinyModel } from "../../../engine/lib/weights/testing/tiny-model.ts";
import { States } from "../../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../../engine/lib/wire/index.ts";
import type { LocalPlan, Policy } from "../../../targets/contract/policy.ts";
import { compile } from "../../compile.ts";
import { createDiskHost } from "../../phases/source/index.ts";
import { encodeHex } from "../inspect/description.ts";
import { collectHeads } from "./heads.ts";
import { addStates } from "./states.ts";
import type { WeightsInImage } from "./weights.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const ID = "llama:sha256-07";

let folder = "";
let policy: Policy;

/** Compiles an example whose task has three phases with different tools, and gives it a local model. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capc-states-"));
  const compiled = await compile(createDiskHost("2026-01-01"), join(CHECKOUT, "examples/log-triage/system.cap"));
  if (compiled.policy === undefined) throw new Error("the example does not compile");
  policy = { ...compiled.policy, backends: [backend(4096)] };
});

afterAll(() => rmSync(folder, { recursive: true }));

function backend(contextTokens: number): LocalPlan {
  const bytes = makeTinyModel({ contextTokens: 4096 });
  const file = join(folder, "tiny.gguf");
  writeFileSync(file, bytes);
  const header = readGguf(bytes, bytes.length);
  if (!header.ok) throw new Error(header.reason);
  // The file gone.gguf does not exist: prefilled states must be computed from the prepared copy of the weights.
  const read = { file: join(folder, "gone.gguf"), bytes: bytes.length, header: header.value };
  const model = { name: "tiny", path: "tiny.gguf", contextTokens, callsTools: true, ...read };
  return { name: "canned", kind: "cpu", model, threads: 1, memoryBytes: 1 };
}

const prepared = (): WeightsInImage => ({
  id: ID,
  file: join(folder, "tiny.gguf"),
  size: 1,
  sha256: new Uint8Array(32),
  verity: { contentBytes: 1n, salt: new Uint8Array(32), rootHash: new Uint8Array(32) },
  card: new Uint8Array(),
  signature: new Uint8Array(),
  signer: new Uint8Array(32),
});

async function made(cache: string, of: Policy = policy) {
  const told: string[] = [];
  const progress = { step: (words: string) => told.push(words), done: () => {} };
  const how = { checkout: CHECKOUT, cache: join(folder, cache), progress, warn: (words: string) => told.push(words) };
  const whole = await addStates(of, new Map([["tiny", prepared()]]), how);
  const states = !whole.ok ? undefined : whole.value.get("tiny")?.states;
  if (states === undefined) throw new Error(`no states: ${whole.ok ? "none" : whole.reason}`);
  const list = decodeMessage(States, states.list);
  if (!list.ok) throw new Error(list.reason);
  return { states, list: list.value, told };
}

test("each session, task and phase has a prompt head with only its own tools", () => {
  const heads = collectHeads(policy, "tiny");
  expect(heads.flatMap(({ rows }) => rows)).toEqual([
    "operator",
    "operator triage look",
    "operator triage mend",
    "operator triage end",
  ]);
  const tables = heads.map(({ pieces }) => pieces.map(({ text }) => text).join(""));
  const has = (word: string) => tables.map((text) => text.includes(word));
  expect(has("desk.list(")).toEqual([true, true, true, true]);
  expect(has("journal.tail(")).toEqual([true, true, true, false]);
  expect(has("reports.write(")).toEqual([true, false, true, false]);
  expect(has("desk.close")).toEqual([true, false, false, true]);
});

test("the same page and weights give the same states everywhere, and each machine computes the states only once", async () => {
  const one = await made("one");
  // The same states are computed a second time, with a umask under which other users cannot read new files.
  const mask = process.umask(0o077);
  const other = await made("other").finally(() => process.umask(mask));
  expect(encodeHex(one.states.sha256)).toBe(encodeHex(other.states.sha256));
  expect(readFileSync(one.states.file).equals(readFileSync(other.states.file))).toBe(true);
  expect(one.list).toEqual(other.list);
  expect(one.list.model).toBe(ID);
  expect(one.list.states.map(({ rows }) => rows)).toEqual(collectHeads(policy, "tiny").map(({ rows }) => rows));
  expect(one.told).toContain("prefilled state 4 of 4");
  const again = await made("one");
  expect([again.told, encodeHex(again.states.list)]).toEqual([[], encodeHex(one.states.list)]);
});

test("a row with too many tools for the model's context is reported, and the other rows get states", async () => {
  const { list, told } = await made("small", { ...policy, backends: [backend(1100)] });
  const without = told.filter((words) => words.includes("no room"));
  expect(without.length).toBeGreaterThan(0);
  expect(list.states.length + without.length).toBe(4);
  expect(without.every((words) => /^operator[a-z ]*: \d+ tokens leave tiny no room to answer$/.test(words))).toBe(true);
});
