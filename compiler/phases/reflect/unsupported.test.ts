import { expect, test } from "vitest";
import { renderModule } from "./module-text.ts";
import { readRequest } from "./request.ts";
import { compileSchemas } from "./schema-compiler.ts";

const refused: readonly (readonly [schema: string, reason: string])[] = [
  ["struct A { a @0 :AnyPointer; }", "A.a is an AnyPointer, whose shape is not known"],
  ["struct A(T) { a @0 :T; }", "A has type parameters"],
  ['struct A { a @0 :Text = "x"; }', "A.a has a default that is not a number"],
  ["struct A { a @0 :A; }", "A always holds itself: it would have no end"],
  ["struct A { a @0 :B; } struct B { a @0 :A; }", "B always holds itself: it would have no end"],
  ["struct A { union { a @0 :A; b @1 :Void; } }", "A always holds itself: it would have no end"],
  ["struct A { g :group { a @0 :A; } }", "A always holds itself: it would have no end"],
  ["struct A { a @0 :List(B); } interface B {}", "A.a is a list of capabilities"],
  ["interface A {} interface B extends(A) {}", "B extends another interface"],
  ["struct A { which @0 :Text; }", "A.which has the name that tells the members of a union apart"],
  ["struct AB {} struct A { struct B {} }", "two declarations would both be named AB"],
];

const taken = [
  "struct A { a @0 :List(A); }",
  "struct A { union { b @0 :Void; a @1 :A; } }",
  "struct A { n @0 :Int32 = -5; l @1 :UInt64 = 0xffffffffffffffff; f @2 :Float64 = 1.5; b @3 :Bool = true; }",
  "struct A { c @0 :B; } interface B { m @0 A -> A; }",
];

/** Compiles all schemas in one run, each in a file of its own. */
async function requestOf(schemas: readonly string[]) {
  const sources = schemas.map((schema, at) => [`a${at}.capnp`, `@0xd3807a61ee95bc${16 + at}; ${schema}`] as const);
  const compiled = await compileSchemas(
    new Map(sources),
    sources.map(([name]) => name),
  );
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.complaints));
  return readRequest(compiled.request);
}

test("a schema that the generated types cannot represent is refused with the reason", async () => {
  const request = await requestOf(refused.map(([schema]) => schema));
  for (const [at, [schema, reason]] of refused.entries()) {
    expect(renderModule(request, `a${at}.capnp`, "../layout.ts"), schema).toEqual({
      ok: false,
      reason: `a${at}.capnp: ${reason}`,
    });
  }
});

test("code is generated for a schema without unbounded recursion", async () => {
  const request = await requestOf(taken);
  for (const [at, schema] of taken.entries())
    expect(renderModule(request, `a${at}.capnp`, "../layout.ts").ok, schema).toBe(true);
});
