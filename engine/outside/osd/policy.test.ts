import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type IndexedTables, openConversation } from "../../lib/policy/index.ts";
import { decideStanding } from "./policy.ts";
import { CONFIRMED, error, exec, read, type Scene, sceneOf, tablesOf, write } from "./testing/daemon.ts";

let tables: IndexedTables;
let scene: Scene;
beforeAll(async () => {
  tables = await tablesOf();
});
beforeEach(() => {
  scene = sceneOf(tables);
});
afterEach(() => scene.close());

test("asks for confirmation of an environment or a folder, which the page cannot check", async () => {
  const hidden = [{ env: { LD_PRELOAD: "/tmp/other.so" } }, { cwd: "/etc" }, { cwd: "/tmp/../etc" }];
  for (const more of hidden) {
    expect(await scene.ask([{ ...exec("/bin/echo"), ...more }])).toEqual([error("confirmation_required")]);
    expect(await scene.ask([{ ...exec("/bin/true"), ...more }], CONFIRMED)).toMatchObject([{ ok: true }]);
  }
  expect(await scene.ask([{ ...exec("/bin/echo"), cwd: scene.folder, env: {} }])).toMatchObject([{ ok: true }]);
});

test("asks for confirmation of a program that the page does not list", async () => {
  expect(await scene.ask([exec("/bin/true")])).toEqual([error("confirmation_required")]);
  expect(await scene.ask([exec("/bin/true")], { confirmation: { token: "another" } })).toEqual([
    error("confirmation_invalid"),
  ]);
  expect(await scene.ask([exec("/bin/true")], CONFIRMED)).toMatchObject([{ ok: true }]);
});

test("asks for confirmation of rm and of actions marked dangerous, even if the page allows them", async () => {
  const conversation = openConversation(tables, "operator");
  if (conversation === undefined) throw new Error("no session");
  const reasoned = { reason: "a test", timeout_sec: 1, env: {} };
  const standing = (argv: readonly [string], danger?: string) =>
    decideStanding({ tables, folder: "/tmp" }, conversation, {
      type: "exec",
      argv,
      ...reasoned,
      ...(danger !== undefined && { danger }),
    });
  expect(standing(["/bin/echo"])).toMatchObject({ kind: "runs" });
  expect(standing(["/bin/rm"])).toMatchObject({ kind: "confirmed" });
  expect(standing(["/bin/echo"], "it deletes")).toMatchObject({
    kind: "confirmed",
    why: expect.stringMatching(/dangerous/),
  });
});

test("absolute paths below /tmp need no confirmation; other absolute paths and .. do", async () => {
  writeFileSync(join(scene.folder, "notes"), "x");
  expect(await scene.ask([read(join(scene.folder, "notes"))])).toMatchObject([{ ok: true }]);
  for (const path of [
    "/etc/hostname",
    "/tmp",
    "/tmpfile",
    "//etc/hostname",
    "/./etc/hostname",
    "../home/notes",
    "/tmp/../etc/hostname",
  ])
    expect(await scene.ask([read(path)])).toEqual([error("confirmation_required")]);
  expect(await scene.ask([write("/etc/capc-test", "x")])).toEqual([error("confirmation_required")]);
  expect(await scene.ask([read("../home/notes")], CONFIRMED)).toMatchObject([{ ok: true }]);
});

test("denies an action for which the session has no tool, with a token or without", async () => {
  const visitor = sceneOf(tables, "visitor");
  writeFileSync(join(visitor.folder, "notes"), "x");
  expect(await visitor.ask([read("notes"), exec("/bin/echo")], CONFIRMED)).toMatchObject([
    { ok: true },
    { ok: false, error: { code: "policy_denied" } },
  ]);
  expect(await visitor.ask([write("notes", "y")], CONFIRMED)).toEqual([error("policy_denied")]);
  visitor.close();
});

test("the page decides by the file that is opened, however its path is written", async () => {
  const hidden = (page: string) =>
    page.replace(
      "auto      readOnly",
      `forbidden Files.read where path under "${scene.folder}/keys" else auto\n      auto readOnly`,
    );
  const own = sceneOf(await tablesOf(hidden), "operator", { folder: scene.folder });
  mkdirSync(join(scene.folder, "keys"));
  for (const name of ["keys/one", "one"]) writeFileSync(join(scene.folder, name), "x");
  expect(await own.ask([read("one")])).toMatchObject([{ ok: true }]);
  for (const path of ["keys/one", "./keys/one", join(scene.folder, "keys/one"), "../home/keys/one"])
    expect(await own.ask([read(path)], CONFIRMED)).toEqual([error("policy_denied")]);
  own.close();
});

