// Runs the part of a machine's network that lies in this process: it passes on the replies of QEMU's DHCP server. QEMU
// itself starts the rest, one program for each connection.

import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { takeFrame } from "./datagrams.ts";
import { cutFrames, prependLength, type Rewriting, rewriteLease } from "./leases.ts";
import { type LinkFile, type LinkSettings, listServedAddresses } from "./settings.ts";

/** Parts of the machine's simulated network (the link) that QEMU's command line names. */
export interface LinkPlan {
  /** File of names, and the additional addresses at which the web server is reachable. */
  readonly names?: { readonly file: string; readonly addresses: readonly string[] };
  /** File that receives the messages to the collector. */
  readonly syslog: string;
  /** File that receives OpenTelemetry log records, if `--web` has a receiver for them. */
  readonly otlp: string;
  readonly sockets?: LinkSockets;
}

/** Sockets of this host; QEMU connects to all of them before the machine runs. */
export interface LinkSockets {
  /**
   * Socket to which QEMU sends its network's frames for the machine. From the socket `back` QEMU reads the frames that the machine
   * receives.
   */
  readonly out: string;
  readonly back: string;
  /**
   * Sockets for frames of the machine, if names are resolved over UDP alone. QEMU writes them to `out`, and reads from `back` the frames
   * that go on to the network.
   */
  readonly sent?: { readonly out: string; readonly back: string };
}

/** Starts the servers of the link. Returns the plan, and a function that stops them. No other run uses `folder`. */
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

/**
 * Starts the servers of the link. If `asked` is given, this process itself answers DNS questions over UDP with these
 * settings.
 */
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

/** Creates a server that passes each frame from a connected client to `take`. */
function createSource(take: (frame: Buffer) => void): Server {
  return createServer((socket) => {
    const cut = cutFrames();
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => cut(bytes).forEach(take));
  });
}

/** Creates a server that sends the written frames to the first connected client, also frames that were written before it connected. */
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
