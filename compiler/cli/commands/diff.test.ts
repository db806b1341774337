import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, expect, test } from "vitest";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { compile } from "../../compile.ts";
import { createDiskHost } from "../../phases/source/index.ts";
import { UNSAID } from "../../queries/diff/index.ts";
import { runCommand } from "../memory-world.ts";
import { diffSchema } from "../schemas/diff.ts";

const PAGE = `system small version "1.0.0" {
  use std.tools
  backend canned { stub  clearance internal }
  confidentiality { public < internal }
  service notes : Files { state 1 MiB }
  session operator {
    kind operator
    models { auto canned }
    permit { auto readOnly  consent mutatingLocal }
    quota { 4 calls per turn }
  }
  session night extends operator {
    permit { forbidden mutatingLocal }
  }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;
const WIDER = PAGE.replace("consent mutatingLocal", 'auto mutatingLocal where path under "/tmp" else consent');
const REASONED = PAGE.replace(
  "consent mutatingLocal",
  'auto mutatingLocal where path under "/tmp" else consent because "the pager"',
);
const RAISED = PAGE.replace("4 calls", "5 calls");
const WIDENED = PAGE.replace(
  "permit { forbidden mutatingLocal }",
  'permit { forbidden mutatingLocal }  widen { quota { 9 calls per turn } } because "a long night"',
);
const SUGGESTED = WIDENED.replace("a long night", UNSAID);
const UNSAID_LINE = REASONED.replace("the pager", UNSAID);

const folder = mkdtempSync(join(tmpdir(), "capc-diff-"));
afterAll(() => rmSync(folder, { recursive: true }));
const pages = {
  old: PAGE,
  wider: WIDER,
  reasoned: REASONED,
  raised: RAISED,
  widened: WIDENED,
  suggested: SUGGESTED,
  unsaid: UNSAID_LINE,
};
for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, `${name}.cap`), text);
writeFileSync(join(folder, "wrong.cap"), PAGE.replace("auto readOnly", "auto readOnyl"));
writeFileSync(join(folder, "noise.bin"), "nothing that anybody reads");

const say = (...words: string[]) => runCommand(["diff", ...words], { folder });

test("finds a widening under a condition, and shows arguments that meet the condition", async () => {
  const { status, out, err } = await say("old.cap", "wider.cap");
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out).toContain('operator: notes.write\n            consent → auto where path under "/tmp" else consent\n');
  expect(out).toContain('notes.write {"content":"","path":"tmp"}: consent → auto');
  expect(out).toMatch(/wider\.cap:\d+:\d+: auto mutatingLocal where/);
  // Only the session `operator` allows more calls than before: the session that extends it still forbids `notes.write`.
  expect(out).toContain("\n1 widened, 0 moved, 0 narrowed\n1 cell is said in other lines and decided as before\n");
});

test("a page does not differ from itself, and a widening compared in reverse is a narrowing", async () => {
  expect((await say("old.cap", "old.cap")).out).toContain("\nnothing means anything else\n");
  expect((await say("wider.cap", "old.cap")).out).toContain("\n0 widened, 0 moved, 1 narrowed\n");
});

test("a comment changes the digest of the tables, but not the digest of their meaning", async () => {
  writeFileSync(join(folder, "commented.cap"), PAGE.replace("  session", "  // Who sits here.\n  session"));
  const { out } = await say("old.cap", "commented.cap", "--json");
  const { before, after } = JSON.parse(out);
  expect(after.meaning).toBe(before.meaning);
  expect(after.tables).not.toBe(before.tables);
  expect((await say("old.cap", "commented.cap")).out).toContain(`\nmeaning ${before.meaning.slice(0, 16)}, the same\n`);
  expect((await say("old.cap", "wider.cap")).out).toMatch(/^meaning [0-9a-f]{16} → [0-9a-f]{16}$/m);
});

const STATED = PAGE.replace(
  "  storage {",
  `  assert never call notes.delete for night
  test "at night nothing is written" { as night  call notes.write { path: "a", content: "b" } expect forbidden }
  storage {`,
);

test("a renamed session and a renamed service are reported once, with everything that refers to them", async () => {
  writeFileSync(join(folder, "stated.cap"), STATED);
  const renamed = STATED.replace(/\bnight\b(?! nothing)/g, "yonder").replaceAll("notes", "papers");
  writeFileSync(join(folder, "renamed.cap"), renamed);
  const { out, status } = await say("stated.cap", "renamed.cap", "--deny-widening");
  expect(status).toBe(0);
  expect(out.split("\n").slice(2)).toEqual([
    "",
    "renamed   service notes → papers",
    "            its data on the disk stays under the old name",
    "",
    "renamed   session night → yonder",
    "            its data on the disk stays under the old name",
    "",
    "0 widened, 0 moved, 0 narrowed, 2 renamed",
    "not compared: what is in weights, and in sealed credentials",
    "",
  ]);
});

const LISTED = `system listed version "1.0.0" {
  use capnp "./desk.capnp" as desk
  backend canned { stub }
  service words : desk.Words { exec "words.js" }
  session operator { kind operator  models { auto canned }  permit { auto words.list  forbidden words.count } }
  assert never call words.count for operator
  test "it never counts" { as operator  call words.count { text: "a" } expect forbidden }
  image { target linux  machine vm  boot operator }
}
`;
const DESK = `@0xb0a7c2d94e6f1385;
using Capos = import "/std/annotations.capnp";
interface Words {
  count @0 (text :Text) -> (words :UInt32) $Capos.category("readOnly");
  list @1 (text :Text) -> (words :List(Text)) $Capos.category("readOnly");
}
`;

test("a method with a new name in its schema is a renamed tool, in assertions and tests as well", async () => {
  for (const [name, to] of [
    ["counts", "count"],
    ["tallies", "tally"],
  ] as const) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "desk.capnp"), DESK.replaceAll("count", to));
    writeFileSync(join(folder, name, "system.cap"), LISTED.replaceAll("words.count", `words.${to}`));
    writeFileSync(join(folder, name, "words.js"), "export default {};\n");
    expect(await runCommand(["check", `${name}/system.cap`, "--update-lock"], { folder })).toMatchObject({ status: 0 });
  }
  const { out } = await say("counts", "tallies");
  expect(out).toContain("\nrenamed   tool words.count → words.tally\n");
  expect(out).toContain("\nmoved     service words: methods of its program (may widen)\n");
  expect(out).toContain("\n0 widened, 1 moved (1 may widen), 0 narrowed, 1 renamed\n");
});

test.each([
  ["count(urls(content)) <= 2", "count(urls(content)) <= 5"],
  ["size(content) <= 1 KiB", "size(content) <= 4 KiB"],
  ['content matches "INV-##*"', 'content matches "INV-*"'],
  ["content from person", "content from person, page"],
  ['every(domain(urls(content))) under "a.example"', 'every(domain(urls(content))) under "example"'],
])("a bound that only loosens is a widening, with a call that is newly allowed: %s → %s", async (from, to) => {
  const bounded = (check: string) =>
    PAGE.replace("consent mutatingLocal", `consent notes.write where ${check} else forbidden`);
  writeFileSync(join(folder, "bounded.cap"), bounded(from));
  writeFileSync(join(folder, "loosened.cap"), bounded(to));
  const { out } = await say("bounded.cap", "loosened.cap");
  expect(out).toContain("widened   operator: notes.write\n");
  expect(out).toMatch(/\n {12}notes\.write \{"content":".*\}.*: forbidden → consent\n/);
  expect(out).not.toContain("some call");
  expect(out).toContain("\n1 widened, 0 moved, 0 narrowed\n");
  const back = await say("loosened.cap", "bounded.cap");
  expect(back.out).toContain("\n0 widened, 0 moved, 1 narrowed\n");
});

test("for a changed `from` rule, the report says where the value of its example call comes from, and where it does not", async () => {
  const of = (source: string) =>
    PAGE.replace("consent mutatingLocal", `auto notes.write where content from ${source} else forbidden`);
  writeFileSync(join(folder, "typed.cap"), of("person"));
  writeFileSync(join(folder, "paged.cap"), of("page"));
  const { out } = await say("typed.cap", "paged.cap");
  expect(out).toContain('if "a" comes from page and "a" does not come from person: forbidden → auto\n');
  expect(out).toContain('if "a" comes from person and "a" does not come from page: auto → forbidden\n');
});

test("a new weak source does not widen an automatic rule, and of several new sources only the strong one is reported", async () => {
  const of = (...sources: readonly string[]) =>
    PAGE.replace("consent mutatingLocal", `auto notes.write where content from ${sources.join(", ")} else consent`);
  writeFileSync(join(folder, "typed.cap"), of("person"));
  writeFileSync(join(folder, "more.cap"), of("person", "pasted"));
  expect((await say("typed.cap", "more.cap")).out).toContain("\nnothing means anything else\n");
  writeFileSync(join(folder, "more.cap"), of("person", "pasted", "page"));
  const { out } = await say("typed.cap", "more.cap");
  expect(out).toContain('if "a" comes from page and "a" does not come from person: consent → auto\n');
  expect(out).toContain("\n1 widened, 0 moved, 0 narrowed\n");
});

test("a long text in an example is shortened, so that the other arguments of the example are visible", async () => {
  const of = (bytes: string) =>
    PAGE.replace("consent mutatingLocal", `consent notes.write where size(content) <= ${bytes} else forbidden`);
  writeFileSync(join(folder, "short.cap"), of("1 KiB"));
  writeFileSync(join(folder, "long.cap"), of("4 KiB"));
  expect((await say("short.cap", "long.cap")).out).toMatch(
    /notes\.write \{"content":"a{24}… \(1025 characters\)","path":""\}: /,
  );
});

test("a rename hides no other change: the other change is reported under the new name", async () => {
  writeFileSync(join(folder, "stated.cap"), STATED);
  writeFileSync(join(folder, "renamed.cap"), STATED.replaceAll("notes", "papers").replace("4 calls", "5 calls"));
  const { out, status } = await say("stated.cap", "renamed.cap", "--deny-widening");
  expect(status).toBe(1);
  expect(out).toContain("renamed   service notes → papers\n");
  expect(out).toContain("quota of calls per turn\n            4 → 5\n");
  expect(out).toContain("\n1 widened, 0 moved, 0 narrowed, 1 renamed\n");
  // If the disk limit of a service or a mode of a session changes too, capc reports that it was `probably` renamed.
  writeFileSync(join(folder, "renamed.cap"), STATED.replaceAll("notes", "papers").replace("1 MiB", "2 MiB"));
  expect((await say("stated.cap", "renamed.cap")).out).toContain("renamed   probably service notes → papers\n");
  const wider = STATED.replace(/\bnight\b/g, "late").replace("forbidden mutatingLocal", "forbidden destructive");
  writeFileSync(join(folder, "renamed.cap"), wider);
  expect((await say("stated.cap", "renamed.cap")).out).toContain("renamed   probably session night → late\n");
});

test.each([
  [["wider.cap"], 1],
  [["raised.cap"], 1],
  [["reasoned.cap"], 0],
  [["widened.cap"], 0],
  // `capc suggest --write` writes lines without a reason, so the widened page is refused.
  [["suggested.cap"], 1],
  [["unsaid.cap"], 1],
  [["raised.cap", "--because", "CHG-7"], 0],
  // `--because` applies only to changes for which no line of the page can state a reason. Here a line could state it.
  [["wider.cap", "--because", "CHG-7"], 1],
])("--deny-widening accepts widenings with a reason: %s ends with %d", async (words, ended) => {
  const { status, err } = await say("old.cap", ...words, "--deny-widening");
  expect(status).toBe(ended);
  expect(err).toContain(ended === 0 ? "" : "without a reason\n");
});

const PARTED = PAGE.replace("public < internal", "public < internal < secret")
  .replace(
    "consent mutatingLocal }",
    'auto mutatingLocal because "drafts" }  when unattended { atLeast forbidden mutatingLocal }',
  )
  .replace("kind operator", "kind operator  clearance public")
  .replace("permit { forbidden mutatingLocal }", "quota { 3 calls per turn }")
  .replace(
    "  storage {",
    `  session day { kind operator  clearance public  models { auto canned }  permit { auto readOnly } }
  ingress desk : console "tty1" into day label internal/untrusted
  task job in operator { phase one { only notes.*  quota { 1 calls per turn } }  phase two { only notes.* }  quota { 2 calls per turn } }
  storage {`,
  );

test.each([
  [
    "a reason of another session",
    (page: string) =>
      page
        .replace("quota { 3 calls", 'widen { clearance internal } because "a long night"  quota { 3 calls')
        .replace("day { kind operator  clearance public", "day { kind operator  clearance internal"),
  ],
  ["two levels with exchanged positions", (page: string) => page.replace("internal < secret", "secret < internal")],
  ["an ingress into another session", (page: string) => page.replace("into day", "into operator")],
  ["a larger quota of a task above a smaller quota of its phase", (page: string) => page.replace("2 calls", "4 calls")],
  [
    "a floor that was lowered below a line with a reason",
    (page: string) => page.replace("atLeast forbidden", "atLeast consent"),
  ],
  [
    "a floor that was lowered below a line with a new reason",
    (page: string) => page.replace("atLeast forbidden", "atLeast consent").replace('"drafts"', '"our own drafts"'),
  ],
  [
    "a floor that was removed below a line with a reason",
    (page: string) => page.replace("  when unattended { atLeast forbidden mutatingLocal }", ""),
  ],
])("--deny-widening refuses %s unless the reviewer gives a reason", async (_, widened) => {
  writeFileSync(join(folder, "parted.cap"), PARTED);
  expect(widened(PARTED)).not.toBe(PARTED);
  writeFileSync(join(folder, "since.cap"), widened(PARTED));
  const ask = (...words: string[]) => say("parted.cap", "since.cap", "--deny-widening", ...words);
  expect(await ask()).toMatchObject({ status: 1, err: expect.stringContaining("without a reason\n") });
  expect(await ask("--because", "CHG-7")).toMatchObject({ status: 0, err: "" });
});

test("--deny-widening refuses a rule that became wider and kept its reason", async () => {
  const page = (path: string, reason: string) =>
    PAGE.replace(
      "consent mutatingLocal }",
      `auto mutatingLocal where path under "${path}" else consent because "${reason}" }`,
    );
  writeFileSync(join(folder, "parted.cap"), page("/tmp/a", "scratch"));
  const ask = (reason: string, ...words: string[]) => {
    writeFileSync(join(folder, "since.cap"), page("/tmp", reason));
    return say("parted.cap", "since.cap", "--deny-widening", ...words);
  };
  const refused = { status: 1, err: expect.stringContaining("the reason is older than this change") };
  expect(await ask("scratch")).toMatchObject(refused);
  expect(await ask("scratch", "--because", "CHG-7")).toMatchObject(refused);
  expect(await ask("more scratch")).toMatchObject({ status: 0, err: "" });
});

test("--deny-widening refuses a quota of a `widen` that was raised and kept its reason", async () => {
  writeFileSync(join(folder, "parted.cap"), WIDENED);
  const ask = (page: string, ...words: string[]) => {
    writeFileSync(join(folder, "since.cap"), page);
    return say("parted.cap", "since.cap", "--deny-widening", ...words);
  };
  const raised = WIDENED.replace("9 calls", "99 calls");
  expect(await ask(raised)).toMatchObject({
    status: 1,
    err: expect.stringContaining("night: quota of calls per turn (since.cap:13:57): no line can say why"),
  });
  expect(await ask(raised, "--because", "CHG-7")).toMatchObject({ status: 0, err: "" });
  expect(await ask(raised.replace("a long night", "a longer night"))).toMatchObject({ status: 0, err: "" });
});

test("reports swapped quotas of a task and of its phase, each at its own line", async () => {
  const swapped = PARTED.replace("1 calls", "2 calls").replace("}  quota { 2 calls", "}  quota { 3 calls");
  writeFileSync(join(folder, "parted.cap"), PARTED.replace("1 calls", "3 calls"));
  writeFileSync(join(folder, "since.cap"), swapped);
  const { out, status } = await say("parted.cap", "since.cap", "--deny-widening");
  const line = swapped.split("\n").findIndex((text) => text.includes("task job")) + 1;
  expect(out).toMatch(
    new RegExp(
      `^widened +night.job, operator.job: quota of calls per turn\n +2 → 3\n +since.cap:${line}:\\d+: quota 3 `,
      "m",
    ),
  );
  expect(out).toMatch(
    new RegExp(`^moved +night.job.one, operator.job.one: .*\n +3 → 2\n +since.cap:${line}:\\d+: quota 2 `, "m"),
  );
  expect(status).toBe(1);
});

test("--deny-widening refuses a tool that is no longer suppressed, although its line has an old reason", async () => {
  const suppressed = PARTED.replace("quota { 3 calls", "suppress notes.write  quota { 3 calls");
  expect(suppressed).not.toBe(PARTED);
  writeFileSync(
    join(folder, "suppressed.cap"),
    suppressed.replace("when unattended { atLeast forbidden mutatingLocal }", ""),
  );
  writeFileSync(join(folder, "there.cap"), PARTED);
  const ask = (...words: string[]) => say("suppressed.cap", "there.cap", "--deny-widening", ...words);
  expect(await ask()).toMatchObject({ status: 1, err: expect.stringContaining("without a reason\n") });
  expect(await ask("--because", "CHG-7")).toMatchObject({ status: 0, err: "" });
});

test("compares tables with a page as it compares two pages", async () => {
  const { policy } = await compile(createDiskHost("2026-01-01"), join(folder, "old.cap"));
  if (policy === undefined) throw new Error("the page has errors");
  const bytes = encodeMessage(PolicyTables, policy.tables);
  mkdirSync(join(folder, "built/policy"), { recursive: true });
  writeFileSync(join(folder, "built/policy/tables.bin"), bytes);
  expect((await say("built", "old.cap")).out).toContain("nothing means anything else");
  expect((await say("built", "raised.cap")).out).toContain("quota of calls per turn\n            4 → 5\n");
  writeFileSync(join(folder, "torn.bin"), bytes.subarray(0, 300));
  expect(await say("torn.bin", "old.cap")).toMatchObject({
    status: 1,
    err: expect.stringContaining("no policy tables"),
  });
});

test("compares a page with an earlier revision, and reads ignored files from the work tree", async () => {
  const repository = join(folder, "repository");
  mkdirSync(join(repository, "page"), { recursive: true });
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@example.com", ...words]);
  git("init", "--quiet");
  writeFileSync(join(repository, ".gitignore"), "*.json\n");
  writeFileSync(join(repository, "page/replies.json"), "[]\n");
  writeFileSync(join(repository, "page/system.cap"), PAGE.replace("{ stub ", '{ stub "replies.json" '));
  git("add", ".");
  git("commit", "--quiet", "-m", "one");
  writeFileSync(join(repository, "page/system.cap"), RAISED.replace("{ stub ", '{ stub "replies.json" '));
  const ask = (...words: string[]) => runCommand(["diff", ...words], { folder: join(repository, "page") });
  const { out, err } = await ask("HEAD..");
  expect(err).toBe("");
  expect(out).toMatch(/^HEAD:page\/system\.cap \(small 1\.0\.0\) → system\.cap/);
  expect(out).toContain("1 widened, 0 moved, 0 narrowed");
  expect((await ask("--from", "HEAD", ".")).out).toBe(out);
  expect((await ask("HEAD...")).out).toMatch(/^HEAD \(merge base [0-9a-f]{12}\):page\/system\.cap \(small/);
  const hash = git("rev-parse", "HEAD").toString().trim();
  expect((await ask("--from", hash, ".")).out).toContain(`${hash.slice(0, 12)}:page/system.cap (small`);
  expect((await ask("HEAD..HEAD")).out).toContain("nothing means anything else");
  const hint = (words: string) => ({ status: 2, err: expect.stringContaining(`write capc diff ${words}\n`) });
  expect(await ask("HEAD", "HEAD")).toMatchObject(hint("HEAD..HEAD [FILE]"));
  expect(await ask("HEAD", "system.cap")).toMatchObject(hint("HEAD.. system.cap"));
  const report = (...words: string[]) => runCommand(["report", ".", ...words], { folder: join(repository, "page") });
  expect(await report("--against", "HEAD..")).toMatchObject({ status: 0 });
  const html = readFileSync(join(repository, "page/report.html"), "utf8");
  expect(html).toContain("Changes since HEAD:page/system.cap (small 1.0.0)");
  expect(html).toContain("1 widened, 0 moved, 0 narrowed");
  expect(await report("--against", "HEAD")).toMatchObject({
    status: 2,
    err: expect.stringContaining("write HEAD..\n"),
  });
  expect(await ask("nowhere..")).toMatchObject({ status: 2, err: expect.stringContaining("no revision nowhere") });
  expect(await ask("HEAD..", "other.cap")).toMatchObject({
    status: 3,
    err: expect.stringContaining("other.cap in HEAD"),
  });
});

const SHUT = PAGE.replace("{ stub  clearance internal", "{ stub  clearance public")
  .replace("notes : Files { ", "notes : Files { label internal  ")
  .replace("consent mutatingLocal", "forbidden mutatingLocal")
  .replace("kind operator", "kind operator  clearance internal");

test("every output format reports a newly possible flow and its conversations, and text output gives the reason of its cause", async () => {
  const cleared = SHUT.replace("clearance public", "clearance internal");
  const written = SHUT.replace(
    "forbidden mutatingLocal }\n    quota",
    'consent mutatingLocal because "the pager" }\n    quota',
  );
  for (const [name, text] of Object.entries({ shut: SHUT, cleared, written })) {
    writeFileSync(join(folder, `${name}.cap`), text);
  }
  const { out } = await say("shut.cap", "cleared.cap");
  expect(out).toContain("widened   night → backend canned, operator → backend canned: most secret that reaches it\n");
  expect(out).toContain(
    "public → internal\n            internal comes to backend canned:\n              1. a conversation in",
  );
  expect(out).toContain("canned is asked: auto; it hears all of this");
  expect((await say("cleared.cap", "shut.cap")).out).toContain("internal came to backend canned:\n");
  expect((await say("shut.cap", "cleared.cap", "--format", "markdown")).out).toContain(
    "`internal comes to backend canned:`<br>",
  );
  const log = JSON.parse((await say("shut.cap", "cleared.cap", "--format", "sarif")).out);
  expect(log.runs[0].results.map(({ message }: { message: { text: string } }) => message.text).join("\n")).toContain(
    "internal comes to backend canned:\n  1. a conversation in",
  );
  const json = JSON.parse((await say("shut.cap", "cleared.cap", "--json")).out);
  expect(new Ajv2020().validate(diffSchema, json)).toBe(true);
  expect(json.changes.flatMap(({ ways }: { ways: object[] }) => ways)).toContainEqual(
    expect.objectContaining({ possible: "now", source: "internal", sink: "backend canned" }),
  );
  expect(await say("shut.cap", "cleared.cap", "--deny-widening")).toMatchObject({ status: 1 });
  expect(await say("shut.cap", "cleared.cap", "--deny-widening", "--because", "CHG-7")).toMatchObject({ status: 0 });
  const reasoned = await say("shut.cap", "written.cap", "--deny-widening");
  expect(reasoned).toMatchObject({ status: 0, err: "" });
  const flow = reasoned.out.slice(reasoned.out.indexOf("operator → service notes: most secret that reaches it\n"));
  expect(flow).toContain('            because "the pager"\n');
});

test("Markdown output puts text of the page into code spans", async () => {
  const { out } = await say("old.cap", "wider.cap", "--format", "markdown");
  expect(out).toContain("**1 widened, 0 moved, 0 narrowed**");
  expect(out).toContain('| `operator: notes.write` | `consent` | `auto where path under "/tmp" else consent` |');
});

test("SARIF output names the line, is valid, and marks changes with a reason as suppressed", async () => {
  const path = new URL("../../rules/formats/testing/sarif-2.1.0-rtm.5.schema", import.meta.url);
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(fileURLToPath(path), "utf8"));
  const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);
  for (const name of ["wider", "reasoned"]) {
    const log = JSON.parse((await say("old.cap", `${name}.cap`, "--format", "sarif", "--deny-widening")).out);
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    const [result] = log.runs[0].results;
    expect(result).toMatchObject({ ruleId: "authority-widened" });
    expect(result.locations[0].physicalLocation.artifactLocation).toEqual({ uri: `${name}.cap` });
    expect(result.suppressions?.[0]?.justification ?? result.level).toBe(name === "wider" ? "error" : "the pager");
  }
});

test("SARIF names files from the root of the repository", async () => {
  const inner = join(folder, "repository/pages");
  mkdirSync(join(inner, "../.git"), { recursive: true });
  mkdirSync(inner);
  for (const name of ["old", "wider"] as const) writeFileSync(join(inner, `${name}.cap`), pages[name]);
  const { out } = await runCommand(["diff", "old.cap", "wider.cap", "--format", "sarif"], { folder: inner });
  const [result] = JSON.parse(out).runs[0].results;
  expect(result.locations[0].physicalLocation.artifactLocation).toEqual({ uri: "pages/wider.cap" });
});

test.each([
  [["old.cap"], 2, "compared with what?"],
  [["--from", "main", "old.cap", "new.cap"], 2, "--from compares one page"],
  [["--from=-x", "old.cap"], 2, "no revision"],
  [["old.cap", "absent.cap"], 3, "does not exist"],
  [["old.cap", "noise.bin"], 1, "no page, no policy tables and no image"],
  [["old.cap", "wrong.cap"], 1, "readOnyl"],
])("refuses %s", async (words, status, reason) => {
  expect(await say(...words)).toMatchObject({ status, out: "", err: expect.stringContaining(reason) });
});
