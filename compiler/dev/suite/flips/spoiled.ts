// A stage of `make test`: every structure of images is changed in turn, and init's judgement is asked of each change.
// What holds stands in engine/THREATS.md between two marks; `node compiler/dev/suite/flips/main.ts IMAGE…` writes it there.

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withFile } from "../../../host/files.ts";
import type { Failure } from "../failures.ts";
import { CHECKOUT, type Result, type Stage } from "../stage.ts";
import { type Claim, coverOf } from "./coverage.ts";
import { flipsOf } from "./flips.ts";
import { buildJudge, judged } from "./judge.ts";
import { startOf } from "./start.ts";
import { type Structure, structuresOf } from "./structures.ts";
import { type Row, rowsOf, tableOf } from "./table.ts";

export const THREATS = join(CHECKOUT, "engine/THREATS.md");
const [BEGIN, END] = ["<!-- changed bits: begin -->\n", "<!-- changed bits: end -->\n"];
/** Bytes of a structure that are changed. A digest takes all bytes alike; a reader does not, and what it reads is small. */
const CHANGES: Readonly<Record<Claim, number>> = { named: 256, refusedOrSame: 2048, unread: 64 };
const changesOf = ({ name }: Structure): number => CHANGES[coverOf(name)?.claim ?? "unread"];

/** Of images that earlier stages built. */
export function spoiled(images: readonly string[]): Stage {
  return {
    name: "changed bits",
    run: async () => {
      const failed = buildJudge();
      if (failed !== undefined) return { passed: 0, failed: 1, failures: [{ name: "changed bits", words: failed }] };
      const rows = rowsOfImages(images.map((image) => join(CHECKOUT, image)));
      process.stdout.write(tableOf(rows));
      return resultOf(rows);
    },
  };
}

/** Every structure of the first image, and of the others what those before them have not. */
export function rowsOfImages(images: readonly string[]): readonly Row[] {
  const rows: Row[] = [];
  for (const image of images) {
    const known = new Set(rows.map(({ structure }) => structure));
    rows.push(...rowsOfImage(image, ({ name }) => !known.has(name)));
  }
  return rows;
}

function rowsOfImage(image: string, isAsked: (structure: Structure) => boolean): readonly Row[] {
  const scratch = mkdtempSync(join(tmpdir(), "capos-flips-"));
  try {
    return withFile(image, (readAt) => {
      const size = statSync(image).size;
      const { trust, commandLine, trees } = startOf(readAt, size);
      const flips = flipsOf(structuresOf(readAt, size, trees).filter(isAsked), changesOf);
      writeFileSync(join(scratch, "trust.bin"), trust);
      const answers = judged({ image, trust: join(scratch, "trust.bin"), commandLine }, flips);
      return rowsOf(flips.map((flip, index) => ({ flip, answer: answers[index] ?? "" })));
    });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function resultOf(rows: readonly Row[]): Result {
  const failures = rows.filter(({ wrong }) => wrong.length > 0).map(failureOf);
  const written = sectionIn(readFileSync(THREATS, "utf8"));
  if (written !== tableOf(rows))
    failures.push({
      name: "the table in engine/THREATS.md",
      words: `it is not what init says; it has to be\n${tableOf(rows)}`,
    });
  return { passed: rows.length + 1 - failures.length, failed: failures.length, failures };
}

const failureOf = ({ structure, wrong }: Row): Failure => ({ name: structure, words: wrong.slice(0, 10).join("\n") });

/** What stands between the marks. */
export function sectionIn(text: string): string | undefined {
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)];
  return before < 0 || after < before ? undefined : text.slice(before + BEGIN.length, after);
}

/** The text with another table between its marks. */
export function withSection(text: string, table: string): string {
  const section = sectionIn(text);
  if (section === undefined) throw new Error("the marks of the table are not there");
  return text.replace(BEGIN + section + END, () => BEGIN + table + END);
}
