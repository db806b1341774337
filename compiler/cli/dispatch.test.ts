import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { COMMANDS as COMMANDS_BY_NAME, loadCommands } from "./commands.ts";
import { runCommand } from "./memory-world.ts";

const COMMANDS = await loadCommands();

const say = (...words: string[]) => runCommand(words);

test("capc without a command prints the help as an error, and capc --help prints it as output", async () => {
  expect(await say()).toMatchObject({ status: 2, out: "", err: expect.stringContaining("usage: capc COMMAND") });
  expect(await say("--help")).toMatchObject({
    status: 0,
    err: "",
    out: expect.stringContaining("usage: capc COMMAND"),
  });
  const [, schema = ""] = /^ {2}schema (.*)$/m.exec((await say("--help")).out) ?? [];
  expect(schema).toMatch(/^\[NAME\] {1,60}print/);
});

test("--version prints the version of package.json", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(await say("--version")).toEqual({ status: 0, out: `capc ${version}\n`, err: "" });
});

test("refuses an unknown command, and names the closest known command", async () => {
  expect(await say("chek")).toEqual({
    status: 2,
    out: "",
    err: "capc: there is no command 'chek'; did you mean check?\n",
  });
  expect((await say("xyzzy")).err).toContain("see capc --help");
});

test.each(COMMANDS.map((command) => [command.name, command] as const))(
  "capc %s --help prints the usage and every option in at most 120 columns",
  async (name, command) => {
    const { status, out } = await say(name, "--help");
    expect(status).toBe(0);
    expect(out.startsWith(`usage: capc ${name}`)).toBe(true);
    for (const option of command.options) expect(out).toContain(`--${option.name}`);
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
  },
);

test.each(COMMANDS)(
  "capc $name refuses an unknown option, an extra operand and a missing operand",
  async ({ name, operands }) => {
    expect(await say(name, "--frobnicate")).toMatchObject({ status: 2, err: expect.stringContaining("--frobnicate") });
    if (operands.at(-1)?.includes("…") !== true)
      expect(await say(name, ...operands.map(() => "a"), "b")).toMatchObject({
        status: 2,
        err: expect.stringContaining("'b' is one operand too many"),
      });
    if (operands[0]?.startsWith("[") === false)
      expect(await say(name)).toMatchObject({ status: 2, err: expect.stringContaining("is missing") });
  },
);

test.each(COMMANDS)("capc $name has the name under which it is registered", async (command) => {
  expect(await COMMANDS_BY_NAME.get(command.name)?.()).toEqual(expect.objectContaining({ name: command.name }));
});

test.each(COMMANDS)("capc $name has --json", ({ options }) => {
  expect(options.map(({ name, value }) => ({ name, value }))).toContainEqual({ name: "json" });
});

test("refuses any value that an option does not list", async () => {
  expect(await say("check", "x.cap", "--color", "blue")).toMatchObject({
    status: 2,
    err: "capc check: --color is auto or always or never, not 'blue'; see capc check --help\n",
  });
});

test("refuses an unknown option, and names the closest option of the command if one is similar", async () => {
  expect((await runCommand(["check", "--colour", "never", "system.cap"])).err).toContain(
    "'--colour' (did you mean --color?);",
  );
  expect((await runCommand(["check", "--zzz", "system.cap"])).err).not.toContain("did you mean");
});
