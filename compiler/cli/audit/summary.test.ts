import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { SampleLog } from "../../queries/replay/testing/log.ts";
import { runCommand } from "../memory-world.ts";
import { folderWith } from "../replay/testing/page-and-log.ts";

const WIDTH = 80;
const LONG = "n".repeat(90);
const CONSENTED = { decision: "consented", surface: "console", principal: "alice", askedMs: 3400 } as const;
const UNKNOWN = { decision: "notReached", outcome: "unknownTool", error: `there is no tool ${LONG}` } as const;

const LOG = new SampleLog()
  .boot()
  .event("login", "alice")
  .ran("notes.read", { path: "a" })
  .ran("notes.write", { path: "b" }, CONSENTED)
  .ran(`${LONG}.read`, { path: "b" }, { backend: "b".repeat(60) })
  .denied("notes.write", { path: "c" }, { ...CONSENTED, decision: "denied" })
  .later(1440)
  .ended("notes.write", "{}", UNKNOWN)
  .sent("notes.write", { path: "d" }, CONSENTED);

let folder: string;
beforeAll(async () => {
  folder = await folderWith(LOG);
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.useRealTimers());

const say = (...words: string[]) => runCommand(["audit", ...words], { folder });

test("summary states what was verified, who called which tools, who approved calls, and which tools were visible", async () => {
  const { status, out, err } = await say("summary", "audit.log", "--policy", "system.cap");
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out.replace(/\s+/g, " ")).toContain(
    "in order, but compared with no noted key (--key): 12 records, sealed up to record 2; 10 records behind it are under no seal yet",
  );
  expect(out).toMatch(/\n {2}operator {6}alice; 1 conversation, 6 calls\n/);
  expect(out).toMatch(/\n {2}notes\.write +1 +1 +1 +· +1\n/);
  const flat = out.replace(/\s+/g, " ");
  expect(flat).toContain("alice at console: 2 approved, 1 denied; answered within 3.4 s to 3.4 s, median 3.4 s");
  expect(flat).toContain("notes.write approved (consent) by alice after 3.4 s at console, record 12");
  expect(out).toContain("operator.triage.look auto: notes.list, notes.read; consent: notes.write");
  expect(flat).toContain("but 12 records were written under other policy tables");
});

test("every line of a summary and of a table of records fits a terminal of 80 columns", async () => {
  for (const words of [["summary"], ["summary", "--policy", "system.cap"], ["show", "--table"]]) {
    const { out } = await say(words[0] ?? "", "audit.log", ...words.slice(1));
    const lines = out.split("\n");
    // The summary does not break a name without blanks, so that people can search for the name.
    const wide = lines.filter((line) => line.length > WIDTH && !line.includes(LONG));
    expect(wide).toEqual([]);
    expect(lines.length).toBeGreaterThan(12);
  }
  const { out } = await say("show", "audit.log", "--table");
  expect(out.split("\n").filter((line) => line.length > WIDTH)).toEqual([]);
});

test("show and summary state the labels of a label release, its line, who approved it, and whether it was approved", async () => {
  const release = { rule: "release/declassify notes.write", act: "declassify", from: "secret", to: "public" };
  const released = new SampleLog()
    .boot()
    .ran("notes.write", { path: "b" }, { ...CONSENTED, release })
    .denied("notes.write", { path: "c" }, { ...CONSENTED, decision: "denied", release });
  const other = await folderWith(released);
  const sayThere = async (...words: string[]) => (await runCommand(["audit", ...words], { folder: other })).out;
  const shown = (await sayThere("show", "audit.log")).split("\n");
  expect(shown[3]).toMatch(
    /; consented, by alice, .*, released from secret to public by declassify, rule release\/declassify notes\.write; ok/,
  );
  expect(shown[4]).toMatch(/; denied, by alice, .*, not released from secret to public by declassify, rule /);
  expect((await sayThere("show", "audit.log", "--table")).replace(/\s+/g, " ")).toContain(
    "at console, released from secret to public by declassify: ok",
  );
  const summary = await sayThere("summary", "audit.log");
  expect(summary.replace(/\s+/g, " ")).toContain(
    "Label releases notes.write 1 of 2 calls sent, approved by alice: declassify from secret to public, rule release/declassify notes.write (newest record 5)",
  );
  for (const file of ["audit.jsonl", "audit.ocsf"])
    expect(JSON.parse(await sayThere("summary", file, "--json")).activity.releases).toHaveLength(1);
  rmSync(other, { recursive: true });
});

test("the summary of an export equals the summary of its log", async () => {
  const activity = async (file: string) => JSON.parse((await say("summary", file, "--json")).out).activity;
  expect(await activity("audit.jsonl")).toEqual(await activity("audit.log"));
  expect(await activity("audit.ocsf")).toEqual(await activity("audit.log"));
});

