// Makes outputs of `capc diff` in four formats. Each output compares an example with a changed version, in which
// decisions are widened, narrowed and moved.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../../cli/memory-world.ts";
import { PUBLIC_KEY } from "./golden.ts";

/** Folder of the goldens of `capc diff`. These goldens do not belong to an example. */
export const DIFFERENCE = "difference";

const EXAMPLE = fileURLToPath(new URL("../../../examples/finance-labels/", import.meta.url));

type Edits = readonly (readonly [from: string, to: string])[];

/**
 * Texts to replace in the page of the example, which must contain all of them. `before` and `after` give the two pages
 * that `capc diff` compares.
 */
const EDITS: Readonly<Record<"before" | "after", Edits>> = {
  before: [
    ["  declassify board.write", "  // declassify board.write"],
    ['      because "the board', '      // because "the board'],
  ],
  after: [
    // Widens a quota without a reason, widens a rule with a reason, and narrows a quota.
    ["{ 3 prompts per conversation }", "{ 5 prompts per conversation }"],
    [
      "models  { auto canned }",
      'models  { auto canned }\n    permit { auto board.write where path under "/menu" else consent because "the canteen" }',
    ],
    ["4 calls per turn", "3 calls per turn"],
    // Suppresses all tools of the service `board`. This removes a flow: the content of the board can flow nowhere.
    ["suppress mutatingLocal, destructive", "suppress mutatingLocal, destructive, board.*"],
  ],
};

const FORMATS = { text: "txt", json: "json", markdown: "md", sarif: "sarif" } as const;

/** Returns the outputs of `capc diff` by file name. */
export async function createGoldenDifference(): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "capc-golden-"));
  try {
    for (const [name, edits] of Object.entries(EDITS)) {
      cpSync(EXAMPLE, join(folder, name), { recursive: true });
      // A fixed key is used, because the digests of tables must not depend on the key that each machine makes.
      mkdirSync(join(folder, name, "keys"), { recursive: true });
      writeFileSync(join(folder, name, "keys/alice.pub"), PUBLIC_KEY);
      const page = join(folder, name, "system.cap");
      writeFileSync(page, applyEdits(readFileSync(page, "utf8"), edits));
    }
    const texts = new Map<string, string>();
    for (const [format, ending] of Object.entries(FORMATS)) {
      const { status, out, err } = await runCommand(["diff", "before", "after", "--format", format], { folder });
      if (status !== 0) throw new Error(err);
      texts.set(`diff.${ending}`, format === "json" ? `${JSON.stringify(JSON.parse(out), undefined, 1)}\n` : out);
    }
    return texts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function applyEdits(text: string, edits: Edits): string {
  return edits.reduce((page, [from, to]) => {
    if (!page.includes(from)) throw new Error(`the example does not say ${from}`);
    return page.replace(from, to);
  }, text);
}
