// Changes the leases of QEMU's own DHCP server. Its replies to the machine pass through here. A reply states a lease time of a day, QEMU's
// own name server and the mask of QEMU's network; the settings decide which values are replaced. All other traffic stays unchanged.

/** Address at which the machine finds the name server of the link. */
export const NAME_SERVER = [10, 0, 2, 53] as const;

const MASK = 1;
const RESOLVERS = 6;
const LEASE = 51;
const PADDING = 0;
const END = 255;
const ETHERNET_BYTES = 14;
const UDP_BYTES = 8;
/** Number of bytes of a DHCP message before its options. */
const FIXED_BYTES = 240;
const SERVER_PORT = 67;

export interface Rewriting {
  readonly leaseSeconds?: number | undefined;
  /**
   * Whether the link's settings have names, which its name server resolves. If so, each lease states the address of the
   * name server, and a mask for 256 addresses.
   */
  readonly hasNames: boolean;
}

/** Returns the frame with the lease rewritten, at the same length. Frames that are not from a DHCP server stay unchanged. */
export function rewriteLease(frame: Buffer, { leaseSeconds, hasNames }: Rewriting): Buffer {
  const udp = ETHERNET_BYTES + (frame.length > ETHERNET_BYTES ? (frame.readUInt8(ETHERNET_BYTES) & 15) * 4 : 0);
  const isDhcp =
    frame.length > udp + UDP_BYTES + FIXED_BYTES &&
    frame.readUInt16BE(12) === 0x0800 &&
    frame.readUInt8(ETHERNET_BYTES + 9) === 17 &&
    frame.readUInt16BE(udp) === SERVER_PORT;
  if (!isDhcp) return frame;
  const made = Buffer.from(frame);
  // The checksum is set to zero, because over IPv4 a datagram does not need one.
  made.writeUInt16BE(0, udp + 6);
  for (const { code, at, size } of readOptions(made, udp + UDP_BYTES + FIXED_BYTES)) {
    if (size !== 4) continue;
    if (code === LEASE && leaseSeconds !== undefined) made.writeUInt32BE(leaseSeconds, at);
    if (code === RESOLVERS && hasNames) made.set(NAME_SERVER, at);
    if (code === MASK && hasNames) made.set([255, 255, 255, 0], at);
  }
  return made;
}

function* readOptions(bytes: Buffer, from: number): Iterable<{ code: number; at: number; size: number }> {
  for (let at = from; at + 1 < bytes.length; ) {
    const code = bytes.readUInt8(at);
    if (code === END) return;
    const size = code === PADDING ? -1 : bytes.readUInt8(at + 1);
    if (at + 2 + size > bytes.length) return;
    if (code !== PADDING) yield { code, at: at + 2, size };
    at += 2 + size;
  }
}

/** Returns a function that cuts bytes into whole frames: QEMU's filters send the length of each frame before it. */
export function cutFrames(): (bytes: Buffer) => readonly Buffer[] {
  let held: Buffer = Buffer.alloc(0);
  return (bytes) => {
    held = Buffer.concat([held, bytes]);
    const frames: Buffer[] = [];
    for (let size = readSize(held); size !== undefined && held.length >= 4 + size; size = readSize(held)) {
      frames.push(held.subarray(4, 4 + size));
      held = held.subarray(4 + size);
    }
    return frames;
  };
}

function readSize(held: Buffer): number | undefined {
  return held.length < 4 ? undefined : held.readUInt32BE(0);
}

export function prependLength(frame: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(frame.length);
  return Buffer.concat([length, frame]);
}
