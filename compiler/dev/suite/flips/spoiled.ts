// A stage of `make test`. It changes bits in every structure of some images, one at a time, and runs init's
// verification after each change. The results are in engine/THREATS.md between two marks, where `node
// compiler/dev/suite/flips/main.ts IMAGE…` writes them.

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { useFile } from "../../../host/files.ts";
import type { Failure } from "../failures.ts";
import { CHECKOUT, type Result, type Stage } from "../stage.ts";
import { type Claim, findCover } from "./coverage.ts";
import { planFlips } from "./flips.ts";
import { buildJudge, judgeFlips } from "./judge.ts";
import { startOf } from "./start.ts";
import { listStructures, type Structure } from "./structures.ts";
import { createRows, type Row, renderTable } from "./table.ts";

export const THREATS = join(CHECKOUT, "engine/THREATS.md");
const [BEGIN, END] = ["<!-- changed bits: begin -->\n", "<!-- changed bits: end -->\n"];
/**
 * Maximum number of changed bytes of a structure, by its claim. A digest treats all bytes alike, so a few changed bytes
 * suffice. A parser treats bytes differently, so more bytes are changed; structures for parsers are small.
 */
const CHANGES: Readonly<Record<Claim, number>> = { named: 256, refusedOrSame: 2048, unread: 64 };
const getChangeCount = ({ name }: Structure): number => CHANGES[findCover(name)?.claim ?? "unread"];

/** Returns the stage that changes bits of images which earlier stages built. */
export function createSpoiledStage(images: readonly string[]): Stage {
  return {
    name: "changed bits",
    run: async () => {
      const failed = buildJudge();
      if (failed !== undefined) return { passed: 0, failed: 1, failures: [{ name: "changed bits", words: failed }] };
      const rows = judgeImages(images.map((image) => join(CHECKOUT, image)));
      process.stdout.write(renderTable(rows));
      return createResult(rows);
    },
  };
}

/**
 * Changes bits in every structure of the first image, and compares init's responses with the claims. Of each later
 * image, it changes only the structures that no earlier image has.
 */
export function judgeImages(images: readonly string[]): readonly Row[] {
  const rows: Row[] = [];
  for (const image of images) {
    const known = new Set(rows.map(({ structure }) => structure));
    rows.push(...judgeImage(image, ({ name }) => !known.has(name)));
  }
  return rows;
}

function judgeImage(image: string, isAsked: (structure: Structure) => boolean): readonly Row[] {
  const scratch = mkdtempSync(join(tmpdir(), "capos-flips-"));
  try {
    return useFile(image, (readAt) => {
      const size = statSync(image).size;
      const { trust, commandLine, trees } = startOf(readAt, size);
      const flips = planFlips(listStructures(readAt, size, trees).filter(isAsked), getChangeCount);
      writeFileSync(join(scratch, "trust.bin"), trust);
      const answers = judgeFlips({ image, trust: join(scratch, "trust.bin"), commandLine }, flips);
      return createRows(flips.map((flip, index) => ({ flip, answer: answers[index] ?? "" })));
    });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function createResult(rows: readonly Row[]): Result {
  const failures = rows.filter(({ wrong }) => wrong.length > 0).map(createFailure);
  const written = findSection(readFileSync(THREATS, "utf8"));
  if (written !== renderTable(rows))
    failures.push({
      name: "the table in engine/THREATS.md",
      words: `it is not what init says; it has to be\n${renderTable(rows)}`,
    });
  return { passed: rows.length + 1 - failures.length, failed: failures.length, failures };
}

const createFailure = ({ structure, wrong }: Row): Failure => ({
  name: structure,
  words: wrong.slice(0, 10).join("\n"),
});

/** Returns the table of changed bits from the text of a page, or `undefined` if the marks around it are missing. */
export function findSection(text: string): string | undefined {
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)];
  return before < 0 || after < before ? undefined : text.slice(before + BEGIN.length, after);
}

/** Replaces the table of changed bits in the text of a page. Throws if the marks around the table are missing. */
export function replaceSection(text: string, table: string): string {
  const section = findSection(text);
  if (section === undefined) throw new Error("the marks of the table are not there");
  return text.replace(BEGIN + section + END, () => BEGIN + table + END);
}
