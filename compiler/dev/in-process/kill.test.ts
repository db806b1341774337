// One process dies during a call, at any message between the processes. Acknowledged records stay, results are reported,
// the chain verifies, and no effect happened without an earlier record.
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
import { verify } from "../../../engine/processes/audit/verify.ts";
import { UNFINISHED } from "../../../engine/processes/services/files/path.ts";
import type { ConsoleOutput } from "./fake-console.ts";
import { type Rehearsal, rehearse } from "./rehearsal.ts";

const text: Type = { which: "text", text: { maxBytes: 0 } };
const params = ["path", "content"].map((name) => ({ name, type: text, required: true }));
const write = tool("notes.write", { interfaceId: Files.id, method: Files.methods.write.ordinal, params });
/** Every effect is a file of its own, so that the directory says what happened; the last one is asked about. */
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

/** One for each play: a service that was killed may still be at it. */
let plays = 0;
const notes = () => join(folder, `notes-${plays}`);

function open(): Promise<Rehearsal> {
  const stage = { tables: TABLES, session: "operator", replies: REPLIES, files: { notes: notes() } };
  return rehearse({ ...stage, disk: join(folder, "audit") });
}

/** A stage over an empty directory and a new log. */
function begin(): Promise<Rehearsal> {
  rmSync(join(folder, "audit/audit.log"), { force: true });
  plays += 1;
  mkdirSync(notes());
  return open();
}

/** Until the loop reads the next line, or is gone; and until the gate has heard all that was proposed to it. */
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

/** The log as it lies on the disk, which must be in order to its end. */
function seen(): Seen {
  const hashes = new Map<bigint, string>();
  const records: AuditRecord[] = [];
  const verdict = verify([readFileSync(join(folder, "audit/audit.log"))], ({ record, hash }) => {
    hashes.set(record.sequence, Buffer.from(hash).toString("hex"));
    records.push(record);
  });
  expect([verdict.fault, verdict.torn]).toEqual([undefined, 0]);
  return { hashes, records };
}

const pathIn = (json: string): string => JSON.parse(json).path;

/** Paths of the calls that were drawn at a stage. */
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
  // No effect without an intent; every reported success has an effect; every start has an end.
  for (const path of happened) expect(intents).toContain(path);
  for (const path of [...succeeded, ...drawnAt(drawn, (outcome) => outcome === "ok", "finished")]) {
    expect(happened).toContain(path);
  }
  // A dead gate reports nothing; the next boot must name its calls.
  if (victim === GATE) return;
  const finished = drawnAt(drawn, () => true, "finished");
  for (const path of drawnAt(drawn, () => true, "running")) expect(finished).toContain(path);
  if (victim !== "audit") expect(ends.filter(({ intent }) => intent !== 0n)).toHaveLength(intents.length);
}

/** Returns the sequences of the intents without an outcome. The next boot must name exactly these. */
function orphans(): readonly bigint[] {
  const { records } = seen();
  const closed = records.flatMap(({ entry }) => (entry.which === "outcome" ? [entry.outcome.intent] : []));
  return records.flatMap(({ entry, sequence }) =>
    entry.which === "intent" && !closed.includes(sequence) ? [sequence] : [],
  );
}

/** Counts the messages, and kills the process at one of them; 0 kills none. */
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
  // Here a process that is killed finishes the write that is under way: what it leaves is looked at when all have ended.
  const unknown = orphans();
  const next = await open();
  expect(seen().records.at(-2)?.entry).toMatchObject({ which: "boot", boot: { orphans: unknown } });
  await next.stop();
  return messages;
}

test("all three calls run and are reported if no process dies", async () => {
  const messages = await played("nobody", 0);
  expect(readdirSync(notes())).toEqual(NAMES);
  expect(messages).toBeGreaterThan(50);
});

test("a process that dies at any message takes no record along, and no call's end stays untold", async () => {
  const messages = await played("nobody", 0);
  const moment = fc.tuple(fc.constantFrom(...VICTIMS), fc.integer({ min: 1, max: messages }));
  await fc.assert(
    fc.asyncProperty(moment, async ([victim, at]) => void (await played(victim, at))),
    { numRuns: 100 },
  );
});

/** Processes that are restarted without blocking others. A broker stays dead, and a loop begins another conversation. */
const COME_BACK = ["audit", "notes", "model.canned"] as const;

test("a process that died at any message and was restarted is used again, and no record is lost", async () => {
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
    // A busy machine draws less, so the work may take fewer messages than were counted. Then no process dies.
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

test("a loop that dies at its question leaves a call that was cancelled, and nothing has happened", async () => {
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
