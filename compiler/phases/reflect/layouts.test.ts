import { expect, test } from "vitest";
import { encodeStructArguments, findParamLayout, readStructArguments } from "../../../engine/lib/policy/index.ts";
import { layOut, type StoredParam } from "../../../engine/lib/policy/testing/laid-out.ts";
import { tool } from "../../../engine/lib/policy/testing/sample.ts";
import { compileSchemas } from "./schema-compiler.ts";
import { reflectStandard } from "./standard.ts";
import { type MethodDescription, reflectInterfaces } from "./tools.ts";

const SCHEMA = `
  @0xd3807a61ee95bc05;
  enum Kind { plain @0; rich @1; }
  struct Entry(T) { name @0 :Text; value @1 :T; score @2 :Float32 = 1.5; }
  struct Placed { on @0 :Bool; at :group { x @1 :Int16; label @2 :Text; y @3 :Int64 = -7; } off @4 :Bool = true; }
  interface Sample {
    put @0 (kind :Kind = rich, small :UInt8, wide :Int64, entries :List(Entry(Text)), placed :Placed, flag :Bool) -> ();
    named @1 (name :Text = "x") -> ();
    none @2 () -> ();
    said @3 (name :Text = "", count :UInt8) -> ();
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

test("a method has the layout that the schema's compiler gave its parameters: groups, defaults, type parameters", async () => {
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

test("arguments come back of their message, and those that have their default are left out", async () => {
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

test("a default behind a pointer leaves a method without a layout; no parameters need none", async () => {
  const [, named, none, said] = await reflectSample();
  expect(named).toMatchObject({ callable: true, name: "named" });
  expect(findParamLayout(toolOf(named))).toBeUndefined();
  expect(findParamLayout(toolOf(none))).toBeDefined();
  // An empty text reads like no pointer at all, so that nothing is lost.
  const message = encodeStructArguments(toolOf(said), { count: 3 });
  expect(message.ok && readStructArguments(toolOf(said), message.value)).toEqual({ ok: true, value: '{"count":3}' });
});

test("every tool of the standard library takes messages, by the layouts that programs hold", () => {
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

test("the random tools of tests are laid out as the compiler does it", async () => {
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