test("denies an action that two tools provide", async () => {
  const twice = (page: string) =>
    page.replace("service files ", "service others : Files { state 1 MiB }\n  service files ");
  const open = sceneOf(await tablesOf(twice));
  expect(await open.ask([read("notes")], CONFIRMED)).toMatchObject([
    { error: { code: "policy_denied", message: expect.stringMatching(/both .*files\.read/) } },
  ]);
  open.close();
});

test("applies the page's conditions and quotas: asks for confirmation of a large file, and denies the fifth change of a request", async () => {
  expect(await scene.ask([write("large", "x".repeat(32 * 1024))])).toMatchObject([{ ok: true }]);
  expect(await scene.ask([write("large", "x".repeat(32 * 1024 + 1))])).toEqual([error("confirmation_required")]);
  const five = [1, 2, 3, 4, 5].map((number) => write(`file${number}`, "x"));
  const results = await scene.ask(five);
  expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true, false]);
  expect(results.at(-1)).toEqual(error("policy_denied"));
});

test("a plan that is only checked has its own turn, and counts quotas as execution does", async () => {
  const five = [1, 2, 3, 4, 5].map((number) => write(`file${number}`, "x"));
  const looked = async () => (await scene.ask(five, { mode: "plan_only" })).map(({ ok }) => ok);
  const expected = [true, true, true, true, false];
  expect(await looked()).toEqual(expected);
  expect((await scene.ask(five)).map(({ ok }) => ok)).toEqual(expected);
  expect(await looked()).toEqual(expected);
});

const CLEARED = (page: string) =>
  page
    .replace("service files  : Files { state 1 MiB }", "service files  : Files { label secret/reviewed  state 1 MiB }")
    .replace("kind operator", "kind operator\n    clearance secret");

test("after one client has read data, a program with a lower clearance no longer runs for the next client", async () => {
  const shared = sceneOf(await tablesOf(CLEARED));
  writeFileSync(join(shared.folder, "diary"), "x");
  // The two requests may come from two clients, which the daemon cannot distinguish.
  expect(await shared.ask([read("diary")], { session_id: "one" })).toMatchObject([{ ok: true }]);
  expect(await shared.ask([exec("/bin/echo", "hi")], { session_id: "two", ...CONFIRMED })).toEqual([
    error("policy_denied"),
  ]);
  expect(await shared.ask([write("diary", "y")])).toMatchObject([{ ok: true }]);
  shared.close();
});

test("a program's output for one client is untrusted, and the next client may not write it to a reviewed file", async () => {
  const shared = sceneOf(await tablesOf(CLEARED));
  expect(await shared.ask([exec("/bin/echo", "hi")])).toMatchObject([{ ok: true }]);
  expect(await shared.ask([write("diary", "y")], CONFIRMED)).toEqual([error("policy_denied")]);
  shared.close();
});

test("a plan that is only checked shows what may flow, and raises no label", async () => {
  const shared = sceneOf(await tablesOf(CLEARED));
  const actions = [read("diary"), exec("/bin/echo", "hi")];
  expect(await shared.ask(actions, { mode: "plan_only" })).toMatchObject([{ ok: true }, error("policy_denied")]);
  expect(await shared.ask([exec("/bin/echo", "hi")])).toMatchObject([{ ok: true }]);
  shared.close();
});

test("denies reading a file above the session's clearance, and does not return its content", async () => {
  const low = sceneOf(await tablesOf((page) => CLEARED(page).replace("\n    clearance secret", "")));
  writeFileSync(join(low.folder, "diary"), "the-content");
  const told = await low.ask([read("diary")], CONFIRMED);
  expect(told).toEqual([error("policy_denied")]);
  expect(JSON.stringify(told)).not.toContain(Buffer.from("the-content").toString("base64"));
  low.close();
});

test("denies an action that needs a signature, because a token does not prove presence", async () => {
  const clauses = (each: (typeof tables.decisions)[number]) =>
    each.clauses.map((clause) => (clause.conditions.length > 0 ? { ...clause, met: "stepUp" as const } : clause));
  const decisions = tables.decisions.map((each) => ({ ...each, clauses: clauses(each) }));
  const signed = sceneOf({ ...tables, decisions });
  const denied = { code: "policy_denied", message: expect.stringMatching(/nobody can sign here$/) };
  expect(await signed.ask([exec("/bin/echo")], CONFIRMED)).toMatchObject([{ ok: false, error: denied }]);
  signed.close();
});

test("treats an empty danger as absent", async () => {
  expect(await scene.ask([{ ...exec("/bin/echo"), danger: "" }])).toMatchObject([{ ok: true }]);
});
