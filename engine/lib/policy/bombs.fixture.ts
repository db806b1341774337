// Reads hostile input in a separate program, and prints how much time and memory this took. Inside the test runner, the
// memory of the runner itself would be counted too.

import { readFileSync } from "node:fs";
import { Manifest } from "../wire/generated/manifest.ts";
import { decodeMessage, encodeMessage } from "../wire/index.ts";
import { readTables } from "./tables.ts";

/** Returns a list pointer as a number; its offset counts words from the word after the pointer. */
const list = (from: number, to: number, elements: number, count: number): bigint =>
  BigInt.asUintN(32, BigInt(to - from - 1) << 2n) | 1n | (BigInt(elements) << 32n) | (BigInt(count) << 35n);

const DATA = 4;
const POINTERS = 12;

/** Returns a message whose root has only pointers to lists of empty structs, each list with half a billion of them. */
function makeEmptyLists(version: number): Uint8Array {
  const words: bigint[] = [(BigInt(DATA) << 32n) | (BigInt(POINTERS) << 48n), BigInt(version), 0n, 0n, 0n];
  const tag = 1 + DATA + POINTERS;
  for (let at = 1 + DATA; at < tag; at++) words.push(list(at, tag, 7, 0));
  words.push(BigInt.asUintN(32, 0x1fff_ffffn << 2n));
  return encodeWords(words);
}

/** Returns a message whose root has only pointers to one list: a thousand pointers to one text of a mebibyte. */
function makeSharedText(version: number): Uint8Array {
  const words: bigint[] = [(BigInt(DATA) << 32n) | (BigInt(POINTERS) << 48n), BigInt(version), 0n, 0n, 0n];
  const listAt = 1 + DATA + POINTERS;
  const textAt = listAt + 1000;
  for (let at = 1 + DATA; at < listAt; at++) words.push(list(at, listAt, 6, 1000));
  for (let at = listAt; at < textAt; at++) words.push(list(at, textAt, 2, 1024 * 1024 + 1));
  const text = Array.from({ length: 128 * 1024 }, () => 0x6161616161616161n);
  return encodeWords([...words, ...text, 0n]);
}

function encodeWords(words: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(8 + words.length * 8);
  new DataView(bytes.buffer).setUint32(4, words.length, true);
  bytes.set(new Uint8Array(BigUint64Array.from(words).buffer), 8);
  return bytes;
}

/** Returns a manifest of 100,000 services, as a writer without limits would write it. */
function makeManyServices(): Uint8Array {
  const none = decodeMessage(Manifest, encodeWords([0n]));
  if (!none.ok) throw new Error(none.reason);
  const process = { ...makeEmptyProcess(), uid: 2000 };
  return encodeMessage(Manifest, {
    ...none.value,
    schemaVersion: 2,
    processes: Array.from({ length: 100_000 }, () => process),
  });
}

function makeEmptyProcess(): Manifest["processes"][number] {
  const words = [(BigInt(DATA) << 32n) | (BigInt(POINTERS) << 48n), 0n, 0n, 0n, 0n];
  const tag = 1 + DATA + POINTERS;
  for (let at = 1 + DATA; at < tag; at++) words.push(at === 1 + DATA + 5 ? list(at, tag, 7, 1) : 0n);
  const read = decodeMessage(Manifest, encodeWords([...words, (1n << 2n) | (1n << 32n), 0n]));
  const [process] = read.ok ? read.value.processes : [];
  if (process === undefined) throw new Error("a manifest of one process that says nothing");
  return process;
}

const KINDS: Readonly<Record<string, () => Uint8Array>> = {
  "lists of no size": () => makeEmptyLists(2),
  "one text again and again": () => makeSharedText(2),
  "100,000 services": makeManyServices,
};

const READERS: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  manifest: (bytes) => decodeMessage(Manifest, bytes).ok,
  tables: (bytes) => readTables(bytes).ok,
};

const [kind = "", reader = ""] = process.argv.slice(2);
const [make, read] = [KINDS[kind], READERS[reader]];
if (make === undefined || read === undefined) throw new Error(`${kind} ${reader}`);
const bytes = make();
global.gc?.();
const before = { memory: process.memoryUsage().rss, time: process.cpuUsage() };
const isTaken = read(bytes);
const { user, system } = process.cpuUsage(before.time);
// Read the peak memory from VmHWM: the maximum in the resource usage would include the parent's memory at the start of this program.
const [, peakKib = ""] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
const mebibytes = (Number.parseInt(peakKib, 10) * 1024 - before.memory) / (1024 * 1024);
process.stdout.write(JSON.stringify({ isTaken, seconds: (user + system) / 1e6, mebibytes }));
