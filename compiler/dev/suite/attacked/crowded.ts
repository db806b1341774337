// Tests a machine with exactly the memory that its sixty sessions need. It starts, responds, and ends cleanly. With one
// more session, or one mebibyte less, the page does not build.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { computeNeeds } from "../../../../targets/contract/memory.ts";
import { boot } from "../boot.ts";
import { compileFile } from "../images/write.ts";
import { addResults, CHECKOUT, createClaim, createScratchStage, type Result, runCapc, type Stage } from "../stage.ts";

const OUT = "build/test/crowded";
const SCRIPT = "compiler/dev/suite/attacked/crowded.chat";
const SESSIONS = 60;
const MIB = 1024 * 1024;
/**
 * Memory in mebibytes that is more than any page of this test needs. A page with this memory is compiled only to compute
 * the memory that it needs.
 */
const ENOUGH = 1_000_000;

const HELLO = [{ when: { user: "Hello." }, say: "I am here.\n" }];

/** Writes a page with `sessions` sessions for a machine with `mebibytes` of memory, and returns its path. */
function writePage(folder: string, sessions: number, mebibytes: number): string {
  const renderSession = (_: unknown, index: number): string =>
    `session s${index + 1} { kind operator  models { auto canned }  permit { auto readOnly } }`;
  const path = join(folder, "system.cap");
  writeFileSync(join(folder, "replies.json"), JSON.stringify(HELLO));
  writeFileSync(
    path,
    `system crowded version "1.0.0" {
  use std.tools
  service notes : Files { state 1 MiB }
  backend canned { stub "replies.json" }
  ${Array.from({ length: sessions }, renderSession).join("\n  ")}
  storage { disk "capos-data" }
  image { target linux  machine vm  memory ${mebibytes} MiB  boot s1 }
}
`,
  );
  return path;
}

/** Returns the memory in mebibytes that a machine needs for the page. */
async function computeNeeded(folder: string): Promise<number> {
  const { policy } = await compileFile(writePage(folder, SESSIONS, ENOUGH));
  return Math.ceil(computeNeeds(policy).memoryBytes / MIB);
}

async function checkRefused(name: string, page: string): Promise<Result> {
  const ran = await runCapc(["build", page, "--out", `${OUT}/refused`], { quiet: true });
  const isTold = ran.status === 1 && ran.complaints.includes("error[machine-too-small]");
  return createClaim(name, { ...ran, status: isTold ? 0 : 1 });
}

export const crowded: Stage = createScratchStage("crowded", async (scratch) => {
  rmSync(join(CHECKOUT, OUT), { recursive: true, force: true });
  mkdirSync(join(CHECKOUT, OUT), { recursive: true });
  const mebibytes = await computeNeeded(scratch);
  const more = await checkRefused("one session too many", writePage(scratch, SESSIONS + 1, mebibytes));
  const less = await checkRefused("a mebibyte too little", writePage(scratch, SESSIONS, mebibytes - 1));
  const words = ["build", writePage(scratch, SESSIONS, mebibytes), "--out", OUT];
  const built = createClaim("build crowded", await runCapc(words, { quiet: true }));
  if (built.failed > 0) return addResults(more, less, built);
  return addResults(more, less, built, await boot(SCRIPT, `${OUT}/system.iso`, [], mebibytes).run());
});
