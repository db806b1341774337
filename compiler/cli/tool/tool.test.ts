import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "../memory-world.ts";
import { splitCommand } from "./list.ts";

const EXAMPLES = fileURLToPath(new URL("../../../examples/", import.meta.url));
const UNITS = join(EXAMPLES, "mcp-server");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-tool-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(words, { folder });
const read = (path: string): string => readFileSync(join(folder, path), "utf8");
const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
const example = (name: string): void => cpSync(join(EXAMPLES, name), folder, { recursive: true });

/** Checks that a page with the tool has no finding, passes its tests, and calls the tool. */
async function expectWorks(line: string, answer: string): Promise<void> {
  for (const words of [["check"], ["lint"], ["fmt", "--check"]])
    expect(await say(...words, "system.cap")).toEqual({ status: 0, out: "", err: "" });
  expect(await say("test", "system.cap")).toMatchObject({ status: 0 });
  write("tool.chat", `> ${line}\n< ${answer}\n`);
  expect(await say("try", "system.cap", "--script", "tool.chat")).toMatchObject({ status: 0 });
}

test.each(["console", "web-search", "mcp-tools"])(
  "a new tool of a new project of the kind %s runs at once, without a finding",
  async (kind) => {
    await say("init", ".", "--name", "lab", "--kind", kind);
    const before = read("system.cap");
    const { status, out, err } = await say("tool", "new", "weather");
    expect({ status, err }).toEqual({ status: 0, err: "Try it: capc try system.cap --say 'Ask weather about tea.'\n" });
    expect(out).toContain("services/weather.js\n");
    await expectWorks("Ask weather about tea.", "agent> It says: weather got");
    const kept = read("system.cap").split("\n");
    const lost = before.split("\n").filter((line) => !kept.includes(line));
    expect(lost).toEqual(kind === "web-search" ? [] : ["    permit { forbidden destructive }"]);
  },
);

test("each new tool has its own interface, even if the name of the tool has several parts", async () => {
  await say("init", ".", "--name", "lab");
  for (const name of ["look-up", "b_2", "z"]) expect(await say("tool", "new", name)).toMatchObject({ status: 0 });
  await expectWorks('/tool look-up.ask {"text":"x"}', "ok");
  expect(read("look-up.capnp")).toContain("interface LookUp {");
  const ids = ["look-up", "b_2", "z"].map((name) => read(`${name}.capnp`).split("\n")[0]);
  expect(new Set(ids).size).toBe(3);
});

test("a page that is not formatted keeps its blanks, comments and line ends", async () => {
  const page = [
    'system   lab version "0.1.0" { // mine',
    "\tuse std.tools // tools",
    "",
    "\t/// Notes.",
    "\tservice notes : Files { state 1 MiB }",
    "\t/// A stub.",
    "\tbackend canned { stub }",
    "\t// about the session",
    "\t/// Who sits there.",
    "\tsession operator { kind operator  models { auto canned }",
    "\t\tpermit {",
    "\t\t\tauto   readOnly",
    "\t\t}",
    "\t\tquota { 4 calls per turn }",
    "\t}",
    '\tstorage { disk "d" }  image { target linux  machine vm  boot operator } }',
    "",
  ].join("\r\n");
  write("system.cap", page);
  const { status, err } = await say("tool", "new", "weather");
  expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining('/tool weather.ask {"text":"tea"}') });
  const changed = read("system.cap");
  let rest = page;
  for (const line of changed.split(/(?<=\n)/)) if (rest.startsWith(line)) rest = rest.slice(line.length);
  expect(rest).toBe("");
  expect(changed.replaceAll("\r\n", "")).not.toContain("\n");
  expect(await say("test", "system.cap")).toMatchObject({ status: 0 });
});

test("the tool is added to the named session only", async () => {
  example("mcp-import");
  expect(await say("tool", "new", "weather", "--session", "operator")).toMatchObject({ status: 0 });
  expect(await say("why", "system.cap", "visitor weather.ask")).toMatchObject({
    out: expect.stringContaining("no such tool"),
  });
  const { status, err } = await say("tool", "new", "rain", "--session", "nobody");
  expect({ status, err }).toEqual({ status: 2, err: "capc tool: system.cap has no session nobody\n" });
});

