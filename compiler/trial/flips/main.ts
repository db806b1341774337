// Writes the table of changed bits into engine/THREATS.md, of the image that is named.

import { readFileSync, writeFileSync } from "node:fs";
import { buildJudge } from "./judge.ts";
import { rowsOfImage, THREATS, withSection } from "./spoiled.ts";
import { tableOf } from "./table.ts";

const [image] = process.argv.slice(2);
const failed = image === undefined ? "node compiler/trial/flips/main.ts IMAGE\n" : buildJudge();
if (image === undefined || failed !== undefined) {
  process.stderr.write(failed ?? "");
  process.exitCode = 2;
} else {
  writeFileSync(THREATS, withSection(readFileSync(THREATS, "utf8"), tableOf(rowsOfImage(image))));
}
