// Creates snapshots for tests, of pages in memory or of a folder of the checkout.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { scan } from "../../../../lang/grammar/index.ts";
import { createSourceText } from "../../../../lang/text/index.ts";
import { compile } from "../../../compile.ts";
import { ALICE } from "../../../dev/fixtures/facts.ts";
import type { Naming } from "../../../phases/bind/index.ts";
import { createDiskHost, createMemoryHost, type Host } from "../../../phases/source/index.ts";
import { findCertainFixes } from "../../../queries/fixes/index.ts";
import type { ReadText } from "../asking.ts";
import { createMemoryLister } from "../features/completion/paths.ts";
import type { PositionContext } from "../position-context.ts";
import { createSnapshot, type Snapshot } from "../snapshot.ts";
import { PEOPLE, ROOT } from "./pages.ts";

/** Lists every folder as empty, for tests in which completion offers no files. */
export const NO_FILES = createMemoryLister([]);

export async function compiledAt(host: Host, root: string): Promise<Snapshot> {
  const named: Naming[] = [];
  const compiled = await compile(host, root, { purpose: "check", named: (naming) => named.push(naming) });
  return createSnapshot(root, compiled, named, () => findCertainFixes(host, root));
}

/** Compiles the pages of `pages.ts` in memory, with `text` as the root page. */
export function compiledInMemory(text = ROOT): Promise<Snapshot> {
  const host = createMemoryHost({ "/system.cap": text, "/people.cap": PEOPLE, "/alice.pub": ALICE });
  return compiledAt(host, "/system.cap");
}

/** Compiles a page of the checkout in memory, by its relative path. */
export function compiledHere(path: string): Promise<Snapshot> {
  return compiledAt(createDiskHost(), fileURLToPath(new URL(`../../../../${path}`, import.meta.url)));
}

export function askedAt(snapshot: Snapshot, words: string, into = 0): PositionContext {
  const tree = snapshot.trees.get(snapshot.root);
  const at = tree?.source.text.indexOf(words) ?? -1;
  if (tree === undefined || at < 0) throw new Error(`${words} does not stand there`);
  return { snapshot, tree, offset: at + into };
}

/** Returns a text in the form in which the server reads it from an editor. */
export function readText(text: string, path = "/system.cap"): ReadText {
  const source = createSourceText(path, text);
  return { source, scanned: scan(source), offsetAt: () => 0 };
}

export function textOfPage(path: string): string {
  return readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
}