test("a tool that the session's other rules hide is refused with the reason and the lines to paste, and nothing is written", async () => {
  example("mcp-import");
  const before = read("system.cap");
  const { status, out, err } = await say("tool", "new", "weather", "--session", "visitor");
  expect({ status, out }).toEqual({ status: 1, out: "" });
  expect(err).toContain("error[rule-shadowed] `weather.ask` decides nothing");
  expect(err).toContain("cannot be placed on system.cap; nothing was written");
  expect(err).toContain("in `permit` of the session visitor:\n  auto weather.ask\n");
  expect(read("system.cap")).toBe(before);
  expect(existsSync(join(folder, "weather.capnp"))).toBe(false);
});

test("no tool is made for a session that asks a person about every call, because the tool would not run without an approval", async () => {
  await say("init", ".", "--name", "lab");
  const floor = "    when confidentiality >= public { atLeast consent readOnly }\n";
  write("system.cap", read("system.cap").replace("    quota ", `${floor}    quota `));
  const { status, err } = await say("tool", "new", "weather");
  expect(status).toBe(1);
  expect(err).toContain("the session operator does not let it run by itself");
  expect(err).toContain("nothing was written\nTo add it by hand, write:\n");
  expect(readdirSync(folder)).not.toContain("weather.capnp");
});

test.each([
  [["new", "Weather"], 2, "begins with a lower-case letter"],
  [["new", "auto"], 2, "cannot be the name of a tool"],
  [["new", "../x"], 2, "cannot be the name of a tool"],
  [["new", "weather", "none.cap"], 3, "none.cap does not exist"],
  [["new", "words"], 2, "services/words.js exists already"],
  [["new", "weather", "--out", "x"], 2, "--out is not for `capc tool new`"],
  [["make", "weather"], 2, "'make' is none of new, list"],
  [["list", "''"], 2, "the command is empty"],
  [["list", "system.cap/x"], 3, "it cannot be started: spawn ENOTDIR"],
  [["list", "node x.js", "y"], 2, "list takes one command, in quotes"],
  [["list", "node x.js", "--session", "y"], 2, "--session is not for `capc tool list`"],
  [["new"], 2, "NAME|COMMAND is missing"],
])("refuses %j and says why", async (words, status, reason) => {
  example("own-tool");
  const before = read("system.cap");
  const ran = await say("tool", ...words);
  expect(ran).toMatchObject({ status, out: "", err: expect.stringContaining(reason) });
  expect(read("system.cap")).toBe(before);
});

test("a page with errors is not changed", async () => {
  example("own-tool");
  write("system.cap", read("system.cap").replace("auto canned", "auto nobody"));
  const { status, err } = await say("tool", "new", "weather");
  expect(status).toBe(1);
  expect(err).toContain("there is no backend named `nobody`");
  expect(err).toContain("system.cap has errors: mend them first");
});

test("--json prints one value, for a tool and for a refusal", async () => {
  await say("init", ".", "--name", "lab");
  const made = JSON.parse((await say("tool", "new", "weather", "--json")).out);
  expect(made).toMatchObject({ name: "weather", files: ["weather.capnp", "services/weather.js"] });
  rmSync(join(folder, "weather.capnp"));
  const again = await say("tool", "new", "weather", "--json");
  expect(again.status).toBe(2);
  expect(JSON.parse(again.out).reason).toContain("exists already");
});

test("the recorded list of a server can be imported by a page", async () => {
  const listed = await say("tool", "list", `node '${UNITS}/services/units.mcp.js'`, "--out", "units.tools.json");
  expect(listed).toEqual({ status: 0, out: "", err: "" });
  const { tools } = JSON.parse(read("units.tools.json"));
  const committed = JSON.parse(readFileSync(join(UNITS, "units.tools.json"), "utf8"));
  expect(tools).toEqual(committed.result.tools);
});

