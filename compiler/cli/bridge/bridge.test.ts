import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { encodeFrame } from "../../../engine/outside/bridge/framing.ts";
import { runCommand } from "../memory-world.ts";

const FIXTURE = fileURLToPath(new URL("../../../engine/outside/bridge/testing/", import.meta.url));
const PAGE = join(FIXTURE, "system.cap");
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

test("over standard input and output, each request and response is one line", async () => {
  const bridge = begun();
  bridge.stdin.end(`${REQUEST}\n`);
  const [printed, [status]] = await Promise.all([text(bridge.stdout), once(bridge, "exit")]);
  expect(printed).toBe(`${RESPONSE}\n`);
  expect(status).toBe(0);
});

test("over a socket that only its user can open, requests and responses are the kernel's frames, until SIGTERM", async () => {
  const path = join(folder, "bridge");
  const bridge = begun("--socket", path, "--framing", "frames");
  await once(bridge.stderr, "data");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const kernel = connect(path);
  kernel.write(encodeFrame(1, Buffer.from(REQUEST)));
  const [response] = await once(kernel, "data");
  expect(Buffer.compare(response, Buffer.from(encodeFrame(2, Buffer.from(RESPONSE))))).toBe(0);
  bridge.kill("SIGTERM");
  const [[status]] = await Promise.all([once(bridge, "exit"), once(kernel, "close")]);
  expect(status).toBe(0);
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
});

/**
 * Starts a pseudo-terminal; the test reads and writes its other end. The pseudo-terminal disappears when the process
 * `end` is killed.
 */
async function serialLine() {
  const named = join(folder, "tty");
  const end = spawn("script", ["-qec", `tty > ${named}; exec sleep 100000`, "/dev/null"], { stdio: "pipe" });
  while (!existsSync(named) || !readFileSync(named, "utf8").endsWith("\n")) await turn();
  return { end, device: readFileSync(named, "utf8").trim() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Text with characters that a terminal would interpret as commands. */
const ODD = "say \u007f \u0091\u0093";

test("over a serial line, every byte passes unchanged, and noise before a frame is skipped", async () => {
  for (const name of readdirSync(FIXTURE)) copyFileSync(join(FIXTURE, name), join(folder, name));
  // The length of this response contains the byte of a line feed. A terminal that is not raw would turn that byte into
  // two.
  const least = '{"intent":"unknown","action":"unknown","args":[],"risk":"safe","explanation":""}'.length;
  const bytes = 0x010a - least;
  const say = "é".repeat(Math.floor(bytes / 2)) + "x".repeat(bytes % 2);
  writeFileSync(join(folder, "replies.json"), JSON.stringify([{ when: { user: ODD }, say }]));
  const { end, device } = await serialLine();
  const bridge = spawn(process.execPath, [MAIN, "bridge", join(folder, "system.cap"), "--serial", device]);
  const heard: Buffer[] = [];
  end.stdout.on("data", (chunk: Buffer) => heard.push(chunk));
  const [ready] = await once(bridge.stderr, "data");
  expect(String(ready)).toBe(`capc bridge: speaks over ${device}\n`);
  const request = Buffer.from(`{"input":"${ODD}","allowedActions":["list_files"]}`);
  end.stdin.write(
    Buffer.concat([Buffer.from("boot: \r\n\x03\x04\x11\x13\x1a"), encodeFrame(1, request), encodeFrame(1, request)]),
  );
  const answer = Buffer.from(encodeFrame(2, Buffer.from(unknownPlan(say))));
  expect(answer.readUInt16BE(4)).toBe(0x010a);
  while (Buffer.concat(heard).length < 2 * answer.length && bridge.exitCode === null) await turn();
  expect(Buffer.concat(heard).equals(Buffer.concat([answer, answer]))).toBe(true);
  bridge.kill("SIGTERM");
  expect(await once(bridge, "exit")).toEqual([0, null]);
  end.kill("SIGKILL");
});

const unknownPlan = (explanation: string) =>
  JSON.stringify({ intent: "unknown", action: "unknown", args: [], risk: "safe", explanation });

test("the bridge ends without an error if its serial line closes", async () => {
  const { end, device } = await serialLine();
  const bridge = begun("--serial", device);
  await once(bridge.stderr, "data");
  const complaints = text(bridge.stderr);
  end.kill("SIGKILL");
  expect(await once(bridge, "exit")).toEqual([0, null]);
  expect(await complaints).toBe("");
});

test("SIGTERM ends a waiting bridge without an error", async () => {
  const bridge = begun();
  bridge.stdin.write(`${REQUEST}\n`);
  await once(bridge.stdout, "data");
  bridge.kill("SIGTERM");
  const [complaints, ended] = await Promise.all([text(bridge.stderr), once(bridge, "exit")]);
  expect([complaints, ended]).toEqual(["", [0, null]]);
});

test.each([
  ["--session", "nobody", 2, /there is no session nobody/],
  ["--serial", "/dev/null", 3, /is no serial line/],
  ["--group", "0", 2, /--group is for --socket/],
])("%s %s is refused in one sentence", async (option, value, status, why) => {
  expect(await runCommand(["bridge", PAGE, option, value])).toEqual({
    status,
    out: "",
    err: expect.stringMatching(why),
  });
});

test("refuses a page without a tool for an action of the bridge protocol, and the message says how to name such a tool", async () => {
  const page = fileURLToPath(new URL("../../../examples/host-actions/system.cap", import.meta.url));
  const { status, err } = await runCommand(["bridge", page]);
  expect(err).toMatch(
    /^capc bridge: operator has no tool that is an action of the protocol: .* listFiles is list_files\n$/,
  );
  expect(status).toBe(1);
});

test("does not replace a file that is not a socket", async () => {
  const path = join(folder, "notes");
  writeFileSync(path, "mine");
  const { status, err } = await runCommand(["bridge", PAGE, "--socket", path]);
  expect(err).toMatch(/is there, and is no socket/);
  expect(status).toBe(3);
});

test("the example kernel-bridge prints the output that its README shows", async () => {
  const example = fileURLToPath(new URL("../../../examples/kernel-bridge/", import.meta.url));
  const [, written = ""] = /```json\n([\s\S]*?)```/.exec(readFileSync(join(example, "README.md"), "utf8")) ?? [];
  const bridge = spawn(process.execPath, [MAIN, "bridge", join(example, "system.cap")], { stdio: "pipe" });
  bridge.stdin.end(readFileSync(join(example, "requests.jsonl")));
  const [printed, [status]] = await Promise.all([text(bridge.stdout), once(bridge, "exit")]);
  expect(printed.split("\n").length).toBe(8);
  expect([printed, status]).toEqual([written, 0]);
});
