// Tests of capc run from its arguments to its exit status, with a fake QEMU that behaves like a machine at a console.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { PROMISED_MEMORY } from "../../dev/suite/boot.ts";
import type { World } from "../../host/world.ts";
import { POLITE } from "../../machine/testing/polite-machine.ts";
import { runCommand } from "../memory-world.ts";

/** Temporary folder; its folder `bin` is first on the search path of programs. */
const folder = mkdtempSync(join(tmpdir(), "capc-run-command-"));

const QEMU = join(folder, "bin/qemu-system-x86_64");

/**
 * Fake QEMU that records its arguments. It fails if capc starts it to test an accelerator. Otherwise it exits with the
 * status in the variable ENDS. If ENDS is empty, it starts the simulated machine; if ENDS is `never`, it only waits.
 */
const PROGRAM = `#!/bin/sh
case "$*" in *isa-debug-exit*) exit 1;; esac
printf '%s\\n' "$@" > '${folder}/words'
case "$ENDS" in
  "") exec '${process.execPath}' '${folder}/machine.mjs';;
  never) exec sleep 1000;;
  *) exit "$ENDS";;
esac
`;

mkdirSync(join(folder, "bin"));
writeFileSync(join(folder, "machine.mjs"), POLITE);
writeFileSync(QEMU, PROGRAM, { mode: 0o755 });
writeFileSync(join(folder, "system.iso"), "an image");
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  vi.stubEnv("ENDS", "");
  vi.stubEnv("PATH", `${join(folder, "bin")}:${process.env["PATH"]}`);
  rmSync(join(folder, "words"), { force: true });
});
afterEach(() => vi.unstubAllEnvs());

function run(words: readonly string[], changes: Partial<World> = {}) {
  return runCommand(["run", "system.iso", ...words], { folder, ...changes });
}

function script(text: string): string {
  writeFileSync(join(folder, "talk.chat"), text);
  return "talk.chat";
}

/** Returns the drives that QEMU received. */
function drives(): readonly string[] {
  const words = readFileSync(join(folder, "words"), "utf8").split("\n");
  return words.filter((_, index) => words[index - 1] === "-drive");
}

const TALK = "@ nodisk\n< ready\n> hello\n< you said hello";

test("plays a script to the machine, shows the machine's output, and counts passed and failed claims of the script", async () => {
  const { status, out, err } = await run(["--script", script(TALK)]);
  expect(out).toMatch(/^ready\nyou> hello\nagent> you said hello\nyou> \/exit\ncapos: powered off cleanly\n/);
  expect(out).toMatch(/\nCPU seconds of the machine: \d+\.\d\n4 passed, 0 failed\n$/);
  expect(err).toMatch(/^capc: the machine (is emulated|runs under KVM)[^\n]*\n$/);
  expect(status).toBe(0);
  expect(drives()).toEqual([`file=${folder}/system.iso,format=raw,if=none,id=medium,readonly=on`]);
});

test("names a failed claim with its line, and ends with 1", async () => {
  const { status, out, err } = await run(["--script", script(`${TALK}\n< and goodbye`)]);
  expect(status).toBe(1);
  expect(out).toContain("4 passed, 1 failed\n");
  expect(err).toContain("talk.chat:5: failed: ");
});

test("--json prints only the verdicts, and writes the console to standard error", async () => {
  const { status, out, err } = await run(["--json", "--script", script(TALK)]);
  const { passed, failed, verdicts } = JSON.parse(out);
  expect({ status, passed, failed }).toEqual({ status: 0, passed: 4, failed: 0 });
  expect(verdicts).toHaveLength(4);
  expect(err).toContain("agent> you said hello\n");
});

test("a new data disk contains the named files, is checked after the run, and is deleted", async () => {
  mkdirSync(join(folder, "files"), { recursive: true });
  writeFileSync(join(folder, "files/todo.txt"), "buy milk");
  const claims = "@ same /todo.txt\n@ file /todo.txt = buy milk\n@ nofile /other.txt\n@ file /todo.txt = buy tea\n";
  const { status, err } = await run(["--files", "files", "--script", script(`${claims}< ready\n> hello`)]);
  expect(err.split("\n").filter((line) => line.includes("failed"))).toEqual([
    expect.stringContaining("talk.chat:4: failed: "),
  ]);
  expect(status).toBe(1);
  const [, disk = ""] = drives();
  expect(disk).toMatch(/data\.img,format=raw,if=virtio,cache=unsafe$/);
  expect(existsSync(/file=([^,]*)/.exec(disk)?.[1] ?? "")).toBe(false);
});

test("a data disk that the user names is made once, and kept after the run", async () => {
  expect(await run(["--disk", "own.img", "--script", script("< ready\n> hello")])).toMatchObject({ status: 0 });
  const disk = join(folder, "own.img");
  expect(drives()[1]).toBe(`file=${disk},format=raw,if=virtio,cache=writeback`);
  writeFileSync(disk, "something else by now");
  await run(["--disk", "own.img", "--script", script("< ready\n> hello")]);
  expect(readFileSync(disk, "utf8")).toBe("something else by now");
});

