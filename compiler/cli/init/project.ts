// Files of a new project. They lie in template/ as they are; only NAME in them is replaced.

import { readFileSync } from "node:fs";
import type { Artifact } from "../../../targets/contract/artifact.ts";

/** Paths in a project, and the files that they are made from. Names with a dot mean something where templates lie. */
const FILES: Readonly<Record<string, string>> = {
  "system.cap": "system.cap",
  "replies.json": "replies.json",
  "README.md": "README.md",
  Makefile: "Makefile",
  ".gitignore": "gitignore",
  ".github/workflows/capc.yml": "workflow.yml",
};

/** Paths below the project's folder. `name` is a name of the language. */
export function createProjectFiles(name: string): readonly Artifact[] {
  return Object.entries(FILES).map(([path, template]) => {
    const text = readFileSync(new URL(`template/${template}`, import.meta.url), "utf8");
    return { path, bytes: new TextEncoder().encode(text.replaceAll(/\bNAME\b/g, name)) };
  });
}
