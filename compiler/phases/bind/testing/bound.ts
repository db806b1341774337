// Reads and binds a page without checking laws, for the tests of this folder.

import type { Diagnostic } from "../../../../lang/diagnostics/index.ts";
import { BESIDE, type Files, renderFactsPage } from "../../../dev/fixtures/facts.ts";
import { testSurroundings } from "../../../dev/fixtures/surroundings.ts";
import { checkPinnedImports } from "../../reflect/index.ts";
import { createMemoryHost, load } from "../../source/index.ts";
import { bind } from "../bind.ts";
import type { Model } from "../model/index.ts";
import type { Naming } from "../naming.ts";

export interface BoundPage {
  readonly text: string;
  readonly model: Model;
  /** Diagnostics that binding itself reports. */
  readonly findings: readonly Diagnostic[];
  /** Uses and declarations of names in the order of the page; those of one place are in the order of their kinds. */
  readonly namings: readonly Naming[];
  /** Uses and declarations of names in the files of the standard library. */
  readonly library: readonly Naming[];
}

/** Returns the result of binding a page, even if the page has errors. */
export async function boundPage(text: string, files: Files = {}): Promise<BoundPage> {
  const { package: read } = await load(createMemoryHost({ ...BESIDE, ...files, "/system.cap": text }), "/system.cap");
  const namings: Naming[] = [];
  const { model, diagnostics } = bind(read, testSurroundings.described, await checkPinnedImports(read), (naming) =>
    namings.push(naming),
  );
  const { page: ofPage = [], library = [] } = Object.groupBy(namings, ({ span }) =>
    span.source.path === "system.cap" ? "page" : "library",
  );
  ofPage.sort((left, right) => left.span.start - right.span.start);
  return { text, model, findings: diagnostics, namings: ofPage, library };
}

/** Returns the model of a page with `top` among its declarations. Throws if binding reports any finding. */
export async function modelWith(top: string, parts: Parameters<typeof renderFactsPage>[0] = {}): Promise<Model> {
  const { model, findings } = await boundPage(renderFactsPage({ ...parts, top }));
  if (findings.length > 0) throw new Error(findings.map(({ message }) => message).join("\n"));
  return model;
}

/** Returns the element with this name. Throws if no element has this name. */
export function named<T extends { readonly name: string }>(things: readonly T[], name: string): T {
  const found = things.find((thing) => thing.name === name);
  if (found === undefined) throw new Error(`nothing is named ${name}`);
  return found;
}
