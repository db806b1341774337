import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { IndexedTables } from "../../lib/policy/index.ts";
import { CONFIRMED, error, exec, read, type Scene, sceneOf, TOKEN, tablesOf, write } from "./testing/daemon.ts";

let tables: IndexedTables;
let scene: Scene;
beforeAll(async () => {
  tables = await tablesOf();
});
beforeEach(() => {
  scene = sceneOf(tables);
});
afterEach(() => scene.close());

const text = (base64: string) => Buffer.from(base64, "base64").toString("utf8");

test("answers a ping without other work", async () => {
  expect(
    await scene.send({
      request_id: "r",
      session_id: "s",
      version: "0.1",
      mode: "execute",
      actions: [{ type: "ping" }],
    }),
  ).toEqual({
    ...{ ok: true, request_id: "r", session_id: "s", executed: true },
    results: [{ type: "ping", ok: true }],
  });
});

test("runs a listed program with its exact arguments, without a shell", async () => {
  expect(await scene.ask([exec("/bin/echo", "$HOME", "a  b;")])).toEqual([
    {
      ...{ type: "exec", ok: true, stdout: "$HOME a  b;\n", stderr: "", exit_code: 0 },
      ...{ stdout_truncated: false, stderr_truncated: false },
    },
  ]);
});

test("a program gets only the given environment and the daemon's folder", async () => {
  const action = {
    ...exec("/bin/sh", "-c", "pwd; echo $A; env | grep HOME || echo none; echo no >&2; exit 3"),
    env: { A: "b" },
  };
  const [result] = await scene.ask([action], CONFIRMED);
  expect(result).toMatchObject({
    ...{ ok: false, exit_code: 3, stdout: `${scene.folder}\nb\nnone\n`, stderr: "no\n" },
    error: { code: "exit_status" },
  });
});

test("truncates long output, and reports it in a flag and in the text", async () => {
  const [result] = await scene.ask([exec("/bin/sh", "-c", "head -c 200000 /dev/zero | tr '\\0' x")]);
  expect(result).toMatchObject({ ok: true, stdout_truncated: true, stderr_truncated: false });
  expect(result).toHaveProperty("stdout", `${"x".repeat(65_536)}\n[truncated]`);
});

test("a timeout ends the program and the processes that it started, which keep its output open", async () => {
  const action = { ...exec("/bin/sh", "-c", "sleep 1000 & sleep 1000"), timeout_sec: 1 };
  const [result] = await scene.ask([action]);
  expect(result).toMatchObject({ ok: false, exit_code: null, error: { code: "exec_timed_out" } });
});

test("a program that has ended leaves no timer that could kill another process with its number", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  expect(await scene.ask([exec("/bin/echo")])).toMatchObject([{ ok: true }]);
  expect(timers()).toBeLessThanOrEqual(before);
});

test("does not wait for a process that left the group and keeps the output open", async () => {
  const [result] = await scene.ask([exec("/bin/sh", "-c", "setsid sleep 20 & echo begun")]);
  expect(result).toMatchObject({ ok: true, exit_code: 0, stdout: "begun\n" });
});

test("reports a missing program as exec_failed", async () => {
  expect(await scene.ask([exec("/bin/no-such-program")], CONFIRMED)).toEqual([error("exec_failed")]);
});

test("reports a program that the system cannot start as exec_failed, and the daemon continues", async () => {
  writeFileSync(join(scene.folder, "notes"), "x");
  for (const action of [{ ...exec("/bin/echo"), cwd: join(scene.folder, "notes") }, exec("/bin/echo/more")])
    expect(await scene.ask([action], CONFIRMED)).toEqual([error("exec_failed")]);
  expect(await scene.ask([{ type: "ping" }])).toMatchObject([{ ok: true }]);
});

test("a new file gets the requested mode, whatever the daemon's umask", async () => {
  await scene.ask([write("notes", "x", "0666")]);
  expect(statSync(join(scene.folder, "notes")).mode & 0o777).toBe(0o666);
});

