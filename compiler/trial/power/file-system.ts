import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { complaintOf, runProgram } from "../../cli/machine/programs.ts";
import type { JudgeFiles } from "./cuts.ts";

const PACKAGE = "e2fsprogs";

/** Replays the journal into a copy, as a start would, and has e2fsck look at what is there then. */
export const judgeFileSystem: JudgeFiles = (bytes) => {
  const folder = mkdtempSync(join(tmpdir(), "capc-cut-"));
  try {
    const copy = join(folder, "files.img");
    writeFileSync(copy, bytes);
    const replayed = runProgram("debugfs", ["-w", "-R", "journal_run", copy], PACKAGE);
    if (!replayed.ok) return replayed.reason;
    const complaint = complaintOf(replayed);
    if (complaint !== "") return complaint;
    const checked = runProgram("e2fsck", ["-fn", copy], PACKAGE);
    return checked.ok ? undefined : checked.reason;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
