// Tests the worker as init starts it: in its own process, with its manifest's arguments and flags, its endpoint as a
// descriptor, and its holders over a channel. The endpoint is served by the real egress, which reaches a provider on
// this machine.

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LanguageModel } from "../../../lib/wire/generated/capos.ts";
import { HttpExchange } from "../../../lib/wire/generated/egress.ts";
import { Metering } from "../../../lib/wire/generated/wire.ts";
import { type Connection, connect } from "../../../lib/wire/index.ts";
import { serveExchange } from "../../egress/stream.ts";
import { makeEndpoint } from "../../egress/testing/holder.ts";
import { createInternet, type Internet, serveText } from "../../egress/testing/internet.ts";
import { OPENAI } from "./openai.ts";
import { written } from "./testing/answers.ts";

const folder = mkdtempSync(join(tmpdir(), "capos-remote-"));
const program = join(folder, "model-remote.mjs");
const FLAGS = ["--jitless", "--disallow-code-generation-from-strings", "--disable-proto=delete", "--no-addons"];
const WORDS = "--id openai:a:80:m --dialect openai --model m --endpoint model.far --context 8192 --tools".split(" ");

beforeAll(async () => {
  const entryPoints = [new URL("./main.ts", import.meta.url).pathname];
  await build({ entryPoints, outfile: program, bundle: true, platform: "node", format: "esm", logLevel: "error" });
});
afterAll(() => rmSync(folder, { recursive: true }));

function started(words: readonly string[], net: Internet): ChildProcess {
  const child = spawn(process.execPath, [...FLAGS, program, ...words], {
    stdio: ["ignore", "inherit", "pipe", "pipe", "ipc"],
    env: { CAPOS_NAME: "model.far", CAPOS_GRANTS: `model.far=3:${HttpExchange.id.toString(16)}` },
  });
  const [, , , end] = child.stdio;
  const endpoint = makeEndpoint({ host: "10.0.0.1", path: "/v1/chat/completions" }, { requestBytes: 900_000 });
  if (end instanceof Duplex) serveExchange(end, endpoint, net.exit);
  return child;
}

/** Gives the child one end of a new connection, as init does, and returns a client on the other end. */
async function held(child: ChildProcess, holder: string, interfaceId: bigint): Promise<Connection> {
  const path = join(folder, holder);
  const server = createServer({ pauseOnConnect: true });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const arrived = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const near = new Socket().connect(path);
  const grant = { capos: "grant", badge: "1", interfaceId: interfaceId.toString(16), holder, name: "model.far" };
  child.send(grant, await arrived);
  server.close();
  return connect(near);
}

test("a process with one endpoint answers within its gate's permits, and charges its provider's counts", async () => {
  const answer = written(OPENAI, ["Good", " day"], [{ name: "notes_read", json: '{"path":"a"}' }]);
  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
  await using net = await createInternet({ "10.0.0.1:80": serveText(head + answer) });
  const child = started(WORDS, net);
  await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`ended with ${code}`)));
  });
  const gate = await held(child, "gate.operator", Metering.id);
  const loop = await held(child, "loop.operator", LanguageModel.id);
  expect(await loop.call(LanguageModel.methods.info, {})).toMatchObject({
    value: { info: { id: "openai:a:80:m", backend: "remote-openai", contextTokens: 8192, supportsTools: true } },
  });
  const nonce = randomBytes(16);
  const messages = [{ role: "user" as const, content: "Hello", toolCallId: "", toolCalls: [] }];
  const rest = { maxTokens: 100, temperature: 0, stopSequences: [], responseSchema: "" };
  const req = { messages, tools: [], nonce, ...rest };
  expect(await loop.call(LanguageModel.methods.complete, { req })).toMatchObject({ ok: false });
  await gate.call(Metering.methods.allow, { nonce, mostTokens: 5000, redactions: [] });
  void gate.call(Metering.methods.asked, { nonce }).then(() => gate.call(Metering.methods.noted, { nonce }));
  expect(await loop.call(LanguageModel.methods.complete, { req })).toMatchObject({
    value: {
      resp: { message: { content: "Good day", toolCalls: [{ name: "notes_read", arguments: '{"path":"a"}' }] } },
    },
  });
  const ended = await gate.call(Metering.methods.ended, { nonce });
  expect(ended).toMatchObject({ value: { usage: { promptTokens: 70, outputTokens: 30 } } });
  child.kill();
});

test("an unknown dialect ends the process with the reason", async () => {
  await using net = await createInternet({});
  const child = started(["--dialect", "telex"], net);
  let said = "";
  child.stderr?.on("data", (bytes: Buffer) => {
    said += bytes.toString();
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect([code, said]).toEqual([1, "nothing here speaks telex\n"]);
});
