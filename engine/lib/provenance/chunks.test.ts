import fc from "fast-check";
import { expect, test } from "vitest";
import { SourceChunk } from "../wire/generated/conversations.ts";
import { encodeMessage } from "../wire/index.ts";
import { readChunk, restoreChunk, SOURCES_SCHEMA_VERSION, writeChunk } from "./chunks.ts";
import { addResult, addWritten } from "./results.ts";
import { SourceIndex } from "./source-index.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const NO_KEY = new Uint8Array();

function makeIndex(): SourceIndex {
  const index = new SourceIndex(KEY);
  index.add({ which: "person" }, "pay the bill of Ada, 12 euros");
  index.add({ which: "pasted" }, "https://example.com/a");
  index.add({ which: "page" }, "partner@example.com");
  const value = { rows: [{ name: "Ada", address: "ada@example.com" }] };
  addResult(index, { tool: "contacts.find", service: "contacts", integrity: 2, value, arguments: { name: "Ada" } });
  addWritten(index, "contacts", { name: "Mallory" });
  return index;
}

test("restores an index from one chunk or from several", () => {
  const index = makeIndex();
  for (const cut of [0, 2, 4]) {
    const again = new SourceIndex(KEY);
    for (const [from, most] of [
      [0, cut],
      [cut, index.documents.length],
    ] as const) {
      const part = new SourceIndex(KEY);
      for (const document of index.documents.slice(0, most))
        part.append(document, index.readDigests(document), index.readFlags(document));
      const read = readChunk(writeChunk(part, from, NO_KEY));
      if (read.ok) restoreChunk(again, read.value);
    }
    expect(again.documents).toEqual(index.documents);
    expect(again.documents.map((one) => again.readDigests(one))).toEqual(
      index.documents.map((one) => index.readDigests(one)),
    );
    expect(again.documents.map((one) => again.readFlags(one))).toEqual(
      index.documents.map((one) => index.readFlags(one)),
    );
    expect(again.openRecord()).toBeGreaterThan(Math.max(...index.documents.map(({ record }) => record)));
    expect(again.openCall()).toBeGreaterThan(Math.max(...index.documents.map(({ call }) => call)));
  }
});

test("a chunk contains the key of the index unchanged", () => {
  const read = readChunk(writeChunk(makeIndex(), 0, Uint8Array.of(1, 2, 3)));
  expect(read.ok && read.value.key).toEqual(Uint8Array.of(1, 2, 3));
});

const document = {
  origin: "person",
  tool: "",
  field: "",
  integrity: 0,
  record: 1,
  call: 0,
  digests: [1n, 2n],
  flags: Uint8Array.of(0, 3),
  isTelling: true,
} as const;

test.each([
  ["another version", { schemaVersion: 2, key: NO_KEY, documents: [] }, "schema version 2"],
  [
    "too few flags",
    { schemaVersion: SOURCES_SCHEMA_VERSION, key: NO_KEY, documents: [{ ...document, flags: Uint8Array.of(0) }] },
    "not as they were written",
  ],
  [
    "unknown flags",
    { schemaVersion: SOURCES_SCHEMA_VERSION, key: NO_KEY, documents: [{ ...document, flags: Uint8Array.of(0, 8) }] },
    "not as they were written",
  ],
  [
    "digests that are too large",
    { schemaVersion: SOURCES_SCHEMA_VERSION, key: NO_KEY, documents: [{ ...document, digests: [1n, 2n ** 52n] }] },
    "not as they were written",
  ],
])("refuses %s", (_, chunk, reason) => {
  const read = readChunk(encodeMessage(SourceChunk, chunk));
  expect(read.ok ? "" : read.reason).toContain(reason);
});

test("property: refuses or restores any bytes, and never throws", () => {
  const bytes = writeChunk(makeIndex(), 0, NO_KEY);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.nat(bytes.length), (at, value, end) => {
      const spoiled = Uint8Array.from(bytes.subarray(0, Math.max(end, at + 1)));
      spoiled[at] = value;
      const read = readChunk(spoiled);
      if (read.ok) restoreChunk(new SourceIndex(KEY), read.value);
    }),
    { numRuns: 500 },
  );
});
