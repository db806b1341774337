// Tests egress as init starts it: in its own process, with its role's flags, table and key by descriptor, and connections by channel.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Egress, type Endpoint } from "../../lib/wire/generated/egress.ts";
import { HttpEndpoint } from "../../lib/wire/generated/tools.ts";
import { connect, encodeMessage } from "../../lib/wire/index.ts";
import { derivePublicKey } from "./hpke.ts";
import { formatMachineKey, formatOrigin, sealSecret } from "./sealing.ts";
import { makeEndpoint } from "./testing/holder.ts";

const folder = mkdtempSync(join(tmpdir(), "capos-egress-"));
const program = join(folder, "egress.mjs");
const KEY = Buffer.alloc(32, 9);
const VALUE = "sk-live-0123456789";

beforeAll(async () => {
  const entryPoints = [new URL("./main.ts", import.meta.url).pathname];
  await build({ entryPoints, outfile: program, bundle: true, platform: "node", format: "esm", logLevel: "error" });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts the process with a table of these endpoints, whose badges count from 1. `sealedFor`: origin of the single credential. */
function start(endpoints: readonly Endpoint[], sealedFor: string, files: string): ChildProcess {
  const [table, key] = [join(folder, "egress.bin"), join(folder, "key")];
  const secrets = [sealSecret("house", sealedFor, [derivePublicKey(KEY)], Buffer.from(VALUE))];
  const holders = endpoints.map((_, endpoint) => ({ badge: BigInt(endpoint + 1), endpoint }));
  writeFileSync(table, encodeMessage(Egress, { schemaVersion: 1, endpoints, holders, secrets }));
  writeFileSync(key, KEY);
  const flags = ["--jitless", "--disallow-code-generation-from-strings", "--disable-proto=delete"];
  return spawn(process.execPath, [...flags, program], {
    stdio: ["ignore", "pipe", "pipe", openSync(table, "r"), openSync(key, "r"), "ipc"],
    env: { CAPOS_NAME: "egress", CAPOS_GRANTS: "", CAPOS_FILES: files, CAPOS_RESOLVERS: "" },
  });
}

/** Returns all output of the process until its end. */
async function tailOf({ stdout, stderr }: ChildProcess): Promise<string> {
  const said = await Promise.all([stdout, stderr].map((stream) => (stream === null ? "" : text(stream))));
  return said.join("");
}

/** Returns the reply to a GET of /door for the holder of a badge, over a connection like one from init. */
async function asked(child: ChildProcess, badge: number): Promise<unknown> {
  const path = join(folder, `grant-${badge}`);
  const server = createServer({ pauseOnConnect: true });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const arrived = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const near = new Socket().connect(path);
  const interfaceId = HttpEndpoint.id.toString(16);
  const grant = { capos: "grant", badge: `${badge}`, interfaceId, holder: "gate.operator", name: "house" };
  child.send(grant, await arrived);
  server.close();
  return connect(near).callTool(HttpEndpoint.id, 0, '{"path":"/door"}');
}

test("only the endpoint that names a credential sends it, and the credential appears in no output of the process", async () => {
  const heard: (string | undefined)[] = [];
  const house = createHttpServer(({ headers: { authorization } }, response) => {
    heard.push(authorization);
    // The third answer of the server repeats the credential that the server received.
    response.end(heard.length < 3 ? "the door is shut" : authorization);
  });
  await new Promise<void>((resolve) => house.listen(0, "127.0.0.1", resolve));
  const at = house.address();
  const place = {
    scheme: "http",
    host: "127.0.0.1",
    port: typeof at === "object" && at !== null ? at.port : 0,
    path: "/",
  };
  const known = makeEndpoint(place, { name: "house", secret: "house", secretInTheClear: true });
  const child = start(
    [known, makeEndpoint(place), { ...known, secret: "other" }],
    formatOrigin(place),
    "egress=3,opener=4",
  );
  const tail = tailOf(child);
  expect(await asked(child, 1)).toMatchObject({ ok: true, value: expect.stringContaining("the door is shut") });
  expect(await asked(child, 2)).toMatchObject({ ok: true });
  expect(heard).toEqual([`Bearer ${VALUE}`, undefined]);
  const reason = `the secret other is not sealed; the key of this machine is ${formatMachineKey(derivePublicKey(KEY))}`;
  expect(await asked(child, 3)).toMatchObject({ ok: false, reason });
  expect(await asked(child, 1)).toMatchObject({ ok: false, reason: expect.stringContaining("repeats the credential") });
  child.kill("SIGABRT");
  expect(await tail).not.toContain(VALUE.slice(3));
  house.close();
});

test("refuses to serve with a credential but without its key", async () => {
  const child = start(
    [makeEndpoint({ scheme: "https" }, { secret: "house" })],
    "https://status.example.net",
    "egress=3",
  );
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const tail = tailOf(child);
  expect(await ended).not.toBe(0);
  expect(await tail).toContain("opener");
});