test("writes a file and reads it again", async () => {
  const [written, seen] = await scene.ask([write("notes", "hello"), read("notes")]);
  expect(written).toEqual({
    ...{ type: "write_file", ok: true, artifacts: [join(scene.folder, "notes")], bytes_before: null, bytes_after: 5 },
  });
  expect(seen).toEqual({ type: "read_file", ok: true, content_base64: "aGVsbG8=", truncated: false });
  expect(statSync(join(scene.folder, "notes")).mode & 0o777).toBe(0o640);
});

test("replaces a file's content and reports its old and new size", async () => {
  writeFileSync(join(scene.folder, "notes"), "something longer");
  expect(await scene.ask([write("notes", "new")])).toMatchObject([{ bytes_before: 16, bytes_after: 3 }]);
  expect(readFileSync(join(scene.folder, "notes"), "utf8")).toBe("new");
});

test.each([
  [4, "abcd", true],
  [5, "abcde", false],
  [6, "abcde", false],
])("reads a file of five bytes with max_bytes %i", async (most, content, truncated) => {
  writeFileSync(join(scene.folder, "notes"), "abcde");
  const [result] = await scene.ask([read("notes", most)]);
  expect(result).toMatchObject({ ok: true, truncated });
  expect(result !== undefined && "content_base64" in result && text(result.content_base64)).toBe(content);
});

test("refuses links, hard links and paths that are not a regular file", async () => {
  symlinkSync("/etc", join(scene.folder, "folder"));
  symlinkSync("/etc/hostname", join(scene.folder, "file"));
  for (const path of ["folder/hostname", "file", ".", "missing", "missing/file"])
    expect(await scene.ask([read(path)])).toEqual([error("read_failed")]);
  writeFileSync(join(scene.folder, "one"), "kept");
  linkSync(join(scene.folder, "one"), join(scene.folder, "two"));
  execFileSync("mkfifo", [join(scene.folder, "pipe")]);
  mkdirSync(join(scene.folder, "inner"));
  for (const path of ["two", "file", "folder/capc-test", "pipe", "inner"])
    expect(await scene.ask([write(path, "x")])).toEqual([error("write_failed")]);
  expect(await scene.ask([read("pipe")])).toEqual([error("read_failed")]);
  expect(readFileSync(join(scene.folder, "one"), "utf8")).toBe("kept");
});

test("refuses to read or write the daemon's own files, under any name and with any token", async () => {
  const token = join(scene.folder, "token");
  writeFileSync(token, "kept");
  const own = sceneOf(tables, "operator", { folder: scene.folder, own: [token] });
  linkSync(token, join(scene.folder, "another"));
  for (const path of ["token", token, "another"]) {
    expect(await own.ask([read(path)], CONFIRMED)).toEqual([error("read_failed")]);
    expect(await own.ask([write(path, "x")], CONFIRMED)).toEqual([error("write_failed")]);
  }
  expect(readFileSync(token, "utf8")).toBe("kept");
  own.close();
});

test("does not run the actions that follow a failure", async () => {
  expect(await scene.ask([read("missing"), write("notes", "x"), { type: "ping" }])).toEqual([
    error("read_failed"),
    error("not_run"),
    error("not_run"),
  ]);
  expect(statSync(join(scene.folder, "notes"), { throwIfNoEntry: false })).toBeUndefined();
});

test("a plan that is only checked reports which actions need confirmation, and does nothing", async () => {
  const actions = [write("notes", "x"), exec("/bin/true"), read("/etc/hostname"), { type: "ping" }];
  const answer = await scene.send({ request_id: "r", version: "0.1", mode: "plan_only", actions });
  expect(answer).toEqual({
    ...{ ok: true, request_id: "r", executed: false },
    results: [
      { type: "write_file", ok: true, needs_confirmation: false },
      { type: "exec", ok: true, needs_confirmation: true },
      { type: "read_file", ok: true, needs_confirmation: true },
      { type: "ping", ok: true, needs_confirmation: false },
    ],
  });
  expect(statSync(join(scene.folder, "notes"), { throwIfNoEntry: false })).toBeUndefined();
});

