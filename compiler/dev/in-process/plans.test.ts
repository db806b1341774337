// Tests action plans with all processes of an image, in one process. A person, the model and a program of the page
// submit the plans of examples/action-plans. The gate of the session that the page names executes them. Both the
// submitter and the executing program may be hostile.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duplexPair } from "node:stream";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AuditEntry } from "../../../engine/lib/wire/generated/audit.ts";
import { PlanGate } from "../../../engine/lib/wire/generated/service.ts";
import { connect } from "../../../engine/lib/wire/index.ts";
import { MOST_ACTIONS } from "../../../engine/outside/osd/limits.ts";
import { createLogBytes } from "../../../engine/processes/audit/device.ts";
import { verify } from "../../../engine/processes/audit/verify.ts";
import { MAX_PLANNED } from "../../../engine/processes/gate/plan-turns.ts";
import { MOST_PER_HOUR, Plans } from "../../../engine/processes/gate/plans.ts";
import { Recording } from "../../../engine/processes/gate/recording.ts";
import { servePlans } from "../../../engine/processes/gate/serve.ts";
import { compilePage } from "../fixtures/facts.ts";
import { createStage, createStageFor } from "./examples.ts";
import { collectSpoken } from "./fake-console.ts";
import { type Rehearsal, rehearse } from "./rehearsal.ts";

let folder = "";
let stage: Rehearsal;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "capos-plans-"));
  await begin((page) => page);
  mkdirSync(join(folder, "papers/inbox"));
  writeFileSync(join(folder, "papers/ledger.txt"), "twelve\n");
});

afterEach(async () => {
  await stage.leave();
  rmSync(folder, { recursive: true });
});

const EXAMPLE = fileURLToPath(new URL("../../../examples/action-plans/", import.meta.url));

/** Starts the example's machine with a changed page. */
async function begin(change: (page: string) => string): Promise<void> {
  const text = (name: string) => readFileSync(join(EXAMPLE, name), "utf8");
  const beside = ["clerk.capnp", "cap.lock", "replies.json", "services/clerk.js"].map((name) => [
    `/${name}`,
    text(name),
  ]);
  const { policy, origins } = await compilePage(change(text("system.cap")), Object.fromEntries(beside));
  if (policy === undefined || origins === undefined) throw new Error("the page does not compile");
  stage = await rehearse(await createStageFor(policy, origins, folder));
}

async function beginAgain(change: (page: string) => string): Promise<void> {
  await stage.leave();
  await begin(change);
}

const read = (path: string, max_bytes = 1000) => ({ type: "read_file", path, max_bytes, reason: "a test" });
const write = (path: string, content: string, mode = "0600") => ({
  ...{ type: "write_file", path, content, mode, reason: "a test" },
});
const PING = { type: "ping" };

interface Told {
  readonly ok: boolean;
  readonly executed?: boolean;
  readonly request_id?: string;
  readonly results: readonly { readonly ok: boolean; readonly error?: { code: string; message: string } }[];
  readonly error?: { readonly code: string; readonly message: string };
}

const planOf = (actions: readonly object[], more: object = {}) =>
  JSON.stringify({ request_id: "r1", version: "0.1", mode: "execute", actions, ...more });

/** Submits a plan as text with a tool of the operator session. */
async function handIn(plan: string, tool = "plans.submit"): Promise<Told> {
  const [line = ""] = await stage.command("tool", `${tool} ${JSON.stringify({ plan })}`);
  expect(line).toMatch(/^ok: /);
  return JSON.parse(JSON.parse(line.slice("ok: ".length)).answer);
}

async function results(actions: readonly object[], more: object = {}): Promise<Told["results"]> {
  const told = await handIn(planOf(actions, more));
  expect(told, told.error?.message).toMatchObject({ ok: true, request_id: "r1" });
  return told.results;
}

const file = (name: string) => join(folder, "papers", name);
const LESS_TRUSTED = "service papers : Files { state 4 MiB  label public/untrusted }";
const fault = (code: string, message = /./) =>
  expect.objectContaining({ ok: false, error: { code, message: expect.stringMatching(message) } });

function entries(): readonly AuditEntry[] {
  const found: AuditEntry[] = [];
  const verdict = verify(createLogBytes(readFileSync(join(folder, "audit/audit.log"))), ({ record }) =>
    found.push(record.entry),
  );
  expect([verdict.fault, verdict.torn]).toEqual([undefined, 0]);
  return found;
}
const recorded = () =>
  entries().flatMap((entry) => {
    if (entry.which === "session") return [`${entry.session.name} ${entry.session.event}`];
    if (entry.which !== "intent" && entry.which !== "outcome") return [];
    const { session, runner, descriptor, decision, outcome } = entry.which === "intent" ? entry.intent : entry.outcome;
    return [
      `${session} ${entry.which} ${runner} ${descriptor.name} ${decision}${entry.which === "outcome" ? ` ${outcome}` : ""}`,
    ];
  });

