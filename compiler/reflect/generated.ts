// stdlib/schema/*.capnp to the files of engine/wire/generated. Same schemas, same bytes.

import { readdirSync, readFileSync } from "node:fs";
import { moduleText } from "./module-text.ts";
import { readRequest } from "./request.ts";
import { compileSchemas } from "./schema-compiler.ts";

const SCHEMAS = new URL("../../stdlib/schema/", import.meta.url);

/** Where the files are checked in. */
export const GENERATED = new URL("../../engine/wire/generated/", import.meta.url);

/** File name to bytes of everything that is generated, or one reason per line why nothing is. */
export async function generated(): Promise<ReadonlyMap<string, Uint8Array> | string> {
  const files = readdirSync(SCHEMAS).filter((name) => name.endsWith(".capnp"));
  files.sort();
  const sources = new Map(files.map((name) => [name, readFileSync(new URL(name, SCHEMAS), "utf8")]));
  const compiled = await compileSchemas(sources, files);
  if (!compiled.ok) {
    return compiled.complaints.map((one) => `${one.file}:${one.line}:${one.column}: ${one.reason}`).join("\n");
  }
  const written = new Map<string, Uint8Array>([["schema.cgr", compiled.request]]);
  const request = readRequest(compiled.request);
  for (const file of files) {
    const module = moduleText(request, file);
    if (!module.ok) return module.reason;
    written.set(file.replace(/\.capnp$/, ".ts"), new TextEncoder().encode(module.text));
  }
  return written;
}

/** What is checked in, by file name. */
export function checkedIn(): ReadonlyMap<string, Uint8Array> {
  const names = readdirSync(GENERATED);
  names.sort();
  return new Map(names.map((name) => [name, new Uint8Array(readFileSync(new URL(name, GENERATED)))]));
}
