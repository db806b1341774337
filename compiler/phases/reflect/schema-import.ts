import { posix } from "node:path";
import { type Diagnostic, escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { Import, Memo } from "../source/index.ts";
import { parseSaidMethod, type SaidMethod } from "./annotation-facts.ts";
import { IMPORT_FAILED, importFact, importInvalid, toolLeftOut } from "./codes.ts";
import { type Imports, joinImports, locateSpan, locateWords, rejectImport } from "./imported.ts";
import { compileSchemas, type SchemaComplaint, type SchemaOutcome } from "./schema-compiler.ts";
import { type MethodDescription, type ReflectedInterface, reflectInterfaces } from "./tools.ts";

/** Folder of the sources, relative to the schema compiler's root. Sources of the standard library are in `std/`. */
const PACKAGE = "package/";

/** Returns the interfaces of schemas, all compiled in one run. */
export async function importSchemas(schemas: readonly Import[], kept: Memo<SchemaOutcome>): Promise<Imports> {
  const texts = schemas.flatMap(({ files }) => [...files].map(([path, text]) => [`${PACKAGE}${path}`, text] as const));
  const sources = new Map([...texts, ...schemas.flatMap(({ standard }) => [...standard])]);
  const wanted = [...new Set(schemas.map(({ path }) => `${PACKAGE}${path}`))];
  const roots = [...new Set(schemas.flatMap((one) => [...one.roots].map((root) => posix.join(PACKAGE, root))))];
  const all = JSON.stringify([...sources, wanted, roots]);
  const compiled = await kept.remember("schemas", all, () => compileSchemas(sources, wanted, roots));
  if (!compiled.ok) {
    const diagnostics = selectIndependent(compiled.complaints).flatMap((complaint) =>
      reportComplaint(complaint, schemas),
    );
    return { interfaces: [], failed: new Set(schemas.map(({ alias }) => alias.text)), diagnostics };
  }
  const reflected = reflectInterfaces(compiled.request);
  return joinImports(await Promise.all(schemas.map((one) => importInterfaces(one, reflected))));
}

async function importInterfaces(one: Import, reflected: readonly ReflectedInterface[]): Promise<Imports> {
  const own = reflected.filter(({ description }) => description.file === `${PACKAGE}${one.path}`);
  if (own.length === 0) return rejectImport(one, "it declares no interface");
  return joinImports(await Promise.all(own.map((face) => importInterface(one, face))));
}

async function importInterface(one: Import, { description, said, inherited }: ReflectedInterface): Promise<Imports> {
  const name = `${one.alias.text}.${description.name}`;
  const declared = `interface ${description.name.split(".").at(-1)}`;
  const facts = new Map<string, SaidMethod>();
  const related = locateWords(one, declared, "it is declared here");
  const diagnostics: Diagnostic[] = [...Map.groupBy(inherited, ({ of }) => of)].flatMap(([of, [first, ...others]]) => {
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : `, as are ${others.map(({ method }) => method).join(", ")}`;
    const reason = escapeInvisible(`it is a method of ${of}, which ${description.name} extends${more}`);
    return [toolLeftOut.at(one.at.span, { tool: `${name}.${first.method}`, reason }, { related })];
  });
  for (const method of description.methods) {
    const tool = `${name}.${method.name}`;
    const more = { related: locateWords(one, `${method.name} @${method.ordinal}`, "it is declared here", declared) };
    if (!method.callable) {
      diagnostics.push(toolLeftOut.at(one.at.span, { tool, reason: escapeInvisible(method.reason) }, more));
      continue;
    }
    const fact = await readFact(one, method, said);
    if (fact === undefined) continue;
    if ("node" in fact) facts.set(method.name, fact);
    else diagnostics.push(importFact.at(one.at.span, { method: tool, ...fact }, more));
  }
  const { alias, at, path: file } = one;
  const face = { alias: alias.text, at: at.span, said: facts, hints: new Map() };
  return { interfaces: [{ ...face, description: { ...description, name, file } }], failed: new Set(), diagnostics };
}

async function readFact(one: Import, { name }: MethodDescription, said: ReflectedInterface["said"]) {
  const words = said.get(name);
  return words && parseSaidMethod(one.path, name, words);
}

/**
 * Returns the errors that are not consequences of a failed import. In a file with a failed import, errors about
 * undefined names are left out, so that one mistake gives one message.
 */
function selectIndependent(complaints: readonly SchemaComplaint[]): readonly SchemaComplaint[] {
  const failed = new Set(complaints.filter(({ reason }) => reason.startsWith(IMPORT_FAILED)).map(({ file }) => file));
  return complaints.filter(({ file, reason }) => !failed.has(file) || !reason.startsWith("Not defined"));
}

/** Reports an error at the first import of the file only, so that it is not repeated at further imports. */
function reportComplaint({ file, line, column, endColumn, reason }: SchemaComplaint, schemas: readonly Import[]) {
  const path = file.startsWith(PACKAGE) ? file.slice(PACKAGE.length) : file;
  const one = schemas.find(({ files }) => files.has(path)) ?? schemas[0];
  if (one === undefined) return [];
  const text = one.files.get(path);
  const facts = { path, reason: escapeInvisible(reason) };
  if (text === undefined) return [importInvalid.at(one.at.span, facts)];
  const at = locateSpan(path, text, { line, column: column - 1, length: endColumn - column });
  return [importInvalid.at(one.at.span, facts, { related: [{ span: at, message: "the schema is wrong here" }] })];
}
