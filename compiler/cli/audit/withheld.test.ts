// Tests that `capc audit` shows which text a record withholds, and that a person with the disk can prove what the text was.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore } from "../../../engine/processes/audit/opening.ts";
import { FailingDisk } from "../../../engine/processes/audit/testing/disk.ts";
import { bootIdOf, callOf, POLICY_DIGEST } from "../../../engine/processes/audit/testing/sample.ts";
import { excerpt } from "../../../engine/processes/gate/result.ts";
import { recordOf } from "../../../engine/processes/model/message-recorder.ts";
import { runCommand } from "../memory-world.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-audit-withheld-"));
afterAll(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(["audit", ...words], { folder });
const NONE = new Uint8Array(0);
const sha256 = async (text: string) => new Uint8Array(await crypto.subtle.digest("SHA-256", Buffer.from(text)));
const LONG_ERROR = "no such file ".repeat(500);
/** Arguments of a call that no rule decides; the audit records them as the model wrote them. */
const WRITTEN = '{ "path": "nowhere" }';
const ARGUMENTS = '{"path":"salaries.txt"}';

beforeAll(async () => {
  const disk = new FailingDisk();
  const time = () => ({ monotonicMs: 5n, wallMs: 1_800_000_000_000n, wallSource: "rtc" });
  const boot = {
    systemId: "s",
    version: "1.0.0",
    bootId: bootIdOf(1),
    policyDigest: POLICY_DIGEST,
    writer: "audit",
    time,
  };
  const store = await openStore(disk.plugged(), boot);
  if (!store.ok) throw new Error(store.reason);
  const withheld = { arguments: "", argumentsHash: await sha256(ARGUMENTS), isWithheld: true, callId: "withheld" };
  const failed = {
    outcome: "executionError",
    errorHash: await sha256(excerpt(LONG_ERROR)),
    isResultWithheld: true,
  } as const;
  const session = { name: "operator", event: "plan", detail: "turn 2", digest: await sha256("read it") };
  const inference = {
    ...{ session: "operator", conversation: "main", turn: 1, model: "m", backend: "deep", nonce: NONE, earlier: 0 },
    ...{ usage: { promptTokens: 1, outputTokens: 2 }, recalled: [], masked: [], isWithheld: true },
    messages: [recordOf({ role: "user", content: "message", toolCallId: "", toolCalls: [] })],
  };
  for (const entry of [
    { which: "intent", intent: callOf(withheld) },
    { which: "outcome", outcome: callOf({ ...withheld, ...failed, intent: 3n }) },
    { which: "session", session },
    { which: "inference", inference },
    {
      which: "outcome",
      outcome: callOf({ ...withheld, outcome: "unknownTool", argumentsHash: await sha256(WRITTEN) }),
    },
    {
      which: "outcome",
      outcome: callOf({ ...withheld, sent: true, resultHash: await sha256("done"), isResultWithheld: true }),
    },
  ] as const)
    expect(await store.value.append("gate.operator", entry)).toMatchObject({ ok: true });
  await store.value.close();
  writeFileSync(join(folder, "audit.log"), disk.bytes);
});

/** Returns the digest that `capc audit digest` prints for a text of the kind `kind`. */
async function digestOf(kind: string, text: string): Promise<string> {
  writeFileSync(join(folder, "text"), text);
  const { status, out } = await say("digest", "audit.log", "--text", "text");
  expect(status).toBe(0);
  return (
    out
      .split("\n")
      .find((line) => line.slice(0, -64).trimEnd() === kind)
      ?.slice(-64) ?? ""
  );
}

test("show prints the digest of each withheld text, which the owner of the disk can compute", async () => {
  const { out } = await say("show", "audit.log");
  const args = await digestOf("arguments", ARGUMENTS);
  expect(args).toMatch(/^[0-9a-f]{64}$/);
  expect(out).toContain(`intent notes.read (arguments withheld, digest ${args}) (operator, c1, turn 1, withheld)`);
  expect(out).toContain(`executionError, (error withheld, digest ${await digestOf("error", LONG_ERROR)}), of intent 3`);
  expect(out).toContain(
    `session operator: plan turn 2, (text withheld, digest ${await digestOf("detail", "read it")})`,
  );
  expect(out).toContain(`result digest ${await digestOf("result", "done")}`);
  expect(out).toContain(`user 7 bytes digest ${(await digestOf("user message", "message")).slice(0, 16)}`);
  expect(await digestOf("assistant message", "message")).not.toBe(await digestOf("user message", "message"));
  expect(out).toContain(`(arguments withheld, digest ${await digestOf("arguments as written", WRITTEN)})`);
  // Arguments in any form have the digest of their canonical form. The same text as an error or a detail has another digest.
  expect(await digestOf("arguments", '{ "path": "salaries.txt" }\n')).toBe(args);
  expect(
    new Set(await Promise.all(["arguments", "error", "detail"].map((kind) => digestOf(kind, ARGUMENTS)))).size,
  ).toBe(3);
});

test("the table of records says what is withheld", async () => {
  const { out } = await say("show", "audit.log", "--table");
  expect(out).toContain("executionError");
  expect(out.replace(/\s+/g, " ")).toContain("error withheld");
  expect(out.replace(/\s+/g, " ")).toContain("plan turn 2 (text withheld)");
});

test("an export contains digests in place of withheld texts, is in order, and is refused by `capc audit digest`", async () => {
  const args = await digestOf("arguments", ARGUMENTS);
  for (const format of ["jsonl", "ocsf"]) {
    const { status, out } = await say("export", "audit.log", "--format", format);
    expect(status).toBe(0);
    expect(out).toContain(`"argumentsHash":"${args}","isWithheld":true`);
    expect(out).not.toContain("salaries");
    writeFileSync(join(folder, `log.${format}`), out);
    const summary = await say("summary", `log.${format}`, "--json");
    expect(summary.status).toBe(0);
    expect(JSON.parse(summary.out)).toMatchObject({ log: { inOrder: true }, activity: { withheld: 3 } });
    expect(await say("digest", `log.${format}`, "--text", "text")).toMatchObject({ status: 2 });
  }
  expect((await say("verify", "log.jsonl")).status).toBe(0);
});

test("the summary counts calls of which the log has only digests", async () => {
  const { status, out } = await say("summary", "audit.log");
  expect(status).toBe(0);
  expect(out).toContain("text withheld by the page in 3 calls: the log has only digests\n");
});

test("`capc audit digest` needs the option --text and a log that contains a digest key", async () => {
  expect(await say("digest", "audit.log")).toMatchObject({
    status: 2,
    err: "capc audit: digest needs --text FILE, the text to compare with a record\n",
  });
  expect(await say("show", "audit.log", "--text", "text")).toMatchObject({ status: 2 });
  expect(await say("digest", "audit.log", "--text", "none")).toMatchObject({ status: 3 });
  writeFileSync(join(folder, "empty.log"), Buffer.alloc(4096));
  const { status, err } = await say("digest", "empty.log", "--text", "text");
  expect([status, err.replace(`${folder}/`, "")]).toEqual([
    1,
    "capc audit: empty.log: no key of digests; the machine makes it at its next start\n",
  ]);
});
