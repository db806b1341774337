// Simulates a name server that answers over UDP alone, as many routers' name servers do. The simulation answers the
// machine's questions to the name server, drops the machine's TCP packets to it, and passes all other frames to QEMU's
// network.

import { answerTo } from "./answer.ts";
import { NAME_SERVER } from "./leases.ts";
import type { LinkSettings } from "./settings.ts";

const ETHERNET_BYTES = 14;
const IP_BYTES = 20;
const UDP_BYTES = 8;
const IPV4 = 0x0800;
const DNS_PORT = 53;
const [TCP, UDP] = [6, 17];
/** Time to live of the response, in hops. */
const HOPS = 64;

/** Fate of a frame: it goes on to the network, it is dropped, or another frame goes back to the machine. */
type Taken = "goes on" | "is dropped" | { readonly back: Buffer };

/** Returns the fate of a frame that the machine sends, if names are resolved over UDP alone. */
export function takeFrame(frame: Buffer, settings: LinkSettings): Taken {
  const packet = frame.subarray(ETHERNET_BYTES);
  if (packet.length < IP_BYTES || frame.readUInt16BE(12) !== IPV4 || !isToServer(packet)) return "goes on";
  const segment = packet.subarray((packet.readUInt8(0) & 15) * 4, packet.readUInt16BE(2));
  const protocol = packet.readUInt8(9);
  if (protocol === TCP) return "is dropped";
  if (protocol !== UDP || segment.length < UDP_BYTES || segment.readUInt16BE(2) !== DNS_PORT) return "goes on";
  const answer = answerTo(segment.subarray(UDP_BYTES), settings);
  return answer === undefined ? "is dropped" : { back: createAnswerFrame(frame, packet, segment, answer) };
}

function isToServer(packet: Buffer): boolean {
  return packet.subarray(16, IP_BYTES).equals(Buffer.from(NAME_SERVER));
}

/** Returns a frame with the answer of the server: source and destination of the frame with the question are exchanged. */
function createAnswerFrame(frame: Buffer, packet: Buffer, segment: Buffer, answer: Buffer): Buffer {
  const ethernet = Buffer.concat([frame.subarray(6, 12), frame.subarray(0, 6), frame.subarray(12, ETHERNET_BYTES)]);
  const ip = Buffer.alloc(IP_BYTES);
  ip.writeUInt8(0x45, 0);
  ip.writeUInt16BE(IP_BYTES + UDP_BYTES + answer.length, 2);
  ip.set([HOPS, UDP], 8);
  packet.copy(ip, 12, 16, IP_BYTES);
  packet.copy(ip, 16, 12, 16);
  ip.writeUInt16BE(computeChecksum(ip), 10);
  const udp = Buffer.alloc(UDP_BYTES);
  udp.writeUInt16BE(DNS_PORT, 0);
  segment.copy(udp, 2, 0, 2);
  // The checksum is zero, which IPv4 allows.
  udp.writeUInt16BE(UDP_BYTES + answer.length, 4);
  return Buffer.concat([ethernet, ip, udp, answer]);
}

/** Returns the checksum (RFC 1071) of a header whose checksum field is still 0. */
function computeChecksum(header: Buffer): number {
  let sum = 0;
  for (let at = 0; at < header.length; at += 2) sum += header.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return ~sum & 0xffff;
}
