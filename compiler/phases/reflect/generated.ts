// Generates TypeScript from folders of schemas. The same schemas give the same bytes.

import { readdirSync, readFileSync } from "node:fs";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { renderModule } from "./module-text.ts";
import { readRequest } from "./request.ts";
import { compileSchemas } from "./schema-compiler.ts";
import { renderStandard } from "./standard-text.ts";
import { reflectTools } from "./tools.ts";

/** Schemas of one folder, which are compiled together. */
interface SchemaFolder {
  readonly schemas: URL;
  readonly generated: URL;
  /** Path by which the generated files import `engine/lib/wire/layout`. */
  readonly layout: string;
}

const REPOSITORY = new URL("../../../", import.meta.url);

export const SCHEMA_FOLDERS: readonly SchemaFolder[] = [
  {
    schemas: new URL("stdlib/schema/", REPOSITORY),
    generated: new URL("engine/lib/wire/generated/", REPOSITORY),
    layout: "../layout.ts",
  },
  {
    schemas: new URL("engine/lib/wire/fixture/", REPOSITORY),
    generated: new URL("engine/lib/wire/fixture/generated/", REPOSITORY),
    layout: "../../layout.ts",
  },
  {
    schemas: new URL("engine/lib/wire/upstream/", REPOSITORY),
    generated: new URL("engine/lib/wire/upstream/generated/", REPOSITORY),
    layout: "../../layout.ts",
  },
];

/**
 * Generates `schema.cgr` and one TypeScript module for each schema of a folder, and returns these files by name. Fails
 * with all errors of the schemas, one in each line, or with the first reason why a module cannot be generated.
 */
export async function generateFolder(folder: SchemaFolder): Promise<Result<ReadonlyMap<string, Uint8Array>>> {
  const files = readdirSync(folder.schemas).filter((name) => name.endsWith(".capnp"));
  files.sort();
  const sources = new Map(files.map((name) => [name, readFileSync(new URL(name, folder.schemas), "utf8")]));
  const compiled = await compileSchemas(sources, files);
  if (!compiled.ok) {
    return refuse(compiled.complaints.map((one) => `${one.file}:${one.line}:${one.column}: ${one.reason}`).join("\n"));
  }
  const written = new Map<string, Uint8Array>([["schema.cgr", compiled.request]]);
  const request = readRequest(compiled.request);
  for (const file of files) {
    const module = renderModule(request, file, folder.layout);
    if (!module.ok) return refuse(module.reason);
    written.set(file.replace(/\.capnp$/, ".ts"), new TextEncoder().encode(module.value));
  }
  return accept(written);
}

/** The module that holds the standard interfaces. */
export const STANDARD_MODULE = new URL("generated/standard.ts", import.meta.url);

/** Returns the text of the module with the standard interfaces, generated from the checked-in CodeGeneratorRequest. */
export function generateStandard(): string {
  const request = new URL("engine/lib/wire/generated/schema.cgr", REPOSITORY);
  return renderStandard(reflectTools(new Uint8Array(readFileSync(request))));
}

/** Returns, by file name, those generated files of a folder that are checked in. */
export function readCheckedIn({ generated }: SchemaFolder): ReadonlyMap<string, Uint8Array> {
  const names = readdirSync(generated);
  names.sort();
  return new Map(names.map((name) => [name, new Uint8Array(readFileSync(new URL(name, generated)))]));
}
