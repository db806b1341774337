// Renames sessions, tasks, services, backends and labels of a page at all places that name them, and compiles the
// result.

import { dirname, join } from "node:path";
import { getText, type SourceText } from "../../../lang/text/index.ts";
import { compile } from "../../compile.ts";
import type { Naming } from "../../phases/bind/index.ts";
import { type Host, isStandard } from "../../phases/source/index.ts";
import type { Rename } from "../../queries/diff/index.ts";
import { type CheckedPage, hasErrors, requireLawful } from "../page.ts";

/** For each kind of rename, the kinds of names on a page that this rename changes. */
const NAMED_AS: Readonly<Record<Rename["kind"], readonly string[]>> = {
  level: ["confidentiality level", "integrity level"],
  compartment: ["compartment"],
  service: ["service"],
  tool: [],
  backend: ["backend"],
  session: ["session"],
  task: ["task"],
};

/**
 * Compiles a page of `host` under the new names. Returns `undefined` if the renamed page has errors, or if the standard
 * library declares one of the old names.
 */
export async function compileRenamed(
  host: Host,
  path: string,
  renames: readonly Rename[],
): Promise<CheckedPage | undefined> {
  const namings: Naming[] = [];
  const options = { purpose: "check", advice: "left", proofs: "left" } as const;
  await compile(host, path, { ...options, named: (naming) => namings.push(naming) });
  const edited = collectEdits(namings, renames);
  if (edited === undefined) return undefined;
  const folder = dirname((await host.realPath(path)) ?? path);
  const texts = new Map([...edited].map(([source, text]) => [join(folder, source.path), Buffer.from(text)]));
  const readFile: Host["readFile"] = async (file, limit) => {
    const text = texts.get(file);
    return text === undefined ? host.readFile(file, limit) : { ok: true, value: text };
  };
  const compiled = await compile({ ...host, readFile }, path, options);
  return hasErrors(compiled) ? undefined : requireLawful(compiled);
}

/**
 * Returns the new text of each file of the page that contains a renamed name. Returns `undefined` if the standard
 * library declares one of the old names.
 */
function collectEdits(
  namings: readonly Naming[],
  renames: readonly Rename[],
): ReadonlyMap<SourceText, string> | undefined {
  const edits = new Map<SourceText, Map<number, { readonly end: number; readonly text: string }>>();
  for (const { span, what, id } of namings) {
    const rename = renames.find(({ kind, from }) => {
      // The id of a task begins with the id of its session, but a rename contains only the name of the task.
      const name = kind === "task" ? id.slice(id.lastIndexOf(".") + 1) : id;
      return from === name && NAMED_AS[kind].includes(what);
    });
    if (rename === undefined) continue;
    if (isStandard(span.source.path)) return undefined;
    const text = getText(span).startsWith('"') ? JSON.stringify(rename.to) : rename.to;
    const ofSource = edits.get(span.source) ?? new Map<number, { readonly end: number; readonly text: string }>();
    edits.set(span.source, ofSource.set(span.start, { end: span.end, text }));
  }
  return new Map([...edits].map(([source, of]) => [source, applyEdits(source.text, of)]));
}

function applyEdits(text: string, edits: ReadonlyMap<number, { readonly end: number; readonly text: string }>): string {
  const sorted = [...edits].sort(([one], [other]) => other - one);
  return sorted.reduce((all, [start, edit]) => all.slice(0, start) + edit.text + all.slice(edit.end), text);
}
