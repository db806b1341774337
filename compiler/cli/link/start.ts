// What of a machine's network runs in this process: the answers of QEMU's DHCP server pass through it. The rest QEMU starts by
// itself, a program for each connection.

import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { cutFrames, type Rewriting, rewritten, withLength } from "./leases.ts";
import { type LinkFile, servedAddresses } from "./settings.ts";

/** What QEMU is told of it. */
export interface LinkPlan {
  /** The file of names, and addresses at which the web server is to be found as well. */
  readonly names?: { readonly file: string; readonly addresses: readonly string[] };
  /** The file that messages to the collector end up in. */
  readonly syslog: string;
  /** The file that log records of OpenTelemetry end up in, where something of `--web` takes them. */
  readonly otlp: string;
  readonly sockets?: LinkSockets;
}

/** Sockets of this host; QEMU connects to both before the machine runs. */
export interface LinkSockets {
  /** QEMU sends there what its network has for the machine, and takes from `back` what the machine gets. */
  readonly out: string;
  readonly back: string;
}

/** The plan, and what ends that which runs here. `folder` is the run's own. */
export async function planLink(
  network: LinkFile | undefined,
  collectors: { readonly syslog: string; readonly otlp: string },
  folder: string,
): Promise<{ readonly plan: LinkPlan; readonly end: () => void }> {
  if (network === undefined) return { plan: collectors, end: () => {} };
  const { file, settings } = network;
  const hasNames = settings.names.size > 0;
  const { sockets, end } = await startLink(folder, { leaseSeconds: settings.leaseSeconds, hasNames });
  const names = hasNames ? { names: { file, addresses: servedAddresses(settings) } } : {};
  return { plan: { ...names, ...collectors, sockets }, end };
}

export async function startLink(
  folder: string,
  rewriting: Rewriting,
): Promise<{ readonly sockets: LinkSockets; readonly end: () => void }> {
  const { promise: back, resolve } = Promise.withResolvers<Socket>();
  const outward = createServer((socket) => {
    const cut = cutFrames();
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      const frames = cut(bytes).map((frame) => withLength(rewritten(frame, rewriting)));
      if (frames.length > 0) void back.then((machine) => machine.write(Buffer.concat(frames)));
    });
  });
  const backward = createServer((socket) => {
    socket.on("error", () => {});
    resolve(socket);
  });
  const sockets = { out: join(folder, "link-out"), back: join(folder, "link-back") };
  await Promise.all([listening(outward, sockets.out), listening(backward, sockets.back)]);
  return {
    sockets,
    end: () => {
      for (const server of [outward, backward]) server.close();
    },
  };
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((done, failed) => server.once("error", failed).listen(path, done));
}
