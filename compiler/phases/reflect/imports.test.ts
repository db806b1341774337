import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Compiled, compile } from "../../compile.ts";
import { importing, pinned, SCHEMA_HEAD, saidBy } from "../../dev/fixtures/imports.ts";
import { createMemoryHost } from "../source/index.ts";
import { ANNOTATIONS } from "./annotations.ts";
import { compileSchemas } from "./schema-compiler.ts";

const USE = 'use capnp "ledger.capnp" as ledger';

function withSchema(schema: string, top = "", head = SCHEMA_HEAD): Promise<Compiled> {
  return pinned(importing(`${USE} ${top}`), { "/ledger.capnp": `${head} ${schema}`, "/books.js": "export default {}" });
}

/** Returns a method of an imported interface. */
async function methodOf(schema: string, name: string, top = "") {
  const compiled = await withSchema(schema, top);
  const face = compiled.model?.interfaces.find((one) => one.name === "ledger.Ledger");
  const method = face?.methods.get(name);
  if (method === undefined) throw new Error(saidBy(compiled).join("\n"));
  return method;
}

test("the ids of the annotations equal those in the standard library's schema", async () => {
  const text = readFileSync(new URL("../../../stdlib/import/annotations.capnp", import.meta.url), "utf8");
  expect((await compileSchemas(new Map([["std/annotations.capnp", text]]), ["std/annotations.capnp"])).ok).toBe(true);
  const declared = [...text.matchAll(/^annotation (\w+) @(0x[0-9a-f]+)/gm)].map(([, name, id]) => [
    name,
    BigInt(id ?? 0),
  ]);
  expect(Object.fromEntries(declared)).toEqual(ANNOTATIONS);
});

test("annotations of a schema have the same effect as facts on the page", async () => {
  const method = await methodOf(
    `interface Ledger {
      pay @0 (to :Text $Capos.meaning("path"), euros :Text $Capos.meaning("money EUR")) -> (id :Text $Capos.redact)
        $Capos.category("destructive") $Capos.label("internal .. secret/reviewed") $Capos.truncate(4096);
    }`,
    "pay",
  );
  expect(method).toMatchObject({
    category: { name: "destructive" },
    returns: { low: { confidentiality: 1 }, high: { confidentiality: 2, integrity: 1 } },
    redact: ["id"],
    truncateBytes: 4096,
  });
  expect([...method.meanings]).toEqual([
    ["to", { kind: "path" }],
    ["euros", { kind: "money", currency: "EUR" }],
  ]);
});

test("each fact on the page replaces the annotation in the schema", async () => {
  const schema = `interface Ledger {
    pay @0 (to :Text $Capos.meaning("path"), note :Text $Capos.meaning("text")) -> () $Capos.category("readOnly") $Capos.label("secret");
  }`;
  const page = `category payments : destructive
    interface ledger.Ledger { method pay : payments  arg to is url }  service books : ledger.Ledger { exec "books.js" }`;
  const method = await methodOf(schema, "pay", page);
  expect(method).toMatchObject({ category: { name: "payments" }, returns: { low: { confidentiality: 2 } } });
  expect(Object.fromEntries(method.meanings)).toEqual({ to: { kind: "url" }, note: { kind: "text" } });
});

test("limits in a schema become types that the gate checks, and rules in the schema that the model reads", async () => {
  const { description } = await methodOf(
    `interface Ledger {
      pay @0 (cents :Int64 $Capos.least(1) $Capos.most(500), memo :Text = "" $Capos.maxBytes(20), level :UInt8 $Capos.most(9))
        -> () $Capos.category("readOnly");
    }`,
    "pay",
  );
  expect(description.params).toEqual([
    { name: "cents", type: { which: "integer", integer: { low: 1n, high: 500n } }, required: true },
    { name: "memo", type: { which: "text", text: { maxBytes: 20 } }, required: false },
    { name: "level", type: { which: "integer", integer: { low: 0n, high: 9n } }, required: true },
  ]);
  expect(JSON.parse(description.paramSchema)).toMatchObject({
    properties: { cents: { minimum: 1, maximum: 500 }, memo: { maxLength: 20 } },
    required: ["cents", "level"],
  });
});

test("a method without an annotation has no category", async () => {
  const { model, diagnostics } = await withSchema("interface Ledger { pay @0 () -> (); }");
  expect(diagnostics).toEqual([]);
  expect(model?.interfaces.find((one) => one.name === "ledger.Ledger")?.methods.size).toBe(0);
});

