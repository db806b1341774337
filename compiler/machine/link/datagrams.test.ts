import fc from "fast-check";
import { expect, test } from "vitest";
import { takeFrame } from "./datagrams.ts";
import { NAME_SERVER } from "./leases.ts";

const SETTINGS = { names: new Map([["a.example.net", "11.0.0.80"]]) };
const MACHINE = [10, 0, 2, 15];
const [TCP, UDP] = [6, 17];

const question = (name: string): Buffer =>
  Buffer.concat([
    Buffer.of(0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0),
    ...name.split(".").map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)])),
    Buffer.of(0, 0, 1, 0, 1),
  ]);

interface Sent {
  readonly protocol?: number;
  readonly to?: readonly number[];
  readonly port?: number;
}

/** Returns a frame from the machine: Ethernet, IPv4, and the first eight bytes of UDP or TCP. */
function frame(body: Buffer, { protocol = UDP, to = NAME_SERVER, port = 53 }: Sent = {}): Buffer {
  const head = Buffer.alloc(14 + 20 + 8);
  head.set([2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 8, 0, 0x45], 0);
  head.writeUInt16BE(28 + body.length, 16);
  head.writeUInt8(protocol, 23);
  head.set([...MACHINE, ...to], 26);
  head.writeUInt16BE(4711, 34);
  head.writeUInt16BE(port, 36);
  head.writeUInt16BE(8 + body.length, 38);
  return Buffer.concat([head, body]);
}

test("a response goes from the name server's address to the port that sent the question", () => {
  const taken = takeFrame(frame(question("a.example.net")), SETTINGS);
  if (typeof taken === "string") throw new Error(taken);
  const { back } = taken;
  expect([...back.subarray(0, 12)]).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
  expect([...back.subarray(26, 34)]).toEqual([...NAME_SERVER, ...MACHINE]);
  expect([back.readUInt16BE(34), back.readUInt16BE(36)]).toEqual([53, 4711]);
  expect(back.readUInt16BE(16)).toBe(back.length - 14);
  expect(back.readUInt16BE(38)).toBe(back.length - 34);
  const words = Array.from({ length: 10 }, (_, index) => back.readUInt16BE(14 + 2 * index));
  expect(words.reduce((sum, word) => sum + word, 0) % 0xffff).toBe(0);
  expect([...back.subarray(-4)]).toEqual([11, 0, 0, 80]);
});

test("the response for an unlisted name says that the name does not exist", () => {
  const taken = takeFrame(frame(question("b.example.net")), SETTINGS);
  expect(typeof taken === "string" ? taken : taken.back.readUInt16BE(42 + 2) & 15).toBe(3);
});

test("TCP packets and invalid packets to the name server are dropped, and all other packets pass", () => {
  expect(takeFrame(frame(question("a.example.net"), { protocol: TCP }), SETTINGS)).toBe("is dropped");
  expect(takeFrame(frame(Buffer.of(1, 2, 3)), SETTINGS)).toBe("is dropped");
  for (const other of [{ to: [10, 0, 2, 2] }, { protocol: 1 }, { port: 123 }, { to: [10, 0, 2, 2], protocol: TCP }])
    expect(takeFrame(frame(question("a.example.net"), other), SETTINGS)).toBe("goes on");
});

test("no frame causes an exception, whatever its bytes are", () => {
  const any = fc.uint8Array({ maxLength: 80 });
  fc.assert(
    fc.property(any, fc.nat(120), (bytes, most) => {
      takeFrame(Buffer.from(bytes), SETTINGS);
      takeFrame(frame(Buffer.from(bytes)).subarray(0, most), SETTINGS);
    }),
  );
});
