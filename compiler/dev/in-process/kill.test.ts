// Tests the death of one process during a call, at any message between the processes. Acknowledged records stay in the
// log, outcomes are reported, the hash chain verifies, and no effect happens without an earlier record.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { always, answered, row, tool } from "../../../engine/lib/policy/testing/sample.ts";
import type { AuditRecord } from "../../../engine/lib/wire/generated/audit.ts";
import { PolicyTables as layout, type Type } from "../../../engine/lib/wire/generated/policy.ts";
import { Files } from "../../../engine/lib/wire/generated/tools.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { createLogBytes } from "../../../engine/processes/audit/device.ts";
import { verify } from "../../../engine/processes/audit/verify.ts";
import { UNFINISHED } from "../../../engine/processes/services/files/path.ts";
import type { ConsoleOutput } from "./fake-console.ts";
import { type Rehearsal, rehearse } from "./rehearsal.ts";

const text: Type = { which: "text", text: { maxBytes: 0 } };
const params = ["path", "content"].map((name) => ({ name, type: text, required: true }));
const write = tool("notes.write", { interfaceId: Files.id, method: Files.methods.write.ordinal, params });
/**
 * Each call writes a different file, so the files in the directory show which calls had an effect. The last call needs
 * consent.
 */
const TABLES = encodeMessage(
  layout,
  answered({
    tools: [write, { ...write, name: "notes.zwrite" }],
    decisions: (["auto", "consent"] as const).map((mode) => ({ clauses: [always(mode)], floors: [] })),
    rows: [row("operator", [2, 3])],
  }),
);
const NAMES = ["a", "b", "c"];
const call = NAMES.map((path) => ({
  name: path === "c" ? "notes.zwrite" : "notes.write",
  arguments: { path, content: path },
}));
const REPLIES = Buffer.from(JSON.stringify([{ when: { user: "work" }, say: "I am on it.", call }]));
const GATE = "gate.operator";
const VICTIMS = ["audit", "broker", "notes", "loop.operator", "model.canned", GATE] as const;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-killed-"));
  mkdirSync(join(folder, "audit"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Number of plays so far. Each play has its own folder, because a killed service may still write into the folder of its
 * play.
 */
let plays = 0;
const notes = () => join(folder, `notes-${plays}`);

function open(): Promise<Rehearsal> {
  const stage = { tables: TABLES, session: "operator", replies: REPLIES, files: { notes: notes() } };
  return rehearse({ ...stage, disk: join(folder, "audit") });
}

/** Opens a stage with an empty directory and a new log. */
function begin(): Promise<Rehearsal> {
  rmSync(join(folder, "audit/audit.log"), { force: true });
  plays += 1;
  mkdirSync(notes());
  return open();
}

/**
 * Types a line. Waits until the loop reads the next line or has ended, and until the gate has received all proposals.
 */
async function worked(stage: Rehearsal): Promise<readonly ConsoleOutput[]> {
  stage.console.answers.push("granted");
  const turn = stage.console.say("work").then(() => undefined);
  await Promise.race([turn, stage.over]);
  await stage.command("tool", "notes.none");
  return stage.console.drawn;
}

interface Seen {
  readonly hashes: ReadonlyMap<bigint, string>;
  readonly records: readonly AuditRecord[];
}

/** Verifies the log on the disk, and returns its records. Expects a complete log without a fault. */
function seen(): Seen {
  const hashes = new Map<bigint, string>();
  const records: AuditRecord[] = [];
  const verdict = verify(createLogBytes(readFileSync(join(folder, "audit/audit.log"))), ({ record, hash }) => {
    hashes.set(record.sequence, Buffer.from(hash).toString("hex"));
    records.push(record);
  });
  expect([verdict.fault, verdict.torn]).toEqual([undefined, 0]);
  return { hashes, records };
}

const pathIn = (json: string): string => JSON.parse(json).path;

/**
 * Returns the paths in the arguments of the calls that the console showed as `stage`, if `wanted` accepts their
 * outcome.
 */
function drawnAt(drawn: readonly ConsoleOutput[], wanted: (outcome: string) => boolean, stage: "running" | "finished") {
  return drawn.flatMap((one) => {
    if (one.what !== "notice" || one.notice.stage !== stage || one.notice.tool === "notes.none") return [];
    return wanted(one.notice.outcome) ? [pathIn(one.notice.arguments)] : [];
  });
}

function judge({ acknowledged }: Rehearsal, victim: string, drawn: readonly ConsoleOutput[]): void {
  const { hashes, records } = seen();
  for (const { sequence, hash } of acknowledged) {
    expect(hashes.get(sequence)).toBe(Buffer.from(hash).toString("hex"));
  }
  const intents = records.flatMap(({ entry }) => (entry.which === "intent" ? [pathIn(entry.intent.arguments)] : []));
  const ends = records.flatMap(({ entry }) => (entry.which === "outcome" ? [entry.outcome] : []));
  const succeeded = ends.filter(({ outcome }) => outcome === "ok").map(({ arguments: args }) => pathIn(args));
  const happened = readdirSync(notes()).filter((name) => !name.startsWith(UNFINISHED));
  // Each effect needs an intent record. Each reported success needs an effect. Each call that the console showed as
  // running must later be shown as finished.
  for (const path of happened) expect(intents).toContain(path);
  for (const path of [...succeeded, ...drawnAt(drawn, (outcome) => outcome === "ok", "finished")]) {
    expect(happened).toContain(path);
  }
  // If the gate died, it reports no outcomes. Instead, the boot record of the next start must name the calls that the
  // gate left open.
  if (victim === GATE) return;
  const finished = drawnAt(drawn, () => true, "finished");
  for (const path of drawnAt(drawn, () => true, "running")) expect(finished).toContain(path);
  if (victim !== "audit") expect(ends.filter(({ intent }) => intent !== 0n)).toHaveLength(intents.length);
}

/**
 * Returns the sequence numbers of the intents without an outcome. The boot record of the next start must name exactly
 * these numbers.
 */
function orphans(): readonly bigint[] {
  const { records } = seen();
  const closed = records.flatMap(({ entry }) => (entry.which === "outcome" ? [entry.outcome.intent] : []));
  return records.flatMap(({ entry, sequence }) =>
    entry.which === "intent" && !closed.includes(sequence) ? [sequence] : [],
  );
}

/**
 * Plays a turn, and kills the process `victim` at message number `at`; if `at` is 0, kills no process. Returns the
 * number of messages.
 */
async function played(victim: string, at: number): Promise<number> {
  const stage = await begin();
  let messages = 0;
  stage.init.onMessage = () => {
    messages += 1;
    if (messages === at) stage.init.kill(victim);
  };
  const drawn = await worked(stage);
  judge(stage, victim, drawn);
  await stage.stop();
  // In this simulation a killed process finishes the current write, so its effects are checked after all processes have
  // ended.
  const unknown = orphans();
  const next = await open();
  expect(seen().records.at(-2)?.entry).toMatchObject({ which: "boot", boot: { orphans: unknown } });
  await next.stop();
  return messages;
}

test("if no process dies, the three calls run and the console reports them", async () => {
  const messages = await played("nobody", 0);
  expect(readdirSync(notes())).toEqual(NAMES);
  expect(messages).toBeGreaterThan(50);
});

test("if a process dies at any message, no record is lost and every call is reported as ended", async () => {
  const messages = await played("nobody", 0);
  const moment = fc.tuple(fc.constantFrom(...VICTIMS), fc.integer({ min: 1, max: messages }));
  await fc.assert(
    fc.asyncProperty(moment, async ([victim, at]) => void (await played(victim, at))),
    { numRuns: 100 },
  );
});

/**
 * Processes whose restart does not interrupt the conversation. Other processes interrupt it: a dead broker is not
 * restarted, and a restarted loop begins another conversation.
 */
const COME_BACK = ["audit", "notes", "model.canned"] as const;

test("if a process dies at any message and restarts, other processes use it again, and no record is lost", async () => {
  const messages = await played("nobody", 0);
  const moment = fc.tuple(fc.constantFrom(...COME_BACK), fc.integer({ min: 1, max: messages }));
  const comesBack = async ([victim, at]: [string, number]) => {
    const stage = await begin();
    let seenMessages = 0;
    stage.init.onMessage = () => {
      seenMessages += 1;
      if (seenMessages === at) stage.init.kill(victim);
    };
    await worked(stage);
    if (seenMessages >= at) await stage.restart(victim);
    // On a busy machine the console draws less often, so a later run may need fewer messages than the run that counted
    // them. In that case no process dies.
    stage.init.onMessage = () => {};
    const before = seen().records.length;
    await worked(stage);
    const { hashes, records } = seen();
    for (const { sequence, hash } of stage.acknowledged) {
      expect(hashes.get(sequence)).toBe(Buffer.from(hash).toString("hex"));
    }
    const later = records.slice(before).flatMap(({ entry }) => (entry.which === "outcome" ? [entry.outcome] : []));
    expect(later.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok", "unknownTool"]);
    expect(readdirSync(notes()).filter((name) => !name.startsWith(UNFINISHED))).toEqual(NAMES);
    await stage.stop();
  };
  await fc.assert(fc.asyncProperty(moment, comesBack), { numRuns: 30 });
});

test("a loop that dies during a prompt leaves a cancelled call without an effect", async () => {
  const stage = await begin();
  const asked = stage.console.waitFor(({ what }) => what === "question");
  void stage.console.say("work");
  await asked;
  stage.init.kill("loop.operator");
  await stage.over;
  await stage.command("tool", "notes.none");
  expect(readdirSync(notes())).toEqual(["a", "b"]);
  const { records } = seen();
  const last = records.flatMap(({ entry }) => (entry.which === "outcome" ? [entry.outcome.outcome] : []));
  expect(last).toEqual(["ok", "ok", "cancelled", "unknownTool"]);
  await stage.stop();
});
