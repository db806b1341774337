// Writes the table of changed bits for the named images into engine/THREATS.md.

import { readFileSync, writeFileSync } from "node:fs";
import { buildJudge } from "./judge.ts";
import { judgeImages, replaceSection, THREATS } from "./spoiled.ts";
import { renderTable } from "./table.ts";

const images = process.argv.slice(2);
const failed = images.length === 0 ? "node compiler/dev/suite/flips/main.ts IMAGE…\n" : buildJudge();
if (failed !== undefined) {
  process.stderr.write(failed ?? "");
  process.exitCode = 2;
} else {
  writeFileSync(THREATS, replaceSection(readFileSync(THREATS, "utf8"), renderTable(judgeImages(images))));
}
