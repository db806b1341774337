import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "../memory-world.ts";

const RULES = fileURLToPath(new URL("../../rules/advice/", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("../../../examples/mcp-import", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-check-"));
  cpSync(EXAMPLE, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(["check", "system.cap", ...words], { folder });

const textOf = (name: string): string => readFileSync(join(folder, name), "utf8");

test("check --update-lock of an unchanged file prints nothing and writes the same bytes", async () => {
  const before = textOf("cap.lock");
  const { status, out } = await say("--update-lock");
  expect({ status, out }).toEqual({ status: 0, out: "" });
  expect(textOf("cap.lock")).toBe(before);
});

test("a changed list of tools is refused until somebody pins it, and pinning lists the changes", async () => {
  const changed = textOf("github.tools.json").replace("Get details of one issue", "Get all about one issue");
  writeFileSync(join(folder, "github.tools.json"), changed);
  expect(await say()).toMatchObject({ status: 1, err: expect.stringContaining("import-changed") });
  const { status, out } = await say("--update-lock");
  expect(status).toBe(0);
  expect(out).toContain("get_issue");
  expect(await say("--json")).toMatchObject({ status: 0 });
});

test("check warns about everything that build refuses", async () => {
  writeFileSync(join(folder, "system.cap"), textOf("system.cap").replace("{", "{\n  model smol { tools true }\n"));
  const checked = await say();
  expect(checked).toMatchObject({ status: 0, err: expect.stringMatching(/^warning\[.*: `capc build` refuses it$/m) });
  const built = await runCommand(["build", "system.cap", "--emit", "tables"], { folder });
  expect(built).toMatchObject({ status: 1, err: expect.stringContaining("error[not-enforced-yet]") });
  expect(built.err).not.toContain("refuses it");
});

test("two pages in one folder share the lock, and pinning the imports of one page keeps the pins of the other page", async () => {
  const before = textOf("cap.lock");
  writeFileSync(join(folder, "other.tools.json"), textOf("github.tools.json"));
  writeFileSync(join(folder, "other.cap"), textOf("system.cap").replace("github.tools.json", "other.tools.json"));
  const pin = (page: string) => runCommand(["check", page, "--update-lock"], { folder });
  expect(await pin("other.cap")).toMatchObject({ status: 0 });
  for (const page of ["system.cap", "other.cap"])
    expect(await runCommand(["check", page], { folder })).toMatchObject({
      status: 0,
      err: expect.not.stringMatching(/import-changed|error/),
    });
  const both = textOf("cap.lock");
  expect(await pin("system.cap")).toMatchObject({ status: 0, out: "" });
  expect(textOf("cap.lock")).toBe(both);
  rmSync(join(folder, "other.cap"));
  expect(await pin("system.cap")).toMatchObject({ status: 0, out: "other.tools.json: not imported any more\n" });
  expect(textOf("cap.lock")).toBe(before);
});

test("writes a first lock, and reports it in JSON", async () => {
  const before = textOf("cap.lock");
  rmSync(join(folder, "cap.lock"));
  expect(await say()).toMatchObject({ status: 1 });
  const { changes } = JSON.parse((await say("--update-lock", "--json")).out);
  expect(changes.length).toBeGreaterThan(0);
  expect(textOf("cap.lock")).toBe(before);
});

test("--update-lock is refused with --watch and for a page that does not exist", async () => {
  expect(await say("--update-lock", "--watch")).toMatchObject({ status: 2, out: "" });
  rmSync(join(folder, "system.cap"));
  expect(await say("--update-lock")).toMatchObject({ status: 3, out: "" });
});

/**
 * Pattern of the warnings about the example's list of tools: three of its tools have limits that their schemas cannot
 * express.
 */
const LIMITS = "(?:::warning [^\\n]*,title=limit-unchecked::[^\\n]*\\n){3}";

test("check reports errors in the formats of CI, and ends with status 0 if there are only warnings", async () => {
  const page = textOf("system.cap");
  writeFileSync(join(folder, "wrong.cap"), page.replace("permit {", "permt {"));
  const told = (...words: string[]) => runCommand(["check", ...words], { folder });
  expect(await told("system.cap", "wrong.cap", "--format", "github")).toMatchObject({
    status: 1,
    out: expect.stringMatching(
      new RegExp(
        `^(?:${LIMITS}){2}::error file=wrong\\.cap,line=\\d+,endLine=\\d+,col=\\d+,endColumn=\\d+,title=syntax::[^\\n]*\\n$`,
      ),
    ),
    err: "",
  });
  cpSync(join(RULES, "stray-doc/good.cap"), join(folder, "plain.cap"));
  const { out } = await told("plain.cap", "wrong.cap", "--format", "junit");
  expect(out).toContain('<testsuites name="capc check"');
  expect(out).toContain('<testcase classname="plain.cap" name="no findings"/>');
  const log = JSON.parse((await told("wrong.cap", "--format", "sarif")).out);
  expect(log.runs[0].results.map(({ ruleId, level }: Record<string, unknown>) => `${level} ${ruleId}`)).toEqual([
    ...Array(3).fill("warning limit-unchecked"),
    "error syntax",
  ]);
  expect(JSON.parse((await told("wrong.cap", "--format", "json")).out)).toEqual(
    JSON.parse((await told("wrong.cap", "--json")).out),
  );
});

test("check reads every named page and reports no advice", async () => {
  cpSync(join(RULES, "stray-doc/bad.cap"), join(folder, "odd.cap"));
  expect(await runCommand(["check", "odd.cap"], { folder })).toMatchObject({ status: 0 });
  writeFileSync(join(folder, "wrong.cap"), "system");
  const { status, err } = await runCommand(["check", "odd.cap", "wrong.cap"], { folder });
  expect(status).toBe(1);
  expect(err).toContain("wrong.cap:1:");
  expect(err).not.toContain("stray-doc");
});

test("check and lint report the findings of all pages that can be read", async () => {
  writeFileSync(join(folder, "wrong.cap"), "system");
  const told = (command: string, ...words: string[]) =>
    runCommand([command, "none.cap", "wrong.cap", "gone.cap", ...words], { folder });
  for (const command of ["check", "lint"]) {
    const { status, out, err } = await told(command);
    expect({ status, out }).toEqual({ status: 3, out: "" });
    expect(err).toContain("wrong.cap:1:");
    for (const name of ["none.cap", "gone.cap"])
      expect(err).toContain(`capc ${command}: ${join(folder, name)} does not exist\n`);
    const json = await told(command, "--json");
    expect(json.status).toBe(3);
    expect(JSON.parse(json.out)).toMatchObject({
      diagnostics: [{ at: { file: "wrong.cap" } }],
      unread: [{ file: "none.cap" }, { file: "gone.cap", reason: expect.stringContaining("does not exist") }],
    });
  }
  const junit = await told("check", "--format", "junit");
  expect(junit.out).toContain('<testcase classname="gone.cap" name="not read">');
  expect(junit.out).not.toContain("no findings");
  const { out } = await told("check", "--format", "github");
  expect(out.split("\n").filter((line) => line.startsWith("::error "))).toHaveLength(3);
});

test("--update-lock lists new pins on standard error, not in the report", async () => {
  rmSync(join(folder, "cap.lock"));
  const { status, out, err } = await say("--update-lock", "--format", "github");
  expect({ status, err }).toEqual({ status: 0, err: "github.tools.json: Tools added\n" });
  expect(out).toMatch(new RegExp(`^${LIMITS}$`));
});

test("check counts assertions that hold trivially, and prints nothing about them if there are none", async () => {
  const checkPage = (name: string) => runCommand(["check", `assertion-trivial/${name}.cap`], { folder: RULES });
  expect(await checkPage("bad")).toEqual({
    status: 0,
    out: "",
    err: "capc check: 1 assertion holds trivially, because no data has a label that it is about; capc lint shows the place\n",
  });
  expect(await checkPage("good")).toMatchObject({ status: 0, err: "" });
});
