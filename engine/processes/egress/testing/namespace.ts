// A separate network with the addresses that attacks aim at. Egress reaches this network as usual: with real look-ups,
// and real connections of the kernel. `attacks.test.ts` runs this in a new network namespace; it prints the result of
// each attack as one line of JSON.

import { execFileSync } from "node:child_process";
import { createServer as createSecureServer } from "node:https";
import { createServer, type Server, type Socket } from "node:net";
import { dialAddress } from "../dial.ts";
import type { Exit } from "../request.ts";
import { NO_CREDENTIAL } from "../vault.ts";
import { type Attack, attacks, CERTIFICATES, NAME_SERVER, PUBLIC, TRAPS } from "./attacks.ts";

/** Connections to forbidden addresses. */
const caught: string[] = [];

function bring(address: string): void {
  const words = address.includes(":") ? ["-6", "addr", "add", `${address}/128`] : ["addr", "add", `${address}/32`];
  execFileSync("ip", [...words, "dev", "lo", ...(address.includes(":") ? ["nodad"] : [])]);
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.on("error", (error) => {
    process.stderr.write(`${host}:${port}: ${error.message}\n`);
    process.exit(1);
  });
  await new Promise<void>((resolve) => server.listen({ host, port }, resolve));
}

async function build(attack: { current: Attack | undefined }): Promise<void> {
  execFileSync("ip", ["link", "set", "lo", "up"]);
  // The loopback interface of the namespace already has the addresses 127.* and ::1, so add only the others.
  for (const address of [PUBLIC, NAME_SERVER, ...TRAPS]) if (!/^(127\.|::1)/.test(address)) bring(address);
  for (const address of TRAPS) {
    for (const port of [80, 443]) {
      const trap = createServer((socket) => {
        caught.push(`${address}:${port}`);
        socket.on("error", () => {});
        socket.end();
      });
      await listen(trap, address, port);
    }
  }
  const given = (pick: (now: Attack) => ((socket: Socket) => void) | undefined) => (socket: Socket) => {
    socket.on("error", () => {});
    const act = attack.current && pick(attack.current);
    if (act === undefined) socket.destroy();
    else act(socket);
  };
  await listen(createServer(given(({ names }) => names)), NAME_SERVER, 53);
  await listen(createServer(given(({ serves }) => serves)), PUBLIC, 80);
  const secure = new Map(
    Object.entries(CERTIFICATES).map(([name, { certificate, keyText }]) => {
      const server = createSecureServer({ cert: certificate, key: keyText }, (_, response) => response.end("hello"));
      server.on("tlsClientError", () => {});
      return [name, server] as const;
    }),
  );
  const getSecureReplacement = (name: string | undefined) => (name === undefined ? undefined : secure.get(name));
  const onSecure = given(
    ({ shows }) =>
      (socket) =>
        void getSecureReplacement(shows)?.emit("connection", socket),
  );
  await listen(createServer(onSecure), PUBLIC, 443);
}

const now: { current: Attack | undefined } = { current: undefined };
await build(now);
const exit: Exit = {
  dial: dialAddress,
  servers: [[198, 41, 0, 4]],
  now: () => Date.UTC(2026, 0, 1),
  roots: [CERTIFICATES.root.certificate],
  vault: () => ({ ok: true, value: NO_CREDENTIAL }),
  underWay: new Set(),
};
for (const attack of attacks) {
  now.current = attack;
  caught.length = 0;
  const reply = await attack.ask(exit);
  const said = reply.ok ? reply.value : reply.reason;
  process.stdout.write(`${JSON.stringify({ name: attack.name, ok: reply.ok, said, caught })}\n`);
}
process.exit(0);
