// Defines the pictures of the documentation: the typed lines of each picture, and the replacements that make its screen
// the same on every machine.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ESCAPE, parseScreen } from "./screen.ts";
import { renderSvg } from "./svg.ts";
import { COLUMNS, captureTerminal, LETTERS, type Step } from "./terminal.ts";

interface Scene {
  /** Name of the file, without `.svg`. */
  readonly name: string;
  /** Description for readers who do not see the picture. */
  readonly title: string;
  readonly example: string;
  readonly steps: readonly Step[];
}

const PROMPT = "$ ";
const YOU = "you> ";

const SCENES: readonly Scene[] = [
  {
    name: "try",
    title: "capc try: the agent reads a note, and asks before it writes one",
    example: "first-agent",
    steps: [
      { line: "capc try system.cap", until: YOU },
      { line: "What is on my list?", until: YOU },
      { line: "Note that I must call Ada.", until: "to allow" },
      { line: LETTERS, until: YOU },
    ],
  },
  {
    name: "plan",
    title: "capc plan: contents, authority, memory and changes of an image on one screen",
    example: "first-agent",
    steps: [{ line: "capc plan system.cap", until: PROMPT }],
  },
  {
    name: "why",
    title: "capc why: the checks of a denied call, the deciding rule, and the least change that would allow the call",
    example: "first-agent",
    steps: [
      { line: `capc why system.cap 'operator notes.write { path: "locked/a.txt", content: "x" }'`, until: PROMPT },
    ],
  },
];

/**
 * A fixed public key without a private half. The keys of examples differ between checkouts, and the digest of the
 * tables depends on the keys.
 */
const KEY = `ssh-ed25519 ${Buffer.concat([Buffer.from("0000000b7373682d6564323535313900000020", "hex"), Buffer.alloc(32, 7)]).toString("base64")}`;
const SHOWN_LETTERS = "kfm";

/** Returns the SVG files of all pictures by name. Each scene runs its commands in its own copy of an example. */
export async function renderPictures(checkout: string): Promise<ReadonlyMap<string, string>> {
  const pictures = new Map<string, string>();
  for (const { name, title, example, steps } of SCENES) {
    const scratch = mkdtempSync(join(tmpdir(), "capc-picture-"));
    const folder = join(scratch, example);
    try {
      cpSync(join(checkout, "examples", example), folder, { recursive: true });
      mkdirSync(join(folder, "keys"), { recursive: true });
      writeFileSync(join(folder, "keys/alice.pub"), `${KEY}\n`);
      const screen = steadyScreen(await captureTerminal(checkout, folder, steps));
      pictures.set(`${name}.svg`, renderSvg(parseScreen(screen), { columns: COLUMNS, title }));
    } finally {
      rmSync(scratch, { recursive: true });
    }
  }
  return pictures;
}

/** Returns the screen without the parts that differ in each run: the random letters of questions, and durations of calls. */
function steadyScreen(screen: string): string {
  const letters = /type ([a-z]{3}) to allow/.exec(screen)?.[1];
  const steady = screen.replaceAll(/ in \d+\.\d s(?=[: ]|$)/gm, "");
  if (letters === undefined) return steady;
  const places = new RegExp(`(type |> (?:${ESCAPE}\\[[0-9;]*m)*)${letters}\\b`, "g");
  return steady.replaceAll(places, `$1${SHOWN_LETTERS}`);
}
