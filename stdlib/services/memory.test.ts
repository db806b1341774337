import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, policyOf } from "../../compiler/testing/facts.ts";
import { answerOwn, loadProgram } from "../../engine/services/own/program.ts";

const PAGE = page({ services: "service facts : Memory { state 1 MiB }" });

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "capos-memory-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

/** Calls as the image makes them: the program and the shapes that a compiled page carries. */
async function memory(): Promise<(method: string, args: object) => Promise<unknown>> {
  const [plan] = (await policyOf(PAGE)).services;
  if (plan?.own === undefined) throw new Error("the page has no program");
  const loaded = await loadProgram(plan.own.bytes, plan.own.methods);
  if (!loaded.ok) throw new Error(loaded.reason);
  const methods = [...loaded.value.values()];
  return async (name, args) => {
    const own = methods.find(({ method }) => method.name === name);
    if (own === undefined) throw new Error(`no method ${name}`);
    const answer = await answerOwn(own, JSON.stringify(args), { directory, signal: new AbortController().signal });
    return answer.ok ? JSON.parse(answer.value) : answer.reason;
  };
}

test("the library's program is what a page carries that names none", async () => {
  const [plan] = (await policyOf(PAGE)).services;
  expect(plan).toMatchObject({ name: "facts", implementation: "own", stateBytes: 1024 * 1024 });
  expect(Buffer.from(plan?.own?.bytes ?? [])).toEqual(readFileSync(new URL("memory.js", import.meta.url)));
});

test("what is stored is recalled by its words, best match first, newest first among equals", async () => {
  const call = await memory();
  expect(await call("recall", { query: "pager" })).toEqual({ entries: [] });
  expect(await call("store", { topic: "Pager", content: "Bob holds it." })).toEqual({ id: "m1" });
  await call("store", { topic: "coffee", content: "The pager stands beside the machine." });
  await call("store", { topic: "coffee", content: "The machine is broken." });
  const ids = async (query: string, most = 10) => {
    const found = (await call("recall", { query, most })) as { readonly entries: readonly { readonly id: string }[] };
    return found.entries.map(({ id }) => id);
  };
  expect(await ids("PAGER?")).toEqual(["m1", "m2"]);
  expect(await ids("machine")).toEqual(["m3", "m2"]);
  expect(await ids("machine", 1)).toEqual(["m3"]);
  expect(await ids("?!")).toEqual([]);
});

test("what was forgotten is gone, and its id is not given again", async () => {
  const call = await memory();
  await call("store", { topic: "a", content: "b" });
  expect(await call("forget", { id: "m1" })).toEqual({});
  expect(await call("forget", { id: "m1" })).toMatch(/there is no entry m1/);
  expect(await call("recall", { query: "b" })).toEqual({ entries: [] });
  expect(await call("store", { topic: "a", content: "b" })).toEqual({ id: "m2" });
});

test("calls at the same time are all remembered", async () => {
  const call = await memory();
  const ids = await Promise.all(Array.from({ length: 8 }, () => call("store", { topic: "t", content: "c" })));
  expect(new Set(ids.map((id) => JSON.stringify(id))).size).toBe(8);
});

test("it is bounded, and says so", async () => {
  const call = await memory();
  expect(await call("store", { topic: "t", content: "a".repeat(4097) })).toMatch(/at most 4096/);
  expect(await call("store", { topic: "t".repeat(257), content: "a" })).toMatch(/at most 256/);
  const entries = Array.from({ length: 1000 }, (_, index) => ({
    id: `m${index}`,
    topic: "t",
    content: "\u0000".repeat(4096),
  }));
  writeFileSync(join(directory, "entries.json"), JSON.stringify({ next: 1001, entries }));
  expect(await call("store", { topic: "t", content: "a" })).toMatch(/at most 1000 entries/);
  expect(await call("recall", { query: "t", most: 60_000 })).toMatchObject({ entries: { length: 20 } });
});

test("a file that is no memory is said, and left as it is", async () => {
  const call = await memory();
  writeFileSync(join(directory, "entries.json"), "{");
  expect(await call("store", { topic: "t", content: "a" })).toMatch(/cannot be read/);
  expect(readFileSync(join(directory, "entries.json"), "utf8")).toBe("{");
});