test("reports a disk that cannot be made, and boots nothing", async () => {
  mkdirSync(join(folder, "odd/a b"), { recursive: true });
  expect(await run(["--files", "odd", "--script", script("> hello")])).toEqual({
    status: 3,
    out: "",
    err: "capc run: the data disk cannot be made: 'a b': names on a data disk are letters, digits and . _ -\n",
  });
  expect(existsSync(join(folder, "words"))).toBe(false);
});

const PERSON = { inputIsTerminal: true };

test("the user gets the machine's console, and a message that says how to leave it", async () => {
  vi.stubEnv("ENDS", "0");
  const { status, err } = await run([], PERSON);
  expect(status).toBe(0);
  expect(err).toContain("capc: /exit ends the machine; Ctrl-A X ends it by force\n");
  expect(readFileSync(join(folder, "words"), "utf8")).toContain("mux=on");
});

test("reports an emulator that fails during an interactive session, with its status", async () => {
  vi.stubEnv("ENDS", "7");
  expect(await run([], PERSON)).toMatchObject({
    status: 3,
    err: expect.stringContaining("did not end well: status 7"),
  });
});

test("--say types its line only at the first prompt", async () => {
  let shown = "";
  const output = vi.spyOn(process.stdout, "write").mockImplementation((bytes) => {
    shown += Buffer.from(bytes).toString();
    return true;
  });
  const stop = new AbortController();
  const running = run(["--say", "hello"], { ...PERSON, interrupted: stop.signal });
  await vi.waitUntil(() => shown.endsWith("you said hello\r\nyou> "), { timeout: 60_000 }).finally(() => stop.abort());
  expect(await running).toMatchObject({ status: 3, err: expect.stringContaining("did not end well: SIGTERM") });
  output.mockRestore();
});

test("Ctrl-C in an interactive session ends the emulator", async () => {
  vi.stubEnv("ENDS", "never");
  const stop = new AbortController();
  const running = run([], { ...PERSON, interrupted: stop.signal });
  const begun = () => existsSync(join(folder, "words")) && readFileSync(join(folder, "words"), "utf8") !== "";
  await vi.waitUntil(begun, { timeout: 120_000 });
  stop.abort();
  expect(await running).toMatchObject({ status: 3, err: expect.stringContaining("did not end well: SIGTERM") });
});

test("Ctrl-C before the start ends the emulator too", async () => {
  vi.stubEnv("ENDS", "never");
  expect(await run([], { ...PERSON, interrupted: AbortSignal.abort() })).toMatchObject({ status: 3 });
});

test("an interrupted script has no verdict", async () => {
  vi.stubEnv("ENDS", "never");
  expect(await run(["--script", script(TALK)], { interrupted: AbortSignal.abort() })).toMatchObject({
    status: 3,
    err: expect.stringContaining("interrupted; the guest was ended"),
  });
});

test("a machine has the memory that its page promises, the memory that --memory gives, or the default", async () => {
  const given = (): string | undefined => {
    const words = readFileSync(join(folder, "words"), "utf8").split("\n");
    return words[words.indexOf("-m") + 1];
  };
  await run(["--script", script(TALK)]);
  expect(given()).toBe(`${PROMISED_MEMORY}`);
  await run(["--memory", "1024", "--script", script(TALK)]);
  expect(given()).toBe("1024");
});

test("a machine has one processor by default, or the number that --processors gives, which must be at least one", async () => {
  const counted = (): string | undefined => {
    const words = readFileSync(join(folder, "words"), "utf8").split("\n");
    return words[words.indexOf("-smp") + 1];
  };
  await run(["--script", script(TALK)]);
  expect(counted()).toBe("1");
  expect((await run(["--processors", "2", "--script", script(TALK)])).status).toBe(0);
  expect(counted()).toBe("2");
  for (const refused of ["0", "-1", "256", "1.5", "two", ""]) {
    const { status, err } = await run([`--processors=${refused}`, "--script", script(TALK)]);
    expect({ status, err }).toEqual({ status: 2, err: "capc run: --processors is a number from 1 to 255\n" });
  }
});

test("refuses --web, --network and --syslog for a machine without a network, because they would have no effect", async () => {
  writeFileSync(join(folder, "network"), "lease 60 s\n");
  for (const [option, value] of [
    ["web", "."],
    ["network", join(folder, "network")],
    ["syslog", "syslog.log"],
  ] as const) {
    expect(await run([`--${option}`, value, "--script", script(TALK)])).toEqual({
      status: 2,
      out: "",
      err: `capc run: the image's page has no network; leave --${option} out\n`,
    });
  }
  expect(existsSync(join(folder, "words"))).toBe(false);
});

test("reads the file of --network before anything starts, and reports all errors in it", async () => {
  const file = join(folder, "network");
  writeFileSync(file, "lease\nname x\n");
  const form = "a line is 'lease SECONDS s', 'name NAME ADDRESS' or 'names over udp'";
  const err = `${file}:1: ${form}\n${file}:2: ${form}\n`;
  expect(await run(["--network", file, "--script", script(TALK)])).toEqual({ status: 2, out: "", err });
  expect(await run(["--network", `${file}.none`, "--script", script(TALK)])).toMatchObject({ status: 3 });
});
