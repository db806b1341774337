import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bytesOf } from "../../../engine/processes/audit/testing/sample.ts";
import { SampleLog } from "../../queries/replay/testing/log.ts";
import { runCommand } from "../memory-world.ts";

const EXAMPLES = fileURLToPath(new URL("../../../examples", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-report-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(["report", ...words], { folder });
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const example = (name: string) => join(EXAMPLES, name, "system.cap");

const REFUTED = `system small version "1.0.0" {
  use std.tools
  service notes : Files { state 1 MiB }
  backend canned { stub }
  session operator { kind operator  models { auto canned }  permit { auto readOnly, mutatingLocal } }
  assert always consent mutatingLocal
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;

test("a report is one file, and does not depend on the page's folder or on how the path is written", async () => {
  expect(await say(example("first-agent"))).toMatchObject({ status: 0, out: "" });
  cpSync(join(EXAMPLES, "first-agent"), join(folder, "elsewhere"), { recursive: true });
  const { status, out } = await say("elsewhere", "--out", "other.html", "--json");
  expect(status).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    path: "other.html",
    bytes: Buffer.byteLength(read("other.html")),
    unproved: 0,
  });
  expect(read("other.html")).toBe(read("report.html"));
});

test("the report also contains a refuted assertion, and the command ends with 1", async () => {
  writeFileSync(join(folder, "system.cap"), REFUTED);
  const { status, err } = await say("system.cap");
  expect({ status, err }).toMatchObject({
    status: 1,
    err: expect.stringContaining("1 of the assertions does not hold"),
  });
  expect(read("report.html")).toContain("refuted: assert always consent mutatingLocal");
  expect(read("report.html")).toContain("The conversations that show it");
});

test("the report of a page for upstream's kernel has no table of processes and grants", async () => {
  const linux = REFUTED.replace(/ {2}assert .*\n/, "");
  const told = async (page: string) => {
    writeFileSync(join(folder, "system.cap"), page);
    expect(await say("system.cap")).toMatchObject({ status: 0 });
    return read("report.html").includes("All processes and grants as a table");
  };
  expect(await told(linux)).toBe(true);
  expect(await told(linux.replace("target linux  machine vm", "target capos"))).toBe(false);
});

test("compares a page with an older page, or with itself", async () => {
  writeFileSync(
    join(folder, "old.cap"),
    REFUTED.replace("auto readOnly, mutatingLocal", "auto readOnly  consent mutatingLocal"),
  );
  writeFileSync(join(folder, "system.cap"), REFUTED.replace("assert always consent mutatingLocal", ""));
  expect(await say("system.cap", "--against", "old.cap")).toMatchObject({ status: 0 });
  expect(read("report.html")).toMatch(/<td class="widened"><a href="#auto-\d+"><i title="widened">▲<\/i> auto/);
  expect(read("report.html")).toContain("2 changes widen authority and say no reason");
  expect(read("report.html")).toContain("assert always consent mutatingLocal");
  expect(await say("system.cap", "--against", "system.cap")).toMatchObject({ status: 0 });
  expect(read("report.html")).toContain("nothing means anything else than in system.cap");
});

test("shows what a machine did according to its log, and ends with 1 if the log is not in order", async () => {
  writeFileSync(join(folder, "system.cap"), REFUTED.replace(/ {2}assert .*\n/, ""));
  const log = bytesOf(new SampleLog().boot().ran("notes.read", { path: "a" }).denied("notes.write", {}).links);
  writeFileSync(join(folder, "audit.log"), log);
  expect(await say("system.cap", "--audit", "audit.log")).toMatchObject({ status: 0 });
  const whole = read("report.html");
  expect(whole).toContain("From the audit log audit.log, 2027-01-30 09:01 to 2027-01-30 09:05 UTC");
  const seal = "5 records, sealed up to record 2; 3 records behind it are under no seal yet; audit key ";
  expect(whole).toContain(`<li class="mind">in order, but compared with no noted key (--key): ${seal}`);
  const [, key = ""] = /audit key ([0-9a-f]{64})/.exec(whole) ?? [];
  expect(await say("system.cap", "--audit", "audit.log", "--key", key)).toMatchObject({ status: 0 });
  expect(read("report.html")).toContain(`<li class="well">verified under the noted key: ${seal}${key}`);
  expect(await say("system.cap", "--audit", "audit.log", "--until", "2027-01-30T09:05:00Z")).toMatchObject({
    status: 0,
  });
  expect(read("report.html")).toContain("2027-01-30 09:01 to 2027-01-30 09:04 UTC");
  expect(await say("system.cap")).toMatchObject({ status: 0 });
  expect(read("report.html")).not.toContain("What the machine did");

  log.write("notes.rEad", log.indexOf("notes.read"));
  writeFileSync(join(folder, "audit.log"), log);
  const found = await say("system.cap", "--audit", "audit.log", "--json");
  expect(found).toMatchObject({ status: 1, err: expect.stringContaining("NOT VERIFIED: DAMAGED") });
  expect(JSON.parse(found.out)).toMatchObject({ verified: false });
  expect(read("report.html")).toContain('<li class="bad">NOT VERIFIED: DAMAGED');
});

test.each([
  ["a missing log", ["system.cap", "--audit", "none.log"], 3, "does not exist"],
  ["a span of time without a log", ["system.cap", "--since", "7d"], 2, "--since needs --audit"],
  ["an invalid time", ["system.cap", "--audit", "a.log", "--until", "soon"], 2, "--until is a time such as"],
  ["a missing page", ["none.cap"], 3, "none.cap does not exist"],
  ["a missing older page", ["system.cap", "--against", "none.cap"], 3, "none.cap does not exist"],
  ["a page with errors", ["wrong.cap"], 1, "error["],
  ["an older page with errors", ["system.cap", "--against", "wrong.cap"], 1, "error["],
  ["a report at the path of its page", ["system.cap", "--out", "./system.cap"], 2, "--out is the page itself"],
  ["a pipe", ["system.cap", "--out", "pipe"], 3, "is not a regular file"],
  ["a missing folder", ["system.cap", "--out", "none/report.html"], 3, "does not exist"],
])("%s: the command writes nothing and says why", async (_, words, status, reason) => {
  writeFileSync(join(folder, "system.cap"), REFUTED);
  writeFileSync(join(folder, "wrong.cap"), "system {");
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const found = await say(...words);
  expect(found).toMatchObject({ status, err: expect.stringContaining(reason) });
  expect(existsSync(join(folder, "report.html"))).toBe(false);
  expect(read("system.cap")).toBe(REFUTED);
});
