// Tests action.yml as GitHub parses it, and runs its last step as a runner does, in small repositories.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { runCommand } from "../cli/memory-world.ts";
import { runAction } from "./run.ts";
import { githubJudge, type Judge } from "./testing/github.ts";
import { committed, git, PAGE, WIDER } from "./testing/repository.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const TEXT = readFileSync(join(CHECKOUT, "action.yml"), "utf8");

interface Step {
  readonly shell: string;
  readonly run: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}
const ACTION: Action = parse(TEXT);
const STEPS = ACTION.runs.steps;
const LAST: Step = STEPS.at(-1) ?? { shell: "", run: "" };

let judge: Judge;
beforeAll(async () => {
  judge = await githubJudge();
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-action-"));
  for (const name of ["page", "temp"]) mkdirSync(join(folder, name));
  git(join(folder, "page"), "init", "--quiet");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("GitHub's parser accepts action.yml, and refuses an invalid one", () => {
  expect(judge.action(TEXT)).toEqual([]);
  expect(judge.action(TEXT.replace("using: composite", "using: nothing"))).not.toEqual([]);
  expect(judge.action(TEXT.replace("shell: bash", "shel: bash"))).not.toEqual([]);
});

test("the action uses no other action, and passes inputs to the shell only in the environment", () => {
  expect(STEPS.map(({ uses }) => uses)).toEqual([undefined, undefined]);
  expect(STEPS.map(({ shell }) => shell)).toEqual(["bash", "bash"]);
  expect(STEPS.filter(({ run }) => run.includes("${{"))).toEqual([]);
  const used = Object.values(LAST.env ?? {}).map((value) => /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1]);
  expect(used.sort()).toEqual(Object.keys(ACTION.inputs).sort());
});

interface Ran {
  readonly status: number;
  readonly out: string;
  readonly summary: string;
  readonly outputs: string;
}

const files = () => ({ GITHUB_STEP_SUMMARY: join(folder, "summary"), GITHUB_OUTPUT: join(folder, "outputs") });

/** Returns the environment of the action's last step, with the inputs `given` in place of the defaults. */
function environmentOf(given: Readonly<Record<string, string>>): Record<string, string> {
  const values = Object.entries(LAST.env ?? {}).map(([name, value]) => {
    const input = value.replace(/^\$\{\{ inputs\.|\s*\}\}$/g, "");
    return [name, given[input] ?? ACTION.inputs[input]?.default ?? ""];
  });
  for (const file of Object.values(files())) writeFileSync(file, "");
  const runner = { GITHUB_ACTION_PATH: CHECKOUT, GITHUB_WORKSPACE: folder, RUNNER_TEMP: join(folder, "temp") };
  return { ...runner, ...files(), ...Object.fromEntries(values) };
}

function ranAs(status: number, out: string): Ran {
  const [summary = "", outputs = ""] = Object.values(files()).map((file) => readFileSync(file, "utf8"));
  return { status, out, summary, outputs };
}

async function started(given: Readonly<Record<string, string>>): Promise<Ran> {
  const { status, log } = await runAction(environmentOf(given));
  return ranAs(status, log);
}

const inPage = (given: Readonly<Record<string, string>>): Promise<Ran> => started({ folder: "page", ...given });

test("each step of action.yml gives the same result in a shell as in the process of these tests", async () => {
  committed(join(folder, "page"), { "system.cap": PAGE.replace("/// Notes of theirs.", "//") });
  const given = { folder: "page", base: "HEAD", "deny-widening": "true" };
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, ...environmentOf(given) };
  for (const { run } of STEPS) {
    const words = ["--noprofile", "--norc", "-eo", "pipefail", "-c", run];
    const { status, stdout, stderr } = spawnSync("bash", words, { cwd: folder, env, encoding: "utf8" });
    expect(stderr).toBe("");
    if (run === LAST.run) expect(ranAs(status ?? 3, stdout)).toEqual(await inPage(given));
    else expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  }
});

