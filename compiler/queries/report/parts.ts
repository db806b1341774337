// Reads the styles, scripts and templates of the report from the files in this folder.

import { readFileSync } from "node:fs";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8").trimEnd();

export const STYLE: string = ["base", "matrix", "drawings", "narrow", "print"]
  .map((name) => read(`./style/${name}.css`))
  .join("\n");

/** Scripts of the report. No script depends on another script. */
export const SCRIPTS: readonly string[] = ["theme", "filter", "walk", "detail"].map((name) =>
  read(`./browser/${name}.mjs`),
);

/** Templates by name. The template `page` contains all other templates. */
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
    "audit",
    "sources",
    "place",
  ].map((name) => [name, read(`./templates/${name}.hbs`)]),
);
