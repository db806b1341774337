import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NAME_FORM } from "../../../lang/grammar/index.ts";
import { renderLauncherFile } from "../init/launcher.ts";
import { runCommand } from "../memory-world.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-init-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(words, { folder });

test("a new project passes its own check, and its page builds", async () => {
  const { status, out } = await say("init", "my-notes");
  expect(status).toBe(0);
  const files = readdirSync(join(folder, "my-notes"), { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  expect(out.trimEnd().split("\n").sort()).toEqual(paths.map((path) => path.slice(folder.length + 1)).sort());
  for (const words of [["check"], ["lint"], ["fmt", "--check"]])
    expect(await say(...words, "my-notes/system.cap")).toEqual({ status: 0, out: "", err: "" });
  expect(await say("test", "my-notes/system.cap")).toMatchObject({
    status: 0,
    out: expect.stringMatching(/^1 passed, 0 failed$/m),
    err: "",
  });
  expect(await say("build", "my-notes/system.cap", "--emit", "tables")).toMatchObject({ status: 0, err: "" });
});

/** Runs a make target of a project, as a person would, with the given PATH. */
function make(project: string, words: readonly string[], path = "/usr/bin:/bin", env = {}) {
  const { status, stdout, stderr } = spawnSync("make", words, {
    cwd: join(folder, project),
    encoding: "utf8",
    env: { PATH: path, ...env },
  });
  return { status, out: stdout, err: stderr };
}

/**
 * Runs the commands of `make check` in this process, because a separate process for each command would take most of the
 * time.
 */
async function checkHere(project: string) {
  const { out: commands } = make(project, ["--dry-run", "check"]);
  const ran: Awaited<ReturnType<typeof say>>[] = [];
  for (const command of commands.trimEnd().split("\n")) {
    const [, words = ""] = /^'\S+\/node' '\S+\/capc\.mjs' (.+)$/.exec(command) ?? [];
    ran.push(await runCommand(words.split(" "), { folder: join(folder, project) }));
  }
  return {
    status: Math.max(...ran.map(({ status }) => status)),
    out: ran.map(({ out }) => out).join(""),
    err: ran.map(({ err }) => err).join(""),
  };
}

const EXAMPLES = fileURLToPath(new URL("../../../examples/", import.meta.url));
const SETTINGS = {
  permissions: { allow: ["Read(src/**)"], ask: ["Edit(src/**)"], deny: ["Read(secrets/**)", "Write(**)"] },
};

test.each([
  ["console", []],
  ["web-search", []],
  ["mcp-tools", []],
  ["mcp-server", ["--from", `node '${EXAMPLES}mcp-server/services/units.mcp.js'`]],
  ["mcp-server", ["--from", `${EXAMPLES}mcp-import/github.tools.json`]],
  ["mcp-server", ["--from", "wipe.json"]],
  ["claude", ["--from", "settings.json"]],
])("a new project of the kind %s passes its own make check without changes (%#)", async (kind, words) => {
  writeFileSync(join(folder, "settings.json"), JSON.stringify(SETTINGS));
  const wipe = { name: "wipe", inputSchema: { type: "object" }, annotations: { destructiveHint: true } };
  writeFileSync(join(folder, "wipe.json"), JSON.stringify({ tools: [wipe] }));
  expect(await say("init", "my project", "--kind", kind, ...words)).toMatchObject({ status: 0 });
  const { status, out, err } = kind === "console" ? make("my project", ["check"]) : await checkHere("my project");
  expect(
    err.replace(
      /^capc try: nothing is isolated.*\n|^capc try: requests are answered from the folder web.*\n|^\d silenced, each with a reason\n/gm,
      "",
    ),
  ).toBe("");
  expect(status, out).toBe(0);
  expect(out.match(/^[1-9]\d* passed, 0 failed$/gm)).toHaveLength(2);
  expect(await say("build", "my project/system.cap", "--emit", "tables,manifest")).toMatchObject({ status: 0 });
  expect(readFileSync(join(folder, "my project/README.md"), "utf8")).not.toMatch(/\b(?:NAME|PROGRAM|PROGRAM_IS)\b/);
});

test("the page of a web-search project provably sends no private notes to the search, and asks before each request", async () => {
  await say("init", "lab", "--kind", "web-search");
  for (const assertion of ["never flow secret to search", "never flow secret to notes", "always consent search.get"]) {
    const { status, out } = await say("prove", "lab/system.cap", `assert ${assertion}`);
    expect(status, out).toBe(0);
  }
});

test("make run copies the folder disk/ to a new data disk, if there is such a folder", async () => {
  await say("init", "lab");
  expect(make("lab", ["-n", "run"]).out).toMatch(/ --disk build\/data\.img\n$/);
  mkdirSync(join(folder, "lab/disk"));
  expect(make("lab", ["-n", "run"]).out).toMatch(/ --disk build\/data\.img --files disk\n$/);
  expect(make("lab", ["-n", "run", "SCRIPT=talk.chat"]).out).toMatch(/ --script talk\.chat --files disk\n$/);
});

test("Git ignores builds and private notes, and no other file of a project", async () => {
  await say("init", "lab");
  const project = join(folder, "lab");
  for (const path of ["build/system.iso", "disk/notes/todo.txt", "disk/private/rent.txt"]) {
    mkdirSync(join(project, path, ".."), { recursive: true });
    writeFileSync(join(project, path), "");
  }
  const git = (...words: string[]) => spawnSync("git", words, { cwd: project, encoding: "utf8" }).stdout;
  git("init", "--quiet");
  const ignored = git("ls-files", "--others", "--ignored", "--exclude-standard").trim().split("\n");
  expect(ignored).toEqual(["build/system.iso", "capc.mk", "disk/private/rent.txt"]);
});

test("a project contains the bundled server, or a module with a function for each tool if only the list of tools is known", async () => {
  await say("init", "whole", "--kind", "mcp-server", "--from", `node ${EXAMPLES}mcp-server/services/units.mcp.js`);
  expect(readFileSync(join(folder, "whole/system.cap"), "utf8")).toContain('exec "services/server.mcp.js"');
  const listed = await say("init", "list", "--kind", "mcp-server", "--from", `${EXAMPLES}mcp-server/units.tools.json`);
  expect(listed).toMatchObject({ status: 0, err: expect.stringContaining("Only the list of the server is known") });
  expect(readFileSync(join(folder, "list/services/server.js"), "utf8")).toContain('"convert"(given)');
});

test("a server whose bundle does not start is replaced by a module, and the module and the message state the reason in one line", async () => {
  const read = 'import { readFileSync } from "node:fs";\nreadFileSync(new URL("data.json", import.meta.url));\n';
  writeFileSync(join(folder, "server.mjs"), read + readFileSync(`${EXAMPLES}mcp-server/services/units.mcp.js`, "utf8"));
  writeFileSync(join(folder, "data.json"), "[]");
  const { status, err } = await say("init", "x", "--kind", "mcp-server", "--from", "node server.mjs");
  expect(status).toBe(0);
  expect(err).toMatch(
    /^capc init: The bundled server does not start: it ended with status 1; it wrote: [^\n‹]*ENOENT[^\n‹]*\n\nNext: cd x, then .*\n$/,
  );
  expect(readFileSync(join(folder, "x/services/server.js"), "utf8")).toMatch(
    /^[^\n‹]*ENOENT[^\n‹]*\n\/\/ Each function/,
  );
});

test.each([
  ['import.meta.url.endsWith("/mine.mjs") ? "a" : "b"', /^capc init: The bundled server lists other tools, so /],
  [
    `process.argv[9] ? "${"x".repeat(1024 * 1024)}" : "a"`,
    /^capc init: The bundled server has \d+ bytes, and a program at most 1048576, so /,
  ],
])("a bundle that lists other tools than the server, or is too large, is not used (%#)", async (name, reason) => {
  const server = `import { createInterface } from "node:readline";
    const tools = [{ name: ${name}, inputSchema: { type: "object" } }];
    createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, params } = JSON.parse(line);
      const result = { protocolVersion: params?.protocolVersion, tools };
      if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
    });`;
  writeFileSync(join(folder, "mine.mjs"), server);
  const { status, err } = await say("init", "x", "--kind", "mcp-server", "--from", "node mine.mjs");
  expect({ status, err }).toEqual({ status: 0, err: expect.stringMatching(reason) });
  expect(readdirSync(join(folder, "x/services"))).toEqual(["server.js"]);
});

/** Returns the schema of an object with one property, which is required. */
function requiring(name: string, schema: object): object {
  return { type: "object", properties: { [name]: schema }, required: [name] };
}

test("no tool of an imported server runs without a person's approval, and a tool that the server calls destructive never runs", async () => {
  const tools = [
    { name: "look", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
    { name: "change", inputSchema: { type: "object" }, annotations: { readOnlyHint: false, destructiveHint: false } },
    { name: "wipe", inputSchema: { type: "object" }, annotations: { readOnlyHint: true, destructiveHint: true } },
    { name: "silent", inputSchema: { type: "object" } },
    { name: "quoted", inputSchema: requiring("in", requiring("null", { type: "string" })) },
  ];
  writeFileSync(join(folder, "x.json"), JSON.stringify({ tools }));
  await say("init", "x", "--kind", "mcp-server", "--from", "x.json");
  const page = readFileSync(join(folder, "x/system.cap"), "utf8");
  expect(page).toMatch(/method look +: readOnly/);
  expect(page).toMatch(/method change : mutatingLocal/);
  expect(page).toMatch(/method silent : destructive/);
  expect(page).toContain(
    '  /// The MCP server.\n  // capc: allow tool-undescribed because "the server says nothing of them"\n',
  );
  for (const [name, decision] of [
    ["look", "consent"],
    ["change", "consent"],
    ["wipe", "forbidden"],
    ["silent", "consent"],
  ])
    expect(page).toContain(`call server.${name} {} expect ${decision}`);
  expect(page).toContain('call server.quoted { "in": { "null": "x" } } expect consent');
});

test.each([
  [["--kind", "mcp-server"], 2, "--kind mcp-server needs --from"],
  [["--kind", "mcp-server", "--from", "node 'x"], 2, "is not closed"],
  [["--kind", "mcp-server", "--from", "none.json"], 3, "none.json does not exist"],
  [["--kind", "mcp-server", "--from", "node none.js"], 3, "it ended with status 1; it wrote:"],
  [["--kind", "mcp-server", "--from", "no-such-program"], 3, "it cannot be started"],
  [["--kind", "claude"], 3, ".claude/settings.json does not exist"],
  [["--kind", "console", "--from", "x"], 2, "--from is not for --kind console"],
  [["--from", "x"], 2, "--from needs --kind"],
  [["--kind", "desk"], 2, "--kind is console or web-search or mcp-tools or mcp-server or claude"],
])("refuses %j, says why, and writes nothing", async (words, status, reason) => {
  const { status: ended, out, err } = await say("init", "p", ...words);
  expect({ status: ended, out }).toEqual({ status, out: "" });
  expect(err).toContain(reason);
  expect(readdirSync(folder)).toEqual([]);
});

test("init makes no project from a file without settings of Claude Code", async () => {
  writeFileSync(join(folder, "s.json"), "[]");
  const { status, err } = await say("init", "p", "--kind", "claude", "--from", "s.json");
  expect(status).toBe(1);
  expect(err).toContain("error[not-settings]");
  expect(readdirSync(folder)).toEqual(["s.json"]);
});

test("a person at a terminal is asked for the kind of project and a source file, and again after an answer that is not a kind", async () => {
  const answers = ["web", "4", `${EXAMPLES}mcp-server/units.tools.json`];
  const askLine = async () => answers.shift();
  const ran = await runCommand(["init", "asked"], { folder, inputIsTerminal: true, askLine });
  expect(ran).toMatchObject({ status: 0, err: expect.stringContaining("Type a number from 1 to 5") });
  expect(readdirSync(join(folder, "asked"))).toContain("server.tools.json");
  const ended = await runCommand(["init", "left"], { folder, inputIsTerminal: true });
  expect(ended).toMatchObject({ status: 3, out: "", err: expect.stringContaining("nothing was written") });
  const plain = await runCommand(["init", "plain"], { folder, inputIsTerminal: true, askLine: async () => "" });
  expect(plain.status).toBe(0);
  expect(readFileSync(join(folder, "plain/system.cap"), "utf8")).toContain("service notes");
});

test("nobody is asked if the kind is given, or without a terminal", async () => {
  const askLine = () => Promise.reject(new Error("asked"));
  for (const [words, inputIsTerminal] of [
    [["a", "--kind", "console"], true],
    [["b", "--json"], true],
    [["c"], false],
  ] as const)
    expect((await runCommand(["init", ...words], { folder, inputIsTerminal, askLine })).status).toBe(0);
});

test("make finds the capc that made the project, else one on the PATH, else an installation in a folder above, and else fails with a message", async () => {
  await say("init", "deep/lab");
  const [deep, lab] = [join(folder, "deep"), join(folder, "deep/lab")];
  const print = (path?: string, env?: object) => make("deep/lab", ["-n", "test"], path, env);
  expect(print().out).toContain("/compiler/cli/capc.mjs' test system.cap");
  expect(print(undefined, { CAPC: "mine" }).out).toContain("mine test system.cap");
  rmSync(join(lab, "capc.mk"));
  expect(print()).toMatchObject({ status: 2, err: expect.stringContaining("capc is not found. Put it on the PATH") });
  mkdirSync(join(folder, "it's here/bin"), { recursive: true });
  mkdirSync(join(deep, "node_modules/.bin"), { recursive: true });
  for (const place of ["it's here/bin", "deep/node_modules/.bin"])
    writeFileSync(join(folder, place, "capc"), "#!/bin/sh\n", { mode: 0o755 });
  expect(print().out).toContain(`'${deep}/node_modules/.bin/capc' test system.cap`);
  expect(print(`${folder}/it's here/bin:/usr/bin:/bin`).out).toMatch(/^capc test system\.cap$/m);
  writeFileSync(join(lab, "capc.mk"), renderLauncherFile("/nowhere/node", "/nowhere/capc.mjs"));
  expect(print().out).toContain(`'${deep}/node_modules/.bin/capc' test system.cap`);
});

test("capc.mk starts capc from any path, even if the path contains spaces, quotes, `$` or `#`", async () => {
  await say("init", "lab");
  const place = join(folder, "it's a $(place) #1");
  mkdirSync(place);
  for (const name of ["node", "capc.mjs"]) writeFileSync(join(place, name), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  writeFileSync(join(folder, "lab/capc.mk"), renderLauncherFile(join(place, "node"), join(place, "capc.mjs")));
  const { status, out } = make("lab", ["--silent", "test"]);
  expect(status).toBe(0);
  expect(out).toContain(`${place}/capc.mjs test system.cap\n`);
});

test("init writes the name into every file, and --name takes precedence over the name of the folder", async () => {
  await say("init", "x", "--name", "lab-one");
  const workflow = readFileSync(join(folder, "x/.github/workflows/capc.yml"), "utf8");
  expect(workflow).toContain("OWNER/REPOSITORY");
  for (const file of ["system.cap", "README.md"]) {
    const text = readFileSync(join(folder, "x", file), "utf8");
    expect(text).toContain("lab-one");
    expect(text).not.toMatch(/\bNAME\b/);
  }
});

test.each(["auto", "true", "in", "null", "x".repeat(70), "-", "operator", "notes", "canned", "std"])(
  "a project in the folder %s passes its own check",
  async (name) => {
    expect(await say("init", "--", name)).toMatchObject({ status: 0 });
    for (const words of [["check"], ["lint"], ["fmt", "--check"]])
      expect(await say(...words, `./${name}/system.cap`)).toEqual({ status: 0, out: "", err: "" });
  },
);

test.each(["auto", "x".repeat(65), "lab one", ""])(
  "refuses %j as the name of a system, and describes valid names",
  async (name) => {
    expect(await say("init", "y", "--name", name)).toEqual({
      status: 2,
      out: "",
      err: `capc init: '${name}' cannot be the name of a system: a name has ${NAME_FORM}\n`,
    });
  },
);

test("does not replace an existing file, and writes no other file if one exists", async () => {
  mkdirSync(join(folder, "old"));
  writeFileSync(join(folder, "old/Makefile"), "all:\n");
  expect(await say("init", "old")).toEqual({
    status: 2,
    out: "",
    err: "capc init: old has Makefile already; nothing was written: choose another folder\n",
  });
  expect(readdirSync(join(folder, "old"))).toEqual(["Makefile"]);
  expect(readFileSync(join(folder, "old/Makefile"), "utf8")).toBe("all:\n");
});

test("init accepts a folder that exists and contains other files", async () => {
  mkdirSync(join(folder, "old"));
  writeFileSync(join(folder, "old/notes.txt"), "");
  expect(await say("init", "old")).toMatchObject({ status: 0 });
  writeFileSync(join(folder, "file"), "");
  expect(await say("init", "file/x")).toMatchObject({ status: 3, out: "" });
});
