// Creates the files of a new project. The folder template/ contains the files that are equal in all projects of a kind, except for words in
// capitals, such as NAME, which are replaced.

import type { Artifact } from "../../../targets/contract/artifact.ts";
import { fillTemplate } from "../template.ts";
import type { Kind } from "./kinds.ts";
import { renderLauncherFile } from "./launcher.ts";

/**
 * Paths in every project, and the templates from which they are made. A template such as `gitignore` has no dot in its
 * name, because git would apply a file `.gitignore` among the templates to this repository.
 */
const COMMON: Readonly<Record<string, string>> = {
  Makefile: "common/Makefile",
  ".gitattributes": "common/gitattributes",
  ".gitignore": "common/gitignore",
  ".github/workflows/capc.yml": "common/workflow.yml",
};

/** Paths in a project of each kind; the folder of templates has the name of the kind. */
const OWN: Readonly<Record<Kind, readonly string[]>> = {
  console: ["system.cap", "replies.json", "talk.chat", "README.md"],
  "web-search": ["system.cap", "replies.json", "talk.chat", "README.md", "disk/notes/todo.txt", "web/search"],
  "mcp-tools": [
    "system.cap",
    "replies.json",
    "talk.chat",
    "README.md",
    "items.tools.json",
    "cap.lock",
    "services/items.mcp.js",
  ],
  "mcp-server": ["README.md"],
  claude: ["README.md"],
};

/**
 * Returns the files of a new project, with paths relative to its folder. `words` contains the replacement of each word
 * in the templates, such as NAME.
 */
export function createProjectFiles(kind: Kind, words: Readonly<Record<string, string>>): readonly Artifact[] {
  const own = OWN[kind].map((path) => [path, `${kind}/${path}`] as const);
  const made = [...own, ...Object.entries(COMMON)].map(([path, template]) => {
    return encodeFile(path, fillTemplate(locateTemplate(template), words));
  });
  return [...made, encodeFile("capc.mk", renderLauncherFile())];
}

/** Returns the URL of a template of projects. */
export function locateTemplate(template: string): URL {
  return new URL(`template/${template}`, import.meta.url);
}

export function encodeFile(path: string, text: string): Artifact {
  return { path, bytes: new TextEncoder().encode(text) };
}
