import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { encodeStructArguments, findParamLayout, readStructArguments } from "../../../engine/lib/arguments/index.ts";
import { layOut, type StoredParam } from "../../../engine/lib/arguments/testing/laid-out.ts";
import { tool } from "../../../engine/lib/policy/testing/sample.ts";
import { compileSchemas } from "./schema-compiler.ts";
import { reflectStandard } from "./standard.ts";
import { type MethodDescription, reflectInterfaces } from "./tools.ts";

const SCHEMA = `
  @0xd3807a61ee95bc05;
  enum Kind { plain @0; rich @1; }
  struct Entry(T) { name @0 :Text; value @1 :T; score @2 :Float32 = 1.5; }
  struct Placed { on @0 :Bool; at :group { x @1 :Int16; label @2 :Text; y @3 :Int64 = -7; } off @4 :Bool = true; }
  struct Args {
    note @0 :Text; small @1 :Int8; on @2 :Bool; kind @3 :Kind; wide @4 :UInt32; ratio @5 :Float64;
    rows @6 :List(Entry(Text)); placed @7 :Placed; bits @8 :List(Bool); words @9 :List(List(Text)); last @10 :UInt16;
  }
  interface Sample {
    put @0 (kind :Kind = rich, small :UInt8, wide :Int64, entries :List(Entry(Text)), placed :Placed, flag :Bool) -> ();
    named @1 (name :Text = "x") -> ();
    none @2 () -> ();
    said @3 (name :Text = "", count :UInt8) -> ();
    placeAll @4 Args -> ();
  }`;

async function reflectSample(): Promise<readonly MethodDescription[]> {
  const compiled = await compileSchemas(new Map([["a.capnp", SCHEMA]]), ["a.capnp"]);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.complaints));
  return reflectInterfaces(compiled.request).flatMap(({ description }) => description.methods);
}

function toolOf(method: MethodDescription | undefined) {
  if (method?.callable !== true) throw new Error(JSON.stringify(method));
  return tool("sample.put", { params: method.params, ...(method.layout && { layout: method.layout }) });
}

test("a method has the layout of its parameters from the schema compiler, including groups, defaults and type parameters", async () => {
  const [put] = await reflectSample();
  expect(put?.callable === true && put.layout).toEqual({
    dataWords: 2,
    pointers: 2,
    places: [
      { offset: 0, standard: 1n, which: "choice" },
      { offset: 2, standard: 0n, which: "scalar", scalar: "uint8" },
      { offset: 1, standard: 0n, which: "scalar", scalar: "int64" },
      {
        offset: 0,
        standard: 0n,
        which: "list",
        list: {
          offset: 0,
          standard: 0n,
          which: "record",
          record: {
            dataWords: 1,
            pointers: 2,
            places: [
              { offset: 0, standard: 0n, which: "text" },
              { offset: 1, standard: 0n, which: "text" },
              { offset: 0, standard: 0x3fc00000n, which: "scalar", scalar: "float32" },
            ],
          },
        },
      },
      {
        offset: 1,
        standard: 0n,
        which: "record",
        record: {
          dataWords: 2,
          pointers: 1,
          places: [
            { offset: 0, standard: 0n, which: "scalar", scalar: "bool" },
            {
              offset: 0,
              standard: 0n,
              which: "group",
              group: {
                dataWords: 2,
                pointers: 1,
                places: [
                  { offset: 1, standard: 0n, which: "scalar", scalar: "int16" },
                  { offset: 0, standard: 0n, which: "text" },
                  { offset: 1, standard: 0xffff_ffff_ffff_fff9n, which: "scalar", scalar: "int64" },
                ],
              },
            },
            { offset: 1, standard: 1n, which: "scalar", scalar: "bool" },
          ],
        },
      },
      { offset: 24, standard: 0n, which: "scalar", scalar: "bool" },
    ],
  });
});

test("reading a message gives the arguments that were written, without arguments that have their default value", async () => {
  const [put] = await reflectSample();
  const args = {
    small: 200,
    wide: -5,
    entries: [
      { name: "a", value: "b", score: 2.5 },
      { name: "", value: "" },
    ],
    placed: { on: true, at: { x: -2, label: "here" }, off: false },
    flag: true,
  };
  const message = encodeStructArguments(toolOf(put), args);
  const read = message.ok ? readStructArguments(toolOf(put), message.value) : message;
  expect(read.ok ? JSON.parse(read.value) : read).toEqual(args);
});

