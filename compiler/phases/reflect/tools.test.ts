import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { compileSchemas } from "./schema-compiler.ts";
import { reflectStandard } from "./standard.ts";
import { type MethodDescription, reflectTools } from "./tools.ts";

async function methodsOf(schema: string): Promise<readonly MethodDescription[]> {
  const compiled = await compileSchemas(new Map([["a.capnp", `@0xd3807a61ee95bc05; ${schema}`]]), ["a.capnp"]);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.complaints));
  return reflectTools(compiled.request).flatMap((one) => one.methods);
}

let method: Promise<MethodDescription & { readonly callable: true }> | undefined;
/** Returns a method of the schema `everything`. The schema is compiled only once. */
function everyType(): Promise<MethodDescription & { readonly callable: true }> {
  method ??= callable(everything);
  return method;
}

async function callable(schema: string): Promise<MethodDescription & { readonly callable: true }> {
  const [method] = await methodsOf(schema);
  if (method?.callable !== true) throw new Error(JSON.stringify(method));
  return method;
}

function standardMethod(interfaceName: string, name: string): MethodDescription & { readonly callable: true } {
  const found = reflectStandard().find((one) => one.name === interfaceName);
  const method = found?.methods.find((one) => one.name === name);
  if (method?.callable !== true) throw new Error(`${interfaceName}.${name} is not callable`);
  return method;
}

test("a type parameter is replaced by its argument in every use of a struct", async () => {
  const schema = `
    struct Box(T) { value @0 :T; inner :group { one @1 :T; } }
    struct Pair(A, B) { a @0 :Box(A); b @1 :Box(B); }
    struct Node { box @0 :Box(Node); }
    struct Outer(T) { struct Held { it @0 :T; } }
    interface Ledger(Key) {
      pay @0 (of :Pair(Text, Box(Text))) -> (held :Outer(Text).Held);
      keep @1 (of :Box(Key)) -> ();
      any @2 (of :Box) -> ();
      loop @3 (of :Node) -> ();
      each @4 [T] (of :T) -> ();
      count @5 () -> (n :Bool);
    }`;
  const said = (await methodsOf(schema)).map((one) => [one.name, one.callable ? one.params : one.reason]);
  const text = { which: "text", text: { maxBytes: 131_072 } };
  const boxed = (type: object) => ({
    which: "record",
    record: [
      { name: "value", required: true, type },
      { name: "inner", required: true, type: { which: "record", record: [{ name: "one", required: true, type }] } },
    ],
  });
  expect(said).toEqual([
    ["pay", "parameter of: b: value: Box holds itself, and a list of arguments must have an end"],
    ["keep", "parameter of: value: nothing says which type stands for a type parameter"],
    ["any", "parameter of: value: nothing says which type stands for a type parameter"],
    ["loop", "parameter of: box: value: Node holds itself, and a list of arguments must have an end"],
    ["each", "parameter of: nothing says which type stands for a type parameter"],
    ["count", []],
  ]);
  const flat = schema.replace("Pair(Text, Box(Text))", "Pair(Text, List(Bool))");
  const [pay] = await methodsOf(flat);
  const pair = [
    { name: "a", required: true, type: boxed(text) },
    { name: "b", required: true, type: boxed({ which: "list", list: { which: "boolean" } }) },
  ];
  expect(pay).toMatchObject({
    params: [{ name: "of", required: true, type: { which: "record", record: pair } }],
    results: [{ name: "held", type: { which: "record", record: [{ name: "it", type: text }] } }],
  });
});

test("the tools of the standard library have their descriptions, ids and schemas", () => {
  const files = reflectStandard().find((one) => one.name === "Files");
  expect(files).toMatchObject({ id: 0x8c2950b4690cf4b0n, file: "tools.capnp" });
  expect(files?.doc).toBe("A directory of files. Paths are relative to the directory that was granted.");
  expect(files?.methods.map(({ ordinal, name, doc }) => [ordinal, name, doc])).toEqual([
    [
      0,
      "read",
      "Read a text file, or some of its lines: from this one to that one, both included. The first line is 1.",
    ],
    [1, "list", "List the names in a directory. Directories end with a slash."],
    [2, "write", "Write a text file, replacing what it held."],
    [3, "delete", "Delete a file. It cannot be brought back."],
  ]);
  expect(standardMethod("Files", "read")).toMatchObject({
    params: [
      { name: "path", type: { which: "text", text: { maxBytes: 131_072 } }, required: true },
      ...["from", "to"].map((name) => ({
        name,
        type: { which: "integer", integer: { low: 0n, high: 4_294_967_295n } },
        required: false,
      })),
    ],
    paramSchema:
      '{"additionalProperties":false,"properties":{"from":{"maximum":4294967295,"minimum":0,"type":"integer"},"path":{"maxLength":131072,"type":"string"},"to":{"maximum":4294967295,"minimum":0,"type":"integer"}},"required":["path"],"type":"object"}',
    resultSchema:
      '{"additionalProperties":false,"properties":{"content":{"maxLength":131072,"type":"string"}},"required":["content"],"type":"object"}',
  });
});