test("a job that fails for advice alone says so in an annotation and in the summary", async () => {
  committed(join(folder, "page"), { "system.cap": PAGE.replace("/// Notes of theirs.", "//") });
  const why = /there is no error, but advice also ends with status 1: .*`\/\/ capc: allow CODE because "reason"`/;
  for (const format of ["github", "junit", "sarif", "text"]) {
    const { status, out, summary } = await inPage({ format });
    expect(status).toBe(1);
    expect(out).toMatch(new RegExp(`^::error title=capc lint::${why.source}`, "m"));
    expect(summary).toMatch(new RegExp(`^## Why the job fails\n\ncapc lint: ${why.source}`, "m"));
  }
  for (const page of [PAGE, PAGE.replace("/// Notes of theirs.", "}")]) {
    committed(join(folder, "page"), { "system.cap": page });
    const { out, summary } = await inPage({});
    expect(`${out}${summary}`).not.toMatch(why);
  }
});

test("a change is shown in the summary, and a widening without a reason fails the job only with deny-widening", async () => {
  const base = committed(join(folder, "page"), { "a/system.cap": PAGE, "b/system.cap": PAGE });
  committed(join(folder, "page"), { "a/system.cap": WIDER });
  const told = await inPage({ base });
  expect(told).toMatchObject({ status: 0, out: "", outputs: "widened=true\n" });
  expect(told.summary).toContain(`a/system.cap (small 1.0.0)`);
  expect(told.summary).toContain("| `operator: quota of calls per turn` | `4` | `5` |");
  expect(told.summary).toContain("Nothing means anything else.");
  const denied = await inPage({ base, "deny-widening": "true" });
  expect(denied).toMatchObject({ status: 1, summary: told.summary });
  expect(denied.out).toContain("::error title=capc::1 page widens without a reason: see the summary\n");
  const allowed = await inPage({ base, "deny-widening": "true", because: "CHG-7" });
  expect(allowed).toMatchObject({ status: 0, out: "", outputs: "widened=false\n" });
  expect(allowed.summary).toContain("`CHG-7`");
});

test("a new, moved or deleted page is reported, and counts as a widening without a reason", async () => {
  const base = committed(join(folder, "page"), { "old/system.cap": PAGE });
  git(join(folder, "page"), "mv", "old", "new");
  const { status, summary } = await inPage({ base, "deny-widening": "true" });
  expect(status).toBe(1);
  expect(summary).toContain("### ` new/system.cap `\n\nThis page is new: all of it widens.");
  expect(summary).toContain("### ` old/system.cap `\n\nThis page is gone.");
  expect(await inPage({ base, "deny-widening": "true", because: "moved" })).toMatchObject({ status: 0 });
});

test("a page with errors is annotated, and not compared", async () => {
  const base = committed(join(folder, "page"), { "system.cap": PAGE });
  committed(join(folder, "page"), { "system.cap": PAGE.replace("permit {", "permt {") });
  const { status, out, summary, outputs } = await inPage({ base });
  expect(status).toBe(1);
  expect(out).toMatch(/^::error file=system\.cap,line=\d+,/m);
  expect(summary).toContain("Not compared: it, or what it was, has errors.");
  expect(outputs).toBe("widened=true\n");
});

test("findings are written to a file for other tools, and the path of the file is an output", async () => {
  committed(join(folder, "page"), { "system.cap": PAGE.replace("/// Notes of theirs.", "//") });
  const sarif = await inPage({ format: "sarif", base: "" });
  expect(sarif).toMatchObject({ status: 1, outputs: `report=${join(folder, "temp/capc.sarif")}\nwidened=false\n` });
  const log = JSON.parse(readFileSync(join(folder, "temp/capc.sarif"), "utf8"));
  expect(log.runs[0].results[0].ruleId).toBe("doc-missing");
  expect(await inPage({ format: "junit", command: "check", base: "" })).toMatchObject({ status: 0 });
  expect(readFileSync(join(folder, "temp/capc-junit.xml"), "utf8")).toContain('name="no findings"');
  expect(sarif.summary).toContain("Nothing was compared");
});

test("a base commit that only the origin has is fetched alone", async () => {
  const origin = join(folder, "page");
  const base = committed(origin, { "system.cap": PAGE });
  committed(origin, { "system.cap": WIDER });
  git(folder, "clone", "--quiet", "--depth=1", `file://${origin}`, "shallow");
  expect((await started({ folder: "shallow", base })).summary).toContain("| `4` | `5` |");
  expect(git(join(folder, "shallow"), "rev-list", "--count", "--all", base)).toBe("2");
});

