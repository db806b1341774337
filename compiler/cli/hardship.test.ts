// Tests capc with faults of the machine, interrupts by a person, and pages that are meant to overload it. In each case
// capc must print one clear message, end with a documented exit status, and leave no partial output.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { explainRefusal } from "../host/files.ts";
import { readChildrenCpuSeconds } from "../machine/cpu-time.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/first-agent/system.cap", import.meta.url));
const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-hardship-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs capc in the test's folder; `node` contains arguments for Node itself. */
function capc(words: readonly string[], { node = [] as readonly string[], path = process.env["PATH"] } = {}): Ended {
  const env = path === undefined ? {} : { PATH: path };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...node, MAIN, ...words], {
    cwd: folder,
    encoding: "utf8",
    env,
  });
  return { status, stdout, stderr };
}

/** Runs capc with an empty folder as PATH. */
function withoutPrograms(...words: string[]): Ended {
  mkdirSync(join(folder, "bin"));
  return capc(words, { path: join(folder, "bin") });
}

function page(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return name;
}

test("a build with --iso-writer native but without xorriso fails in one sentence and writes nothing", () => {
  const ran = withoutPrograms("build", EXAMPLE, "--out", "out", "--iso-writer", "native");
  expect(ran).toMatchObject({ status: 3, stdout: "" });
  expect(ran.stderr).toMatch(/^capc build: .*is not installed \(Debian package [\w-]+\).*\n$/);
  expect(readdirSync(join(folder, "out"))).toEqual([]);
});

test("an unknown ISO writer is refused with the names of the known writers", () => {
  expect(withoutPrograms("build", EXAMPLE, "--iso-writer", "mkisofs")).toEqual({
    status: 2,
    stdout: "",
    stderr: "capc build: 'mkisofs' writes no images; there are wasm, native\n",
  });
});

test("capc run without QEMU fails and names the package to install", () => {
  expect(withoutPrograms("run", page("x.iso", ""), "--script", page("x.chat", "> hello"))).toEqual({
    status: 3,
    stdout: "",
    stderr: "capc run: qemu-system-x86_64 is not installed (Debian package qemu-system-x86)\n",
  });
});

test("a deleted current folder is reported in one sentence", () => {
  const gone = join(folder, "gone");
  const script = `mkdir "${gone}" && cd "${gone}" && rmdir "${gone}" && exec "${process.execPath}" "${MAIN}" check x.cap`;
  const { status, stderr } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({
    status: 3,
    stderr: "capc: the current folder was deleted; change to another one\n",
  });
});

test("a missing folder for temporary files is named with the variable that sets it", () => {
  const env = { PATH: process.env["PATH"] ?? "", TMPDIR: join(folder, "none") };
  const words = [MAIN, "try", EXAMPLE.replace("first-agent", "own-tool"), "--say", "/status"];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8", env, input: "" });
  expect(status).toBe(3);
  expect(stderr).toContain(`${env.TMPDIR}, the folder for temporary files, does not exist: make it, or name another`);
});

/**
 * Maximum CPU seconds for reporting many errors, of which fifty are rendered. It is many times the usual time, but far
 * less than the time to render all errors.
 */
const MOST_CPU_SECONDS = 10;

test("the first fifty of a hundred thousand errors are shown, and all are counted, in bounded time", () => {
  const before = readChildrenCpuSeconds();
  const { status, stdout, stderr } = capc(["check", page("x.cap", "$\n".repeat(100_000))]);
  expect(readChildrenCpuSeconds() - before).toBeLessThan(MOST_CPU_SECONDS);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr.match(/^error\[/gm)).toHaveLength(50);
  expect(stderr).toContain("x.cap:50:1");
  expect(stderr).toMatch(/\n100000 errors; the first 50 are shown, 99950 more are not\n$/);
});

// Nobody, not even root, can create a folder in the kernel's own file systems; the error depends on the file system and its
// mount. /proc exists on every machine of these tests, because they read CPU time from it.
const MOUNTS = readFileSync("/proc/self/mounts", "utf8").split("\n");
const KERNELS_OWN = ["/proc", "/sys", "/dev/pts"].filter((place) =>
  MOUNTS.some((line) => line.split(" ")[1] === place),
);

test("this machine mounts a file system that does not accept files", () => expect(KERNELS_OWN).toContain("/proc"));

test.each(KERNELS_OWN)("a build into %s, which does not accept files, reports this and writes nothing", (place) => {
  const { status, stdout, stderr } = capc(["build", EXAMPLE, "--emit", "tables", "--out", `${place}/capc`]);
  expect({ status, stdout }).toEqual({ status: 3, stdout: "" });
  expect(stderr.replace(place, "")).toMatch(
    /^capc build: \/capc(: no permission| is on a read-only file system| does not exist); nothing was written\n$/,
  );
});

