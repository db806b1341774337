// Tests with untrusted bytes. The import must end soon, either with a page that builds an equal manifest, or with a
// refusal that names a path.

import fc from "fast-check";
import { expect, test } from "vitest";
import { FIRST_DECISION, readTables } from "../../../../engine/lib/policy/index.ts";
import { PolicyTables } from "../../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../../engine/lib/wire/index.ts";
import type { CueValue, SystemManifest } from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import {
  createUpstreamManifest,
  encodeUpstreamManifest,
  TABLES_BINARY,
} from "../../../../targets/capos-native/index.ts";
import { compileExample, encodeTables } from "../../../dev/golden/golden.ts";
import { importUpstream, MOST_MANIFEST_BYTES } from "./index.ts";

const { policy } = await compileExample("upstream-capos");
const MEANT = createUpstreamManifest(policy, encodeTables(policy));
const BYTES = encodeUpstreamManifest(MEANT);

async function told(bytes: Uint8Array): Promise<string> {
  const imported = await importUpstream("manifest.bin", bytes, "read");
  return imported.ok ? "" : imported.diagnostics.map(({ code, message }) => `${code} ${message}`).join("\n");
}

const inConfig = (value: CueValue): SystemManifest => ({
  ...MEANT,
  initConfig: {
    which: "fields",
    fields: [...(MEANT.initConfig.which === "fields" ? MEANT.initConfig.fields : []), { name: "more", value }],
  },
});

function nested(levels: number): CueValue {
  let value: CueValue = { which: "null" };
  for (let level = 0; level < levels; level += 1) value = { which: "list", list: [value] };
  return value;
}

/** Returns a message of one segment. Each word is given as its low half and its high half. */
function message(...words: readonly (readonly [number, number])[]): Uint8Array {
  return new Uint8Array(Uint32Array.from([0, words.length, ...words.flat()], (word) => word >>> 0).buffer);
}

/** Returns the root of a manifest. `pointer` becomes its second pointer, which leads to `initConfig`. */
const root = (pointer: readonly [number, number], ...rest: readonly (readonly [number, number])[]) =>
  message([0, 1 | (4 << 16)], [1, 0], [0, 0], pointer, [0, 0], [0, 0], ...rest);

/** Pointer to a value directly after the root. `deep` returns such a value that consists of nested lists. */
const VALUE: readonly [number, number] = [2 << 2, 2 | (1 << 16)];
const deep = (levels: number) => [
  [6, 0] as const,
  [0, 0] as const,
  ...Array.from(
    { length: levels },
    () =>
      [
        [1, 7 | (3 << 3)],
        [1 << 2, 2 | (1 << 16)],
        [6, 0],
        [0, 0],
      ] as const,
  ).flat(),
  [0, 0] as const,
];

test.each<[string, Uint8Array]>([
  ["nothing", new Uint8Array()],
  ["seven bytes", BYTES.subarray(0, 7)],
  ["half of a manifest", BYTES.subarray(0, (BYTES.length >> 4) * 8)],
  ["a manifest without its last byte", BYTES.subarray(0, -1)],
  ["a manifest with bytes after it", Buffer.concat([BYTES, new Uint8Array(8)])],
  ["a manifest of more than 5 MiB", new Uint8Array(MOST_MANIFEST_BYTES + 1)],
  ["a header of many segments", Uint8Array.of(0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0)],
  ["a value that contains itself", root([(-1 << 2) | 0, 2 | (1 << 16)])],
  ["a list that contains itself", root(VALUE, [6, 0], [0, 0], [(-3 << 2) | 1, 7 | (3 << 3)])],
  ["a list of half a billion empty elements", root(VALUE, [6, 0], [0, 0], [1, 7], [0x7ffffffc, 0])],
  ["a capability", root([3, 0])],
  ["a pointer out of the message", root([0x7ffffffc, 2 | (1 << 16)])],
  ["deep lists", root(VALUE, ...deep(10_000))],
])("%s is refused", async (_, bytes) => {
  expect(await told(bytes)).toMatch(/^not-upstream-manifest /m);
});

test.each<[string, CueValue]>([
  ["lists as deep as upstream reads them", nested(13)],
  ["a long key", { which: "fields", fields: [{ name: "k".repeat(100_000), value: { which: "null" } }] }],
  ["a long text", { which: "text", text: "\u202e\u001b[2J".repeat(20_000) }],
])("the report about %s is short and has no control characters", async (_, value) => {
  const imported = await importUpstream("manifest.bin", encodeUpstreamManifest(inConfig(value)), "read");
  if (imported.ok) throw new Error("accepted");
  const errors = imported.diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code }) => code)).toEqual(["upstream-unsayable"]);
  const shown = imported.diagnostics.map(
    ({ message, span }) => `${message} ${span.source.line(span.source.position(span.start).line)}`,
  );
  expect(shown.join("").length).toBeLessThan(5000);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: findings must not show these characters.
  expect(shown.join("")).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
});