test("a tag whose name looks like the hash of the base commit is not used as the base commit", async () => {
  const base = committed(join(folder, "page"), { "system.cap": PAGE });
  committed(join(folder, "page"), { "system.cap": WIDER });
  git(join(folder, "page"), "tag", base.slice(0, 12), "HEAD");
  expect((await inPage({ base, "deny-widening": "true" })).status).toBe(1);
});

test("a repository of another user is refused, and the message says how to trust it", async () => {
  committed(join(folder, "page"), { "system.cap": PAGE });
  process.env["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1";
  try {
    const { status, out } = await inPage({ base: "" });
    expect(status).toBe(1);
    expect(out).toMatch(
      /^::error title=capc::git cannot read .*dubious.*git config --global --add safe\.directory .*\n$/,
    );
  } finally {
    delete process.env["GIT_TEST_ASSUME_DIFFERENT_OWNER"];
  }
});

test("an annotation names a folder without a repository in one line, whatever the folder's name contains", async () => {
  mkdirSync(join(folder, "a%0A::b\rc"));
  const { status, out } = await started({ folder: "a%0A::b\rc", base: "" });
  expect(status).toBe(1);
  expect(out).toMatch(/^::error title=capc::git cannot read \S+\/a%250A::b%0Dc: not a git repository.*\n$/);
});

test("the report contains an unreadable page and the findings of all other pages", async () => {
  committed(join(folder, "page"), { "a/system.cap": PAGE, "b/system.cap": PAGE });
  rmSync(join(folder, "page/b/system.cap"));
  writeFileSync(join(folder, "page/a/system.cap"), PAGE.replace("/// Notes of theirs.", "//"));
  const { status, out, outputs } = await inPage({ format: "sarif", base: "" });
  expect({ status, outputs }).toEqual({
    status: 3,
    outputs: `report=${join(folder, "temp/capc.sarif")}\nwidened=false\n`,
  });
  expect(out).toContain("b/system.cap");
  const [run] = JSON.parse(readFileSync(join(folder, "temp/capc.sarif"), "utf8")).runs;
  expect(run.results[0].ruleId).toBe("doc-missing");
  expect(run.invocations[0].toolExecutionNotifications[0].message.text).toContain("b/system.cap does not exist");
});

test("a page that is a link is not read, because the target may be a file of the runner that the log would show", async () => {
  writeFileSync(join(folder, "token.txt"), "hunter2\n");
  mkdirSync(join(folder, "page/a"));
  symlinkSync("../../token.txt", join(folder, "page/a/system.cap"));
  const base = committed(join(folder, "page"), { "b/system.cap": PAGE });
  for (const format of ["github", "text", "sarif"]) {
    const { status, out, summary } = await inPage({ base, format });
    expect({ status, out }).toEqual({
      status: 1,
      out: expect.stringContaining("a page that is a link is not looked at"),
    });
    expect(`${out}${summary}`).not.toMatch(/hunter2|token\.txt/);
  }
});

test("with deny-widening, a page counts as widened if git does not know the base commit, and a run without a base is refused", async () => {
  committed(join(folder, "page"), { "system.cap": PAGE });
  const lost = { base: "f".repeat(40), "deny-widening": "true" };
  expect(await inPage(lost)).toMatchObject({ status: 1, outputs: "widened=true\n" });
  expect((await inPage(lost)).summary).toContain(`git neither knows nor can fetch \` ${lost.base} \`.`);
  expect(await inPage({ ...lost, base: "0".repeat(40) })).toMatchObject({
    status: 2,
    out: "::error title=capc::deny-widening needs a revision to compare with: give `base`\n",
  });
});

test("text of a page is shown, and not executed as a workflow command", async () => {
  const said = 'use "\\n::error::obeyed"';
  committed(join(folder, "page"), { "system.cap": PAGE.replace("use std.tools", `use std.tools\n  ${said}`) });
  const { out } = await inPage({ format: "text", base: "" });
  const [, token = ""] = /^::stop-commands::([\w-]{36})\n/.exec(out) ?? [];
  expect(out.endsWith(`\n::${token}::\n`)).toBe(true);
  expect(out).toContain("outside-package");
  const annotated = (await inPage({ base: "" })).out.trimEnd().split("\n");
  expect(annotated.filter((line) => !/^::(error|warning) file=system\.cap,/.test(line))).toEqual([]);
});

test("all invalid inputs are reported at once", async () => {
  const { status, out } = await inPage({
    command: "build",
    format: "xml",
    "deny-widening": "yes",
    pages: "",
    base: "-x",
  });
  expect(status).toBe(2);
  expect(out.trimEnd().split("\n")).toEqual([
    "::error title=capc::command is lint or check or diff",
    "::error title=capc::format is github or sarif or junit or text",
    "::error title=capc::deny-widening is true or false",
    "::error title=capc::pages is empty",
    "::error title=capc::base is no revision",
  ]);
});

test("only tracked pages are checked, selected by patterns of git", async () => {
  committed(join(folder, "page"), { "a/system.cap": PAGE, "b/other.cap": PAGE });
  writeFileSync(join(folder, "page/system.cap"), "nothing that git knows");
  expect(await inPage({ base: "" })).toMatchObject({ status: 0, out: "" });
  expect((await inPage({ pages: "c/*.cap", base: "" })).out).toContain("::error title=capc::git knows no page");
  expect(await started({ base: "" })).toMatchObject({ status: 1 });
  const { out } = await inPage({ pages: "b/*.cap\na/**", format: "junit", command: "check", base: "" });
  expect(out).toBe("");
  expect(readFileSync(join(folder, "temp/capc-junit.xml"), "utf8")).toMatch(/a\/system\.cap[\s\S]*b\/other\.cap/);
});

const WORKFLOWS = ["examples/review.yml", "examples/code-scanning.yml", "../cli/init/template/common/workflow.yml"];

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly uses?: string; readonly with?: object }[] }>
  >;
}

