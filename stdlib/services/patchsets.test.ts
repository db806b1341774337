import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duplexPair } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compilePolicy, renderFactsPage } from "../../compiler/dev/fixtures/facts.ts";
import { FileEdits } from "../../engine/lib/wire/generated/service.ts";
import { Files } from "../../engine/lib/wire/generated/tools.ts";
import { connect } from "../../engine/lib/wire/index.ts";
import { Directory } from "../../engine/processes/services/files/directory.ts";
import { serveFiles } from "../../engine/processes/services/files/serve.ts";
import { createHeld } from "../../engine/processes/services/own/held.ts";
import { answerOwn, loadProgram } from "../../engine/processes/services/own/program.ts";

const PAGE = renderFactsPage({
  services: `service papers : Files { state 1 MiB }
    service changes : PatchSets { state 64 KiB  grant papers scope "/drafts", "/über: uns" }`,
});

let top = "";

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "capos-patches-"));
  for (const folder of ["papers/drafts", "changes"]) mkdirSync(join(top, folder), { recursive: true });
  writeFileSync(join(top, "papers/drafts/a"), "one\ntwo\n");
  writeFileSync(join(top, "papers/drafts/b"), "three\n");
  writeFileSync(join(top, "papers/locked"), "secret\n");
});

afterEach(() => rmSync(top, { recursive: true }));

const read = (path: string) => readFileSync(join(top, "papers", path), "utf8");

/**
 * Loads the program of the standard library that serves `PatchSets`, from a compiled page. The program uses the real
 * file service, and can access one folder of it.
 */
async function changes({ process = 1, hasState = true } = {}) {
  const [plan] = (await compilePolicy(PAGE)).services.filter(({ name }) => name === "changes");
  if (plan?.own === undefined) throw new Error("the page has no program");
  const {
    own: { methods, bytes },
    stateBytes,
  } = plan;
  // A comment is appended to the program, because Node would return the loaded module, with its old state, for the same bytes.
  const loaded = await loadProgram(Buffer.concat([bytes, Buffer.from(`\n// process ${process}`)]), methods);
  if (!loaded.ok) throw new Error(loaded.reason);
  const [here, there] = duplexPair();
  serveFiles(there, FileEdits.id, { directory: new Directory(join(top, "papers"), 4096), folders: [["drafts"]] });
  const connection = connect(here);
  const { signal } = new AbortController();
  return async (name: string, args: object): Promise<unknown> => {
    const own = [...loaded.value.values()].find(({ method }) => method.name === name);
    if (own === undefined) throw new Error(`no method ${name}`);
    const held = createHeld(methods.held, () => connection, signal);
    const directory = hasState ? join(top, "changes") : undefined;
    const surroundings = { directory, stateBytes, signal, now: () => 0, held };
    const answer = await answerOwn(own, JSON.stringify(args), surroundings);
    return answer.ok ? JSON.parse(answer.value) : answer.reason;
  };
}

const edit = (path: string, before: string, after: string) => ({ path, before, after });
const BOTH = [edit("drafts/a", "one", "1"), edit("drafts/b", "three", "3")];

test("the compiled policy lists the granted service, its interface, and the folders that the grant covers", async () => {
  const services = (await compilePolicy(PAGE)).services;
  const [held, files] = [services[0], services[1]];
  expect(held).toMatchObject({ name: "changes", holds: [{ name: "papers", interfaceId: FileEdits.id }] });
  expect(held?.own?.methods.held).toMatchObject([{ name: "papers", methods: [{ name: "apply" }, { name: "check" }] }]);
  expect(files).toMatchObject({ within: [{ holder: "changes", folders: ["/drafts", "/über: uns"] }] });
});

test("a proposal is listed and shown, changes no file, and is applied once", async () => {
  const call = await changes();
  expect(await call("propose", { title: "count", edits: BOTH })).toEqual({ id: "p1" });
  expect(await call("list", {})).toEqual({ patches: [{ id: "p1", title: "count" }] });
  expect(await call("show", { id: "p1" })).toEqual({ title: "count", edits: BOTH });
  expect([read("drafts/a"), read("drafts/b")]).toEqual(["one\ntwo\n", "three\n"]);
  expect(await call("apply", { id: "p1" })).toEqual({});
  expect([read("drafts/a"), read("drafts/b")]).toEqual(["1\ntwo\n", "3\n"]);
  expect(await call("apply", { id: "p1" })).toBe("the program failed: there is no proposal p1");
  expect(await call("list", {})).toEqual({ patches: [] });
});

test("if a file has changed since the proposal, no edit is applied, and the proposal stays until it is discarded", async () => {
  const call = await changes();
  await call("propose", { title: "count", edits: BOTH });
  writeFileSync(join(top, "papers/drafts/b"), "three and more\n");
  expect(await call("apply", { id: "p1" })).toMatch(/papers.apply: edit 2: the file is not what it was any more/);
  expect(read("drafts/a")).toBe("one\ntwo\n");
  expect(await call("discard", { id: "p1" })).toEqual({});
  expect(await call("discard", { id: "p1" })).toMatch(/there is no proposal p1/);
  // The id of a proposal is never used for another proposal.
  expect(await call("propose", { title: "again", edits: BOTH.slice(0, 1) })).toEqual({ id: "p2" });
});

