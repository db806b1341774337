import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { bytesOf } from "../../../engine/processes/audit/testing/sample.ts";
import { PAGE, rulesOf } from "../../queries/replay/testing/page.ts";
import { runCommand } from "../memory-world.ts";
import { dayLog, folderWith } from "../replay/testing/page-and-log.ts";

let folder = "";
beforeAll(async () => {
  folder = await folderWith();
});
afterAll(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(["replay", ...words], { folder });
const lines = () => readFileSync(join(folder, "audit.jsonl"), "utf8").trimEnd().split("\n");
const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
const WIDER = ["--policy", "wider.cap"];
const reportOf = async (...words: string[]) => JSON.parse((await say(...words, "--json")).out);

test("shows a changed decision with the old and the new outcome, the line, the records and a call", async () => {
  const { status, out, err } = await say("audit.jsonl", ...WIDER);
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out.replace(/key [0-9a-f]{64}/, "key K").replace(/x{20,}…/, "x…")).toBe(TOLD);
});

const TOLD = `audit.jsonl: 16 records, 1 to 16; in order, sealed up to record 12 by the audit key K
8 decisions replayed against wider.cap (sample 1.0.0)

widened    operator: notes.write
             consent (operator/consent mutatingLocal) → auto
             auto by "auto notes.write where path under "/drafts" else consent"
             wider.cap:14:52: auto notes.write where path under "/drafts" else consent
             records 6, 8, 14, as {"content":"one","path":"drafts/a.txt"}

widened    operator: notes.delete
             unknownTool: no such tool is offered in this session → stepUp
             stepUp by "stepUp destructive"
             wider.cap:14:110: stepUp destructive
             record 10, as {"path":"a.txt"}

undecided  operator: notes.write
             consent, denied (operator/consent mutatingLocal) → auto or consent or refusedByPolicy or invalidArguments
             cannot be decided, because only a part of its arguments is on record
             record 15, as {"content":"x… (4097 characters)

unchanged  refused by the machine, whatever the page says
             notes was revoked

prompts a day    before   after
2027-01-30            3       2
2027-01-31            2       0  and up to 1 that cannot be decided

prompts by session and tool    before   after
operator: notes.delete              0       1
operator: notes.write               5       1  and up to 1 that cannot be decided

4 widened, 0 moved, 0 narrowed; 1 cannot be decided; 2 the same; 1 refused by the machine under any page
`;

test("every form of a log gives the same replay, and so do a page and its tables", async () => {
  const { tables } = await rulesOf(readFileSync(join(folder, "wider.cap"), "utf8"));
  write("wider.bin", encodeMessage(PolicyTables, tables));
  const plain = async (name: string, policy = "wider.cap") => {
    const { logs, policy: _, ...rest } = await reportOf(name, "--policy", policy);
    const [{ name: named, form, ...log }] = logs;
    expect([named, log.inOrder]).toEqual([name, true]);
    return { form, log, rest };
  };
  const [disk, jsonl, ocsf] = [await plain("audit.log"), await plain("audit.jsonl"), await plain("audit.ocsf")];
  expect([disk.form, jsonl.form, ocsf.form]).toEqual(["disk", "jsonl", "ocsf"]);
  expect([jsonl.log, ocsf.log]).toEqual([disk.log, disk.log]);
  expect([jsonl.rest, ocsf.rest]).toEqual([disk.rest, disk.rest]);
  const byTables = await plain("audit.log", "wider.bin");
  expect(byTables.rest.counts).toEqual(disk.rest.counts);
});