test("a manifest that would give a larger page than allowed is refused", async () => {
  const motd = "x".repeat(2 ** 20);
  const large = { ...MEANT, kernelParams: { ...MEANT.kernelParams, motd } };
  expect(await told(encodeUpstreamManifest(large))).toMatch(/^upstream-unsayable `\$`.*1048576 bytes at most/);
});

test("a list with too many values is refused early", async () => {
  const list: CueValue[] = Array.from({ length: 100_000 }, () => ({ which: "boolean", boolean: true }));
  expect(await told(encodeUpstreamManifest(inConfig({ which: "list", list })))).toContain("more values than are taken");
});

test("short keys that contain many values are refused before they become a long report", async () => {
  let value: CueValue = {
    which: "list",
    list: Array.from({ length: 12_000 }, () => ({ which: "boolean", boolean: true })),
  };
  for (let level = 0; level < 6; level += 1)
    value = { which: "fields", fields: [{ name: "\u0007".repeat(40), value }] };
  expect(await told(encodeUpstreamManifest(inConfig(value)))).toContain("more than anybody could be told");
});

test("many cells with one long decision are refused before they become text", async () => {
  const read = readTables(encodeTables(policy));
  const [tool] = read.ok ? read.value.tools : [];
  const [decision] = read.ok ? read.value.decisions : [];
  const [clause] = decision?.clauses ?? [];
  if (!read.ok || tool === undefined || decision === undefined || clause === undefined)
    throw new Error("a decision is wanted");
  const tools = Array.from({ length: 1000 }, (_, index) => {
    const methodName = `m${1000 + index}`;
    return { ...tool, name: `${tool.provider}.${methodName}`, methodName, ordinal: index };
  });
  const made = encodeMessage(PolicyTables, {
    ...read.value,
    tools,
    decisions: [{ ...decision, clauses: Array<typeof clause>(1000).fill(clause) }],
    rows: read.value.rows.map((row) => ({ ...row, cells: tools.map(() => FIRST_DECISION) })),
  });
  expect(readTables(made)).toMatchObject({ ok: true });
  const binaries = MEANT.binaries.map((each) => (each.name === TABLES_BINARY ? { ...each, data: made } : each));
  const answer = await told(encodeUpstreamManifest({ ...MEANT, binaries }));
  expect(answer).toMatch(/^upstream-policy-unread .*its lines: a page has 1048576 bytes at most/m);
});

test("a manifest with a few changed bytes is imported, or refused with an error", async () => {
  const changes = fc.array(fc.tuple(fc.nat(BYTES.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(changes, async (all) => {
      const bytes = Uint8Array.from(BYTES);
      // Most bytes of the manifest are the program, in which any byte is valid. So only bytes before and after the
      // program are changed.
      for (const [at, byte] of all) bytes[at < 256 ? at : BYTES.length - (at % 6000) - 1] = byte;
      const imported = await importUpstream("manifest.bin", bytes, "read");
      if (!imported.ok) expect(imported.diagnostics.some(({ severity }) => severity === "error")).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test("random bytes are refused, and random names never cause a syntax error", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      expect(await told(bytes)).not.toBe("");
    }),
    { numRuns: 100 },
  );
  const word = fc.string({ unit: "binary", maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(word, word, word, async (service, motd, account) => {
      const text = (value: string): CueValue => ({ which: "text", text: value });
      const one: CueValue = {
        which: "fields",
        fields: [
          { name: "name", value: text(service) },
          { name: "binary", value: text("desk") },
        ],
      };
      const init =
        MEANT.initConfig.which === "fields" ? MEANT.initConfig.fields.filter(({ name }) => name === "init") : [];
      const [first] = MEANT.kernelParams.seedAccounts;
      if (first === undefined) throw new Error("an account is wanted");
      const manifest: SystemManifest = {
        ...MEANT,
        binaries: MEANT.binaries.filter(({ name }) => name === "desk"),
        initConfig: { which: "fields", fields: [...init, { name: "services", value: { which: "list", list: [one] } }] },
        kernelParams: { ...MEANT.kernelParams, motd, seedAccounts: [{ ...first, name: account }] },
      };
      const imported = await importUpstream("manifest.bin", encodeUpstreamManifest(manifest), "read");
      const found = imported.ok ? [] : imported.diagnostics;
      // If a name could begin a line of the page, the page would have a syntax error.
      expect(found.map(({ code }) => code)).not.toContain("syntax");
    }),
    { numRuns: 60 },
  );
});
