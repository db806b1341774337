import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { SampleLog } from "../../queries/replay/testing/log.ts";
import { PAGE } from "../../queries/replay/testing/page.ts";
import { runCommand } from "../memory-world.ts";
import { folderWith } from "../replay/testing/page-and-log.ts";
import { suggestSchema } from "../schemas/suggest.ts";

const CONSENTED = { decision: "consented", rule: "operator/consent mutatingLocal" } as const;

/** Log with approved calls on drafts, and denied calls on files in other folders. */
const LOG = new SampleLog()
  .boot()
  .ran("notes.write", { content: "one", path: "drafts/a.txt" }, CONSENTED)
  .ran("notes.write", { content: "two", path: "drafts/b.txt" }, { ...CONSENTED, turn: 2 })
  .denied("notes.write", { content: "three", path: "etc/c.txt" }, { rule: CONSENTED.rule, turn: 2 })
  .ran("desk.write", { content: "one", path: "a" }, CONSENTED)
  .denied("desk.write", { content: "one", path: "a" }, { rule: CONSENTED.rule });

let folder = "";
beforeAll(async () => {
  folder = await folderWith(LOG);
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => writeFileSync(join(folder, "system.cap"), PAGE));

const say = (...words: string[]) => runCommand(["suggest", ...words], { folder });
const FOR = ["--policy", "system.cap"];

test("reports each suggested line with its place, the records that led to it, and the calls that it newly allows", async () => {
  const { status, out, err } = await say("audit.jsonl", ...FOR);
  expect({ status, err }).toEqual({ status: 1, err: "" });
  expect(out.replace(/key [0-9a-f]{64}/, "key K")).toBe(TOLD);
});

const TOLD = `audit.jsonl: 10 records, 1 to 10; in order, sealed up to record 2 by the audit key K

operator: auto notes.write where path under "/drafts" and content in ["one", "two"] else consent
  system.cap:14:51: add \`auto notes.write where path under "/drafts" and content in ["one", "two"] else consent\`
  needed by records 4, 6
  it opens
    operator: notes.write
    operator.triage.look: notes.write
    operator.triage.mend: notes.write
      consent → auto where content in ["one", "two"] and path under "/drafts" else consent
      as {"content":"one","path":"drafts"}: consent → auto

operator: desk.write: nothing is suggested, because the same call was refused as well
  record 9

1 line is suggested for system.cap
prompts in these logs: 5 as it is on record, 3 with all of them
`;

test("after --write has edited the page, nothing more is suggested, and the replay decides the calls as auto", async () => {
  expect((await say("audit.log", ...FOR, "--write")).status).toBe(0);
  expect(readFileSync(join(folder, "system.cap"), "utf8")).toContain('auto    notes.write where path under "/drafts"');
  expect(await runCommand(["fmt", "--check", "system.cap"], { folder })).toEqual({ status: 0, out: "", err: "" });
  expect((await runCommand(["check", "system.cap"], { folder })).status).toBe(0);
  const { status, out } = await say("audit.log", ...FOR);
  expect([status, out]).toEqual([0, expect.stringContaining("\n0 lines are suggested for system.cap\n")]);
  const replayed = JSON.parse((await runCommand(["replay", "audit.log", ...FOR, "--json"], { folder })).out);
  const auto = replayed.otherwise.filter(({ after }: { after: { answer: string } }) => after.answer === "auto");
  expect(auto.map(({ sequence }: { sequence: number }) => sequence)).toEqual([4, 6]);
});

test("JSON output validates against its schema", async () => {
  const validate = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false }).compile(suggestSchema);
  const report = JSON.parse((await say("audit.log", ...FOR, "--by", "bounds", "--json")).out);
  validate(report);
  expect(validate.errors).toBeNull();
  expect(report.suggestions).toMatchObject([
    {
      line: 'auto notes.write where path under "/drafts" and size(content) <= 3 else consent',
      edits: [{ file: "system.cap", line: 14 }],
      opens: [{ place: "operator", tool: "notes.write", before: "consent", after: "auto" }, {}, {}],
      free: [],
    },
  ]);
});

test("uses unverified records only if --unverified is given", async () => {
  const changed = readFileSync(join(folder, "audit.jsonl"), "utf8").replaceAll("drafts/b.txt", "drafts/c.txt");
  writeFileSync(join(folder, "changed.jsonl"), changed);
  const { status, out, err } = await say("changed.jsonl", ...FOR);
  expect([status, out]).toEqual([1, ""]);
  expect(err).toBe(
    "capc suggest: changed.jsonl: DAMAGED in line 5: its hash is another; --unverified believes it all the same\n",
  );
  expect((await say("changed.jsonl", ...FOR, "--unverified")).out).toContain("needed by records 4, 6");
});

test.each([
  [["audit.log"], 2, "for which page? --policy PAGE"],
  [["audit.log", ...FOR, "--least", "0"], 2, "--least is a number from 1"],
  [["audit.log", ...FOR, "--key", "0".repeat(64)], 1, "UNDER ANOTHER AUDIT KEY"],
  [["nothing.log", ...FOR], 3, "nothing.log does not exist"],
  [["audit.log", "--policy", "nothing.cap"], 3, "nothing.cap does not exist"],
  [["audit.log", ...FOR, "--by", "guess"], 2, "--by"],
])("capc suggest %j ends with %d", async (words, ended, reason) => {
  const { status, err } = await say(...words);
  expect(err).toContain(reason);
  expect(status).toBe(ended);
});

test("reports a page with errors as other commands do", async () => {
  writeFileSync(join(folder, "system.cap"), PAGE.replace("auto readOnly", "auto readOnyl"));
  const { status, err } = await say("audit.log", ...FOR);
  expect([status, err]).toEqual([1, expect.stringContaining("readOnyl")]);
});
