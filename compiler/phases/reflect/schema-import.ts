import { type Diagnostic, visible } from "../../../lang/diagnostics/index.ts";
import type { Import, Memo } from "../source/index.ts";
import { IMPORT_FAILED, importFact, importInvalid, toolLeftOut } from "./codes.ts";
import { type Imports, joined, placed, refusedImport, spanAt } from "./imported.ts";
import { type SaidMethod, saidMethod } from "./said-facts.ts";
import { compileSchemas, type SchemaComplaint, type SchemaOutcome } from "./schema-compiler.ts";
import { type MethodDescription, type ReflectedInterface, reflectInterfaces } from "./tools.ts";

/** Where sources lie in the folder that the schema compiler sees; those of the standard library lie in `std/`. */
const PACKAGE = "package/";

/** The interfaces of schemas, all compiled in one run. */
export async function importedSchemas(schemas: readonly Import[], kept: Memo<SchemaOutcome>): Promise<Imports> {
  const texts = schemas.flatMap(({ files }) => [...files].map(([path, text]) => [`${PACKAGE}${path}`, text] as const));
  const sources = new Map([...texts, ...schemas.flatMap(({ standard }) => [...standard])]);
  const wanted = [...new Set(schemas.map(({ path }) => `${PACKAGE}${path}`))];
  const all = JSON.stringify([...sources, wanted]);
  const compiled = await kept.once("schemas", all, () => compileSchemas(sources, wanted));
  if (!compiled.ok) {
    const diagnostics = independent(compiled.complaints).flatMap((complaint) => complained(complaint, schemas));
    return { interfaces: [], failed: new Set(schemas.map(({ alias }) => alias.text)), diagnostics };
  }
  const reflected = reflectInterfaces(compiled.request);
  return joined(await Promise.all(schemas.map((one) => interfacesOf(one, reflected))));
}

async function interfacesOf(one: Import, reflected: readonly ReflectedInterface[]): Promise<Imports> {
  const own = reflected.filter(({ description }) => description.file === `${PACKAGE}${one.path}`);
  if (own.length === 0) return refusedImport(one, "it declares no interface");
  return joined(await Promise.all(own.map((face) => importedInterface(one, face))));
}

async function importedInterface(one: Import, { description, said, unfit }: ReflectedInterface): Promise<Imports> {
  const name = `${one.alias.text}.${description.name}`;
  const declared = `interface ${description.name.split(".").at(-1)}`;
  if (unfit !== undefined) return refusedImport(one, `${name}: ${unfit}`, placed(one, declared, "it is declared here"));
  const facts = new Map<string, SaidMethod>();
  const diagnostics: Diagnostic[] = [];
  for (const method of description.methods) {
    const tool = `${name}.${method.name}`;
    const more = { related: placed(one, `${method.name} @${method.ordinal}`, "it is declared here", declared) };
    if (!method.callable) {
      diagnostics.push(toolLeftOut.at(one.at.span, { tool, reason: visible(method.reason) }, more));
      continue;
    }
    const fact = await factOf(one, method, said);
    if (fact === undefined) continue;
    if ("node" in fact) facts.set(method.name, fact);
    else diagnostics.push(importFact.at(one.at.span, { method: tool, ...fact }, more));
  }
  const { alias, at, path: file } = one;
  const face = { alias: alias.text, at: at.span, said: facts, hints: new Map() };
  return { interfaces: [{ ...face, description: { ...description, name, file } }], failed: new Set(), diagnostics };
}

async function factOf(one: Import, { name }: MethodDescription, said: ReflectedInterface["said"]) {
  const words = said.get(name);
  return words && saidMethod(one.path, name, words);
}

/** What is not defined may be what an import that failed was to bring: one mistake, one message. */
function independent(complaints: readonly SchemaComplaint[]): readonly SchemaComplaint[] {
  const failed = new Set(complaints.filter(({ reason }) => reason.startsWith(IMPORT_FAILED)).map(({ file }) => file));
  return complaints.filter(({ file, reason }) => !failed.has(file) || !reason.startsWith("Not defined"));
}

/** At the first import that stands on the file: the others would say the same. */
function complained({ file, line, column, endColumn, reason }: SchemaComplaint, schemas: readonly Import[]) {
  const path = file.startsWith(PACKAGE) ? file.slice(PACKAGE.length) : file;
  const one = schemas.find(({ files }) => files.has(path)) ?? schemas[0];
  if (one === undefined) return [];
  const text = one.files.get(path);
  const facts = { path, reason: visible(reason) };
  if (text === undefined) return [importInvalid.at(one.at.span, facts)];
  const at = spanAt(path, text, { line, column: column - 1, length: endColumn - column });
  return [importInvalid.at(one.at.span, facts, { related: [{ span: at, message: "the schema is wrong here" }] })];
}
