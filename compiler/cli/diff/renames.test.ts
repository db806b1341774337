// Tests comparisons in which things are renamed and changed in the same edit.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createMemoryWorld, runCommand } from "../memory-world.ts";
import { compareSides } from "./renames.ts";
import { findUnreasoned, reportOf } from "./report.ts";
import { type NamedSide, readSide } from "./side.ts";

const PAGE = `system small version "1.0.0" {
  use std.tools
  service notes : Files { state 1 MiB }
  service papers : Files { state 1 MiB }
  backend canned { stub  clearance secret }
  session operator {
    kind operator
    models { auto canned }
    permit {
      auto readOnly
      consent notes.write where path under "/b" else forbidden because "CHG-1"
      consent papers.write where size(content) <= 1 KiB else forbidden because "CHG-2"
    }
    quota { 4 calls per turn  9 prompts per turn }
    timeout { 20 s per call }
  }
  session night extends operator { permit { forbidden notes.write } quota { 2 calls per turn } }
  task tidy in operator { only notes.* }
  test "writes" { as operator call notes.write { path: "/c", content: "x" } expect forbidden }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;

const folder = mkdtempSync(join(tmpdir(), "capc-renames-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "old.cap"), PAGE);

async function readPage(name: string, text: string): Promise<NamedSide> {
  writeFileSync(join(folder, name), text);
  const read = await readSide(name, createMemoryWorld({ folder }));
  if (read.kind !== "read") throw new Error(JSON.stringify(read));
  return read.side;
}

async function say(text: string, ...words: readonly string[]) {
  writeFileSync(join(folder, "new.cap"), text);
  return runCommand(["diff", "old.cap", "new.cap", ...words], { folder });
}

const toDesk = (page: string) => page.replace(/(?<!kind )\boperator\b/g, "desk");

test("a session that is renamed and changed is compared with its earlier version, so changes of its limits and bounds are shown", async () => {
  const wider = toDesk(PAGE).replace("4 calls", "40 calls").replace("20 s", "60 s").replace("<= 1 KiB", "<= 4 KiB");
  const { out } = await say(wider);
  expect(out).toContain("renamed   probably session operator → desk\n");
  expect(out).toContain("desk: quota of calls per turn\n            4 → 40\n");
  expect(out).toContain("desk, desk.tidy, night, night.tidy: milliseconds per call\n            20000 → 60000\n");
  expect(out).toContain(
    "            - consent where size(content) <= 1024 else forbidden\n            + consent where size(content) <= 4096 else forbidden\n",
  );
  expect(out).not.toContain("not there");
});

test("a service that is renamed and changed is compared with its earlier version", async () => {
  const { out } = await say(
    PAGE.replace(/\bnotes\b/g, "memos")
      .replace("1 MiB", "4 MiB")
      .replace('"/b"', '"/"'),
  );
  expect(out).toContain("renamed   probably service notes → memos\n");
  expect(out).toContain("service memos: bytes on the data disk\n            1048576 → 4194304\n");
  expect(out).toContain('            - consent where path under "/b" else forbidden\n');
  expect(out).toContain('            + consent where path under "/" else forbidden\n');
  expect(out).not.toContain("not there");
});

test("a session and a service that are both renamed and changed are each compared with their earlier version", async () => {
  const { out } = await say(
    toDesk(PAGE)
      .replace(/\bnotes\b/g, "memos")
      .replace("1 MiB", "4 MiB")
      .replace("4 calls", "40 calls"),
  );
  expect(out).toContain("probably service notes → memos\n");
  expect(out).toContain("probably session operator → desk\n");
  expect(out).toContain("desk: quota of calls per turn\n            4 → 40\n");
});

test("if a backend, a task and the session of the task are only renamed, each rename is one change", async () => {
  const renamed = (page: string) => page.replaceAll("canned", "spoken").replace("task tidy", "task sort");
  const { out } = await say(renamed(PAGE));
  const lines = out.split("\n").filter((line) => /^(widened|narrowed|moved|renamed) /.test(line));
  expect(lines.map((line) => line.replace(/ +/g, " "))).toEqual([
    "renamed backend canned → spoken",
    "renamed task tidy → sort",
  ]);
  const together = (await say(toDesk(renamed(PAGE)))).out;
  expect(together).toContain("renamed   session operator → desk\n");
  expect(together).toContain("renamed   task tidy → sort\n");
  expect(together).not.toContain("not there");
});

test("a renamed backend with a higher clearance counts as new, and so does a renamed task with other tools", async () => {
  const cleared = PAGE.replaceAll("canned", "spoken").replace("clearance secret", "clearance internal");
  expect((await say(cleared)).out).not.toContain("renamed");
  const other = PAGE.replace("task tidy in operator { only notes.* }", "task sort in operator { only papers.* }");
  expect((await say(other)).out).not.toContain("renamed");
});

test("the daily quotas of a renamed backend start at 0 again, which counts as a widening", async () => {
  const counted = (name: string) =>
    PAGE.replaceAll("canned", name).replace(
      "{ stub  clearance secret }",
      "{ stub  clearance secret  quota { 9 calls per day } }",
    );
  writeFileSync(join(folder, "counted.cap"), counted("canned"));
  writeFileSync(join(folder, "new.cap"), counted("spoken"));
  const { out, status } = await runCommand(["diff", "counted.cap", "new.cap", "--deny-widening"], { folder });
  expect(out).toContain("renamed   backend canned → spoken\n");
  expect(out).toContain("quotas by day and principal begin anew");
  expect(status).toBe(1);
});

test("if two new sessions resemble a removed session equally, both count as new, with all their limits", async () => {
  const [, night = ""] = /^( {2}session night .*\n)/m.exec(PAGE) ?? [];
  const changed = night.replace("2 calls", "3 calls");
  const { out } = await say(PAGE.replace(night, changed.replace("night", "late") + changed.replace("night", "early")));
  expect(out).not.toContain("renamed");
  expect(out).toMatch(
    /early, late: session\n {12}none → operator\n(?: {12}with .*\n)* {12}with quota of calls per turn: 3\n/,
  );
});

test("a session of another kind does not count as a rename of the removed session, and all its limits are shown", async () => {
  const other =
    "  session guest { kind guest  models { auto canned }  permit { auto papers.read }  quota { 7 calls per turn } }\n";
  const { out } = await say(PAGE.replace(/^ {2}session night .*\n/m, other));
  expect(out).not.toContain("renamed");
  expect(out).toContain("            with quota of calls per turn: 7\n");
  expect(out).toContain("            with milliseconds per call: 30000\n");
  expect(out).toContain("            with login: none\n");
});

test("a new task or phase shows the limits that its session does not have", async () => {
  const task =
    "  task tend in operator { only papers.*  quota { 3 calls per task }  phase one { timeout { 5 s per call } } }\n";
  const { out } = await say(PAGE.replace("  task tidy", `${task}  task tidy`));
  expect(out).toContain(
    [
      "widened   night.tend.one, operator.tend.one: phase",
      "            none → operator",
      "            with phases before it: none",
      "            with milliseconds per call: 5000",
      "            with quota of calls per task: 3",
      "",
    ].join("\n"),
  );
});

/** Edits of a page. The test applies every subset of these edits together with a rename. */
const EDITS: readonly (readonly [from: string, to: string])[] = [
  ["4 calls", "40 calls"],
  ["<= 1 KiB", "<= 4 KiB"],
  ['else forbidden because "CHG-1"', "else forbidden"],
  ["auto readOnly", "auto papers.*, notes.read, notes.list"],
  ["  session night", "  session spare extends operator { }\n  session night"],
];
const RENAMES: readonly ((page: string) => string)[] = [toDesk, (page) => page.replace(/\bnotes\b/g, "memos")];

test("if --deny-widening refuses a comparison without renames, it also refuses the comparison with renames", async () => {
  const before = await readPage("old.cap", PAGE);
  const seen = { aligned: 0, refusedAsNew: 0 };
  for (let subset = 0; subset < 2 ** EDITS.length; subset++) {
    const edits = EDITS.filter((_, index) => (subset & (1 << index)) !== 0);
    const edited = edits.reduce((page, [from, to]) => page.replace(from, to), PAGE);
    for (const rename of RENAMES) {
      const compared = await compareSides(before, await readPage("new.cap", rename(edited)));
      if (compared.unaligned === undefined) continue;
      seen.aligned++;
      for (const reviewed of [undefined, "CHG-7"]) {
        const open = findUnreasoned(reportOf(compared, reviewed));
        const asNew = findUnreasoned(reportOf(compared.unaligned, reviewed));
        expect({ edits, isOpen: open.length > 0 }).toEqual({ edits, isOpen: open.length > 0 || asNew.length > 0 });
        if (reviewed !== undefined && open.length === 1 && open[0]?.unsaid?.startsWith("if it is new"))
          seen.refusedAsNew++;
      }
    }
  }
  expect(seen.aligned).toBeGreaterThan(10);
  expect(seen.refusedAsNew).toBeGreaterThan(0);
});

test("a line that changed only by a probable rename needs no reason of its own", async () => {
  const line = '    forbidden notes.delete where path under "/kept" else consent\n';
  const page = PAGE.replace(/(permit \{\n)/, `$1${line}`);
  expect(page).toContain(line);
  writeFileSync(join(folder, "lined.cap"), page);
  const changed = page.replace(/\bnotes\b/g, "memos").replace("1 MiB", "4 MiB");
  writeFileSync(join(folder, "new.cap"), changed);
  const told = await runCommand(["diff", "lined.cap", "new.cap", "--deny-widening", "--because", "CHG-7"], { folder });
  expect(told.out).toContain("renamed   probably service notes → memos\n");
  expect(told.out).toContain("the changes below compare the others: ");
  expect(told.out).toContain("bytes on the data disk");
  expect(told).toMatchObject({ status: 0, err: "" });
});

test("one run names all lines that need a reason if a renamed service counts as new", async () => {
  const page = PAGE.replace(' because "CHG-1"', '\n      consent notes.delete where path under "/b" else forbidden');
  writeFileSync(join(folder, "lined.cap"), page);
  // The rules about the service only become narrower, so they need no reason if `memos` is the former `notes`.
  const changed = page
    .replaceAll('"/b"', '"/b/c"')
    .replace(/\bnotes\b/g, "memos")
    .replace("1 MiB", "4 MiB");
  writeFileSync(join(folder, "new.cap"), changed);
  const diff = (...words: readonly string[]) =>
    runCommand(["diff", "lined.cap", "new.cap", "--deny-widening", ...words], { folder });
  for (const { status, err } of [await diff(), await diff("--because", "CHG-7")]) {
    expect(status).toBe(1);
    const lines = [...err.matchAll(/if it is new: new\.cap:(\d+):7: give the reason/g)].map(([, line]) => line);
    expect(new Set(lines)).toEqual(new Set(["11", "12"]));
  }
});

test("the sections of the Markdown report list as many changes as its headline counts, and renames are listed separately", async () => {
  const { out } = await say(toDesk(PAGE).replace("20 s", "60 s"), "--format", "markdown");
  expect(out).toContain("**1 widened, 0 moved, 0 narrowed, 1 renamed (1 may widen)**");
  const sections = [...out.matchAll(/<summary>(.*)<\/summary>/g)].map(([, title]) => title);
  expect(sections).toEqual(["widened: 1", "renamed: 1"]);
});

test("--because confirms that a renamed and changed session is the same session", async () => {
  const wider = toDesk(PAGE).replace("4 calls", "40 calls");
  const denied = await say(wider, "--deny-widening");
  expect(denied).toMatchObject({
    status: 1,
    err: expect.stringContaining("probably session operator → desk: no line"),
  });
  expect(await say(wider, "--deny-widening", "--because", "CHG-7")).toMatchObject({ status: 0 });
});
