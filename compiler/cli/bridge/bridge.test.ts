import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { framed } from "../../../engine/bridge/framing.ts";

const PAGE = fileURLToPath(new URL("../../../engine/bridge/testing/system.cap", import.meta.url));
const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const REQUEST = '{"input":"show me the files","allowedActions":["list_files"]}';
const RESPONSE =
  '{"intent":"list_files","action":"list_files","args":[],"risk":"safe",' +
  '"explanation":"The user wants to see the files available in the OS."}';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-bridge-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const begun = (...words: string[]) => spawn(process.execPath, [MAIN, "bridge", PAGE, ...words], { stdio: "pipe" });

test("over standard input and output, a line each", async () => {
  const bridge = begun();
  bridge.stdin.end(`${REQUEST}\n`);
  const [said, [status]] = await Promise.all([text(bridge.stdout), once(bridge, "exit")]);
  expect(said).toBe(`${RESPONSE}\n`);
  expect(status).toBe(0);
});

test("at a socket of its user's alone, in the kernel's frames, until it is told to end", async () => {
  const path = join(folder, "bridge");
  const bridge = begun("--socket", path, "--framing", "frames");
  await once(bridge.stderr, "data");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const kernel = connect(path);
  kernel.write(framed(1, Buffer.from(REQUEST)));
  const [response] = await once(kernel, "data");
  expect(Buffer.compare(response, Buffer.from(framed(2, Buffer.from(RESPONSE))))).toBe(0);
  bridge.kill("SIGTERM");
  const [[status]] = await Promise.all([once(bridge, "exit"), once(kernel, "close")]);
  expect(status).toBe(0);
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
});

test.each([
  ["--session", "nobody", 2, /there is no session nobody/],
  ["--serial", "/dev/null", 3, /is no serial line/],
])("%s %s is refused in one sentence", async (option, value, status, why) => {
  const bridge = begun(option, value);
  const [said, [ended]] = await Promise.all([text(bridge.stderr), once(bridge, "exit")]);
  expect(said).toMatch(why);
  expect(ended).toBe(status);
});

test("a file that is no socket is left alone", async () => {
  const path = join(folder, "notes");
  writeFileSync(path, "mine");
  const bridge = begun("--socket", path);
  const [said, [status]] = await Promise.all([text(bridge.stderr), once(bridge, "exit")]);
  expect(said).toMatch(/is there, and is no socket/);
  expect(status).toBe(3);
});
