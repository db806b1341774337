import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { World } from "../../host/world.ts";
import { runCommand } from "../memory-world.ts";

const RULES = fileURLToPath(new URL("../../rules/advice/", import.meta.url));
const GOOD = readFileSync(join(RULES, "stray-doc/good.cap"), "utf8");
const BAD = readFileSync(join(RULES, "stray-doc/bad.cap"), "utf8");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-lint-"));
  mkdirSync(join(folder, "pages"));
  writeFileSync(join(folder, "good.cap"), GOOD);
  writeFileSync(join(folder, "pages/bad.cap"), BAD);
});
afterEach(() => rmSync(folder, { recursive: true }));

const say = (words: readonly string[], changes: Partial<World> = {}) => runCommand(words, { folder, ...changes });

test("lint prints nothing for a page without findings", async () => {
  expect(await say(["lint", "good.cap"])).toEqual({ status: 0, out: "", err: "" });
});

test("advice is a finding, with a path relative to the current folder", async () => {
  const { status, out, err } = await say(["lint", "good.cap", "pages/bad.cap"]);
  expect({ status, out }).toEqual({ status: 1, out: "" });
  expect(err).toContain("warning[stray-doc]");
  expect(err).toContain("pages/bad.cap:");
  expect(await say(["check", "pages/bad.cap"])).toMatchObject({ status: 0 });
});

test("if advice is the only reason for status 1, a last line says so in every format; with an error or an unreadable page this line is missing", async () => {
  const line =
    /^capc lint: there is no error, but advice also ends with status 1: .* `\/\/ capc: allow CODE because "reason"` .*\n$/m;
  for (const format of ["text", "json", "sarif", "github", "junit"])
    expect((await say(["lint", "pages/bad.cap", "--format", format])).err).toMatch(line);
  writeFileSync(join(folder, "broken.cap"), "system broken {");
  expect(await say(["lint", "pages/bad.cap", "broken.cap"])).toMatchObject({
    status: 1,
    err: expect.not.stringMatching(line),
  });
  expect(await say(["lint", "pages/bad.cap", "absent.cap"])).toMatchObject({
    status: 3,
    err: expect.not.stringMatching(line),
  });
});

test("junit output names every page that was checked", async () => {
  const { status, out } = await say(["lint", "./good.cap", "pages/bad.cap", "--format", "junit"]);
  expect(status).toBe(1);
  expect(out).toContain('<testcase classname="good.cap" name="no findings"/>');
  expect(out).toMatch(/<testcase classname="pages\/bad\.cap" name="stray-doc at \d+:\d+">/);
});

