// Tests a client that violates the protocol: whatever it sends, the server answers valid requests.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver-protocol/node";
import { MOST_MESSAGE } from "./framing.ts";
import { folderOf, ROOT } from "./testing/pages.ts";

const LAUNCHER = fileURLToPath(new URL("../../cli/capc.mjs", import.meta.url));
const folder = folderOf();
const uri = pathToFileURL(folder.file("system.cap")).href;
let child: ChildProcess;
let errors = "";
const shown: string[] = [];
let ask: (method: string, params: unknown) => Promise<unknown>;

beforeAll(() => {
  child = spawn(process.execPath, [LAUNCHER, "lsp"], { cwd: folder.path, stdio: "pipe" });
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error("a program without pipes");
  stderr.on("data", (bytes) => {
    errors += bytes;
  });
  const connection = createMessageConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
  connection.onNotification("window/showMessage", ({ message }) => void shown.push(message));
  connection.listen();
  ask = (method, params) => connection.sendRequest(method, params);
});
afterAll(() => folder.remove());

function raw(text: string): void {
  child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

const notify = (method: string, params: unknown) => raw(JSON.stringify({ jsonrpc: "2.0", method, params }));

test("messages that are invalid, too long, too deep or malformed are skipped", async () => {
  notify("textDocument/didOpen", { textDocument: { uri, languageId: "cap", version: 1, text: "early" } });
  await ask("initialize", { processId: null, rootUri: null, capabilities: {} });
  for (const text of ["", "nonsense", "[]", "null", '{"jsonrpc":"2.0"}', `{"jsonrpc":"2.0","id":{},"method":"x"}`])
    raw(text);
  raw(`{"jsonrpc":"2.0","method":"x","params":${"[".repeat(100_000)}`);
  raw(JSON.stringify({ jsonrpc: "2.0", method: "textDocument/didOpen", params: "x".repeat(MOST_MESSAGE) }));
  raw(JSON.stringify({ jsonrpc: "2.0", id: 999, result: {} }));
  for (const params of [
    null,
    {},
    { textDocument: {} },
    { textDocument: { uri: 7, text: 9 } },
    { textDocument: { uri } },
  ])
    for (const method of ["didOpen", "didChange", "didClose"]) notify(`textDocument/${method}`, params);
  notify("$/cancelRequest", null);
  notify("workspace/didChangeWatchedFiles", { changes: 5 });
  const far = { start: { line: 1e9, character: -4 }, end: { line: -1, character: 1e9 } };
  notify("textDocument/didOpen", { textDocument: { uri, languageId: "cap", version: 1, text: "😀" } });
  notify("textDocument/didChange", { textDocument: { uri, version: 0 }, contentChanges: [{ range: far, text: "😀" }] });
  await expect(ask("no/such", {})).rejects.toMatchObject({ code: -32_601 });
  await expect(ask("textDocument/hover", {})).rejects.toThrow();
  const position = { line: -1, character: 1e12 };
  expect(await ask("textDocument/hover", { textDocument: { uri: 5 }, position })).toBeNull();
  notify("textDocument/didChange", { textDocument: { uri, version: 5 }, contentChanges: [{ text: ROOT }] });
  expect(shown).toEqual([expect.stringMatching(/^capc: a message of \d+ bytes is not read: 16777216 are the most$/)]);
  const symbols = await ask("textDocument/documentSymbol", { textDocument: { uri } });
  expect(symbols).toMatchObject([{ name: "house" }]);
  expect(await ask("textDocument/hover", { textDocument: { uri }, position })).toBeNull();
});

test("after a page is closed during its compilation, requests about it get an empty answer", async () => {
  const change = (version: number, text: string) =>
    notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
  for (let version = 10; version < 30; version += 1) change(version, `${ROOT}${"// more\n".repeat(version)}`);
  const hover = ask("textDocument/hover", { textDocument: { uri }, position: { line: 1, character: 8 } });
  notify("textDocument/didClose", { textDocument: { uri } });
  await hover;
  expect(await ask("textDocument/documentSymbol", { textDocument: { uri } })).toBeNull();
});

test("the program ends with a reason if a message has no valid header", async () => {
  // The test waits for `close`, not only for `exit`, because the last message of the server may arrive after `exit`.
  const ended = once(child, "close");
  child.stdin?.write("Content-Length: many\r\n\r\n");
  expect((await ended)[0]).toBe(2);
  expect(errors).toBe(
    "capc lsp: the program that started this does not speak the protocol: a header that says no length\n",
  );
});
