// Plays the example's conversation without a machine and with every gate and outcome. The broker is real, the audit
// process writes to a disk, and the real ssh-keygen signs.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { readTables, renderDecisionMatrix } from "../../../engine/lib/policy/index.ts";
import type { AuditRecord, CallRecord, InferenceRecord } from "../../../engine/lib/wire/generated/audit.ts";
import { createLogBytes } from "../../../engine/processes/audit/device.ts";
import { verify } from "../../../engine/processes/audit/verify.ts";
import { newSshKey, type SshKey } from "../../../engine/processes/broker/sshsig/testing/ssh-keygen.ts";
import { compileExample, type Example } from "./example.ts";
import { type ConsoleOutput, collectSpoken } from "./fake-console.ts";
import { type Rehearsal, rehearse } from "./rehearsal.ts";

let alice: SshKey;
let example: Example;
let folder = "";
let stage: Rehearsal;

beforeAll(async () => {
  alice = newSshKey();
  example = await compileExample(alice.line);
});
afterAll(() => alice.remove());

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "capos-spine-"));
  for (const name of ["notes", "audit"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "notes/todo.txt"), "buy milk\n");
  writeFileSync(join(folder, "notes/old.txt"), "old\n");
  stage = await open(join(folder, "audit"));
});
afterEach(async () => {
  await stage.leave();
  rmSync(folder, { recursive: true });
});

function open(disk?: string): Promise<Rehearsal> {
  const files = { notes: join(folder, "notes") };
  return rehearse({ ...example, session: "operator", files, logs: "journal", status: "machine", disk });
}

/**
 * Returns the calls that ended, as the console shows them: mode and outcome, and also the reason if the outcome is not
 * ok.
 */
function ends(drawn: readonly ConsoleOutput[]): readonly string[] {
  return drawn.flatMap((one) => {
    if (one.what !== "notice" || one.notice.stage !== "finished") return [];
    const { hasMode, mode, outcome, detail } = one.notice;
    return [`${hasMode ? mode : "-"} ${outcome}${detail === "" ? "" : `: ${detail}`}`];
  });
}

function questions(drawn: readonly ConsoleOutput[]): number {
  return drawn.filter(({ what }) => what === "question").length;
}

