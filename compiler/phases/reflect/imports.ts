// Turns the imports of pages into interfaces with the names that the pages give them. This module compiles schemas,
// reads tool lists, and reports methods that cannot be tools. This module does not decide who may call which tool.

import type { Import } from "../source/index.ts";
import { importName } from "./codes.ts";
import { type Imports, joinImports } from "./imported.ts";
import { importList } from "./list-import.ts";
import type { KeptReflections } from "./reflection-cache.ts";

/** Names that an import must not have, because a page may write them before an interface of the standard library. */
const TAKEN = ["std", "tools"];

/** Returns all interfaces of the imports. */
export async function reflectImports(imports: readonly Import[], kept: KeptReflections): Promise<Imports> {
  const misnamed = imports.flatMap((one, index) => {
    const reason = explainWrongName(one, imports.slice(0, index));
    return reason === undefined ? [] : [{ one, reason }];
  });
  const named = imports.filter((one) => misnamed.every((other) => other.one !== one));
  const schemas = named.filter(({ what }) => what === "capnp");
  return joinImports([
    {
      interfaces: [],
      failed: new Set(misnamed.map(({ one }) => one.alias.text)),
      diagnostics: misnamed.map(({ one, reason }) => importName.at(one.alias.span, { name: one.alias.text, reason })),
    },
    ...named.filter(({ what }) => what === "mcp").map(importList),
    ...(schemas.length === 0 ? [] : [await compileImports(schemas, kept)]),
  ]);
}

/** Compiles the imported schemas. The compiler of schemas is loaded on demand, because loading it takes as long as checking a page. */
async function compileImports(schemas: readonly Import[], kept: KeptReflections): Promise<Imports> {
  const { importSchemas } = await import("./schema-import.ts");
  return importSchemas(schemas, kept.schemas);
}

function explainWrongName({ alias }: Import, before: readonly Import[]): string | undefined {
  if (!/^[a-z]/.test(alias.text)) return "it begins with a lower-case letter: the interfaces behind it do not";
  if (TAKEN.includes(alias.text)) return "the standard library has this name";
  const other = before.find((one) => one.alias.text === alias.text);
  return other && `\`${other.path}\` has this name already`;
}