test("the gate of a plan's session executes the plan in order, and records the plan", async () => {
  expect(await results([PING, write("inbox/a.txt", "one"), read("inbox/a.txt")])).toEqual([
    { type: "ping", ok: true },
    { type: "write_file", ok: true, artifacts: ["inbox/a.txt"], bytes_after: 3 },
    { type: "read_file", ok: true, content_base64: Buffer.from("one").toString("base64"), truncated: false },
  ]);
  expect(recorded()).toEqual([
    "operator intent person plans.submit auto",
    "robots plan",
    "robots intent llm-osd papers.write auto",
    "robots outcome llm-osd papers.write auto ok",
    "robots outcome llm-osd papers.read auto ok",
    "operator outcome person plans.submit auto ok",
  ]);
});

test("the record of a plan contains its session, actions and reasons, but no content and no token", async () => {
  await results([write("inbox/a.txt", "a secret")], { session_id: "s", confirmation: { token: "abc-token" } });
  const [request] = entries().flatMap((entry) => (entry.which === "session" ? [entry.session.detail] : []));
  expect(request).toMatch(/^turn 1: \{"request_id":"r1","session_id":"s".*"reason":"a test"/);
  expect(request).toMatch(/"content":"\[redacted\]".*"content_bytes":8/);
  expect(request).not.toMatch(/a secret|abc-token/);
});

test("an action with a forbidden or missing tool does not run, and neither do the later actions of its plan", async () => {
  const missing = { type: "exec", argv: ["/usr/bin/node"], timeout_sec: 1, as_root: false, reason: "a test" };
  expect(await results([read("ledger.txt"), write("inbox/b.txt", "x"), PING])).toEqual([
    fault("policy_denied", /path/),
    fault("not_run"),
    fault("not_run"),
  ]);
  expect(await results([missing])).toEqual([fault("policy_denied", /^an image has no programs to start/)]);
  expect(existsSync(file("inbox/b.txt"))).toBe(false);
});

test.each([
  ["an absolute path", "/inbox/a.txt"],
  ["a path to the parent folder", "inbox/../ledger.txt"],
  ["a path out of the service's folder", "inbox/../../audit/audit.log"],
])("%s is refused, even if a person approves", async (_, path) => {
  stage.scene("robots").console.answers.push("granted");
  const [told] = await results([read(path)]);
  expect(told?.ok).toBe(false);
});

test("an action that needs consent causes a prompt at the session's console, and runs once if approved", async () => {
  const { console } = stage.scene("robots");
  console.answers.push("denied");
  expect(await results([write("ledger.txt", "1")])).toEqual([fault("confirmation_required")]);
  console.answers.push("granted");
  expect(await results([write("ledger.txt", "1")])).toEqual([expect.objectContaining({ ok: true })]);
  expect(readFileSync(file("ledger.txt"), "utf8")).toBe("1");
  expect(console.answers).toEqual([]);
});

test("an action whose plan calls it dangerous needs consent, and no token can replace a person's approval", async () => {
  const { console } = stage.scene("robots");
  const dangerous = { ...write("inbox/d.txt", "x"), danger: "it may be read by all" };
  expect(await results([dangerous], { confirmation: { token: "anything" } })).toEqual([fault("confirmation_invalid")]);
  expect(console.drawn.filter(({ what }) => what === "question")).toEqual([]);
  console.answers.push("denied");
  expect(await results([dangerous])).toEqual([fault("confirmation_required")]);
  const [asked] = console.drawn.flatMap((one) => (one.what === "question" ? [one.question] : []));
  expect(asked).toMatchObject({ tool: "papers.write", mode: "consent", mayRemember: false });
  expect(asked?.sentence).toMatch(/the plan calls it dangerous/);
  console.answers.push("granted");
  expect(await results([dangerous])).toEqual([expect.objectContaining({ ok: true })]);
});

test("a plan in plan_only mode runs nothing, and the response lists the actions that need confirmation", async () => {
  const actions = [
    PING,
    read("inbox/a.txt"),
    write("ledger.txt", "x"),
    read("ledger.txt"),
    write("inbox/c", "x", "0644"),
  ];
  const told = await handIn(planOf(actions, { mode: "plan_only" }));
  expect(told).toMatchObject({ ok: true, executed: false });
  expect(told.results).toEqual([
    { type: "ping", ok: true, needs_confirmation: false },
    { type: "read_file", ok: true, needs_confirmation: false },
    { type: "write_file", ok: true, needs_confirmation: true },
    fault("policy_denied"),
    fault("policy_denied", /mode 0600/),
  ]);
  expect(recorded().filter((line) => line.startsWith("robots"))).toEqual([]);
});

test("an invalid plan is refused with the same error code as on a host, and the refusal is recorded", async () => {
  expect((await handIn("{")).error?.code).toBe("parse_failed");
  expect((await handIn(planOf([PING], { more: 1 }))).error?.code).toBe("validation_failed");
  expect((await handIn(planOf([PING], { mode: "now" }))).error?.code).toBe("mode_invalid");
  expect(recorded().filter((line) => line.startsWith("robots"))).toEqual(Array(3).fill("robots plan refused"));
});

test("a file is read up to the requested size, but not beyond the maximum size of a result", async () => {
  writeFileSync(file("inbox/long.txt"), 'é\\"\n'.repeat(10_000));
  const [some, most] = await results([read("inbox/long.txt", 5), read("inbox/long.txt", 65_536)]);
  expect(some).toEqual({
    ...{ type: "read_file", ok: true, truncated: true },
    content_base64: Buffer.from('é\\"\n').toString("base64"),
  });
  const content = Buffer.from(most && "content_base64" in most ? String(most.content_base64) : "", "base64");
  expect(most).toMatchObject({ ok: true, truncated: true });
  expect(content.length).toBeGreaterThan(20_000);
  expect('é\\"\n'.repeat(10_000).startsWith(content.toString("utf8"))).toBe(true);
});

test("the model can submit a plan, which is gated like any other call", async () => {
  expect(collectSpoken(await stage.console.say("File that it rained."))).toMatch(
    /^The plan came back: .*"executed":true/,
  );
  expect(readFileSync(file("inbox/rain.txt"), "utf8")).toBe("it rained");
});

test("a program of the page can submit plans, and has no other access", async () => {
  const [line = ""] = await stage.command("tool", 'clerk.file {"name":"n.txt","text":"hello"}');
  expect(JSON.parse(JSON.parse(line.slice(4)).answer)).toMatchObject({ ok: true, executed: true });
  expect(readFileSync(file("inbox/n.txt"), "utf8")).toBe("hello");
  expect((await handIn(planOf([read("ledger.txt")]), "clerk.ask")).results).toEqual([fault("policy_denied")]);
});

test("the page's quotas of calls and prompts per hour apply to all plans together", async () => {
  const { console } = stage.scene("robots");
  console.answers.push("denied", "denied", "denied");
  for (const n of [1, 2, 3]) expect(await results([write(`${n}`, "x")])).toEqual([fault("confirmation_required")]);
  expect(await results([write("4", "x")])).toEqual([fault("policy_denied", /prompts per hour/)]);
  const many = Array.from({ length: 16 }, () => write("inbox/a", "x"));
  await results(many);
  expect((await results(many)).filter(({ ok }) => ok).length).toBeLessThan(5);
  expect(await results([write("inbox/a", "x")])).toEqual([fault("policy_denied", /calls per hour/)]);
});

test("plans cannot use a revoked service", async () => {
  await stage.scene("robots").command("revoke", "papers");
  expect(await results([read("inbox/a.txt")])).toEqual([fault("policy_denied", /revoked/)]);
  const looked = await handIn(planOf([read("inbox/a.txt")], { mode: "plan_only" }));
  expect(looked.results).toEqual([fault("policy_denied", /papers was revoked/)]);
});

test("an action that needs consent is refused without waiting if the user is away", async () => {
  await stage.scene("robots").command("away");
  const dangerous = { ...write("inbox/d.txt", "x"), danger: "yes" };
  expect(await results([dangerous])).toEqual([fault("policy_denied", /nobody is there/)]);
  expect(await stage.scene("robots").command("parked")).not.toContainEqual(expect.stringMatching(/papers\.write/));
});

test("an action that would raise the label of the session does not run", async () => {
  await beginAgain((page) =>
    page.replace("service papers : Files { state 4 MiB  label public/reviewed }", LESS_TRUSTED),
  );
  writeFileSync(file("inbox/a.txt"), "from anybody");
  expect(await results([read("inbox/a.txt")])).toEqual([fault("policy_denied", /may not be told/)]);
  const [looked] = (await handIn(planOf([read("inbox/a.txt")], { mode: "plan_only" }))).results;
  expect(looked).toEqual(fault("policy_denied", /may not be told/));
  expect(recorded()).toContain("robots outcome llm-osd papers.read notReached refusedByPolicy");
  // A person may call `papers.read`. The call raises the label of the session. After that, the session must not return
  // results of plans to the submitter, who is not cleared for the label.
  expect(await stage.scene("robots").command("tool", 'papers.read {"path":"inbox/a.txt"}')).toEqual([
    expect.stringContaining("from anybody"),
  ]);
  expect((await handIn(planOf([PING]))).error).toMatchObject({
    code: "audit_failed",
    message: expect.stringMatching(/may not be told/),
  });
});

test("an action that matches two tools is refused", async () => {
  await beginAgain((page) =>
    page
      .replace("  /// llm-osd.", "  service letters : Files { state 1 MiB  label public/reviewed }\n  /// llm-osd.")
      .replace("forbidden destructive\n", "forbidden destructive\n      auto letters.read\n"),
  );
  expect(await results([read("inbox/a.txt")])).toEqual([
    fault("policy_denied", /is both letters.read and papers.read/),
  ]);
});

test("without an audit disk a plan cannot write, and can only make reads that need no approval", async () => {
  await stage.leave();
  const { disk: _, ...undurable } = await createStage("action-plans", folder);
  stage = await rehearse(undurable);
  writeFileSync(file("inbox/a.txt"), "x");
  const told = async (actions: readonly object[]) => {
    const { call } = takenOver();
    await call("begin", { words: "" });
    return Promise.all(
      actions.map(async (action, id) => outcomeOf(await call("act", act(1, action, { id: `${id}` })))),
    );
  };
  const content = "";
  expect(
    await told([
      { type: "read_file", path: "inbox/a.txt", content },
      { type: "write_file", path: "inbox/a.txt", content: "y" },
    ]),
  ).toEqual(["ok", "refusedByPolicy"]);
});

test("/llmsh exists in a session with plans, and prints the result of each action on a line of its own", async () => {
  expect(await stage.command("llmsh", "ping")).toEqual([
    '→ {"executed":true,"ok":true,"request_id":"ping"}',
    '→ {"ok":true,"type":"ping"}',
  ]);
  expect(await stage.command("llmsh", "{")).toEqual([expect.stringMatching(/^→ .*"parse_failed"/)]);
  expect(await stage.command("llmsh")).toEqual(["/llmsh needs a plan, or ping"]);
  expect(await stage.scene("robots").command("llmsh", "ping")).toEqual(["this session has no tool for action plans"]);
  await stage.command("revoke", "plans");
  expect(await stage.command("llmsh", "ping")).toEqual(["refusedByPolicy: plans was revoked"]);
});

/** Simulates a compromised llm-osd program. It has a connection to the gate, and can send any message over it. */
function takenOver(now = () => 0) {
  const [mine, end] = duplexPair();
  servePlans(end, new Plans(stage.scene("robots").gate, now));
  const connection = connect(mine);
  const call = (method: keyof typeof PlanGate.methods, params: unknown) =>
    connection.callTool(PlanGate.id, PlanGate.methods[method].ordinal, JSON.stringify(params));
  return { connection, call };
}

const act = (turn: unknown, action: unknown, more: object = {}) => ({
  turn,
  id: "1",
  action,
  isCautious: false,
  ...more,
});
const outcomeOf = (reply: Awaited<ReturnType<ReturnType<typeof takenOver>["call"]>>) =>
  reply.ok ? JSON.parse(reply.value).outcome : reply.code;

test("an action does not run if no turn of a plan has begun, or if the action names an earlier turn", async () => {
  const { call } = takenOver();
  const action = { type: "write_file", path: "inbox/a", content: "x" };
  expect(outcomeOf(await call("act", act(0, action)))).toBe("refusedByPolicy");
  await call("begin", { words: "one" });
  await call("begin", { words: "two" });
  expect(outcomeOf(await call("act", act(1, action)))).toBe("refusedByPolicy");
  expect(outcomeOf(await call("act", act(2, action)))).toBe("ok");
  await stage.scene("robots").command("tool", 'papers.read {"path":"inbox/a"}');
  expect(outcomeOf(await call("act", act(2, action)))).toBe("refusedByPolicy");
});

test("a turn of a plan has at most as many calls as a plan may have actions, and all further calls together leave one record", async () => {
  expect(MAX_PLANNED).toBe(MOST_ACTIONS);
  const { call } = takenOver();
  await call("begin", { words: "" });
  const action = { type: "read_file", path: "inbox/../ledger.txt", content: "" };
  for (let n = 0; n < MAX_PLANNED + 4; n += 1) await call("act", act(1, action, { id: `${n}` }));
  const ofRobots = recorded().filter((line) => line.startsWith("robots"));
  expect(ofRobots.filter((line) => line.includes("outcome"))).toHaveLength(MAX_PLANNED);
  expect(ofRobots.filter((line) => !line.includes("outcome"))).toEqual(["robots plan", "robots flooded"]);
});

test("a waiting plan does not cancel a person's call, and runs after it", async () => {
  const { gate } = stage.scene("robots");
  writeFileSync(file("inbox/a"), "x");
  const never = new AbortController().signal;
  const typed = { id: "typed", name: "papers.read", arguments: '{"path":"inbox/a"}' };
  const begun = Promise.all([gate.plans.begin("one"), gate.plans.begin("two")]);
  expect(await gate.personCalls.call(typed, never)).toMatchObject({ outcome: "ok" });
  expect(await begun).toEqual([
    { ok: true, value: 2 },
    { ok: true, value: 3 },
  ]);
});

test("a turn that a person begins while a plan is being recorded does not belong to the plan", async () => {
  const { gate } = stage.scene("robots");
  const typed = { id: "typed", name: "papers.read", arguments: '{"path":"inbox/a"}' };
  let direct: ReturnType<typeof gate.personCalls.call> | undefined;
  writeFileSync(file("inbox/a"), "x");
  const append = vi.spyOn(Recording.prototype, "append");
  append.mockImplementationOnce(function (this: Recording, entry) {
    append.mockRestore();
    direct = gate.personCalls.call(typed, new AbortController().signal);
    return this.append(entry);
  });
  expect(await gate.plans.begin("one")).toEqual({ ok: false, reason: "a person began a turn before the plan's" });
  expect(await direct).toMatchObject({ outcome: "ok" });
  expect(recorded()).toEqual(["robots plan", "robots plan refused", "robots outcome person papers.read auto ok"]);
  expect(await gate.plans.begin("two")).toEqual({ ok: true, value: 2 });
});

test("an action with an invalid `isCautious` is treated as cautious", async () => {
  const { call } = takenOver();
  await call("begin", { words: "" });
  stage.scene("robots").console.answers.push("denied");
  const reply = await call("act", act(1, { type: "write_file", path: "inbox/a", content: "x" }, { isCautious: "no" }));
  expect(outcomeOf(reply)).toBe("deniedByUser");
});

test("property: a hostile plan runner changes no file outside the inbox, and causes no more prompts than the page allows", async () => {
  const { call } = takenOver();
  const path = fc.oneof(fc.constantFrom("inbox/a", "ledger.txt", "/inbox/a", "inbox/../ledger.txt"), fc.string());
  const action = fc.oneof(
    fc.record({ type: fc.constantFrom("read_file", "write_file", "exec", "delete"), path, content: fc.string() }),
    fc.anything(),
  );
  const params = fc.oneof(
    fc.record({ turn: fc.nat(40), id: fc.string(), action, isCautious: fc.anything(), words: fc.string() }),
    fc.anything(),
  );
  const method = fc.constantFrom<keyof typeof PlanGate.methods>("look", "begin", "act", "refused");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(method, params), { maxLength: 8 }), async (sent) => {
      stage.scene("robots").console.answers.splice(0, 99, "denied", "denied", "denied", "denied");
      for (const [name, one] of sent)
        await call(name, one === undefined ? {} : JSON.parse(JSON.stringify(one) ?? "{}"));
    }),
    { numRuns: 60 },
  );
  expect(readFileSync(file("ledger.txt"), "utf8")).toBe("twelve\n");
  const asked = stage.scene("robots").console.drawn.filter(({ what }) => what === "question");
  expect(asked.length).toBeLessThanOrEqual(3);
});

test("plans above the hourly limit are neither run nor recorded until the hour is over", async () => {
  let now = 0;
  const { call } = takenOver(() => now);
  const taken = await Promise.all(Array.from({ length: MOST_PER_HOUR }, () => call("refused", { words: "x" })));
  expect(taken.every(({ ok }) => ok)).toBe(true);
  const before = recorded().length;
  for (let n = 0; n < 5; n += 1) expect((await call("begin", { words: "x" })).ok).toBe(false);
  now = 3_600_000;
  expect((await call("begin", { words: "x" })).ok).toBe(true);
  expect(recorded().slice(before)).toEqual(["robots plans flooded", "robots plan"]);
});

test("a call to an unknown interface is recorded, and closes the connection of its sender", async () => {
  const { connection } = takenOver();
  await connection.callTool(1n, 0, "{}");
  await connection.closed;
  expect(recorded()).toContain("robots cut off");
});
