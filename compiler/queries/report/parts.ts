// The styles and scripts of the page, as they lie beside this file.

import { readFileSync } from "node:fs";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8").trimEnd();

export const STYLE: string = ["base", "matrix", "drawings", "narrow", "print"]
  .map((name) => read(`./style/${name}.css`))
  .join("\n");

/** Each stands alone: what one does, no other one needs. */
export const SCRIPTS: readonly string[] = ["theme", "filter", "walk", "detail"].map((name) =>
  read(`./browser/${name}.mjs`),
);

/** By name; `page` has all of it, the others are its parts. */
export const TEMPLATES: ReadonlyMap<string, string> = new Map(
  [
    "page",
    "overview",
    "matrix",
    "decisions",
    "tools",
    "flows",
    "drawing",
    "processes",
    "places",
    "proofs",
    "changes",
    "sources",
    "place",
  ].map((name) => [name, read(`./templates/${name}.hbs`)]),
);