test("the record has requester, reason and action, but no token, value, content or output", async () => {
  const secrets = ["the-value", "the-content", TOKEN, Buffer.from("the-content").toString("base64")];
  const actions = [
    { ...exec("/bin/sh", "-c", 'echo "$KEY"'), env: { KEY: "the-value" }, cwd: scene.folder },
    write("notes", "the-content"),
    read("notes"),
  ];
  await scene.ask(actions, { session_id: "s", ...CONFIRMED });
  const [request, answer] = scene.records.map((record) => JSON.parse(record));
  for (const secret of secrets) expect(scene.records.join("\n")).not.toContain(secret);
  expect(request).toMatchObject({
    ...{ at: "1970-01-01T00:00:00.000Z", what: "request", request_id: "r", session_id: "s", mode: "execute" },
    confirmation: { token: "[redacted]" },
    actions: [
      {
        ...{ argv: ["/bin/sh", "-c", 'echo "$KEY"'], cwd: scene.folder },
        ...{ env: { KEY: "[redacted]" }, reason: "a test" },
      },
      { path: "notes", content: "[redacted]", content_bytes: 11 },
      { path: "notes", max_bytes: 100 },
    ],
  });
  expect(answer).toMatchObject({
    ...{ what: "answer", request_id: "r" },
    results: [{ exit_code: 0, stdout_bytes: 10 }, { bytes_before: null, bytes_after: 11 }, { content_bytes: 11 }],
  });
});

test("records a refused request too", async () => {
  const wrong = { request_id: "r", session_id: "s", version: "0.1", mode: "execute", actions: [{ type: "reboot" }] };
  await scene.send(wrong);
  const refused = { what: "refused", request_id: "r", session_id: "s", error: { code: "validation_failed" } };
  expect(JSON.parse(scene.records[0] ?? "")).toMatchObject(refused);
});

test("runs nothing if the record cannot be written", async () => {
  const broken = sceneOf(tables, "operator", { isBroken: () => true });
  const answer = await broken.send({
    request_id: "r",
    version: "0.1",
    mode: "execute",
    actions: [write("notes", "x")],
  });
  expect(answer).toMatchObject({ ok: false, request_id: "r", error: { code: "audit_failed" } });
  expect(statSync(join(broken.folder, "notes"), { throwIfNoEntry: false })).toBeUndefined();
  broken.close();
});

test("a client that disconnects ends its running program", async () => {
  const gone = new AbortController();
  const actions = [exec("/bin/sh", "-c", "touch begun; sleep 1000"), write("after", "x")];
  const answer = scene.send({ request_id: "r", version: "0.1", mode: "execute", actions }, gone.signal);
  while (statSync(join(scene.folder, "begun"), { throwIfNoEntry: false }) === undefined)
    await new Promise((resolve) => setImmediate(resolve));
  gone.abort();
  expect(await answer).toMatchObject({ results: [{ ok: false, exit_code: null }, { error: { code: "not_run" } }] });
});

test("requests run one after another, and settling waits for all of them", async () => {
  const asked = [scene.ask([exec("/bin/sh", "-c", "echo one; touch one")]), scene.ask([read("one")])];
  await scene.settled();
  const told = scene.records.map((record) => JSON.parse(record));
  expect(told.map(({ what }) => what)).toEqual(["request", "answer", "request", "answer"]);
  expect(await Promise.all(asked)).toMatchObject([[{ stdout: "one\n" }], [{ ok: true }]]);
});

test("records the outcome of a request even if its client has left", async () => {
  const gone = new AbortController();
  gone.abort();
  const plan = { request_id: "r", version: "0.1", mode: "execute", actions: [write("notes", "x")] };
  expect(await scene.send(plan, gone.signal)).toMatchObject({ results: [{ error: { code: "not_run" } }] });
  expect(scene.records.map((record) => JSON.parse(record).what)).toEqual(["request", "answer"]);
});
