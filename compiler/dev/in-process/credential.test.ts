// Tests that a session never gets the credential of a server that it may use. For each form of a response, the test
// searches all data of the person, the model, the audit and the conversations for the credential.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HttpEndpoint } from "../../../engine/lib/wire/generated/tools.ts";
import { armoured, softKey } from "../../../engine/processes/broker/sshsig/testing/soft-key.ts";
import { ECHOED, hasEcho, listSecretForms } from "../../../engine/processes/egress/echo.ts";
import { derivePublicKey } from "../../../engine/processes/egress/hpke.ts";
import type { Exit } from "../../../engine/processes/egress/request.ts";
import { sealSecret } from "../../../engine/processes/egress/sealing.ts";
import { serveTools } from "../../../engine/processes/egress/serve.ts";
import { makeEndpoint } from "../../../engine/processes/egress/testing/holder.ts";
import { createInternet } from "../../../engine/processes/egress/testing/internet.ts";
import { createVault } from "../../../engine/processes/egress/vault.ts";
import { createStage } from "./examples.ts";
import { collectSpoken } from "./fake-console.ts";
import { rehearse } from "./rehearsal.ts";

const VALUE = "sk-live/0123456789+abc=";
const KEY = Buffer.alloc(32, 3);
/** Key with which the person logs in. */
const reader = softKey("ssh-ed25519");
const ORIGIN = "http://10.0.2.80";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-credential-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the content of all files below a folder as text, with one character for each byte. */
function heldBelow(path: string): string {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n");
}

/**
 * Starts an HTTP server at 10.0.2.80. Its response to a request for /house/echo.txt contains the text of this request.
 */
async function house() {
  const heard: string[] = [];
  const net = await createInternet({
    "10.0.2.80:80": (socket) =>
      socket.once("data", (bytes) => {
        const asked = bytes.toString("latin1");
        heard.push(asked);
        const body = asked.startsWith("GET /house/echo.txt ") ? asked : "the door is shut";
        socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      }),
  });
  return { net, heard };
}

test("no record, reason, conversation or screen contains a credential", async () => {
  const { net, heard } = await house();
  await using _ = net;
  const sealed = sealSecret("house", ORIGIN, [derivePublicKey(KEY)], Buffer.from(VALUE));
  const vaultWith = (key: Buffer) => createVault(new Map([["house", sealed]]), key);
  let vault = vaultWith(KEY);
  const exit: Exit = { ...net.exit, vault: (endpoint, place) => vault(endpoint, place) };
  const endpoint = makeEndpoint({ host: "10.0.2.80", path: "/house" }, { secret: "house", secretInTheClear: true });
  const conversations = mkdtempSync(join(folder, "conversations-"));
  const stage = await createStage("web-reader", folder);
  const endpoints = {
    house: (end: Parameters<typeof serveTools>[0]) => void serveTools(end, HttpEndpoint.id, endpoint, exit),
  };
  const signIn = (line: string) => armoured(reader.sign(line, { namespace: "login@capos" }));
  const played = await rehearse({ ...stage, conversations, endpoints, signIn });
  const said: string[] = [];
  const tell = async (name: string, argument: string): Promise<string> => {
    const told = (await played.command(name, argument)).join("\n");
    said.push(told);
    return told;
  };

  expect(collectSpoken(await played.console.say("Is the door shut?"))).toBe("The house knows us.");
  expect(collectSpoken(await played.console.say("What did you tell the house?"))).toContain(ECHOED);
  expect(await tell("tool", 'house.get {"path":"/house/echo.txt"}')).toContain(ECHOED);
  expect(await tell("why", 'house.get {"path":"/house/echo.txt"}')).toContain("auto");
  expect(await tell("audit", "")).toContain("house.get");
  vault = vaultWith(Buffer.alloc(32, 4));
  expect(await tell("tool", 'house.get {"path":"/house/door.txt"}')).toContain("it is sealed to other machines");
  await played.leave();

  expect(heard.map((asked) => asked.includes(`authorization: Bearer ${VALUE}\r\n`))).toEqual([true, true, true]);
  const kept = heldBelow(folder);
  expect(kept).toContain("house.get");
  expect(kept).toContain("the door is shut");
  for (const held of [kept, said.join("\n"), JSON.stringify(played.console.drawn)]) {
    expect(hasEcho(held, listSecretForms(VALUE))).toBe(false);
  }
});
