// Calls a program of the library as often as its call has steps on the disk, each time in a folder of its own, and each time another
// step is refused (`refuse.c`, which is preloaded): `node refused.fixture.ts PROGRAM FOLDER BEGUN CALL THEN`. BEGUN: the folder that
// each begins as a copy of. `+` behind CALL's method: all steps behind the refused one are refused as well. Prints what each call said,
// and what THEN said when the disk had room again.

import { cpSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

type Call = readonly [method: string, args: object];

const [path = "", folder = "", begun = "", more = "", ...calls] = process.argv.slice(2);
const [call, then]: readonly Call[] = calls.map((one) => JSON.parse(one));
const { default: program } = await import(pathToFileURL(path).href);

async function callProgram([method, args]: Call, directory: string): Promise<unknown> {
  try {
    return await program[method](args, { directory, stateBytes: 1024 * 1024 });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const told: unknown[] = [];
for (let step = 0; step < 500; step += 1) {
  const directory = join(folder, `${step}-`);
  cpSync(begun, directory, { recursive: true });
  Object.assign(process.env, { REFUSED_BELOW: directory, REFUSED_STEP: `${step}${more}`, REFUSED: "0" });
  const answer = call && (await callProgram(call, directory));
  const refused = Number(process.env["REFUSED"]);
  delete process.env["REFUSED_BELOW"];
  told.push({ step, refused, answer, later: then && (await callProgram(then, directory)) });
  if (refused === 0) break;
}
process.stdout.write(JSON.stringify(told));
