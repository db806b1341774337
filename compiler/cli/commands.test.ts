// Tests of the commands with good pages and with bad input, and of the files that they write.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Outcome } from "../../engine/lib/wire/generated/capos.ts";
import { MODES } from "../../lang/grammar/index.ts";
import { WORDS } from "../phases/bind/index.ts";
import { dispatch } from "./dispatch.ts";
import { createMemoryWorld, runCommand } from "./memory-world.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("../../examples/first-agent/system.cap", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-commands-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(words, { folder });

function page(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return name;
}

test("check prints one line for a good page on a terminal, and otherwise nothing", async () => {
  const shown = (...words: string[]) => runCommand(["check", ...words], { folder, errorIsTerminal: true });
  expect(await shown(EXAMPLE)).toEqual({ status: 0, out: "", err: `${EXAMPLE}: no findings\n` });
  for (const format of ["json", "sarif", "github", "junit"]) {
    const { status, err } = await shown(EXAMPLE, "--format", format);
    expect([format, status, err]).toEqual([format, 0, ""]);
  }
  expect((await shown(page("wrong.cap", "system s"))).err).not.toContain("no findings");
  expect((await shown(EXAMPLE, "none.cap")).err).not.toContain("no findings");
  expect(await say("check", EXAMPLE)).toEqual({ status: 0, out: "", err: "" });
  expect(JSON.parse((await say("check", EXAMPLE, "--json")).out)).toMatchObject({ errors: 0, diagnostics: [] });
});

/** A comment on each line names the code of its mistake. All mistakes are independent of each other. */
const MISTAKEN = `/// Many mistakes.
system many version "0.1" { // wrong-version
  use std.tools
  use std.profiles
  confidentiality { public < internal < secret < internal } // duplicate-name
  integrity       { untrusted < reviewed < system }
  category gone : nowhere // unknown-name
  principal alice { ssh "keys/none.pub" } // file-unreadable
  service notes   : Fles { label internal/reviewed  state 16 MiB } // unknown-name
  service journal : Logs { label internul/untrusted } // unknown-name
  service journal : Status { label public/system } // duplicate-name
  backend canned { stub "none.json"  clearance internal } // file-unreadable
  session operator from profiles.operater { // unknown-name
    principals alise // unknown-name
    clearance  internal
    models     { auto canned  auto caned } // unknown-name
    permit     {
      forbidden Files.wrte // rule-never-matches
      auto Logs.tail where lines under "/x" else consent // where-wrong-type
      auto machine.shwo // unknown-name
    }
    suppress   machina.* // unknown-name
    quota      {
      4 readonly per turn // unknown-name
      100 calls per lgin // wrong-word
    }
    timeout    {
      3 s per cal // wrong-word
      2 parsecs per turn // wrong-unit
    }
  }
  session visitor extends nobody {} // unknown-name
  assert never flow sekret to canned // unknown-name
  storage { disk "capos-data" }
  image   { target linux  machine vm  boot oprator } // unknown-name
}
`;

test("check reports each independent mistake once, in one run, at its place, and prints nothing to standard output", async () => {
  const marked = MISTAKEN.split("\n").flatMap((line, index) => {
    const code = /\/\/ (\S+)$/.exec(line)?.[1];
    return code === undefined ? [] : [`error[${code}] ${index + 1}`];
  });
  const wrong = page("wrong.cap", MISTAKEN);
  const { status, out, err } = await say("check", wrong);
  expect({ status, out }).toEqual({ status: 1, out: "" });
  const told = [...err.matchAll(/^(error\[[\w-]+\]).*\n +--> wrong\.cap:(\d+):/gm)];
  expect(told.map(([, code, line]) => `${code} ${line}`)).toEqual(marked);
  expect(err).toContain(`\n${marked.length} errors`);
  expect(JSON.parse((await say("check", wrong, "--json")).out)).toMatchObject({ errors: marked.length });
});