test("text of records cannot end cells or code spans of Markdown, however many special characters it contains", async () => {
  const log = dayLog().ended("`|<b>", "{}", {
    decision: "notReached",
    outcome: "refusedByPolicy",
    error: "used up: `x`",
  });
  const refused = { decision: "notReached", outcome: "refusedByPolicy" } as const;
  log.ended("\\| <b>", "{}", { ...refused, error: `used up: ${"` ".repeat(200_000)}` });
  write("odd.log", bytesOf(log.links));
  const { status, out } = await say("odd.log", ...WIDER, "--format", "markdown");
  expect(status).toBe(0);
  expect(out).toContain("<details open><summary>widened: 4</summary>");
  expect(out).toContain("| operator: \\\\\\| \\<b\\> | ``refusedByPolicy: used up: ` ` ");
  expect(out).toContain("| ``operator: `\\|<b>`` | `` refusedByPolicy: used up: `x` `` |");
  expect(out).toContain("| 2027-01-30 | 3 | 2 | 0 |");
});

test.each([
  [["audit.log", "--policy", "system.cap"], 0, ""],
  [["audit.log", "--policy", "system.cap", "--deny-widening"], 0, ""],
  [["audit.log", ...WIDER], 0, ""],
  [["audit.log", ...WIDER, "--deny-widening"], 1, "5 recorded decisions would be looser, or may be"],
  [["audit.log", "--policy", "system.cap", "--key", "0".repeat(64)], 1, "UNDER ANOTHER AUDIT KEY"],
  [["audit.log"], 2, "against which policy? --policy PAGE"],
  [["audit.log", "--policy", "system.cap", "--key", "7"], 2, "--key is 64 hexadecimal digits"],
  [["nothing.log", "--policy", "system.cap"], 3, "nothing.log does not exist"],
  [["audit.log", "--policy", "nothing.cap"], 3, "nothing.cap does not exist"],
  [["audit.log", "--policy", "audit.jsonl"], 1, "no page, no policy tables and no image"],
  [[".", "--policy", "system.cap"], 3, "is a directory"],
])("capc replay %j ends with %d", async (words, ended, reason) => {
  const { status, err } = await say(...words);
  expect(err).toContain(reason);
  expect([status, err === ""]).toEqual([ended, reason === ""]);
});

test("replay reports the errors of a page as other commands do", async () => {
  write("wrong.cap", PAGE.replace("auto readOnly", "auto readOnyl"));
  const { status, err } = await say("audit.log", "--policy", "wrong.cap");
  expect([status, err]).toEqual([1, expect.stringContaining("readOnyl")]);
});

test("distinguishes several logs, and carries no state from one to the next", async () => {
  const report = await reportOf("audit.log", "audit.jsonl", ...WIDER);
  expect(report.counts.widened).toBe(8);
  expect(report.otherwise.map(({ log }: { log: number }) => log)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  expect((await say("audit.log", "audit.jsonl", ...WIDER)).out).toContain("records audit.log:6, audit.log:8");
});

test("replays an unverified log, marks it as unverified, and ends with 1", async () => {
  const changed = lines();
  changed[8] = changed[8]?.replaceAll("etc/c.txt", "drafts/c") ?? "";
  write("changed.jsonl", `${changed.join("\n")}\n`);
  const { status, out, err } = await say("changed.jsonl", ...WIDER);
  expect([status, err]).toEqual([1, "capc replay: changed.jsonl: DAMAGED in line 9: its hash is another\n"]);
  expect(out).toContain("records 6, 8, 14 (unverified), as");
  expect(out).toContain("record 9 (unverified), as");
  expect(out).toContain("; 5 of unverified records\n");
});

test("counts lines that are not records, and treats the records after them as records after a gap", async () => {
  const [first = "", second = "", , ...rest] = lines();
  write("gap.jsonl", `${[first, second, "{}", "[", ...rest].join("\n")}\n`);
  const { logs, inOrder } = await reportOf("gap.jsonl", ...WIDER);
  expect([logs[0].unread, inOrder]).toEqual([{ count: 2, line: 3, reason: "it is not a record" }, 0]);
});

test("an export that begins at a later record of its log is in order, but the replay finds no seal for it", async () => {
  write("part.jsonl", `${lines().slice(4).join("\n")}\n`);
  const { logs } = await reportOf("part.jsonl", ...WIDER);
  expect(logs).toMatchObject([{ first: 5, inOrder: true, sealed: null }]);
});

test("reads a file of any content to its end, and reports each fault in one line", async () => {
  const known = lines();
  const events = readFileSync(join(folder, "audit.ocsf"), "utf8").trimEnd().split("\n");
  const piece = fc.oneof(
    fc.constantFrom(...known, ...events),
    fc.json(),
    fc.string({ unit: "binary" }),
    fc.tuple(fc.constantFrom(...known, ...events), fc.nat(), fc.string()).map(([line, at, text]) => {
      const place = at % line.length;
      return line.slice(0, place) + text + line.slice(place + 1);
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 20 }), async (pieces) => {
      write("any.jsonl", `{"a":1}\n${pieces.join("\n")}\n`);
      const { status, out, err } = await say("any.jsonl", "--policy", "wider.bin", "--format", "markdown");
      expect([status, err.split("\n").length]).toEqual([1, 2]);
      expect(out).toContain("decisions replayed against");
    }),
    { numRuns: 60 },
  );
});