test.each([
  ["EROFS", "x is on a read-only file system"],
  ["EACCES", "x: no permission"],
  ["EPERM", "x: no permission"],
  ["ENOSPC", "x: the disk is full"],
  ["EDQUOT", "x: the disk is full"],
])("the error %s is reported in one sentence", (code, words) => {
  expect(explainRefusal("x", Object.assign(new Error("?"), { code, syscall: "mkdir" }))).toBe(words);
});

test.each([
  ["a full disk", "/dev/full", 3, "capc: standard output: the disk is full\n"],
  ["a reader that closes early", "a pipe", 0, ""],
])("a command that prints to %s ends with the expected status and message", async (_, to, expected, words) => {
  const full = to === "a pipe" ? "pipe" : openSync(to, "w");
  const command = spawn(process.execPath, [MAIN, "explain", "all", "--json"], { stdio: ["ignore", full, "pipe"] });
  command.stdout?.destroy();
  let said = "";
  command.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
  const status = await new Promise<number | null>((resolve) => command.once("close", resolve));
  if (typeof full === "number") closeSync(full);
  expect({ status, said }).toEqual({ status: expected, said: words });
});

test("the exit status is right even if standard error cannot be written", () => {
  const full = openSync("/dev/full", "w");
  const words = [MAIN, "check", "none.cap"];
  const { status } = spawnSync(process.execPath, words, { cwd: folder, stdio: ["ignore", "ignore", full] });
  closeSync(full);
  expect(status).toBe(3);
});

test.each([
  ["ELOOP", "x is a link that leads round in a circle"],
  ["ENAMETOOLONG", `${"x".repeat(64)}…: the name is too long`],
])("the error %s of the system about a file name is reported in one sentence", (code, words) => {
  const path = code === "ELOOP" ? "x" : "x".repeat(5000);
  expect(explainRefusal(path, Object.assign(new Error("?"), { code, syscall: "open" }))).toBe(words);
});

/**
 * Code for Node's option `--import`. It redirects each write of an unfinished output to /dev/full, where every write
 * fails with ENOSPC.
 */
const FULL_DISK = [
  'import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module"; const write = fs.writeFileSync;',
  'fs.writeFileSync = (path, bytes) => write(path.includes("/.unfinished-") ? "/dev/full" : path, bytes);',
  "syncBuiltinESMExports();",
].join("");

test("a full disk is reported as such, and earlier files stay unchanged", () => {
  mkdirSync(join(folder, "out"));
  page("out/old", "old");
  const node = ["--import", `data:text/javascript,${encodeURIComponent(FULL_DISK)}`];
  expect(capc(["build", EXAMPLE, "--emit", "tables", "--out", "out"], { node })).toEqual({
    status: 3,
    stdout: "",
    stderr: `capc build: ${join(folder, "out/policy/tables.bin")}: the disk is full; nothing was written\n`,
  });
  expect(readdirSync(join(folder, "out"))).toEqual(["old"]);
});

/** Starts a build and sends it `signals` as soon as it has an unfinished output. */
async function interruptedBuild(...signals: readonly NodeJS.Signals[]): Promise<Ended> {
  mkdirSync(join(folder, "out"));
  const build: ChildProcess = spawn(process.execPath, [MAIN, "build", EXAMPLE, "--out", "out"], { cwd: folder });
  const said = { stdout: "", stderr: "" };
  build.stdout?.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
  build.stderr?.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
  const watching = watch(join(folder, "out"), () => {
    watching.close();
    for (const signal of signals) build.kill(signal);
  });
  const status = await new Promise<number | null>((resolve) => build.once("close", resolve));
  watching.close();
  return { status, ...said };
}

test("Ctrl-C during a build is reported, and leaves no partial output", async () => {
  expect(await interruptedBuild("SIGINT")).toEqual({
    status: 3,
    stdout: "",
    stderr: "capc build: interrupted; nothing was written\n",
  });
  expect(readdirSync(join(folder, "out"))).toEqual([]);
});

test("a second interrupt ends a build without partial output as well", async () => {
  const { status, stdout, stderr } = await interruptedBuild("SIGINT", "SIGTERM");
  expect({ status, stdout }).toEqual({ status: 3, stdout: "" });
  expect(stderr).toContain("interrupted");
  expect(readdirSync(join(folder, "out"))).toEqual([]);
});
