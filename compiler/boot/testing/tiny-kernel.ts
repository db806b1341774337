// A kernel of Limine's protocol that fits on a page: it says over the first serial port how many modules it was handed and how large
// the first one is, and ends QEMU by its isa-debug-exit. It shows what a loader of an image hands over; it is nobody's system.

/** With what it asks for, at its beginning: Limine finds it in memory by the first four numbers. */
const PROGRAM = [
  // The request for modules, and where Limine writes the address of its answer.
  "888b4cdf30ddb1c7 7bf094a183e8820a af32be0297277e3e ee0c28d13b4f1cca 0000000000000000 0000000000000000",
  // entry: cld; rbx = the answer; without one: stop
  "fc 488b1df0ffffff 4885db 743d",
  // "modules ", the count that stands 8 bytes into the answer
  "488d357a000000 e83b000000 488b4308 e851000000",
  // ", bytes ", the size that stands 16 bytes into the first of the files that the answer points to, and a new line
  "488d356e000000 e826000000 488b7b10 488b3f 488b4710 e835000000 488d355b000000 e80a000000",
  // stop: out 0xf4, 1; hlt; again
  "66baf400 b001 ee f4 ebf6",
  // words: letters from rsi up to a zero
  "ac 84c0 7419 e802000000 ebf4",
  // letter: waits until the port takes one, and gives it al
  "88c1 66bafd03 ec a820 74fb 88c8 66baf803 ee c3",
  // number: rax in decimal
  "31d2 b90a000000 48f7f1 80c230 52 4885c0 7405 e8e8ffffff 58 ebd2",
  // the words
  "6d6f64756c65732000 2c20627974657320000a00",
];
const ENTRY = 0x30;

/** Where it is to lie in memory and in its file. */
const ADDRESS = 0xffff_ffff_8000_0000n;
const OFFSET = 0x1000;

export interface KernelParts {
  readonly address?: bigint;
  /** 2: stands where it says; 3: can be put anywhere. */
  readonly type?: number;
  readonly machine?: number;
  readonly segments?: number;
  readonly fileBytes?: bigint;
}

/** ELF for x86-64 with one segment, or with some of that otherwise. */
export function tinyKernel({
  address = ADDRESS,
  type = 2,
  machine = 62,
  segments = 1,
  fileBytes,
}: KernelParts = {}): Buffer {
  const program = Buffer.from(PROGRAM.join("").replaceAll(" ", ""), "hex");
  const file = Buffer.alloc(OFFSET + program.length);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  file.writeUInt16LE(type, 16);
  file.writeUInt16LE(machine, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt.asUintN(64, address + BigInt(ENTRY)), 24);
  file.writeBigUInt64LE(64n, 32);
  file.writeUInt16LE(64, 52);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(segments, 56);
  file.writeUInt32LE(1, 64);
  file.writeUInt32LE(7, 68);
  file.writeBigUInt64LE(BigInt(OFFSET), 72);
  file.writeBigUInt64LE(address, 80);
  file.writeBigUInt64LE(address, 88);
  file.writeBigUInt64LE(fileBytes ?? BigInt(program.length), 96);
  file.writeBigUInt64LE(BigInt(program.length), 104);
  file.writeBigUInt64LE(0x1000n, 112);
  file.set(program, OFFSET);
  return file;
}
