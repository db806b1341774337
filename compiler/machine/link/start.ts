// What of a machine's network runs in this process: the answers of QEMU's DHCP server pass through it. The rest QEMU starts by
// itself, a program for each connection.

import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { takeFrame } from "./datagrams.ts";
import { cutFrames, prependLength, type Rewriting, rewriteLease } from "./leases.ts";
import { type LinkFile, type LinkSettings, listServedAddresses } from "./settings.ts";

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

/** Sockets of this host; QEMU connects to all of them before the machine runs. */
export interface LinkSockets {
  /** QEMU sends there what its network has for the machine, and takes from `back` what the machine gets. */
  readonly out: string;
  readonly back: string;
  /** Where names are told over UDP alone: QEMU sends to the first what the machine sends, and takes from the second what goes on. */
  readonly sent?: { readonly out: string; readonly back: string };
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
  const asked = settings.namesOverUdp === true ? settings : undefined;
  const { sockets, end } = await startLink(folder, { leaseSeconds: settings.leaseSeconds, hasNames }, asked);
  const names = hasNames ? { names: { file, addresses: listServedAddresses(settings) } } : {};
  return { plan: { ...names, ...collectors, sockets }, end };
}

/** `asked`: whose questions over UDP are answered here. */
async function startLink(
  folder: string,
  rewriting: Rewriting,
  asked?: LinkSettings,
): Promise<{ readonly sockets: LinkSockets; readonly end: () => void }> {
  const machine = createSink();
  const outward = createSource((frame) => machine.write(rewriteLease(frame, rewriting)));
  const network = createSink();
  const createSender = (settings: LinkSettings) =>
    createSource((frame) => {
      const taken = takeFrame(frame, settings);
      if (taken === "goes on") network.write(frame);
      else if (taken !== "is dropped") machine.write(taken.back);
    });
  const places = { out: join(folder, "link-out"), back: join(folder, "link-back") };
  const sent = { out: join(folder, "link-sent"), back: join(folder, "link-onward") };
  const listeners: readonly (readonly [Server, string])[] = [
    [outward, places.out],
    [machine.server, places.back],
    ...(asked === undefined ? [] : [[createSender(asked), sent.out] as const, [network.server, sent.back] as const]),
  ];
  await Promise.all(listeners.map(([server, path]) => listenAt(server, path)));
  return {
    sockets: asked === undefined ? places : { ...places, sent },
    end: () => {
      for (const [server] of listeners) server.close();
    },
  };
}

/** Whoever connects sends frames, each of which is taken. */
function createSource(take: (frame: Buffer) => void): Server {
  return createServer((socket) => {
    const cut = cutFrames();
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => cut(bytes).forEach(take));
  });
}

/** Whoever connects gets the frames that are written, those before it came too. */
function createSink(): { readonly server: Server; readonly write: (frame: Buffer) => void } {
  const { promise, resolve } = Promise.withResolvers<Socket>();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    resolve(socket);
  });
  return { server, write: (frame) => void promise.then((socket) => socket.write(prependLength(frame))) };
}

function listenAt(server: Server, path: string): Promise<void> {
  return new Promise((done, failed) => server.once("error", failed).listen(path, done));
}
