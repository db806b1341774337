import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { undecodable } from "../../../engine/outside/osd/testing/upstream-wire.ts";
import { runCommand } from "../memory-world.ts";

const PAGE = fileURLToPath(new URL("../../../engine/outside/osd/testing/system.cap", import.meta.url));
const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-osd-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const capc = (...words: string[]) => spawn(process.execPath, [MAIN, ...words], { cwd: folder, stdio: "pipe" });

async function client(words: readonly string[], input = "") {
  const child = capc("llmsh", ...words);
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { out, err, status };
}

const LEFT_OPEN = 40;

const started = (...words: string[]) => startedWith(PAGE, ...words);

async function startedWith(page: string, ...words: string[]) {
  // Simulates a parent process that left a descriptor open.
  const file = openSync(PAGE, "r");
  const stdio: StdioOptions = ["pipe", "pipe", "pipe", ...Array<"ignore">(LEFT_OPEN - 3).fill("ignore"), file];
  const daemon = spawn(process.execPath, [MAIN, "llm-osd", page, ...words], { cwd: folder, stdio });
  closeSync(file);
  if (daemon.stderr === null) throw new Error("it has no standard error");
  daemon.stderr.setEncoding("utf8");
  for await (const line of daemon.stderr) if (String(line).includes("listens at")) break;
  return daemon;
}

const plan = (...actions: object[]) => JSON.stringify({ request_id: "r", version: "0.1", mode: "execute", actions });

test("llmsh sends a plan, llm-osd executes what the page allows, and the log contains requests and responses", async () => {
  writeFileSync(join(folder, "token"), "a token of a test\n");
  const words = ["--socket", "osd", "--audit", "audit.jsonl", "--token-file", "token"];
  const daemon = await started(...words);
  expect(statSync(join(folder, "osd")).mode & 0o777).toBe(0o600);
  const held = {
    type: "exec",
    argv: ["/bin/sh", "-c", `test ! -e /proc/self/fd/${LEFT_OPEN}`],
    timeout_sec: 5,
    reason: "a",
  };
  const echo = { type: "exec", argv: ["/bin/echo", "hi"], timeout_sec: 5, as_root: false, reason: "a test" };
  const [ping, sent] = await Promise.all([
    client(["ping", "--socket", "osd"]),
    client(["send", "--socket", "osd", "--session-id", "s"], plan(echo, held, { ...echo, argv: ["/bin/true"] })),
  ]);
  expect(ping.status).toBe(0);
  expect(JSON.parse(ping.out)).toMatchObject({ ok: true, results: [{ type: "ping", ok: true }] });
  expect(sent.status).toBe(1);
  expect(JSON.parse(sent.out)).toMatchObject({
    ...{ ok: true, session_id: "s" },
    results: [{ stdout: "hi\n" }, { ok: true }, { error: { code: "confirmation_required" } }],
  });
  daemon.kill("SIGTERM");
  expect(await once(daemon, "exit")).toEqual([0, null]);
  const records = readFileSync(join(folder, "audit.jsonl"), "utf8").trim().split("\n");
  expect(records.map((line) => JSON.parse(line).what).sort()).toEqual(["answer", "answer", "request", "request"]);
  expect(statSync(join(folder, "audit.jsonl")).mode & 0o777).toBe(0o600);
});

test("with --wire upstream, llmsh and llm-osd use the upstream protocol, and actions that only this protocol has are recorded and refused", async () => {
  writeFileSync(join(folder, "token"), "a token of a test\n");
  const wire = ["--wire", "upstream"];
  const daemon = await started("--socket", "osd", "--audit", "audit.jsonl", "--token-file", "token", ...wire);
  const echo = { type: "exec", argv: ["/bin/echo", "hi"], timeout_sec: 5, reason: "a test" };
  const restart = { type: "service_control", action: "restart", unit: "ssh", reason: "a test" };
  const send = (...actions: object[]) => client(["send", "--socket", "osd", ...wire], plan(...actions));
  const [ping, sent, refused, narrow] = await Promise.all([
    client(["ping", "--socket", "osd", ...wire]),
    send(echo),
    send(restart),
    client(["send", "--socket", "osd"], plan(restart)),
  ]);
  expect([ping.status, sent.status, refused.status, narrow.status]).toEqual([0, 0, 1, 1]);
  expect(JSON.parse(ping.out)).toMatchObject({ executed: true, results: [{ type: "pong", ok: true }], error: null });
  expect(JSON.parse(sent.out)).toMatchObject({ request_id: "r", results: [{ ok: true, stdout: "hi\n", error: null }] });
  expect(JSON.parse(refused.out)).toMatchObject({
    results: [{ type: "service_control", ok: false, argv: [], error: { code: "policy_denied" } }],
  });
  for (const { out } of [ping, sent, refused]) expect(undecodable(JSON.parse(out))).toBeUndefined();
  daemon.kill("SIGTERM");
  await once(daemon, "exit");
  const record = readFileSync(join(folder, "audit.jsonl"), "utf8");
  expect(record).toContain('"asked":"{\\"action\\":\\"restart\\",\\"unit\\":\\"ssh\\"}"');
});