test.each([
  [
    "a category that cannot be written on a page",
    '$Capos.category("auto *")',
    /import-fact: .*"auto \*" as the category/,
  ],
  ["a label with more text after it", '$Capos.label("secret method x : readOnly")', /import-fact: .*"secret method/],
  ["an undeclared category", '$Capos.category("payment")', /unknown-name: there is no category named `payment`/],
  ["an undeclared level", '$Capos.category("readOnly") $Capos.label("hidden")', /unknown-name: .*`hidden`/],
])("%s is an error at the import", async (_, annotations, message) => {
  const { diagnostics } = await withSchema(`interface Ledger { pay @0 () -> () ${annotations}; }`);
  expect(diagnostics.map(({ code, message: said }) => `${code}: ${said}`)).toEqual([expect.stringMatching(message)]);
  expect(diagnostics[0]?.span.source.path).toBe("system.cap");
  expect(diagnostics[0]?.related).toHaveLength(1);
});

test.each([
  ["hidden-character", "hidden characters", "interface Ledger { pay @0 () -> ();\n # Pays\u202e.\n}"],
  ["line-ends", "a line that an editor shows behind a comment", "interface Ledger { # c\r pay @0 () -> ();\n}"],
  ["line-ends", "line ends of two kinds", "interface Ledger {\r\n pay @0 () -> ();\n}"],
])(
  "%s reports a schema with %s at its position in the schema, and the whole schema is refused",
  async (code, _, schema) => {
    const { diagnostics } = await withSchema(schema);
    expect(diagnostics.map((one) => [one.code, one.span.source.path])).toEqual([[code, "ledger.capnp"]]);
    expect(diagnostics[0]?.related).toMatchObject([{ span: { source: { path: "system.cap" } } }]);
  },
);

test.each([
  ["bytes", "interface Ledger { pay @0 (blob :Data) -> (); }", "parameter blob: JSON has no form for Data"],
  ["a capability", "interface Ledger { pay @0 () -> (to :Ledger); }", "result to: JSON has no form for a capability"],
  [
    "limits that allow no value",
    "interface Ledger { pay @0 (n :UInt8 $Capos.least(300)) -> (); }",
    "parameter n: no integer of its type is at least 300 and at most 255",
  ],
  [
    "a range that ends below zero",
    "interface Ledger { pay @0 (n :Int8 $Capos.most(-1)) -> (); }",
    "parameter n: `most` is at least 0: the policy's tables hold no range that ends below zero",
  ],
  [
    "a limit for another type",
    "interface Ledger { pay @0 (n :Bool $Capos.maxBytes(3)) -> (); }",
    "parameter n: `maxBytes` is for text",
  ],
])("a method with %s is not a tool, and a warning shows its position in the schema", async (_, schema, reason) => {
  const { diagnostics } = await withSchema(schema);
  expect(diagnostics).toMatchObject([
    { code: "tool-left-out", severity: "warning", message: `\`ledger.Ledger.pay\` is not a tool: ${reason}` },
  ]);
  const [related] = diagnostics[0]?.related ?? [];
  expect(related?.span.source.path).toBe("ledger.capnp");
  expect(related?.span.source.text.slice(related.span.start, related.span.end)).toBe("pay @0");
});

test("a method that cannot be a tool is an error if the page classifies it", async () => {
  const top = "interface ledger.Ledger { method pay : readOnly }";
  const { diagnostics } = await withSchema("interface Ledger { pay @0 (blob :Data) -> (); }", top);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([{ code: "not-a-tool" }]);
});

test.each([
  ["a syntax error", "interface Ledger { pay @0 }", /^`ledger.capnp` cannot be imported: Parse error/],
  ["no interface", "struct Ledger {}", /it declares no interface/],
  ["a missing import", 'using B = import "none.capnp"; interface Ledger {}', /Import failed: none.capnp/],
  [
    "names of a missing import",
    'using B = import "b.capnp"; interface Ledger { pay @0 (n :B.N) $B.no; }',
    /Import failed: b/,
  ],
  [
    "an import of a file outside of the package",
    'using B = import "/etc/passwd"; interface Ledger {}',
    /Import failed: \/etc\/passwd/,
  ],
  ["an embedded file", 'const c :Data = embed "/etc/passwd"; interface Ledger {}', /\/etc\/passwd/],
])("a schema with %s is refused, and uses of its names are not reported again", async (_, schema, reason) => {
  const top = "interface ledger.Ledger { method pay : readOnly }  service books : ledger.Ledger {}";
  const { diagnostics } = await withSchema(schema, top);
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message)).toEqual([
    expect.stringMatching(reason),
  ]);
});

