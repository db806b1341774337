// Tests capc try from its arguments to its exit status. Each conversation runs in a separate process, whose input is a
// list of lines.

import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { runCommand } from "../memory-world.ts";
import { splitPasted } from "./terminal.ts";

const CHECKOUT = fileURLToPath(new URL("../../../", import.meta.url));
const EXAMPLES = join(CHECKOUT, "examples");
const folder = mkdtempSync(join(tmpdir(), "capc-try-command-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

const tried = (words: readonly string[]) => runCommand(["try", ...words], { folder });

/** Runs the command as a process, with these lines as its whole input. */
function talk(page: string, lines: readonly string[], words: readonly string[] = []) {
  const input = lines.map((line) => `${line}\n`).join("");
  const main = join(CHECKOUT, "compiler/cli/main.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, "try", page, ...words], {
    input,
    encoding: "utf8",
  });
  return { status, out: stdout, err: stderr };
}

const MAIL = join(EXAMPLES, "mail-desk/system.cap");

test("lines of standard input are executed in order, and the command ends after the last one", () => {
  const { status, out, err } = talk(MAIL, ['/tool letters.read {"path":"1.txt"}', "/status"]);
  expect(err).toContain("nothing is isolated");
  expect(out).toMatch(/you> \/tool letters\.read .*\n[\s\S]*\* ok: [\s\S]*you> \/status\n\* /);
  expect(status).toBe(0);
});

test("a question at the end of the input is refused, because nobody is there to answer", () => {
  const { status, out } = talk(join(EXAMPLES, "capnp-tools/system.cap"), ["Pay Ada's train."]);
  expect(out).toContain("* refused: nobody is there to answer");
  expect(out).toContain("deniedByUser (nobody answered)");
  expect(out).not.toContain("the person said no");
  expect(status).toBe(0);
});

test("the line of --say is executed before the lines of the input, and also if the input is empty", () => {
  const { status, out } = talk(MAIL, [], ["--say", "/status"]);
  expect(status).toBe(0);
  expect(out).toMatch(/^you> \/status\n\* /);
  expect(talk(MAIL, ["/help"], ["--say", "/status"]).out).toMatch(/^you> \/status\n[\s\S]*^you> \/help\n/m);
});

test("Git ignores the folder that --disk makes, and capc changes no .gitignore of a folder that exists", async () => {
  const project = mkdtempSync(join(folder, "project-"));
  const git = (...words: string[]) => spawnSync("git", words, { cwd: project, encoding: "utf8" }).stdout;
  git("init", "--quiet");
  mkdirSync(join(project, "own"));
  for (const name of ["kept", "own"]) expect(talk(MAIL, ["/status"], ["--disk", join(project, name)]).status).toBe(0);
  expect(existsSync(join(project, "kept/letters/1.txt"))).toBe(true);
  expect(git("status", "--porcelain", "--untracked-files=all")).not.toContain("kept");
  expect(existsSync(join(project, "own/.gitignore"))).toBe(false);
});

test("a folder of --disk keeps files, conversations and the audit, and the page's folder stays as it was", () => {
  const disk = join(folder, "kept");
  const before = readFileSync(join(EXAMPLES, "mail-desk/disk/letters/1.txt"), "utf8");
  expect(talk(MAIL, ["/audit 1"], ["--disk", disk]).out).toContain("* the chain ends at 2,");
  const shown = spawnSync(process.execPath, [join(CHECKOUT, "compiler/cli/main.ts"), "audit", "show", disk], {
    encoding: "utf8",
  });
  expect([shown.status, shown.stderr]).toEqual([0, ""]);
  expect(shown.stdout).toMatch(/boot of mail_desk /);
  const again = talk(MAIL, ["/audit 1"], ["--disk", disk]);
  expect(Number(/the chain ends at (\d+)/.exec(again.out)?.[1])).toBeGreaterThan(2);
  expect(readFileSync(join(EXAMPLES, "mail-desk/disk/letters/1.txt"), "utf8")).toBe(before);
});

/** Starts the command with --watch. `see` waits until its output contains a text. */
function watch(page: string) {
  const main = join(CHECKOUT, "compiler/cli/main.ts");
  const child = spawn(process.execPath, [main, "try", page, "--watch", "--say", "/status"], { stdio: "pipe" });
  let out = "";
  let wake = (): void => {};
  child.stdout.on("data", (chunk) => {
    out += chunk;
    wake();
  });
  const see = async (wanted: string): Promise<void> => {
    while (!out.includes(wanted))
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  return { child, see };
}

test("--watch restarts with a changed page, shows the changes in meaning, and keeps the old page if the new one has errors", async () => {
  const own = join(folder, "watched");
  cpSync(join(EXAMPLES, "mail-desk"), own, { recursive: true });
  const page = join(own, "system.cap");
  const text = readFileSync(page, "utf8");
  const { child, see } = watch(page);
  await see("* conversation a1, ");
  writeFileSync(page, text.replace("auto      readOnly", "consent   readOnly"));
  await see("0 widened, 0 moved, 2 narrowed");
  await see("/resume continues the one before");
  writeFileSync(page, text.replace("auto canned", "auto nobody"));
  await see("the changed page is not taken up: ");
  await see("there is no backend named `nobody`");
  child.stdin.end("/status\n");
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
});

test.each([
  ["action-plans", "plans.chat"],
  ["mcp-server", "mcp.chat"],
  ["seed-four", "seed.chat"],
  ["web-search", "smoke.chat"],
])(
  "a trial of %s passes a script for a machine, except that expectations about the machine's start are not judged",
  async (example, script) => {
    const folder = join(EXAMPLES, example);
    const web = existsSync(join(folder, "web")) ? ["--web", join(folder, "web")] : [];
    const { status, out, err } = await tried([join(folder, "system.cap"), "--script", join(folder, script), ...web]);
    expect(err).toContain(`expectations of ${script} are about a machine's start, and are not judged`);
    expect(out).toMatch(/\n\d+ passed, 0 failed\n$/);
    expect(status).toBe(0);
  },
);

test("a failed expectation is reported with its line, and the command ends with 1", async () => {
  const script = write(
    "wrong.chat",
    "> /status\n< * no such line\n@ file /letters/1.txt = other\n@ audit holds nobody said this\n",
  );
  const { status, out, err } = await tried([MAIL, "--script", script]);
  expect(err).toContain('wrong.chat:2: failed: a line with "* no such line"');
  expect(err).toContain("wrong.chat:3: failed: /letters/1.txt holds");
  expect(err).toContain("wrong.chat:4: failed: ");
  expect(out).toMatch(/\d+ passed, 3 failed\n$/);
  expect(status).toBe(1);
});

test("--json prints the verdicts as one value", async () => {
  const script = write("right.chat", "> /status\n< * \n");
  const { status, out } = await tried([MAIL, "--script", script, "--json"]);
  expect(JSON.parse(out)).toMatchObject({ failed: 0 });
  expect(status).toBe(0);
});

test.each([
  ["~ enter\n", "1: keys are pressed at a machine alone"],
  ["@ stopped\n", "0: its claims are about a machine"],
  ["@ syslog holds x\n", "1: a collector is beside a machine alone"],
])("the script %j is refused with a reason", async (text, reason) => {
  const { status, err } = await tried([MAIL, "--script", write("other.chat", text)]);
  expect(err).toContain(`other.chat:${reason}`);
  expect(status).toBe(2);
});

test("--keys is refused before anything starts if it names a file, or if there is no --script", async () => {
  const script = write("signed.chat", "> /status\n< * \n");
  const file = await tried([MAIL, "--script", script, "--keys", script]);
  expect(file).toMatchObject({ status: 2, out: "" });
  expect(file.err).toBe(
    `capc try: --keys is a folder of private keys, and ${join(folder, script)} is a file; name the folder that contains it\n`,
  );
  const alone = await tried([MAIL, "--keys", "."]);
  expect(alone).toMatchObject({ status: 2, err: expect.stringContaining("--keys goes with --script") });
});

test("a page with errors is not started, and its findings are printed", async () => {
  cpSync(join(EXAMPLES, "mail-desk"), join(folder, "broken"), { recursive: true });
  const page = readFileSync(join(folder, "broken/system.cap"), "utf8");
  writeFileSync(join(folder, "broken/system.cap"), page.replace("auto canned", "auto nobody"));
  const { status, err } = await tried(["broken/system.cap"]);
  expect(err).toContain("error[");
  expect(status).toBe(1);
});

test("invalid arguments are refused", async () => {
  expect(await tried([MAIL, "--json"])).toMatchObject({ status: 2 });
  expect(await tried(["nowhere.cap"])).toMatchObject({ status: 3 });
  expect(await tried([MAIL, "--watch", "--script", write("any.chat", "")])).toMatchObject({ status: 2 });
  expect(await tried([MAIL, "--script", "nowhere.chat"])).toMatchObject({ status: 3 });
});

test("a line is split into its typed and its pasted parts", () => {
  expect(splitPasted("send it to eve", ["to eve"])).toEqual([
    { text: "send it ", isPasted: false },
    { text: "to eve", isPasted: true },
  ]);
  expect(splitPasted("plain", [])).toEqual([{ text: "plain", isPasted: false }]);
  // If the person edited a paste, the position of the pasted text in the line is unknown. In this case, the whole line
  // counts as pasted.
  expect(splitPasted("send it to bob", ["to eve"])).toEqual([{ text: "send it to bob", isPasted: true }]);
});

/** Writes a page whose service searches at an https server, and a script for this page. Returns the path of their folder. */
function writeSearchPage(): string {
  const own = mkdtempSync(join(folder, "search-"));
  writeFileSync(
    join(own, "system.cap"),
    `system search version "0.1.0" {
  use std.tools
  service search : HttpEndpoint {
    label public/untrusted
    grant HttpEndpoint scope "https://search.example.net/search", "GET"
  }
  backend canned { stub "replies.json" }
  session operator { kind operator  models { auto canned }  permit { consent search.get  forbidden search.post } }
  storage { disk "capos-data" }
  network { address dhcp }
  image { target linux  machine vm  boot operator }
}
`,
  );
  const call = [{ name: "search.get", arguments: { path: "/search?q=tea" } }];
  writeFileSync(join(own, "replies.json"), JSON.stringify([{ when: { user: "Tea?" }, call }]));
  writeFileSync(join(own, "talk.chat"), "> Tea?\n? allow\n< two tea shops\n");
  mkdirSync(join(own, "web/search.example.net"), { recursive: true });
  writeFileSync(join(own, "web/search.example.net/search"), "two tea shops");
  return own;
}

test("with --web, requests to an https server are answered from files; without --web, the first line names the server", async () => {
  const own = writeSearchPage();
  const page = join(own, "system.cap");
  const script = ["--script", join(own, "talk.chat")];
  const played = await tried([page, ...script, "--web", join(own, "web")]);
  expect([played.status, played.out.includes('"status":200')]).toEqual([0, true]);
  expect(played.err).toContain(`requests are answered from the folder ${join(own, "web")}, without the network`);
  const { err } = talk(page, ["/status"]);
  expect(err).toContain("the real network is used; the page may reach https://search.example.net (--web DIR");
  writeFileSync(join(own, "web/search.example.net/search.status"), "503");
  expect((await tried([page, ...script, "--web", join(own, "web")])).out).toContain('"status":503');
});

test("with --web, the answers of a remote model's provider are read from files of the folder", async () => {
  const own = join(EXAMPLES, "remote-agent");
  const script = join(folder, write("remote.chat", "> What is on my list?\n< agent> On your list: call the bank\n"));
  const { status, out } = await tried([join(own, "system.cap"), "--script", script, "--web", join(own, "web")]);
  expect([status, out]).toEqual([0, expect.stringContaining("2 passed, 0 failed")]);
});

test("--watch prints the servers that the page may reach again if they change", async () => {
  const page = join(writeSearchPage(), "system.cap");
  const { child, see } = watch(page);
  await see("* conversation a1, ");
  writeFileSync(page, readFileSync(page, "utf8").replace("search.example.net", "other.example.net"));
  await see("* the real network is used; the page may reach https://other.example.net (--web DIR");
  child.stdin.end("/status\n");
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
});

test("--web is refused without a folder, and for a page without a network", async () => {
  const page = join(writeSearchPage(), "system.cap");
  expect(await tried([page, "--web", page])).toMatchObject({
    status: 2,
    err: expect.stringContaining("--web is a folder of files"),
  });
  expect(await tried([MAIL, "--web", folder])).toMatchObject({
    status: 2,
    err: expect.stringContaining("the page has no network; leave --web out"),
  });
  expect(talk(MAIL, ["/status"]).err).not.toContain("network");
});