test("a plan that runs at SIGTERM is recorded, even if the log ended in an incomplete line, and actions cannot read the daemon's own files", async () => {
  writeFileSync(join(folder, "token"), "a token of a test\r\n");
  writeFileSync(join(folder, "audit.jsonl"), '{"at":"19');
  symlinkSync(folder, join(folder, "link"));
  const words = ["--socket", "osd", "--audit", "audit.jsonl", "--token-file", "token", "--dir", "link"];
  const daemon = await started(...words);
  const why = { reason: "a test" };
  const own = { type: "read_file", path: "token", max_bytes: 9, ...why };
  const refused = await client(["send", "--socket", "osd"], plan(own));
  expect(JSON.parse(refused.out)).toMatchObject({
    results: [{ error: { code: "read_failed", message: "this is the daemon's own" } }],
  });
  const long = { type: "exec", argv: ["/bin/sh", "-c", "touch begun; sleep 1000"], timeout_sec: 60, ...why };
  const sent = client(["send", "--socket", "osd"], plan(long));
  while (!existsSync(join(folder, "begun"))) await new Promise((resolve) => setImmediate(resolve));
  daemon.kill("SIGTERM");
  expect(await once(daemon, "exit")).toEqual([0, null]);
  expect((await sent).status).toBe(3);
  const [torn, ...records] = readFileSync(join(folder, "audit.jsonl"), "utf8").trim().split("\n");
  expect(torn).toBe('{"at":"19');
  expect(records.map((line) => JSON.parse(line).what)).toEqual(["request", "answer", "request", "answer"]);
});

test("the example handles each plan as its README says", async () => {
  const example = fileURLToPath(new URL("../../../examples/host-actions/", import.meta.url));
  const daemon = await startedWith(join(example, "system.cap"), "--socket", "osd", "--audit", "audit.jsonl");
  const send = async (name: string) => {
    const readInput = async () => readFileSync(join(example, "plans", `${name}.json`));
    const { status, out } = await runCommand(["llmsh", "send", "--socket", "osd"], { folder, readInput });
    return { status, ...JSON.parse(out) };
  };
  expect(await send("note")).toMatchObject({
    ...{ status: 0, ok: true, request_id: "note-1", executed: true },
    results: [{ bytes_after: 9 }, { content_base64: "YnV5IG1pbGsK" }, { stdout: "noted\n" }],
  });
  const unconfirmed = { ok: false, error: { code: "confirmation_required" } };
  expect(await send("make")).toMatchObject({ status: 1, results: [unconfirmed, { error: { code: "not_run" } }] });
  expect(await send("look")).toMatchObject({
    ...{ status: 1, executed: false },
    results: [{ needs_confirmation: false }, { needs_confirmation: true }, { error: { code: "policy_denied" } }],
  });
  expect(await send("wrong")).toMatchObject({
    error: { code: "validation_failed", message: "actions[0].shell is not known" },
  });
  daemon.kill("SIGTERM");
  await once(daemon, "exit");
});

test("a failed start gives the reason in one sentence, and prints no token", async () => {
  const daemon = capc("llm-osd", PAGE, "--socket", "osd", "--audit", "missing/audit");
  const [out, [status]] = await Promise.all([text(daemon.stderr), once(daemon, "exit")]);
  expect(out).not.toContain("token");
  expect(out).toMatch(/missing\/audit does not exist\n$/);
  expect(status).toBe(3);
});

test("llmsh validates a plan without a daemon, but fails to ping a daemon that does not run", async () => {
  const [valid, invalid, nobody] = await Promise.all([
    client(["validate"], plan({ type: "ping" })),
    client(["validate"], plan({ type: "ping", shell: "sh" })),
    client(["ping", "--socket", "nobody"]),
  ]);
  expect([valid.status, JSON.parse(valid.out)]).toEqual([0, { ok: true }]);
  expect(invalid.status).toBe(1);
  expect(JSON.parse(invalid.out)).toMatchObject({ error: { code: "validation_failed" } });
  expect(nobody.status).toBe(3);
  expect(nobody.err).toMatch(/^capc llmsh: /);
});