test("a method that cannot be a tool is left out, and the other methods of the schema remain", async () => {
  const schema = `interface Top { end @0 () -> (); }
    interface Base extends (Top) { close @0 () -> (); open @1 () -> (); }
    interface Ledger extends (Base) { pay @0 (n :Int32) -> (); }
    interface Box(T) { get @0 () -> (n :Int32 = 1); put @1 (it :T) -> (); }
    interface Books { count @0 () -> (n :Int32) $Capos.category("readOnly"); any @1 (of :AnyPointer, to :Base) -> (); }`;
  const { model, diagnostics } = await withSchema(schema);
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual(
    expect.arrayContaining([
      [
        "tool-left-out",
        "`ledger.Ledger.close` is not a tool: it is a method of Base, which Ledger extends, as are open",
      ],
      ["tool-left-out", "`ledger.Ledger.end` is not a tool: it is a method of Top, which Ledger extends"],
      [
        "tool-left-out",
        "`ledger.Box.put` is not a tool: parameter it: nothing says which type stands for a type parameter",
      ],
      ["tool-left-out", "`ledger.Books.any` is not a tool: parameter of: JSON has no form for AnyPointer"],
    ]),
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const books = model?.interfaces.find(({ name }) => name === "ledger.Books");
  expect([...(books?.methods.keys() ?? [])]).toEqual(["count"]);
  const lines = "interface ledger.Ledger { method pay : readOnly }  interface ledger.Box { method get : readOnly }";
  const classified = await withSchema(schema, lines);
  const codes = classified.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
  expect(codes).toEqual(["interface-without-service", "interface-without-service"]);
  const put = await withSchema(schema, "interface ledger.Box { method put : readOnly }");
  expect(put.diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([{ code: "not-a-tool" }]);
});

const OTHER = "@0xf81d4b0c2e6a9358; struct Amount { euros @0 :Int32; }";

test("an absolute path in a schema is resolved from the nearest parent folder that has the file", async () => {
  const page = importing('use capnp "src/ours/ledger.capnp" as ledger');
  const schema = `${SCHEMA_HEAD} using Money = import "/money/amount.capnp"; using Near = import "amount.capnp";
    interface Ledger { pay @0 (of :Money.Amount) -> () $Capos.category("readOnly"); }`;
  const near = OTHER.replace("euros", "cents").replace("9358", "9359");
  const files = { "/src/ours/ledger.capnp": schema, "/src/ours/amount.capnp": near };
  const nameOf = async (more: Readonly<Record<string, string>>) => {
    const { model, diagnostics } = await pinned(page, { ...files, ...more });
    const method = model?.interfaces.find(({ name }) => name === "ledger.Ledger")?.methods.get("pay");
    const [type] = method?.description.params.map((param) => param.type) ?? [];
    return type?.which === "record" ? type.record.map(({ name }) => name) : diagnostics.map(({ message }) => message);
  };
  const far = { "/money/amount.capnp": OTHER };
  expect(await nameOf(far)).toEqual(["euros"]);
  expect(await nameOf({ ...far, "/src/money/amount.capnp": OTHER.replace("euros", "francs") })).toEqual(["francs"]);
  expect(await nameOf({})).toEqual([expect.stringContaining("Import failed: /money/amount.capnp")]);
});

test("a folder of the package cannot replace a path of the standard library, and paths cannot leave the package", async () => {
  const annotations = { "/std/annotations.capnp": "this is not read" };
  const schema = `${SCHEMA_HEAD} interface Ledger { pay @0 () -> () $Capos.category("readOnly"); }`;
  const compiled = await pinned(importing(USE), { "/ledger.capnp": schema, ...annotations });
  expect(compiled.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const out = `${SCHEMA_HEAD} using Out = import "/../b.capnp"; interface Ledger {}`;
  const files = { "/package/system.cap": importing(USE), "/package/ledger.capnp": out, "/b.capnp": OTHER };
  const { diagnostics } = await compile(createMemoryHost(files), "/package/system.cap", { purpose: "check" });
  expect(diagnostics.map(({ code }) => code)).toEqual(["outside-package"]);
});

test("the error for a missing import of a schema explains how to import files", async () => {
  const { diagnostics } = await withSchema('using B = import "/capos.capnp"; interface Ledger {}');
  const [failed] = diagnostics.filter(({ code }) => code === "import-invalid");
  expect(failed?.help).toContain("`/std/annotations.capnp`");
});

test("the error for an unknown interface of an import lists its interfaces", async () => {
  const schema = 'interface Ledger { pay @0 () -> () $Capos.category("readOnly"); }';
  const { diagnostics } = await withSchema(schema, "service books : ledger.Tresor {}");
  expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
    { code: "unknown-name", help: "write `ledger.Ledger`" },
  ]);
});

test("a schema outside of the package is not read", async () => {
  const files = {
    "/package/system.cap": importing(USE),
    "/package/ledger.capnp": `${SCHEMA_HEAD} using B = import "../b.capnp"; interface Ledger {}`,
    "/b.capnp": "@0xf81d4b0c2e6a9358;",
  };
  const { diagnostics } = await compile(createMemoryHost(files), "/package/system.cap", { purpose: "check" });
  expect(diagnostics.map(({ code }) => code)).toEqual(["outside-package"]);
  expect(diagnostics[0]?.related[0]?.span.source.path).toBe("ledger.capnp");
});

const LIST = JSON.stringify({
  tools: [
    {
      name: "get",
      inputSchema: { properties: { n: { type: "integer" }, any: {} } },
      annotations: { readOnlyHint: true },
    },
    { name: "list.all" },
  ],
});

test("a list of tools becomes an interface, and hints of the server do not classify tools", async () => {
  const page = importing('use mcp "github.json" as github  interface github.Tools {}');
  const compiled = await pinned(page, { "/github.json": LIST });
  const face = compiled.model?.interfaces.find(({ name }) => name === "github.Tools");
  expect(face?.methods.size).toBe(0);
  expect(face?.hints?.get("get")).toEqual({ readOnly: true, destructive: undefined });
  expect(saidBy(compiled)).toEqual([
    "limit-unchecked: the gate's checks of `github.Tools.get` differ from the list of the server: `any` (any JSON is taken)",
    expect.stringMatching(
      /^tool-renamed: the page names the server's tool `list.all` differently: `github.Tools.list_all_[0-9a-f]{8}`$/,
    ),
  ]);
});

test.each([
  ["twice", 'use mcp "a.json" as github  use mcp "b.json" as github', "`a.json` has this name already"],
  ["with an upper-case letter", 'use mcp "a.json" as Github', "it begins with a lower-case letter"],
  ["with the name of a module", 'use mcp "a.json" as tools', "the standard library has this name"],
])("an alias %s is refused", async (_, uses, reason) => {
  const { diagnostics } = await pinned(importing(uses), { "/a.json": LIST, "/b.json": LIST });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors).toMatchObject([{ code: "import-name", message: expect.stringContaining(reason) }]);
});

