import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "../memory-world.ts";

const PAGE = `system sample version "1.0.0" {
  use std.tools
  use std.profiles
  backend canned { stub }
  service notes : Files { state 1 MiB  label public }
  session reader from profiles.guest { kind guest  models { auto canned }  suppress notes.list }
  session operator {
    kind operator
    models { auto canned }
    permit {
      auto readOnly
      consent mutatingLocal
      forbidden destructive
    }
  }
  test "reading is free" { as operator  call notes.read { path: "a" } expect auto }
  test "writing is asked about" { as operator  call notes.write { path: "a", content: "b" } expect consent }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-test-"));
  writeFileSync(join(folder, "page.cap"), PAGE);
});
afterEach(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(["test", ...words], { folder });

test("names and counts tests that pass", async () => {
  expect(await say("page.cap")).toEqual({
    status: 0,
    out: "passed  reading is free\npassed  writing is asked about\n2 passed, 0 failed\n",
    err: "",
  });
});

test("runs only the tests with the given title", async () => {
  writeFileSync(join(folder, "page.cap"), PAGE.replace("expect consent", "expect auto"));
  expect(await say("page.cap", "--only", "reading is free")).toEqual({
    status: 0,
    out: "passed  reading is free\n1 passed, 0 failed\n",
    err: "",
  });
  expect((await say("page.cap", "--only", "writing is asked about")).status).toBe(1);
  expect(await say("page.cap", "--only", "reading is fre")).toEqual({
    status: 2,
    out: "",
    err: 'capc test: the page has no test "reading is fre"; did you mean "reading is free"?\n',
  });
  expect((await say("page.cap", "--only", "reading is free", "--mutate")).err).toContain("--mutate needs all tests");
  expect(await say("page.cap", "--only", "reading is fre", "--accept")).toMatchObject({ status: 2 });
  expect(existsSync(join(folder, "golden"))).toBe(false);
  writeFileSync(join(folder, "page.cap"), PAGE.replace("reading is free", "reading\\nis free"));
  expect((await say("page.cap", "--only", "reading is free")).err).toContain('did you mean "reading‹U+000A›is free"?');
});

test("a page without a test passes, and the output shows how to write a test", async () => {
  writeFileSync(join(folder, "page.cap"), PAGE.replace(/^ {2}test .*\n/gm, ""));
  expect(await say("page.cap")).toEqual({
    status: 0,
    out: "0 passed, 0 failed\n",
    err: expect.stringContaining('the page has no test; one is written test "…" {'),
  });
});

test("shows a failed test at its place, with the actual decision", async () => {
  writeFileSync(join(folder, "page.cap"), PAGE.replace("expect consent", "expect auto"));
  const { status, out, err } = await say("page.cap");
  expect(status).toBe(1);
  expect(out).toBe("passed  reading is free\nFAILED  writing is asked about\n1 passed, 1 failed\n");
  expect(err).toContain("error[test-failed]");
  expect(err).toContain("page.cap:17:");
  expect(err).toContain("expected auto, found consent");
  const json = JSON.parse((await say("page.cap", "--json")).out);
  expect(json).toMatchObject({ passed: 1, failed: 1, failures: [{ code: "test-failed", at: { file: "page.cap" } }] });
});

test("coverage lists rules that no test covers", async () => {
  const { out } = await say("page.cap", "--coverage", "text");
  expect((await say("page.cap", "--coverage")).out).toBe(out);
  expect((await say("--coverage", "page.cap")).out).toBe(out);
  expect(out).toContain("rules that decided something: 2 of 4 (50 %)\n");
  expect(out).toContain("  not page.cap:13:7 forbidden destructive\n");
  expect(out).toContain("  not std/profiles.cap:");
  expect(out).toContain("tools that were called in a session: 2 of 5 (40 %)\n");
  expect(out).toContain("  not notes.read in reader\n");
  const { coverage } = JSON.parse((await say("page.cap", "--json")).out);
  expect(coverage.rules).toContainEqual(expect.objectContaining({ words: "auto readOnly", line: 11, times: 1 }));
  expect(coverage.pairs).toContainEqual({ session: "operator", tool: "notes.write", times: 1 });
});

test("lcov output contains the rules of the page's own lines, and nothing else", async () => {
  const { status, out, err } = await say("page.cap", "--coverage", "lcov");
  expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining("2 passed, 0 failed\n") });
  expect(out.trimEnd().split("\n")).toEqual([
    "TN:",
    "SF:page.cap",
    "BRDA:11,0,0,1",
    "BRDA:12,0,0,1",
    "BRDA:13,0,0,-",
    "BRF:3",
    "BRH:2",
    "DA:11,1",
    "DA:12,1",
    "DA:13,0",
    "LF:3",
    "LH:2",
    "end_of_record",
  ]);
});

test("does not test a page with an error", async () => {
  writeFileSync(join(folder, "wrong.cap"), PAGE.replace("auto canned", "auto something"));
  expect(await say("wrong.cap")).toMatchObject({ status: 1, out: "", err: expect.stringContaining("something") });
  expect(JSON.parse((await say("wrong.cap", "--json")).out)).toMatchObject({ errors: expect.any(Number) });
  expect(await say("none.cap")).toMatchObject({ status: 3, out: "" });
});

test("lists mutants with the tests that detect them, undetected mutants last, each with its line", async () => {
  const { status, out } = await say("page.cap", "--mutate");
  expect(status).toBe(0);
  expect(out.split("\n").slice(3)).toEqual([
    'noticed   page.cap:11:7 auto readOnly -> consent instead of auto in operator (notes.list and 1 more): "reading is free"',
    'noticed   page.cap:12:7 consent mutatingLocal -> auto instead of consent in operator (notes.write): "writing is asked about"',
    'noticed   page.cap:12:7 consent mutatingLocal -> stepUp instead of consent in operator (notes.write): "writing is asked about"',
    "SURVIVED  page.cap:6:11 session reader -> auto instead of covered by no line in reader (notes.delete)",
    "SURVIVED  page.cap:6:11 session reader -> auto instead of covered by no line in reader (notes.write)",
    "SURVIVED  page.cap:6:61 auto canned -> consent instead of auto in reader",
    "SURVIVED  page.cap:6:85 suppress notes.list -> auto instead of suppressed in reader (notes.list)",
    "SURVIVED  page.cap:9:14 auto canned -> consent instead of auto in operator",
    "SURVIVED  page.cap:13:7 forbidden destructive -> stepUp instead of forbidden in operator (notes.delete)",
    expect.stringMatching(
      /^SURVIVED {2}std\/profiles\.cap:\d+:\d+ auto readOnly -> consent instead of auto in reader \(notes\.read\)$/,
    ),
    "3 of 10 mutants noticed (30 %)",
    "",
  ]);
  const { mutation } = JSON.parse((await say("page.cap", "--mutate", "--json")).out);
  expect(mutation).toMatchObject({ noticed: 3, survived: 7, percent: 30, golden: null });
  expect(mutation.mutants).toContainEqual({
    kind: "mode",
    change: "stepUp instead of forbidden",
    words: "forbidden destructive",
    file: "page.cap",
    line: 13,
    column: 7,
    places: ["operator"],
    tools: ["notes.delete"],
    tests: [],
    proofs: [],
    golden: false,
  });
});

test("too few detected mutants fail the run only if an option states the minimum", async () => {
  expect(await say("page.cap", "--mutate", "--min", "30")).toMatchObject({ status: 0 });
  expect(await say("page.cap", "--mutate", "--min", "31")).toMatchObject({ status: 1 });
  for (const words of [
    ["--min", "30"],
    ["--mutate", "--min", "101"],
    ["--mutate", "--min", "x"],
  ])
    expect(await say("page.cap", ...words)).toMatchObject({ status: 2, out: "", err: expect.stringContaining("--m") });
});

test("a page with a failed test gets no mutants", async () => {
  writeFileSync(join(folder, "page.cap"), PAGE.replace("expect consent", "expect auto"));
  const { status, out, err } = await say("page.cap", "--mutate");
  expect({ status, out }).toEqual({ status: 1, out: expect.not.stringContaining("mutants") });
  expect(err).toContain("mutants are made of a page whose tests hold");
});

test("names decisions that differ from the accepted decisions, and --accept accepts them", async () => {
  const accepted = join(folder, "golden/decisions.tsv");
  expect(await say("page.cap", "--accept")).toMatchObject({ status: 0 });
  expect(readFileSync(accepted, "utf8")).toContain("operator\t-\t-\t-\tnotes.delete\tforbidden\t");
  expect(JSON.parse((await say("page.cap", "--json")).out).golden).toEqual({ file: "golden/decisions.tsv", moved: [] });
  writeFileSync(join(folder, "page.cap"), PAGE.replace("forbidden destructive", "consent destructive"));
  const moved = await say("page.cap");
  expect(moved).toMatchObject({ status: 1, out: expect.stringContaining("2 passed, 0 failed") });
  expect(moved.err.split("\n")).toEqual([
    "capc test: 1 decision is not what golden/decisions.tsv has:",
    "  - operator  -  -  -  notes.delete  forbidden  forbidden  refusedByPolicy  forbidden destructive",
    "  + operator  -  -  -  notes.delete  consent  consent  consent  consent destructive",
    "whoever has read the change accepts it with --accept",
    "",
  ]);
  expect(await say("page.cap", "--mutate")).toMatchObject({ status: 1 });
  expect(await say("page.cap", "--accept")).toMatchObject({ status: 0, err: "" });
});

test("accepted decisions detect mutants as tests do", async () => {
  await say("page.cap", "--accept", "--golden", "elsewhere.tsv");
  const { out } = await say("page.cap", "--mutate", "--golden", "elsewhere.tsv");
  expect(out).toContain("stepUp instead of forbidden in operator (notes.delete): elsewhere.tsv\n");
  expect(out).toContain("8 of 10 mutants noticed (80 %)\n");
  expect(await say("page.cap", "--golden", "none.tsv")).toMatchObject({
    status: 3,
    err: expect.stringContaining("none.tsv"),
  });
});

test("decisions of a removed row count as changed, and only some are shown if many have changed", async () => {
  await say("page.cap", "--accept");
  const renamed = PAGE.replace("session operator", "session manager").replace("boot operator", "boot manager");
  writeFileSync(join(folder, "page.cap"), renamed.replaceAll("as operator", "as manager"));
  const { status, err } = await say("page.cap");
  expect(status).toBe(1);
  expect(err).toContain("capc test: 8 decisions are not what golden/decisions.tsv has:\n  + manager  ");
  expect(err).toContain("  - operator  ");
  const more = PAGE.replace("service notes :", "service more : Files { state 1 MiB  label public }\n  service notes :");
  writeFileSync(
    join(folder, "page.cap"),
    more.replace(
      "session reader from",
      "session third from profiles.guest { models { auto canned } }\n  session reader from",
    ),
  );
  expect((await say("page.cap")).err).toContain("  and 6 more\n");
});

test("a run ends with status 3 if decisions cannot be written, and with status 2 if its options conflict", async () => {
  writeFileSync(join(folder, "file"), "");
  const nowhere = await say("page.cap", "--accept", "--golden", "file/in/it.tsv");
  expect(nowhere).toMatchObject({ status: 3, out: "", err: expect.stringContaining("not a directory") });
  expect(await say("page.cap", "--accept", "--golden", "file/it.tsv")).toMatchObject({ status: 3, out: "" });
  for (const words of [
    ["--accept", "--watch"],
    ["--mutate", "--coverage", "lcov"],
  ])
    expect(await say("page.cap", ...words)).toMatchObject({ status: 2, out: "" });
});