test("json, sarif and annotations contain the same findings", async () => {
  const json = JSON.parse((await say(["lint", "pages/bad.cap", "--json"])).out);
  const sarif = JSON.parse((await say(["lint", "pages/bad.cap", "--format", "sarif"])).out);
  const github = (await say(["lint", "pages/bad.cap", "--format", "github"])).out.trimEnd().split("\n");
  const codes = json.diagnostics.map(({ code }: { code: string }) => code);
  expect(codes).toContain("stray-doc");
  expect(sarif.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(codes);
  expect(sarif.runs[0].tool.driver.rules[0].help.markdown).toContain("# ");
  expect(github).toHaveLength(codes.length);
  expect(github[0]).toMatch(/^::(warning|error) file=pages\/bad\.cap,line=\d+/);
});

test("reports in CI formats name files from the root of the repository, in whatever folder capc runs", async () => {
  mkdirSync(join(folder, ".git"));
  mkdirSync(join(folder, "pages/deep/er"), { recursive: true });
  const uriOf = (log: string) => JSON.parse(log).runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri;
  for (const [from, file] of [
    [".", "pages/bad.cap"],
    ["pages", "bad.cap"],
    ["pages/deep", "../bad.cap"],
    ["pages/deep/er", "../../bad.cap"],
  ] as const) {
    const told = async (format: string) =>
      (await say(["lint", file, "--format", format], { folder: join(folder, from) })).out;
    expect(uriOf(await told("sarif"))).toBe("pages/bad.cap");
    expect(await told("github")).toContain("file=pages/bad.cap,");
    expect(await told("junit")).toContain('<testsuite name="pages/bad.cap" file="pages/bad.cap"');
  }
  const text = await say(["lint", "bad.cap"], { folder: join(folder, "pages") });
  expect(text.err).toContain("--> bad.cap:");
});

test("a file outside of a repository is named relative to the current folder", async () => {
  mkdirSync(join(folder, "repo/.git"), { recursive: true });
  mkdirSync(join(folder, "elsewhere"), { recursive: true });
  cpSync(join(folder, "pages/bad.cap"), join(folder, "repo/bad.cap"));
  for (const [from, file] of [
    ["elsewhere", "../repo/bad.cap"],
    ["elsewhere", join(folder, "repo/bad.cap")],
  ] as const) {
    const { out } = await say(["lint", file, "--format", "github"], { folder: join(folder, from) });
    expect(out).toContain("file=bad.cap,");
  }
});

test("a file outside of the user's repository is named relative to the current folder", async () => {
  mkdirSync(join(folder, "inner/.git"), { recursive: true });
  const { out } = await say(["lint", "../pages/bad.cap", "--format", "github"], { folder: join(folder, "inner") });
  expect(out).toContain("file=../pages/bad.cap,");
});

test("lint ends with status 3 for a page that cannot be read, and with status 2 for an unknown --format", async () => {
  expect(await say(["lint", "good.cap", "none.cap"])).toMatchObject({ status: 3, out: "" });
  expect(await say(["lint", "good.cap", "--format", "xml"])).toMatchObject({ status: 2, out: "" });
});

test("output is in colour only on a terminal, unless an option or NO_COLOR decides otherwise", async () => {
  const coloured = async (changes: Partial<World>, ...words: string[]): Promise<boolean> =>
    (await say(["lint", "pages/bad.cap", ...words], changes)).err.includes("\u001b[");
  const terminal = { errorIsTerminal: true };
  expect(await coloured({})).toBe(false);
  expect(await coloured(terminal)).toBe(true);
  expect(await coloured({ ...terminal, environment: { NO_COLOR: "1" } })).toBe(false);
  expect(await coloured({ ...terminal, environment: { NO_COLOR: "" } })).toBe(true);
  expect(await coloured({ ...terminal, environment: { NO_COLOR: "1" } }, "--color", "always")).toBe(true);
  expect(await coloured(terminal, "--color", "never")).toBe(false);
});

test("lint gives no advice about constructs that the image cannot enforce; check reports them", async () => {
  writeFileSync(join(folder, "good.cap"), GOOD.replace("40 calls per turn", "40 calls per turn  5.00 USD per day"));
  expect(await say(["lint", "good.cap"])).toEqual({ status: 0, out: "", err: "" });
  expect(await say(["check", "good.cap"])).toMatchObject({
    status: 0,
    err: expect.stringContaining("not-enforced-yet"),
  });
});

test("lint reports a refuted assertion as an error", async () => {
  writeFileSync(join(folder, "wrong.cap"), GOOD.replace("storage {", "assert never call readOnly\n  storage {"));
  expect(await say(["lint", "wrong.cap"])).toMatchObject({
    status: 1,
    err: expect.stringContaining("error[assertion-refuted]"),
  });
});

test("counts silenced advice with its reason, and does not report it as a finding", async () => {
  const silence = '// capc: allow tools-not-covered because "it only reads"\n  session operator';
  const silent = GOOD.replace("consent mutatingLocal  forbidden destructive", "").replace("session operator", silence);
  writeFileSync(join(folder, "silent.cap"), silent);
  expect(await say(["lint", "silent.cap"])).toEqual({ status: 0, out: "", err: "1 silenced, each with a reason\n" });
  const json = JSON.parse((await say(["lint", "silent.cap", "--json"])).out);
  expect(json).toMatchObject({ warnings: 0, silenced: [{ code: "tools-not-covered", reason: "it only reads" }] });
  const sarif = JSON.parse((await say(["lint", "silent.cap", "--format", "sarif"])).out);
  expect(sarif.runs[0].results).toHaveLength(1);
  expect(sarif.runs[0].results[0].suppressions[0].justification).toBe("it only reads");
});

test("--fix repeats until every fix that needs no consent is applied, and changes nothing else", async () => {
  const misspelt = `${GOOD.replace("permit {", "permt {")}/// Said of nothing.\n`;
  writeFileSync(join(folder, "misspelt.cap"), misspelt);
  const { status, err } = await say(["lint", "misspelt.cap", "--fix"]);
  expect({ status, err }).toEqual({ status: 0, err: "capc lint: 2 fixed\n" });
  const text = readFileSync(join(folder, "misspelt.cap"), "utf8");
  expect(text).toMatch(/permit +\{/);
  expect(text).toContain("// Said of nothing.");
  expect(await say(["fmt", "--check", "misspelt.cap"])).toEqual({ status: 0, out: "", err: "" });
  expect(await say(["lint", "misspelt.cap", "--fix"])).toEqual({ status: 0, out: "", err: "" });
  expect(readFileSync(join(folder, "misspelt.cap"), "utf8")).toBe(text);
});

test.each([
  ["a comma", "auto readOnly", "auto readOnly  auto notes.,"],
  ["a brace", "forbidden destructive }", "forbidden destructive  auto notes. }"],
  ["a mode", "auto readOnly", "autp readOnly"],
  ["a tool", "auto readOnly", "auto readOnly  auto notes.delte"],
])("--fix leaves %s to the user", async (_, right, wrong) => {
  expect(GOOD).toContain(right);
  const text = GOOD.replace(right, wrong);
  writeFileSync(join(folder, "wrong.cap"), text);
  expect(await say(["lint", "wrong.cap", "--fix"])).toMatchObject({ status: 1 });
  expect(readFileSync(join(folder, "wrong.cap"), "utf8")).toBe(text);
});

test("--fix removes an import from a file only if no named page needs it", async () => {
  const shared = "use std.profiles\n";
  writeFileSync(join(folder, "shared.cap"), shared);
  const without = GOOD.replace("use std.tools", 'use std.tools\n  use "./shared.cap"');
  const session = "session night from profiles.operator { kind operator  models { auto canned } }\n  storage {";
  writeFileSync(join(folder, "one.cap"), without);
  writeFileSync(join(folder, "two.cap"), without.replace("storage {", session));
  expect((await say(["check", "two.cap"])).status).toBe(0);
  await say(["lint", "one.cap", "two.cap", "--fix"]);
  expect(readFileSync(join(folder, "shared.cap"), "utf8")).toBe(shared);
  await say(["lint", "one.cap", "--fix"]);
  expect(readFileSync(join(folder, "shared.cap"), "utf8")).toBe("");
});

test("--fix does not write to a file to which it applies no fix", async () => {
  const wrong = GOOD.replace("auto canned", "auto    something");
  writeFileSync(join(folder, "wrong.cap"), wrong);
  expect(await say(["lint", "wrong.cap", "--fix"])).toMatchObject({ status: 1 });
  expect(readFileSync(join(folder, "wrong.cap"), "utf8")).toBe(wrong);
});