const folder = mkdtempSync(join(tmpdir(), "capc-layouts-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Encodes JSON as a message with Cap'n Proto's own program (Debian: capnproto), which does not canonicalize it. */
function writeNatively(json: string): Uint8Array {
  const file = join(folder, "a.capnp");
  writeFileSync(file, SCHEMA);
  const run = spawnSync("capnp", ["convert", "--quiet", "json:flat", file, "Args"], { input: json });
  if (run.error !== undefined || run.status !== 0) throw new Error(`capnp convert: ${run.error ?? run.stderr}`);
  return run.stdout;
}

const word = fc.string({ maxLength: 8 });
const native = fc.record(
  {
    note: word,
    small: fc.integer({ min: -128, max: 127 }),
    on: fc.boolean(),
    kind: fc.constantFrom("plain", "rich"),
    wide: fc.nat(2 ** 32 - 1),
    ratio: fc.constantFrom(0, 0.5, -3.25, 1e6),
    rows: fc.array(fc.record({ name: word, value: word, score: fc.constantFrom(0, 2.5) }, { noNullPrototype: true })),
    placed: fc.record(
      { on: fc.boolean(), at: fc.record({ x: fc.integer({ min: -9, max: 9 }), label: word, y: fc.nat(9) }) },
      { noNullPrototype: true },
    ),
    bits: fc.array(fc.boolean(), { maxLength: 70 }),
    words: fc.array(fc.array(word, { maxLength: 3 }), { maxLength: 3 }),
    last: fc.nat(65_535),
  },
  { noNullPrototype: true },
);

test("property: a message that Cap'n Proto's own program writes from JSON is read as the same JSON", async () => {
  const method = (await reflectSample()).find(({ name }) => name === "placeAll");
  const made = toolOf(method);
  fc.assert(
    fc.property(native, (json) => {
      const read = readStructArguments(made, writeNatively(JSON.stringify(json)));
      expect(read.ok ? JSON.parse(read.value) : read).toEqual(json);
    }),
    { numRuns: 15 },
  );
});

test("a method has no layout if a pointer field has a default other than an empty text, but a method without parameters has a layout", async () => {
  const [, named, none, said] = await reflectSample();
  expect(named).toMatchObject({ callable: true, name: "named" });
  expect(findParamLayout(toolOf(named))).toBeUndefined();
  expect(findParamLayout(toolOf(none))).toBeDefined();
  // A missing pointer is read as an empty text, so a default of "" changes nothing.
  const message = encodeStructArguments(toolOf(said), { count: 3 });
  expect(message.ok && readStructArguments(toolOf(said), message.value)).toEqual({ ok: true, value: '{"count":3}' });
});

test("the programs of the image contain a layout for every tool of the standard library", () => {
  const library = reflectStandard().filter(({ file }) => file === "tools.capnp");
  const without = library.flatMap(({ id, name, methods }) =>
    methods.flatMap((method) => {
      if (!method.callable) return [];
      expect(method.layout).toBeUndefined();
      const made = tool("a.b", { interfaceId: id, method: method.ordinal, params: method.params });
      return findParamLayout(made) === undefined ? [`${name}.${method.name}`] : [];
    }),
  );
  expect(library.length).toBeGreaterThan(10);
  expect(without).toEqual([]);
});

test("the layout of a random tool equals the layout that the Cap'n Proto compiler gives to the same parameters", async () => {
  const [put] = await reflectSample();
  const type = { which: "boolean" } as const;
  const scalar = (kind: StoredParam["scalar"]) => ({ type, which: "scalar" as const, scalar: kind, standard: 0n });
  const params = [
    { ...scalar("uint16"), name: "kind" },
    { ...scalar("uint8"), name: "small" },
    { ...scalar("int64"), name: "wide" },
    { ...scalar("bool"), name: "flag" },
  ].map((one) => ({ ...one, required: true }));
  const compiled = put?.callable === true ? put.layout?.places : undefined;
  const known = compiled?.filter(({ which }) => which === "scalar" || which === "choice").map(({ offset }) => offset);
  expect(layOut(params as readonly StoredParam[]).places.map(({ offset }) => offset)).toEqual(known);
});
