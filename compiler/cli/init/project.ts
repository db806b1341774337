// Creates the files of a new project. The folder template/ contains them; only NAME in them is replaced.

import { readFileSync } from "node:fs";
import type { Artifact } from "../../../targets/contract/artifact.ts";

/** Paths in a project, and the files from which they are made. A name with a dot would have an effect in the folder of templates. */
const FILES: Readonly<Record<string, string>> = {
  "system.cap": "system.cap",
  "replies.json": "replies.json",
  "README.md": "README.md",
  Makefile: "Makefile",
  ".gitignore": "gitignore",
  ".github/workflows/capc.yml": "workflow.yml",
};

/** Returns paths below the project's folder. `name` is a name of the language. */
export function createProjectFiles(name: string): readonly Artifact[] {
  return Object.entries(FILES).map(([path, template]) => {
    const text = readFileSync(new URL(`template/${template}`, import.meta.url), "utf8");
    return { path, bytes: new TextEncoder().encode(text.replaceAll(/\bNAME\b/g, name)) };
  });
}
