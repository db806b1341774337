// Usage: `node refused.fixture.ts PROGRAM FOLDER BEGUN MORE CALL THEN`. Repeats the call CALL of a program of the library. Each
// call uses a new copy of the folder BEGUN. In each repetition the preloaded `refuse.c` refuses another step of the call on the
// disk. If MORE is `+`, all steps after the refused step are refused too. After each repetition, the disk works again, and the
// program calls THEN. The program prints the answers of both calls.

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