test("an import that two pages share is imported once", async () => {
  const files = { "/part.cap": 'use mcp "a.json" as github', "/a.json": LIST };
  const { diagnostics } = await pinned(importing('use "part.cap"  use mcp "./a.json" as github'), files);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

const LIBRARY = new URL("../../../stdlib/import/", import.meta.url);

test("a schema may import files of Cap'n Proto and of its language bindings, with all their own imports", async () => {
  const files = readdirSync(LIBRARY, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".capnp"));
  const theirs = files.filter((name) => name !== "annotations.capnp").sort();
  expect(theirs).toContain("capnp/c++.capnp");
  expect(theirs.length).toBe(12);
  for (const file of theirs) {
    const compiled = await withSchema(
      "interface Ledger { pay @0 () -> (); }",
      "",
      `${SCHEMA_HEAD} using Other = import "/${file}";`,
    );
    expect([file, saidBy(compiled).filter((line) => line.includes("import-invalid"))]).toEqual([file, []]);
    expect(compiled.model?.interfaces.map(({ name }) => name)).toContain("ledger.Ledger");
  }
});

test("annotations for other languages are ignored, and the method can still be a tool", async () => {
  const head = `@0xb7a1c3d2e4f50617;
    using Cxx = import "/capnp/c++.capnp";
    using Go = import "/go.capnp";
    $Cxx.namespace("bank");
    $Go.package("bank");
    $import "/capnp/java.capnp".package("org.bank");`;
  const compiled = await withSchema(
    'interface Ledger $Cxx.name("Book") { pay @0 (to :Text $Go.name("Recipient")) -> (id :Text) $Cxx.allowCancellation; }',
    'interface ledger.Ledger { method pay : readOnly }  service books : ledger.Ledger { exec "books.js" }',
    head,
  );
  const face = compiled.model?.interfaces.find(({ name }) => name === "ledger.Ledger");
  expect(face?.methods.get("pay")).toMatchObject({ category: { name: "readOnly" } });
  expect(saidBy(compiled).join()).not.toMatch(/import-invalid|tool-left-out/);
});

test("a streaming method is compiled with the file that Cap'n Proto needs for it", async () => {
  const compiled = await withSchema("interface Ledger { write @0 (line :Text) -> stream; }");
  expect(saidBy(compiled).join()).not.toContain("import-invalid");
});

test.each([
  "/capnp/../annotations.capnp",
  "/capnp/none.capnp",
  "/std/../go.capnp",
  "/etc/passwd",
  "/capnp/compat/../c++.capnp",
])("%s cannot be imported by a schema", async (path) => {
  const compiled = await withSchema(
    "interface Ledger { pay @0 () -> (); }",
    "",
    `${SCHEMA_HEAD} using Other = import "${path}";`,
  );
  expect(saidBy(compiled).join()).toMatch(/import-invalid.*Import failed/);
});