test.each(WORKFLOWS)("GitHub's parser accepts %s, which pins its actions and uses only existing inputs", (name) => {
  const text = readFileSync(new URL(name, import.meta.url), "utf8");
  expect(judge.workflow(text)).toEqual([]);
  const { jobs }: Workflow = parse(text);
  const steps = Object.values(jobs).flatMap((job) => job.steps.filter(({ uses }) => uses !== undefined));
  const ours = steps.filter(({ uses }) => uses === "./capc" || uses === "OWNER/REPOSITORY@COMMIT");
  const others = steps.filter((step) => !ours.includes(step));
  expect(ours).toHaveLength(1);
  expect(others.filter(({ uses = "" }) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([]);
  const given = ours.flatMap((step) => Object.keys(step.with ?? {}));
  expect(given.filter((input) => !Object.hasOwn(ACTION.inputs, input))).toEqual([]);
});

/** Kinds of projects that are made from templates. */
const KINDS = ["console", "web-search", "mcp-tools"];

test.each(KINDS)("the job of a new project of the kind %s passes without changes", async (kind) => {
  rmSync(join(folder, "page"), { recursive: true });
  expect(await runCommand(["init", "page", "--kind", kind], { folder })).toMatchObject({ status: 0 });
  git(join(folder, "page"), "init", "--quiet");
  git(join(folder, "page"), "add", ".");
  git(join(folder, "page"), "commit", "--quiet", "--message", "begin");
  expect(git(join(folder, "page"), "ls-files")).not.toContain("capc.mk");
  git(folder, "clone", "--quiet", "--config", "core.autocrlf=true", "page", "clone");
  symlinkSync(CHECKOUT, join(folder, "capc"));
  interface JobStep {
    readonly if?: string;
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, string>>;
  }
  const job: { readonly jobs: { readonly check: { readonly steps: readonly JobStep[] } } } = parse(
    readFileSync(join(folder, "page/.github/workflows/capc.yml"), "utf8"),
  );
  const { steps } = job.jobs.check;
  const run = (script: string) =>
    spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
      cwd: join(folder, "clone"),
      env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder, CI: "true" },
      encoding: "utf8",
    });
  const ours = steps.find(({ uses }) => uses === "./capc");
  expect(await started({ ...ours?.with, folder: "clone" })).toMatchObject({ status: 0, out: "" });
  const always = steps.filter((step) => step.run !== undefined && step.if === undefined);
  expect(always).toHaveLength(1);
  for (const { run: script = "" } of always) {
    const { status, stdout, stderr } = run(script);
    expect(status, stdout + stderr).toBe(0);
  }
  const missing = steps.find((step) => step.if !== undefined);
  expect(missing?.if).toBe("vars.CAPC_REPOSITORY == ''");
  expect(run(missing?.run ?? "")).toMatchObject({
    status: 1,
    stdout: expect.stringContaining("::error title=capc::Set"),
  });
});
