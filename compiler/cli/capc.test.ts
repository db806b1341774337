// Tests capc.mjs, the launcher of capc, in processes of its own, as a shell would start it.

import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const LAUNCHER = fileURLToPath(new URL("capc.mjs", import.meta.url));

function capc(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, ...words], { encoding: "utf8" });
  return { status, stdout, stderr };
}

test("--version prints the version of package.json", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(capc("--version")).toEqual({ status: 0, stdout: `capc ${version}\n`, stderr: "" });
});

test("the launcher passes on arguments, status and output, and Node prints no warning", () => {
  expect(capc("explain", "rule-shadowed")).toMatchObject({ status: 0, stderr: "" });
  expect(capc("check", "examples/first-agent/system.cap")).toEqual({ status: 0, stdout: "", stderr: "" });
  expect(capc("check", "none.cap")).toMatchObject({ status: 3, stdout: "" });
  expect(capc("chek")).toEqual({
    status: 2,
    stdout: "",
    stderr: "capc: there is no command 'chek'; did you mean check?\n",
  });
});

test("the launcher under another Node starts the project's own Node, and passes on arguments, output and status", () => {
  const folder = mkdtempSync(join(tmpdir(), "capc-other-node-"));
  try {
    const other = join(folder, "node");
    // The launcher compares paths, so it treats a copy of the same program as a different Node.
    copyFileSync(process.execPath, other);
    const run = (...words: string[]) => spawnSync(other, [LAUNCHER, ...words], { encoding: "utf8" });
    expect(run("check", "examples/first-agent/system.cap")).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(run("check", "none.cap")).toMatchObject({
      status: 3,
      stdout: "",
      stderr: expect.stringContaining("none.cap"),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("an option in NODE_OPTIONS that the project's own Node does not know is reported, and the message says how to continue", () => {
  const folder = mkdtempSync(join(tmpdir(), "capc-node-options-"));
  try {
    // Simulates a Node of another version, which starts the launcher and knows an option that the project's own Node does
    // not know.
    const launch = `process.env.NODE_OPTIONS = "--no-such-option";
      process.execPath = "/another/node"; process.argv = [process.argv[0], ${JSON.stringify(LAUNCHER)}, "explain"];
      await import(${JSON.stringify(LAUNCHER)});`;
    writeFileSync(join(folder, "launch.mjs"), launch);
    const { status, stderr } = spawnSync(process.execPath, [join(folder, "launch.mjs")], { encoding: "utf8" });
    expect(status).toBe(3);
    expect(stderr).toContain(
      "capc: NODE_OPTIONS has an option that capc's own Node refuses (above); unset it for capc\n",
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Starts a command that does not end by itself, and collects its messages. */
function started(folder: string, ...words: string[]) {
  const child = spawn(process.execPath, [LAUNCHER, ...words], { cwd: folder });
  let said = "";
  let heard = (): void => {};
  child.stderr.on("data", (bytes: Buffer) => {
    said += bytes.toString();
    heard();
  });
  /** Resolves as soon as the text was printed `times` times. */
  const hears = (text: string, times: number): Promise<void> =>
    new Promise((resolve) => {
      heard = () => {
        if (said.split(text).length > times) resolve();
      };
      heard();
    });
  const ended = new Promise<number | null>((resolve) => child.once("close", (status) => resolve(status)));
  return { child, hears, ended, said: () => said };
}

test("check --watch reports an edit, and Ctrl-C ends it with status 0", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capc-launcher-"));
  try {
    const page = readFileSync("compiler/rules/advice/stray-doc/good.cap", "utf8");
    writeFileSync(join(folder, "page.cap"), page);
    const { child, hears, ended, said } = started(folder, "check", "page.cap", "--watch");
    await hears("Ctrl-C ends it", 1);
    // Replaces the file as editors do. If the file were written in place, the command could read half of it.
    writeFileSync(join(folder, "new.cap"), page.replace("auto canned", "auto something"));
    renameSync(join(folder, "new.cap"), join(folder, "page.cap"));
    await hears("Ctrl-C ends it", 2);
    expect(said()).toContain("something");
    child.kill("SIGINT");
    expect(await ended).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a page is read from standard input, and an oversized page is refused", () => {
  const formed = (input: string) => {
    const ran = spawnSync(process.execPath, [LAUNCHER, "fmt", "--stdin"], { input, encoding: "utf8" });
    return { status: ran.status, stdout: ran.stdout, stderr: ran.stderr };
  };
  expect(formed("system   x {}")).toEqual({ status: 0, stdout: expect.stringMatching(/^system x \{/), stderr: "" });
  expect(formed("")).toMatchObject({ status: 0, stdout: "" });
  expect(formed("/".repeat(3_000_000))).toMatchObject({ status: 1, stderr: expect.stringContaining("file-too-large") });
});
