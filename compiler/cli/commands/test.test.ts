import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { said } from "../memory-world.ts";

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

const say = (...words: string[]) => said(["test", ...words], { folder });

test("tests that hold are named and counted", async () => {
  expect(await say("page.cap")).toEqual({
    status: 0,
    out: "passed  reading is free\npassed  writing is asked about\n2 passed, 0 failed\n",
    err: "",
  });
});

test("a page without a test passes, and is told how one is written", async () => {
  writeFileSync(join(folder, "page.cap"), PAGE.replace(/^ {2}test .*\n/gm, ""));
  expect(await say("page.cap")).toEqual({
    status: 0,
    out: "0 passed, 0 failed\n",
    err: expect.stringContaining('the page has no test; one is written test "…" {'),
  });
});

test("a test that fails is shown where it stands, with what was found", async () => {
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

test("coverage says what no test has asked", async () => {
  const { out } = await say("page.cap", "--coverage", "text");
  expect(out).toContain("rules that decided something: 2 of 4 (50 %)\n");
  expect(out).toContain("  not page.cap:13:7 forbidden destructive\n");
  expect(out).toContain("  not std/profiles.cap:");
  expect(out).toContain("tools that were called in a session: 2 of 5 (40 %)\n");
  expect(out).toContain("  not notes.read in reader\n");
  const { coverage } = JSON.parse((await say("page.cap", "--json")).out);
  expect(coverage.rules).toContainEqual(expect.objectContaining({ words: "auto readOnly", line: 11, times: 1 }));
  expect(coverage.pairs).toContainEqual({ session: "operator", tool: "notes.write", times: 1 });
});

test("lcov has the rules of the page's own lines, and standard output nothing else", async () => {
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

test("a page with an error is not tested", async () => {
  writeFileSync(join(folder, "wrong.cap"), PAGE.replace("auto canned", "auto something"));
  expect(await say("wrong.cap")).toMatchObject({ status: 1, out: "", err: expect.stringContaining("something") });
  expect(JSON.parse((await say("wrong.cap", "--json")).out)).toMatchObject({ errors: expect.any(Number) });
  expect(await say("none.cap")).toMatchObject({ status: 3, out: "" });
});