test("every schema of every callable standard method compiles in Ajv's strict mode", () => {
  const callables = reflectStandard().flatMap((one) => one.methods.filter((method) => method.callable));
  expect(callables.length).toBeGreaterThan(10);
  for (const method of callables) {
    const ajv = new Ajv2020({ strict: true });
    expect(() => ajv.compile(JSON.parse(method.paramSchema))).not.toThrow();
    expect(() => ajv.compile(JSON.parse(method.resultSchema))).not.toThrow();
  }
});

const everything = `
enum Colour { red @0; green @1; }
struct Inner { small @0 :Int8; deep @1 :List(List(UInt16)); }
interface A { m @0 (flag :Bool, i8 :Int8, u8 :UInt8, i16 :Int16, u16 :UInt16, i32 :Int32, u32 :UInt32, i64 :Int64,
  u64 :UInt64, f :Float64, t :Text, c :Colour, l :List(Text), s :Inner, o :UInt32 = 5) -> (); }`;

const good = {
  flag: true,
  i8: -128,
  u8: 255,
  i16: -32768,
  u16: 65535,
  i32: -2147483648,
  u32: 4294967295,
  i64: -9007199254740991,
  u64: 9007199254740991,
  f: 0.5,
  t: "text",
  c: "green",
  l: ["a"],
  s: { small: 1, deep: [[1], []] },
};

const { flag: _, ...withoutFlag } = good;

test.each([
  ["all fields at their bounds", good, true],
  ["all fields and the optional one", { ...good, o: 7 }, true],
  ["a missing field", withoutFlag, false],
  ["an additional field", { ...good, x: 1 }, false],
  ["an Int8 of 128", { ...good, i8: 128 }, false],
  ["a UInt8 of -1", { ...good, u8: -1 }, false],
  ["an Int16 of -32769", { ...good, i16: -32769 }, false],
  ["a UInt32 of 2^32", { ...good, u32: 4294967296 }, false],
  ["an Int64 that JSON cannot hold exactly", { ...good, i64: -9007199254740992 }, false],
  ["a UInt64 that JSON cannot hold exactly", { ...good, u64: 9007199254740992 }, false],
  ["an integer with a fraction", { ...good, u16: 1.5 }, false],
  ["a number as text", { ...good, u16: "1" }, false],
  ["an unknown name of an enum", { ...good, c: "blue" }, false],
  ["an element of another type", { ...good, l: [1] }, false],
  ["an additional field of a nested record", { ...good, s: { small: 1, deep: [], x: 1 } }, false],
  ["a broken bound in a nested list", { ...good, s: { small: 1, deep: [[65536]] } }, false],
  ["a text that is too long", { ...good, t: "x".repeat(131_073) }, false],
  ["null instead of a text", { ...good, t: null }, false],
  ["a list instead of an object", [], false],
] as const)(
  "with a method's JSON Schema, Ajv accepts valid arguments and refuses invalid arguments: %s",
  async (_what, value, accepted) => {
    const method = await everyType();
    expect(new Ajv2020({ strict: true }).compile(JSON.parse(method.paramSchema))(value)).toBe(accepted);
  },
);

test("the types of the parameters are equivalent to the JSON Schema of the method", async () => {
  const { params } = await everyType();
  const types = Object.fromEntries(params.map(({ name, type, required }) => [name, { type, required }]));
  expect(types).toMatchObject({
    i8: { type: { which: "integer", integer: { low: -128n, high: 127n } }, required: true },
    u64: { type: { which: "integer", integer: { low: 0n, high: 9007199254740991n } } },
    c: { type: { which: "choice", choice: ["red", "green"] } },
    l: { type: { which: "list", list: { which: "text" } } },
    s: { type: { which: "record", record: [{ name: "small" }, { name: "deep", type: { which: "list" } }] } },
    o: { required: false },
  });
});

test("comments of fields become descriptions, with wrapped lines as one paragraph", async () => {
  const { paramSchema } = await callable(
    "struct P { a @0 :Text;\n# One line\n# and another.\n}\ninterface A { m @0 (p :P) -> (); }",
  );
  expect(paramSchema).toContain('"a":{"description":"One line and another.","maxLength":131072,"type":"string"}');
});

test.each([
  [
    "struct T { l @0 :List(T); } interface A { m @0 (t :T) -> (); }",
    "parameter t: l: T holds itself, and a list of arguments must have an end",
  ],
  [
    "struct T { union { a @0 :Text; b @1 :Text; } } interface A { m @0 (t :T) -> (); }",
    "parameter t: T has a union, which arguments cannot carry yet",
  ],
  ["interface A { m @0 (d :Data) -> (); }", "parameter d: JSON has no form for Data"],
  ["interface A { m @0 () -> (a :A); }", "result a: JSON has no form for a capability"],
  ["interface A { m @0 (p :AnyPointer) -> (); }", "parameter p: JSON has no form for AnyPointer"],
  ["interface A { m @0 (v :List(Void)) -> (); }", "parameter v: JSON has no form for Void"],
])("%s is not a tool, and the reason is given", async (schema, reason) => {
  expect(await methodsOf(schema)).toMatchObject([{ callable: false, reason }]);
});