test("the summary of a damaged log begins with the damage, leaves out unverified records, and ends with status 1", async () => {
  const bytes = Buffer.from(readFileSync(join(folder, "audit.log")));
  bytes.write("notes.rEad", bytes.indexOf("notes.read"));
  writeFileSync(join(folder, "damaged.log"), bytes);
  const lines = readFileSync(join(folder, "audit.jsonl"), "utf8").split("\n");
  writeFileSync(join(folder, "damaged.jsonl"), lines.filter((_, index) => index !== 4).join("\n"));
  for (const file of ["damaged.log", "damaged.jsonl"]) {
    const { status, out, err } = await say("summary", file);
    expect(status).toBe(1);
    expect(out.split("\n").slice(0, 4).join(" ")).toContain("NOT VERIFIED: DAMAGED");
    expect(out).toContain("Calls: ");
    expect(out).not.toContain("notes.write");
    expect(err).toContain("capc audit: NOT VERIFIED: DAMAGED");
    expect(JSON.parse((await say("summary", file, "--json")).out).log).toMatchObject({ inOrder: false });
  }
});

test("the summary calls a log verified if --key is its audit key, and says that the seals of a partial export cannot be verified", async () => {
  const [, key = ""] = /audit key\s+([0-9a-f]{64})/.exec((await say("summary", "audit.log")).out) ?? [];
  const { status, out } = await say("summary", "audit.log", "--key", key, "--color", "always");
  expect(status).toBe(0);
  expect(out).toContain("\u001b[32mverified under the noted key: 12 records, sealed up to record 2;");
  const lines = readFileSync(join(folder, "audit.jsonl"), "utf8").split("\n");
  writeFileSync(join(folder, "part.jsonl"), lines.slice(4).join("\n"));
  const part = (await say("summary", "part.jsonl")).out.replace(/\s+/g, " ");
  expect(part).toContain("8 records, whose seals cannot be verified, because the export begins with record 5");
});

test("a summary ends with 1 if the log has another audit key than the expected one", async () => {
  const { status, out } = await say("summary", "audit.log", "--key", "00".repeat(32));
  expect(status).toBe(1);
  expect(out).toContain("NOT VERIFIED: IN ORDER, BUT UNDER ANOTHER AUDIT KEY");
});

test("text of a log cannot move the cursor in a summary or a table", async () => {
  const hostile = new SampleLog().boot().ended("a\u001b[2J", "{}", { ...UNKNOWN, error: "x\nforged \u202e" });
  const own = await folderWith(hostile.event("\u001b[2J", "\r\n"));
  try {
    for (const words of [["summary"], ["show", "--table"]]) {
      const { out } = await runCommand(["audit", words[0] ?? "", "audit.log", ...words.slice(1)], { folder: own });
      for (const control of ["\u001b", "\r", "\u202e"]) expect(out).not.toContain(control);
      expect(out).not.toMatch(/^forged/m);
    }
  } finally {
    rmSync(own, { recursive: true });
  }
});

test("show prints the records that pass all criteria, in text and JSON", async () => {
  const words = ["show", "audit.log", "--tool", "Files.write", "--principal", "alice", "--until", "2027-01-31"];
  const { status, out } = await say(...words, "--outcome", "deniedByUser");
  expect([status, out.trimEnd().split("\n").length]).toEqual([0, 1]);
  expect(out).toContain("outcome notes.write");
  const json = JSON.parse((await say(...words, "--json")).out);
  expect(json.records.map(({ sequence }: { sequence: number }) => sequence)).toEqual([6, 7, 10]);
  expect(json.verdict.records).toBe(12);
});

test("a relative time is counted back from this computer's clock, and compared with the machine's times", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2027, 0, 31, 10) });
  expect((await say("show", "audit.log", "--since", "2h")).out.trimEnd().split("\n").length).toBe(2);
  expect((await say("show", "audit.log", "--since", "7d")).out.trimEnd().split("\n").length).toBe(12);
  const { out } = await say("summary", "audit.log", "--since", "1 s");
  expect(out).toContain("no record of the log matches\n");
});

test("a name that no record has is reported, and a name that the policy lacks is a usage error", async () => {
  const seen = await say("show", "audit.log", "--session", "operatr");
  expect(seen).toEqual({ status: 0, out: "", err: expect.stringContaining("did you mean operator?") });
  for (const command of ["show", "summary"]) {
    const { status, err } = await say(command, "audit.log", "--session", "operatr", "--policy", "system.cap");
    expect([status, err]).toEqual([2, "capc audit: the policy has no session 'operatr'; did you mean operator?\n"]);
  }
});

test.each([
  [["show", "audit.log", "--since", "7days"], "--since is a time such as"],
  [["show", "audit.log", "--since", "2h", "--until", "3h"], "is not before --until 3h"],
  [["show", "audit.log", "--tool", "a.b.c"], "--tool: 'a.b.c' is not a pattern of tools"],
  [["show", "audit.log", "--outcome", "fine"], "--outcome is ok or"],
  [["show", "audit.log", "--of", "3", "--since", "7d"], "does not go with options that select records"],
  [["show", "audit.log", "--json", "--table"], "--table and --json exclude each other"],
  [["verify", "audit.log", "--since", "7d"], "--since does not go with verify"],
  [["summary", "audit.log", "--known", "0".repeat(64)], "--known does not go with summary"],
  [["sumary", "audit.log"], "is neither verify, show, summary, export, follow, key, digest nor release"],
])("refuses %j", async (words, reason) => {
  const { status, err } = await say(...words);
  expect([status, err]).toEqual([2, expect.stringContaining(reason)]);
});

test("the command fails if the policy cannot be read", async () => {
  expect(await say("summary", "audit.log", "--policy", "none.cap")).toMatchObject({ status: 3, out: "" });
});