/** Matches a single message and the count of errors after it. */
const ONE_FINDING = /^error\[[\w-]+\](?:(?!^error\[).|\n(?!error\[))*\n1 error\n$/m;

test.each([
  ["a missing file", () => "none.cap", 3, "does not exist"],
  ["a directory", () => ".", 3, "is a directory, not a file"],
  ["a device", () => "/dev/zero", 3, "is not a regular file"],
  ["a file in place of a folder", () => `${page("x", "")}/y.cap`, 3, "is not a directory"],
  ["bytes that are not UTF-8", () => page("x.cap", Uint8Array.of(0xff, 0xfe)), 1, "not-utf8"],
  ["ten megabytes of brackets", () => page("x.cap", "{".repeat(10_000_000)), 1, "at most"],
  ["brackets without end", () => page("x.cap", `system x ${"{".repeat(100_000)}`), 1, "error["],
  ["another language", () => page("x.cap", '[{ "when": { "user": "x" } }]'), 1, "error["],
  ["nothing", () => page("x.cap", ""), 1, "error["],
])("check and build refuse %s with a message", async (_, file, expected, words) => {
  for (const command of ["check", "build"]) {
    const { status, out, err } = await say(command, file());
    expect({ status, out }).toEqual({ status: expected, out: "" });
    expect(err).toContain(words);
    expect(err).toMatch(expected === 3 ? new RegExp(`^capc ${command}: .*\\n$`) : ONE_FINDING);
    expect(existsSync(join(folder, "build"))).toBe(false);
  }
});

test("build writes the files that --emit names, the same bytes each time, and lists them", async () => {
  const first = await say("build", EXAMPLE, "--emit", "tables", "--out", "one");
  const second = await say("build", EXAMPLE, "--emit", "tables", "--out", "two", "--json");
  expect([first.status, second.status]).toEqual([0, 0]);
  expect(readdirSync(join(folder, "one"), { recursive: true }).sort()).toEqual(["policy", "policy/tables.bin"]);
  expect(readFileSync(join(folder, "one/policy/tables.bin"))).toEqual(
    readFileSync(join(folder, "two/policy/tables.bin")),
  );
  const [file] = JSON.parse(second.out).files;
  expect(file).toMatchObject({ path: "two/policy/tables.bin" });
  expect(first.out).toContain(file.sha256);
});

test("a page with `trust sealed` builds to tables without a key, and to an image only with a Secure Boot key", async () => {
  const text = readFileSync(EXAMPLE, "utf8").replace("machine vm", "machine vm  trust sealed");
  const folderOfPage = mkdtempSync(join(folder, "sealed-"));
  cpSync(dirname(EXAMPLE), folderOfPage, { recursive: true });
  writeFileSync(join(folderOfPage, "system.cap"), text);
  const file = join(folderOfPage, "system.cap");
  expect(await say("build", file, "--out", "sealed")).toMatchObject({
    status: 2,
    err: expect.stringContaining("the page asks to be sealed: give --secure-boot-key and --secure-boot-cert"),
  });
  expect(existsSync(join(folder, "sealed"))).toBe(false);
  expect(await say("build", file, "--out", "sealed", "--emit", "tables")).toMatchObject({ status: 0 });
});

test("build names the output after the page's folder", async () => {
  await say("build", EXAMPLE, "--emit", "tables");
  expect(readdirSync(join(folder, "build/first-agent"))).toEqual(["policy"]);
});

test("build ends with status 2 for bad options and times, and with status 3 for paths that cannot be written", async () => {
  expect(await say("build", EXAMPLE, "--emit", "tables,floppy")).toMatchObject({
    status: 2,
    err: expect.stringContaining("floppy"),
  });
  expect(await say("build", EXAMPLE, "--format", "vhd")).toMatchObject({
    status: 2,
    err: expect.stringContaining("'vhd' is no format; there are iso, raw, qcow2, efi, oci-layout"),
  });
  expect(await say("build", EXAMPLE, "--secure-boot-key", "db.key")).toMatchObject({
    status: 2,
    err: expect.stringContaining("belong together"),
  });
  const world = createMemoryWorld({ folder, environment: { SOURCE_DATE_EPOCH: "yesterday" } });
  expect(await dispatch(["build", EXAMPLE], world)).toBe(2);
  page("file", "");
  expect(await say("build", EXAMPLE, "--emit", "tables", "--out", "file/out")).toMatchObject({ status: 3, out: "" });
});

test("this checkout's key signs the manifest, inspect verifies the signature, and one changed byte breaks it", async () => {
  const built = await say("build", EXAMPLE, "--emit", "tables,manifest", "--out", "out");
  expect(built.status).toBe(0);
  const signer = "signed with the development key of this checkout";
  expect(built.err).toMatch(new RegExp(`${signer}, [0-9a-f]{64}; --key FILE signs with a key of your own\\n$`));
  const told = JSON.parse((await say("build", EXAMPLE, "--emit", "manifest", "--out", "out", "--json")).out);
  expect(built.err).toContain(told.signer.fingerprint);
  expect(told.signer.development).toBe(true);
  const seen = await say("inspect", "out/manifest.bin");
  expect(seen).toMatchObject({ status: 0, err: "" });
  expect(seen.out).toContain("holds notes");
  expect(seen.out).toContain("signature for image of first_agent 0.2.0: holds");
  expect((await say("inspect", "out/manifest.bin.sig")).out).toContain(
    `key     ${told.signer.fingerprint}, the development key of this checkout`,
  );
  const tables = await say("inspect", "out/policy/tables.bin", "--json");
  expect(JSON.parse(tables.out)).toMatchObject({ kind: "policy tables", tables: { systemId: "first_agent" } });

  const bytes = readFileSync(join(folder, "out/manifest.bin"));
  const at = bytes.indexOf("first_agent");
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(join(folder, "out/manifest.bin"), bytes);
  expect(await say("inspect", "out/manifest.bin")).toMatchObject({
    status: 1,
    err: "capc inspect: the signature does not hold\n",
  });
});

const REFUTED = `system desk version "1.0.0" {
  use std.tools
  service notes : Files { state 1 MiB }
  backend canned { stub }
  session operator { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal  forbidden destructive } }
  assert never call notes.write
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;

test("a page with a failed proof is built only with --unproved, and messages, manifest and proof report then state the failed proof", async () => {
  const refused = await say("build", page("system.cap", REFUTED), "--out", "out");
  expect(refused).toMatchObject({ status: 1, err: expect.stringContaining("error[assertion-refuted]") });
  expect(existsSync(join(folder, "out"))).toBe(false);
  const built = await say("build", "system.cap", "--unproved", "--emit", "manifest,proofs", "--out", "out");
  expect(built.status).toBe(0);
  expect(built.err).toContain("warning[assertion-refuted]");
  expect(built.err).toContain("capc build: UNPROVED: assertions that do not hold: 1.");
  const seen = await say("inspect", "out/manifest.bin");
  expect(seen.out).toContain("UNPROVED: assertions of its page that do not hold: 1\n");
  expect(seen.out).toMatch(/^kernel .* capos\.unproved=1$/m);
  const proofs = JSON.parse(readFileSync(join(folder, "out/proofs.json"), "utf8"));
  expect(proofs.assertions[0]).toMatchObject({ verdict: "refuted", at: "system.cap:6:3" });
  const text = readFileSync(join(folder, "out/proofs.txt"), "utf8");
  expect(text).toMatch(/^what is proved of desk 1\.0\.0\npolicy tables sha256 [0-9a-f]{64}\nUNPROVED: /);
});

test("--unproved accepts only failed proofs, no other error, and has no effect if everything is proved", async () => {
  const other = REFUTED.replace("backend canned", "backend cannd");
  expect(await say("build", page("other.cap", other), "--unproved")).toMatchObject({ status: 1, out: "" });
  const proved = REFUTED.replace("never call notes.write", "always consent notes.write");
  const built = await say("build", page("p.cap", proved), "--unproved", "--emit", "proofs", "--out", "out");
  expect(built).toMatchObject({ status: 0, err: "" });
  expect(readFileSync(join(folder, "out/proofs.txt"), "utf8")).not.toContain("UNPROVED");
  expect((await say("build", "p.cap", "--emit", "proofs", "--out", "again")).status).toBe(0);
  for (const name of ["proofs.json", "proofs.txt"])
    expect(readFileSync(join(folder, "again", name))).toEqual(readFileSync(join(folder, "out", name)));
});

test("inspect refuses a file that is not an artefact", async () => {
  expect(await say("inspect", page("x", "hello"))).toMatchObject({
    status: 1,
    err: expect.stringContaining("is none of"),
  });
  expect(await say("inspect", "none")).toMatchObject({ status: 3 });
});

test("every law and every outcome has a page, and a misspelt code gets a suggestion", async () => {
  const all = JSON.parse((await say("explain", "all", "--json")).out) as { code: string }[];
  const laws = readdirSync(fileURLToPath(new URL("../rules/laws", import.meta.url)));
  expect(all.length).toBeGreaterThan(laws.length);
  const { out } = await say("explain", "rule-shadowed");
  expect(out).toContain("good.cap:");
  const refused = await say("explain", "refusedByPolicy");
  expect(refused).toMatchObject({ status: 0, out: expect.stringMatching(/^refusedByPolicy \(outcome of a call\)\n/) });
  for (const outcome of Outcome.members)
    expect(JSON.parse((await say("explain", outcome, "--json")).out)).toMatchObject({ outcome });
  expect(await say("explain", "rule-shadowd")).toMatchObject({
    status: 2,
    err: expect.stringContaining("did you mean rule-shadowed?"),
  });
});

test("explain describes every inherited assertion", async () => {
  for (const assertion of WORDS.inherited)
    expect(JSON.parse((await say("explain", assertion, "--json")).out)).toMatchObject({ assertion });
  const { out } = await say("explain", "trifecta");
  expect(out).toMatch(/^trifecta \(assertion of every page\)\n/);
  expect(out).toContain('`waive trifecta for SESSION because "REASON"`');
});

test("explain describes every mode, and names the codes of a rule", async () => {
  for (const mode of MODES) expect(JSON.parse((await say("explain", mode, "--json")).out)).toMatchObject({ mode });
  const { status, out } = await say("explain", "consent");
  expect(status).toBe(0);
  expect(out).toMatch(/^consent \(mode of a rule\)\n/);
  expect(out).toContain("from the loosest to the strictest: auto, consent, stepUp, forbidden.");
  expect(await say("explain", "source-unsound")).toEqual({
    status: 2,
    out: "",
    err: "capc explain: 'source-unsound' is a rule, not a code; its codes are source-never-auto, source-unreachable, strong-unsound\n",
  });
});

/** Returns the commands in code quotes of a text, each as words; a text in single quotes is one word. */
function commandsOf(text: string): string[][] {
  return [...text.matchAll(/`capc ([^`]+)`/g)].map(([, command = ""]) =>
    [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ""),
  );
}

test("for an outcome, a mode or an assertion, each command in the output of explain runs", async () => {
  const filled = (word: string) =>
    word
      .replace("FILE", EXAMPLE)
      .replace("SESSION TOOL ARGUMENTS", 'operator notes.write {"path": "a.txt", "content": "x"}');
  const texts = await Promise.all(
    [...Outcome.members, ...MODES, ...WORDS.inherited].map((name) => say("explain", name)),
  );
  const commands = texts.flatMap(({ out }) => commandsOf(out));
  expect(commands.length).toBeGreaterThan(4);
  for (const words of new Set(commands.map((words) => JSON.stringify(words.map(filled)))))
    expect([words, (await say(...JSON.parse(words))).status]).toEqual([words, 0]);
});

test("for a code, each command in the output of explain exists, with its options", async () => {
  const all = JSON.parse((await say("explain", "all", "--json")).out) as { because: string[]; readme?: string }[];
  const commands = all.flatMap(({ because, readme = "" }) => commandsOf([...because, readme].join("\n")));
  expect(commands.length).toBeGreaterThan(20);
  for (const [name = "", ...words] of commands) {
    const { status, out } = await say(name, "--help");
    expect([name, status]).toEqual([name, 0]);
    for (const option of words.filter((word) => word.startsWith("--"))) expect(out).toContain(option);
  }
});

test("before it starts anything, run refuses an image that it cannot boot", async () => {
  expect(await say("run", "none.iso", "--script", "x")).toMatchObject({
    status: 3,
    err: expect.stringContaining("none.iso"),
  });
  const image = page("x.iso", "");
  expect(await say("run", image)).toMatchObject({ status: 2, err: expect.stringContaining("no terminal") });
  expect(await say("run", image, "--script", page("x.chat", "hello"))).toMatchObject({
    status: 2,
    err: expect.stringContaining("x.chat:1:"),
  });
  expect(await say("run", image, "--memory", "lots")).toMatchObject({ status: 2 });
  const bare = page("bare.chat", "@ nodisk");
  expect(await say("run", image, "--script", bare, "--disk", "data.img")).toMatchObject({
    status: 2,
    err: expect.stringContaining("without a data disk"),
  });
  expect(await say("run", image, "--script", page("list.chat", "= nowhere.tsv"))).toMatchObject({
    status: 2,
    err: expect.stringContaining("list.chat:1: nowhere.tsv cannot be read"),
  });
});

test("with --json, output that is text becomes one JSON value too", async () => {
  const json = async (...words: string[]) => JSON.parse((await say(...words, "--json")).out);
  expect(await json("doc", "std")).toEqual({ markdown: (await say("doc", "std")).out });
  expect(await json("doc", EXAMPLE)).toEqual({ markdown: (await say("doc", EXAMPLE)).out });
  for (const shell of ["bash", "zsh", "fish"])
    expect(await json("completions", shell)).toEqual({ shell, script: (await say("completions", shell)).out });
  const exported = page("page.yaml", (await say("export", EXAMPLE)).out);
  expect(await json("import", exported)).toEqual({ page: (await say("import", exported)).out });
});

test("every command that needs a page without errors reports errors as findings", async () => {
  const wrong = page("wrong.cap", MISTAKEN.replace("system many", "sistem many"));
  const yaml = page("wrong.yaml", "- 1\n");
  for (const words of [
    ["doc", wrong],
    ["test", wrong],
    ["why", wrong, "operator notes.read"],
    ["export", wrong],
    ["import", yaml],
  ]) {
    const { status, out, err } = await say(...words, "--json");
    expect({ status, err }, words[0]).toEqual({ status: 1, err: "" });
    expect(JSON.parse(out), words[0]).toMatchObject({ errors: expect.any(Number), diagnostics: [expect.anything()] });
  }
});

test("a folder in place of a page is refused, and the message names the page in it", async () => {
  mkdirSync(join(folder, "lab"));
  page("lab/system.cap", "");
  for (const command of ["check", "lint", "build", "fmt", "export", "test"]) {
    const { status, err } = await say(command, "lab");
    expect({ status, err }).toEqual({
      status: 3,
      err: `capc ${command}: ${folder}/lab is a directory, not a file; its page is ${folder}/lab/system.cap\n`,
    });
  }
});

/** Runs `make run-agent` without a terminal and without its setup step, and returns its status and messages. */
function runAgent(...words: string[]) {
  const { status, stderr } = spawnSync("make", ["-o", "setup", "run-agent", ...words], {
    cwd: CHECKOUT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { status, stderr };
}

test("without a terminal and a script, make run-agent says which option is missing, and builds nothing", () => {
  const asked = "to be played; give SCRIPT=FILE, or run it at a terminal\n";
  expect(runAgent("EXAMPLE=examples/finance-labels")).toEqual({
    status: 2,
    stderr: expect.stringContaining(`examples/finance-labels has no script ${asked}`),
  });
  page("one.chat", "");
  page("two.chat", "");
  expect(runAgent(`EXAMPLE=${folder}`).stderr).toContain(`${folder} has one.chat two.chat ${asked}`);
});

test("make run-agent plays the only script of an example, or smoke.chat if there are several", () => {
  const played = (example: string) => {
    const words = ["-n", "-o", "setup", "run-agent", `EXAMPLE=${example}`];
    return spawnSync("make", words, { cwd: CHECKOUT, encoding: "utf8" }).stdout;
  };
  expect(played("examples/log-triage")).toContain("script='examples/log-triage/triage.chat'");
  expect(played("examples/first-agent")).toContain("script='examples/first-agent/smoke.chat'");
});