test("a proposal survives the end of its process unchanged, and the proposal's id is not used again", async () => {
  const call = await changes({ process: 2 });
  for (const title of ["one", "two", "three"]) await call("propose", { title, edits: BOTH });
  await call("discard", { id: "p2" });
  await call("discard", { id: "p3" });
  const after = await changes({ process: 3 });
  expect(await after("show", { id: "p1" })).toEqual({ title: "one", edits: BOTH });
  expect(await after("propose", { title: "four", edits: BOTH })).toEqual({ id: "p4" });
});

test("without `state` a proposal is lost when its process ends, and another process uses other ids", async () => {
  const call = await changes({ process: 4, hasState: false });
  const first = await call("propose", { title: "one", edits: BOTH.slice(0, 1) });
  expect(first).toEqual({ id: expect.stringMatching(/^p[1-9]\d{0,14}$/) });
  expect(await call("show", Object(first))).toEqual({ title: "one", edits: BOTH.slice(0, 1) });
  const after = await changes({ process: 5, hasState: false });
  expect(await after("propose", { title: "other", edits: BOTH })).not.toEqual(first);
  expect(await after("apply", Object(first))).toMatch(/there is no proposal p/);
  expect(await call("apply", Object(first))).toEqual({});
  expect(read("drafts/a")).toBe("1\ntwo\n");
});

test.each([
  ["outside of the granted folder", "locked", "secret", /outside of what was granted/],
  ["of a path with `..`", "drafts/../locked", "secret", /may not hold/],
  ["through a symbolic link", "drafts/link", "secret", /links are not followed/],
  ["with a text that does not occur", "drafts/a", "nine", /does not/],
  ["with a text that occurs twice", "drafts/a", "o", /more than once/],
])("refuses a proposal with an edit %s", async (_, path, before, why) => {
  symlinkSync(join(top, "papers/locked"), join(top, "papers/drafts/link"));
  const call = await changes();
  expect(
    await call("propose", { title: "odd", edits: [edit("drafts/b", "three", "3"), edit(path, before, "x")] }),
  ).toMatch(why);
  expect(await call("list", {})).toEqual({ patches: [] });
});

test("the number, the titles and the sizes of proposals have limits", async () => {
  const call = await changes();
  const small = [edit("drafts/a", "one", "1")];
  expect(await call("propose", { title: "x".repeat(257), edits: small })).toMatch(/256 characters/);
  expect(await call("propose", { title: "large", edits: [edit("drafts/new", "", "x".repeat(65536))] })).toMatch(
    /together|65536/,
  );
  expect(await call("propose", { title: "none", edits: [] })).toMatch(/there is no edit/);
  for (let count = 1; count < 100; count += 1)
    expect(await call("propose", { title: "t", edits: small })).toEqual({ id: `p${count}` });
  const together = [1, 2, 3].map(() => call("propose", { title: "t", edits: small }));
  // The order of simultaneous calls is not defined.
  const answers = await Promise.all(together);
  expect(answers.filter((answer) => typeof answer !== "string")).toEqual([{ id: "p100" }]);
  for (const other of answers.filter((answer) => typeof answer === "string")) expect(other).toMatch(/at most 100/);
  expect(await call("propose", { title: "t", edits: small })).toMatch(/at most 100/);
});

test("proposals use at most the page's `state`, and discarding a proposal frees space", async () => {
  const call = await changes();
  const propose = () => call("propose", { title: "t", edits: [edit("drafts/new", "", "x".repeat(3500))] });
  let last: unknown;
  for (let count = 1; count < 100; count += 1) {
    last = await propose();
    if (typeof last === "string") break;
  }
  expect(last).toBe("the program failed: there is no room left on the disk, or in the state that the page gives");
  expect(statSync(join(top, "changes/patches.db")).size).toBeLessThanOrEqual(64 * 1024);
  expect(await call("discard", { id: "p1" })).toEqual({});
  expect(await propose()).toMatchObject({ id: expect.stringMatching(/^p\d+$/) });
});

test("finds no proposal for a malformed id", async () => {
  const call = await changes();
  for (const id of ["", "p0", "1", "p1 OR 1=1", "p99999999999999999", "m1"]) {
    for (const method of ["show", "apply", "discard"])
      expect(await call(method, { id })).toMatch(/there is no proposal/);
  }
});

test("a service with a grant of `FileEdits` cannot read files", async () => {
  const [here, there] = duplexPair();
  serveFiles(there, FileEdits.id, { directory: new Directory(join(top, "papers"), 4096) });
  const connection = connect(here);
  const reply = await connection.callTool(Files.id, Files.methods.read.ordinal, '{"path":"locked"}');
  expect(reply).toMatchObject({ ok: false, code: "closed" });
});