function note(name: string): string | undefined {
  const path = join(folder, "notes", name);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/**
 * Returns the records in the log on the disk, except those of seals and model responses. The code of
 * `capc audit verify` reads and verifies the log.
 */
function records(): readonly AuditRecord[] {
  const found: AuditRecord[] = [];
  const verdict = verify(createLogBytes(readFileSync(join(folder, "audit/audit.log"))), ({ record }) =>
    found.push(record),
  );
  expect([verdict.fault, verdict.torn]).toEqual([undefined, 0]);
  return found.filter(({ entry }) => entry.which !== "seal" && entry.which !== "inference");
}

function calls(): readonly CallRecord[] {
  return records().flatMap(({ entry }) => (entry.which === "outcome" ? [entry.outcome] : []));
}

const say = (line: string) => stage.console.say(line);

test("auto: the call runs without a prompt", async () => {
  const drawn = await say("What is on my list?");
  expect(ends(drawn)).toEqual(["auto ok"]);
  expect([collectSpoken(drawn), questions(drawn)]).toEqual(["Let me look.\nThe note says: buy milk\n", 0]);
});

test("consent: a call can be denied, cancelled and approved", async () => {
  stage.console.answers.push("denied", "cancelled", "granted");
  expect(ends(await say("Note that I must call Bob."))).toEqual(["consent deniedByUser: the person said no"]);
  expect(ends(await say("Note that I must call Bob."))).toEqual(["consent cancelled: the person stopped it"]);
  expect(note("bob.txt")).toBeUndefined();
  expect(ends(await say("Note that I must call Ada."))).toEqual(["consent ok"]);
  expect(note("ada.txt")).toBe("call Ada\n");
});

test("step-up: an unsigned, changed or replayed request fails, and a signed request succeeds", async () => {
  let first = "";
  stage.console.answers.push(
    "denied",
    (line) => alice.sign(line.replace("todo", "todO")),
    (line) => {
      first = alice.sign(line);
      return first;
    },
    () => first,
    (line) => alice.sign(line, { namespace: "file" }),
  );
  expect(ends(await say("Throw my list away."))).toEqual(["stepUp stepUpFailed: no signature was given"]);
  const changed = "stepUp stepUpFailed: changed: it is not over this text";
  expect(ends(await say("Throw my list away."))).toEqual([changed]);
  expect(ends(await say("Throw the old note away."))).toEqual(["stepUp ok"]);
  expect(ends(await say("Throw my list away."))).toEqual([changed]);
  expect(ends(await say("Throw my list away."))).toEqual([
    "stepUp stepUpFailed: wrong namespace: it was not made for stepup@capos",
  ]);
  expect([note("todo.txt"), note("old.txt")]).toEqual(["buy milk\n", undefined]);
  expect(calls().map(({ principal, decision }) => [principal, decision])).toEqual([
    ["", "stepUpFailed"],
    ["", "stepUpFailed"],
    ["alice", "stepUpSucceeded"],
    ["", "stepUpFailed"],
    ["", "stepUpFailed"],
  ]);
});

test("step-up: a signature by another key fails", async () => {
  const mallory = newSshKey();
  stage.console.answers.push(mallory.sign);
  expect(ends(await say("Throw my list away."))).toEqual([
    "stepUp stepUpFailed: wrong key: it was made by a key that may not sign this",
  ]);
  mallory.remove();
  expect(note("todo.txt")).toBe("buy milk\n");
});

test("forbidden, suppressed, unknown and malformed calls are refused, each with its own reason", async () => {
  for (const [line, end] of [
    [
      "Write into the locked folder.",
      /^forbidden refusedByPolicy: forbidden in this session by "forbidden Files.write where/,
    ],
    ["How is the machine?", /^- unknownTool: no such tool is offered in this session$/],
    ["Call a tool that nobody has.", /^- unknownTool: no such tool is offered in this session$/],
    ["Call a tool with nonsense.", /^- invalidArguments: the arguments are not acceptable JSON/],
    ["Call a tool with a number for a path.", /^- invalidArguments: path is not a text$/],
  ] as const) {
    const drawn = await say(line);
    expect(ends(drawn)).toEqual([expect.stringMatching(end)]);
    expect(questions(drawn)).toBe(0);
  }
  expect(existsSync(join(folder, "notes/locked"))).toBe(false);
  expect(calls().map(({ decision }) => decision)).toEqual(["forbidden", ...Array(4).fill("notReached")]);
});

test("the permitted tools are advertised to the model, without the suppressed ones", async () => {
  expect(collectSpoken(await say("Which tools do you see?"))).toBe(
    "I see journal.follow, journal.tail, notes.delete, notes.list, notes.read, notes.write.",
  );
});

test("a quota per turn is enforced, and starts again with the next turn", async () => {
  const used =
    /^auto refusedByPolicy: used up: 4 readOnly per turn \(system\.cap:\d+:\d+\): 4 of 4 spent; the next turn/;
  const first = ends(await say("Read everything."));
  expect(first.slice(0, 4)).toEqual(Array(4).fill("auto ok"));
  expect(first.slice(4)).toEqual([expect.stringMatching(used)]);
  expect(ends(await say("What is on my list?"))).toEqual(["auto ok"]);
});

test("a call that takes too long times out, and a call stopped by the person is cancelled", async () => {
  expect(ends(await say("Wait for a line of the log."))).toEqual(["auto timedOut: timedOut: no answer within 8000 ms"]);
  await stage.console.begin("Wait for a line of the log.");
  const from = stage.console.drawn.length;
  await stage.console.waitFor((one) => one.what === "notice" && one.notice.stage === "running", from);
  stage.console.pressInterrupt();
  await stage.console.waitUntilIdle();
  expect(ends(stage.console.drawn.slice(from))).toEqual(["auto cancelled: the person stopped the turn"]);
});

test("a conversation that has read untrusted data cannot write, and can still read", async () => {
  expect(ends(await say("What does the log say?"))).toEqual(["auto ok"]);
  for (const line of ["Note that I must call Bob.", "Throw my list away."]) {
    const drawn = await say(line);
    const leak =
      /^- refusedByPolicy: this conversation has results of journal.tail \(untrusted\), and notes\.\w+ accepts at least reviewed;/;
    expect(ends(drawn)).toEqual([expect.stringMatching(leak)]);
    expect(questions(drawn)).toBe(0);
  }
  expect(ends(await say("What is on my list?"))).toEqual(["auto ok"]);
  expect((await stage.command("why")).at(-1)).toBe("this conversation is at internal/untrusted");
});

test("the gate refuses a revoked service, init disconnects it, the log records this, and other services continue", async () => {
  expect(await stage.command("grants")).toEqual([
    "journal: follow auto, tail auto",
    "notes: delete stepUp, list auto, read auto, write consent",
  ]);
  expect(await stage.command("revoke", "journal")).toEqual(["journal is revoked, and its connection is shut"]);
  expect(ends(await say("What does the log say?"))).toEqual(["auto refusedByPolicy: journal was revoked"]);
  expect((await stage.command("grants"))[0]).toBe("journal: revoked");
  expect(ends(await say("What is on my list?"))).toEqual(["auto ok"]);
  expect(records().map(({ entry }) => entry.which)).toEqual(["boot", "session", "outcome", "outcome"]);
});

test("sessions share the machine, but no state", async () => {
  const visitor = stage.scene("visitor");
  expect(ends(await visitor.console.say("What is on my list?"))).toEqual(["auto ok"]);
  expect(ends(await visitor.console.say("How is the machine?"))).toEqual(["auto ok"]);
  expect(ends(await visitor.console.say("Note that I must call Bob."))).toEqual([
    "- unknownTool: no such tool is offered in this session",
  ]);
  expect(await visitor.command("revoke", "notes")).toEqual(["notes is revoked, and its connection is shut"]);
  expect(ends(await visitor.console.say("What is on my list?"))).toEqual(["auto refusedByPolicy: notes was revoked"]);
  expect(ends(await say("What is on my list?"))).toEqual(["auto ok"]);
  const mine = await stage.command("audit", "100");
  expect(mine.filter((line) => line.includes("notes.read"))).toHaveLength(1);
  expect(records().map(({ writer }) => writer)).toEqual(["audit", ...Array(5).fill("gate.visitor"), "gate.operator"]);
});

test("without the broker or the audit process no call runs, and the reason names the missing process", async () => {
  stage.init.kill("broker");
  const read = 'notes.read {"path":"todo.txt"}';
  expect(await say("What is on my list?")).toMatchObject([
    { speaker: "runner", text: expect.stringMatching(/^the gate offers nothing: the broker does not answer: /) },
  ]);
  expect(await stage.command("tool", read)).toEqual([
    expect.stringMatching(/^refusedByPolicy: the broker does not answer: /),
  ]);
  stage.init.kill("audit");
  // The first call fails, because without the audit process nothing can be recorded. At the second call, the gate asks
  // the audit process whether it responds, before it asks the broker, which has ended too.
  await stage.command("tool", read);
  expect(await stage.command("tool", read)).toEqual([
    expect.stringMatching(/^refusedByPolicy: the audit does not answer: /),
  ]);
  expect(calls().map(({ outcome }) => outcome)).toEqual(["refusedByPolicy"]);
});

test("a call of a service that has died fails and is recorded as sent, and other services continue", async () => {
  stage.init.kill("notes");
  expect(ends(await say("What is on my list?"))).toEqual([expect.stringMatching(/^auto executionError: closed/)]);
  expect(ends(await say("What does the log say?"))).toEqual(["auto ok"]);
  expect(calls().map(({ sent, outcome }) => [sent, outcome])).toEqual([
    [true, "executionError"],
    [true, "ok"],
  ]);
});

test("the record of a model response has the digests of its new messages, and no message's text is in the log", async () => {
  await say("What is on my list?");
  // The loop requests the next response only after the audit process has recorded the responses to the first line.
  await say("What is on my list?");
  const inferences: InferenceRecord[] = [];
  const bytes = readFileSync(join(folder, "audit/audit.log"));
  verify(createLogBytes(bytes), ({ record: { entry } }) => {
    if (entry.which === "inference") inferences.push(entry.inference);
  });
  const [first, second, third] = inferences;
  expect(first?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
  expect([first?.earlier, second?.earlier, third?.earlier]).toEqual([0, 3, 5]);
  expect(second?.messages.map(({ role }) => role)).toEqual(["tool", "assistant"]);
  expect(first?.usage.promptTokens).toBeGreaterThan(0);
  expect([bytes.includes("What is on my list"), bytes.includes("Let me look")]).toEqual([false, false]);
});

test("without a data disk, no call runs except reads that need no approval", async () => {
  const bare = await open();
  expect(ends(await bare.console.say("What is on my list?"))).toEqual(["auto ok"]);
  const refusal = "nothing is recorded durably, so only reading that asks nobody may run";
  const drawn = await bare.console.say("Note that I must call Ada.");
  expect([ends(drawn), questions(drawn)]).toEqual([[`consent refusedByPolicy: ${refusal}`], 0]);
  expect(ends(await bare.console.say("Throw my list away."))).toEqual([`stepUp refusedByPolicy: ${refusal}`]);
  await bare.leave();
});

test("if the log on the disk is damaged, no call runs and each refusal says why", async () => {
  await stage.leave();
  writeFileSync(join(folder, "audit/audit.log"), "this is no log");
  stage = await open(join(folder, "audit"));
  const refusal = "nothing can be recorded, so nothing may run: the audit log is damaged at byte 0: ";
  for (const line of ["What is on my list?", "Note that I must call Ada.", "Throw my list away."]) {
    expect(ends(await say(line))).toEqual([expect.stringContaining(` refusedByPolicy: ${refusal}`)]);
  }
  expect([note("todo.txt"), note("ada.txt")]).toEqual(["buy milk\n", undefined]);
  expect(await stage.command("audit")).toEqual([expect.stringContaining("damaged at byte 0")]);
});

test("`/policy` and each record state the digest of the tables that decide", async () => {
  await say("What is on my list?");
  const digest = createHash("sha256").update(example.tables).digest("hex");
  expect((await stage.command("policy"))[1]).toBe(`tables sha256 ${digest}`);
  const recorded = records().map(({ policyDigest }) => Buffer.from(policyDigest).toString("hex"));
  expect(new Set(recorded)).toEqual(new Set([digest]));
});

test("for every session and tool, the gate decides as the tables say", async () => {
  const tables = readTables(example.tables);
  if (!tables.ok) throw new Error(tables.reason);
  const matrix = renderDecisionMatrix(tables.value);
  expect(await stage.command("policy", "decisions")).toEqual(matrix);
  expect(matrix.length).toBeGreaterThan(10);
});

test("a change gets an intent and an outcome in the audit log, and a read or a refusal gets one record", async () => {
  stage.console.answers.push("granted");
  await say("Note that I must call Ada.");
  await say("Write into the locked folder.");
  await stage.command("tool", 'notes.read {"path":"todo.txt"}');
  const drawn = records().flatMap(({ entry }) => {
    if (entry.which !== "intent" && entry.which !== "outcome") return [entry.which];
    const { runner, descriptor, decision, rule, intent, sent } =
      entry.which === "intent" ? entry.intent : entry.outcome;
    return [
      `${entry.which} ${runner} ${descriptor.name} ${decision} ${sent ? "sent" : intent === 0n ? "" : "of its intent"}, ${rule.split("/")[0]}`,
    ];
  });
  expect(drawn).toEqual([
    "boot",
    "intent capos-side notes.write consented , operator",
    "outcome capos-side notes.write consented of its intent, operator",
    "outcome capos-side notes.write forbidden , operator",
    "outcome person notes.read auto sent, profiles.operator",
  ]);
});