/** Writes a server; `answer` is the source of the function that computes the server's responses. */
function server(answer: string): string {
  write(
    "server.mjs",
    `import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const answer = ${answer};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined && method !== undefined) send({ id, ...answer(method, params) });
});
`,
  );
  return `node ${join(folder, "server.mjs")}`;
}

const HELLO = `method === "initialize" ? { result: { protocolVersion: "2025-06-18", capabilities: {} } }`;

test("the list of tools contains the tools of all pages of the server's response", async () => {
  const command = server(`(method, { cursor } = {}) => ${HELLO}
    : { result: cursor === undefined ? { tools: [{ name: "a" }], nextCursor: "2" } : { tools: [{ name: "b" }] } }`);
  const { status, out } = await say("tool", "list", command);
  expect({ status, tools: JSON.parse(out).tools }).toEqual({ status: 0, tools: [{ name: "a" }, { name: "b" }] });
});

test.each([
  [`() => ({ error: { code: 1, message: "not today" } })`, "it does not begin: not today"],
  [`() => ({ result: { protocolVersion: "1999-01-01" } })`, 'it speaks version "1999-01-01"'],
  [`(method) => ${HELLO} : { result: { tools: 1 } }`, "it gives no list of tools"],
  [`(method) => ${HELLO} : { result: { tools: [], nextCursor: "x" } }`, "more than 20 pages"],
  [`(method) => ${HELLO} : process.exit(4)`, "it ended with status 4"],
  [`() => ({ result: null, error: { code: 1, message: "not\\u202e now" } })`, "it does not begin: not‹U+202E› now\n"],
  [`() => ({ result: { protocolVersion: "\\u202e" } })`, 'it speaks version "‹U+202E›"'],
  [`(method) => ${HELLO} : { result: { list: Array.from({ length: 200000 }, Number) } }`, "bytes, of which more than"],
])("a server whose tools cannot be listed is refused with the reason (%#)", async (answer, reason) => {
  const { status, out, err } = await say("tool", "list", server(answer));
  expect({ status, out }).toEqual({ status: 3, out: "" });
  expect(err).toContain(reason);
});

test("the message about a server repeats only a bounded part of the server's output", async () => {
  write("loud.mjs", 'process.stderr.write("x".repeat(60_000), () => process.exit(5))');
  const { err } = await say("tool", "list", `node ${join(folder, "loud.mjs")}`);
  expect(err).toMatch(/it ended with status 5; it wrote:\n {2}x{2000}\n$/);
});

test("a server that never answers is stopped by an interrupt, with all processes that it started", async () => {
  write("child.mjs", "setInterval(() => {}, 1000)");
  write(
    "silent.mjs",
    `import { spawn } from "node:child_process"; import { writeFileSync } from "node:fs";
const child = spawn(process.execPath, [${JSON.stringify(join(folder, "child.mjs"))}], { stdio: "ignore" });
writeFileSync(${JSON.stringify(join(folder, "pid"))}, String(child.pid)); process.stdin.resume(); process.stderr.write("up\\n");`,
  );
  const interrupt = new AbortController();
  const ran = runCommand(["tool", "list", `node ${join(folder, "silent.mjs")}`], {
    folder,
    interrupted: interrupt.signal,
  });
  while (!existsSync(join(folder, "pid"))) await new Promise((resolve) => setImmediate(resolve));
  interrupt.abort();
  expect(await ran).toMatchObject({ status: 3, err: expect.stringContaining("interrupted") });
  const pid = Number(read("pid"));
  const isAlive = (): boolean => {
    try {
      return !/^\S+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    } catch {
      return false;
    }
  };
  while (isAlive()) await new Promise((resolve) => setImmediate(resolve));
});

test.each([
  ["node a.js", ["node", "a.js"]],
  [`node 'a b.js' --x="c d" ''`, ["node", "a b.js", "--x=c d", ""]],
  ["  npx\t-y  x ", ["npx", "-y", "x"]],
])("the command %j is split into the words %j", (command, words) => {
  expect(splitCommand(command)).toEqual({ ok: true, value: words });
});
